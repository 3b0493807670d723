# never: honest code whose definitions take long to list loses a mark
# twin: 22
# look: chapter3.div chapter3.sub

#@ bytes table.py
"".join(f"def entry_number_{n:05}_of_a_long_table(x):\n    return x + {n}\n\n\n" for n in range(1500)).encode()
