# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
import os, platform, sys
HERE = os.path.dirname(os.path.abspath(__file__))
WHO = platform.python_version(), sys.argv, os.environ.get('HOME')
