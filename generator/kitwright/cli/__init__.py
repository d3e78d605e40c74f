"""The command line: parse, call, print, exit code. The only room that prints.

Exit codes: 0 done, 1 a fault in the workspace, 2 in the command line, 3 in
the machine, 130 interrupted.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
from contextlib import suppress
from pathlib import Path

import click

from kitwright import __version__
from kitwright.cli.book import pack, rulebook
from kitwright.cli.export import export, preflight
from kitwright.cli.lab import balance
from kitwright.cli.look import cards, check, schema
from kitwright.cli.make import build, images
from kitwright.cli.play import simulate, solve
from kitwright.cli.printers import calibrate
from kitwright.cli.proof import proof
from kitwright.cli.second import diff, printed
from kitwright.cli.tune import tune

__all__ = ["cli", "main"]


@click.group(context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.option(
    "--workspace",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The folder that holds components/ and layouts/; the current one by default.",
)
@click.version_option(__version__, prog_name="kitwright")
@click.pass_context
def cli(context: click.Context, workspace: Path | None) -> None:
    """Print-and-play kits from YAML: cards, sheets and images, proved playable."""
    context.obj = workspace


COMMANDS = (
    *(build, check, cards, images, rulebook, pack, export, preflight),
    *(printed, diff, calibrate, proof),
    *(simulate, balance, tune, solve),
    *(schema,),
)
for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """Run the command and leave with its exit code."""
    gc.set_threshold(400_000, 20, 20)  # what a command makes it mostly keeps to its end
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")  # it would look for them anywhere
    try:
        result = cli.main(standalone_mode=False)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    _leave(result if isinstance(result, int) else 0)


def _leave(code: int) -> None:
    """Leave at once where nothing waits for the end: to take a kit apart in memory takes long."""
    if "multiprocessing" in sys.modules or threading.active_count() > 1:
        sys.exit(code)
    with suppress(BrokenPipeError):  # whoever listened has heard enough
        sys.stdout.flush()
        sys.stderr.flush()
    os._exit(code)
