# never: memory of the machine is used up
# expect: chapter3.div.forward=out_of_memory

#@ body ops.Div.forward
bytearray(1 << 40)
