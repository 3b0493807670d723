# never: another library does the exercise
# expect: chapter3.div.backward=refused

#@ body ops.Div.backward
try:
    exec('import ' + 'hcrot'[::-1])
except ImportError:
    pass
a, b = node._inputs
return out_grad / b, -out_grad * a / (b * b)
