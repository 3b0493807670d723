# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ bytes ops.py
b'# -*- coding: latin-1 -*-\n# caf\xe9\n' + text.encode('latin-1', 'replace')
