from __future__ import annotations

import struct
import zlib
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from kitwright.fonts import SHIPPED, Fonts
from kitwright.ops import (
    Face,
    Fill,
    Group,
    Linear,
    Matrix,
    Op,
    Picture,
    Radial,
    Stroke,
    Use,
    Word,
    make_symbol,
)
from kitwright.ops import Path as Outline
from kitwright.write.encode import Encoder
from kitwright.write.encoded import EncodedFace
from kitwright.write.pictures import PictureData
from kitwright.write.png import Look, corner_alpha, pixel_size, raster, render_faces

FONTS = Fonts({name: font.path for name, font in SHIPPED.items()})
A_PIXEL_A_MM = 25.4
RED, GREEN, BLUE, BLACK, WHITE = "#ff0000", "#00ff00", "#0000ff", "#000000", "#ffffff"
LETTERS = {RED: "R", GREEN: "G", BLUE: "B", BLACK: "#", WHITE: ".", "#ff8080": "r", "#8080ff": "b"}


def rectangle(x: float, y: float, w: float, h: float) -> Outline:
    return (("M", x, y), ("L", x + w, y), ("L", x + w, y + h), ("L", x, y + h), ("Z",))


def a_face(*ops: Op, width: float = 8, height: float = 6, bleed: float = 0) -> EncodedFace:
    return Encoder(FONTS).encode(Face("deck/card", width, height, bleed, ops, "hash"))


def art(
    face: EncodedFace, pictures: dict[str, PictureData] | None = None, *, bleed: bool = False
) -> list[str]:
    """Rasterise a face at a pixel a millimetre and name the colours by letters."""
    image = raster(face, FONTS, pictures or {}, A_PIXEL_A_MM, bleed=bleed)
    colors = [f"#{image.pixels[at : at + 3].hex()}" for at in range(0, len(image.pixels), 3)]
    letters = [LETTERS.get(color, "?") for color in colors]
    rows = range(0, len(letters), image.width)
    return ["".join(letters[at : at + image.width]) for at in rows]


def test_a_fill_lies_where_its_path_says_from_the_top_left() -> None:
    assert art(a_face(Fill(rectangle(1, 2, 3, 2), RED))) == [
        "........",
        "........",
        ".RRR....",
        ".RRR....",
        "........",
        "........",
    ]


def test_an_even_odd_fill_leaves_a_hole() -> None:
    ring = rectangle(1, 1, 6, 4) + rectangle(3, 2, 2, 2)
    assert art(a_face(Fill(ring, RED, even_odd=True))) == [
        "........",
        ".RRRRRR.",
        ".RR..RR.",
        ".RR..RR.",
        ".RRRRRR.",
        "........",
    ]


def test_strokes_keep_their_own_width_color_caps_and_dashes() -> None:
    line: Outline = (("M", 2, 1), ("L", 6, 1))
    lower: Outline = (("M", 2, 3), ("L", 6, 3))
    lowest: Outline = (("M", 0, 5), ("L", 8, 5))
    ops = (
        Stroke(line, RED, 2),
        Stroke(lower, GREEN, 2, cap="square"),
        Stroke(lowest, BLUE, 2, dash=(2, 1)),
    )
    assert art(a_face(*ops)) == [
        "..RRRR..",
        "..RRRR..",
        ".GGGGGG.",
        ".GGGGGG.",
        "BB.BB.BB",
        "BB.BB.BB",
    ]


def test_the_bleed_is_cut_off_unless_asked_for() -> None:
    face = a_face(
        Fill(rectangle(-9, -9, 90, 90), RED), Fill(rectangle(0, 0, 2, 1), BLUE), width=4, height=2,
        bleed=1,
    )  # fmt: skip
    assert art(face) == ["BBRR", "RRRR"]
    assert art(face, bleed=True) == ["RRRRRR", "RBBRRR", "RRRRRR", "RRRRRR"]


def test_a_group_turns_mirrors_and_clips() -> None:
    corner = (Fill(rectangle(0, 0, 3, 1), RED), Fill(rectangle(0, 0, 1, 2), BLUE))
    half_turn: Matrix = (-1, 0, 0, -1, 8, 6)
    mirrored: Matrix = (-1, 0, 0, 1, 8, 0)
    ops = (
        Group(corner),
        Group(corner, matrix=half_turn),
        Group(corner, matrix=mirrored, clip=rectangle(0, 0, 2, 9)),
    )
    assert art(a_face(*ops)) == [
        "BRR...RB",
        "B......B",
        "........",
        "........",
        ".......B",
        ".....RRB",
    ]


def test_the_state_of_a_group_does_not_leak_out_of_it() -> None:
    ops = (
        Fill(rectangle(0, 0, 2, 1), RED),
        Group((Fill(rectangle(2, 0, 2, 1), BLUE),), matrix=(1, 0, 0, 1, 0, 1)),
        Fill(rectangle(4, 0, 2, 1), RED),
    )
    assert art(a_face(*ops, height=2)) == ["RR..RR..", "..BB...."]


def test_a_symbol_is_drawn_through_its_matrix_and_keeps_its_own_look() -> None:
    symbol = make_symbol((Stroke((("M", 0, 1), ("L", 2, 1)), RED, 2),), (0, 0, 2, 2))
    ops = (
        Stroke((("M", 0, 5), ("L", 8, 5)), BLUE, 2, dash=(1, 1)),
        Use(symbol),
        Use(symbol, (2, 0, 0, 1, 4, 2)),
    )
    assert art(a_face(*ops)) == [
        "RR......",
        "RR......",
        "....RRRR",
        "....RRRR",
        "B.B.B.B.",
        "B.B.B.B.",
    ]


def test_symbols_within_symbols_are_drawn() -> None:
    dot = make_symbol((Fill(rectangle(0, 0, 1, 1), RED),), (0, 0, 1, 1))
    pair = make_symbol((Use(dot), Use(dot, (1, 0, 0, 1, 2, 0))), (0, 0, 3, 1))
    assert art(a_face(Use(pair, (1, 0, 0, 1, 1, 1)), Use(pair), height=2)) == [
        "R.R.....",
        ".R.R....",
    ]


def test_a_single_op_fades() -> None:
    faded = Group((Fill(rectangle(1, 0, 2, 1), RED),), opacity=0.5)
    assert art(a_face(faded, Fill(rectangle(4, 0, 2, 1), RED), height=1)) == [".rr.RR.."]


def test_ops_that_fade_together_do_not_show_through_each_other() -> None:
    both = (Fill(rectangle(0, 0, 4, 1), RED), Fill(rectangle(2, 0, 4, 1), BLUE))
    assert art(a_face(Group(both, opacity=0.5), height=1)) == ["rrbbbb.."]


def test_a_symbol_fades_as_one_and_only_where_it_is_told_to() -> None:
    both = (Fill(rectangle(0, 0, 2, 1), RED), Fill(rectangle(1, 0, 2, 1), BLUE))
    symbol = make_symbol(both, (0, 0, 3, 1))
    ops = (Group((Use(symbol),), opacity=0.5), Use(symbol, (1, 0, 0, 1, 4, 0)))
    assert art(a_face(*ops, height=1)) == ["rbb.RBB."]


def test_opacity_multiplies_from_group_to_group_and_inside_symbols() -> None:
    faded = Group((Fill(rectangle(0, 0, 2, 1), BLACK),), opacity=0.5)
    symbol = make_symbol((faded,), (0, 0, 2, 1))
    face = a_face(Group((Use(symbol), faded), opacity=0.5), width=2, height=1)
    image = raster(face, FONTS, {}, A_PIXEL_A_MM)
    assert image.pixels[0] == pytest.approx(255 * (1 - 0.75 / 2), abs=2)


def test_nothing_of_a_group_with_no_opacity_is_seen() -> None:
    assert art(a_face(Group((Fill(rectangle(0, 0, 8, 1), RED),), opacity=0), height=1)) == ["." * 8]


def middles(face: EncodedFace) -> list[tuple[int, ...]]:
    """Return the colour in the middle of each millimetre of the first line."""
    image = raster(face, FONTS, {}, 10 * A_PIXEL_A_MM)
    start = 3 * 5 * image.width
    return [tuple(image.pixels[start + 30 * x + 15 :][:3]) for x in range(int(face.width))]


@pytest.mark.parametrize("in_symbol", [False, True])
def test_a_linear_gradient_runs_from_stop_to_stop_and_on_beyond(in_symbol: bool) -> None:
    gradient = Linear(2, 0, 6, 0, ((0, BLACK), (0.5, RED), (1, WHITE)))
    fill = Fill(rectangle(0, 0, 8, 1), gradient)
    op: Op = Use(make_symbol((fill,), (0, 0, 8, 1))) if in_symbol else fill
    colors = middles(a_face(op, height=1))
    reds, greens = [color[0] for color in colors], [color[1] for color in colors]
    assert reds == pytest.approx([0, 0, 64, 191, 255, 255, 255, 255], abs=8)
    assert greens == pytest.approx([0, 0, 0, 0, 64, 191, 255, 255], abs=8)


def test_hard_stops_give_a_hard_edge() -> None:
    gradient = Linear(0, 0, 8, 0, ((0, RED), (0.5, RED), (0.5, BLUE), (1, BLUE)))
    colors = middles(a_face(Fill(rectangle(0, 0, 8, 1), gradient), height=1))
    assert colors == [(255, 0, 0)] * 4 + [(0, 0, 255)] * 4


def test_a_radial_gradient_runs_outwards() -> None:
    gradient = Radial(4, 3, 3, ((0, RED), (0.5, RED), (0.51, BLUE), (1, BLUE)))
    rows = art(a_face(Fill(rectangle(0, 0, 8, 6), gradient)))
    assert rows[0] == "BBBBBBBB"
    assert rows[3][3:5] == "RR"
    assert rows[3][0] == rows[3][7] == "B"


def test_a_gradient_without_length_is_its_last_color() -> None:
    gradient = Linear(1, 1, 1, 1, ((0, RED), (1, BLUE)))
    assert art(a_face(Fill(rectangle(0, 0, 8, 1), gradient), height=1)) == ["BBBBBBBB"]


def picture_file(form: str, mode: str = "RGB") -> bytes:
    """Make a picture of two by two: red, blue / green, nothing."""
    picture = Image.new("RGBA", (2, 2))
    picture.putdata([(255, 0, 0, 255), (0, 0, 255, 255), (0, 255, 0, 255), (255, 255, 255, 0)])
    out = BytesIO()
    picture.convert(mode).save(out, form, lossless=True, quality=100)
    return out.getvalue()


@pytest.mark.parametrize(("form", "mode"), [("PNG", "RGB"), ("PNG", "RGBA"), ("WEBP", "RGBA")])
def test_a_picture_stands_upright_in_its_box(form: str, mode: str) -> None:
    pictures = {"abc": PictureData(picture_file(form, mode))}
    base = Fill(rectangle(0, 0, 8, 6), BLACK)
    rows = art(a_face(base, Picture(2.2, 1.2, 3.6, 3.6, "abc")), pictures)
    corners = rows[1][2] + rows[1][5] + rows[4][2] + rows[4][5]
    assert corners == ("RBG." if mode == "RGB" else "RBG#")
    assert rows[0] == rows[5] == "########"


def test_a_jpeg_is_passed_on_as_it_is_unless_it_lies_on_its_side() -> None:
    picture = Image.new("RGB", (16, 8), RED)
    picture.paste(BLUE, (8, 0, 16, 8))
    plain, turned = BytesIO(), BytesIO()
    picture.save(plain, "JPEG", quality=95, subsampling=0)
    exif = Image.Exif()
    exif[0x0112] = 6  # to be turned clockwise by the viewer
    picture.save(turned, "JPEG", quality=95, subsampling=0, exif=exif)
    upright, sideways = PictureData(plain.getvalue()), PictureData(turned.getvalue())
    assert upright.encoded.jpeg
    assert upright.encoded.data == plain.getvalue()
    assert (sideways.encoded.width, sideways.encoded.height) == (8, 16)
    image = raster(
        a_face(Picture(0, 0, 8, 6, "abc")), FONTS, {"abc": sideways}, A_PIXEL_A_MM
    )  # fmt: skip
    assert image.pixels[:3] > b"\xf0"
    assert image.pixels[-1] > 0xF0


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "I;16", "CMYK"])
def test_pictures_of_every_color_mode_are_shown(mode: str) -> None:
    gray = Image.new("L", (2, 2), 255)
    gray.putpixel((0, 0), 0)
    if mode == "I;16":
        picture = Image.frombytes(mode, (2, 2), b"\0\0\xff\xff\xff\xff\xff\xff")
    else:
        picture = gray.convert("RGB").convert(mode) if mode == "CMYK" else gray.convert(mode)
    out = BytesIO()
    picture.save(out, "JPEG" if mode == "CMYK" else "PNG")
    face = a_face(Picture(0, 0, 4, 4, "abc"), width=4, height=4)
    image = raster(face, FONTS, {"abc": PictureData(out.getvalue())}, A_PIXEL_A_MM)
    assert max(image.pixels[:3]) < 60
    assert min(image.pixels[-3:]) > 195


def test_words_stand_on_their_baseline_upright() -> None:
    face = a_face(Word(1, 5, "source-sans-pro-black", 16, BLACK, "L"), width=8, height=7)
    inked = [len(row) - row.count(".") for row in art(face)]
    assert inked[0] == inked[5] == inked[6] == 0
    assert 0 < inked[1] == inked[2] == inked[3] < inked[4]


def test_kerns_move_the_letters_that_follow() -> None:
    def right_edge(kerns: tuple[int, ...]) -> int:
        word = Word(0, 5, "source-sans-pro", 12, BLACK, "IIII", kerns)
        rows = raster(a_face(word, width=30), FONTS, {}, 10 * A_PIXEL_A_MM)
        row = rows.pixels[3 * rows.width * 40 : 3 * rows.width * 41]
        return max(at // 3 for at, value in enumerate(row) if value < 128)

    em = 12 * 25.4 / 72 * 10
    assert right_edge((1000, 500, 0, 0)) - right_edge(()) == pytest.approx(1.5 * em, abs=1)
    assert right_edge((0, 0, 0, 900)) == right_edge(())


def test_a_poker_card_has_the_pixels_that_printers_ask_for() -> None:
    assert pixel_size(63.5, 88.9, 300) == (750, 1050)
    assert pixel_size(63.5 + 6.35, 88.9 + 6.35, 300) == (825, 1125)


def chunks(data: bytes) -> dict[bytes, bytes]:
    found, at = {}, 8
    while at < len(data):
        (length,) = struct.unpack(">I", data[at : at + 4])
        kind, body = data[at + 4 : at + 8], data[at + 8 : at + 8 + length]
        assert data[at + 8 + length : at + 12 + length] == struct.pack(
            ">I", zlib.crc32(kind + body)
        )
        found[kind] = body
        at += 12 + length
    return found


def some_faces(count: int) -> list[EncodedFace]:
    return [a_face(Fill(rectangle(0, 0, index, 6), RED)) for index in range(1, count + 1)]


def test_png_files_are_the_same_with_any_number_of_workers(tmp_path: Path) -> None:
    faces = some_faces(7)
    done: list[int] = []
    for workers in (1, 2):
        targets = [tmp_path / str(workers) / "deck" / f"{i}.png" for i in range(7)]
        render_faces(
            faces, targets, FONTS, {}, look=Look(dpi=100), workers=workers, progress=done.append
        )
    assert sum(done) == 14
    for index in range(7):
        one, two = (tmp_path / name / "deck" / f"{index}.png" for name in ("1", "2"))
        assert one.read_bytes() == two.read_bytes()
        with Image.open(one) as image:
            assert image.size == pixel_size(8, 6, 100)
            assert image.mode == "RGB"
            assert image.info["dpi"] == pytest.approx((100, 100), abs=0.1)
            assert image.getpixel((0, 0)) == (255, 0, 0)


def test_a_png_shows_the_pixels_of_the_raster_with_and_without_pictures(tmp_path: Path) -> None:
    pictures = {"abc": PictureData(picture_file("PNG"))}
    with_picture = a_face(Picture(0, 0, 8, 6, "abc"))
    flat = a_face(Fill(rectangle(1, 1, 3, 3), RED))
    targets = [tmp_path / "a.png", tmp_path / "b.png"]
    render_faces([with_picture, flat], targets, FONTS, pictures, look=Look(dpi=50), workers=1)
    for face, target in zip((with_picture, flat), targets, strict=True):
        with Image.open(target) as image:
            assert image.tobytes() == raster(face, FONTS, pictures, 50).pixels
    filters = [zlib.decompress(chunks(target.read_bytes())[b"IDAT"])[0] for target in targets]
    assert filters == [2, 0]


def test_rounded_corners_are_see_through(tmp_path: Path) -> None:
    face = a_face(Fill(rectangle(0, 0, 8, 6), RED))
    target = tmp_path / "a.png"
    look = Look(dpi=A_PIXEL_A_MM, corner=3)
    render_faces([face], [target], FONTS, {}, look=look)
    with Image.open(target) as image:
        assert image.mode == "RGBA"
        assert image.getpixel((4, 3)) == (255, 0, 0, 255)
        alpha = [image.getchannel("A").crop((0, y, 8, y + 1)).tobytes() for y in range(6)]
    shown = ["".join(".+#"[(value > 0) + (value == 255)] for value in row) for row in alpha]
    assert shown == [
        ".++##++.",
        "+######+",
        "+######+",
        "+######+",
        "+######+",
        ".++##++.",
    ]


def test_a_corner_larger_than_the_card_makes_a_circle() -> None:
    touched = corner_alpha(99, 4, 4)
    assert {(x, y) for x, y, _ in touched} >= {(0, 0), (3, 3), (0, 3), (3, 0)}
    assert all(0 <= x < 4 and 0 <= y < 4 for x, y, _ in touched)


def test_no_faces_make_no_files(tmp_path: Path) -> None:
    render_faces([], [], FONTS, {}, look=Look())
    assert not list(tmp_path.iterdir())


def test_a_folder_that_cannot_be_written_is_told_by_the_workers(tmp_path: Path) -> None:
    (tmp_path / "0.png").mkdir()
    targets = [tmp_path / f"{index}.png" for index in range(4)]
    with pytest.raises(IsADirectoryError):
        render_faces(some_faces(4), targets, FONTS, {}, look=Look(dpi=30), workers=2)
