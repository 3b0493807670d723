# never: a file that lies about runs in the grader, or in the learner's place
# expect: chapter3.div.forward=passed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ file ./programs.py
import os
os.write(2, b'@HARM@')
os.write(1, b'@HARM@')
