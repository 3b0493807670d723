# never: a word of a verdict in a type's name becomes the verdict
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
class passed(Exception):
    pass
raise passed('passed')
