# never: a link in a zip hands in what another wrote
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped(
    {"babygrad/tensor.py": b"../../ada/babygrad/tensor.py"}, external_attr=0o120777 << 16
)}
