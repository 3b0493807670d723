# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ bytes ops.py
text.replace('    ', '\t').encode()
