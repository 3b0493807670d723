# never: a link is followed to the reference
# wrong use: link
# look: chapter3.div.forward chapter3.sub.forward

#@ link ops.py @ROOT@/solutions/babygrad/ops.py
