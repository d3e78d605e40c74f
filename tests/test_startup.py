"""What a command does not need it does not import: start-up is the bill of a small kit."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

GENERATOR = Path(__file__).parent.parent / "generator"
WORKSPACE = Path(__file__).parent / "workspace"
HEAVY = {
    *("pydantic", "jinja2", "yaml", "reportlab", "uharfbuzz", "PIL", "pypdfium2", "markdown_it"),
    *("pyphen", "joblib", "numpy"),
}
RUN = """
import sys
from kitwright.cli import cli
try:
    cli.main(sys.argv[1:], standalone_mode=False)
finally:
    print("modules", *sorted({name.partition(".")[0] for name in sys.modules}))
"""


def imported_by(*words: str, cwd: Path = WORKSPACE) -> set[str]:
    """Run a command and return the packages that it imported, those of the test among them."""
    done = subprocess.run(
        [sys.executable, "-c", RUN, *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(GENERATOR)},
        capture_output=True,
        text=True,
        check=True,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_help_imports_nothing_that_reads_or_draws() -> None:
    for words in (("--help",), ("--version",), ("build", "--help"), ("simulate", "--help")):
        assert imported_by(*words) & HEAVY == set(), words


def test_a_kit_that_stands_is_told_without_anything_that_reads_or_draws(tmp_path: Path) -> None:
    space = tmp_path / "space"
    shutil.copytree(WORKSPACE, space)
    assert imported_by("build", "--paper", "a4", cwd=space) >= {"pydantic", "jinja2", "reportlab"}
    assert imported_by("build", "--paper", "a4", cwd=space) & HEAVY == set()


def test_after_an_edit_of_a_card_expressions_and_rules_are_not_parsed_again(tmp_path: Path) -> None:
    space = tmp_path / "space"
    shutil.copytree(WORKSPACE, space)
    home = space / "components" / "snail-mail"
    (home / "rules.md").write_text("# Rules\n\nA hand is {{ game.rules.hand + 0 }}.\n")
    icons = "decoration: [bridge, dewdrop, leaf, shell, snail]"
    (home / "rules.yaml").write_text(f"rulebook: snail-mail\n{icons}\n")
    parsers = {"jinja2", "markdown_it", "pyphen"}
    words = ("build", "snail-mail", "--paper", "a4")
    assert imported_by(*words, cwd=space) >= parsers - {"pyphen"}
    snails = home / "snails.yaml"
    snails.write_text(snails.read_text(encoding="utf-8").replace("Quick Ida", "Quicker Ida"))
    made = imported_by(*words, cwd=space)
    assert made >= {"reportlab", "yaml"}
    assert made & parsers == set()


def test_no_cache_draws_and_remembers_nothing(tmp_path: Path) -> None:
    space = tmp_path / "space"
    shutil.copytree(WORKSPACE, space)
    for _ in range(2):
        made = imported_by("build", "--paper", "a4", "--no-cache", cwd=space)
        assert made >= {"pydantic", "jinja2", "reportlab"}
    assert not (space / ".kitwright").exists()
