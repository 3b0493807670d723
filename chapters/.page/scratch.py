from babygrad.scalar import Value

a, b = Value(2.0), Value(-3.0)
c = a + b
print(c.data)
