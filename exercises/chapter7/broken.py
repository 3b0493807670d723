"""Wrong bodies that break one clause of a promise alone: below each its clause."""

from grader.course import broken, edit

FILLED = "parameter.data = draw(fan_in, fan_out).data.astype(parameter.dtype)"


@broken("init.initialize")
class INITIALIZE:
    it_stays_the_same_tensor = edit(FILLED, "parameter = draw(fan_in, fan_out)")
    """It stays the same Tensor"""

    keeps_its_dtype = edit(".astype(parameter.dtype)", "")
    """and keeps its dtype;"""

    def only_its_data_gets(parameters, draw):
        """only its `data` gets the drawn values."""
        for parameter in parameters:
            if parameter.ndim == 2:
                fan_in, fan_out = parameter.shape
                parameter.data = draw(fan_in, fan_out).data.astype(parameter.dtype)
                parameter.grad = None


@broken("init.activation_statistics")
class ACTIVATION_STATISTICS:
    def look_at_what_comes_out(layers, x):
        """and look at what comes out of each."""
        found = []
        for layer in layers:
            zeros = float(np.mean(layer(x).data == 0))
            mean, std = layer(x).data.mean(), layer(x).data.std()
            found.append(Statistics(float(mean), float(std), zeros))
            x = layer(x)
        return found
