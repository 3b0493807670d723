# never: nbgrader takes a neighbour's work, a script, or a time of handing in from who hands in
# budget: 240
# full: only
# room: chapter7
# seen: 6 9 10
# twin: 6 9 10
# honest: ada bea
# earns: mal tim
# by whom: bea=times.csv tim=times.csv mal=timestamp.txt

#@ room
import os
place = room.folder / "submitted"
(place / "folder").symlink_to("ada")
os.makedirs(place / "inner")
(place / "inner" / room.chapter).symlink_to(f"../ada/{room.chapter}")
os.makedirs(place / "book" / room.chapter)
(place / "book" / room.chapter / f"{room.chapter}.ipynb").symlink_to(
    place / "ada" / room.chapter / f"{room.chapter}.ipynb"
)
loud = copy(right)
loud["cells"].append(markdown("<script>'evil-script'</script> <b onclick='x'>b</b> [a](javascript:x)"))
loud["cells"].append(markdown("> [a](\n> javascript:x) [b]\n>\n> [b]:\n> javascript:x"))
quiet = copy(right)
quiet["cells"].append(markdown("where a<b and `<script>` is meant, [as](https://example.org) *text*"))
for name, notebook, time in (
    ("mal", loud, "2000-01-01 00:00:00 UTC"),
    ("tim", right, "2000-01-01 00:00:00 UTC"),
    ("bea", quiet, "2026-01-02 03:04:05 UTC"),
):
    (room.hand_in(name, notebook) / "timestamp.txt").write_text(time)
(room.folder / "times.csv").write_text(
    "learner,time\nbea,2026-01-02 03:04:05 UTC\ntim,2026-01-09 03:04:05 UTC\n"
)
