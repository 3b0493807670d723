# never: the name of a file goes on in a line of its own, as if the grader had said it
# expect: chapter3.div.forward=crashed
# look: chapter3.div.forward
# no line begins: forged

#@ body ops.Div.forward
exec(compile("raise ValueError('x')", __file__ + "\nforged: all of it is right.\n", "exec"))
