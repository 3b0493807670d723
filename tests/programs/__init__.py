"""The programs that travel to the worker and run there beside the learner's package.

What stands in this folder is all of the course that a learner's code could ever read: it
computes and hands back arrays. It asserts nothing and holds no answer, no hint, no mistake,
and imports nothing but NumPy. A program's docstring is the sentence that the learner reads.
"""
