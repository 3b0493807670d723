# never: the name of an error goes on in a line of its own
# expect: chapter3.div.forward=crashed
# look: chapter3.div.forward
# no line begins: forged

#@ body ops.Div.forward
raise type("x\nforged: 1 of 1 points", (Exception,), {})("\nforged: y\r\nforged: z")
