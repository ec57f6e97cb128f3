"""Tests of the driver. REFRACT names the binary; pytest -m cluster needs CORPUS, too."""

from __future__ import annotations

import contextlib
import fcntl
import gzip
import json
import lzma
import os
import re
import shlex
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Iterator

import pytest

pyspark = pytest.importorskip("pyspark", reason="pyspark is not installed")
pq = pytest.importorskip("pyarrow.parquet", reason="pyarrow is not installed")
if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
    pytest.skip("there is no java", allow_module_level=True)
REFRACT = os.environ.get("REFRACT", "")
if not REFRACT:
    pytest.skip("REFRACT does not name a refract binary", allow_module_level=True)

import refract_spark
from refract_spark import Input

TESTDATA = Path(__file__).parents[2] / "testdata"
Rows = Counter  # of tuples: a multiset of rows


def spark(*args: Any) -> int:
    """Runs the driver in this process: a JVM for all tests."""
    return refract_spark.main(["--refract", REFRACT, "--master", "local[2]", *map(str, args)])


def table(path: Path, name: str = "") -> Rows:
    """What the driver wrote: of rows, those of the named tables."""
    return Counter(tuple(r.get(c) for c in refract_spark.ROW.names) for r in pq.read_table(path).to_pylist() if r["table"] in name.split())


def single(*specs: dict[str, str]) -> Rows:
    """What refract says of the same inputs on one machine, in the driver's columns."""
    lines = "".join(json.dumps(s) + "\n" for s in specs)
    out = subprocess.run([REFRACT, "--json", "--canonical", "--files-from", "-"], input=lines.encode(), capture_output=True, check=True).stdout
    found: Rows = Counter()
    for line in out.splitlines():
        row = json.loads(line)
        row["table"] = refract_spark.TABLES.get(row["type"])
        if row["table"]:
            found[tuple(row.get(c) for c in refract_spark.ROW.names)] += 1
    return found


def without(rows: Rows, name: str) -> Rows:
    at = refract_spark.ROW.names.index("input")
    return Counter({row: n for row, n in rows.items() if row[at] != name})


def spec(path: Any, **more: str) -> dict[str, str]:
    return {**refract_spark.text("path", str(path)), **refract_spark.text("name", str(path)), **more}


ALL = "edge note failure"


@pytest.fixture(scope="module")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's testdata, archives of some size, odd names, and what is to be left out."""
    top = tmp_path_factory.mktemp("tree") / "in"
    shutil.copytree(TESTDATA, top, ignore=shutil.ignore_patterns("resolve"))
    odd = top / "ein Tag in Köln"
    odd.mkdir()
    shutil.copy(top / "page.html", odd / 'so "ein" Häuschen.html')
    with open(os.path.join(os.fsencode(odd), b"caf\xe9.txt"), "wb") as f:
        f.write(b"http://www.example.org/caf\xe9 <http://www.example.org/\xe9>\n")
    (odd / ".hidden.txt").write_text("http://hidden.example/\n")
    (top / ".hidden").mkdir()
    shutil.copy(top / "letter.txt", top / ".hidden")
    (top / "odd.html").write_text("".join(f'<a href="{u}">x</a>\n' for u in ["http://[::1", "http://a b/", "//", "http://h:x/%", "http://u:p@H.Example:80/", "x:", "?"]))
    (top / "many.mbox").write_bytes((top / "list.mbox").read_bytes().rstrip(b"\n").join([b"", b"\n\n"]) * 50)
    (top / "broken.txt.gz").write_bytes(gzip.compress((top / "letter.txt").read_bytes())[:-20])
    crawl = (top / "crawl.warc").read_bytes()
    (top / "many.warc").write_bytes(crawl * 40)
    records = [b"WARC/" + r for r in re.split(rb"(?m)^WARC/(?=1\.\d\r\n)", crawl)[1:]]
    (top / "many.warc.gz").write_bytes(b"".join(map(gzip.compress, records)) * 40)
    return top


@pytest.fixture(scope="module", autouse=True)
def mounted(tree: Path) -> None:
    """viewfs://c/in is the tree, by Hadoop's configuration, which must be there before the JVM is."""
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--conf spark.ui.enabled=false --conf spark.hadoop.fs.viewfs.mounttable.c.link./in=file:{tree} pyspark-shell"


def specs(tree: Path) -> list[dict[str, str]]:
    return [spec(p) for p in refract_spark.walk(str(tree))]


def test_equal(tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """One machine, bundles, and archives that are cut say the same."""
    missing, twice, empty = tree / "missing.txt", tree / "many.mbox", tmp_path / "empty"
    empty.mkdir()
    inputs = [tree, missing, twice, empty]
    want = single(*specs(tree), spec(missing), spec(twice))
    assert len(want) > 100
    assert spark(*inputs, tmp_path / "a") == 0
    out, err = capfd.readouterr()
    assert re.search(r"\d+ edges, \d+ notes, 2 failures in ", out)
    assert f"failure: {missing}: " in err
    assert re.search(rf"(?m)^log: {missing}: refract: .*no such file", err)
    assert table(tmp_path / "a/rows", ALL) == want

    def derived() -> list[Rows]:
        return [Counter(tuple(r.items()) for r in pq.read_table(tmp_path / "a" / t).to_pylist()) for t in ("urls", "hosts")]

    # Again, in pieces, over what is there.
    before = derived()
    assert spark("--split-bytes", 20000, "--task-bytes", 5000, "--task-files", 3, *inputs, tmp_path / "a") == 0
    assert table(tmp_path / "a/rows", ALL) == want

    assert derived() == before

    names = refract_spark.ROW.names
    urls = Counter(r[names.index("canonical")] or r[names.index("canonical_b64")] for r in want.elements() if r[0] == "edge" and (r[names.index("url")] or r[names.index("url_b64")]))
    found = pq.read_table(tmp_path / "a/urls").to_pylist()
    assert {r["canonical"]: r["references"] for r in found} == urls
    hosts = {(r["source"], r["target"]): r["count"] for r in pq.read_table(tmp_path / "a/hosts").to_pylist()}
    assert hosts[("www.example.org", "lists.example.net")] > 40


def test_fetched(tree: Path, tmp_path: Path) -> None:
    """Inputs of other file systems are fetched, with those that are cut."""
    viewfs = "viewfs://c/in"
    handler = lambda *args: SimpleHTTPRequestHandler(*args, directory=str(tree))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    http = f"http://127.0.0.1:{server.server_port}"
    utf8 = [p for p in refract_spark.walk(str(tree)) if not p.endswith("\udce9.txt")]  # Java cannot name that one
    want = single(*[{"path": p, "name": viewfs + p[len(str(tree)) :]} for p in utf8], {"path": str(tree / "letter.txt"), "name": f"{http}/letter.txt", "url": "http://a.example/b/"})
    (tmp_path / "manifest").write_text(f"{http}/letter.txt\thttp://a.example/b/\n")
    assert spark("--split-bytes", 20000, "--task-bytes", 20000, "--manifest", tmp_path / "manifest", viewfs, viewfs + "/no*ne", tmp_path / "out") == 0
    server.shutdown()
    column = refract_spark.ROW.names.index("table")
    assert table(tmp_path / "out/rows", "edge note") == Counter({r: n for r, n in want.items() if r[column] != "failure"})
    failures = [dict(zip(refract_spark.ROW.names, r)) for r in table(tmp_path / "out/rows", "failure")]
    message = {f["input"]: f["message"] for f in failures}
    assert sorted(message) == [viewfs + "/broken.txt.gz", viewfs + "/no*ne"]
    assert "FileNotFoundException" in message[viewfs + "/no*ne"]
    assert "unexpected EOF" in message[viewfs + "/broken.txt.gz"]
    assert tempfile.gettempdir() not in message[viewfs + "/broken.txt.gz"]  # the copy's name differs from run to run


def test_manifest(tree: Path, tmp_path: Path) -> None:
    """A manifest's URLs are bases, and name the documents."""
    (tmp_path / "manifest").write_text(f"{tree}/letter.txt\thttp://a.example/b/c\n{tree}/notes.md\n{tree}/page.html\thttp://b.example/\n")
    want = single(spec(tree / "letter.txt", url="http://a.example/b/c"), spec(tree / "notes.md"), spec(tree / "page.html", url="http://b.example/"))
    assert spark("--manifest", tmp_path / "manifest", tmp_path / "out") == 0
    assert table(tmp_path / "out/rows", ALL) == want
    assert {r["source"] for r in pq.read_table(tmp_path / "out/hosts").to_pylist()} >= {"a.example", "b.example"}


def crashing(directory: Path, *texts: str) -> Path:
    """A refract that dies where its list has one of the texts, with its output written."""
    path = directory / "refract"
    texts = " ".join(f"-e {shlex.quote(t)}" for t in texts)
    path.write_text(f"""#!/bin/bash
for last; do :; done
{shlex.quote(REFRACT)} "$@" || exit
case "$*" in *--split*) exit ;; esac
grep -qF {texts} "$last" && kill -SEGV $$
exit 0
""")
    path.chmod(0o755)
    return path


def test_crash(tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """What ends refract is a failure; what was read with it is not lost, nor are the other
    ranges of an archive."""
    notes, crawl = tree / "notes.md", tree / "many.warc"
    split = subprocess.run([REFRACT, "--split", "8000", crawl], capture_output=True, check=True, text=True).stdout
    first, second, *more = [json.loads(line)["range"] for line in split.splitlines()]
    assert len(more) > 3
    broken = tree / "broken.txt.gz"
    rest = [s for s in specs(tree) if s.get("name") not in map(str, (notes, crawl, broken))]
    want = single(*rest, *[spec(crawl, range=r) for r in [first, *more]])
    assert spark("--refract", crashing(tmp_path, "notes.md", second), "--split-bytes", 8000, tree, tmp_path / "out") == 0
    failed = [dict(zip(refract_spark.ROW.names, row)) for row in table(tmp_path / "out/rows", "failure")]
    assert without(table(tmp_path / "out/rows", "edge note"), str(broken)) == want
    assert sorted(f["input"] for f in failed) == [str(broken), str(crawl), str(notes)]
    failed = [f for f in failed if f["input"] != str(broken)]
    assert all(f["message"].startswith("refract ended with signal 11") for f in failed)
    assert second in max(f["message"] for f in failed)
    assert f"failure: {notes}: refract ended with signal 11" in capfd.readouterr().err


def test_dry_run(tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert spark("--dry-run", "--split-bytes", 10000, "--task-bytes", 20000, tree, tmp_path / "out") == 0
    lines = capfd.readouterr().out.splitlines()
    size = sum(os.path.getsize(p) for p in refract_spark.walk(str(tree)))
    assert re.fullmatch(rf"{len(specs(tree))} inputs, {size} bytes, {len(lines) - 1} tasks, 3 of them to be cut into ranges of 10000 bytes", lines[-1])
    assert any(re.fullmatch(rf"\d+\t\d+ bytes\tto be cut\t{tree}/many.mbox", line) for line in lines)
    assert not (tmp_path / "out").exists()


def test_usage(tmp_path: Path) -> None:
    for args in ["out"], ["--buckets", "0", "x", "out"], ["--refract", tmp_path / "none", "x", "out"], ["s3a://bucket/x", tmp_path / "out"]:
        with pytest.raises(SystemExit) as e:
            spark(*args)
        assert e.value.code == 2


def test_bundle() -> None:
    a, b, c, big = Input("a", 3), Input("b", 3), Input("c", 3), Input("big", 90)
    cut = [Input("d", 9, range="x"), Input("d", 9, range="y")]
    assert refract_spark.bundle([], 6, 9) == []
    assert refract_spark.bundle([a, b, c], 6, 9) == [[a, b], [c]]
    assert refract_spark.bundle([a, b, c], 9, 2) == [[a, b], [c]]
    assert refract_spark.bundle([a, big, b, c], 6, 9) == [[a], [big], [b, c]]
    assert refract_spark.bundle([a, *cut, b], 60, 9) == [[a], [cut[0]], [cut[1]], [b]]


def test_make_room(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is in use stays; of the rest, the oldest goes first, and no more than needed."""
    for age, name in enumerate(["used", "old", "young"]):
        (tmp_path / name).mkdir()
        (tmp_path / f"{name}.lock").touch()
        os.utime(tmp_path / f"{name}.lock", (age, age))
    monkeypatch.setattr(shutil, "disk_usage", lambda path: SimpleNamespace(free=0 if (tmp_path / "old").exists() else 100))
    with open(tmp_path / "used.lock") as f:
        fcntl.flock(f, fcntl.LOCK_SH)
        refract_spark.make_room(str(tmp_path), 50)
    assert sorted(p.name for p in tmp_path.iterdir() if p.is_dir()) == ["used", "young"]


# On a standalone cluster of this machine: pytest -m cluster.


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[Path], Rows]:
    """The files of CORPUS, packed and unpacked, and what refract says of them on one machine."""
    source = os.environ.get("CORPUS")
    if not source:
        pytest.skip("CORPUS names no directory")
    top = tmp_path_factory.mktemp("corpus")
    for path in sorted(Path(source).iterdir()):
        if path.name.endswith(".tar.xz"):
            subprocess.run(["tar", "xJf", path, "-C", top], check=True)
        elif path.suffix == ".xz":
            (top / path.stem).write_bytes(lzma.open(path).read())
    tops = [Path(source), top]
    return tops, single(*[spec(p) for t in tops for p in refract_spark.walk(str(t))])


class Cluster:
    """A master and two workers of a core each, by Spark's own classes."""

    def __init__(self, directory: Path):
        with socket.socket() as s:
            s.bind(("127.0.0.1", 0))
            self.master = f"spark://127.0.0.1:{s.getsockname()[1]}"
        self.directory = directory
        self.processes: list[subprocess.Popen[bytes]] = []
        self.start("master.Master", "--port", self.master.rpartition(":")[2])
        for n in "1", "2":
            self.start("worker.Worker", "-c", "1", "-m", "2g", "-d", directory / n, self.master)

    def start(self, name: str, *args: Any) -> None:
        command = [os.path.join(os.path.dirname(pyspark.__file__), "bin", "spark-class"), "org.apache.spark.deploy." + name]
        with open(self.directory / f"{len(self.processes)}.log", "wb") as log:
            self.processes.append(subprocess.Popen([*command, "--host", "127.0.0.1", "--webui-port", "0", *args], stdout=log, stderr=log, start_new_session=True))

    def kill_worker(self, out: Path) -> None:
        """Once some tasks are done, ends a worker with its executor, as a machine ends."""
        while len(list(out.glob("rows/_temporary/0/task_*"))) < 3:
            time.sleep(0.05)
        os.killpg(self.processes[1].pid, signal.SIGKILL)

    def stop(self) -> None:
        for p in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
            p.wait()

    def run(self, *args: Any) -> str:
        """Runs the driver and gives what it logs."""
        submit = "--conf spark.executor.memory=1g --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 pyspark-shell"
        env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": submit}
        command = [sys.executable, refract_spark.__file__, "--master", self.master, "--task-bytes", "4000000", "--split-bytes", "1000000", *args]
        path = self.directory / "driver.log"
        with open(path, "wb") as log:
            status = subprocess.run([str(c) for c in command], env=env, stdout=log, stderr=log).returncode
        assert status == 0, path.read_text()
        return path.read_text()


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    c = Cluster(tmp_path)
    yield c
    c.stop()


@pytest.mark.cluster
def test_cluster(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    tops, want = corpus
    cluster.run("--refract", REFRACT, *tops, tmp_path / "out")
    assert difference(table(tmp_path / "out/rows", ALL), want) == []


@pytest.mark.cluster
def test_cluster_worker_killed(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    tops, want = corpus
    killer = threading.Thread(target=cluster.kill_worker, args=[tmp_path / "out"])
    killer.start()
    log = cluster.run("--refract", REFRACT, *tops, tmp_path / "out")
    killer.join()
    assert "Lost executor" in log
    assert difference(table(tmp_path / "out/rows", ALL), want) == []


@pytest.mark.cluster
def test_cluster_crash(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    tops, want = corpus
    victim = next(p for p in refract_spark.walk(str(tops[1])) if p.endswith(".html"))
    cluster.run("--refract", crashing(tmp_path, json.dumps(victim)), *tops, tmp_path / "out")
    found = table(tmp_path / "out/rows", ALL)
    assert difference(without(found, victim), without(want, victim)) == []
    (row,) = (found - want).elements()
    assert row[:2] == ("failure", victim)


def difference(found: Rows, want: Rows) -> list[Any]:
    """The first rows that only one of them has: pytest would take hours to compare them."""
    return [*(("found", r) for r in list((found - want).elements())[:5]), *(("wanted", r) for r in list((want - found).elements())[:5])]
