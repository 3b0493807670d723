# never: a submission reads or changes the results
# class: chapter2
# others: less
# runs: confined

#@ handins
under("zzz", wrong(tensor__Tensor__numpy="""
import os
place = '@CANARY@/../work/out/learners/ada.json.gz'
open(place, 'w').write('{}')
"""))
