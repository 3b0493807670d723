# never: a link is followed outside
# wrong use: link
# look: chapter3.div.forward chapter3.sub.forward

#@ link notes.py ../../canary/secret.txt
