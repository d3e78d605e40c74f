"""A diff as one HTML file that needs no other: pictures side by side, differences boxed."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape

from kitwright.reprint.entries import Entry

_STYLE = """\
:root { color-scheme: light; --ink: #1f2428; --soft: #5b646b; --line: #d5dade; --mark: #d2321e; }
body { margin: 0 auto; max-width: 60rem; padding: 2rem 1.2rem 4rem; background: #f6f7f7;
  color: var(--ink); font: 1rem/1.5 "Source Sans Pro", "Source Sans 3", system-ui, sans-serif; }
h1 { font-size: 2.4rem; line-height: 1.1; margin: 0; font-weight: 900; }
.between { color: var(--soft); margin: .3rem 0 1.6rem; }
nav a { color: #a8391f; margin-right: 1rem; }
article { background: #fff; border: 1px solid var(--line); border-radius: .5rem;
  padding: 1rem 1.2rem; margin: 1rem 0; }
article h2 { font-size: 1.15rem; margin: 0; }
article h2 small { color: var(--soft); font-weight: 400; margin-left: .6rem; }
.kind { float: right; text-transform: uppercase; letter-spacing: .06em; font-size: .75rem;
  font-weight: 700; color: var(--soft); }
.new .kind { color: #21713c; } .gone .kind { color: #a8391f; }
ul { margin: .3rem 0 0; padding-left: 1.1rem; font-variant-numeric: tabular-nums; }
.pair { display: flex; flex-wrap: wrap; gap: 1.2rem; margin-top: .8rem; }
figure { margin: 0; }
figcaption { color: var(--soft); font-size: .82rem; margin-bottom: .25rem; }
.face { position: relative; line-height: 0; }
.face img { width: 100%; height: auto; box-shadow: 0 0 0 1px var(--line); }
.none { display: flex; align-items: center; justify-content: center; color: var(--soft);
  border: 1px dashed var(--line); line-height: 1.2; }
.mark { position: absolute; outline: 2px solid var(--mark); outline-offset: 2px;
  border-radius: 2px; }
.quiet .mark { display: none; }
"""
_SCRIPT = """\
document.querySelector('#marks').addEventListener('change', (event) =>
  document.body.classList.toggle('quiet', !event.target.checked));
"""


def diff_page(
    title: str, between: str, entries: Sequence[Entry], pictures: Mapping[str, bytes]
) -> str:
    """Return the whole page."""
    body = "\n".join(_article(entry, pictures) for entry in entries)
    if not entries:
        body = "<p>No card differs.</p>"
    name = escape(title)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{name}: what changed</title>\n<style>\n{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>{name}</h1>\n<p class="between">{escape(between)}</p>\n'
        '<p><label><input type="checkbox" id="marks" checked> mark the differences</label></p>\n'
        f"{body}\n<script>\n{_SCRIPT}</script>\n</body>\n</html>\n"
    )


def _article(entry: Entry, pictures: Mapping[str, bytes]) -> str:
    lines = "".join(f"<li>{escape(line)}</li>" for line in entry.lines)
    listed = f"<ul>{lines}</ul>" if lines else ""
    why = f"<div>{escape(entry.why)}</div>" if entry.why != entry.kind else ""
    pair = "".join(
        _figure(entry, caption, mark, pictures)
        for caption, mark in (("before", entry.before), ("after", entry.after))
    )
    if entry.before == entry.after:
        pair = _figure(entry, "the face is the same", entry.after, pictures)
    return (
        f'<article class="{escape(entry.kind)}"><span class="kind">{escape(entry.kind)}</span>'
        f"<h2>{escape(entry.title)}<small>{escape(entry.name)}</small></h2>{why}{listed}"
        f'<div class="pair">{pair}</div></article>'
    )


def _figure(entry: Entry, caption: str, mark: str | None, pictures: Mapping[str, bytes]) -> str:
    wide = min(26.0, 17.0 * entry.width / 63.5)
    look = f"width: {wide:.2f}rem; aspect-ratio: {entry.width:g} / {entry.height:g}"
    head = f"<figure><figcaption>{escape(caption)}</figcaption>"
    data = pictures.get(mark) if mark is not None else None
    if data is None:
        said = "not there" if mark is None else "no picture is kept"
        return f'{head}<div class="face none" style="{look}">{said}</div></figure>'
    source = f"data:image/png;base64,{b64encode(data).decode('ascii')}"
    marks = "".join(
        f'<span class="mark" style="left: {left:.2%}; top: {top:.2%}; '
        f'width: {right - left:.2%}; height: {bottom - top:.2%}"></span>'
        for left, top, right, bottom in entry.boxes
    )
    alt = escape(f"{entry.title}, {caption}")
    return (
        f'{head}<div class="face" style="{look}"><img src="{source}" alt="{alt}">{marks}</div>'
        "</figure>"
    )
