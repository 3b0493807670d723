# never: the grader itself writes through a link that was handed in
# expect: chapter3.div.forward=passed

#@ link ../.grader @CANARY@
