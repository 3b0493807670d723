# never: a large file is read whole
# wrong use: larger
# look: chapter3.div.forward chapter3.sub.forward

#@ bytes big.py
b'x = 1\n' * (1 << 20)
