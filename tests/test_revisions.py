"""A workspace at a git revision or in another folder, and what is said when there is none."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from kitwright.jobs.revisions import UnknownRevisionError, faults_of, workspace_at
from kitwright.load import Workspace, load_game
from kitwright.problems import InvalidInputError, MachineError, Place, Problem

GAME = """\
game: tiny
title: Tiny
designers: [We]
licence: MIT
source: https://example.org
players: {fewest: 1, most: 2}
minutes: {fewest: 5, most: 9}
age: 6
theme: shared/theme
kit: [cards]
"""
DECK = """\
deck: cards
title: Cards
layout: tiny/card
size: poker
fields: {price: {whole: 0..9}}
cards:
  - {id: one, copies: 1, price: 3}
"""


def git(folder: Path, *words: str) -> None:
    who = ("-c", "user.name=Tester", "-c", "user.email=tester@example.org")
    subprocess.run(["git", "-C", str(folder), *who, *words], check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Workspace:
    """A workspace in a subfolder of a repository, with one commit and a changed working tree."""
    root = tmp_path / "repository" / "games"
    folder = root / "components" / "tiny"
    folder.mkdir(parents=True)
    (folder / "game.yaml").write_text(GAME, encoding="utf-8")
    (folder / "cards.yaml").write_text(DECK, encoding="utf-8")
    layouts = root / "layouts" / "tiny"
    layouts.mkdir(parents=True)
    (layouts / "card.yaml").write_text("layout: tiny/card\n", encoding="utf-8")
    (root.parent / ".gitattributes").write_text("*.yaml export-ignore\n", encoding="utf-8")
    git(root.parent, "init", "--quiet", "--initial-branch=trunk")
    git(root.parent, "add", ".")
    git(root.parent, "commit", "--quiet", "--message=first")
    (folder / "cards.yaml").write_text(DECK.replace("price: 3", "price: 2"), encoding="utf-8")
    return Workspace(root)


def price(workspace: Workspace) -> object:
    return load_game(workspace, "tiny").decks[0].cards[0].fields["price"]


def test_a_revision_is_read_as_it_was_and_the_working_tree_stays(repository: Workspace) -> None:
    with workspace_at(repository, "HEAD") as then:
        assert price(then) == 3
        root = then.root
    assert not root.exists()
    assert price(repository) == 2


def test_a_folder_with_components_is_a_workspace(repository: Workspace, tmp_path: Path) -> None:
    with workspace_at(Workspace(tmp_path), str(repository.root)) as other:
        assert price(other) == 2


def test_an_unknown_revision_is_told(repository: Workspace) -> None:
    with pytest.raises(UnknownRevisionError) as error, workspace_at(repository, "no-such"):
        pass
    assert str(error.value) == (
        "'no-such' is no revision of this repository and no folder with components/; "
        "expected a commit, branch or tag such as HEAD~1"
    )


def test_a_folder_outside_any_repository_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    with pytest.raises(UnknownRevisionError) as error, workspace_at(Workspace(tmp_path), "HEAD"):
        pass
    assert str(error.value).startswith(
        "'HEAD' is no folder with components/, and no revision can be read here (fatal: "
    )


def test_a_revision_without_games_is_told(repository: Workspace) -> None:
    git(repository.root, "checkout", "--quiet", "--orphan", "empty")
    git(repository.root, "rm", "--quiet", "-r", "--force", ".")
    repository.root.mkdir(parents=True, exist_ok=True)
    git(repository.root, "commit", "--quiet", "--allow-empty", "--message=nothing")
    with pytest.raises(UnknownRevisionError) as error, workspace_at(repository, "HEAD"):
        pass
    assert str(error.value) == "revision 'HEAD' has no components/ folder"


def test_a_missing_git_is_the_fault_of_the_machine(
    repository: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(MachineError) as error, workspace_at(repository, "HEAD"):
        pass
    assert str(error.value) == (
        "git is not installed; a revision needs it; name another workspace folder instead"
    )


def test_a_fault_of_a_revision_names_it() -> None:
    found = Problem(Place("components/tiny/cards.yaml", 3, 4), "bad-value", "price is 'x'")
    with pytest.raises(InvalidInputError) as error, faults_of("HEAD~1"):
        raise InvalidInputError([found])
    assert str(error.value) == ("HEAD~1:components/tiny/cards.yaml:3:4: price is 'x' [bad-value]")
