# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ body ops.Div.forward
import warnings
warnings.warn('careful')
np.log(np.zeros(1))
return a / b
