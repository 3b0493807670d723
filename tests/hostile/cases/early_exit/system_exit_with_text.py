# never: an end of the process counts as success
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
raise SystemExit("10 of 10 points")
