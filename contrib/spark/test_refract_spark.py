"""Tests of the driver. REFRACT names the binary; pytest -m cluster needs CORPUS, too."""

from __future__ import annotations

import base64
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
from concurrent.futures import ThreadPoolExecutor
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
EDGES = refract_spark.FIELDS.split(",")
COLUMNS = {"edges": [*EDGES, "input_bytes", "raw_bytes"], "notes": ["input", "input_bytes", "member", "line", "column", "offset", "length", "message", "code", "not_read"], "failures": ["input", "input_bytes", "member", "offset", "message"]}
ALL = ("edges", "notes", "failures")


def spark(*args: Any) -> int:
    """Runs the driver in this process: a JVM for all tests."""
    return refract_spark.main(["--refract", REFRACT, "--master", "local[2]", *map(str, args)])


def read(path: Path) -> list[dict[str, Any]]:
    """The rows of a directory of Parquet files. No file may be hidden in it, nor named by no entry."""
    return pq.read_table(path, partitioning=None).to_pylist()


def table(out: Path, *names: str) -> Rows:
    """What the driver wrote: the rows of tables, each with the name of its table in front."""
    found: Rows = Counter()
    for name in names or ALL:
        for row in read(out / name):
            if name == "edges" and (row["url"] or "").startswith("data:") and len(row["url"]) > 2048:
                row["url"] = None  # --json cuts it
            found[(name, *(row.get(c) for c in COLUMNS[name]))] += 1
    return found


def single(*specs: dict[str, str]) -> Rows:
    """What refract --json says of the same inputs on one machine, in the driver's columns."""
    lines = "".join(json.dumps(s) + "\n" for s in specs)
    out = subprocess.run([REFRACT, "--json", "--canonical", "--files-from", "-"], input=lines.encode(), capture_output=True, check=True).stdout
    found: Rows = Counter()
    for line in out.splitlines():
        row = json.loads(line)
        name = {"reference": "edges", "note": "notes", "error": "failures"}.get(row["type"])
        if name:
            if row.get("truncated"):
                row["url"] = None  # a data: URL: see table
            row.update({k.removesuffix("_b64") + "_bytes": base64.b64decode(v) for k, v in row.items() if k.endswith("_b64")})
            found[(name, *(row.get(c) for c in COLUMNS[name]))] += 1
    return found


def without(rows: Rows, name: str) -> Rows:
    return Counter({row: n for row, n in rows.items() if row[1 + COLUMNS[row[0]].index("input")] != name})


def spec(path: Any, **more: str) -> dict[str, str]:
    return {**refract_spark.text("path", str(path)), **refract_spark.text("name", str(path)), **more}


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
    os.environ["PYSPARK_SUBMIT_ARGS"] = f"--conf spark.ui.enabled=false --conf spark.hadoop.fs.viewfs.mounttable.c.link./in=file:{tree} --conf spark.hadoop.fs.viewfs.mounttable.c.link./remote=file:{tree.parent}/remote pyspark-shell"


def specs(tree: Path) -> list[dict[str, str]]:
    return [spec(p) for p in refract_spark.walk(str(tree))]


def test_equal(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """One machine, bundles, archives that are cut, and joined files say the same."""
    missing, twice, empty = tree / "missing.txt", tree / "many.mbox", tmp_path / "empty"
    empty.mkdir()
    inputs = [tree, missing, twice, empty]
    want = single(*specs(tree), spec(missing), spec(twice))
    assert len(want) > 100
    tables = "edges,notes,failures,urls,hosts,domains"
    assert spark("--tables", tables, *inputs, tmp_path / "a") == 0
    out, err = capfd.readouterr()
    assert re.search(r"\d+ edges, \d+ notes, 2 failures in ", out)
    assert re.search(rf"(?m)^failure: {missing}: .*no such file", err)
    assert difference(table(tmp_path / "a"), want) == []

    def derived() -> list[Rows]:
        return [Counter(tuple(r.items()) for r in read(tmp_path / "a" / t)) for t in ("urls", "hosts", "domains")]

    # Again, in pieces, over what is there.
    before = derived()
    monkeypatch.setattr(refract_spark, "SMALL", -1)  # Spark counts, not one task
    assert spark("--tables", tables, "--split-bytes", 20000, "--task-bytes", 5000, "--task-files", 3, "--compact", "always", *inputs, tmp_path / "a") == 0
    assert difference(table(tmp_path / "a"), want) == []
    assert [p.name.partition("-")[0] for p in (tmp_path / "a/edges").iterdir()] == ["joined"]
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["_SUCCESS", "_manifest", "_plan.json", *sorted(tables.split(","))]
    assert derived() == before

    canonical = 1 + EDGES.index("canonical")
    urls = Counter(r[canonical] for r in want.elements() if r[0] == "edges" and r[canonical] is not None)
    assert {r["canonical"]: r["references"] for r in read(tmp_path / "a/urls")} == urls
    hosts = {(r["source"], r["target"]): r["references"] for r in read(tmp_path / "a/hosts")}
    assert hosts[("www.example.org", "lists.example.net")] > 40
    assert ("example.org", "example.net") in {(r["source"], r["target"]) for r in read(tmp_path / "a/domains")}


def test_tables(tree: Path, tmp_path: Path) -> None:
    """Only what is asked for is there, with its columns even if it has no rows; edges by bucket and by date."""
    page, crawl = tree / "page.html", tree / "crawl.warc"
    assert spark("--tables", "urls,failures", page, tmp_path / "a") == 0
    assert sorted(p.name for p in (tmp_path / "a").iterdir()) == ["_SUCCESS", "_manifest", "_plan.json", "failures", "urls"]
    assert read(tmp_path / "a/failures") == [] and "message" in pq.read_table(tmp_path / "a/failures").schema.names
    assert len(read(tmp_path / "a/urls")) > 3

    fields = "document,url,status"
    assert spark("--tables", "edges", "--fields", fields, crawl, tmp_path / "b") == 0
    flat = read(tmp_path / "b/edges")
    assert list(flat[0]) == fields.split(",") and flat[0]["status"] == 200
    for how, directory in (("bucket:4", r"bucket=[0-3]"), ("date", r"date=\d{4}-\d\d-\d\d")):
        out = tmp_path / how.partition(":")[0]
        assert spark("--tables", "edges", "--fields", fields, "--partition", how, crawl, out) == 0
        found = [(d.name, f) for d in (out / "edges").iterdir() if d.is_dir() for f in d.glob("*.parquet")]
        assert found and all(re.fullmatch(directory, d) for d, _ in found)
        rows = [r for _, f in found for r in read(f)]
        assert Counter((r["document"], r["url"], r["status"]) for r in rows) == Counter(tuple(r.values()) for r in flat)


def test_fetched(tree: Path, tmp_path: Path) -> None:
    """Inputs of other file systems are fetched, with those that are cut; tables go there, too."""
    viewfs = "viewfs://c/in"
    handler = lambda *args: SimpleHTTPRequestHandler(*args, directory=str(tree))
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    http = f"http://127.0.0.1:{server.server_port}"
    utf8 = [p for p in refract_spark.walk(str(tree)) if not p.endswith("\udce9.txt")]  # Java cannot name that one
    want = single(*[{"path": p, "name": viewfs + p[len(str(tree)) :]} for p in utf8], {"path": str(tree / "letter.txt"), "name": f"{http}/letter.txt", "url": "http://a.example/b/"})
    with gzip.open(tmp_path / "wat.paths.gz", "wt") as f:
        f.write("letter.txt\thttp://a.example/b/\n")
    (tree.parent / "remote").mkdir()
    out = "viewfs://c/remote/out"
    assert spark("--split-bytes", 20000, "--task-bytes", 20000, "--compact", "always", "--manifest", tmp_path / "wat.paths.gz", "--prefix", http + "/", viewfs, viewfs + "/no*ne", out) == 0
    server.shutdown()
    here = tree.parent / "remote/out"
    assert difference(table(here, "edges", "notes"), Counter({r: n for r, n in want.items() if r[0] != "failures"})) == []
    assert not (here / "_work").exists() and (here / "_SUCCESS").exists()
    message = {f["input"]: f["message"] for f in read(here / "failures")}
    assert sorted(message) == [viewfs + "/broken.txt.gz", viewfs + "/no*ne"]
    assert "FileNotFoundException" in message[viewfs + "/no*ne"]
    assert "unexpected EOF" in message[viewfs + "/broken.txt.gz"]
    assert tempfile.gettempdir() not in message[viewfs + "/broken.txt.gz"]  # the copy's name differs from run to run


def test_manifest(tree: Path, tmp_path: Path) -> None:
    """A manifest's URLs are bases, and name the documents."""
    (tmp_path / "manifest").write_text(f"{tree}/letter.txt\thttp://a.example/b/c\n{tree}/notes.md\n{tree}/page.html\thttp://b.example/\n")
    want = single(spec(tree / "letter.txt", url="http://a.example/b/c"), spec(tree / "notes.md"), spec(tree / "page.html", url="http://b.example/"))
    assert spark("--manifest", tmp_path / "manifest", "--tables", "edges,notes,failures,hosts", tmp_path / "out") == 0
    assert table(tmp_path / "out") == want
    assert {r["source"] for r in read(tmp_path / "out/hosts")} >= {"a.example", "b.example"}


def test_commit(tmp_path: Path) -> None:
    """Of two attempts of a task, one counts; what a kill leaves half done is completed, and the rest removed."""
    store = refract_spark.Local(str(tmp_path))
    worker = refract_spark.Worker("", "", "", out=str(tmp_path), is_local=True, edges="edges", tables=("edges",), fields=(), target=1)

    def staged(task: str, attempt: str) -> dict[str, Any]:
        for n in "01":
            (tmp_path / "_work" / attempt).mkdir(parents=True, exist_ok=True)
            (tmp_path / "_work" / attempt / n).write_text(f"{attempt} {n}")
        return {"task": task, "attempt": attempt, "files": {"edges": [{"name": f"{task}-{n}.parquet", "staged": n} for n in "01"]}}

    def edges() -> dict[str, str]:
        return {p.name: p.read_text() for p in (tmp_path / "edges").iterdir()}

    first = worker.commit(store, staged("t", "a"))
    assert first["attempt"] == "a" and worker.commit(store, staged("t", "b"))["attempt"] == "a"
    assert edges() == {"t-0.parquet": "a 0", "t-1.parquet": "a 1"} and store.names("_work") == []
    half = staged("u", "c")  # killed after the entry and one move
    assert store.claim("_manifest/u.json", json.dumps(half))
    store.move("_work/c/0", "edges/u-0.parquet")
    staged("v", "d")  # killed before its entry
    store.claim("edges/w-0.parquet", "of nobody")
    with ThreadPoolExecutor(2) as pool:
        refract_spark.settle(store, {"t": first, "u": half}, pool)
    assert edges() == {"t-0.parquet": "a 0", "t-1.parquet": "a 1", "u-0.parquet": "c 0", "u-1.parquet": "c 1"} and store.names("_work") == []


def test_continued(tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    """A driver that ends at any of its steps is continued by the same command, and only by that."""
    monkeypatch.setattr(refract_spark, "SMALL", -1)
    args = ["--tables", "edges,notes,failures,urls", "--task-bytes", 5000, "--compact", "always", tree, tmp_path / "out"]
    assert spark(*args) == 0
    want, urls = table(tmp_path / "out"), sorted(map(str, read(tmp_path / "out/urls")))
    assert difference(want, single(*specs(tree))) == []
    for step in "settle", "compact", "shuffles", "report":
        with monkeypatch.context() as m:
            m.setattr(*((refract_spark, step) if hasattr(refract_spark, step) else (refract_spark.Job, step)), ended)
            with pytest.raises(RuntimeError, match="ended here"):
                spark(*args)
        capfd.readouterr()
        if step == "report":  # it was complete
            continue
        (tmp_path / "out/_work/left.0").mkdir(parents=True)
        entries = sorted((tmp_path / "out/_manifest").glob("0*.json"))
        entries[0].unlink()  # as if this task had not ended
        assert spark(*args) == 0
        assert f"continuing: {len(entries) - 1} of {len(entries)} tasks are done" in capfd.readouterr().err
        assert difference(table(tmp_path / "out"), want) == [] and sorted(map(str, read(tmp_path / "out/urls"))) == urls
    (tmp_path / "out/_SUCCESS").unlink()
    assert spark("--task-bytes", 6000, tree, tmp_path / "out") == 0  # another command: from the start
    assert "continuing" not in capfd.readouterr().err
    assert difference(table(tmp_path / "out"), want) == []


def ended(*args: Any) -> None:
    raise RuntimeError("ended here")


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
    failed = read(tmp_path / "out/failures")
    assert difference(without(table(tmp_path / "out", "edges", "notes"), str(broken)), want) == []
    assert sorted(f["input"] for f in failed) == [str(broken), str(crawl), str(notes)]
    failed = [f for f in failed if f["input"] != str(broken)]
    assert all(f["message"].startswith("refract ended with signal 11") for f in failed)
    assert second in max(f["message"] for f in failed)
    assert f"failure: {notes}: refract ended with signal 11" in capfd.readouterr().err


def test_dry_run(tree: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert spark("--dry-run", "--split-bytes", 10000, "--task-bytes", 20000, tree, tmp_path / "out") == 0
    lines = capfd.readouterr().out.splitlines()
    size = sum(os.path.getsize(p) for p in refract_spark.walk(str(tree)))
    assert re.fullmatch(rf"{len(specs(tree))} inputs, {size} bytes, {len(lines) - 2} tasks, 3 of them to be cut into ranges of 10000 bytes", lines[-2])
    assert any(re.fullmatch(rf"\d+\t\d+ bytes\tto be cut\t{tree}/many.mbox", line) for line in lines)
    assert not (tmp_path / "out").exists()


def test_usage(tmp_path: Path) -> None:
    for args in ["out"], ["--target-bytes", "0", "x", "out"], ["--partition", "bucket:0", "x", "out"], ["--tables", "rows", "x", "out"], ["--fields", "none", "x", tmp_path / "new"], ["x", TESTDATA], ["--refract", tmp_path / "none", "x", "out"], ["s3a://bucket/x", tmp_path / "out"]:
        with pytest.raises(SystemExit) as e:
            spark(*args)
        assert e.value.code == 2


def test_light(monkeypatch: pytest.MonkeyPatch) -> None:
    """The JVM of a local job has other options, unless somebody chose some, or it has rows to move."""
    def light(master: str | None, partition: str = "none") -> bool:
        return refract_spark.is_light(SimpleNamespace(master=master, partition=partition))

    assert [light("local[2]"), light(None), light("spark://h:7077"), light("local[2]", "date")] == [True, True, False, False]
    for chosen in "--driver-java-options -Xint pyspark-shell", "--conf spark.driver.extraJavaOptions=-Xint pyspark-shell":
        monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", chosen)
        assert not light("local[2]")


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
    """The files of CORPUS, packed (if they are) and unpacked, and what refract says of them on one machine."""
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


def reads(session: int) -> bool:
    """Whether refract runs in a session: Python has a process group of its own."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            name, _, rest = stat.read_text().rpartition(")")
            if "(refract" in name and int(rest.split()[3]) == session:
                return True
    return False


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
        """Once some tasks are done, ends a worker with its executor while that reads, as a machine ends."""
        while len(list(out.glob("_manifest/*.json"))) < 3:
            time.sleep(0.05)
        while True:
            for p in self.processes[1:]:
                if reads(p.pid):
                    os.killpg(p.pid, signal.SIGKILL)
                    return
            time.sleep(0.01)

    def stop(self) -> None:
        for p in self.processes:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(p.pid, signal.SIGKILL)
            p.wait()

    def kill_driver(self, done: int, *args: Any) -> None:
        """Runs the driver, and ends it with its JVM once some tasks are done."""
        with open(self.directory / "killed.log", "wb") as log:
            driver = subprocess.Popen(**self.command(*args), stdout=log, stderr=log, start_new_session=True)
        while len(list(Path(args[-1]).glob("_manifest/*.json"))) < done:
            assert driver.poll() is None
            time.sleep(0.02)
        os.killpg(driver.pid, signal.SIGKILL)
        driver.wait()

    def run(self, *args: Any) -> str:
        """Runs the driver and gives what it logs."""
        path = self.directory / "driver.log"
        with open(path, "wb") as log:
            status = subprocess.run(**self.command(*args), stdout=log, stderr=log).returncode
        assert status == 0, path.read_text()
        return path.read_text()

    def command(self, *args: Any) -> dict[str, Any]:
        submit = "--conf spark.executor.memory=1g --conf spark.ui.enabled=false --conf spark.driver.host=127.0.0.1 pyspark-shell"
        env = {**os.environ, "PYSPARK_PYTHON": sys.executable, "PYSPARK_SUBMIT_ARGS": submit}
        command = [sys.executable, refract_spark.__file__, "--master", self.master, "--task-bytes", "4000000", "--split-bytes", "1000000", *args]
        return {"args": [str(c) for c in command], "env": env}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    c = Cluster(tmp_path)
    yield c
    c.stop()


@pytest.mark.cluster
def test_cluster(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    tops, want = corpus
    cluster.run("--refract", REFRACT, *tops, tmp_path / "out")
    assert difference(table(tmp_path / "out"), want) == []


@pytest.mark.cluster
def test_cluster_worker_killed(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    tops, want = corpus
    killer = threading.Thread(target=cluster.kill_worker, args=[tmp_path / "out"])
    killer.start()
    log = cluster.run("--refract", REFRACT, *tops, tmp_path / "out")
    killer.join()
    assert "Lost executor" in log
    assert difference(table(tmp_path / "out"), want) == []


@pytest.mark.cluster
def test_cluster_driver_killed(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    """The driver is killed twice, then the same command ends the job."""
    tops, want = corpus
    for done in 2, 6:
        cluster.kill_driver(done, "--refract", REFRACT, *tops, tmp_path / "out")
    log = cluster.run("--refract", REFRACT, *tops, tmp_path / "out")
    assert int(re.search(r"continuing: (\d+) of", log)[1]) >= 6
    assert difference(table(tmp_path / "out"), want) == []


@pytest.mark.cluster
def test_cluster_crash(cluster: Cluster, corpus: tuple[list[Path], Rows], tmp_path: Path) -> None:
    tops, want = corpus
    victim = next(p for top in tops for p in refract_spark.walk(str(top)) if p.endswith(".html"))
    cluster.run("--refract", crashing(tmp_path, json.dumps(victim)), *tops, tmp_path / "out")
    found = table(tmp_path / "out")
    assert difference(without(found, victim), without(want, victim)) == []
    (row,) = (found - want).elements()
    assert row[:2] == ("failures", victim)


def difference(found: Rows, want: Rows) -> list[Any]:
    """The first rows that only one of them has: pytest would take hours to compare them."""
    return [*(("found", r) for r in list((found - want).elements())[:5]), *(("wanted", r) for r in list((want - found).elements())[:5])]
