"""The last step of `nbgrader autograde`: what the judge says becomes nbgrader's own comments."""

from __future__ import annotations

from typing import Any

from nbgrader.api import Gradebook
from nbgrader.preprocessors import NbGraderPreprocessor

from .cell_marks import ANSWER
from .gradebook_api import comment


class SaveComments(NbGraderPreprocessor):  # type: ignore[misc]
    """Keeps what `JudgeAnswers` has to say, as nbgrader's own comment below each answer."""

    def preprocess(self, nb: Any, resources: Any) -> tuple[Any, Any]:
        names = (resources["nbgrader"][part] for part in ("notebook", "assignment", "student"))
        place = tuple(names)
        with Gradebook(resources["nbgrader"]["db_url"]) as gradebook:
            for cell, says in resources.get("grader", {}).items():
                comment(gradebook, f"{cell}{ANSWER}", place, says)
            gradebook.db.commit()
        return nb, resources
