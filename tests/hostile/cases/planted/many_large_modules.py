# never: many large modules make the grader read and send for ever
# wrong use: MB of Python files

#@ bytes helper0.py
b"#" * (2 << 20)
#@ bytes helper1.py
b"#" * (2 << 20)
#@ bytes helper2.py
b"#" * (2 << 20)
#@ bytes helper3.py
b"#" * (2 << 20)
#@ bytes helper4.py
b"#" * (2 << 20)
#@ bytes helper5.py
b"#" * (2 << 20)
#@ bytes helper6.py
b"#" * (2 << 20)
#@ bytes helper7.py
b"#" * (2 << 20)
