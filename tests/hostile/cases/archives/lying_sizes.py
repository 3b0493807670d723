# never: the sizes that a zip claims are believed
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped(files).replace(
    len(files["babygrad/tensor.py"]).to_bytes(4, "little"), (7).to_bytes(4, "little")
)}
