# never: a false NotImplementedError hides wrong code
# expect: chapter3.div.forward=crashed|blocked|pending

#@ body ops.Div.forward
class NotImplementedError(Exception):
    pass
raise NotImplementedError
