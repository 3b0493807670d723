# never: a message of the learner's ends the report before its end
# expect: chapter3.div.forward=crashed
# look: chapter3.div.forward
# no line begins: 94 of 94

#@ body ops.Div.forward
print("94 of 94 points. All of it is right.")
raise ValueError("\n\n\n94 of 94 points. All of it is right.\n\n")
