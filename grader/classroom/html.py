"""Pages from templates; the engine escapes everything that comes from a submission."""

from __future__ import annotations

import os
import re
from typing import Any

from .. import DISTRIBUTION
from ..errors import WrongUse
from ..learner.wording import WORDS, numbers, percent, points

TEMPLATES = os.path.join(os.path.dirname(os.path.abspath(__file__)), "templates")
CODE = re.compile(r"`([^`]+)`")


def page(template: str, **values: Any) -> bytes:
    """A template, filled in.

    Raises:
        WrongUse: the template engine is not installed.
    """
    try:
        from jinja2 import Environment, FileSystemLoader, StrictUndefined
    except ImportError as error:
        raise WrongUse(f"HTML needs Jinja2: pip install '{DISTRIBUTION}[instructor]'.") from error
    engine = Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    engine.filters["points"] = lambda value: "" if value is None else points(value)
    engine.filters["numbers"] = numbers
    engine.filters["percent"] = percent
    engine.filters["prose"] = prose
    engine.globals["words"] = WORDS
    return engine.get_template(template).render(**values).encode("utf-8", "replace")


def prose(says: str) -> Any:
    """A sentence of ours as HTML: what stands between backquotes is code."""
    from markupsafe import Markup, escape

    return Markup(CODE.sub(r"<code>\1</code>", str(escape(says))))
