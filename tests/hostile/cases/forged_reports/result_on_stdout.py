# never: a result that learner code prints is taken for ours
# expect: chapter3.div.forward=failed

#@ body ops.Div.forward
import json
print(json.dumps({'schema': 'grader-result/1', 'score': 10.0, 'max_score': 10.0}))
print('10 of 10 points. All of it is right.')
return a * b
