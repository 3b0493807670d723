"""Right solutions that are written in another way than the reference."""

from grader.course import Variant

OTHERWISE = Variant(
    "flat loops, fractions of the size, complaints first",
    {
        "checking.numeric_vjp": (
            "def at(which, index, by):\n"
            "    moved = [np.array(a, dtype=float) for a in arrays]\n"
            "    moved[which].flat[index] += by\n"
            "    return float((cotangent * f(*moved)).sum())\n\n"
            "found = []\n"
            "for which, array in enumerate(arrays):\n"
            "    rows = []\n"
            "    for index in range(np.size(array)):\n"
            "        h = STEP * max(1.0, abs(float(np.asarray(array).flat[index])))\n"
            "        rows.append((at(which, index, h) - at(which, index, -h)) / (2 * h))\n"
            "    found.append(np.array(rows).reshape(np.shape(array)))\n"
            "return tuple(found)"
        ),
        "checking.complex_vjp": (
            "found = []\nwide = [np.array(a, dtype=complex) for a in arrays]\n"
            "for array in wide:\n"
            "    gradient = np.empty(array.shape)\n"
            "    for index in np.ndindex(array.shape):\n"
            "        before = array[index]\n"
            "        array[index] = before + 1e-30j\n"
            "        gradient[index] = (cotangent * f(*wide)).sum().imag / 1e-30\n"
            "        array[index] = before\n"
            "    found.append(gradient)\nreturn found"
        ),
        "checking.close": (
            "limit = 1e-3 if yours.dtype == np.float32 else 1e-6\n"
            "if yours.shape != right.shape or np.abs(yours).max(initial=0) == np.inf:\n"
            "    return False\n"
            "if yours.size == 0:\n    return True\n"
            "return bool(np.all(np.abs(yours - right) <= limit * max(1, np.abs(right).max())))"
        ),
        "checking.check_rule": (
            "leaves = [Tensor(a, dtype=a.dtype) for a in arrays]\nout = op(*leaves)\n"
            "v = rng.uniform(0.5, 2, out.shape) * rng.choice([-1.0, 1.0], out.shape)\n"
            "v = np.asarray(v, out.dtype)\n"
            "gradients = op.backward(Tensor(v, dtype=v.dtype), out)\n"
            "if not isinstance(gradients, (tuple, list)):\n    gradients = [gradients]\n"
            "right = numeric_vjp(op.forward, arrays, v)\n"
            "for number, theirs in enumerate(right):\n"
            "    mine = gradients[number].data\n"
            "    if mine.shape != theirs.shape:\n"
            "        raise WrongRule(number, (), mine.shape, theirs.shape)\n"
            "    worst, place = -1.0, None\n"
            "    for index in np.ndindex(theirs.shape):\n"
            "        off = abs(mine[index] - theirs[index])\n"
            "        off = float('inf') if off != off else off\n"
            "        if off > worst:\n            worst, place = off, index\n"
            "    if not close(mine, theirs):\n"
            "        raise WrongRule(number, place, mine[place], theirs[place])"
        ),
        "checking.check_everywhere": (
            "for ndim in range(4):\n"
            "    for trial in range(12):\n"
            "        shape = tuple(1 if (trial + axis) % 3 == 0 else 2 + axis "
            "for axis in range(ndim))\n"
            "        size = 0.5 if trial % 2 else 2.0\n"
            "        sign = 1 if trial % 4 < 2 else -1\n"
            "        arrays = [np.array(sign * size * rng.uniform(0.7, 1.3, shape))\n"
            "                  for _ in range(count)]\n"
            "        check_rule(make(), arrays, rng)"
        ),
    },
)

VARIANTS = (OTHERWISE,)
