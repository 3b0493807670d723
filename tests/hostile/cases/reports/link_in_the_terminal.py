# never: what learner code says steers the terminal, or another reader of the report
# expect: chapter3.div.forward=crashed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
raise ValueError('\x1b]8;;http://127.0.0.1\x07here\x1b]8;;\x07')
