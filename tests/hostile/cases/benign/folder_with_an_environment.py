# never: a virtual environment beside the package makes a folder or a zip unreadable
# class: chapter2
# count: 3

#@ handins
(lambda more: {**under("bo", {**files, **more}), "cy.zip": zipped({**files, **more})})({
    **{f"venv/lib/python3.12/site-packages/torch/f{n}.py": b"x" for n in range(600)},
    **{f".venv/lib/f{n}.py": b"x" for n in range(600)},
    "venv/bin/activate_this.py": b"x", "venv/pyvenv.cfg": b"",
})
