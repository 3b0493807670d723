# never: a notebook that is none brings the grader down
# class: chapter2
# others: unreadable|none
# count: 3

#@ handins
{"one/thief.ipynb": b"{" * 100000, "two/thief.ipynb": b'{"cells": [{"cell_type": 7}]}'}
