"""Count how much of the book author's own package `grader import` places, and how much passes.

We read by hand which of this course's exercises the package of zekcrates/babygrad at commit 6f89450
has, and list them below by our names. The last four are different there: two functions for one of
ours, a method for a function.

    python benchmarks/import_package.py FOLDER       a checkout of it; some minutes the first time
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from grader.course.key_source import open_key  # noqa: E402
from grader.course.outline import chapter_of  # noqa: E402
from grader.importing.commands.import_package import take_over  # noqa: E402

BOTH = "forward backward"
INIT = "__init__ forward"
THERE = {
    "tensor.Tensor": "__init__ shape dtype ndim size device numpy detach __repr__ rand randn randb "
    "ones zeros one_hot __add__ __sub__ __mul__ __truediv__ __pow__ __neg__ __matmul__ __radd__ "
    "__rsub__ __rmul__ matmul reshape transpose sum broadcast_to backward __getitem__",
    "tensor": "topological_order",
    "ops.Mul": "backward",
    **dict.fromkeys(
        (f"ops.{name}" for name in (
            "Div", "Pow", "Negate", "Log", "Exp", "Sqrt", "ReLU", "Tanh", "Sigmoid", "Reshape",
            "Transpose", "Summation", "BroadcastTo", "MatMul", "MulScalar", "DivScalar",
            "PowerScalar", "LogSumExp", "LogSoftmax", "Slice", "Dilate", "Flip", "Conv",
        )), BOTH,
    ),
    "nn.Parameter": "__init__",
    "nn.Module": "__call__ parameters train eval state_dict load_state_dict",
    **dict.fromkeys(
        (f"nn.{name}" for name in (
            "ReLU", "Tanh", "Sigmoid", "Flatten", "Sequential", "Residual", "Dropout", "MSELoss",
            "SoftmaxLoss",
        )), "forward",
    ),
    **dict.fromkeys(("nn.Linear", "nn.LayerNorm1d", "nn.BatchNorm1d", "nn.Conv"), INIT),
    "gpt.Embedding": INIT,
    "optim.Optimizer": "__init__ zero_grad",
    "optim.SGD": "__init__ step",
    "optim.Adam": "__init__ step",
    "data": "parse_mnist parse_idx",
    "data.Dataset": "apply_transforms",
    "data.MNISTDataset": "__len__ __getitem__",
    "data.DataLoader": "__len__ __iter__",
    "data.RandomFlipHorizontal": "__call__",
    "data.RandomCrop": "__call__",
    "init": "xavier_uniform xavier_normal kaiming_uniform kaiming_normal",
    "trainer.Trainer": "evaluate fit",
    "nn": "collect",
    "checkpoint": "save load",
}  # fmt: skip


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("folder", type=Path, help="a checkout of the author's package")
    folder = options.parse_args().folder
    owner = open_key().table["targets"]
    there = {owner[f"{holder}.{name}"] for holder, names in THERE.items() for name in names.split()}
    with tempfile.TemporaryDirectory() as place:
        work = Path(place) / "work"
        make = [sys.executable, "-m", "grader", "init", str(work)]
        subprocess.run(make, cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
        taken = take_over(str(work / "babygrad"), str(folder))
    print(f"{'':12}{'there':>8}{'placed':>8}{'pass':>8}")
    for chapter in [*open_key().chapters, ""]:
        mine = {id for id in there if not chapter or chapter_of(id) == chapter}
        placed = mine & taken.placed.keys()
        right = {id for id in placed if taken.placed[id]}
        if mine:
            print(f"{chapter or 'all':12}{len(mine):8}{len(placed):8}{len(right):8}")
    print(f"placed: {len(there & taken.placed.keys()) / len(there):.0%}")
    print("not placed:", ", ".join(sorted(there - taken.placed.keys())))
    print("placed beside them:", ", ".join(sorted(taken.placed.keys() - there)) or "nothing")


if __name__ == "__main__":
    main()
