# never: a batch that is killed while it begins leaves something half
# class: chapter3
# count: 4
# first: the batch is killed often
# budget: 12

#@ handins
{k: v for n in range(3) for k, v in under(f"s{n}", files).items()}
