from __future__ import annotations

import pickle
import struct
import unicodedata
from pathlib import Path

import pytest
import uharfbuzz as hb
from hypothesis import given
from hypothesis import strategies as st

from kitwright.fonts import SHIPPED, FontError, Fonts, Metrics, Shaped, check_font

SANS = "source-sans-pro"
FONTS = Fonts({name: font.path for name, font in SHIPPED.items()})


def font_file(kind: bytes, *tables: tuple[bytes, bytes]) -> bytes:
    """Build a font file of tables that no reader has to understand."""
    directory, body = b"", b""
    start = 12 + 16 * len(tables)
    for tag, data in tables:
        directory += struct.pack(">4s3I", tag, 0, start + len(body), len(data))
        body += data
    return kind + struct.pack(">4H", len(tables), 0, 0, 0) + directory + body


@pytest.mark.parametrize("name", SHIPPED)
def test_every_shipped_font_can_be_used_and_says_its_licence(name: str) -> None:
    assert check_font(SHIPPED[name].path) is None
    assert SHIPPED[name].licence == "SIL Open Font License 1.1"
    face = hb.Face(hb.Blob.from_file_path(str(SHIPPED[name].path)))
    terms = face.get_name(hb.OTNameIdPredefined.LICENSE)
    assert "SIL Open Font License, Version 1.1" in " ".join(terms.split())


def test_a_family_has_five_weights_upright_and_italic() -> None:
    assert len([name for name in SHIPPED if name.startswith("source-serif-pro")]) == 10
    assert SHIPPED["source-serif-pro-bold-italic"].path.name == "SourceSerifPro-BoldIt.ttf"


def test_a_word_is_as_wide_as_its_glyphs_and_kerns() -> None:
    shaped = FONTS.shape(SANS, "AVATAR")
    advances = sum(FONTS.advance(SANS, gid) for gid in FONTS.glyphs(SANS, "AVATAR"))
    assert shaped.width == pytest.approx(advances - 0.123)
    assert shaped.kerns == (-14, -14, -55, -40, 0, 0)


def test_no_text_has_no_width() -> None:
    assert FONTS.shape(SANS, "") == Shaped(0.0, ())


def test_a_word_without_kerning_pairs_has_no_kerns() -> None:
    assert FONTS.shape(SANS, "nnn").kerns == ()


@given(st.text("AVTWLofi.,-'Жкуéčő\u00a0", max_size=12))
def test_every_character_keeps_a_glyph_of_its_own(text: str) -> None:
    for font in (SANS, "fredoka-one"):
        assert len(FONTS.glyphs(font, text)) == len(text)
        assert len(FONTS.shape(font, text).kerns) in (0, len(text))


def test_ligatures_are_not_formed() -> None:
    assert FONTS.glyphs(SANS, "ffi") == (*FONTS.glyphs(SANS, "f") * 2, *FONTS.glyphs(SANS, "i"))
    assert FONTS.shape(SANS, "ffi").width > FONTS.shape(SANS, "ff").width


def test_missing_characters_are_listed_once_in_order() -> None:
    assert FONTS.missing(SANS, "Ω龍a🐉龍") == ("龍", "🐉")
    assert FONTS.missing(SANS, unicodedata.normalize("NFC", "Nguye\u0302\u0303n")) == ()


def test_a_hard_space_and_a_hard_hyphen_are_drawn_as_the_common_ones() -> None:
    assert FONTS.missing("fredoka-one", "a\u00a0b\u2011c") == ()
    assert FONTS.glyphs("fredoka-one", "\u00a0\u2011") == FONTS.glyphs("fredoka-one", " -")


def test_heights_are_in_em_and_positive() -> None:
    assert FONTS.metrics(SANS) == Metrics(0.984, 0.273, 0.66, 0.486)


def test_a_subset_keeps_the_numbers_of_its_glyphs() -> None:
    gids = FONTS.glyphs(SANS, "Hé")
    subset = FONTS.subset(SANS, gids)
    assert len(subset) < SHIPPED[SANS].path.stat().st_size / 20
    assert subset == FONTS.subset(SANS, reversed(gids))
    font = hb.Font(hb.Face(hb.Blob(subset)))
    for gid in gids:
        assert font.get_glyph_h_advance(gid) / 1000 == FONTS.advance(SANS, gid)
        assert font.get_glyph_extents(gid).width > 0
    (unused,) = FONTS.glyphs(SANS, "W")
    assert font.get_glyph_extents(unused).width == 0


def test_fonts_can_be_sent_to_a_worker() -> None:
    again = pickle.loads(pickle.dumps(FONTS))
    assert again.shape(SANS, "To") == FONTS.shape(SANS, "To")
    assert again.digest(SANS) == FONTS.digest(SANS) != FONTS.digest("fredoka-one")


def test_an_unknown_font_is_named() -> None:
    with pytest.raises(FontError) as caught:
        Fonts({"body": SHIPPED[SANS].path}).metrics("title")
    assert str(caught.value) == "font 'title' is not known; the theme has 'body'"


def test_a_font_that_cannot_be_used_is_refused_when_it_is_opened(tmp_path: Path) -> None:
    with pytest.raises(FontError) as caught:
        Fonts({"body": tmp_path / "a.ttf"}).metrics("body")
    assert (
        str(caught.value)
        == "font 'body': there is no file 'a.ttf'; expected a .ttf file of the game's folder"
    )


WHOLE = SHIPPED[SANS].path.read_bytes()
NEEDED = tuple((tag, b"\0" * 64) for tag in (b"cmap", b"head", b"hhea", b"hmtx", b"maxp"))
DAMAGED = "'a.ttf' is cut short or damaged; expected a whole .ttf file; copy it again"
EMOJI = (
    "'a.ttf' is a colour-emoji font without outlines; expected a font with outlines; "
    "use a PNG or SVG icon"
)


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "'a.ttf' is not a font; expected a .ttf file"),
        (b"A shopping list", "'a.ttf' is not a font; expected a .ttf file"),
        (WHOLE[:3], "'a.ttf' is not a font; expected a .ttf file"),
        (WHOLE[:5], DAMAGED),
        (WHOLE[:100], DAMAGED),
        (WHOLE[:-1000], DAMAGED),
        (font_file(b"\0\1\0\0", *NEEDED, (b"glyf", b""), (b"loca", b"")), DAMAGED),
        (
            font_file(b"OTTO", *NEEDED, (b"CFF ", b"")),
            "'a.ttf' has PostScript outlines; expected TrueType outlines; use a .ttf",
        ),
        (
            b"wOF2" + bytes(40),
            "'a.ttf' is a web font (woff); expected TrueType outlines; use a .ttf",
        ),
        (
            b"ttcf" + bytes(40),
            "'a.ttf' is a collection of fonts; expected a single font; use a .ttf",
        ),
        (font_file(b"\0\1\0\0", *NEEDED, (b"CBDT", b""), (b"CBLC", b"")), EMOJI),
        (
            font_file(b"\0\1\0\0", *NEEDED),
            "'a.ttf' has no TrueType outlines; expected a font with outlines; use a .ttf",
        ),
    ],
)
def test_a_bad_font_file_is_told_in_the_designers_words(
    tmp_path: Path, data: bytes, message: str
) -> None:
    path = tmp_path / "a.ttf"
    path.write_bytes(data)
    assert check_font(path) == message


def test_a_real_font_with_postscript_outlines_is_refused() -> None:
    path = SHIPPED[SANS].path.with_suffix(".otf")
    assert check_font(path) == (
        "'SourceSansPro-Regular.otf' has PostScript outlines; expected TrueType outlines; "
        "use a .ttf"
    )


def test_a_folder_is_not_a_font(tmp_path: Path) -> None:
    (tmp_path / "fonts").mkdir()
    assert check_font(tmp_path / "fonts") == "'fonts' is a folder; expected a .ttf file"


@pytest.mark.parametrize("cut", range(0, len(WHOLE), 7919))
def test_a_font_cut_anywhere_is_refused_without_a_crash(tmp_path: Path, cut: int) -> None:
    path = tmp_path / "a.ttf"
    path.write_bytes(WHOLE[:cut])
    assert check_font(path)
