"""Judges by unit vectors, flat copies and vectorised comparisons."""

from grader.course import right, variant


@variant("unusual words")
class UNUSUAL:
    @right("checking.numeric_vjp")
    def numeric_vjp(f, arrays, cotangent):
        held = [np.array(each, np.float64) for each in arrays]

        def moved(which, i, by):
            each = [x.copy() for x in held]
            each[which].reshape(-1)[i] += by
            return float(np.vdot(cotangent, f(*each)))

        def slope(which, i, x):
            step = STEP * max(1, abs(x))
            return (moved(which, i, step) - moved(which, i, -step)) / step / 2

        found = []
        for which, each in enumerate(held):
            slopes = [slope(which, i, x) for i, x in enumerate(each.flat)]
            found.append(np.array(slopes, float).reshape(each.shape))
        return found

    @right("checking.complex_vjp")
    def complex_vjp(f, arrays, cotangent):
        def derivative(which, direction):
            at = [np.asarray(x, complex) for x in arrays]
            at[which] = at[which] + 1j * COMPLEX_STEP * direction
            return np.imag(np.multiply(cotangent, f(*at))).sum() / COMPLEX_STEP

        found = []
        for which, array in enumerate(arrays):
            units = np.eye(np.size(array)).reshape(-1, *np.shape(array))
            slopes = [derivative(which, unit) for unit in units]
            found.append(np.reshape(np.array(slopes, np.float64), np.shape(array)))
        return found

    @right("checking.close")
    def close(yours, right):
        same = np.shape(yours) == np.shape(right)
        if not (same and all(map(np.isfinite, yours.flat))):
            return False
        room = TOLERANCE[yours.dtype.name] * max([1, *map(abs, right.flat)])
        return all(abs(a - b) <= room for a, b in zip(yours.flat, right.flat))

    @right("checking.check_rule")
    def check_rule(op, arrays, rng):
        inputs = [Tensor(each, dtype=each.dtype) for each in arrays]
        made = op(*inputs)
        cotangent = rng.standard_normal(made.shape).astype(made.dtype)
        gradients = op.backward(Tensor(cotangent, dtype=made.dtype, requires_grad=False), made)
        if isinstance(gradients, Tensor):
            gradients = [gradients]
        gradients = list(gradients)
        assert len(gradients) == len(inputs), "not one gradient for each input"
        for which, right in enumerate(numeric_vjp(op.forward, arrays, cotangent)):
            yours = gradients[which].data
            if np.shape(yours) != np.shape(right):
                raise WrongRule(which=which, index=(), yours=np.shape(yours), right=right.shape)
            if not close(yours, right):

                def badness(index):
                    off = abs(float(yours[index]) - right[index])
                    return off if off == off else float("inf")

                index = max(np.ndindex(*right.shape), key=badness)
                raise WrongRule(which, index, yours[index], right[index])

    @right("checking.check_everywhere")
    def check_everywhere(make, count, rng):
        import itertools

        shapes = [shape for n in range(4) for shape in itertools.product((1, 3), repeat=n)]
        ranges = [(0.1, 0.95), (1.05, 3), (-0.95, -0.1), (-3, -1.05)]
        for shape, (low, high) in itertools.product(shapes, ranges):
            drawn = [low + (high - low) * rng.random(shape) for _ in range(count)]
            check_rule(make(), list(map(np.asarray, drawn)), rng)
