# never: a device is read without end
# wrong use: link
# look: chapter3.div.forward chapter3.sub.forward

#@ link ops.py /dev/zero
