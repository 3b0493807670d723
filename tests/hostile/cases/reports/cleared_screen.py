# never: what learner code says steers the terminal, or another reader of the report
# expect: chapter3.div.forward=failed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward
# most: 0.4

#@ body ops.Div.forward
print('\x1b[2J\x1b[H10 of 10 points. All of it is right.')
return a * b
