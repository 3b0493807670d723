# never: the key of a class, or the seed that it is drawn from, is read by what is graded with it
# seen: 3
# class: chapter2
# others: less
# harm: confined

#@ handins
under("thief", wrong(tensor__Tensor__numpy="""
import glob, os
places = ['@CANARY@/../work/out', '@CANARY@/..', os.path.expanduser('~/.cache/babygrad-course')]
for place in places:
    for name in ('answers.key', 'batch.json', 'seed', '**/*.key'):
        for path in glob.glob(f'{place}/{name}', recursive=True):
            if open(path, 'rb').read(1):
                raise ValueError('@HARM@')
raise ValueError('nothing')
"""))
