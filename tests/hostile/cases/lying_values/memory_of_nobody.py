# never: an array over memory that is not there costs more than its probe
# expect: chapter3.div.forward=crashed chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
import ctypes
return np.ctypeslib.as_array(ctypes.cast(8, ctypes.POINTER(ctypes.c_double)), (2,))
