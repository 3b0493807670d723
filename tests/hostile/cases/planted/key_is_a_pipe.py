# never: a pipe in the place of an answer key is waited for
# expect: chapter3.div.forward=failed

#@ fifo ../.grader/answers.key
#@ body ops.Div.forward
return a * b
