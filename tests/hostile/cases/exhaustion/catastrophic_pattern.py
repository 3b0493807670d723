# never: a pattern is matched without end
# expect: chapter3.div.forward=timed_out chapter3.sub.forward=passed
# budget: 6
# full: only
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import re
re.match(r'(a+)+$', 'a' * 60 + 'b')
