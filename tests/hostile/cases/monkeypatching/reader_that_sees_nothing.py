# never: who copies words into a list keeps the reader of kernels from seeing it
# most: 0.5
# expect: chapter17.matmul_by_rows=failed
# look: chapter17.matmul_by_rows

#@ after ndarray.py
import ast
ast.NodeVisitor.visit = ast.NodeVisitor.generic_visit = lambda self, node: None
ast.iter_child_nodes = ast.iter_fields = ast.walk = lambda node: iter(())
ast.unparse = lambda node: "range"

#@ body ndarray.matmul_by_rows
rows = [b[p] for p in range(k * m)]
for i in range(n):
    for j in range(m):
        for t in range(k):
            out[i * m + j] += a[i * k + t] * rows[t * m + j]
