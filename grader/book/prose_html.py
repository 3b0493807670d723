"""Render a chapter's MyST as HTML: headings with anchors, boxes, code, glossary words.

It is parsed by markdown-it and two of its plugins. Beyond plain Markdown the chapters use targets
``(name)=``, directives between colons, and fences ``{figure}``.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from textwrap import dedent

from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from mdit_py_plugins.colon_fence import colon_fence_plugin
from mdit_py_plugins.myst_blocks import myst_block_plugin
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


def render_code_block(text: str, info: str, output: bool = False) -> str:
    """Render a code block; ``output``: whether it is what the block before it prints."""
    language, _, mark = info.partition(" ")
    lexer = LEXERS.get(language)
    if not (lexer or output):
        text = dedent(text)  # plain text is a drawing, which has little room on a phone
    inside = str(highlight(text, lexer(), FORMAT)) if lexer else html.escape(text, quote=False)
    if mark == "report":
        inside = colour_report(text)
    kind = "output" if output else ("code" if lexer else "drawing")
    label = "what it prints" if output else NAMES.get(language, language) or "text"
    needs = '<span class="needs">needs PyTorch</span>' if mark == "torch" else ""
    columns = max(map(len, text.splitlines()), default=1)  # the page fits the font to this width
    return (
        f'<div class="block {kind}" data-language="{html.escape(language)}"'
        f' style="--columns: {columns}">{needs}'
        f'<pre tabindex="0" aria-label="{html.escape(label)}"><code>{inside}</code></pre></div>\n'
    )


# What a terminal colours in a report: the pattern of a piece, and its colour there.
REPORT = re.compile(
    r"^(?P<red>✗ \S+ failed|      yours  .*)|^(?P<green>      right  .*)|(?P<yellow>→)",
    re.MULTILINE,
)


def colour_report(text: str) -> str:
    """Render a report of the grader as HTML, coloured as a terminal does."""
    found, at = [], 0
    for piece in REPORT.finditer(text):
        said = html.escape(piece[0], quote=False)
        found += [html.escape(text[at : piece.start()], quote=False)]
        found += [f'<span class="{piece.lastgroup}">{said}</span>']
        at = piece.end()
    return "".join([*found, html.escape(text[at:], quote=False)])


NAME = re.compile(r"[A-Za-z_]\w+")
DIRECTIVE = re.compile(r"\{(\w+)\}\s*(.*)")
OPTIONS = re.compile(r"\A(?::\w+:.*\n)+")  # a directive's options: only other MyST readers use them
EXTERNAL = re.compile(r"https?://")
ASIDES = (("In PyTorch", "pytorch"), ("In short", "short"), ("", "note"))  # title's start → class
# A paragraph or block with only check commands: dropped, since a box has its own command.
CHECK = (
    r"`grader check [^`\n]*`(?:,?(?: and)?\s`[^`\n]*`)*\.?"
    r"|```console\n(?:\$ grader check [^\n]*\n)+```"
)
COMMAND = re.compile(rf"(?:\A|(?<=\n\n))(?:{CHECK})(?=\n\n|\n?\Z)")
RULES = (
    "code_inline", "colon_fence", "fence", "heading_close", "heading_open", "link_close",
    "link_open", "myst_target", "table_close", "table_open", "text",
)  # fmt: skip

Make = Callable[[str, tuple[str, ...], str], str]  # (title, anchors, inner HTML) → HTML


@dataclass
class Section:
    """A section of a page, for search and the table of contents."""

    id: str
    title: str
    level: int
    words: list[str] = field(default_factory=list)
    code: dict[str, None] = field(default_factory=dict)  # names in its blocks of code

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.words).split())


@dataclass
class Page:
    """A rendered chapter."""

    body: str = ""
    title: str = ""
    sections: list[Section] = field(default_factory=list)
    anchors: list[str] = field(default_factory=list)  # the ids that links can lead to
    links: list[str] = field(default_factory=list)  # targets of its links inside the book


@dataclass(eq=False)
class ProseRenderer:
    """Renders chapters; the functions that render insets are handed in."""

    box: Make  # renders an exercise's box from title, anchors and text
    figure: Callable[[str, str], str]  # renders a figure from name and caption
    marked: Callable[[str, set[str]], str]  # links glossary words, except these ids
    where: dict[str, str]  # anchor → its page, once that is known
    page: Page = field(default_factory=Page)
    explained: set[str] = field(default_factory=set)
    waiting: list[str] = field(default_factory=list)  # targets that belong to the next block
    quiet: int = 0  # depth in headings, titles and links, where no word is linked

    def __post_init__(self) -> None:
        self.markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
        self.markdown.use(colon_fence_plugin).use(myst_block_plugin)
        renderer = self.markdown.renderer
        assert isinstance(renderer, RendererHTML)
        renderer.rules |= {name: getattr(self, f"_{name}") for name in RULES}

    def read(self, text: str) -> Page:
        """Render one chapter."""
        self.page = Page()
        self.explained, self.waiting = set(), []
        self.page.body = self._render(text)
        return self.page

    def inline(self, text: str) -> str:
        """Render a line of Markdown without a paragraph; it is not indexed for search."""
        return self._aside(self._title, text)

    def block(self, text: str) -> str:
        """Render paragraphs and code without glossary links; they are not indexed for search."""
        return self._aside(self._render, text)

    def _aside(self, render: Callable[[str], str], text: str) -> str:
        page, self.page = self.page, Page()
        self.quiet += 1
        found = render(text)
        self.quiet -= 1
        self.page = page
        return found

    def _title(self, text: str) -> str:
        self.quiet += 1
        found = str(self.markdown.renderInline(text))
        self.quiet -= 1
        return found

    def _render(self, text: str) -> str:
        return str(self.markdown.render(text))

    def _heading_open(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        level, inline = int(tokens[at].tag[1]), tokens[at + 1]
        title = "".join(child.content for child in inline.children or ())
        self.quiet += 1
        if level == 1:
            self.page.title = title
            self.page.sections.append(Section("top", title, 1))
            return '<h1 id="top">'
        id = self._unique(slug(title))
        self.page.sections.append(Section(id, title, level))
        if level == 2:
            self.explained = set()
        label = html.escape(f"Link to {title}", quote=True)
        return (
            f'<h{level} id="{id}">{self._targets()}'
            f'<a class="here" href="#{id}" aria-label="{label}">#</a>'
        )

    def _heading_close(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        self.quiet -= 1
        return f"</{tokens[at].tag}>\n"

    def _unique(self, id: str) -> str:
        taken, found, count = set(self.page.anchors), id, 1
        while found in taken:
            count += 1
            found = f"{id}-{count}"
        self.page.anchors.append(found)
        return found

    def _link_open(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        self.quiet += 1
        to = str(tokens[at].attrs["href"])
        if EXTERNAL.match(to):
            return f'<a href="{html.escape(to)}" rel="noreferrer" class="away">'
        self.page.links.append(to)
        name = to.removeprefix("#")
        page = self.where.get(name, "") if to.startswith("#") else ""
        return f'<a href="{html.escape(page + to)}">'

    def _link_close(self, *_: object) -> str:
        self.quiet -= 1
        return "</a>"

    def _myst_target(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        name = tokens[at].content
        self.page.anchors.append(name)
        self.waiting.append(name)
        more = at + 1 < len(tokens) and tokens[at + 1].type in (
            "myst_target", "colon_fence", "heading_open",
        )  # fmt: skip
        return "" if more else self._targets()

    def _targets(self) -> str:
        """Render the pending targets as empty spans, and clear them."""
        names, self.waiting = self.waiting, []
        return "".join(f'<span id="{name}" class="place"></span>' for name in names)

    def _table_open(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        """Open a table; a wide one is stacked on a narrow page, its cells labelled by column."""
        wide = name_cells(tokens[at:]) > NARROW
        return f'<div class="table{" stacks" if wide else ""}" tabindex="0"><table>'

    def _table_close(self, *_: object) -> str:
        return "</table></div>\n"

    def _text(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        text = self._kept(tokens[at].content)
        return html.escape(text, quote=False) if self.quiet else self.marked(text, self.explained)

    def _code_inline(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        text = self._kept(tokens[at].content)
        whole = ' class="whole"' if " " in text and len(text) <= SHORT else ""
        return f"<code{whole}>{html.escape(text, quote=False)}</code>"

    def _kept(self, text: str) -> str:
        """Index a text for search in the current section, and return it."""
        if self.page.sections:
            self.page.sections[-1].words.append(text)
        return text

    def _fence(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        token = tokens[at]
        found = DIRECTIVE.match(token.info)
        if found and found[1] == "figure":
            return self.figure(found[2].strip(), self._render(token.content))
        if self.page.sections and token.info.split(" ")[0] in LEXERS:
            self.page.sections[-1].code |= dict.fromkeys(NAME.findall(token.content))
        before = tokens[at - 1] if at else None
        follows = before is not None and before.type == "fence" and before.info.startswith("python")
        is_report = token.info == "text report"
        output = is_report or (token.info == "text" and follows)
        return render_code_block(token.content, token.info, output=output)

    def _colon_fence(self, tokens: Sequence[Token], at: int, *_: object) -> str:
        found = DIRECTIVE.match(tokens[at].info)
        kind, title = (found[1], found[2]) if found else ("", tokens[at].info)
        anchors, self.waiting = tuple(self.waiting), []
        asks = title.startswith("Exercise ")
        text = OPTIONS.sub("", tokens[at].content)
        inside = self._render(COMMAND.sub("", text) if asks else text)
        if kind == "dropdown":
            self.waiting = list(anchors)
            return (
                f'{self._targets()}<details class="aside"><summary>{self._title(title)}</summary>'
                f'<div class="inside">{inside}</div></details>\n'
            )
        if asks:
            return self.box(title, anchors, inside)
        name = next(kind for start, kind in ASIDES if title.startswith(start))
        return f'<aside class="{name}"><p class="title">{self._title(title)}</p>{inside}</aside>\n'


NARROW = 38  # letters side by side on a phone
SHORT = 16  # characters of code in a line of text that stay together


def name_cells(tokens: Sequence[Token]) -> int:
    """Label each cell of the table that begins here; return the table's width in characters."""
    heads: list[str] = []
    widths: list[int] = []
    column = 0
    for token, inside, end in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            column = 0
        if token.type == "th_open":
            heads.append(inside.content.replace("`", ""))
            widths.append(len(heads[-1]))
            if not heads[-1]:
                token.tag = end.tag = "td"  # an empty corner heads nothing
        if token.type == "td_open":
            token.attrSet("data-head", heads[column])
            widths[column] = max(widths[column], len(inside.content.replace("`", "")))
            column += 1
    return sum(widths)


def slug(title: str) -> str:
    """Turn a heading into an anchor: ``Why by hand …`` becomes ``why-by-hand``."""
    return re.sub(r"[^\w]+", "-", title.lower()).strip("-") or "section"
