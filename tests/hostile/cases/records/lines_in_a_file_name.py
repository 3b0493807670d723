# never: the name of a file begins a command in the log of a build
# class: chapter2
# others: less
# untold: <nothing>

#@ handins
under("mallory", wrong(tensor__Tensor__numpy="""
code = "raise ValueError('x')"
exec(compile(code, __file__ + "\\n::error::@HARM@\\n\\nada  graded", "exec"))
"""))
