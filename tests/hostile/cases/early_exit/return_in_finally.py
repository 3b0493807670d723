# never: a swallowed exception counts as success
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
try:
    raise SystemExit
finally:
    return None
