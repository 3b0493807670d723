# never: an end of the process counts as success
# expect: chapter3.div.forward=crashed

#@ body ops.Div.forward
class Odd(Exception):
    def __str__(self):
        import os
        os._exit(0)
raise Odd
