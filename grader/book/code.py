"""Code blocks, coloured at build time."""

from __future__ import annotations

import html

from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import PythonConsoleLexer, PythonLexer
from pygments.lexers.shell import BashSessionLexer

LEXERS = {
    "python": PythonLexer, "py": PythonLexer, "pycon": PythonConsoleLexer,
    "console": BashSessionLexer,
}  # fmt: skip
FORMAT = HtmlFormatter(nowrap=True)
NAMES = {"console": "terminal", "py": "python"}


def block(text: str, info: str, output: bool = False) -> str:
    """A block with its language; ``output`` is what the block before it prints."""
    language, _, mark = info.partition(" ")
    lexer = LEXERS.get(language)
    inside = str(highlight(text, lexer(), FORMAT)) if lexer else html.escape(text, quote=False)
    kind = "output" if output else ("code" if lexer else "drawing")
    label = "what it prints" if output else NAMES.get(language, language) or "text"
    needs = '<span class="needs">needs PyTorch</span>' if mark == "torch" else ""
    return (
        f'<div class="block {kind}" data-language="{html.escape(language)}">{needs}'
        f'<pre tabindex="0" aria-label="{html.escape(label)}"><code>{inside}</code></pre></div>\n'
    )
