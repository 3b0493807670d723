# never: two graders spoil each other's rows
# class: chapter3
# count: 4
# first: a second grader
# budget: 12

#@ handins
{k: v for n in range(3) for k, v in under(f"s{n}", files).items()}
