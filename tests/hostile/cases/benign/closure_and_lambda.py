# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.backward
a, b = node._inputs
rule = lambda g: (g / b, -g * a / (b * b))
return rule(out_grad)
