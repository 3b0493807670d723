# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import logging
logging.basicConfig(level=logging.DEBUG)
logging.getLogger(__name__).warning('here')
