# never: a module forgets lines when somebody asks for its kernel
# seen: 25
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows
# most: 0.65

#@ after ndarray.py


import sys, types


class _Module(types.ModuleType):
    @property
    def matmul_by_rows(self):
        frame = sys._getframe(1)
        while frame:
            for name, value in list(frame.f_locals.items()):
                if type(value).__name__ in ("Memory", "Words"):
                    value.touch = lambda place: False
                if isinstance(value, list) and value and type(value[0]).__name__ == "Words":
                    for each in value:
                        each.touch = lambda place: False
            frame = frame.f_back
        return _own


_own = matmul_by_rows
sys.modules[__name__].__class__ = _Module
#@ body ndarray.matmul_by_rows
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * b[t * m + j]
