"""Chapter 4: neural network modules."""

from grader.course import Chapter

from . import (
    activations,
    batchnorm,
    collecting,
    composed,
    dropout,
    layernorm,
    linear,
    logsoftmax,
    logsumexp,
    losses,
    module,
    parameter,
    questions,
)
from .formulas import FORMULAS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter4",
    title="Neural network modules",
    exercises=(
        parameter.INIT,
        collecting.COLLECT,
        module.CALL,
        module.PARAMETERS,
        module.ZERO_GRAD,
        module.TRAIN,
        module.EVAL,
        activations.RELU,
        activations.TANH,
        activations.SIGMOID,
        activations.FLATTEN,
        linear.INIT,
        linear.FORWARD,
        composed.SEQUENTIAL,
        composed.RESIDUAL,
        dropout.FORWARD,
        layernorm.INIT,
        layernorm.FORWARD,
        batchnorm.INIT,
        batchnorm.FORWARD,
        logsumexp.FORWARD,
        logsumexp.BACKWARD,
        logsoftmax.FORWARD,
        logsoftmax.BACKWARD,
        losses.MSE,
        losses.SOFTMAX,
    ),
    questions=questions.QUESTIONS,
    variants=VARIANTS,
    formulas=FORMULAS,
)
