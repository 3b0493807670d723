# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ file helpers/__init__.py
from .arrays import divided
#@ file helpers/arrays.py
def divided(a, b):
    return a / b
#@ body ops.Div.forward
from .helpers import divided
return divided(a, b)
