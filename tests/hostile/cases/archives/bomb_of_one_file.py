# never: a bomb takes memory or time
# class: chapter2
# others: none|unreadable

#@ handins
{"thief.zip": zipped({**stubs, "babygrad/tensor.py": bytes(300 * MB)})}
