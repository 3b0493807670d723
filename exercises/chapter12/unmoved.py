"""Places of this chapter's probes with which no answer moves, and why (invariant 19)."""

from ..reasons import SEED, VALUES

WHERE = "is where a rule is tried, which is right or wrong everywhere"
MEMORY = "says in which order an array lies in memory, and each gives the same"

UNMOVED: dict[str, dict[str, tuple[str, ...]]] = {
    "chapter12.numeric_vjp": {
        MEMORY: ("nudges.numeric order",),
    },
    "chapter12.close": {
        "is far off, and stays so": (
            "checkers.closeness yours.3",
            "checkers.closeness right.3",
        ),
    },
    "chapter12.complex_vjp": {
        "is moved by the same step wherever it is": ("nudges.imaginary_steps arrays…",),
        MEMORY: ("nudges.numeric order",),
    },
    "chapter12.check_rule": {
        WHERE: (
            "checkers.finds rows.0.2…",
            "checkers.finds rows.1.2…",
            "checkers.finds rows.2.2…",
            "checkers.finds rows.3.2…",
            "checkers.finds rows.4.2…",
            "checkers.finds rows.5.2…",
            "checkers.finds rows.6.2…",
            "checkers.finds rows.7.2…",
            "checkers.finds rows.8.2…",
            "checkers.finds rows.9.2…",
            "checkers.finds rows.10.2…",
            "checkers.finds rows.11.2…",
            "checkers.finds rows.12.2…",
            "checkers.finds rows.13.2…",
            "checkers.finds rows.14.2…",
            "checkers.finds rows.15.2…",
            "checkers.finds rows.16.2…",
            "checkers.finds rows.17.2…",
            "checkers.finds rows.0.1…",
            "checkers.finds rows.1.1…",
            "checkers.finds rows.3.1…",
            "checkers.finds rows.4.1…",
            "checkers.finds rows.5.1…",
            "checkers.finds rows.6.1…",
            "checkers.finds rows.7.1…",
            "checkers.finds rows.9.1…",
            "checkers.finds rows.10.1…",
            "checkers.finds rows.11.1…",
            "checkers.finds rows.12.1…",
            "checkers.finds rows.13.1…",
            "checkers.finds rows.14.1…",
            "checkers.finds rows.15.1…",
            "checkers.finds rows.16.1…",
            "checkers.says arrays…",
            "checkers.every rows.0.2…",
            "checkers.every rows.1.2…",
            "checkers.every rows.2.2…",
            "checkers.every rows.3.2…",
            "checkers.every rows.4.2…",
            "checkers.every rows.5.2…",
            "checkers.every rows.6.2…",
        ),
        "is of an error that stays the largest, or stays below it": ("checkers.says errors…",),
        VALUES: (
            "checkers.says_shapes arrays…",
            "checkers.many_cotangents arrays…",
            "checkers.one_seed cases…",
            "checkers.dtypes arrays…",
            "checkers.broken arrays…",
        ),
        SEED: (
            "checkers.finds seed",
            "checkers.says seed",
            "checkers.says_shapes seed",
            "checkers.many_cotangents seed",
            "checkers.one_seed seed",
            "checkers.dtypes seed",
            "checkers.broken seed",
            "checkers.every seed",
        ),
    },
    "chapter12.check_everywhere": {
        "is a number that a right op multiplies by": ("checkers.somewhere rows.3.1.0",),
        SEED: ("checkers.somewhere seed",),
    },
}
ECHOES = {"inputs": "what was handed in, as it is afterwards"}
