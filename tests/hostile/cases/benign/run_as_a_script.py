# never: honest code loses a mark
# look: chapter3.div chapter3.sub

#@ before ops.py
if __name__ == '__main__':
    print('demonstration')
    raise SystemExit
