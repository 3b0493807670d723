"""From points to marks: which of the two judgements counts is a setting."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

CAME_SOLVED = "This is as it was handed out solved, and so worth nothing here."

# (points of the ordinary run, points with follow-through) → the mark.
POLICIES: dict[str, Callable[[float, float], float]] = {
    "own": lambda own, follow: own,
    "best": max,
    "half": lambda own, follow: own + (max(own, follow) - own) / 2,
}


def marked(record: dict[str, Any], policy: str) -> dict[str, Any]:
    """The record with its marks under a policy; both judgements stay in it.

    What came solved from us earns nothing, and counts among what could be earned. Lateness takes
    from the mark what `lateness.py` says, and leaves both judgements as they are.
    """
    result, follow = record["result"], record["follow_through_by_exercise"]
    ours = set(record.get("came_solved", ()))
    late = record.get("late", {})
    table, kept = {}, float(result["score"])
    for chapter in result["chapters"]:
        for e in chapter["exercises"]:
            own = e["score"]
            after = follow.get(e["id"], own)
            if e["id"] in ours:
                kept -= own
                own = after = 0.0
            mark = POLICIES[policy](own, after) * late.get(chapter["id"], {}).get("factor", 1.0)
            table[e["id"]] = {
                "own": own, "follow_through": after,
                "mark": round(mark, 4), "max_mark": e["max_score"],
            }  # fmt: skip
    # From the whole result, which is not rounded exercise by exercise: one number everywhere.
    totals = {"own": round(kept, 4), "max_mark": result["max_score"]}
    for name in ("follow_through", "mark"):
        more = sum(row[name] - row["own"] for row in table.values())
        totals[name] = round(kept + more, 4)
    return {**record, "policy": policy, "marks": table, **totals}
