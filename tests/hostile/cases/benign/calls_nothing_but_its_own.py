# never: callbacks of the course are refused where a learner's code calls them, as it has to
# twin: 2
# look: chapter3.backward chapter4.sequential chapter6.loader chapter7.initialize

#@ after ops.py
def _helper_of_mine(function, *arguments):
    return function(*arguments)
