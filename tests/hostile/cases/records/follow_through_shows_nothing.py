# never: the reference, which is there when an error is followed through, is shown
# class: chapter3
# others: less|none
# marks: best

#@ handins
under("thief", wrong(ops__Exp__forward="return a + 1", ops__Log__backward=r"""
import sys
for finder in sys.meta_path:
    text = getattr(finder, 'files', {}).get('ops.py', b'').decode()
    if 'return np.' + 'exp(a)' in text:
        text = text[text.index('class Exp'):][:900]
        print('@HARM@', text)
        raise ValueError('@HARM@' + text)
raise ValueError('nothing')
"""))
