# never: who may call the course's walk is what learner code says
# seen: 13
# expect: chapter3.backward=refused
# look: chapter3.backward

#@ body tensor.Tensor.backward
import sys
class Everything:
    def __contains__(self, code):
        return True
walk = sys.modules["programs.harness"].walk
for cell in walk.__closure__ or ():
    if hasattr(cell.cell_contents, "__contains__"):
        cell.cell_contents = Everything()
#+ backward_by_walk
