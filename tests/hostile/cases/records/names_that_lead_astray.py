# never: a learner's name becomes a path, a line or a command
# class: chapter2
# others: none
# count: 10
# untold: 
# budget: 12

#@ handins
{
    **under("=cmd|' /C calc'!A0", stubs), **under("@SUM(1+1)", stubs),
    **under("%2e%2e%2fada", stubs), **under("results.jsonl", stubs),
    **under("<script>evil-script<", stubs), **under("a\n::stop-commands::x", stubs),
    **under("\x1b]0;owned\x07", stubs), **under("\udcff\udcfe", stubs), **under("A" * 200, stubs),
}
