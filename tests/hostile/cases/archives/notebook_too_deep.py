# never: nested brackets bring the reader of notebooks down
# class: chapter2
# others: unreadable|none

#@ handins
{"one/thief.ipynb": b'{"cells": ' + b"[" * 200000 + b"]" * 200000 + b"}"}
