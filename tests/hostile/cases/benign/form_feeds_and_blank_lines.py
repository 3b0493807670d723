# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ bytes ops.py
text.replace('\nclass ', '\n\x0c\n\n\n\nclass ').encode()
