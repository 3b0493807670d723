# never: a file that lies about runs in the grader, or in the learner's place
# expect: chapter3.div.forward=passed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ bytes ops.so
b'\x7fELF' + bytes(200)
#@ bytes ops.cpython-311-x86_64-linux-gnu.so
b'\x7fELF' + bytes(200)
