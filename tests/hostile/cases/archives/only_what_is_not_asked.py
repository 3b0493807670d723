# never: what was not handed in, and is taken as it was handed out, earns anything
# class: chapter2
# others: none

#@ handins
{"thief.zip": zipped({"ops.py": files["babygrad/ops.py"]})}
