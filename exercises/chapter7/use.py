"""Uses of drawn weights: filling a model, and looking at outputs and gradients."""

from grader.course import before, edit, exercise, mistake


@exercise("init.initialize", points=2)
class INITIALIZE:
    """How do you tell a weight matrix from a bias? By its number of axes.

    The model holds the Tensor itself, so give its `data` a new array. `draw` returns a Tensor; take
    the array out of it, and bring it to the parameter's dtype.
    """

    def fans_swapped(parameters, draw):
        """You called `draw(fan_out, fan_in)`. The first axis of a weight matrix is its inputs."""
        for p in parameters:
            if p.ndim == 2:
                p.data = draw(p.shape[1], p.shape[0]).data.reshape(p.shape).astype(p.dtype)

    @mistake(has=(r"(?<!\.)\b\w{1,20} = (?:draw|Tensor|Parameter)\(",))
    def new_tensor(parameters, draw):
        """`p = …` gives a new meaning to a local name. The model's Tensor is unchanged; set its
        `data`."""
        for p in parameters:
            if p.ndim == 2:
                p = draw(*p.shape)

    def loses_dtype(parameters, draw):
        """A float32 parameter got the dtype of what was drawn. It keeps its own."""
        for p in parameters:
            if p.ndim == 2:
                p.data = draw(*p.shape).data

    def biases_zeroed(parameters, draw):
        """You set everything that isn't a matrix to 0. That would kill a LayerNorm, whose scale is
        1; leave those parameters as they are."""
        for p in parameters:
            if p.ndim == 2:
                p.data = draw(*p.shape).data.astype(p.dtype)
            else:
                p.data = np.zeros_like(p.data)

    def adds(parameters, draw):
        """You added the drawn values to the old ones. They replace them."""
        for p in parameters:
            if p.ndim == 2:
                p.data = p.data + draw(*p.shape).data.astype(p.dtype)

    def more_axes_too(parameters, draw):
        """You treated a parameter with three axes as a weight matrix. A weight matrix has exactly
        two."""
        for p in parameters:
            if p.ndim >= 2:
                n = p.shape[-1]
                p.data = draw(p.size // n, n).data.reshape(p.shape).astype(p.dtype)


@exercise("init.activation_statistics", points=2)
class ACTIVATIONS:
    """The output of each layer is the input of the next: `x = layer(x)`.

    `x.data` is an ndarray: it has `mean()` and `std()`. How do you count where it is 0? The mean of
    a boolean array is the share of True.
    """

    def _plain(layers, x):
        found = []
        for layer in layers:
            x = layer(x)
            found.append(
                Statistics(float(x.data.mean()), float(x.data.std()), float((x.data == 0).mean()))
            )
        return found

    def not_chained(layers, x):
        """Every layer got the same `x`. Each one after the first gets the output of the one
        before."""
        found = []
        for layer in layers:
            y = layer(x).data
            found.append(Statistics(float(y.mean()), float(y.std()), float((y == 0).mean())))
        return found

    def looks_at_inputs(layers, x):
        """You looked at what goes into each layer; look at what comes out."""
        found = []
        for layer in layers:
            found.append(
                Statistics(float(x.data.mean()), float(x.data.std()), float((x.data == 0).mean()))
            )
            x = layer(x)
        return found

    variance = edit("std", "var", of=_plain)
    """You gave the variance. The standard deviation is its root."""

    sample_std = edit("std()", "std(ddof=1)", of=_plain)
    """You divided by n − 1. Take the root of the *mean* squared distance, over all values."""

    counts_zeros = edit("(x.data == 0).mean", "(x.data == 0).sum", of=_plain)
    """You counted the zeros. Return their share, between 0 and 1."""

    share_of_others = edit("==", "!=", of=_plain)
    """This is the share of values that are *not* 0."""

    def last_only(layers, x):
        """There is one entry, for the last layer. Each layer gets its own."""
        found = []
        for layer in layers:
            x = layer(x)
        found.append(
            Statistics(float(x.data.mean()), float(x.data.std()), float((x.data == 0).mean()))
        )
        return found

    @before("found = []", of=_plain)
    def walked_twice(layers):
        """You went through `layers` twice. A generator is empty the second time, so you find
        nothing."""
        n = len(list(layers))


@exercise("init.gradient_statistics", points=2)
class GRADIENTS:
    """The same three numbers as in `activation_statistics`; only the array is another one.
    `gradient_of(parameter)` returns it, or None.

    Look whether it is None before you ask it for its mean, and put None into your list then: the
    entries have to stay beside their parameters.
    """

    def _plain(parameters):
        found = []
        for p in parameters:
            g = gradient_of(p)
            if g is None:
                found.append(None)
            else:
                found.append(Statistics(float(g.mean()), float(g.std()), float((g == 0).mean())))
        return found

    @before("found.append(Statistics(float(g.mean()),", of=_plain)
    def values_not_gradients(p):
        """You looked at the values of the parameters. Look at their gradients."""
        g = p.data

    def crash_on_none(parameters):
        """A parameter that took no part in the loss has `grad` None, which has no mean. Its entry
        is None."""
        found = []
        for p in parameters:
            g = gradient_of(p)
            found.append(Statistics(float(g.mean()), float(g.std()), float((g == 0).mean())))
        return found

    left_out = edit("found.append(None)", "continue", of=_plain)
    """You left out the parameters without a gradient. Every entry after them then stands beside the
    wrong parameter."""

    none_as_zeros = edit("(None)", "(Statistics(0.0, 0.0, 1.0))", of=_plain)
    """You say of a gradient that never arrived that it is zeros. The two have different causes: a
    dead layer, or a parameter that isn't used at all."""

    variance = edit("std", "var", of=_plain)
    """You gave the variance. The standard deviation is its root."""

    root_mean_square = edit("g.std()", "np.sqrt((g**2).mean())", of=_plain)
    """You took the root of the mean square. The standard deviation measures from the mean, not from
    0."""

    counts_zeros = edit("(g == 0).mean", "(g == 0).sum", of=_plain)
    """You counted the zeros. Return their share, between 0 and 1."""

    @before("found.append(Statistics(float(g.mean()),", of=_plain)
    def sizes(g):
        """You took the sizes first. Mean and standard deviation are those of the gradient with its
        signs."""
        g = abs(g)
