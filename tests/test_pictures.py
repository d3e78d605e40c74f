"""Pictures and paths: what is refused, in which words, before anything is drawn."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest
from PIL import Image

from kitwright.load.pictures import check_picture, inside
from kitwright.model.picture import PictureInfo
from kitwright.problems import Place, Problem

HERE = Place("layouts/kelp/card.yaml", 7, 12)


def test_a_whole_picture_gives_its_pixels_and_its_hash(tmp_path: Path) -> None:
    for name in ("a.png", "b.jpg", "c.webp"):
        Image.new("RGB", (40, 30), "#aa3322").save(tmp_path / name)
        info = check_picture(tmp_path / name, HERE)
        assert isinstance(info, PictureInfo)
        assert (info.width_px, info.height_px, len(info.hash)) == (40, 30, 20)


def test_the_hash_follows_the_bytes(tmp_path: Path) -> None:
    for name, color in (("a.png", "red"), ("b.png", "red"), ("c.png", "blue")):
        Image.new("RGB", (4, 4), color).save(tmp_path / name)
    hashes = [check_picture(tmp_path / f"{n}.png", HERE) for n in "abc"]
    assert len({info.hash for info in hashes if isinstance(info, PictureInfo)}) == 2


def test_a_missing_picture_names_the_nearest_one(tmp_path: Path) -> None:
    Image.new("RGB", (4, 4)).save(tmp_path / "urchin.png")
    assert str(check_picture(tmp_path / "urchn.png", HERE)) == (
        "layouts/kelp/card.yaml:7:12: there is no picture 'urchn.png'; expected a PNG, JPEG, "
        "WebP or SVG file; did you mean 'urchin.png'? [missing-asset]"
    )
    assert str(check_picture(tmp_path / "no" / "x.png", HERE)) == (
        "layouts/kelp/card.yaml:7:12: there is no picture 'x.png'; expected a PNG, JPEG, "
        "WebP or SVG file [missing-asset]"
    )


@pytest.mark.parametrize("kind", ["png", "jpg", "webp"])
def test_a_truncated_picture_is_broken(tmp_path: Path, kind: str) -> None:
    path = tmp_path / f"half.{kind}"
    noise = bytes((i * 7919) % 251 for i in range(90 * 90 * 3))
    Image.frombytes("RGB", (90, 90), noise).save(path)
    data = path.read_bytes()
    path.write_bytes(data[: len(data) // 2])
    assert str(check_picture(path, HERE)) == (
        f"layouts/kelp/card.yaml:7:12: 'half.{kind}' is broken or not a picture; expected a "
        "whole PNG, JPEG or WebP; save it again [bad-picture]"
    )


def test_a_flipped_bit_and_a_text_are_broken_pictures(tmp_path: Path) -> None:
    path = tmp_path / "x.png"
    Image.new("RGB", (90, 90), "green").save(path)
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)
    assert code(check_picture(path, HERE)) == "bad-picture"
    path.write_text("not a picture at all")
    assert code(check_picture(path, HERE)) == "bad-picture"
    path.write_bytes(b"")
    assert code(check_picture(path, HERE)) == "bad-picture"


@pytest.mark.parametrize("side", [7072, 10000, 12000, 60000])
def test_a_small_file_of_many_pixels_is_refused_unopened(tmp_path: Path, side: int) -> None:
    path = tmp_path / "bomb.png"
    path.write_bytes(png_header(side, side))
    assert str(check_picture(path, HERE)) == (
        "layouts/kelp/card.yaml:7:12: 'bomb.png' has over 50 million pixels; expected fewer; "
        "scale it down [picture-too-large]"
    )


@pytest.mark.parametrize(
    ("name", "start", "kind"),
    [
        ("art.eps", b"%!PS-Adobe-3.0 EPSF-3.0", "an EPS file"),
        ("art.psd", b"8BPS\0\1", "a Photoshop file"),
        ("art.tif", b"II*\0", "a TIFF file"),
        ("art.png", b"MM\0*", "a TIFF file"),
        ("art.ico", b"\0\0\1\0", "a '.ico' file"),
        ("art", b"\0\0\1\0", "a file without an ending"),
    ],
)
def test_other_kinds_of_art_are_named(tmp_path: Path, name: str, start: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(start + bytes(64))
    assert str(check_picture(tmp_path / name, HERE)) == (
        f"layouts/kelp/card.yaml:7:12: '{name}' is {kind}; "
        "expected PNG, JPEG, WebP or SVG [picture-format]"
    )


@pytest.mark.parametrize(
    "value",
    [
        "../../.ssh/id",
        "art/../../x.png",
        "/etc/passwd",
        "C:\\x",
        "C:x.png",
        "\\\\srv\\x",
        "//srv/x",
        "%2e%2e/x.png",
        "art/%2E%2e/x.png",
        "file:///etc/passwd",
        "a\0b.png",
    ],
)
def test_a_path_out_of_the_project_is_refused(tmp_path: Path, value: str) -> None:
    assert inside(tmp_path, value, HERE) == Problem(
        HERE,
        "outside-project",
        f"'{value}' leads outside the project; expected a path inside it, such as 'art/x.png'",
    )


def test_a_link_out_of_the_project_is_refused(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret.png").write_text("x")
    (root / "link.png").symlink_to(tmp_path / "secret.png")
    (root / "up").symlink_to(tmp_path)
    (root / "gone.png").symlink_to(tmp_path / "not-there.png")
    for value in ("link.png", "up/secret.png", "gone.png"):
        assert inside(root, value, HERE) == Problem(
            HERE,
            "outside-project",
            f"'{value}' leads outside the project; expected a path inside it, such as "
            "'art/x.png'; a link in it points elsewhere",
        )


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    (tmp_path / "a.png").symlink_to(tmp_path / "b.png")
    (tmp_path / "b.png").symlink_to(tmp_path / "a.png")
    assert inside(tmp_path, "a.png", HERE) == Problem(
        HERE,
        "outside-project",
        "'a.png' cannot be followed; expected a file, not links that go in a circle",
    )


def test_a_path_in_the_project_is_found_even_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "art").mkdir()
    (tmp_path / "art" / "x.png").write_text("x")
    (tmp_path / "pictures").symlink_to(tmp_path / "art")
    real = tmp_path.resolve() / "art" / "x.png"
    assert inside(tmp_path, "art/x.png", HERE) == real
    assert inside(tmp_path, "pictures/x.png", HERE) == real
    assert inside(tmp_path, "art/none.png", HERE) == tmp_path.resolve() / "art" / "none.png"


def code(answer: PictureInfo | Problem) -> str:
    return answer.code if isinstance(answer, Problem) else ""


def png_header(width: int, height: int) -> bytes:
    head = b"IHDR" + struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunk = struct.pack(">I", 13) + head + struct.pack(">I", zlib.crc32(head))
    end = b"\0\0\0\0IEND" + struct.pack(">I", zlib.crc32(b"IEND"))
    return b"\x89PNG\r\n\x1a\n" + chunk + end
