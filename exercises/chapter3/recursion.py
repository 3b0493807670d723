"""`Tensor.backward` written as a method that calls itself."""

from grader.course import Mistake

BODY = """
if grad is None:
    grad = Tensor(np.ones(self.shape), dtype=self.dtype)
self.grad = grad.data if self.grad is None else self.grad + grad.data
if self._op is None:
    return
gradients = self._op.backward(grad, self)
if isinstance(gradients, Tensor):
    gradients = (gradients,)
for source, gradient in zip(self._inputs, gradients):
    source.backward(gradient)
"""

RECURSIVE = Mistake(
    "recursive-calls",
    BODY,
    "You call `backward` of the inputs from within `backward`, so a node hands on each time "
    "something arrives, along every path anew: the draft of the bug hunt, 3.13, goes that way. "
    "Make the order first; then let every node hand on once, after all its users have.",
    shown_by=r"\.backward\([^,()]*\)",
)
