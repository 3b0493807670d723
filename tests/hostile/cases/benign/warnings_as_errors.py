# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
import warnings
with warnings.catch_warnings():
    warnings.simplefilter('error')
    return a / b
