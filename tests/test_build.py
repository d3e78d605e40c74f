"""Whole builds with the real command: what it writes, twice the same, whatever happens."""

from __future__ import annotations

import hashlib
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import pikepdf
import pytest

LayFiles = Callable[[Path, Mapping[str, str]], Path]
GAME = """\
game: two-tone
title: Two Tone
designers: [Ada Example]
licence: public domain
source: made for the tests
players: {fewest: 1, most: 2}
minutes: {fewest: 5, most: 10}
age: 6
theme: two-tone/theme
kit: [tones, tokens]
"""
CARDS = """\
deck: tones
title: Tones
layout: two-tone/card
back: two-tone/back
size: poker
fields: {word: {text: required}}
cards:
  - {id: one, word: WORD, copies: 4}
  - {id: two, word: Two, copies: 7}
"""
TOKENS = """\
deck: tokens
title: Tokens
layout: two-tone/card
back: two-tone/own-back
size: small-square
fields: {word: {text: required}}
cards:
  - {id: red, word: Red, copies: 2}
  - {id: blue, word: Blue}
"""
THEME = """\
theme: two-tone/theme
colors: {ink: "#222222", paper: "#f6f0e0", back: "#8a3324"}
fonts: {sans: {regular: source-sans-pro, bold: source-sans-pro-bold}}
styles: {word: {font: sans, size: 20pt, color: ink, align: center, valign: middle}}
"""
CARD = """\
layout: two-tone/card
draw:
  - fill: {box: bleed, color: paper}
  - text: {box: safe, style: word, text: "{{ card.word }}", overflow: error}
"""
BACK = """\
layout: two-tone/back
draw:
  - fill: {box: bleed, color: back}
"""
OWN_BACK = """\
layout: two-tone/own-back
draw:
  - fill: {box: bleed, color: back}
  - text: {box: safe, style: word, color: paper, text: "back of {{ card.word }}", overflow: error}
"""


@pytest.fixture
def workspace(tmp_path: Path, lay_files: LayFiles) -> Path:
    """A small workspace of one game."""
    files = {
        "components/two-tone/game.yaml": GAME,
        "components/two-tone/tones.yaml": CARDS,
        "components/two-tone/tokens.yaml": TOKENS,
        "layouts/two-tone/theme.yaml": THEME,
        "layouts/two-tone/card.yaml": CARD,
        "layouts/two-tone/back.yaml": BACK,
        "layouts/two-tone/own-back.yaml": OWN_BACK,
    }
    return lay_files(tmp_path, files)


def kitwright(workspace: Path, *words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "kitwright", *words],
        cwd=workspace,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


def build(workspace: Path, *words: str, **environment: str) -> Path:
    done = kitwright(workspace, "build", *words, **environment)
    assert done.returncode == 0, done.stderr
    return workspace / "output" / "two-tone"


def digests(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_build_writes_the_kit_and_each_part_for_both_papers(workspace: Path) -> None:
    folder = build(workspace)
    assert sorted(digests(folder)) == [
        "kit-a4.pdf",
        "kit-letter.pdf",
        "manifest.json",
        "print/tokens-a4.pdf",
        "print/tokens-letter.pdf",
        "print/tones-a4.pdf",
        "print/tones-letter.pdf",
    ]
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["files"] == {
        name: digest for name, digest in digests(folder).items() if name != "manifest.json"
    }


def test_two_builds_are_the_same_whatever_the_hash_seed_and_the_workers(workspace: Path) -> None:
    first = digests(build(workspace, "--workers", "1", PYTHONHASHSEED="1"))
    second = digests(build(workspace, "--workers", "2", PYTHONHASHSEED="77"))
    assert first == second


def test_every_page_has_a_trim_box_and_a_bleed_box_inside_its_paper(workspace: Path) -> None:
    with pikepdf.open(build(workspace) / "kit-a4.pdf") as pdf:
        assert len(pdf.pages) == 2 + 4 + 2
        for page in pdf.pages:
            media, trim, bleed = (
                [float(v) for v in box] for box in (page.mediabox, page.trimbox, page["/BleedBox"])
            )
            assert media[2:] == pytest.approx([595.2756, 841.8898], abs=0.01)
            assert media[0] <= bleed[0] <= trim[0] < trim[2] <= bleed[2] <= media[2]
            assert media[1] <= bleed[1] <= trim[1] < trim[3] <= bleed[3] <= media[3]


def test_bookmarks_and_metadata_name_the_decks_the_designers_and_the_terms(
    workspace: Path,
) -> None:
    with pikepdf.open(build(workspace) / "kit-a4.pdf") as pdf, pdf.open_outline() as outline:
        assert [item.title for item in outline.root] == ["How to print", "Tones", "Tokens"]
        assert str(pdf.docinfo["/Title"]) == "Two Tone"
        assert str(pdf.docinfo["/Author"]) == "Ada Example"
        assert "public domain" in str(pdf.docinfo["/Keywords"])


def test_the_stamp_of_a_deck_changes_with_its_faces_and_with_nothing_else(
    workspace: Path,
) -> None:
    def footers() -> list[str]:
        import pypdfium2

        document = pypdfium2.PdfDocument(build(workspace) / "kit-a4.pdf")
        found = []
        for page in document:
            text = page.get_textpage()
            found += [line for line in text.get_text_range().splitlines() if " · page " in line]
            text.close()
            page.close()
        document.close()
        return found

    before = footers()
    assert before[0].startswith("Two Tone · Tones ")
    assert before[0].endswith(" · page 3 of 8 · front")
    tones = workspace / "components/two-tone/tones.yaml"
    tones.write_text(CARDS.replace("Two,", "Deux,"), encoding="utf-8")
    after = footers()
    assert before[0] != after[0]
    assert before[-1] == after[-1], "the tokens have not changed"


@pytest.mark.parametrize("sides", ["short", "fold", "two-pass", "fronts"])
def test_other_sides_are_named_in_the_files_and_leave_the_rest_alone(
    workspace: Path, sides: str
) -> None:
    before = digests(build(workspace, "--paper", "a4"))
    after = digests(build(workspace, "--paper", "a4", "--sides", sides))
    assert f"kit-a4-{sides}.pdf" in after
    assert all(after[name] == digest for name, digest in before.items() if name.endswith("pdf"))


def test_images_are_the_faces_at_the_size_asked_for_with_a_list_beside_them(
    workspace: Path,
) -> None:
    from PIL import Image

    done = kitwright(workspace, "images", "two-tone", "--dpi", "100")
    assert done.returncode == 0, done.stderr
    images = workspace / "output/two-tone/images"
    assert sorted(path.relative_to(images).as_posix() for path in images.rglob("*.*")) == [
        "cards.csv",
        "tokens/blue-back.png",
        "tokens/blue.png",
        "tokens/red-back.png",
        "tokens/red.png",
        "tones/back.png",
        "tones/one.png",
        "tones/two.png",
    ]
    with Image.open(images / "tones/one.png") as picture:
        assert (picture.size, picture.mode) == ((250, 350), "RGB")
    rows = (images / "cards.csv").read_text(encoding="utf-8").splitlines()
    assert rows[0] == "deck,card,title,copies,front,back,hash"
    assert rows[1].startswith("tones,one,,4,tones/one.png,tones/back.png,")


def test_images_with_bleed_and_with_rounded_corners(workspace: Path) -> None:
    from PIL import Image

    kitwright(workspace, "images", "two-tone", "--dpi", "100", "--bleed", "--deck", "tones")
    images = workspace / "output/two-tone/images"
    with Image.open(images / "tones/one.png") as picture:
        assert picture.size == (274, 374)
    kitwright(workspace, "images", "two-tone", "--dpi", "100", "--rounded", "--deck", "tones")
    with Image.open(images / "tones/one.png") as picture:
        assert picture.mode == "RGBA"
        corner, middle = picture.getpixel((0, 0)), picture.getpixel((125, 20))
    assert isinstance(corner, tuple)
    assert isinstance(middle, tuple)
    assert (corner[3], middle[3]) == (0, 255)


def test_a_command_replaces_only_what_it_makes(workspace: Path) -> None:
    folder = build(workspace)
    kitwright(workspace, "images", "two-tone", "--dpi", "50")
    assert (folder / "kit-a4.pdf").is_file()
    build(workspace, "--paper", "letter")
    assert (folder / "images/tones/one.png").is_file()
    assert (folder / "kit-a4.pdf").is_file()


def test_a_fault_in_one_game_leaves_the_kits_of_all_as_they_were(workspace: Path) -> None:
    before = digests(build(workspace))
    other = workspace / "components/broken"
    other.mkdir()
    (other / "game.yaml").write_text("game: broken\n", encoding="utf-8")
    tones = workspace / "components/two-tone/tones.yaml"
    tones.write_text(CARDS.replace("WORD", "Changed"), encoding="utf-8")
    done = kitwright(workspace, "build")
    assert done.returncode == 1
    said = "'title' is missing; expected the name on the box [missing-key]"
    assert f"components/broken/game.yaml:1:1: {said}" in done.stderr
    assert digests(workspace / "output/two-tone") == before
    assert not (workspace / "output/broken").exists()


def test_a_second_build_at_the_same_time_is_told_who_is_busy(workspace: Path) -> None:
    folder = build(workspace)
    script = (
        "import sys, time; from pathlib import Path; from kitwright.write.staging import stage\n"
        "with stage(Path(sys.argv[1])): print('ready', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen(
        [sys.executable, "-c", script, str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert holder.stdout is not None
    try:
        assert holder.stdout.readline() == "ready\n"
        done = kitwright(workspace, "build")
        assert done.returncode == 3
        assert f"pid {holder.pid}" in done.stderr
        assert "Traceback" not in done.stderr
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()
    build(workspace)


def inode(folder: Path) -> int:
    try:
        return folder.stat().st_ino
    except FileNotFoundError:
        return 0


def count_files(folder: Path) -> int:
    return sum(len(names) for _, _, names in os.walk(folder))


def kill_while_writing(workspace: Path, share: float) -> bool:
    """Build, and kill the build at a share of its writing; tell whether it was still alive."""
    staging = workspace / "output/.two-tone.staging"
    left_over = inode(staging)
    process = subprocess.Popen(
        [sys.executable, "-m", "kitwright", "build", "--paper", "a4"],
        cwd=workspace,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    while process.poll() is None and inode(staging) in (0, left_over):
        time.sleep(0.001)
    wanted = 6 * share
    while process.poll() is None and inode(staging) and count_files(staging) < wanted:
        time.sleep(0.0005)
    alive = process.poll() is None
    process.send_signal(signal.SIGKILL)
    process.wait()
    return alive


def test_killed_at_any_moment_the_old_kit_or_the_new_one_is_there_whole(workspace: Path) -> None:
    tones = workspace / "components/two-tone/tones.yaml"
    texts = [CARDS.replace("WORD", word) for word in ("Old", "New")]
    kits = []
    for text in texts:
        tones.write_text(text, encoding="utf-8")
        kits.append(digests(build(workspace, "--paper", "a4")))
    rng = random.Random(11)
    stopped = 0
    for turn in range(50):
        tones.write_text(texts[turn % 2], encoding="utf-8")
        stopped += kill_while_writing(workspace, 1.2 * rng.random())
        found = digests(workspace / "output/two-tone")
        assert found in kits, f"a mixed kit after kill {turn}"
    assert stopped, "every build was over before it could be killed"
    build(workspace, "--paper", "a4")
    left = [path.name for path in (workspace / "output").iterdir() if "staging" in path.name]
    assert left == []
