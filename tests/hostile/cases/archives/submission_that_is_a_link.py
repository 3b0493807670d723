# never: a submission that is a link to a neighbour's earns the neighbour's marks
# seen: 6
# class: chapter2
# others: unreadable
# first: a submission is a link

#@ handins
{}
