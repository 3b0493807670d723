# never: code that is compiled under a name below the worker's folder may call the course's walk
# seen: 13
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import sys
space = {"walk": sys.modules["programs.harness"].walk}
place = sys.modules["run"].__file__.replace("run.py", "more.py")
exec(compile("def go(*given): return walk(*given)", place, "exec"), space)
walk = space["go"]
#+ backward_by_walk
