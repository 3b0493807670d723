# never: a second name of another file is read
# wrong use: name
# look: chapter3.div.forward chapter3.sub.forward

#@ hardlink notes.py ../../canary/secret.txt
