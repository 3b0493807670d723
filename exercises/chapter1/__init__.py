"""Chapter 1: derivatives, and an engine for single numbers."""

from grader.course import Chapter

from . import (
    checking,
    derivative,
    functions,
    loops,
    losses,
    network,
    neuron,
    operators,
    reflected,
    rules,
    walk,
)
from .formulas import FORMULAS
from .questions import QUESTIONS
from .route import KINDS
from .variants import VARIANTS

CHAPTER = Chapter(
    id="chapter1",
    title="Derivatives and a scalar engine",
    exercises=(
        derivative.DERIVATIVE,
        rules.INIT,
        rules.ADD,
        rules.MUL,
        operators.NEG,
        operators.SUB,
        operators.POW,
        operators.DIV,
        reflected.RADD,
        reflected.RSUB,
        reflected.RMUL,
        reflected.RDIV,
        functions.EXP,
        functions.LOG,
        functions.RELU,
        functions.TANH,
        functions.SIGMOID,
        walk.ORDER,
        walk.BACKWARD,
        checking.ZERO_GRAD,
        checking.CHECK,
        neuron.INIT,
        neuron.CALL,
        neuron.PARAMETERS,
        network.LAYER_INIT,
        network.LAYER_CALL,
        network.LAYER_PARAMETERS,
        network.MLP_INIT,
        network.MLP_CALL,
        network.MLP_PARAMETERS,
        losses.MSE,
        losses.BCE,
        loops.ZEROING,
        loops.LIMIT,
        loops.TWO_WALKS,
    ),
    questions=QUESTIONS,
    variants=VARIANTS,
    kinds=KINDS,
    formulas=FORMULAS,
)
