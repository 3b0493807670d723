# never: honest code loses a mark
# look: chapter3.negate chapter3.sub

#@ body ops.Negate.backward
return -(-(-out_grad))
