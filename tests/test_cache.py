"""The cache: what is remembered is what would be drawn, and what is lost is drawn again."""

from __future__ import annotations

import json
import os
import pickle
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from kitwright import pipeline
from kitwright.cache import store as store_module
from kitwright.cache.drawn import read_entry
from kitwright.cache.exact import Exact
from kitwright.cache.stock import Stock
from kitwright.cache.store import Store
from kitwright.jobs.builds import build_kits
from kitwright.load import Workspace, source, svg
from kitwright.ops import Fill, Group, Symbol, Use
from kitwright.options import BuildOptions, Report
from kitwright.pipeline import build_games
from kitwright.problems import InvalidInputError, Problem
from kitwright.rulebook.slabs import Typesetter
from kitwright.write.encode import Encoder

ROOT = Path(__file__).parent / "workspace"
GAME = "snail-mail"
ALL = 12  # faces
ONE_PAPER = BuildOptions(papers=("a4",))
FIGURES = """\
figures: snail-mail
rules: {}
measured: {length: 20}
"""
RULES = """\
# Snail Mail

Post is slow, and {{ game.rules.hand }} letters are a hand.

## §1 The letters

There are {{ game.decks.letters.count }} of them, and this is one.

![A letter](figure:toad)

> **Example.** §2 says what a snail is. The first letter is for {{ game.cards['to-the-toad'].to }}.

> A letter that nobody reads is no letter.

## §2 The snails

1. A snail is slow.
2. So is {{ game.cards['quick-ida'].title }}.

   > She denies it.

![In the hand](figure:hand)

### §2.1 Where they carry it

![A stamp](figure:stamp)

![Side by side](figure:both)

| Snail | Says |
| :-- | --: |
| Any | §1 |

![](glossary)
"""
BESIDE = """\
rulebook: snail-mail
glossary:
  leaf: {name: Leaf, text: Pays for a postcard.}
decoration: [bridge, dewdrop, shell, snail]
figures:
  toad: {card: {card: to-the-toad, height: 30mm}}
  hand: {splay: {cards: "['to-the-toad', 'to-the-robin+']", height: 60mm}}
  stamp: {card: {card: to-the-robin, area: [40mm, 2mm, 40mm, 20mm], height: 20mm}}
  both: {row: {cards: "['quick-ida', 'old-albert']", labels: "['Quick', 'Old']", tallest: 40mm}}
"""


@pytest.fixture
def space(tmp_path: Path) -> Path:
    """Return a workspace with a game that has a deck, a sheet, a board, a table and a rulebook."""
    return lay_space(tmp_path / "space")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return such a workspace that was built, for tests that do not edit it."""
    folder = lay_space(tmp_path_factory.mktemp("built") / "space")
    build(folder)
    return folder


def lay_space(folder: Path) -> Path:
    shutil.copytree(ROOT, folder)
    home = folder / "components" / GAME
    (home / "rules.md").write_text(RULES, encoding="utf-8")
    (home / "rules.yaml").write_text(BESIDE, encoding="utf-8")
    return folder


def build(space: Path, options: BuildOptions = ONE_PAPER, output: str = "output") -> Report:
    cache = space / ".kitwright" / "cache"
    (report,) = build_kits(Workspace(space), [GAME], options, space / output, None, cache)
    return report


def build_clean(space: Path, options: BuildOptions = ONE_PAPER) -> Report:
    """Build into an empty folder without a cache."""
    shutil.rmtree(space / "clean", ignore_errors=True)
    (report,) = build_games(Workspace(space), [GAME], options, space / "clean")
    return report


def files(report: Report) -> dict[str, bytes]:
    return {
        path.relative_to(report.folder).as_posix(): path.read_bytes()
        for path in sorted(report.folder.rglob("*"))
        if path.is_file()
    }


def edit(space: Path, file: str, old: str, new: str) -> None:
    path = space / file
    text = path.read_text(encoding="utf-8")
    assert old in text, (file, old)
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def entries(space: Path, kind: str = "*") -> list[Path]:
    return sorted((space / ".kitwright/cache").glob(f"{kind}/*"))


def test_a_build_of_what_stands_draws_nothing_and_tells_the_same(space: Path) -> None:
    first = build(space)
    assert (first.drawn, first.recalled, first.unchanged) == (ALL, 0, False)
    inodes = {path: path.stat().st_ino for path in first.folder.rglob("*")}
    second = build(space)
    assert (second.drawn, second.recalled, second.unchanged) == (0, ALL, True)
    assert (second.files, second.warnings) == (first.files, first.warnings)
    assert inodes == {path: path.stat().st_ino for path in first.folder.rglob("*")}


HOME, DRESS = "components/snail-mail", "layouts/snail-mail"
EDITS = [  # file, what it says, what it shall say, faces that are drawn for it
    (f"{HOME}/snails.yaml", "Quick Ida", "Quicker Ida", ALL),  # with figures.yaml, which is new
    (f"{HOME}/snails.yaml", "Quicker Ida", "Slow Ida", 1),
    (f"{HOME}/snails.yaml", "# The carriers", "# Here come\n# the carriers", 0),
    (f"{HOME}/letters.yaml", "Mr Toad", "Mrs Toad", 2),
    (f"{HOME}/letters.yaml", "the rhubarb", "the hedge", 6),
    (f"{HOME}/letters.yaml", "title: Letters", "title: Postcards", ALL),
    (f"{HOME}/tally.yaml", "copies: 4", "copies: 5", ALL),
    (f"{HOME}/postage.yaml", "leaves: 4", "leaves: 5", ALL),
    (f"{HOME}/game.yaml", "hand: 4", "hand: 5", ALL),
    (f"{HOME}/game.yaml", "[letters, snails,", "[snails, letters,", ALL),
    (f"{HOME}/figures.yaml", "length: 20", "length: 21", ALL),
    (f"{HOME}/rules.md", "Post is slow", "Post is never quick", 0),
    (f"{HOME}/rules.md", "game.rules.hand }}", "game.rules.hand + 1 }}", 0),
    (f"{HOME}/snails.yaml", "Slow Ida", "Late Ida", 1),  # what was read before is known
    (f"{HOME}/rules.yaml", "height: 30mm", "height: 31mm", 0),
    (f"{HOME}/rules.md", "> A letter that", "> A card that", 0),
    (f"{HOME}/rules.md", "A snail is slow", "A snail is slow.\n2. It knows that", 0),
    (f"{HOME}/rules.md", "## §2 The snails", "## §2 The carriers", 0),
    (f"{HOME}/letters.yaml", "To the robin", "To a robin", 2),
    (f"{DRESS}/snail.yaml", "h: 13mm", "h: 14mm", ALL),
    (f"{DRESS}/base.yaml", "safe: 4mm", "safe: 4.2mm", ALL),
    (f"{DRESS}/theme.yaml", "#b5673a", "#b5673b", ALL),
    (f"{DRESS}/icons/leaf.svg", "L16 6", "L15 6", ALL),
]


def test_after_every_edit_the_cache_gives_what_a_clean_build_gives(space: Path) -> None:
    build(space)
    (space / HOME / "figures.yaml").write_text(FIGURES, encoding="utf-8")
    for file, old, new, faces in EDITS:
        edit(space, file, old, new)
        warm, clean = build(space), build_clean(space)
        assert files(warm) == files(clean), (file, new)
        assert (warm.drawn, warm.warnings) == (faces, clean.warnings), (file, new)


def test_of_a_rulebook_only_what_says_something_else_is_set_and_drawn_again(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(space)
    set_again, drawn_again = list[str](), list[str]()
    block, encode = Typesetter.block, Encoder.encode

    def setting(self: Typesetter, each: Any, *where: Any) -> Any:
        set_again.append(getattr(each, "name", type(each).__name__))
        return block(self, each, *where)

    def drawing(self: Encoder, face: Any) -> Any:
        drawn_again.extend([face.id] if face.id.startswith("rulebook/") else [])
        return encode(self, face)

    monkeypatch.setattr(Typesetter, "block", setting)
    monkeypatch.setattr(Encoder, "encode", drawing)
    edit(space, f"{HOME}/letters.yaml", "To the robin", "To a robin")
    build(space)
    assert (set_again, drawn_again) == ([], []), "pages name the cards that they show"
    edit(space, f"{HOME}/rules.md", "There are {{", "We print {{")
    build(space)
    assert set(set_again) == {"Paragraph"}
    assert sorted(drawn_again) == ["rulebook/a4-1", "rulebook/a4-booklet-1"]


def test_after_an_edit_only_the_edited_file_is_parsed(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(space)
    parsed = list[str]()
    parse = source._read

    def parsing(raw: bytes, file: str, problems: list[Problem]) -> Any:
        parsed.append(file)
        return parse(raw, file, problems)

    monkeypatch.setattr(source, "_read", parsing)
    monkeypatch.setattr(svg, "read_svg", lambda *_: pytest.fail("an icon was read again"))
    edit(space, f"{HOME}/letters.yaml", "To the robin", "To a robin")
    build(space)
    assert set(parsed) <= {f"{HOME}/letters.yaml", "layouts/shared/papers.yaml"}


def test_files_that_come_and_go_and_pictures_are_seen(space: Path) -> None:
    build(space)
    art = space / DRESS / "art/meadow.png"
    other = (ROOT.parent.parent / "docs").rglob("*.png")
    art.write_bytes(next(other).read_bytes())
    assert files(build(space)) == files(build_clean(space))
    (space / "layouts/shared").mkdir()
    shared = Path(pipeline.__file__).parents[2] / "layouts/shared"
    text = (shared / "footer.yaml").read_text(encoding="utf-8")
    (space / "layouts/shared/footer.yaml").write_text(f"{text}\n# Ours, and the same.\n")
    assert files(build(space)) == files(build_clean(space))


@pytest.mark.parametrize(
    "options",
    [
        BuildOptions(papers=("letter",)),
        BuildOptions(papers=("a4",), sides="fold"),
        BuildOptions(papers=("a4",), marks="full", gap=4.0),
        BuildOptions(papers=("a4",), decks=("letters",)),
        BuildOptions(papers=("a4",), skin="moonlight"),
        BuildOptions(papers=("a4",), variant="rain"),
    ],
    ids=["letter", "fold", "gap", "deck", "skin", "variant"],
)
def test_other_options_give_what_they_give_without_a_cache(
    built: Path, options: BuildOptions
) -> None:
    clean = files(build_clean(built, options))
    assert files(build(built, options, output="other")) == clean
    again = build(built, options, output="other")
    assert again.unchanged
    assert files(again) == clean
    shutil.rmtree(built / "other")


def test_warnings_are_told_each_time(space: Path) -> None:
    edit(space, f"{DRESS}/letter.yaml", "file: art/meadow.png", "file: art/small.png")
    small = space / DRESS / "art"
    from PIL import Image

    Image.new("RGB", (20, 12), "#446622").save(small / "small.png")
    first = build(space)
    assert [problem.code for problem in first.warnings] == ["low-resolution"]
    assert build(space).warnings == first.warnings
    edit(space, f"{HOME}/snails.yaml", "Quick Ida", "Quicker Ida")
    after = build(space)
    assert after.warnings == first.warnings
    assert after.drawn < ALL
    edit(space, f"{HOME}/letters.yaml", "deck: letters", "# One more line.\ndeck: letters")
    assert build(space).warnings == build_clean(space).warnings


def test_a_fault_is_told_though_everything_else_is_remembered(space: Path) -> None:
    before = files(build(space))
    edit(space, f"{HOME}/snails.yaml", "speed: 3", "speed: 4")
    with pytest.raises(InvalidInputError) as caught:
        build(space)
    assert [problem.code for problem in caught.value.problems] == ["bad-value"]
    edit(space, f"{HOME}/snails.yaml", "speed: 4", "speed: 3")
    assert build(space).unchanged
    assert files(build(space)) == before


def spoil_byte(path: Path, rng: Random) -> None:
    raw = bytearray(path.read_bytes())
    raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
    path.write_bytes(raw)


@pytest.mark.parametrize("seed", range(2))
def test_damaged_entries_are_made_again(space: Path, seed: int) -> None:
    build(space)
    rng = Random(seed)
    for path in entries(space):
        spoil_byte(path, rng)
    shutil.rmtree(space / "output")
    spoilt = build(space)
    assert (spoilt.drawn, spoilt.recalled) == (ALL, 0)
    assert files(spoilt) == files(build_clean(space))
    assert build(space).unchanged


def test_an_entry_that_was_cut_short_or_swapped_is_as_good_as_missing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    store.put("kind", "a", b"first")
    store.put("kind", "b", b"second")
    store.flush()
    a, b = tmp_path / "kind/a", tmp_path / "kind/b"
    assert (store.get("kind", "a"), store.get("kind", "b")) == (b"first", b"second")
    shutil.copy(a, b)
    a.write_bytes(a.read_bytes()[:-1])
    assert (store.get("kind", "a"), store.get("kind", "b")) == (None, None)
    assert not list((tmp_path / "kind").iterdir())


def test_a_cache_that_cannot_be_written_is_no_fault(space: Path) -> None:
    (space / ".kitwright").mkdir()
    (space / ".kitwright/cache").write_text("a file where the folder should be")
    assert build(space).drawn == ALL
    again = build(space)
    assert (again.drawn, again.unchanged) == (ALL, False)
    assert files(again) == files(build_clean(space))


def test_a_full_disk_leaves_no_half_entry(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = Store(tmp_path)
    store.put("kind", "a", b"first")
    store.flush()

    def refuse(*_: object) -> None:
        raise OSError(28, "no space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    store.put("kind", "b", b"second")
    store.flush()
    assert [path.name for path in (tmp_path / "kind").iterdir()] == ["a"]
    assert store.get("kind", "b") is None


def test_an_entry_can_hold_nothing_but_drawings() -> None:
    assert read_entry(pickle.dumps((1, b"data"))) == (1, b"data")
    assert read_entry(pickle.dumps(os.system)) is None
    assert read_entry(b"cos\nsystem\n(S'true'\ntR.") is None
    assert read_entry(b"no pickle") is None


def test_a_kit_that_somebody_touched_is_mended(space: Path) -> None:
    first = files(build(space))
    for spoil in (
        lambda kit: (kit / "kit-a4.pdf").unlink(),
        lambda kit: (kit / "kit-a4.pdf").write_bytes(b"x" * len(first["kit-a4.pdf"])),
        lambda kit: (kit / "manifest.json").unlink(),
        lambda kit: (kit / "manifest.json").write_text("{}"),
        lambda kit: shutil.rmtree(kit),
    ):
        spoil(space / "output" / GAME)
        report = build(space)
        assert (report.drawn, report.unchanged) == (0, False)
        assert files(report) == first
    (space / "output" / GAME / "kit-a4.pdf").touch()
    assert build(space).unchanged


def test_what_a_killed_build_left_is_cleared_though_nothing_changed(space: Path) -> None:
    build(space)
    left = space / "output" / f".{GAME}.staging"
    left.mkdir()
    assert not build(space).unchanged
    assert not left.exists()
    assert build(space).unchanged


def test_a_file_saved_while_the_build_ran_is_not_taken_for_built(
    space: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    build(space)
    edit(space, f"{HOME}/snails.yaml", "Quick Ida", "Quicker Ida")
    real: Callable[..., list[Report]] = pipeline.build_games

    def slow(*given: object) -> list[Report]:
        edit(space, f"{DRESS}/theme.yaml", "#b5673a", "#ffffff")
        made = real(*given)
        edit(space, f"{DRESS}/theme.yaml", "#ffffff", "#b5673a")
        edit(space, f"{HOME}/snails.yaml", "Quicker Ida", "Quickest Ida")
        edit(space, f"{DRESS}/theme.yaml", "#5d7b4a", "#5d7b4b")
        return made

    with monkeypatch.context() as patch:
        patch.setattr(pipeline, "build_games", slow)
        build(space)
    assert files(build(space)) == files(build_clean(space))
    edit(space, f"{DRESS}/theme.yaml", "#5d7b4b", "#5d7b4a")
    assert files(build(space)) == files(build_clean(space))


def test_a_change_that_keeps_size_and_times_is_seen(tmp_path: Path) -> None:
    store, file = Store(tmp_path / "cache"), tmp_path / "card.yaml"
    file.write_text("one")
    stock = Stock(store)
    first = stock.hash_of(str(file))
    stock.keep()
    status = file.stat()
    file.write_text("two")
    os.utime(file, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert Stock(store).hash_of(str(file)) != first


def test_an_old_file_is_read_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store, file = Store(tmp_path / "cache"), tmp_path / "card.yaml"
    file.write_text("one")
    monkeypatch.setattr("time.time_ns", lambda: file.stat().st_ctime_ns + 3_000_000_000)
    stock = Stock(store)
    mark = stock.hash_of(str(file))
    stock.keep()
    monkeypatch.setattr(Path, "read_bytes", lambda _: pytest.fail("the file was read again"))
    assert Stock(store).hash_of(str(file)) == mark


def test_links_are_followed_but_not_in_a_circle(tmp_path: Path) -> None:
    game, far = tmp_path / "game", tmp_path / "far"
    game.mkdir()
    far.mkdir()
    (far / "icon.svg").write_text("one")
    (game / "icons").symlink_to(far)
    (game / "self").symlink_to(game)
    (game / "nowhere").symlink_to("missing")
    first = Stock(None).hash_folders([("game", game)])
    assert Stock(None).hash_folders([("game", game)]) == first
    (far / "icon.svg").write_text("two")
    assert Stock(None).hash_folders([("game", game)]) != first


def test_old_entries_go_and_the_newest_stay_within_the_cap(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = Store(tmp_path)
    for name in ("old", "older", "new"):
        store.put("kind", name, bytes(1000))
    store.flush()
    day = 86_400
    for name, days in (("old", 29), ("older", 31)):
        then = (tmp_path / "kind" / name).stat().st_mtime - days * day
        os.utime(tmp_path / "kind" / name, (then, then))

    def left_after(name: str) -> set[str]:
        store.put("kind", name, bytes(1000))
        store.flush()
        return {path.name for path in (tmp_path / "kind").iterdir()}

    assert left_after("newer") == {"old", "older", "new", "newer"}  # all was looked at just now
    hour_ago = time.time() - 3_601
    os.utime(tmp_path / ".swept", (hour_ago, hour_ago))
    assert left_after("newer") == {"old", "new", "newer"}
    monkeypatch.setattr(store_module, "LARGEST", 2500)
    monkeypatch.setattr(store_module, "MUCH", 1000)  # a build that writes that much looks at once
    assert left_after("newer") == {"new", "newer"}


def test_the_cache_says_that_it_is_one(space: Path) -> None:
    build(space)
    cache = space / ".kitwright/cache"
    assert (cache / ".gitignore").read_text() == "*\n"
    assert (cache / "CACHEDIR.TAG").read_text().startswith("Signature: 8a477f597d28d172789f0688")
    record = json.loads(entries(space, "kits")[0].read_bytes().split(b"\n", 1)[1][20:])
    assert record["game"] == GAME


def test_marks_tell_faces_apart_that_round_to_the_same() -> None:
    def ops(x: float) -> tuple[Fill | Use | Group, ...]:
        fill = Fill((("M", x, 0.0),), "#000000")
        symbol = Symbol("same", (fill,), (0.0, 0.0, 1.0, 1.0))
        return fill, Use(symbol), Group((Use(symbol),))

    marks = [[Exact().mark((op,)) for op in ops(x)] for x in (1.0, 1.0001, 1.0)]
    assert marks[0] == marks[2]
    assert all(a != b for a, b in zip(marks[0], marks[1], strict=True))


def test_what_has_no_text_is_not_taken_for_a_key() -> None:
    with pytest.raises(TypeError, match="a object has no text for keys"):
        Exact().text(object())
