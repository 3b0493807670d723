# never: an exception slips past `except Exception`
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
class Odd(BaseException):
    pass
raise Odd('passed')
