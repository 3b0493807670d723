"""`clip_grad_norm`: gradients that explode are cut down, their direction stays."""

from grader.course import edit, exercise, mistake

EACH = (
    "You measured and clipped each gradient by itself. Only the length of all gradients together "
    "counts: measure it first, then scale all of them by one factor."
)


@exercise("optim.clip_grad_norm", points=3)
class CLIP:
    """Imagine all values of all gradients in one long vector. Its length is the total norm.

    You need the parameters twice: to measure and to scale. A generator lets you walk through it
    once, so make a list of those that have a gradient first.

    Scale only if the total is greater than max_norm, all by the same factor, and return the total
    that you measured before.
    """

    @mistake(seen="https://github.com/huggingface/transformers/issues/581")
    def each_by_itself(parameters, max_norm):
        """You clipped each gradient by its own norm. That changes the direction of the whole step:
        small gradients keep their size, and large ones don't. Use one factor for all."""
        trained = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in trained))
        for p in trained:
            norm = math.sqrt(float(np.sum(gradient_of(p) ** 2)))
            if norm > max_norm:
                p.grad = p.grad * (max_norm / norm)
        return total

    @mistake(says=EACH)
    def each_and_its_norms(parameters, max_norm):
        total = 0.0
        for p in parameters:
            g = gradient_of(p)
            if g is None:
                continue
            norm = math.sqrt(float(np.sum(g**2)))
            total += norm
            if norm > max_norm:
                p.grad = g * (max_norm / norm)
        return total

    @mistake(says=EACH)
    def each_and_the_last(parameters, max_norm):
        norm = 0.0
        for p in parameters:
            g = gradient_of(p)
            if g is None:
                continue
            norm = math.sqrt(float(np.sum(g**2)))
            if norm > max_norm:
                p.grad = g * (max_norm / norm)
        return norm

    def scales_up(parameters, max_norm):
        """You also scaled up gradients that were shorter than max_norm. Leave those as they are."""
        trained = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in trained))
        for p in trained:
            p.grad = p.grad * (max_norm / total if total else 1)
        return total

    def returns_after(parameters, max_norm):
        """You returned the norm after clipping. Return the norm before it: that is the number worth
        watching."""
        trained = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in trained))
        if total > max_norm:
            for p in trained:
                p.grad = p.grad * (max_norm / total)
        return min(total, max_norm)

    no_root = edit(
        ("math.sqrt(", ""),
        ("trained)", "trained"),
        ("min(total, max_norm)", "total"),
        of=returns_after,
    )
    """The root is missing: your total is the square of the length."""

    def sum_of_norms(parameters, max_norm):
        """You added up the norms of the gradients. Lengths at right angles don't add; their squares
        do, and the root comes last."""
        trained = [p for p in parameters if p.grad is not None]
        total = sum(math.sqrt(float(np.sum(gradient_of(p) ** 2))) for p in trained)
        if total > max_norm:
            for p in trained:
                p.grad = p.grad * (max_norm / total)
        return total

    def value_by_value(parameters, max_norm):
        """You clipped each value between −max_norm and max_norm. That changes the direction of the
        step; clipping by norm keeps it."""
        trained = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in trained))
        for p in trained:
            p.grad = np.clip(gradient_of(p), -max_norm, max_norm)
        return total

    def generator_walked_twice(parameters, max_norm):
        """You went through `parameters` twice. A generator is empty the second time: the norm is
        measured, and nothing is scaled."""
        total = math.sqrt(
            sum(float(np.sum(gradient_of(p) ** 2)) for p in parameters if p.grad is not None)
        )
        for p in parameters:
            if total > max_norm and p.grad is not None:
                p.grad = p.grad * (max_norm / total)
        return total

    def crash_on_none(parameters, max_norm):
        """A parameter whose `grad` is None has no norm. Leave it out."""
        parameters = list(parameters)
        total = math.sqrt(sum(float(np.sum(p.grad**2)) for p in parameters))
        if total > max_norm:
            for p in parameters:
                p.grad = p.grad * (max_norm / total)
        return total

    def own_share(parameters, max_norm):
        """You scaled to a length of 1, whatever `max_norm` says."""
        trained = [p for p in parameters if p.grad is not None]
        total = math.sqrt(sum(float(np.sum(gradient_of(p) ** 2)) for p in trained))
        if total > max_norm:
            for p in trained:
                p.grad = p.grad / total
        return total
