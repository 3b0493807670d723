# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import atexit
atexit.register(print, 'bye')
