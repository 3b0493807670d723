# never: what learner code says steers the terminal, or another reader of the report
# expect: chapter3.div.forward=crashed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
raise ValueError('=HYPERLINK("http://127.0.0.1")')
