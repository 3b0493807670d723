"""Chapter 3: automatic differentiation."""

from grader.course import Chapter

from . import div

CHAPTER = Chapter(
    id="chapter3",
    title="Automatic differentiation",
    exercises=(div.FORWARD, div.OPERATOR, div.REFLECTED, div.BACKWARD),
)
