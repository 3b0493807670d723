# never: many files, each too large, are unpacked one after another
# class: chapter2
# others: unreadable

#@ handins
{"thief.zip": copies_of(zipped({"babygrad/a0000.py": bytes(3 * MB)}), b"a0000", 4900)}
