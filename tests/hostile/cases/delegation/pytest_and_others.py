# never: more than NumPy and the standard library can be imported
# expect: chapter3.div.forward=passed

#@ body ops.Div.forward
for name in ('pytest', 'hypothesis', 'scipy', 'pip', 'grader'):
    try:
        __import__(name)
    except ImportError:
        continue
    raise RuntimeError('@HARM@')
return a / b
