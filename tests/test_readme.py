"""The README is true: its commands exist, its pictures are there, its words work."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import click

from kitwright.cli import cli

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_commands_of_the_readme_are_those_of_the_command_line() -> None:
    block = README.split("## Commands")[1].split("```")[1]
    assert set(re.findall(r"^kitwright ([a-z]+)", block, re.MULTILINE)) == set(cli.commands)


def test_the_options_that_the_readme_names_exist() -> None:
    known = {
        option
        for command in [cli, *cli.commands.values()]
        for parameter in command.params
        if isinstance(parameter, click.Option)
        for option in parameter.opts
    }
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", README))
    assert named <= known


def test_every_picture_and_page_that_the_readme_links_is_there() -> None:
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", README) if "://" not in link]
    assert len(links) > 5
    assert [link for link in links if not (ROOT / link).exists()] == []


def test_every_dependency_earns_its_line() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    wanted = [*project["dependencies"], *project["optional-dependencies"]["dev"]]
    names = {re.split(r"[<>=\[]", line)[0] for line in wanted}
    assert {name for name in names if name not in README} == set()
