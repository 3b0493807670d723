# never: a batch that is killed loses a row, or judges one twice
# class: chapter3
# count: 6
# first: the batch is killed
# budget: 12

#@ handins
{k: v for n in range(5) for k, v in under(f"s{n}", files).items()}
