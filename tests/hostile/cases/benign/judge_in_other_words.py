# never: a judge of rules that asks nothing but `forward` loses a mark
# twin: 24
# look: chapter12.check_rule

#@ body checking.check_rule
import contextlib
given = [np.array(each) for each in arrays]
node = op(*(Tensor(each, dtype=each.dtype) for each in given))
handed = np.asarray(rng.standard_normal(node.shape), dtype=node.dtype)
found = op.backward(Tensor(handed, dtype=node.dtype, requires_grad=False), node)
found = [found] if isinstance(found, Tensor) else list(found)
wanted = numeric_vjp(lambda *moved: op.forward(*moved), given, handed)
if len(found) != len(wanted):
    raise ValueError("too few gradients")
for number, right in enumerate(wanted):
    mine = found[number].data
    if mine.shape != right.shape:
        raise WrongRule(number, (), mine.shape, right.shape)
    if close(mine, right):
        continue
    worst = max(np.ndindex(right.shape), key=lambda place: (
        np.inf if not np.isfinite(mine[place]) else abs(mine[place] - right[place])
    ))
    raise WrongRule(number, worst, mine[worst], right[worst])
