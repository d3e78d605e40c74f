"""What all commands share: options, how faults are shown, progress on a terminal."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from kitwright.cli.numbers import Whole
from kitwright.load.workspace import Workspace, find_workspace, shipped_root
from kitwright.problems import (
    MOST_SHOWN,
    InvalidInputError,
    MachineError,
    Problem,
    RequestError,
    did_you_mean,
)

if TYPE_CHECKING:
    from kitwright.model.game import Game
    from kitwright.options import Report

F = TypeVar("F", bound=Callable[..., Any])
Progress = Callable[[int, int], None]


class FaultsError(click.ClickException):
    """The workspace is at fault."""

    exit_code = 1

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = problems
        super().__init__("")

    def show(self, file: Any = None) -> None:
        """Print the problems, at most so many."""
        show_problems(self.problems)


class MachineFaultError(click.ClickException):
    """The machine is at fault."""

    exit_code = 3

    def show(self, file: Any = None) -> None:
        """Print the message by itself."""
        click.echo(f"kitwright: {self.message}", err=True)


def show_problems(problems: Sequence[Problem]) -> None:
    """Print problems in order, at most fifty."""
    for problem in problems[:MOST_SHOWN]:
        click.echo(plain(str(problem)), err=True)
    if len(problems) > MOST_SHOWN:
        click.echo(f"… and {len(problems) - MOST_SHOWN} more".replace("…", plain("…")), err=True)


def plain(text: str) -> str:
    """Write a text so that a console of another age can show it."""
    encoding = getattr(sys.stdout, "encoding", None) or "ascii"
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        return text.encode("ascii", "replace").decode("ascii")
    return text


@contextmanager
def faults_shown() -> Iterator[None]:
    """Turn our own errors into messages with the right exit code."""
    from kitwright.options import UnknownNameError
    from kitwright.write.staging import UnsafeOutputError

    try:
        yield
    except InvalidInputError as error:
        raise FaultsError(error.problems) from None
    except MachineError as error:
        raise MachineFaultError(str(error)) from None
    except (UnsafeOutputError, UnknownNameError, RequestError) as error:
        raise click.UsageError(str(error)) from None


def common_options(command: F) -> F:
    """Add the options that every command takes."""
    for option in (
        click.option(
            "--workspace",
            type=click.Path(exists=True, file_okay=False, path_type=Path),
            help="The folder that holds components/ and layouts/.",
        ),
        click.option("--variant", metavar="NAME", help="Lay this variant over the game."),
    ):
        command = option(command)
    return command


workers_option = click.option(
    "--workers", type=Whole(1, 256), help="Processes to use; all cores by default."
)
output_option = click.option(
    "--output",
    type=click.Path(file_okay=False, path_type=Path),
    help="Where kits are written; output/ in the workspace by default.",
)
skin_option = click.option(
    "--skin", default="standard", metavar="NAME", help="Another dress, such as low-ink."
)
paper_option = click.option(
    "--paper",
    default="both",
    show_default=True,
    help="a4, letter, legal, a3; several with commas; both is A4 and Letter.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
strict_option = click.option("--strict", is_flag=True, help="Let warnings and findings fail.")


def chosen_workspace(workspace: Path | None) -> Workspace:
    """Return the workspace named before or after the command's name, or the default."""
    given = workspace or click.get_current_context().obj
    found = find_workspace(given)
    if not found.components.is_dir():
        raise click.UsageError(f"'{found.root}' has no components/ folder")
    return found


def output_folder(workspace: Workspace, output: Path | None) -> Path:
    """Return where kits go: the workspace's output/, or the current folder's for shipped games."""
    return output if output is not None else home_folder(workspace) / "output"


def shown(path: Path) -> str:
    """Write a path as it can be opened from here: short where it lies below the current folder."""
    here = Path.cwd()
    full = here / path
    return plain(full.relative_to(here).as_posix() if full.is_relative_to(here) else str(full))


def file_rows(report: Report, output: Path) -> list[tuple[str, str, str]]:
    """Return path, pages and size of what a command wrote into the output folder."""
    return [
        (shown(output / file.path), str(file.pages), f"{file.size / 1024:.0f} KB")
        for file in report.files
    ]


def cache_folder(workspace: Workspace) -> Path:
    """Return where builds remember what they drew."""
    return home_folder(workspace) / ".kitwright" / "cache"


def home_folder(workspace: Workspace) -> Path:
    """Return the folder that output/ and .kitwright/ lie in: never an installed package."""
    in_package = workspace.root == shipped_root() and (
        (shipped_root().parent / "__init__.py").exists()
    )
    return Path.cwd() if in_package else workspace.root


def chosen_games(workspace: Workspace, names: Iterable[str]) -> tuple[str, ...]:
    """Return the games asked for, or all; an unknown one is a fault of the command line."""
    known = workspace.games()
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known) or f"; there are {', '.join(known) or 'none'}"
            raise click.UsageError(f"there is no game '{name}'{hint}")
    if not known:
        raise click.UsageError(f"'{workspace.components}' has no game with a game.yaml")
    return tuple(dict.fromkeys(names)) or known


def chosen_game(
    workspace: Path | None, game: str, variant: str | None, skin: str = "standard"
) -> Workspace:
    """Return the workspace, once it is known to have the game, the variant and the skin."""
    space = chosen_workspace(workspace)
    chosen_games(space, [game])
    check_variant(space, game, variant)
    check_skin(space, game, skin)
    return space


def papers_named(paper: str) -> tuple[str, ...]:
    """Read the papers of --paper."""
    given = (name.strip() for name in paper.split(","))
    named = (("a4", "letter") if name == "both" else (name,) for name in given)
    return tuple(dict.fromkeys(chain.from_iterable(named)))


def check_variant(workspace: Workspace, game: str, variant: str | None) -> None:
    """Refuse a variant that the game does not have."""
    from kitwright.load import variant_names

    known = variant_names(workspace, game)
    if variant is not None and variant not in known:
        hint = did_you_mean(variant, known) or f"; it has {', '.join(known) or 'none'}"
        raise click.UsageError(f"{game} has no variant '{variant}'{hint}")


def every_variant(workspace: Workspace, game: str) -> list[Game]:
    """Load the standard game, then each variant of it."""
    from kitwright.load import load_game, variant_names

    names = (None, *variant_names(workspace, game))
    return [load_game(workspace, game, name) for name in names]


def check_skin(workspace: Workspace, game: str, skin: str) -> None:
    """Refuse a skin that the game does not have."""
    folders = [base / game / "skins" for base in workspace.layouts]
    known = ["standard", *sorted({p.stem for f in folders for p in f.glob("*.yaml")})]
    if skin not in known:
        hint = did_you_mean(skin, known) or f"; it has {', '.join(known)}"
        raise click.UsageError(f"{game} has no skin '{skin}'{hint}")


@contextmanager
def progress(label: str) -> Iterator[Progress | None]:
    """Show a bar on a terminal, and nothing in a pipe."""
    if not sys.stderr.isatty():
        yield None
        return
    with click.progressbar(length=1, label=label, file=sys.stderr) as bar:

        def tell(done: int, total: int) -> None:
            bar.length = max(total, 1)
            bar.update(done - bar.pos)

        yield tell


def table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> str:
    """Lay out rows in columns for a terminal."""
    every = [tuple(header), *rows]
    widths = [max(len(row[i]) for row in every) for i in range(len(header))]
    lines = ["  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)) for row in every]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return plain("\n".join(line.rstrip() for line in lines))
