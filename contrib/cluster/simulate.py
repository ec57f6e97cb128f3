#!/usr/bin/env python3
"""Runs refract-task over made archives, as a cluster would over a month of Common Crawl, and breaks tasks on purpose.

A server on this machine has the archives. Each is made when its task begins, and deleted when the task is done, so that a
run needs the space of --workers archives. An archive has pages of --pages in any order, each with a URL of its own, as
gzip members with a request in between. So the rows that each task has to write are known.

Of the tasks, --faults are broken in each of these ways:

  kill       the task and its programs are killed while refract reads, twice
  full       the disk of the output is full in the first attempt
  cut        the first download ends in the middle
  garbled    a byte of the first download is wrong
  busy       the server answers the first two requests with 503
  missing    the server has no such archive
  truncated  the archive itself ends in the middle of a record
  damaged    a byte of the archive itself is wrong
  twice      two attempts run at the same time
  again      the task is started again when it is done

At the end, each task must have its tables once, with the rows of all records that are not damaged; no others; and
again.csv must name what is damaged, and nothing else. Only the standard library is needed; with pyarrow, rows are also
counted by document.

exit status: 0; 1 if a task has other rows; 2 for usage.
"""

from __future__ import annotations

import argparse
import collections
import contextlib
import csv
import io
import json
import os
import queue
import random
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

FAULTS = ("kill", "full", "cut", "garbled", "busy", "missing", "truncated", "damaged", "twice", "again")
TASK = Path(__file__).with_name("refract-task")


class Page:
    """A page as the end of a gzip member: what is before it, its heading, differs in each archive."""

    def __init__(self, body: bytes):
        self.tail = body + b"\r\n\r\n"
        packer = zlib.compressobj(6, zlib.DEFLATED, -15)
        self.packed = packer.compress(self.tail) + packer.flush()
        self.size = len(body)
        self.rows = 0


def member(head: bytes, tail: bytes, packed: bytes) -> bytes:
    """A gzip member of head and tail: a stored block, then those of the tail as they are."""
    stored = b"\0" + struct.pack("<HH", len(head), len(head) ^ 0xFFFF) + head
    return b"\x1f\x8b\x08\0\0\0\0\0\0\x03" + stored + packed + struct.pack("<II", zlib.crc32(tail, zlib.crc32(head)), (len(head) + len(tail)) & 0xFFFFFFFF)


def response(url: str, page: Page) -> bytes:
    http = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n\r\n"
    head = f"WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http; msgtype=response\r\nContent-Length: {len(http) + page.size}\r\n\r\n"
    return member(head.encode() + http, page.tail, page.packed)


def request(url: str) -> bytes:
    http = f"GET {url} HTTP/1.1\r\nUser-Agent: CCBot/2.0\r\n\r\n"
    text = f"WARC/1.0\r\nWARC-Type: request\r\nWARC-Target-URI: {url}\r\nWARC-Date: 2026-11-01T00:00:00Z\r\nContent-Type: application/http; msgtype=request\r\nContent-Length: {len(http)}\r\n\r\n{http}\r\n\r\n".encode()
    return member(text, b"", b"\x03\0")


class Archive:
    """An archive, its faults, and the documents and rows that refract has to find in it."""

    def __init__(self, number: int, fault: str, path: Path, pages: list[Page], size: int):
        self.number, self.fault, self.path = number, fault, path
        self.requests = 0
        self.rows: dict[str, int] = {}
        self.lost: set[str] = set()
        self.bytes = self.plain = 0
        if fault == "missing":
            return
        rng = random.Random(number)
        members: list[tuple[int, str]] = []  # the middle of each page, and its URL
        with open(path, "wb") as f:
            while self.bytes < size:
                url = f"http://h{number:05d}.example/{len(members):07d}/"
                page = rng.choice(pages)
                self.bytes += f.write(request(url))
                data = response(url, page)
                self.bytes += f.write(data)
                members.append((self.bytes - 8 - len(page.packed) // 2, url))
                self.plain += page.size
                self.rows[url] = page.rows
        if fault in ("truncated", "damaged"):
            self.spoil(members, rng)

    def spoil(self, members: list[tuple[int, str]], rng: random.Random) -> None:
        """Cuts the archive, or changes a byte, in the middle of a page: its URL can still be read."""
        at = rng.randrange(len(members))
        middle, url = members[at]
        self.lost.add(url)
        if self.fault == "truncated":
            os.truncate(self.path, middle)
            for _, later in members[at + 1 :]:
                del self.rows[later]
            self.bytes = middle
            return
        with open(self.path, "r+b") as f:
            f.seek(middle)
            octet = f.read(1)
            f.seek(middle)
            f.write(bytes([octet[0] ^ 0x55]))

    def check(self, tables: Path) -> list[str]:
        """What is wrong in the tables of the task."""
        summary = json.loads((tables / "_refract.json").read_text())
        found, want = summary["counts"]["references"], sum(self.rows.values())
        again = list(csv.DictReader(io.StringIO((tables / "again.csv").read_text())))
        wrong = []
        if self.fault == "missing":
            if found or len(again) != 1:
                wrong.append(f"{found} rows and {len(again)} lines in again.csv for a missing archive")
        elif {a["url"] for a in again} != self.lost:
            wrong.append(f"again.csv has {[a['url'] for a in again]}, not {sorted(self.lost)}")
        least = want - sum(self.rows[u] for u in self.lost)
        if not least <= found <= want:
            wrong.append(f"{found} rows, not {least} to {want}")
        with contextlib.suppress(ImportError):
            wrong += self.compare(tables)
        return wrong

    def compare(self, tables: Path) -> list[str]:
        import pyarrow.compute as pc
        import pyarrow.dataset as ds

        column = ds.dataset(tables / "references", format="parquet").to_table(columns=["document"])["document"]
        counts = pc.value_counts(column.cast("string"))
        found = {c["values"]: c["counts"] for c in counts.to_pylist()}
        for url in self.lost:
            if found.pop(url, 0) > self.rows[url]:
                return [f"{url} has too many rows"]
        want = {u: n for u, n in self.rows.items() if n and u not in self.lost}
        return [] if found == want else [f"rows of {len(set(found.items()) ^ set(want.items()))} documents differ"]


class Server(ThreadingHTTPServer):
    """Serves the archives of the tasks that run, each with its fault."""

    daemon_threads = True
    archives: dict[str, Archive] = {}


class Handler(BaseHTTPRequestHandler):
    server: Server

    def log_message(self, *_: Any) -> None:
        pass

    def do_GET(self) -> None:
        archive = self.server.archives.get(self.path)
        if archive is None or archive.fault == "missing":
            self.send_error(404)
            return
        archive.requests += 1
        if archive.fault == "busy" and archive.requests <= 2:
            self.send_error(503)
            return
        first = archive.requests == 1
        self.send_response(200)
        self.send_header("Content-Length", str(archive.bytes))
        self.end_headers()
        with open(archive.path, "rb") as f, contextlib.suppress(OSError):
            if first and archive.fault == "cut":
                self.wfile.write(f.read(archive.bytes // 2))
            elif first and archive.fault == "garbled":
                data = bytearray(f.read())
                data[len(data) // 2] ^= 0x55
                self.wfile.write(data)
            else:
                shutil.copyfileobj(f, self.wfile, 1 << 20)
        self.close_connection = True


class Run:
    """Starts tasks as a scheduler does, each until it ends with status 0, and notes what that takes."""

    def __init__(self, o: argparse.Namespace, top: Path):
        self.o, self.top, self.out = o, top, Path(o.out) if o.out else top / "out"
        self.list = top / "warc.paths"
        self.list.write_text("".join(f"crawl/{n:05d}.warc.gz\n" for n in range(o.files)))
        self.server = Server(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        prefix = f"http://127.0.0.1:{self.server.server_port}/"
        self.env = {**os.environ, "REFRACT": os.path.abspath(o.refract), "PREFIX": prefix, "TASK_FILES": "1", "TMPDIR": str(top)}
        self.lock = threading.Lock()
        self.attempts: collections.Counter[str] = collections.Counter()
        self.tasks: collections.Counter[str] = collections.Counter()
        self.cpu: dict[str, float] = collections.defaultdict(float)
        self.clean: list[tuple[int, int, float, float]] = []  # bytes, plain bytes, processor time, wall time
        self.wrong: list[str] = []
        self.rows = 0

    def start(self, number: int, fault: str) -> subprocess.Popen[bytes]:
        command = [str(TASK), str(self.list), str(self.out), str(number)]
        if fault == "full":
            # A file system of its own, of which only this attempt knows.
            inner = 'mkdir -p "$0/.work" && mount -t tmpfs -o size=4k none "$0/.work" && exec "$@"'
            command = ["unshare", *([] if os.geteuid() == 0 else ["-r"]), "-m", "sh", "-c", inner, str(self.out), *command]
        log = open(self.top / "log", "ab")
        with log:
            return subprocess.Popen(command, env=self.env, start_new_session=True, stdout=log, stderr=log)

    def wait(self, process: subprocess.Popen[bytes]) -> tuple[int, float]:
        """The status of an attempt, and its processor time with that of its programs."""
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return process.returncode, usage.ru_utime + usage.ru_stime

    def kill(self, process: subprocess.Popen[bytes], number: int) -> None:
        """Kills an attempt while refract writes."""
        pattern = f"{number:06d}.*/.*part/references/*"
        while process.returncode is None and not any(self.out.glob(f".work/{pattern}")):
            if os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT):
                break
            time.sleep(0.01)
        time.sleep(random.uniform(0, self.o.bytes / 1e8))
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    def one(self, number: int, fault: str, pages: list[Page]) -> None:
        size = self.o.large if number >= self.o.files - self.o.larges else self.o.bytes
        archive = Archive(number, fault, self.top / f"{number:05d}.warc.gz", pages, size)
        self.server.archives[f"/crawl/{number:05d}.warc.gz"] = archive
        attempts, cpu, status, began = 0, 0.0, -1, time.monotonic()
        while status != 0 and attempts < 4:
            attempts += 1
            began = time.monotonic()
            process = self.start(number, fault if attempts == 1 else "")
            other = self.start(number, "") if fault == "twice" else None
            if fault == "kill" and attempts <= 2:
                self.kill(process, number)
            status, seconds = self.wait(process)
            cpu += seconds
            if other:
                attempts += 1
                second, seconds = self.wait(other)
                status, cpu = status or second, cpu + seconds
        wall = time.monotonic() - began
        if fault == "again":
            attempts += 1
            status, seconds = self.wait(self.start(number, ""))
            cpu += seconds
        with self.lock:
            self.note(archive, attempts, status, cpu, wall)
        archive.path.unlink(missing_ok=True)

    def note(self, archive: Archive, attempts: int, status: int, cpu: float, wall: float) -> None:
        fault = archive.fault or "none"
        self.tasks[fault] += 1
        self.attempts[fault] += attempts
        self.cpu[fault] += cpu
        if not archive.fault:
            self.clean.append((archive.bytes, archive.plain, cpu, wall))
        tables = self.out / "tasks" / f"{archive.number:06d}"
        if archive.fault == "full" and attempts < 2:
            self.wrong.append(f"task {archive.number}: its disk was not full")
        wrong = archive.check(tables) if status == 0 else [f"status {status} after {attempts} attempts"]
        self.wrong += [f"task {archive.number} ({fault}): {w}" for w in wrong]
        if status == 0:
            self.rows += json.loads((tables / "_refract.json").read_text())["counts"]["references"]

    def all(self, pages: list[Page]) -> None:
        faults = [f for f in FAULTS for _ in range(self.o.faults)]
        plain = [""] * (self.o.files - len(faults) - self.o.larges)
        order = faults + plain
        random.Random(1).shuffle(order)
        todo: queue.SimpleQueue[tuple[int, str]] = queue.SimpleQueue()
        for number, fault in enumerate(order + [""] * self.o.larges):
            todo.put((number, fault))

        def work() -> None:
            with contextlib.suppress(queue.Empty):
                while True:
                    number, fault = todo.get_nowait()
                    try:
                        self.one(number, fault, pages)
                    except Exception as e:  # a fault of this script: the others go on
                        self.wrong.append(f"task {number} ({fault}): {e!r}")

        threads = [threading.Thread(target=work) for _ in range(self.o.workers)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        names = sorted(p.name for p in (self.out / "tasks").iterdir())
        if names != [f"{n:06d}" for n in range(self.o.files)]:
            self.wrong.append(f"{len(names)} tasks have tables, not {self.o.files}")


def load(o: argparse.Namespace, top: Path) -> list[Page]:
    """The pages, with the number of rows that refract finds in each."""
    files = sorted(p for p in Path(o.pages).rglob("*") if p.suffix in (".html", ".htm"))
    pages = [Page(p.read_bytes()) for p in files]
    if not pages:
        sys.exit(f"simulate.py: no pages in {o.pages}")
    path = top / "pages.warc.gz"
    url = "http://h00000.example/{:07d}/"
    path.write_bytes(b"".join(response(url.format(n), page) for n, page in enumerate(pages)))
    lines = subprocess.run([o.refract, "-q", "--json", str(path)], stdout=subprocess.PIPE, check=True).stdout.splitlines()
    found = map(json.loads, lines)
    rows = collections.Counter(row["document"] for row in found if row["type"] == "reference")
    for n, page in enumerate(pages):
        page.rows = rows[url.format(n)]
    path.unlink()
    return pages


def report(o: argparse.Namespace, run: Run, wall: float) -> None:
    total = sum(run.cpu.values())
    print(f"{o.files} archives, {o.workers} at a time, {wall:.0f} s; {run.rows} rows; {sum(run.attempts.values())} attempts, {total:.0f} s of processor time")
    print(f"{'fault':10} {'tasks':>6} {'attempts':>9} {'processor time':>15}")
    for fault in ("none", *FAULTS):
        if run.tasks[fault]:
            print(f"{fault:10} {run.tasks[fault]:6} {run.attempts[fault]:9} {run.cpu[fault]:13.1f} s")
    for name, of in (("small", [c for c in run.clean if c[0] < o.large]), ("large", [c for c in run.clean if c[0] >= o.large])):
        if of:
            size, plain, cpu = (sum(c[i] for c in of) for i in range(3))
            print(f"{name}: {len(of)} whole archives of {size / len(of) / 1e6:.0f} MB ({plain / size:.1f} times that as pages): {cpu / size * 1e9:.1f} s of processor time for 1 GB, {max(c[3] for c in of):.0f} s of wall time at most")
    written = sum(p.stat().st_size for p in (run.out / "tasks").rglob("*.parquet"))
    print(f"written: {written / 1e6:.1f} MB, {written / max(run.rows, 1):.1f} bytes a row")
    left = sum(1 for _ in (run.out / ".work").iterdir())
    print(f"left in .work by what was killed: {left} directories")
    for w in run.wrong:
        print("wrong:", w)
    print("wrong tasks:", len(run.wrong))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--refract", required=True, metavar="PATH", help="the program")
    parser.add_argument("--pages", required=True, metavar="DIR", help="a directory of HTML pages, of which archives are made")
    parser.add_argument("--out", metavar="DIR", help="where the tables go, and stay (default: they are deleted)")
    parser.add_argument("--files", type=int, default=200, metavar="N", help="archives (%(default)s)")
    parser.add_argument("--bytes", type=int, default=1_000_000_000, metavar="N", help="size of each, compressed (%(default)s)")
    parser.add_argument("--larges", type=int, default=0, metavar="N", help="of the archives, the last N have another size (%(default)s)")
    parser.add_argument("--large", type=int, default=1_000_000_000, metavar="N", help="that size (%(default)s)")
    parser.add_argument("--faults", type=int, default=6, metavar="N", help="tasks that are broken, in each way (%(default)s)")
    parser.add_argument("--workers", type=int, default=2, metavar="N", help="tasks at a time (%(default)s)")
    o = parser.parse_args()
    if o.files < o.faults * len(FAULTS) + o.larges:
        parser.error(f"--files {o.files}: there are {o.faults * len(FAULTS)} faults and {o.larges} large archives")
    with tempfile.TemporaryDirectory(prefix="simulate-") as name:
        run = Run(o, Path(name))
        pages = load(o, Path(name))
        began = time.monotonic()
        run.all(pages)
        report(o, run, time.monotonic() - began)
        if run.wrong:
            print((Path(name) / "log").read_text()[-2000:], file=sys.stderr)
    return 1 if run.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
