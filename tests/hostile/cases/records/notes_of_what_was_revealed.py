# never: notes of revealed solutions cost or bring a mark, name what is no exercise, or are another's
# class: chapter2
# count: 4
# first: notes are a neighbour's
# revealed: ada=chapter2.init bea=chapter2.init forger= thief=

#@ handins
{
    **under("bea", {**files, ".grader/revealed.json": b'{"chapter2.init": 7}'}),
    **under("forger", {**files, ".grader/revealed.json": (
        '{"<script>evil-script</script>": 1, "=HYPERLINK(1)": 2, "\\u001b[31mred": 3, "%s": 4, '
        '"chapter2.item": "soon", "chapter2.init": -1, "chapter3.sub.forward\\n": 1}' % ("x" * 9999)
    ).encode()}),
    **under("thief", files),
}
