# never: Python's stack is used up
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
def deeper():
    return deeper()
deeper()
