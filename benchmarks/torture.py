"""Builds that are killed, starved, locked out and lied to: `make torture`.

After every blow the kit in output/ must be the old one or the new one, whole: each file as
the manifest lists it, and all of them those of one build. Prints figures; leaves with 1 when
a kit was lost. Runs the real command, in a workspace of its own.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from hashlib import sha256
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from msgspec import Struct, field

ROOT = Path(__file__).resolve().parent.parent
GENERATOR = ROOT / "generator"
DISK = 64 * 1024 * 1024  # bytes of the small disk
MANIFEST = "manifest.json"
MOST_TRIES = 4  # for each build that is to be killed
Kit = dict[str, str]


class Edit(Struct, frozen=True):
    """A game, and a file of it that says one thing or another."""

    game: str
    file: str
    texts: tuple[str, str]


class Bench(Struct):
    """A workspace that is tortured, and the two kits that may be found in it."""

    root: Path
    edit: Edit
    kits: tuple[Kit, ...] = ()
    outcomes: Counter[str] = field(default_factory=Counter)
    lost: list[str] = field(default_factory=list)

    @property
    def output(self) -> Path:
        """Where the kit is."""
        return self.root / "output" / self.edit.game

    @property
    def cache(self) -> Path:
        """Where builds remember."""
        return self.root / ".kitwright" / "cache"

    def turn(self, which: int) -> None:
        """Let the file say the one thing or the other."""
        text = self.edit.texts[which]
        (self.root / self.edit.file).write_text(text, encoding="utf-8")

    def start(self, *words: str, limit: int | None = None) -> subprocess.Popen[str]:
        """Start the real command; `limit` is the size of the largest file it may write."""

        def starve() -> None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit or 0, limit or 0))

        return subprocess.Popen(
            [sys.executable, "-m", "kitwright", "build", self.edit.game, "--paper", "a4", *words],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(GENERATOR)},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            preexec_fn=starve if limit is not None else None,
        )

    def build(self, *words: str, limit: int | None = None) -> tuple[int, str]:
        """Run the command to its end; return its exit code and what it complained of."""
        process = self.start(*words, limit=limit)
        _, said = process.communicate()
        return process.returncode, said

    def prepare(self) -> None:
        """Build both kits clean, so that they are known; the first of them stands then."""
        kits = []
        for which in (1, 0):
            self.turn(which)
            shutil.rmtree(self.root / "output", ignore_errors=True)
            code, said = self.build("--no-cache")
            if code:
                raise SystemExit(f"the workspace does not build: {said}")
            kits.append(read_kit(self.output))
        self.kits = tuple(kits)

    def look(self, blow: str, wanted: Sequence[Kit] | None = None) -> None:
        """Note what stands after a blow."""
        try:
            found = read_kit(self.output)
            whole = found in (self.kits if wanted is None else wanted)
        except (OSError, ValueError) as error:
            whole, found = False, {"": str(error)}
        self.outcomes["kits whole" if whole else "kits lost"] += 1
        if not whole:
            self.lost.append(f"{blow}: {len(found)} files")

    def expect(self, blow: str, code: int, said: str, allowed: Sequence[int]) -> None:
        """Note an exit code; one that is not allowed, or a traceback, is a loss."""
        self.outcomes[f"exit {code}"] += 1
        if code not in allowed or "Traceback" in said:
            self.lost.append(f"{blow}: exit {code}: {said.strip()[-300:]}")

    def settle(self, blow: str) -> None:
        """Build to the end: the kit must be what a clean build gives, and nothing else be left."""
        code, said = self.build()
        self.expect(f"{blow}, then a build", code, said, (0,))
        self.look(f"{blow}, then a build", [self.kits[1 - self.which()]])
        left = [path.name for path in self.output.parent.iterdir() if path != self.output]
        if left:
            self.lost.append(f"{blow}: {', '.join(left)} was left")

    def which(self) -> int:
        """Tell what the file says now."""
        text = (self.root / self.edit.file).read_text(encoding="utf-8")
        return self.edit.texts.index(text)


def read_kit(folder: Path) -> Kit:
    """Return the hash of each file; raise ValueError where the manifest says otherwise."""
    found = {
        path.relative_to(folder).as_posix(): sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    listed = json.loads((folder / MANIFEST).read_bytes())["files"]
    if listed != {name: mark for name, mark in found.items() if name != MANIFEST}:
        raise ValueError("the manifest and the files differ")
    return found


def lay_workspace(root: Path) -> Edit:
    """Copy a real game to `root`, and choose the card of it that is edited."""
    game, file = "hard-wired", "components/hard-wired/circuits.yaml"
    shutil.copytree(ROOT / "components" / game, root / "components" / game)
    for name in (game, "shared"):
        shutil.copytree(ROOT / "layouts" / name, root / "layouts" / name)
    text = (root / file).read_text(encoding="utf-8")
    head, found, tail = text.rpartition("title: ")
    _, end, rest = tail.partition("\n")
    assert found
    return Edit(game, file, (text, f"{head}{found}Crossed{end}{rest}"))


def kill_often(bench: Bench, times: int, rng: Random) -> None:
    """Kill so many builds of one kit over the other with SIGKILL, half of them while they write.

    A build that is over before it is killed does not count, but is looked at as well.
    """
    took = {cold: _time_build(bench, cold) for cold in (True, False)}
    for turn in range(MOST_TRIES * times):
        bench.turn(turn % 2)
        cold = turn % 10 == 9  # then all has to be drawn, and there is more to interrupt
        if cold:
            shutil.rmtree(bench.cache, ignore_errors=True)
        process = bench.start()
        if turn % 2:
            _wait_for_writing(bench, process)
            time.sleep(rng.random() * took[cold] / 2)
        else:
            time.sleep(rng.random() * took[cold])
        alive = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.communicate()
        bench.outcomes["killed alive" if alive else "over before"] += 1
        bench.look(f"kill {turn}")
        if turn % 20 == 19:
            bench.settle(f"kill {turn}")
        if bench.outcomes["killed alive"] == times:
            break
    bench.settle("all kills")


def _time_build(bench: Bench, cold: bool) -> float:
    """Return how long a build of the other kit takes when nobody disturbs it."""
    if cold:
        shutil.rmtree(bench.cache, ignore_errors=True)
    bench.turn(1 - bench.which())
    start = time.monotonic()
    bench.build()
    return time.monotonic() - start


def _wait_for_writing(bench: Bench, process: subprocess.Popen[str]) -> None:
    """Wait until a build stages its files; what an earlier one left there is another folder."""
    staging = bench.output.with_name(f".{bench.edit.game}.staging")
    before = _inode(staging)
    while process.poll() is None and _inode(staging) in (0, before):
        time.sleep(0.001)


def _inode(folder: Path) -> int:
    try:
        return folder.stat().st_ino
    except OSError:
        return 0


def fill_disk(bench: Bench, points: int) -> None:
    """Leave so little room on a small disk that builds end at that many points."""
    shutil.rmtree(bench.cache, ignore_errors=True)
    old, new = bench.kits
    changed = [bench.output / name for name in old if old[name] != new.get(name)]
    need = sum(path.stat().st_size + 4096 for path in changed)  # the rest is linked
    for point in range(points):
        bench.turn(1 - point % 2)
        ballast = bench.root / "ballast"
        room = int(need * (point + 0.5) / points)
        _fill(ballast, _free(bench.root) - room)
        code, said = bench.build(*(("--no-cache",) if point % 3 else ()))
        bench.expect(f"{room} bytes free", code, said, (0, 3))
        bench.look(f"{room} bytes free")
        ballast.unlink()
        _no_leftovers(bench, f"{room} bytes free")
    _was_full(bench)
    bench.settle("a full disk")


def _was_full(bench: Bench) -> None:
    if not bench.outcomes["exit 3"]:
        bench.lost.append("the disk was never full")


def _free(folder: Path) -> int:
    status = os.statvfs(folder)
    return status.f_bavail * status.f_frsize


def _fill(path: Path, size: int) -> None:
    with path.open("wb") as file:
        for _ in range(max(size, 0) // 65536):
            file.write(bytes(65536))


def limit_files(bench: Bench, points: int) -> None:
    """Let no file grow beyond a size: the same fault as a full disk, at that many points."""
    largest = max(path.stat().st_size for path in bench.output.rglob("*") if path.is_file())
    for point in range(points):
        bench.turn(1 - point % 2)
        if point % 3 == 0:
            shutil.rmtree(bench.cache, ignore_errors=True)
        limit = int(largest * (point + 0.5) / points)
        code, said = bench.build(limit=limit)
        bench.expect(f"no file over {limit} bytes", code, said, (0, 3))
        bench.look(f"no file over {limit} bytes")
        _no_leftovers(bench, f"no file over {limit} bytes")
    _was_full(bench)
    bench.settle("files that could not grow")


def _no_leftovers(bench: Bench, blow: str) -> None:
    left = [path.name for path in bench.output.parent.iterdir() if path != bench.output]
    if left:
        bench.lost.append(f"{blow}: {', '.join(left)} was left")


def forbid_writing(bench: Bench, lock: Callable[[bool], None]) -> None:
    """Build where nothing may be written."""
    bench.turn(1 - bench.which())
    lock(True)
    try:
        code, said = bench.build()
    finally:
        lock(False)
    bench.expect("a read-only output", code, said, (3,))
    bench.look("a read-only output")
    bench.settle("a read-only output")


def race(bench: Bench, times: int) -> None:
    """Start two builds at once; one of them at least gets through."""
    for turn in range(times):
        bench.turn(turn % 2)
        if turn % 3 == 2:
            shutil.rmtree(bench.cache, ignore_errors=True)
        both = [bench.start(), bench.start(*(("--no-cache",) if turn % 2 else ()))]
        ends = [(process.communicate()[1], process.returncode) for process in both]
        for said, code in ends:
            bench.expect("two builds at once", code, said, (0, 3))
        if all(code for _, code in ends):
            bench.lost.append("two builds at once: neither got through")
        bench.look("two builds at once", [bench.kits[1 - turn % 2]])
        bench.settle("two builds at once")


def spoil_cache(bench: Bench, times: int, rng: Random) -> None:
    """Flip bits in every entry of the cache, and cut some short."""
    for turn in range(times):
        bench.turn(turn % 2)
        for path in sorted(bench.cache.glob("*/*")):
            raw = bytearray(path.read_bytes())
            for _ in range(1 + turn % 3):
                raw[rng.randrange(len(raw))] ^= 1 << rng.randrange(8)
            path.write_bytes(raw[: len(raw) // 2] if rng.random() < 0.2 else raw)
        code, said = bench.build()
        bench.expect("a spoilt cache", code, said, (0,))
        bench.look("a spoilt cache", [bench.kits[1 - turn % 2]])
    bench.settle("a spoilt cache")


@contextmanager
def small_disk(folder: Path) -> Iterator[str]:
    """Mount a small disk at `folder`; give the reason where that is not allowed."""
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "kitwright", str(folder)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        reason = done.stderr.strip() if done.returncode else ""
    except OSError as error:
        reason = str(error.strerror)
    try:
        yield reason or ""
    finally:
        if not reason:
            subprocess.run(["umount", str(folder)], check=True)


def lock_of(bench: Bench, mounted: bool) -> Callable[[bool], None] | str:
    """Return what makes the output read-only, or the reason why nothing does."""
    if mounted:

        def remount(locked: bool) -> None:
            how = f"remount,{'ro' if locked else 'rw'},size={DISK}"
            subprocess.run(["mount", "-o", how, str(bench.root)], check=True)

        return remount
    if os.geteuid() == 0:
        return "the super-user may write anywhere, and no disk can be mounted"
    return lambda locked: bench.output.parent.chmod(0o555 if locked else 0o755)


def report(name: str, bench: Bench) -> None:
    """Print the figures of one kind of blow."""
    told = ", ".join(f"{count} {what}" for what, count in sorted(bench.outcomes.items()))
    sys.stdout.write(f"{name:<44} {told}\n")
    sys.stdout.flush()
    bench.outcomes.clear()


def torture(bench: Bench, times: int, seed: int, unmounted: str) -> None:
    """Give every blow, `times` kills and the others in proportion."""
    rng = Random(seed)
    bench.prepare()
    kill_often(bench, times, rng)
    report(f"{times} times kill -9, seed {seed}", bench)
    points = max(times // 10, 2)
    if unmounted:
        sys.stdout.write(f"no small disk: {unmounted}; limiting the size of files instead\n")
        limit_files(bench, points)
    else:
        fill_disk(bench, points)
    report(f"a full disk at {points} points", bench)
    lock = lock_of(bench, not unmounted)
    if isinstance(lock, str):
        sys.stdout.write(f"a read-only output: left out, {lock}\n")
    else:
        forbid_writing(bench, lock)
        report("a read-only output", bench)
    race(bench, max(times // 20, 2))
    report(f"two builds at once, {max(times // 20, 2)} times", bench)
    spoil_cache(bench, max(times // 20, 2), rng)
    report(f"a spoilt cache, {max(times // 20, 2)} times", bench)


def main() -> None:
    """Read the command line, torture, and leave with 1 if a kit was lost."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    with ExitStack() as stack:
        home = Path(stack.enter_context(TemporaryDirectory()))
        unmounted = stack.enter_context(small_disk(home / "disk"))
        bench = Bench(home / "disk", lay_workspace(home / "disk"))
        torture(bench, given.kills, given.seed, unmounted)
    for line in bench.lost:
        sys.stdout.write(f"LOST: {line}\n")
    sys.stdout.write(f"{len(bench.lost)} kits lost or faults untold\n")
    sys.exit(1 if bench.lost else 0)


if __name__ == "__main__":
    main()
