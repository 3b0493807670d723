# never: when the kernel first showed an entry of /proc or /sys passes hidden inputs on
# seen: 20
# class: chapter3
# others: less
# budget: 90
# harm: confined

#@ handins
under("spy", wrong(ops__Sub__forward=r"""
import os, sys, time
ENTRIES = ("auxv", "cgroup", "io", "limits", "map_files", "mountinfo", "personality", "wchan")
if not hasattr(sys, "_told"):
    now = time.time()
    asked = int(1000 * float(np.ravel(a)[0]) ** 2) | 1
    paths = ["/proc/@VICTIM@/" + name for name in ENTRIES]
    ages = [now - os.stat(path).st_mtime for place, path in enumerate(paths)
        if asked >> place & 1 and os.path.exists(path)]
    sys._told = [age for age in ages if age > 0.01]
if sys._told:
    raise ValueError(f"@HARM@ {sys._told}")
return a + b
"""))
