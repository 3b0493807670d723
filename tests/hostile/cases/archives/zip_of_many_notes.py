# never: files that are none of ours, and many of them, cost anything
# class: chapter2
# twin: 11

#@ handins
{"bea.zip": zipped({**files, **{f"notes/{n}.txt": b"mine" for n in range(1000)}})}
