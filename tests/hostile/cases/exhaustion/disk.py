# never: the disk is filled
# expect: chapter3.div.forward=crashed
# harm: confined

#@ body ops.Div.forward
with open('@CANARY@/big', 'wb') as file:
    file.write(b'x' * (1 << 20))
