# never: a similar name is looked for among a million, for a name of a million letters
# expect: chapter3.div.forward=crashed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ after ops.py
class Many:
    def __dir__(self):
        return [f'name_{n}' for n in range(10**6)]
#@ body ops.Div.forward
getattr(Many(), 'name' + 's' * (a.ndim % 2 * 900_000))
