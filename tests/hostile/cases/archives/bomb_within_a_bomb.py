# never: an archive inside of an archive is opened
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": zipped({"inner.zip": zipped({"babygrad/tensor.py": bytes(100 * MB)})})}
