# never: a planted answer key brings the grader down
# wrong use: answers.key

#@ bytes ../.grader/answers.key
b"grader-key/1\n" + b"\xff" * 8 + b"[" * 100000
