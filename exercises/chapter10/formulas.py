"""Hidden formulas: what `--formulas hidden` leaves out of the docstrings of this chapter's stubs.

A row is a target and an edit of its docstring. The paragraph as it was is the last hint.
"""

FORMULAS = {
    "ops.Pad.backward": (": the part of ``out_grad`` that lies where ``a`` was put", ""),
    "ops.Slice.backward": (": ``out_grad`` at the places that were picked, 0 elsewhere", ""),
    "ops.Dilate.backward": (": every ``step``-th place of ``out_grad`` along ``self.axes``", ""),
    "ops.Flip.backward": (": ``out_grad`` reversed in the same way", ""),
    "ops.Max.backward": (": ``out_grad`` where the largest value was, 0 elsewhere", ""),
    "ops.Conv.backward": (
        "First ``out_grad`` is spread out, its values ``stride`` places apart. Then the gradient "
        "of ``a`` is what is spread, padded to fit, under the kernel flipped along height and "
        "width; and the gradient of ``b`` is the padded ``a`` under what is spread.", ""),
}  # fmt: skip
