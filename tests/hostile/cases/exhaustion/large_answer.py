# never: an answer fills the grader's memory
# expect: chapter3.div.forward=failed|out_of_memory chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
return np.zeros(10**7)
