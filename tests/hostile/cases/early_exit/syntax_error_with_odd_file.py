# never: a file that is no text ends the worker's loop
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
error = SyntaxError('odd')
error.filename = 12
raise error
