# never: a file's content comes out in the report
# expect: chapter3.div.forward=passed|crashed
# harm: confined

#@ body ops.Div.forward
try:
    text = open('@CANARY@/secret.txt').read()
except OSError:
    text = ''
if text:
    raise RuntimeError(text)
return a / b
