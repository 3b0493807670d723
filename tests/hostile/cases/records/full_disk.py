# never: a full disk leaves half a record, or a zero
# class: chapter3
# count: 3
# first: the disk is full

#@ handins
{k: v for n in range(2) for k, v in under(f"s{n}", files).items()}
