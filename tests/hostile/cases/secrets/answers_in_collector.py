# never: what is right can be read by the code that is judged
# expect: chapter3.div.forward=passed|crashed

#@ body ops.Div.forward
import gc
gc.unfreeze()
for each in gc.get_objects():
    if type(each) is dict and ({'answers', 'mistakes', 'pytorch', 'finite_difference'} & set(map(str, list(each)[:50]))):
        raise RuntimeError('@HARM@')
return a / b
