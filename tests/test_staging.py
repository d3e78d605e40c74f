from __future__ import annotations

import errno
import json
import multiprocessing
import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest

from kitwright.problems import MachineError
from kitwright.write import staging
from kitwright.write.staging import UnsafeOutputError, check_output, stage, write_manifest

GENERATOR = Path(__file__).parent.parent / "generator"
BUILD = """
import sys
from pathlib import Path
from kitwright.write.staging import stage
output, version, times = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
print("begin", flush=True)
for _ in range(times):
    with stage(output, replaces=["*"]) as staged:
        for number in range(30):
            path = staged.folder / f"part{number % 3}" / f"{number}.txt"
            path.parent.mkdir(exist_ok=True)
            path.write_text(version * 20_000)
        staged.seal(version)
print("end", flush=True)
"""


def snapshot(folder: Path) -> dict[str, str]:
    """Return the name and hash of every file below a folder, hidden ones as well."""
    return {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def run_and_kill(command: list[str], delay: float) -> bool:
    """Start a command, kill it `delay` seconds after its first line; tell whether it was alive."""
    process = subprocess.Popen(
        command,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(GENERATOR)},
        start_new_session=True,
    )
    assert process.stdout is not None
    with process.stdout:
        process.stdout.readline()
        time.sleep(delay)
        alive = process.poll() is None
        os.kill(process.pid, signal.SIGKILL)
    process.wait()
    return alive


def build(output: Path, version: str, times: int = 1) -> list[str]:
    return [sys.executable, "-c", BUILD, str(output), version, str(times)]


def make_kit(output: Path, **files: str) -> None:
    with stage(output) as staged:
        for name, text in files.items():
            (staged.folder / f"{name}.txt").write_text(text)
        staged.seal("1")


def texts(folder: Path) -> dict[str, str]:
    return {
        path.relative_to(folder).as_posix(): path.read_text()
        for path in sorted(folder.rglob("*.txt"))
    }


def test_a_kit_appears_whole_and_nothing_else_stays(tmp_path: Path) -> None:
    output = tmp_path / "output" / "kelp-run"
    with stage(output) as staged:
        (staged.folder / "a.txt").write_text("a")
        assert not output.exists()
        assert staged.folder.parent == output.parent
    assert texts(output) == {"a.txt": "a"}
    assert [path.name for path in output.parent.iterdir()] == ["kelp-run"]


def test_what_a_command_does_not_make_is_carried_over(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    make_kit(output, kept="old", remade="old")
    (output / "deep").mkdir()
    (output / "deep" / "x.txt").write_text("x")
    (output / "link").symlink_to("kept.txt")
    inode = (output / "kept.txt").stat().st_ino
    make_kit(output, remade="new")
    assert texts(output) == {"deep/x.txt": "x", "kept.txt": "old", "remade.txt": "new"}
    assert (output / "kept.txt").stat().st_ino == inode
    assert (output / "link").readlink() == Path("kept.txt")
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


def test_what_a_command_used_to_make_is_dropped_when_it_says_so(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    make_kit(output, a="old", b="old")
    (output / "images").mkdir()
    (output / "images" / "gone.txt").write_text("old")
    with stage(output, replaces=["images/*", "a*"]) as staged:
        (staged.folder / "c.txt").write_text("new")
    assert texts(output) == {"b.txt": "old", "c.txt": "new"}


def test_a_file_may_take_the_place_of_a_folder(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    (output / "a.txt").mkdir(parents=True)
    (output / "a.txt" / "inner.txt").write_text("old")
    make_kit(output, a="new")
    assert texts(output) == {"a.txt": "new"}


def test_the_manifest_lists_every_file_with_its_hash(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    make_kit(output, a="one")
    first = (output / "manifest.json").stat().st_ino
    with stage(output) as staged:
        (staged.folder / "é.txt").write_text("two")
        staged.seal("2f")
    manifest = (output / "manifest.json").read_text(encoding="utf-8")
    assert json.loads(manifest) == {
        "version": "2f",
        "files": {
            "a.txt": sha256(b"one").hexdigest(),
            "é.txt": sha256(b"two").hexdigest(),
        },
    }
    assert (output / "manifest.json").stat().st_ino != first
    write_manifest(output, "2f")
    assert (output / "manifest.json").read_text(encoding="utf-8") == manifest


@pytest.mark.parametrize("fault", [KeyboardInterrupt, ValueError, MachineError])
def test_a_build_that_fails_leaves_the_old_kit_and_no_trace(
    tmp_path: Path, fault: type[BaseException]
) -> None:
    output = tmp_path / "kit"
    make_kit(output, a="old")
    before = snapshot(tmp_path)

    def fail() -> None:
        with stage(output) as staged:
            (staged.folder / "a.txt").write_text("new")
            raise fault

    with pytest.raises(fault):
        fail()
    assert snapshot(tmp_path) == before


def test_a_first_build_that_fails_leaves_no_folder_behind(tmp_path: Path) -> None:
    def fail() -> None:
        with stage(tmp_path / "output" / "deep" / "kit"):
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        fail()
    assert not list(tmp_path.iterdir())


def test_a_second_build_is_told_who_is_writing(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    with stage(output), pytest.raises(MachineError) as caught, stage(output):
        pytest.fail("two builds were let in")
    assert str(caught.value) == f"busy: another build (pid {os.getpid()}) is writing 'kit'"


def test_builds_of_two_games_do_not_wait_for_each_other(tmp_path: Path) -> None:
    with stage(tmp_path / "one") as one, stage(tmp_path / "two") as two:
        (one.folder / "1.txt").write_text("1")
        (two.folder / "2.txt").write_text("2")
    assert texts(tmp_path) == {"one/1.txt": "1", "two/2.txt": "2"}


def hold_for_ever(output: Path, ready: Callable[[], None]) -> None:
    with stage(output) as staged:
        (staged.folder / "half.txt").write_text("half")
        worker = multiprocessing.get_context("fork").Process(target=time.sleep, args=(60,))
        worker.start()
        sys.stdout.flush()
        ready()
        time.sleep(60)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_the_lock_of_a_killed_build_is_free_though_its_workers_live(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    make_kit(output, a="old")
    context = multiprocessing.get_context("fork")
    ready = context.Event()
    build_process = context.Process(target=hold_for_ever, args=(output, ready.set))
    build_process.start()
    assert ready.wait(20)
    children = worker_pids(build_process.pid or 0)
    try:
        with pytest.raises(MachineError) as caught, stage(output):
            pytest.fail("two builds were let in")
        assert (
            str(caught.value) == f"busy: another build (pid {build_process.pid}) is writing 'kit'"
        )
        build_process.kill()
        build_process.join()
        assert all(Path(f"/proc/{pid}").exists() for pid in children)
        make_kit(output, b="new")
    finally:
        for pid in children:
            os.kill(pid, signal.SIGKILL)
    assert texts(tmp_path) == {"kit/a.txt": "old", "kit/b.txt": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


def worker_pids(parent: int) -> list[int]:
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text()
    return [int(pid) for pid in listed.split()]


def test_kill_at_any_moment_leaves_the_old_kit_or_the_new_one(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    kits = []
    for version in ("a", "b"):
        subprocess.run(
            build(output, version), check=True, env={**os.environ, "PYTHONPATH": str(GENERATOR)},
            stdout=subprocess.DEVNULL,
        )  # fmt: skip
        kits.append(snapshot(output))
    rng, killed = Random(7), 0
    for attempt in range(30):
        killed += run_and_kill(build(output, "ab"[attempt % 2], 50), rng.uniform(0, 0.06))
        assert snapshot(output) in kits, f"attempt {attempt}"
    assert killed == 30
    make_kit(output)
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_full_disk_leaves_the_old_kit_and_no_trace(tmp_path: Path) -> None:
    output = tmp_path / "kit"
    make_kit(output, a="old")
    before = snapshot(tmp_path)

    def fill() -> None:
        with stage(output) as staged:
            (staged.folder / "a.txt").write_bytes(bytes(100_000))

    with largest_file(50_000), pytest.raises(MachineError) as caught:
        fill()
    assert str(caught.value) == (
        "the disk is full: 'kit' could not be written; it is as it was before"
    )
    assert snapshot(tmp_path) == before


def test_a_fault_of_the_disk_names_the_file(tmp_path: Path) -> None:
    output = tmp_path / "kit"

    def fail() -> None:
        with stage(output) as staged:
            (staged.folder / "missing" / "a.txt").write_text("a")

    with pytest.raises(MachineError) as caught:
        fail()
    assert str(caught.value) == (
        f"'{tmp_path}/.kit.staging/missing/a.txt' cannot be written: no such file or directory; "
        "'kit' is as it was before"
    )


def test_a_missing_input_is_not_taken_for_a_fault_of_the_disk(tmp_path: Path) -> None:
    def fail() -> None:
        with stage(tmp_path / "kit"):
            (tmp_path / "picture.png").read_bytes()

    with pytest.raises(FileNotFoundError):
        fail()


def test_a_place_that_cannot_be_written_is_told_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(MachineError) as caught, stage(tmp_path / "file" / "kit"):
        pytest.fail("work began")
    assert str(caught.value) == f"folder '{tmp_path}/file' cannot be written: file exists"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write anywhere")
def test_a_read_only_folder_is_told_before_any_work(tmp_path: Path) -> None:
    tmp_path.chmod(0o555)
    with pytest.raises(MachineError) as caught, stage(tmp_path / "kit"):
        pytest.fail("work began")
    assert str(caught.value) == f"folder '{tmp_path}' cannot be written: permission denied"


def no_exchange(_new: Path, _output: Path) -> bool:
    return False


def test_without_exchange_the_old_kit_is_renamed_aside(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(staging, "_exchange", no_exchange)
    output = tmp_path / "kit"
    make_kit(output, a="old", b="old")
    make_kit(output, b="new")
    assert texts(tmp_path) == {"kit/a.txt": "old", "kit/b.txt": "new"}
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


@pytest.mark.parametrize("step", [1, 2, 3])
def test_a_kill_while_renaming_aside_is_repaired_at_the_next_start(
    tmp_path: Path, step: int
) -> None:
    output = tmp_path / "kit"
    make_kit(output, a="old")
    new = tmp_path / ".kit.staging"
    new.mkdir()
    (new / "a.txt").write_text("new")
    aside = tmp_path / ".kit.old"
    if step >= 2:
        output.rename(aside)
    if step >= 3:
        new.rename(output)
    (tmp_path / ".kit.lock").write_text("4194304\n")
    make_kit(output, b="b")
    assert texts(tmp_path) == {"kit/a.txt": "new" if step == 3 else "old", "kit/b.txt": "b"}
    assert [path.name for path in tmp_path.iterdir()] == ["kit"]


def test_a_file_system_without_hard_links_gets_copies(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EPERM, "no links here")

    output = tmp_path / "kit"
    make_kit(output, a="old")
    monkeypatch.setattr(os, "link", refuse)
    make_kit(output, b="new")
    assert texts(output) == {"a.txt": "old", "b.txt": "new"}


def test_an_output_folder_that_is_a_link_is_filled_where_it_points(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "kit").symlink_to("real")
    make_kit(tmp_path / "kit", a="new")
    assert (tmp_path / "kit").is_symlink()
    assert texts(tmp_path / "real") == {"a.txt": "new"}


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("/", "output folder '/' is the whole disk; choose another"),
        ("{home}", "output folder '{home}' is or holds your home folder; choose another"),
        ("{home}/..", "output folder '{home}/..' is or holds your home folder; choose another"),
        ("{root}/.git/x", "output folder '{root}/.git/x' lies in '.git'; choose another"),
        (
            "{root}/components",
            "output folder '{root}/components' would overwrite 'components'; choose another",
        ),
        (
            "{root}/components/kelp-run",
            "output folder '{root}/components/kelp-run' would overwrite 'components'; "
            "choose another",
        ),
        ("{root}", "output folder '{root}' would overwrite 'components'; choose another"),
        ("{root}/alias", "output folder '{root}/alias' would overwrite 'layouts'; choose another"),
        ("{root}/file", "output folder '{root}/file' is a file; choose another"),
    ],
)
def test_places_where_no_kit_may_go_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, output: str, message: str
) -> None:
    root, home = tmp_path / "work", tmp_path / "people" / "ada"
    for folder in (root / "components", root / "layouts", root / ".git", home):
        folder.mkdir(parents=True)
    (root / "alias").symlink_to("layouts")
    (root / "file").write_text("")
    monkeypatch.setenv("HOME", str(home))
    sources = [root / "components", root / "layouts"]
    before = snapshot(tmp_path)
    target = Path(output.format(root=root, home=home))
    with pytest.raises(UnsafeOutputError) as caught, stage(target, sources=sources):
        pytest.fail("work began")
    assert str(caught.value) == message.format(root=root, home=home)
    assert snapshot(tmp_path) == before
    check_output(root / "output" / "kelp-run", sources)
