"""A memory behind a cache, which counts the words that are used and the lines that come (given)."""

from __future__ import annotations

from collections.abc import Iterable


class Memory:
    """A memory whose words come in lines; a small cache keeps the lines that were used last.

    Attributes:
        arrays: what lies in it, one array behind the other; each begins on a line.
        history: a list to write every access into, (line, whether it was missed); None: nowhere.
    """

    def __init__(self, lines: int, line: int, ways: int | None = None) -> None:
        """Make an empty one.

        Args:
            lines: how many lines the cache has room for.
            line: how many words a line has.
            ways: how many lines a set has room for: line ``i`` of the memory may stay in set
                ``i % sets`` alone, of ``lines // ways`` sets. None: one set, for every line.
        """
        self.line, self.ways = line, ways or lines
        self.sets: list[dict[int, None]] = [{} for _ in range(lines // self.ways)]
        self.arrays: list[Words] = []
        self.history: list[tuple[int, bool]] | None = None

    def array(self, values: Iterable[float]) -> Words:
        """Put an array into the memory."""
        last = self.arrays[-1] if self.arrays else None
        begin = last.begin + -(-last.size // self.line) * self.line if last else 0
        self.arrays.append(Words(self, begin, values))
        return self.arrays[-1]

    @property
    def misses(self) -> int:
        """The number of lines that had to come, to be read or to be written to."""
        return sum(words.misses for words in self.arrays)

    def touch(self, place: int) -> bool:
        """Use the word at this place; return whether its line was missed and had to come."""
        line = place // self.line
        kept = self.sets[line % len(self.sets)]
        missed = line not in kept
        if not missed:
            del kept[line]
        elif len(kept) == self.ways:
            del kept[next(iter(kept))]  # the one that nobody used for longest
        kept[line] = None  # a dict keeps its order: this one is the youngest now
        if self.history is not None:
            self.history.append((line, missed))
        return missed


class Words:
    """An array of a memory: ``a[i]`` is one word, and that is all there is.

    Attributes:
        values: the words, for whoever looks at them afterwards: nobody counts that.
        loads, stores, misses: how many words were read, and written, and missed.
    """

    __iter__ = None  # else Python would go through the words wherever a list is meant

    def __init__(self, memory: Memory, begin: int, values: Iterable[float]) -> None:
        self.begin, self.values = begin, list(values)
        self.size, self.touch = len(self.values), memory.touch
        self.loads = self.stores = self.misses = 0

    def __getitem__(self, index: int) -> float:
        if type(index) is not int or not 0 <= index < self.size:
            raise IndexError(f"reads word {index!r} of an array that has {self.size}, from 0 on")
        self.loads += 1
        self.misses += self.touch(self.begin + index)
        return self.values[index]

    def __setitem__(self, index: int, value: float) -> None:
        if type(index) is not int or not 0 <= index < self.size:
            raise IndexError(f"writes word {index!r} of an array that has {self.size}, from 0 on")
        self.stores += 1
        self.misses += self.touch(self.begin + index)
        self.values[index] = value if type(value) is float else self.word(value)

    @staticmethod
    def word(value: float) -> float:
        """Return a number as one word keeps it, a float; in a longer one there are several."""
        if isinstance(value, float) or (isinstance(value, int) and value.bit_length() < 64):
            return float(value)
        raise IndexError("writes what is no number of 64 bits, and a word holds one")
