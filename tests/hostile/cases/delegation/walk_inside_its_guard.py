# never: the course's walk, taken out of the function that guards it, stands in for a learner's
# seen: 13
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import sys
walk = sys.modules["programs.harness"].walk
for cell in walk.__closure__ or ():
    if getattr(cell.cell_contents, "__name__", "") == "walk":
        walk = cell.cell_contents
#+ backward_by_walk
