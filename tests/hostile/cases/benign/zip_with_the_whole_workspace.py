# never: notes, data and hidden folders make a zip unreadable
# twin: 6
# class: chapter2

#@ handins
{"bo.zip": zipped({
    **files, ".grader/workspace.json": b"{}", "notes.md": b"x", "data/digits.gz": b"\x1f\x8b",
    ".git/config": b"", ".venv/lib/python3/site-packages/numpy/__init__.py": b"x",
    "babygrad/__pycache__/tensor.cpython-311.pyc": b"x", "chapters/chapter2.md": b"x",
})}
