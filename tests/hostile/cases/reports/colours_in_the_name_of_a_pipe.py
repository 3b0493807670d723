# never: the name of a file that is not read steers the terminal
# wrong use: is not read
# look: chapter3.div.forward chapter3.sub.forward

#@ fifo @ESC@[32mx.py
