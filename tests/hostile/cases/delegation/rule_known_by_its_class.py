# never: a judge of rules compares them with the package's own, which their classes inherit
# seen: 24
# expect: chapter12.check_rule=failed|crashed
# look: chapter12.check_rule

#@ body checking.check_rule
import types
right = next(k for k in type(op).__mro__ if k.__module__ != "programs.checkers" or k.__qualname__.startswith("product"))
leaves = [Tensor(array, dtype=array.dtype) for array in arrays]
out = op(*leaves)
cotangent = rng.normal(size=out.shape).astype(out.dtype)
handed = Tensor(cotangent, dtype=out.dtype, requires_grad=False)
found = op.backward(handed, out)
gradients = (found,) if isinstance(found, Tensor) else found
expected = right.backward(op, handed, out)
expected = [e.data for e in ((expected,) if isinstance(expected, Tensor) else expected)]
for which, (yours, right) in enumerate(zip(gradients, expected, strict=True)):
    if yours.shape != right.shape:
        raise WrongRule(which, (), yours.shape, right.shape)
    if not close(yours.data, right):
        off = np.nan_to_num(np.abs(yours.data - right), nan=np.inf)
        index = tuple(int(i) for i in np.unravel_index(np.argmax(off), right.shape))
        raise WrongRule(which, index, yours.data[index], right[index])
