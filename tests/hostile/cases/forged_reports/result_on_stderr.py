# never: a result that learner code prints is taken for ours
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
import sys
sys.stderr.write('PASSED\n' * 100)
return a * b
