"""Sentences that several mistakes share from chapter 4 on."""

PLAIN_TENSORS = (
    "Weight and bias are plain Tensors. A module finds its parameters by their type, so an "
    "optimizer would never see these."
)
OWN_DTYPE = (
    "The argument `dtype` is ignored: your weight and bias are float32 whatever the caller asked "
    "for."
)
BIAS_OF_ZERO = (
    "Your bias starts at 0. Many networks do that, but here, as in PyTorch, it is drawn from the "
    "same range as the weight."
)
