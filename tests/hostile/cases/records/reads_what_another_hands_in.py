# never: one submission reads another
# class: chapter2
# others: less
# harm: confined

#@ handins
under("thief", wrong(tensor__Tensor__numpy="""
import glob
found = ''.join(open(p).read() for p in glob.glob('@CANARY@/../work/in/ada/**/*.py', recursive=True))
raise ValueError('@HARM@' if found else 'nothing')
"""))
