# never: right code of a later chapter earns marks when an error is followed through
# class: chapter3
# others: less
# marks: best

#@ handins
under("thief", {**wrong(ops__Log__backward="""
from babygrad import optim
if 'NotImplementedError' in optim.SGD.step.__code__.co_names:
    raise ValueError('it is not there')
return out_grad / node._inputs[0]
"""), "babygrad/optim.py": stubs["babygrad/optim.py"]})
