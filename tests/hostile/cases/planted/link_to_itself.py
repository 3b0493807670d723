# never: a link in a circle is followed
# wrong use: link
# look: chapter3.div.forward chapter3.sub.forward

#@ link ops.py ops.py
