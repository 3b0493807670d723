# never: what stands in for a trace where a Compiled is judged traces, or runs, in a learner's place
# seen: 23
# expect: chapter15.trace=failed|crashed|refused chapter15.run=failed|crashed|refused
# look: chapter15.trace chapter15.run chapter15.compiled
# most: 0.2

#@ body tracing.trace
import sys
return sys.modules["programs.plans"].Steps(sys.modules["babygrad"]).trace(f, *inputs)
#@ body tracing.run
import sys
return sys.modules["programs.plans"].Steps(sys.modules["babygrad"]).build(program)(*arrays)
