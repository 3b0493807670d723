"""Wrong bodies that break one clause of a promise alone: target → clause → the body, or an edit."""

FILLED = "parameter.data = draw(fan_in, fan_out).data.astype(parameter.dtype)"

BROKEN = {
    "init.initialize": {
        "It stays the same Tensor": (FILLED, "parameter = draw(fan_in, fan_out)"),
        "and keeps its dtype;": (".astype(parameter.dtype)", ""),
        "only its `data` gets the drawn values.": (
            FILLED,
            f"{FILLED}\n        parameter.grad = None",
        ),
    },
    "init.activation_statistics": {
        "and look at what comes out of each.": """
            found = []
            for layer in layers:
                zeros = float(np.mean(layer(x).data == 0))
                mean, std = layer(x).data.mean(), layer(x).data.std()
                found.append(Statistics(float(mean), float(std), zeros))
                x = layer(x)
            return found
        """,
    },
}
