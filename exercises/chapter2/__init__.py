"""Chapter 2: the Tensor."""

from grader.course import Chapter

CHAPTER = Chapter(id="chapter2", title="The Tensor", exercises=())
