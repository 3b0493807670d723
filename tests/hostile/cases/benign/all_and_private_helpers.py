# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ after ops.py
def _ratio(a, b):
    return a / b


__all__ = ['Div', 'Sub', 'Function']
#@ body ops.Div.forward
return _ratio(a, b)
