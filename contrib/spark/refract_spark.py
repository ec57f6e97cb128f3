#!/usr/bin/env python3
"""Runs refract on Spark: finds the URL references of many documents, as Parquet.

Spark schedules, retries and aggregates; refract, one process a task, reads, and writes the
tables. A document that cannot be read, or ends refract, is a row of the result, never a
failed job. A run whose driver dies is continued by the same command.
"""

from __future__ import annotations

import argparse
import base64
import contextlib
import fcntl
import functools
import glob
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, Iterable, Iterator

import py4j.java_gateway as py4j
import pyspark
from py4j.protocol import Py4JJavaError
from pyspark import SparkContext, SparkFiles
from pyspark.sql import SparkSession

EXAMPLES = """\
OUT/edges has a row for each reference, OUT/notes what is malformed or not read, OUT/failures
what could not be read; OUT/urls each URL once, OUT/hosts and OUT/domains the pairs of hosts and
of registered domains, each with counts.

examples:
  python refract_spark.py pages/ 'mail/*.mbox' out
  python refract_spark.py --tables edges,failures,urls --fields document,kind,url pages/ out
  python refract_spark.py --dry-run pages/ out
  python refract_spark.py --master spark://host:7077 --refract ./refract /data/crawl out
  spark-submit --files refract refract_spark.py --manifest wat.paths.gz --prefix s3a://commoncrawl/ s3a://bucket/out

exit status: 0, also when inputs could not be read; 2 for usage; 1 when Spark gave up.
"""

# The names of tables in refract's own output.
WRITTEN = {"edges": "references", "notes": "notes", "failures": "errors"}
# Those that are computed from the edges: the fields they need, and what their rows count.
DERIVED = {
    "urls": ("canonical", "url", "target_domain"),
    "hosts": ("document", "canonical"),
    "domains": ("source_domain", "target_domain"),
}
TABLES = (*WRITTEN, *DERIVED)
FIELDS = "input,member,document,line,column,kind,in,how,raw,base,layer,url,canonical,error"
DATES = ("warc_date", "date_utc")  # of --partition date, the first that is known

# The options of a JVM that mostly starts: its second compiler and its parallel collector cost more than
# they save. They halve the processor time of a small job, and take a tenth off one of 1 GB.
LIGHT = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"

HOST = r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(?P<host>\[[^\]/?#]*\]|[^/?#:]*)"

ARCHIVE = re.compile(r"(\.(mbox\w*|mbx|w?arc|wet|wat|rnews)(\.gz)?|/[^./]+)$", re.IGNORECASE)
REMOTE = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*:/")
LOGGED = 1000  # failures that the driver repeats, and at most
LOGGED_TASK = 100  # of a task
# Bytes of counts, in Parquet, that one task adds up: they take some ten times as much memory. The
# first query of Spark takes 12 s of processor time, most of it to compile its classes.
SMALL = 48 << 20


@dataclass(frozen=True)
class Input:
    """A document or archive, or a range of one."""

    name: str  # as shown; one that is not UTF-8 has the escapes of os.fsdecode
    size: int = 0
    path: str | None = None  # where to read it; None: fetch it from the URI in name
    url: str | None = None  # from which it was retrieved
    range: str | None = None


# What the driver does: list, plan, start, write.


class Files:
    """Lists inputs: local ones by themselves, others by Hadoop's file systems.

    Java drops or spoils local names that its locale cannot write; Python does not.
    """

    def __init__(self, jvm: Any, conf: Any):
        self.jvm, self.conf = jvm, conf
        self.remote = not jvm.org.apache.hadoop.fs.FileSystem.getDefaultUri(conf).toString().startswith("file:")

    def local(self, name: str) -> str | None:
        """The path of a local name, or None."""
        if name.startswith("file:"):
            return re.sub("^file:(//)?", "", name)
        return None if self.remote or REMOTE.match(name) else name

    def file(self, name: str, url: str | None = None) -> Input:
        """One file, named literally. If it is missing, it has no size: reading it reports why."""
        path, size = self.local(name), 0
        if path is not None:
            with contextlib.suppress(OSError):
                size = os.stat(path).st_size
            return Input(name, size, os.path.abspath(path), url)
        hadoop = self.jvm.org.apache.hadoop.fs.Path(name)
        files = hadoop.getFileSystem(self.conf)  # raises if Spark cannot open it: not a failure of this input
        with contextlib.suppress(Py4JJavaError):
            status = files.getFileStatus(hadoop)
            name, size = status.getPath().toString(), max(0, status.getLen())
        return Input(name, size, None, url)

    def find(self, name: str) -> list[Input]:
        """The files that a name denotes: a file, the visible files of a directory, or a glob."""
        path = self.local(name)
        if path is None:
            return self.find_remote(name)
        shown = name[: len(name) - len(path)]  # "file://"
        tops = [path] if os.path.lexists(path) else sorted(glob.glob(path, recursive=True)) or [path]
        return [self.file(shown + p) for top in tops for p in (walk(top) if os.path.isdir(top) else [top])]

    def find_remote(self, name: str) -> list[Input]:
        path = self.jvm.org.apache.hadoop.fs.Path(name)
        files = path.getFileSystem(self.conf)
        try:
            tops = [files.getFileStatus(path)]
        except Py4JJavaError:
            tops = files.globStatus(path)
        if not tops:
            return [Input(name)]
        found = []
        for top in tops:
            if not top.isDirectory():
                found.append(Input(top.getPath().toString(), max(0, top.getLen())))
                continue
            below, root = files.listFiles(top.getPath(), True), top.getPath().toString()
            while below.hasNext():
                status = below.next()
                file = status.getPath().toString()
                if "/." not in file[len(root) :]:
                    found.append(Input(file, status.getLen()))
        return sorted(found, key=lambda i: i.name)


def walk(top: str) -> list[str]:
    """The files below a directory, without hidden ones and symbolic links. A directory
    that cannot be read is returned as a file: refract reports why."""
    found: list[str] = []
    for at, directories, files in os.walk(top, onerror=lambda e: found.append(e.filename)):
        directories[:] = [d for d in directories if not d.startswith(".")]
        paths = [os.path.join(at, f) for f in files if not f.startswith(".")]
        found += [p for p in paths if os.path.isfile(p) and not os.path.islink(p)]
    return sorted(found)


def bundle(inputs: Iterable[Input], size: int, count: int) -> list[list[Input]]:
    """Tasks of at most size bytes and count inputs, in order. A larger input is a task by itself,
    and so is a range."""
    tasks: list[list[Input]] = []
    room = 0
    for i in inputs:
        if not tasks or i.size > room or i.range or len(tasks[-1]) >= count:
            tasks.append([])
            room = 0 if i.range else size
        tasks[-1].append(i)
        room -= i.size
    return tasks


def cut(sc: SparkContext, worker: Worker, inputs: list[Input], size: int) -> list[Input]:
    """The inputs, with ranges in place of archives of more than size bytes. Workers look
    for the ranges: the driver's machine reads nothing."""
    large = [n for n, i in enumerate(inputs) if to_cut(i, size)]
    if not large:
        return inputs
    found = sc.parallelize([inputs[n] for n in large], len(large)).map(functools.partial(worker.index, size)).collect()
    ranges = {n: [replace(inputs[n], range=r) for r in of] for n, of in zip(large, found) if of}
    return [part for n, i in enumerate(inputs) for part in ranges.get(n, [i])]


def to_cut(i: Input, size: int) -> bool:
    return 0 < size < i.size and ARCHIVE.search(i.name) is not None


# Where the tables go. A task's files are complete under OUT/_work before they count: the entry
# of the task in OUT/_manifest, which only one attempt can make, names them. Then they are
# moved to the directories of the tables, by whoever comes first: the attempt, or the driver.


class Local:
    """OUT in a file system that all machines have mounted."""

    def __init__(self, root: str):
        self.root = os.path.abspath(root)

    def at(self, name: str) -> str:
        return os.path.join(self.root, name)

    def make(self, name: str) -> str:
        """A directory of OUT in which files can be written directly."""
        os.makedirs(self.at(name), exist_ok=True)
        return self.at(name)

    def put(self, path: str, name: str) -> None:
        os.makedirs(os.path.dirname(self.at(name)), exist_ok=True)
        shutil.move(path, self.at(name))

    def claim(self, name: str, text: str) -> bool:
        """Makes a file with its whole content, unless there is one."""
        part = self.at(f"{name}.{uuid.uuid4().hex}")
        os.makedirs(os.path.dirname(part), exist_ok=True)
        with open(part, "w") as f:
            f.write(text)
            f.flush()
            os.fsync(f.fileno())
        try:
            os.link(part, self.at(name))
            return True
        except FileExistsError:
            return False
        finally:
            os.remove(part)

    def read(self, name: str) -> str | None:
        try:
            with open(self.at(name)) as f:
                return f.read()
        except FileNotFoundError:
            return None

    def move(self, name: str, to: str) -> None:
        """Moves a file; one that is gone has been moved before."""
        os.makedirs(os.path.dirname(self.at(to)), exist_ok=True)
        with contextlib.suppress(FileNotFoundError):
            os.rename(self.at(name), self.at(to))

    def names(self, name: str = "") -> list[str]:
        try:
            return sorted(os.listdir(self.at(name)))
        except FileNotFoundError:
            return []

    def remove(self, name: str) -> None:
        path = self.at(name)
        with contextlib.suppress(FileNotFoundError):
            shutil.rmtree(path) if os.path.isdir(path) else os.remove(path)


class Remote:
    """OUT in a file system of Hadoop."""

    def __init__(self, jvm: Any, conf: Any, root: str):
        self.jvm, self.root = jvm, root.rstrip("/")
        self.files = self.path("").getFileSystem(conf)

    def at(self, name: str) -> str:
        return f"{self.root}/{name}" if name else self.root

    def path(self, name: str) -> Any:
        return self.jvm.org.apache.hadoop.fs.Path(self.at(name))

    def make(self, name: str) -> None:
        return None

    def put(self, path: str, name: str) -> None:
        self.files.copyFromLocalFile(False, True, self.jvm.org.apache.hadoop.fs.Path("file:" + path), self.path(name))

    def claim(self, name: str, text: str) -> bool:
        part = f"{name}.{uuid.uuid4().hex}"
        self.write(part, text)
        try:
            # An object store has no such move: of two attempts that end at once, the second may
            # replace the entry of the first. The driver removes the files that it does not name.
            done = not self.files.exists(self.path(name)) and self.files.rename(self.path(part), self.path(name))
        except Py4JJavaError:  # some file systems raise if there is a file
            done = False
        if not done:
            self.files.delete(self.path(part), False)
        return bool(done)

    def write(self, name: str, text: str) -> None:
        out = self.files.create(self.path(name), True)
        out.write(bytearray(text.encode()))
        out.close()

    def read(self, name: str) -> str | None:
        if not self.files.exists(self.path(name)):
            return None
        stream = self.files.open(self.path(name))
        try:
            return str(self.jvm.org.apache.commons.io.IOUtils.toString(stream, "UTF-8"))
        finally:
            stream.close()

    def move(self, name: str, to: str) -> None:
        if not self.files.exists(self.path(name)):
            return
        self.files.mkdirs(self.path(os.path.dirname(to)))
        self.files.delete(self.path(to), False)
        self.files.rename(self.path(name), self.path(to))

    def names(self, name: str = "") -> list[str]:
        if not self.files.exists(self.path(name)):
            return []
        return sorted(s.getPath().getName() for s in self.files.listStatus(self.path(name)))

    def remove(self, name: str) -> None:
        self.files.delete(self.path(name), True)


Store = Local | Remote
OURS = ("_plan.json", "_manifest", "_work", "_parts", "_SUCCESS", *TABLES)


def publish(store: Store, entry: dict[str, Any]) -> None:
    """Moves the files of an entry to their tables. It may have been done before, or half."""
    for directory, files in entry["files"].items():
        for f in files:
            store.move(f"_work/{entry['attempt']}/{f['staged']}", f"{directory}/{f['name']}")
    store.remove(f"_work/{entry['attempt']}")


def replaced(entries: dict[str, dict[str, Any]]) -> set[str]:
    """The files of the edges in whose place others are."""
    return {name for e in entries.values() for name in e.get("replaces", ())}


def settle(store: Store, entries: dict[str, dict[str, Any]], pool: ThreadPoolExecutor) -> None:
    """Completes what ended between the entry and the moves, and removes what no entry names."""
    staged = set(store.names("_work"))
    list(pool.map(lambda e: publish(store, e), [e for e in entries.values() if e["attempt"] in staged]))
    store.remove("_work")
    for directory in (*WRITTEN, *(f"_parts/{t}" for t in TABLES)):
        named = {f["name"] for e in entries.values() for f in e["files"].get(directory, ())}
        named -= replaced(entries) if directory == "edges" else set()
        list(pool.map(lambda name: store.remove(f"{directory}/{name}"), [n for n in store.names(directory) if n not in named]))


@dataclass(frozen=True)
class Plan:
    """What a run does. Its tasks have keys, by which the manifest knows them."""

    run: str
    tasks: list[tuple[str, list[Input]]]

    @staticmethod
    def load(text: str | None) -> Plan | None:
        if not text:
            return None
        plan = json.loads(text)
        return Plan(plan["run"], [(key, [Input(**i) for i in inputs]) for key, inputs in plan["tasks"]])

    def text(self) -> str:
        return json.dumps({"run": self.run, "tasks": [(key, [asdict(i) for i in inputs]) for key, inputs in self.tasks]})


def keyed(tasks: list[list[Input]]) -> list[tuple[str, list[Input]]]:
    """Tasks with their keys: the number of the task in the plan, and a hash of its inputs."""
    return [(f"{n:06d}-{hashlib.sha256(json.dumps([asdict(i) for i in task]).encode()).hexdigest()[:12]}", task) for n, task in enumerate(tasks)]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="refract_spark.py", description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", metavar="INPUT", nargs="*", help="file, directory or glob, of any file system that Spark opens")
    parser.add_argument("out", metavar="OUT", help="directory for the tables; those that are there are replaced, unless the same command was interrupted: then it continues")
    parser.add_argument("--manifest", metavar="FILE", help="also the inputs that FILE names, a line each: path, or path, tab and the URL by which it was retrieved; also a .paths.gz of Common Crawl")
    parser.add_argument("--prefix", metavar="URI", default="", help="put before the relative paths of --manifest, such as s3a://commoncrawl/")
    parser.add_argument("--tables", metavar="LIST", default="edges,notes,failures", help=f"of {','.join(TABLES)}; others are not computed (%(default)s)")
    parser.add_argument("--fields", metavar="LIST", default=FIELDS, help="columns of the edges, and those that other tables need (%(default)s)")
    parser.add_argument("--partition", metavar="HOW", default="none", help="of the edges: none, date, or bucket:N by registered domain of the URL (%(default)s)")
    parser.add_argument("--target-bytes", metavar="BYTES", type=int, default=128 << 20, help="size of a file of the edges (%(default)s)")
    parser.add_argument("--compact", choices=["auto", "always", "never"], default="auto", help="join small files of the edges; auto: if more than 1,000 are below a quarter of --target-bytes (%(default)s)")
    parser.add_argument("--refract", metavar="PATH", help="the refract binary to ship (default: that of --files, or of the command path)")
    parser.add_argument("--master", metavar="URL", help="Spark's master (default: spark-submit's, or local[*])")
    parser.add_argument("--task-bytes", metavar="BYTES", type=int, default=64 << 20, help="small inputs are bundled up to this (%(default)s)")
    parser.add_argument("--task-files", metavar="N", type=int, default=10000, help="and up to this number (%(default)s)")
    parser.add_argument("--split-bytes", metavar="BYTES", type=int, default=512 << 20, help="archives of more are cut at records; 0: none is (%(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="print the plan and read nothing")
    o = parser.parse_args(argv)
    validate(o, parser)
    builder = SparkSession.builder.appName("refract")
    if is_light(o):
        builder = builder.config("spark.driver.extraJavaOptions", LIGHT)
    spark = (builder.master(o.master) if o.master else builder).getOrCreate()
    try:
        return Job(spark, o, parser).run()
    finally:
        spark.stop()


def is_light(o: argparse.Namespace) -> bool:
    """Whether Spark has little to compute, and its JVM is started here, by options that nobody chose."""
    chosen = os.environ.get("PYSPARK_SUBMIT_ARGS", "")
    is_local = (o.master or "local").startswith("local")
    return is_local and o.partition == "none" and "java-options" not in chosen and "JavaOptions" not in chosen


def validate(o: argparse.Namespace, parser: argparse.ArgumentParser) -> None:
    if not o.inputs and not o.manifest:
        parser.error("give an INPUT or --manifest, and OUT")
    if min(o.task_bytes, o.task_files, o.target_bytes) < 1 or o.split_bytes < 0:
        parser.error("sizes and numbers are above 0")
    if o.refract and not os.path.isfile(o.refract):
        parser.error(f"--refract {o.refract}: no such file")
    o.tables = [t for t in o.tables.split(",") if t]
    unknown = [t for t in o.tables if t not in TABLES]
    if unknown or not o.tables:
        parser.error(f"--tables {','.join(unknown)}: there are {', '.join(TABLES)}")
    if not re.fullmatch(r"none|date|bucket:[1-9]\d{0,4}", o.partition):
        parser.error(f"--partition {o.partition}: there are none, date and bucket:N")
    fields = o.fields.split(",")
    more = [f for t in o.tables for f in DERIVED.get(t, ())]
    more += DATES if o.partition == "date" else ["target_domain"] if o.partition != "none" else []
    o.fields = list(dict.fromkeys(fields + more))


class Job:
    """A run of the driver: list, plan, start, settle, derive."""

    def __init__(self, spark: Any, o: argparse.Namespace, parser: argparse.ArgumentParser):
        self.spark, self.o, self.parser = spark, o, parser
        sc = self.sc = spark.sparkContext
        if sc.master.startswith("local") and not os.environ.get("PYSPARK_PYTHON"):
            sc.pythonExec = sys.executable  # not the python3 in PATH, which may lack pyarrow
        self.conf = sc._jsc.hadoopConfiguration()
        self.files = Files(sc._jvm, self.conf)
        self.edges = "edges" if o.partition == "none" else "_parts/edges"

    def run(self) -> int:
        o = self.o
        if o.dry_run:
            show(self.list(), o)
            return 0
        binary = self.ship()
        local = self.files.local(o.out)
        xml = self.sc._jvm.java.io.StringWriter()
        self.conf.writeXml(xml)
        self.sc.addPyFile(os.path.abspath(__file__))
        worker = Worker(
            binary, xml.toString(), self.sc.getConf().get("spark.executor.extraClassPath", ""),
            out=os.path.abspath(local) if local is not None else o.out, is_local=local is not None,
            edges=self.edges, tables=tuple(o.tables), fields=tuple(o.fields), target=o.target_bytes,
        )
        self.store = Local(worker.out) if worker.is_local else Remote(self.sc._jvm, self.conf, worker.out)
        with ThreadPoolExecutor(32) as pool:  # each request to an object store is slow
            plan, entries = self.plan(worker, pool)
            tasks = [t for t in plan.tasks if t[0] not in entries]
            if tasks:
                found = self.sc.parallelize(tasks, len(tasks)).map(worker.run).collect()
                entries.update((e["task"], e) for e in found)
            settle(self.store, entries, pool)
        self.finish(worker, entries)
        report(entries, o)
        return 0

    def list(self) -> list[Input]:
        o, files = self.o, self.files
        try:
            inputs = [i for name in o.inputs for i in files.find(name)]
            if o.manifest:
                lines = [line.split("\t") for line in self.sc.textFile(o.manifest).collect() if line]
                with ThreadPoolExecutor(32) as pool:
                    inputs += pool.map(lambda line: files.file(prefixed(line[0], o.prefix), line[1] if len(line) > 1 else None), lines)
        except Py4JJavaError as e:
            # Also a scheme without its package: "No FileSystem for scheme "s3a"".
            self.parser.error(e.java_exception.toString())
        return inputs

    def ship(self) -> str:
        """Ships refract, unless Spark does. Returns its name among Spark's files."""
        sc = self.sc
        shipped = {os.path.basename(f): f for key in ("spark.files", "spark.yarn.dist.files") for f in sc.getConf().get(key, "").split(",")}
        if not self.o.refract and "refract" in shipped:
            # YARN puts files where its containers run, one of which is the driver in cluster mode. Spark looks for them elsewhere.
            if not os.path.exists(SparkFiles.get("refract")):
                is_container = sc.getConf().get("spark.submit.deployMode") == "cluster"
                sc.addFile(os.path.abspath("refract") if is_container else shipped["refract"])
            return "refract"
        path = self.o.refract or shutil.which("refract")
        if not path:
            self.parser.error("no refract: give --refract PATH, or --files refract to spark-submit")
        sc.addFile(os.path.abspath(path))
        return os.path.basename(path)

    def plan(self, worker: Worker, pool: ThreadPoolExecutor) -> tuple[Plan, dict[str, dict[str, Any]]]:
        """The plan and what is done of it: that of the same command, if it was interrupted."""
        store, o = self.store, self.o
        version = subprocess.run([SparkFiles.get(worker.binary), "--version"], capture_output=True, text=True).stdout
        with tempfile.TemporaryDirectory() as tmp:  # a field that does not exist would fail in each task
            command = [SparkFiles.get(worker.binary), "--parquet", os.path.join(tmp, "out"), *worker.flags(), "--files-from", os.devnull]
            tried = subprocess.run(command, capture_output=True, text=True)
        if tried.returncode:
            self.parser.error(tried.stderr.strip() or f"{worker.binary} ended with status {tried.returncode}")
        options = [version, *(getattr(o, name) for name in ("inputs", "manifest", "prefix", "tables", "fields", "partition", "target_bytes", "task_bytes", "task_files", "split_bytes"))]
        run = hashlib.sha256(json.dumps(options, sort_keys=True).encode()).hexdigest()
        there = store.names()
        plan = Plan.load(store.read("_plan.json"))
        if plan and plan.run == run and "_SUCCESS" not in there:
            names = [n for n in store.names("_manifest") if n.endswith(".json")]
            entries = [json.loads(text) for text in pool.map(lambda n: store.read(f"_manifest/{n}"), names) if text]
            done = {e["task"]: e for e in entries}
            print(f"continuing: {sum(key in done for key, _ in plan.tasks)} of {len(plan.tasks)} tasks are done", file=sys.stderr)
            return plan, done
        if there and "_plan.json" not in there:
            self.parser.error(f"{o.out}: it exists and was not written by this program: remove it, or give another name")
        inputs = self.list()
        for name in OURS:
            store.remove(name)
        tasks = bundle(cut(self.sc, worker, inputs, o.split_bytes), o.task_bytes, o.task_files)
        tasks.sort(key=lambda task: sum(i.size for i in task), reverse=True)  # large tasks first
        plan = Plan(run, keyed(tasks))
        store.claim("_plan.json", plan.text())
        return plan, {}

    def finish(self, worker: Worker, entries: dict[str, dict[str, Any]]) -> None:
        """Makes the tables that need the rows of all tasks. Each is repeated if the driver dies."""
        o, store = self.o, self.store
        sizes = [f["bytes"] for e in entries.values() for f in e["files"].get(self.edges, ())]
        if o.partition != "none" and sizes:
            self.write(self.partitioned(sum(sizes)), "edges", o.partition.partition(":")[0])
        else:
            self.compact(worker, entries)
        derived = [t for t in DERIVED if t in o.tables]
        size = {t: sum(f["bytes"] for e in entries.values() for f in e["files"].get("_parts/" + t, ())) for t in derived}
        small = [t for t in derived if size[t] <= SMALL]
        if small:
            self.sc.parallelize(small, len(small)).map(worker.total).collect()
        for name in derived:
            if name not in small:
                self.shuffles(size[name])
                self.write(self.derive(name), name)
        empty = [t for t in WRITTEN if t in o.tables and not store.names(t)]
        if empty:  # so that each table has its columns
            with tempfile.TemporaryDirectory() as tmp:
                worker.refract(["--parquet", os.path.join(tmp, "out"), *worker.flags()], [], tmp, os.devnull)
                for name in empty:
                    store.put(os.path.join(tmp, "out", WRITTEN[name], "part-00000.parquet"), f"{name}/empty.parquet")
        store.remove("_work")
        store.claim("_SUCCESS", "")  # before the parts are gone, from which tables are made
        store.remove("_parts")

    def write(self, rows: Any, name: str, by: str = "none") -> None:
        writer = rows.write.mode("overwrite").option("compression", "zstd")
        (writer if by == "none" else writer.partitionBy(by)).parquet(self.at(name))

    def at(self, name: str) -> str:
        return ("file://" if isinstance(self.store, Local) else "") + self.store.at(name)

    def shuffles(self, size: int) -> None:
        """Sets the partitions of shuffles by what they move, unless the user has."""
        if not self.sc.getConf().get("spark.sql.shuffle.partitions"):
            self.spark.conf.set("spark.sql.shuffle.partitions", str(max(self.sc.defaultParallelism, -(-size // (32 << 20)))))

    def partitioned(self, size: int) -> Any:
        """The edges by date or bucket, in files of about the target size."""
        from pyspark.sql import functions as F

        o = self.o
        rows = self.spark.read.parquet(self.at("_parts/edges"))
        if o.partition == "date":
            by = F.to_date(F.coalesce(*(F.col(d) for d in DATES))).alias("date")
        else:
            by = F.pmod(F.hash("target_domain"), F.lit(int(o.partition[7:]))).alias("bucket")
        files = max(1, -(-size // o.target_bytes))
        rows = rows.select("*", by)
        # Several tasks share a large date or bucket: a hash of the row divides it.
        part = F.pmod(F.hash(*rows.columns[:-1]), F.lit(files))
        return rows.repartition(max(files, self.sc.defaultParallelism), rows.columns[-1], part)

    def compact(self, worker: Worker, entries: dict[str, dict[str, Any]]) -> None:
        """Joins small files of the edges. What is joined has an entry, which names the files that
        it replaces."""
        o = self.o
        old = replaced(entries)
        files = [f for e in entries.values() for f in e["files"].get("edges", ()) if f["name"] not in old]
        small = sorted((f for f in files if f["bytes"] < o.target_bytes // 4), key=lambda f: f["name"])
        if o.compact == "never" or o.compact == "auto" and len(small) <= 1000 or len(small) < 2:
            return
        bins: list[list[dict[str, Any]]] = [[]]
        for f in small:
            if sum(g["bytes"] for g in bins[-1]) + f["bytes"] > o.target_bytes:
                bins.append([])
            bins[-1].append(f)
        jobs = [b for b in bins if len(b) > 1]
        if jobs:
            entries.update((e["task"], e) for e in self.sc.parallelize(jobs, len(jobs)).map(worker.join).collect())
            with ThreadPoolExecutor(32) as pool:
                settle(self.store, entries, pool)

    def derive(self, name: str) -> Any:
        """A table from the counts of the tasks."""
        from pyspark.sql import functions as F

        rows = self.spark.read.parquet(self.at("_parts/" + name))
        total = F.sum("references").alias("references")
        if name == "urls":
            return rows.groupBy("canonical").agg(F.min("url").alias("url"), F.min("domain").alias("domain"), total)
        return rows.groupBy("source", "target").agg(total)


def prefixed(path: str, prefix: str) -> str:
    return path if REMOTE.match(path) or path.startswith(("/", "file:")) else prefix + path


def report(entries: dict[str, dict[str, Any]], o: argparse.Namespace) -> None:
    """The first failures to stderr, counts to stdout."""
    failed = sorted((name, message) for e in entries.values() for name, message in e["failed"])
    total = {t: sum(e["rows"][t] for e in entries.values()) for t in WRITTEN}
    for name, message in failed[:LOGGED]:
        print(f"failure: {name}: {message}", file=sys.stderr)
    if total["failures"] > len(failed[:LOGGED]):
        print(f"failure: {total['failures'] - len(failed[:LOGGED])} more, in {o.out}/failures", file=sys.stderr)
    print(", ".join(f"{n} {t}" for t, n in total.items()), "in", o.out)


def show(inputs: list[Input], o: argparse.Namespace) -> None:
    """Prints the plan."""
    large = [i for i in inputs if to_cut(i, o.split_bytes)]
    alone = [replace(i, range="unknown") if to_cut(i, o.split_bytes) else i for i in inputs]
    tasks = bundle(alone, o.task_bytes, o.task_files)
    for n, task in enumerate(tasks, 1):
        first = task[0].name.encode(errors="backslashreplace").decode()
        what = "to be cut" if to_cut(task[0], o.split_bytes) else f"{len(task)} inputs" if len(task) > 1 else "1 input"
        print(f"{n}\t{sum(i.size for i in task)} bytes\t{what}\t{first}{' ...' if len(task) > 1 else ''}")
    print(f"{len(inputs)} inputs, {sum(i.size for i in inputs)} bytes, {len(tasks)} tasks, {len(large)} of them to be cut into ranges of {o.split_bytes} bytes")
    print(f"tables {','.join(o.tables)}, partitioned by {o.partition}, files of {o.target_bytes} bytes, compaction: {o.compact}")


# The part that runs in workers. Spark's Python workers import this file, so that the state
# they keep (the JVM that fetches) serves many tasks.


@dataclass(frozen=True)
class Worker:
    binary: str  # its name among the files that Spark ships
    conf: str  # Hadoop's, as XML
    classpath: str  # of the executors, beyond Spark's own
    out: str
    is_local: bool  # out is a path
    edges: str  # the directory of the edges
    tables: tuple[str, ...]
    fields: tuple[str, ...]
    target: int  # bytes of a file

    def store(self) -> Store:
        return Local(self.out) if self.is_local else Remote(*hadoop(self), self.out)

    def run(self, task: tuple[str, list[Input]]) -> dict[str, Any]:
        """Reads the inputs of a task, and gives its entry in the manifest."""
        key, inputs = task
        store, manifest = self.store(), f"_manifest/{key}.json"
        done = store.read(manifest)
        if done:
            return json.loads(done)
        entry: dict[str, Any] = {"task": key, "attempt": f"{key}.{uuid.uuid4().hex[:12]}", "bytes": sum(i.size for i in inputs)}
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        with contextlib.ExitStack() as stack:
            at = stack.enter_context(tempfile.TemporaryDirectory(dir=scratch()))
            stage = store.make(f"_work/{entry['attempt']}") or at
            here, failed = [], []
            for i in inputs:
                try:
                    here.append(replace(i, path=i.path or self.fetch(i, at, stack)))
                except Py4JJavaError as e:
                    failed.append((i.name, e.java_exception.toString()))
            outputs = list(self.read(here, at, stage, failed))
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            entry["cpu_seconds"] = round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3)
            self.collect(entry, outputs, failed, stage, store)
        return self.commit(store, entry)

    def commit(self, store: Store, entry: dict[str, Any]) -> dict[str, Any]:
        """Makes the files of a task count, unless another attempt was first. Gives its entry then."""
        manifest = f"_manifest/{entry['task']}.json"
        if not store.claim(manifest, json.dumps(entry)):
            store.remove(f"_work/{entry['attempt']}")
            entry = json.loads(store.read(manifest) or "{}")
        publish(store, entry)
        return entry

    def flags(self) -> list[str]:
        needs = ["--canonical"] if {"canonical", "domain"} & set(self.fields) else []
        if "canonical" in self.fields:  # by which URLs are counted: those that begin alike are not the same
            needs += ["--data-urls", "full"]
        return [*needs, "--fields", ",".join(self.fields), "-q"]

    def read(self, inputs: list[Input], at: str, stage: str, failed: list[tuple[str, str]]) -> Iterator[str]:
        """Directories with the tables of local inputs. If refract fails, its whole output is
        discarded, and each half of the inputs is read again, until the input at fault is known."""
        if not inputs:
            return
        out, log = os.path.join(stage, "out-" + uuid.uuid4().hex), os.path.join(at, "log")
        status = self.refract(["--parquet", out, "--file-size", str(self.target), "-j1", *self.flags()], inputs, at, log)
        if status == 0:
            yield out
            return
        for left in glob.glob(os.path.join(glob.escape(stage), ".out-*")):
            shutil.rmtree(left, ignore_errors=True) if os.path.isdir(left) else os.remove(left)
        if len(inputs) > 1:
            middle = len(inputs) // 2
            yield from self.read(inputs[:middle], at, stage, failed)
            yield from self.read(inputs[middle:], at, stage, failed)
            return
        with open(log, "rb") as f:
            last = f.read()[-2000:].decode(errors="replace").strip().splitlines()[-3:]
        how = f"signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"status {status}"
        where = f" in the range {inputs[0].range}" if inputs[0].range else ""
        failed.append((inputs[0].name, f"refract ended with {how}{where}" + "".join(f"; {line}" for line in last)))

    def collect(self, entry: dict[str, Any], outputs: list[str], failed: list[tuple[str, str]], stage: str, store: Store) -> None:
        """Names the files of a task, stages them, and completes its entry."""
        files: dict[str, list[dict[str, Any]]] = {}
        entry["files"], entry["rows"], entry["failed"] = files, dict.fromkeys(WRITTEN, 0), []

        def add(directory: str, path: str, rows: int, size: int) -> None:
            n = len(files.setdefault(directory, []))
            staged = f"{directory}-{n:05d}"
            store.put(path, f"_work/{entry['attempt']}/{staged}")
            files[directory].append({"name": f"{entry['task']}-{n:05d}.parquet", "staged": staged, "rows": rows, "bytes": size})

        derived = [t for t in DERIVED if t in self.tables]
        for out in outputs:
            with open(os.path.join(out, "_refract.json")) as f:
                summary = json.load(f)
            for table, name in WRITTEN.items():
                for file in summary["tables"][name]:
                    path = os.path.join(out, file["name"])
                    if not file["rows"]:
                        continue
                    entry["rows"][table] += file["rows"]
                    if table == "failures":
                        entry["failed"] += first_failures(path)
                    if table == "edges":
                        for what, partial, rows in counted(path, derived, stage):
                            add("_parts/" + what, partial, rows, os.path.getsize(partial))
                    if table in self.tables:
                        add(self.edges if table == "edges" else table, path, file["rows"], file["bytes"])
            shutil.rmtree(out)
        if failed:
            entry["rows"]["failures"] += len(failed)
            entry["failed"] += [(shown(name), message) for name, message in failed]
            if "failures" in self.tables:
                path = write_failures(failed, stage)
                add("failures", path, len(failed), os.path.getsize(path))
        entry["failed"] = entry["failed"][:LOGGED_TASK]

    def index(self, size: int, i: Input) -> list[str]:
        """The ranges of an archive; none if it cannot be cut."""
        ranges: list[str] = []
        with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory(dir=scratch()) as tmp, contextlib.suppress(Py4JJavaError):
            here = [replace(i, path=i.path or self.fetch(replace(i, range="all"), tmp, stack))]
            out = os.path.join(tmp, "out")
            if self.refract(["--split", str(size), "-o", out], here, tmp, os.devnull) == 0:
                with open(out) as f:
                    ranges = [r for r in (json.loads(line).get("range") for line in f) if r]
        return ranges

    def join(self, files: list[dict[str, Any]]) -> dict[str, Any]:
        """One file from several of the edges, row group by row group. Gives its entry."""
        import pyarrow.parquet as pq

        names = [f["name"] for f in files]
        key = "joined-" + hashlib.sha256(json.dumps(names).encode()).hexdigest()[:16]
        store = self.store()
        with contextlib.ExitStack() as stack:
            tmp = stack.enter_context(tempfile.TemporaryDirectory(dir=scratch()))
            joined, writer = os.path.join(tmp, "joined"), None
            for n in names:
                path = store.at(f"edges/{n}")
                if not self.is_local:
                    path = os.path.join(tmp, n)
                    copy(self, store.at(f"edges/{n}"), path)
                with pq.ParquetFile(path) as f:
                    if writer is None:
                        writer = pq.ParquetWriter(joined, f.schema_arrow, compression="zstd")
                    for group in range(f.num_row_groups):
                        writer.write_table(f.read_row_group(group, use_threads=False))
            if writer is not None:
                writer.close()
            entry: dict[str, Any] = {"task": key, "attempt": f"{key}.{uuid.uuid4().hex[:12]}", "bytes": 0, "rows": dict.fromkeys(WRITTEN, 0), "failed": [], "replaces": names}
            file = {"name": f"{key}.parquet", "staged": "edges-00000", "rows": sum(f["rows"] for f in files), "bytes": os.path.getsize(joined)}
            entry["files"] = {"edges": [file]}
            store.put(joined, f"_work/{entry['attempt']}/{file['staged']}")
        return self.commit(store, entry)

    def total(self, name: str) -> None:
        """A table from the counts of the tasks, if they are few."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        keys = ["canonical"] if name == "urls" else ["source", "target"]
        schema = pa.schema([(k, pa.string()) for k in (["canonical", "url", "domain"] if name == "urls" else keys)] + [("references", pa.int64())])
        store = self.store()
        with tempfile.TemporaryDirectory(dir=scratch()) as tmp:
            tables = [schema.empty_table()]
            for n in store.names("_parts/" + name):
                path = store.at(f"_parts/{name}/{n}")
                if not self.is_local:
                    path = os.path.join(tmp, n)
                    copy(self, store.at(f"_parts/{name}/{n}"), path)
                with pq.ParquetFile(path) as f:
                    tables.append(f.read(use_threads=False).cast(schema))
            sums = [("references", "sum")] + ([("url", "min"), ("domain", "min")] if name == "urls" else [])
            found = pa.concat_tables(tables).group_by(keys, use_threads=False).aggregate(sums)
            found = found.rename_columns([c.removesuffix("_min").removesuffix("_sum") for c in found.column_names]).select(schema.names)
            pq.write_table(found.sort_by([(k, "ascending") for k in keys]), os.path.join(tmp, "total"), compression="zstd")
            stage = f"_work/{name}.{uuid.uuid4().hex[:12]}/total"
            store.put(os.path.join(tmp, "total"), stage)
            store.move(stage, f"{name}/part-00000.parquet")

    def refract(self, flags: list[str], inputs: list[Input], at: str, log: str) -> int:
        """Runs refract over inputs in a directory and returns its status, negative for a signal."""
        with tempfile.NamedTemporaryFile("w", dir=scratch()) as names, open(log, "wb") as stderr:
            for i in inputs:
                more = {key: value for key, value in (("url", i.url), ("range", i.range)) if value}
                print(json.dumps({**text("path", i.path), **text("name", i.name), **more}), file=names)
            names.flush()
            command = [SparkFiles.get(self.binary), *flags, "--files-from", names.name]
            return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=stderr, cwd=at).returncode

    def fetch(self, i: Input, at: str, stack: contextlib.ExitStack) -> str:
        """A local copy, by its name below at: what refract says of it is the same each time.
        That of an archive that is cut serves every task of this executor, and later ones
        until its place on the disk is needed; it is in use for as long as stack."""
        key = hashlib.sha256(i.name.encode()).hexdigest()
        name = os.path.join(key, i.name.rpartition("/")[2] or "input")
        path, kept = os.path.join(at, name), os.path.join(scratch(), "refract-kept")
        if os.path.exists(path):  # given twice
            return name
        if not i.range:
            copy(self, i.name, path)
            return name
        os.makedirs(kept, exist_ok=True)
        os.symlink(os.path.join(kept, key), os.path.join(at, key))
        lock = stack.enter_context(open(os.path.join(kept, key + ".lock"), "wb"))
        fcntl.flock(lock, fcntl.LOCK_SH)  # in use; released when it is closed
        if not os.path.exists(path):
            fcntl.flock(lock, fcntl.LOCK_EX)  # others wait for the copy
            if not os.path.exists(path):
                make_room(kept, i.size)
                copy(self, i.name, os.path.join(kept, name))
            fcntl.flock(lock, fcntl.LOCK_SH)
        return name


def counted(path: str, tables: list[str], stage: str) -> Iterator[tuple[str, str, int]]:
    """What a file of edges adds to the tables that count: a file for each, with a row group for
    each of its row groups, so that memory is bounded. Spark adds them up."""
    if not tables:
        return
    import pyarrow as pa
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    def hosts(urls: Any) -> Any:
        return pc.utf8_lower(pc.struct_field(pc.extract_regex(urls, HOST), "host"))

    def named(column: Any, of: Any) -> Any:
        """of(column), computed once for each distinct value."""
        words = column.combine_chunks().dictionary_encode() if not pa.types.is_dictionary(column.type) else column.unify_dictionaries().combine_chunks()
        return pc.take(of(words.dictionary), words.indices)

    def rows(table: str, t: Any) -> Any:
        if table == "urls":
            t = t.filter(pc.is_valid(t["canonical"]))
            found = t.group_by("canonical", use_threads=False).aggregate([("url", "min"), ("target_domain", "min"), ([], "count_all")])
            found = found.select(["canonical", "url_min", "target_domain_min", "count_all"])
            return found.rename_columns(["canonical", "url", "domain", "references"])
        if table == "hosts":
            t = pa.table({"source": named(t["document"], hosts), "target": hosts(t["canonical"].combine_chunks())})
        else:
            t = pa.table({"source": t["source_domain"].cast(pa.string()), "target": t["target_domain"].cast(pa.string())})
        t = t.filter(pc.and_kleene(pc.not_equal(t["source"], ""), pc.not_equal(t["target"], "")))
        return t.group_by(["source", "target"], use_threads=False).aggregate([([], "count_all")]).rename_columns(["source", "target", "references"])

    fields = sorted({f for t in tables for f in DERIVED[t]})
    writers: dict[str, Any] = {}
    counts = dict.fromkeys(tables, 0)
    with pq.ParquetFile(path, read_dictionary=[f for f in fields if f == "document"]) as f:
        for group in range(f.num_row_groups):
            t = f.read_row_group(group, columns=fields, use_threads=False)
            for table in tables:
                found = rows(table, t)
                counts[table] += len(found)
                if table not in writers:
                    name = os.path.join(stage, f"{table}-{uuid.uuid4().hex}")
                    writers[table] = pq.ParquetWriter(name, found.schema, compression="zstd", use_dictionary=False), name
                writers[table][0].write_table(found)
    for table, (writer, name) in writers.items():
        writer.close()
        yield table, name, counts[table]


def first_failures(path: str) -> list[tuple[str, str]]:
    import pyarrow.parquet as pq

    t = pq.read_table(path, columns=["input", "input_bytes", "message"]).slice(0, LOGGED_TASK).to_pylist()
    return [(r["input"] if r["input"] is not None else (r["input_bytes"] or b"").decode(errors="backslashreplace"), r["message"]) for r in t]


def shown(name: str) -> str:
    return os.fsencode(name).decode(errors="backslashreplace")


def write_failures(failed: list[tuple[str, str]], stage: str) -> str:
    """A file of failures, as refract writes them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    fields = [("input", pa.string()), ("input_bytes", pa.binary()), ("member", pa.string()), ("part", pa.string()), ("offset", pa.int64()), ("message", pa.string())]
    rows: list[dict[str, Any]] = []
    for name, message in failed:
        octets = text("input", name)
        where = {"input": name} if "input" in octets else {"input_bytes": os.fsencode(name)}
        rows.append({**where, "message": message})
    path = os.path.join(stage, "failures-" + uuid.uuid4().hex)
    pq.write_table(pa.Table.from_pylist(rows, pa.schema(fields)), path, compression="zstd")
    return path


def scratch() -> str:
    """A directory of this executor on a local disk, which Spark removes at the end."""
    return os.environ.get("SPARK_LOCAL_DIRS", tempfile.gettempdir()).split(",")[0]


def text(key: str, value: str) -> dict[str, str]:
    """A JSON field, in base64 if it is not UTF-8."""
    try:
        value.encode()
        return {key: value}
    except UnicodeEncodeError:
        return {key + "_b64": base64.b64encode(os.fsencode(value)).decode()}


def copy(worker: Worker, uri: str, path: str) -> None:
    """Copies a file of a Hadoop file system to path, which appears only when complete."""
    jvm, conf = hadoop(worker)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    part = os.path.join(os.path.dirname(path), "part")  # a name that Java can write in any locale
    source = jvm.org.apache.hadoop.fs.Path(uri)
    source.getFileSystem(conf).copyToLocalFile(False, source, jvm.org.apache.hadoop.fs.Path("file:" + part), True)
    os.rename(part, path)


@functools.lru_cache(maxsize=1)
def hadoop(worker: Worker) -> tuple[Any, Any]:
    """A JVM with Spark's classes and the driver's Hadoop configuration. It ends with this
    process."""
    home = os.environ.get("SPARK_HOME") or os.path.dirname(pyspark.__file__)
    jars = os.path.join(home, "jars")
    # The executor's own path: Spark's, what --jars and --packages shipped, Hadoop's.
    path = [worker.classpath, os.path.join(jars, "*"), os.path.join(SparkFiles.getRootDirectory(), "*"), os.environ.get("CLASSPATH", ""), os.environ.get("HADOOP_CONF_DIR", "")]
    java = os.path.join(os.environ["JAVA_HOME"], "bin", "java") if os.environ.get("JAVA_HOME") else "java"
    port, token, process = py4j.launch_gateway(
        jarpath=(glob.glob(os.path.join(jars, "py4j-*.jar")) + [""])[0], classpath=os.pathsep.join(p for p in path if p),
        javaopts=["-Xmx256m", "-XX:+UseSerialGC"], java_path=java, die_on_exit=True, enable_auth=True, return_proc=True,
    )
    gateway = py4j.JavaGateway(gateway_parameters=py4j.GatewayParameters(port=port, auth_token=token))
    gateway.process = process  # its open standard input keeps the JVM alive
    conf = gateway.jvm.org.apache.hadoop.conf.Configuration(False)
    conf.addResource(gateway.jvm.java.io.ByteArrayInputStream(worker.conf.encode()))
    return gateway.jvm, conf


def make_room(kept: str, size: int) -> None:
    """Removes archives that no task uses, the oldest first, until size bytes fit twice:
    the output of refract takes space, too."""
    for lock in sorted(glob.glob(os.path.join(kept, "*.lock")), key=os.path.getmtime):
        if shutil.disk_usage(kept).free >= 2 * size:
            return
        with open(lock) as f, contextlib.suppress(BlockingIOError):
            fcntl.flock(f, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(lock[: -len(".lock")], ignore_errors=True)


if __name__ == "__main__":
    import refract_spark  # by name, as workers import it

    sys.exit(refract_spark.main())
