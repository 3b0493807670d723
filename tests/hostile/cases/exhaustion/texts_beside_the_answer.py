# never: texts that nobody has asked for fill the grader's memory
# seen: 22
# expect: chapter3.div.forward=crashed|failed|timed_out chapter3.sub.forward=passed
# look: chapter3.div.forward chapter3.sub.forward

#@ body ops.Div.forward
#+ own_bench

#+ own_frames
text = '\U0001f40d'.encode() + b'x' * 65000
field = b'\x07' + b'textNNN' + b'\x00\x01' + struct.pack('<Q', len(text)) + text
raw(b''.join(field.replace(b'NNN', b'%03d' % n) for n in range(60)), kind=3, fields=60)
return a * b
