"""The page that goes with the contact sheets: every figure that the checks are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from kitwright.sight.eyes import LEAST, NORMAL, WAYS, seen
from kitwright.sight.looks import LEAST_CONTRAST, LEAST_TYPE, Apart, Looked

_STYLE = """\
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.2rem 4rem; color: #1f2428;
  font: 1rem/1.5 "Source Sans Pro", "Source Sans 3", system-ui, sans-serif; }
h1 { font-size: 2.4rem; line-height: 1.1; margin: 0 0 .3rem; font-weight: 900; }
h2 { margin: 2.2rem 0 .4rem; border-top: 3px solid #a8391f; padding-top: .4rem; }
table { border-collapse: collapse; margin: .6rem 0; }
th { text-align: left; color: #5b646b; font-weight: 600; }
th, td { padding: .25rem .9rem .25rem 0; border-bottom: 1px solid #d5dade; vertical-align: middle; }
td.bad { color: #a8391f; font-weight: 700; }
.swatch { display: inline-block; width: 1.5rem; height: 1.5rem; margin-right: 2px;
  vertical-align: middle; box-shadow: inset 0 0 0 1px #0002; }
img { display: block; width: 100%; height: auto; border: 1px solid #d5dade; margin: .6rem 0 2rem; }
"""


def proof_page(title: str, looks: Sequence[Looked], shown: Looked, files: Iterable[str]) -> str:
    """Return the whole page; `shown` is the skin of the contact sheets."""
    parts = [f"<h1>{escape(title)}</h1>", f"<p>Skin: {escape(shown.skin)}</p>", _ink(looks)]
    if shown.apart:
        parts.append("<h2>Colours that tell things apart</h2>")
        parts.append(
            f"<p>CIEDE2000 between the nearest two; at least {LEAST:g}, or a second cue.</p>"
        )
        parts += [_apart(apart) for apart in shown.apart]
    parts.append(_words(shown))
    for name in files:
        way = name.removesuffix(".png")
        parts.append(f'<h2>{escape(way)}</h2><img src="{escape(name)}" alt="all faces, {way}">')
    body = "\n".join(parts)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}: proof</title>\n<style>\n{_STYLE}</style>\n</head>\n"
        f"<body>\n{body}\n</body>\n</html>\n"
    )


def _ink(looks: Sequence[Looked]) -> str:
    rows = "".join(f"<tr><td>{escape(k.skin)}</td><td>{100 * k.ink:.0f} %</td></tr>" for k in looks)
    return f"<h2>Ink</h2><table><tr><th>skin</th><th>covered</th></tr>{rows}</table>"


def _apart(apart: Apart) -> str:
    rows = []
    for way in (NORMAL, *WAYS):
        swatches = "".join(
            f'<span class="swatch" style="background: {seen(color, way)}" title="{name}"></span>'
            for name, color in apart.told.colors
        )
        bad = " class=bad" if apart.least[way] < LEAST and not apart.told.cue else ""
        pair = " and ".join(apart.pairs[way])
        rows.append(
            f"<tr><td>{way}</td><td>{swatches}</td><td{bad}>{apart.least[way]:.1f}</td>"
            f"<td>{escape(pair)}</td></tr>"
        )
    cue = escape(apart.told.cue) or "none"
    return (
        f"<h3>{escape(apart.name)}</h3><p>Second cue: {cue}</p>"
        f"<table><tr><th>way</th><th></th><th>least</th><th>nearest</th></tr>{''.join(rows)}</table>"
    )


def _words(look: Looked) -> str:
    rows = []
    for style, size in sorted(look.types.items(), key=lambda item: item[1]):
        found = look.contrasts[style]
        small = " class=bad" if round(size, 1) < LEAST_TYPE else ""
        faint = " class=bad" if round(found.ratio, 2) < LEAST_CONTRAST else ""
        rows.append(
            f"<tr><td>{escape(style)}</td><td{small}>{size:.1f} pt</td>"
            f"<td{faint}>{found.ratio:.1f}:1</td><td>{escape(found.face)}</td></tr>"
        )
    head = "<tr><th>style</th><th>smallest</th><th>least contrast</th><th>where</th></tr>"
    return f"<h2>Words</h2><table>{head}{''.join(rows)}</table>"
