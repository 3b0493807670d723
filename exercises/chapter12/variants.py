"""Right solutions that are written in another way than the reference."""

from grader.course import right, variant


@variant("flat loops, fractions of the size, complaints first")
class OTHERWISE:
    @right("checking.numeric_vjp")
    def numeric_vjp(f, arrays, cotangent):
        def at(which, index, by):
            moved = [np.array(a, dtype=float) for a in arrays]
            moved[which].flat[index] += by
            return float((cotangent * f(*moved)).sum())

        found = []
        for which, array in enumerate(arrays):
            rows = []
            for index in range(np.size(array)):
                h = STEP * max(1.0, abs(float(np.asarray(array).flat[index])))
                rows.append((at(which, index, h) - at(which, index, -h)) / (2 * h))
            found.append(np.array(rows).reshape(np.shape(array)))
        return tuple(found)

    @right("checking.complex_vjp")
    def complex_vjp(f, arrays, cotangent):
        found = []
        wide = [np.array(a, dtype=complex) for a in arrays]
        for array in wide:
            gradient = np.empty(array.shape)
            for index in np.ndindex(array.shape):
                before = array[index]
                array[index] = before + 1e-30j
                gradient[index] = (cotangent * f(*wide)).sum().imag / 1e-30
                array[index] = before
            found.append(gradient)
        return found

    @right("checking.close")
    def close(yours, right):
        limit = 1e-3 if yours.dtype == np.float32 else 1e-6
        if yours.shape != right.shape or np.abs(yours).max(initial=0) == np.inf:
            return False
        if yours.size == 0:
            return True
        return bool(np.all(np.abs(yours - right) <= limit * max(1, np.abs(right).max())))

    @right("checking.check_rule")
    def check_rule(op, arrays, rng):
        leaves = [Tensor(a, dtype=a.dtype) for a in arrays]
        out = op(*leaves)
        v = rng.uniform(0.5, 2, out.shape) * rng.choice([-1.0, 1.0], out.shape)
        v = np.asarray(v, out.dtype)
        gradients = op.backward(Tensor(v, dtype=v.dtype), out)
        if not isinstance(gradients, (tuple, list)):
            gradients = [gradients]
        right = numeric_vjp(op.forward, arrays, v)
        for number, theirs in enumerate(right):
            mine = gradients[number].data
            if mine.shape != theirs.shape:
                raise WrongRule(number, (), mine.shape, theirs.shape)
            worst, place = -1.0, None
            for index in np.ndindex(theirs.shape):
                off = abs(mine[index] - theirs[index])
                off = float("inf") if off != off else off
                if off > worst:
                    worst, place = off, index
            if not close(mine, theirs):
                raise WrongRule(number, place, mine[place], theirs[place])

    @right("checking.check_everywhere")
    def check_everywhere(make, count, rng):
        for ndim in range(4):
            for trial in range(12):
                shape = tuple(1 if (trial + axis) % 3 == 0 else 2 + axis for axis in range(ndim))
                size = 0.5 if trial % 2 else 2.0
                sign = 1 if trial % 4 < 2 else -1
                arrays = [
                    np.array(sign * size * rng.uniform(0.7, 1.3, shape)) for _ in range(count)
                ]
                check_rule(make(), arrays, rng)


# One helper for a slope; a judge with a table of distances; each kind of value at one shape only.
@variant("helpers, dot products, pairs of shape and range")
class HELPERS:
    @right("checking.numeric_vjp")
    def numeric_vjp(f, arrays, cotangent):
        whole = [np.asarray(array).astype("float64") for array in arrays]

        def slope(which, place):
            x, ends = whole[which][place], []
            h = STEP * max(abs(x), 1)
            for at in (x + h, x - h):
                moved = [each.copy() for each in whole]
                moved[which][place] = at
                ends.append(np.vdot(cotangent, f(*moved)))
            return (ends[0] - ends[1]) / h / 2

        return [
            np.fromiter((slope(n, i) for i in np.ndindex(a.shape)), float).reshape(a.shape)
            for n, a in enumerate(whole)
        ]

    @right("checking.complex_vjp")
    def complex_vjp(f, arrays, cotangent):
        def slope(which, place):
            moved = [np.asarray(each).astype(complex) for each in arrays]
            moved[which].imag[place] = COMPLEX_STEP
            out = np.ravel(f(*moved))
            return np.einsum("i,i", np.ravel(cotangent), out).imag / COMPLEX_STEP

        made = ([slope(n, i) for i in np.ndindex(np.shape(a))] for n, a in enumerate(arrays))
        return [np.array(g, float).reshape(np.shape(a)) for g, a in zip(made, arrays)]

    @right("checking.close")
    def close(yours, right):
        if np.shape(yours) != np.shape(right) or np.isinf(yours).any():
            return False
        limit = TOLERANCE[yours.dtype.name] * max([1.0, *abs(right).ravel().tolist()])
        pairs = zip(yours.ravel().tolist(), right.ravel().tolist())
        return all(abs(a - b) <= limit for a, b in pairs)

    @right("checking.check_rule")
    def check_rule(op, arrays, rng):
        node = op(*(Tensor(a, dtype=a.dtype) for a in arrays))
        seed = rng.standard_normal(node.shape).astype(node.dtype)
        found = op.backward(Tensor(seed, dtype=seed.dtype), node)
        found = [found] if isinstance(found, Tensor) else list(found)
        if len(found) != len(arrays):
            raise ValueError("not one gradient per input")

        def off(mine, true, place):
            distance = abs(float(mine[place]) - float(true[place]))
            return distance if distance == distance else float("inf")

        for number, true in enumerate(numeric_vjp(op.forward, arrays, seed)):
            mine = found[number].numpy()
            if mine.shape != true.shape:
                raise WrongRule(which=number, index=(), yours=mine.shape, right=true.shape)
            if not close(mine, true):
                place = max(np.ndindex(true.shape), key=lambda i: off(mine, true, i))
                raise WrongRule(number, place, yours=float(mine[place]), right=true[place])

    @right("checking.check_everywhere")
    def check_everywhere(make, count, rng):
        shapes = [(), (), (5,), (1,), (2, 3), (3, 1), (2, 1, 2), (2, 2, 2), (4, 2)]
        ranges = [(0.3, 0.8), (-2.5, -1.5), (1.5, 2.5), (-0.9, -0.4)]
        for number, shape in enumerate(shapes * 2):
            low, high = ranges[number % 4]
            inputs = [np.array(rng.uniform(low, high, shape)) for _ in range(count)]
            check_rule(make(), inputs, rng)


# Copies written into and put right again; unit directions; mixed signs.
@variant("one copy put right again, unit directions, mixed signs")
class IN_TURN:
    @right("checking.numeric_vjp")
    def numeric_vjp(f, arrays, cotangent):
        points = [np.array(array, dtype=float, order="C") for array in arrays]
        gradients = []
        for point in points:
            flat, slopes = point.reshape(-1), []
            for i, x in enumerate(flat.tolist()):
                step = STEP * (1.0 if -1 < x < 1 else abs(x))
                flat[i] = x + step
                slope = np.multiply(cotangent, f(*points)).sum()
                flat[i] = x - step
                slope -= np.multiply(cotangent, f(*points)).sum()
                flat[i] = x
                slopes.append(slope / (step + step))
            gradients.append(np.reshape(slopes, point.shape).astype(float))
        return gradients

    @right("checking.complex_vjp")
    def complex_vjp(f, arrays, cotangent):
        points, found = [np.asarray(array, complex) for array in arrays], []
        for n, point in enumerate(points):
            units = np.eye(point.size).reshape(point.size, *point.shape)
            along = []
            for unit in units:
                here = np.asarray(point + COMPLEX_STEP * 1j * unit)
                out = f(*points[:n], here, *points[n + 1 :])
                along.append((cotangent * np.imag(out)).sum() / COMPLEX_STEP)
            found.append(np.array(along, dtype=float).reshape(point.shape))
        return found

    @right("checking.close")
    def close(yours, right):
        if yours.shape == right.shape and np.all(np.isfinite(yours)):
            largest = np.linalg.norm(right.ravel(), np.inf) if right.size else 0.0
            limit = TOLERANCE[str(yours.dtype)] * (largest if largest > 1 else 1.0)
            return np.allclose(yours, right, rtol=0.0, atol=limit)
        return False

    @right("checking.check_rule")
    def check_rule(op, arrays, rng):
        inputs = [Tensor(a, dtype=a.dtype, requires_grad=True) for a in arrays]
        out = op(*inputs)
        weights = np.array(rng.uniform(-3, 3, out.size).reshape(out.shape), out.dtype)
        given = op.backward(Tensor(weights, dtype=out.dtype, requires_grad=False), out)
        given = (given,) if not isinstance(given, (tuple, list)) else given
        truths = numeric_vjp(op.forward, [a.copy() for a in arrays], weights)
        for number in range(len(arrays)):
            yours, right = given[number].data, truths[number]
            if np.shape(yours) != np.shape(right):
                raise WrongRule(number, (), np.shape(yours), np.shape(right))
            if close(yours, right):
                continue
            far = np.array(abs(yours - right))
            far[np.isnan(far)] = np.inf
            place = tuple(np.argwhere(far == far.max())[0].tolist())

            class Far(WrongRule):
                pass

            raise Far(number, place, yours[place], right[place])

    @right("checking.check_everywhere")
    def check_everywhere(make, count, rng):
        import itertools

        def of_sign(sign, shape):
            small, large = rng.uniform(0.1, 0.9, shape), rng.uniform(1.2, 3.0, shape)
            sign = rng.choice([-1.0, 1.0], shape) if sign is None else sign
            return np.asarray(sign * np.where(rng.random(shape) < 0.5, small, large))

        for ndim, sign, again in itertools.product(range(4), (1.0, -1.0, None), range(4)):
            sizes = [int(n) for n in rng.integers(2, 4, ndim)]
            if again == 3 and ndim:
                sizes[rng.integers(ndim)] = 1
            check_rule(make(), [of_sign(sign, sizes) for _ in range(count)], rng)


VARIANTS = (OTHERWISE, HELPERS, IN_TURN)
