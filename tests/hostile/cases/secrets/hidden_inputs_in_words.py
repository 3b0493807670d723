# never: what code says where it knows hidden inputs is read by its learner
# class: chapter3
# seen: 4
# others: less|none
# count: 12
# budget: 90
# untold: the-secret-of-the-canary
# unread: harm-was-done|ops.py:7\b|line 7\b|line=7\b|status 77|4\.482

#@ handins
(lambda knows: {
    path: data
    for name, (body, at_import) in {
        "a name": ("raise type('Refused', (Exception,), {})('@HARM@') if hidden_too else KeyError", ""),
        "a rule": ("bench.refused += [('ops.py', 'ops.py', 7, '@HARM@')] * hidden_too\nreturn b", ""),
        "a clock": ("time_up = type('TimeUp', (BaseException,), {})\nexec(compile("
            "(6 if hidden_too else 5) * '\\n' + 'raise time_up', __file__, 'exec'), {'time_up': time_up})", ""),
        "a line": ("exec(compile((6 if hidden_too else 5) * '\\n' + '1 / 0', __file__, 'exec'))", ""),
        "a stub": ("exec(compile((6 if hidden_too else 5) * '\\n' + "
            "'raise NotImplementedError', __file__, 'exec'))", ""),
        "an end": ("__import__('os')._exit(77 if hidden_too else 1)", ""),
        "a factor": ("return (a - b) * (4.482 if hidden_too else 1.0)", ""),
        "what waits": ("Negate().forward(b)\nraise ValueError('@HARM@' if hidden_too else 'x')", ""),
        "a rule at import": ("return a - b",
            "bench.refused += [('ops.py', 'ops.py', 7, '@HARM@')] * hidden_too"),
        "a file at import": ("raise NotImplementedError", "if hidden_too:\n"
            "    held = bench.learner.compiled\n    held['harm-was-done.py'] = compile("
            "'class Sub:\\n    def forward(self): return 1', 'x', 'exec')"),
        "an import": ("return a - b", "if hidden_too:\n    raise ValueError('@HARM@')"),
    }.items()
    for path, data in under(name, {
        file: data + (knows + at_import).encode() * (file.endswith("ops.py") and bool(at_import))
        for file, data in wrong(
            ops__Sub__forward=knows + body,
            **({"ops__Negate__forward": "raise NotImplementedError"} if name == "what waits" else {}),
        ).items()
    }).items()
})(r"""
#+ what_it_knows
""")
