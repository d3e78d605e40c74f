"""Keep docs/messages.md true: an example of every message, taken from the faults of the tests.

`make gallery` writes it anew and a test compares.
"""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "messages.md"
MESSAGE = re.compile(r"(?:# |<!-- )?(\.?[a-z]+/\S+:\d+:\d+: .*) \[([a-z0-9-]+)\](?: -->)?$")
HEAD = """# Messages

What Kitwright says when a file has a fault: where it is (`file:line:column`), what is there, what
was expected, often a hint, and a code that stays the same from version to version. Each message
below is made by a file of `tests/faults/`. All faults are told in one run, at most fifty; warnings
let the build go on unless `--strict` is given.
"""


def examples() -> dict[str, str]:
    """Return one message for each code, from the file that is named after it where there is one."""
    found: dict[str, str] = {}
    others: dict[str, str] = {}
    faults = (ROOT / "tests" / "faults").iterdir()
    for path in sorted(faults, key=lambda path: (len(path.stem), path.stem)):
        if path.name == "base":
            continue
        source = path / "expected.txt" if path.is_dir() else path
        for line in source.read_text(encoding="utf-8", errors="replace").splitlines():
            if said := MESSAGE.match(line):
                message, code = said.groups()
                if path.stem.startswith(code):
                    found.setdefault(code, message)
                else:
                    others.setdefault(code, message)
    return {**others, **found}


def page() -> str:
    """Write the whole page."""
    parts = [HEAD]
    for code, message in sorted(examples().items()):
        parts.append(f"\n## {code}\n\n```\n{message} [{code}]\n```\n")
    return "".join(parts)


def main() -> None:
    """Write docs/messages.md."""
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
