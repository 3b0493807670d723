# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.backward
print(node, node._op, node._inputs)
a, b = node._inputs
return out_grad / b, -out_grad * a / (b * b)
