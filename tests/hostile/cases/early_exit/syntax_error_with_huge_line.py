# never: a line of many digits brings the grader down
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
error = SyntaxError('odd')
error.filename, error.lineno = __file__, 10**4000
raise error
