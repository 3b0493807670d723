# never: the course's own trace stands in for a learner's
# seen: 23
# expect: chapter15.trace=refused
# look: chapter15.trace

#@ body tracing.trace
import sys
return sys.modules["programs.compilations"].traced_by_us(sys.modules["babygrad"], f, inputs)
