# never: a pipe is waited at without end
# wrong use: file
# look: chapter3.div.forward chapter3.sub.forward

#@ fifo ops.py
