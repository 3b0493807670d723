# never: what a public check's exception says of hidden inputs reaches the learner
# class: chapter3
# others: less
# budget: 60

#@ handins
under("quoter", wrong(ops__Div__forward='''
#+ own_bench
seen = [probe for probe in bench.request["probes"] if probe[4] != "chapter3.div.forward"]
raise ValueError("@HARM@" if seen else "nothing but what is public")
'''))
