#!/usr/bin/env python3
"""Runs refract on Spark: finds the URL references of many documents, as Parquet.

Spark schedules, retries, shuffles and stores; refract, one process a task, reads. A
document that cannot be read, or ends refract, is a row of the result, never a failed job.
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
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from typing import Any, BinaryIO, Iterable, Iterator

import py4j.java_gateway as py4j
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.json
import pyspark
from py4j.protocol import Py4JJavaError
from pyspark import SparkFiles
from pyspark.sql import DataFrame, SparkSession, functions as F

EXAMPLES = """\
OUT/rows has a row for each reference, note, failure and line of a log, by table and, for
references ("edge"), by bucket of the registered domain; OUT/urls each URL once, with
counts; OUT/hosts counts by host of the document and host of the URL.

examples:
  python refract_spark.py pages/ 'mail/*.mbox' out
  python refract_spark.py --dry-run pages/ out
  python refract_spark.py --master spark://host:7077 --refract ./refract /data/crawl out
  spark-submit --files refract refract_spark.py --manifest warc.paths s3a://bucket/out

exit status: 0, also when inputs could not be read; 2 for usage; 1 when Spark gave up.
"""

# The fields of refract --json that are kept, under their own names; "refract help json"
# explains them. Values that are not UTF-8 stay base64 under _b64: text columns cannot hold them.
TEXTS = """input input_b64 part document base layer from raw raw_b64 ref url url_b64
    canonical canonical_b64 domain kind how in error message""".split()
NUMBERS = ["line", "column", "offset", "length"]
ROW = pa.schema([("table", pa.string())] + [(t, pa.string()) for t in TEXTS] + [(n, pa.int64()) for n in NUMBERS])
ROW_SQL = ", ".join(f"`{f.name}` {'bigint' if f.type == pa.int64() else 'string'}" for f in ROW)
JSON = pa.schema([("type", pa.string())] + [f for f in ROW if f.name != "table"])
TABLES = {"reference": "edge", "note": "note", "error": "failure"}  # a summary is none

ARCHIVE = re.compile(r"(\.(mbox\w*|mbx|w?arc|wet|wat|rnews)(\.gz)?|/[^./]+)$", re.IGNORECASE)
REMOTE = re.compile(r"(?!file:)[A-Za-z][A-Za-z0-9+.-]*:/")
BLOCK = 8 << 20  # bytes of JSON that become one batch
LOGGED = 1000  # lines that the driver repeats


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


def frame(spark: SparkSession, tasks: list[list[Input]]) -> DataFrame:
    """A row and a partition for each task."""
    rows = [(n, json.dumps([asdict(i) for i in task])) for n, task in enumerate(tasks)]
    return spark.createDataFrame(spark.sparkContext.parallelize(rows, max(1, len(rows))), "task int, inputs string")


def cut(spark: SparkSession, worker: Worker, inputs: list[Input], size: int) -> list[Input]:
    """The inputs, with ranges in place of archives of more than size bytes. Workers look
    for the ranges: the driver's machine reads nothing."""
    large = [n for n, i in enumerate(inputs) if to_cut(i, size)]
    if not large:
        return inputs
    found = frame(spark, [[inputs[n]] for n in large]).mapInArrow(functools.partial(worker.index, size), "task int, range string")
    ranges: dict[int, list[Input]] = {}
    for row in found.collect():
        n = large[row["task"]]
        ranges.setdefault(n, []).append(replace(inputs[n], range=row["range"]))
    return [part for n, i in enumerate(inputs) for part in ranges.get(n, [i])]


def to_cut(i: Input, size: int) -> bool:
    return 0 < size < i.size and ARCHIVE.search(i.name) is not None


def save(spark: SparkSession, rows: DataFrame, out: str, buckets: int) -> DataFrame:
    """Writes rows, then the tables derived from them. These are computed from the written
    rows, so that refract runs only once. Returns the rows as read back."""
    bucket = F.when(F.col("table") == "edge", F.pmod(F.hash("domain"), F.lit(buckets))).otherwise(0)
    # Spark sorts each task's rows by table and bucket. To hold a file open for each in place
    # of that (maxConcurrentOutputFileWriters) took longer, on 516,219 rows 80 s and 85 s in
    # all against 67 s and 75 s, and twice the garbage collection.
    rows.withColumn("bucket", bucket).write.mode("overwrite").partitionBy("table", "bucket").parquet(f"{out}/rows")
    rows = spark.read.schema(ROW_SQL + ", bucket int").parquet(f"{out}/rows")
    edges = rows.where("table = 'edge' and (url is not null or url_b64 is not null)")

    edges.groupBy(F.coalesce("canonical", "canonical_b64", "url", "url_b64").alias("canonical")).agg(
        F.min("url").alias("url"),
        F.min("domain").alias("domain"),
        F.count("*").alias("references"),
    ).write.mode("overwrite").parquet(f"{out}/urls")

    # Not parse_url: it fails on strings that are not URIs, and URLs often are not.
    host = r"^[A-Za-z][A-Za-z0-9+.-]*://(?:[^/?#]*@)?(\[[^\]/?#]*\]|[^/?#:]*)"
    hosts = edges.select(
        F.lower(F.regexp_extract("document", host, 1)).alias("source"),
        F.lower(F.regexp_extract(F.coalesce("canonical", "url"), host, 1)).alias("target"),
    )
    hosts.where("source <> '' and target <> ''").groupBy("source", "target").count().write.mode("overwrite").parquet(f"{out}/hosts")
    return rows


def report(rows: DataFrame, out: str) -> None:
    """Failures and the first lines of the workers' logs to stderr, counts to stdout."""
    counts = {r["table"]: r["count"] for r in rows.groupBy("table").count().collect()}
    for table in "failure", "log":
        name = F.coalesce("input", "input_b64")
        lines = rows.where(F.col("table") == table).select(name.alias("name"), "message").orderBy("name", "message")
        for row in lines.limit(LOGGED).collect():
            print(f"{table}: {row['name'] or '-'}: {row['message']}", file=sys.stderr)
        if counts.get(table, 0) > LOGGED:
            print(f"{table}: {counts[table] - LOGGED} more, in {out}/rows/table={table}", file=sys.stderr)
    print(", ".join(f"{counts.get(t, 0)} {t}s" for t in ("edge", "note", "failure")), "in", out)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="refract_spark.py", description=__doc__, epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inputs", metavar="INPUT", nargs="*", help="file, directory or glob, of any file system that Spark opens")
    parser.add_argument("out", metavar="OUT", help="directory for the tables; those that are there are replaced")
    parser.add_argument("--manifest", metavar="FILE", help="also the inputs that FILE names, a line each: path, or path, tab and the URL by which it was retrieved")
    parser.add_argument("--refract", metavar="PATH", help="the refract binary to ship (default: that of --files, or of the command path)")
    parser.add_argument("--master", metavar="URL", help="Spark's master (default: spark-submit's, or local[*])")
    parser.add_argument("--task-bytes", metavar="BYTES", type=int, default=64 << 20, help="small inputs are bundled up to this (%(default)s)")
    parser.add_argument("--task-files", metavar="N", type=int, default=10000, help="and up to this number (%(default)s)")
    parser.add_argument("--split-bytes", metavar="BYTES", type=int, default=512 << 20, help="archives of more are cut at records; 0: none is (%(default)s)")
    parser.add_argument("--buckets", metavar="N", type=int, default=16, help="parts of the edges, by registered domain (%(default)s)")
    parser.add_argument("--dry-run", action="store_true", help="print the plan and read nothing")
    o = parser.parse_args(argv)
    if not o.inputs and not o.manifest:
        parser.error("give an INPUT or --manifest, and OUT")
    if min(o.task_bytes, o.task_files, o.buckets) < 1 or o.split_bytes < 0:
        parser.error("sizes and numbers are above 0")
    if o.refract and not os.path.isfile(o.refract):
        parser.error(f"--refract {o.refract}: no such file")

    builder = SparkSession.builder.appName("refract")
    spark = (builder.master(o.master) if o.master else builder).getOrCreate()
    try:
        return run(spark, o, parser)
    finally:
        spark.stop()


def run(spark: SparkSession, o: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    sc = spark.sparkContext
    if sc.master.startswith("local") and not os.environ.get("PYSPARK_PYTHON"):
        sc.pythonExec = sys.executable  # not the python3 in PATH, which may lack pyarrow
    conf = sc._jsc.hadoopConfiguration()
    files = Files(sc._jvm, conf)
    try:
        inputs = [i for name in o.inputs for i in files.find(name)]
        if o.manifest:
            lines = [line.split("\t") for line in sc.textFile(o.manifest).collect() if line]
            with ThreadPoolExecutor(32) as pool:  # each request to an object store is slow
                inputs += pool.map(lambda line: files.file(line[0], line[1] if len(line) > 1 else None), lines)
    except Py4JJavaError as e:
        # Also a scheme without its package: "No FileSystem for scheme "s3a"".
        parser.error(e.java_exception.toString())

    if o.dry_run:
        show(inputs, o)
        return 0
    shipped = {os.path.basename(f) for key in ("spark.files", "spark.yarn.dist.files") for f in sc.getConf().get(key, "").split(",")}
    binary = "refract"
    if o.refract or "refract" not in shipped:
        path = o.refract or shutil.which("refract")
        if not path:
            parser.error("no refract: give --refract PATH, or --files refract to spark-submit")
        sc.addFile(os.path.abspath(path))
        binary = os.path.basename(path)

    xml = sc._jvm.java.io.StringWriter()
    conf.writeXml(xml)
    sc.addPyFile(os.path.abspath(__file__))
    worker = Worker(binary, xml.toString(), sc.getConf().get("spark.executor.extraClassPath", ""))
    tasks = bundle(cut(spark, worker, inputs, o.split_bytes), o.task_bytes, o.task_files)
    tasks.sort(key=lambda task: sum(i.size for i in task), reverse=True)  # large tasks first
    report(save(spark, frame(spark, tasks).mapInArrow(worker.edges, ROW_SQL), o.out, o.buckets), o.out)
    return 0


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


# The part that runs in workers. Spark's Python workers import this file, so that the state
# they keep (the JVM that fetches) serves many tasks.


@dataclass(frozen=True)
class Worker:
    binary: str  # its name among the files that Spark ships
    conf: str  # Hadoop's, as XML
    classpath: str  # of the executors, beyond Spark's own

    def edges(self, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The rows of each task."""
        for _, inputs in tasks_of(batches):
            with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory(dir=scratch()) as at:
                here, failed = [], []
                for i in inputs:
                    try:
                        here.append(replace(i, path=i.path or self.fetch(i, at, stack)))
                    except Py4JJavaError as e:
                        failed.append(failure(i, e.java_exception.toString()))
                yield from batch(failed)
                yield from self.read(here, at)

    def read(self, inputs: list[Input], at: str) -> Iterator[pa.RecordBatch]:
        """The rows of local inputs. If refract fails, its whole output is discarded, and each
        half of the inputs is read again, until the input at fault is known."""
        if not inputs:
            return
        with tempfile.TemporaryDirectory(dir=scratch()) as tmp:
            out, log = os.path.join(tmp, "out"), os.path.join(tmp, "log")
            status = self.refract(["--json", "--canonical", "-j1", "-o", out], inputs, at, log)
            if status == 0:
                with open(out, "rb") as f:
                    yield from rows(f)
                yield from logged(inputs, log)
                return
            with open(log, "rb") as f:
                last = f.read()[-2000:].decode(errors="replace").strip().splitlines()[-3:]
        if len(inputs) > 1:
            middle = len(inputs) // 2
            yield from self.read(inputs[:middle], at)
            yield from self.read(inputs[middle:], at)
            return
        how = f"signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"status {status}"
        where = f" in the range {inputs[0].range}" if inputs[0].range else ""
        yield from batch([failure(inputs[0], f"refract ended with {how}{where}" + "".join(f"; {line}" for line in last))])

    def index(self, size: int, batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The number and ranges of each task, which is one archive; none if it cannot be cut."""
        for task, inputs in tasks_of(batches):
            with contextlib.ExitStack() as stack, tempfile.TemporaryDirectory(dir=scratch()) as tmp:
                ranges: list[str] = []
                with contextlib.suppress(Py4JJavaError):
                    here = [replace(i, path=i.path or self.fetch(replace(i, range="all"), tmp, stack)) for i in inputs]
                    out = os.path.join(tmp, "out")
                    if self.refract(["--split", str(size), "-o", out], here, tmp, os.devnull) == 0:
                        with open(out) as f:
                            ranges = [r for r in (json.loads(line).get("range") for line in f) if r]
                yield pa.RecordBatch.from_arrays([pa.array([task] * len(ranges), pa.int32()), pa.array(ranges, pa.string())], ["task", "range"])

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


def tasks_of(batches: Iterator[pa.RecordBatch]) -> Iterator[tuple[int, list[Input]]]:
    for b in batches:
        for row in b.to_pylist():
            yield row["task"], [Input(**i) for i in json.loads(row["inputs"])]


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


def failure(i: Input, message: str) -> dict[str, str]:
    return {"table": "failure", **text("input", i.name), "message": message}


def batch(rows: list[dict[str, str]]) -> Iterator[pa.RecordBatch]:
    if rows:
        yield pa.RecordBatch.from_pylist(rows, ROW)


def rows(f: BinaryIO) -> Iterator[pa.RecordBatch]:
    """The lines of refract --json as batches; no row is ever a Python object."""
    parse = pa.json.ParseOptions(explicit_schema=JSON, unexpected_field_behavior="ignore")
    while block := f.read(BLOCK):
        block += f.readline()
        table = pa.json.read_json(pa.BufferReader(block), pa.json.ReadOptions(use_threads=False, block_size=len(block)), parse)
        kind = pc.index_in(table["type"], pa.array(list(TABLES)))
        table = table.set_column(0, "table", pc.take(pa.array(list(TABLES.values())), kind)).filter(pc.is_valid(kind))
        yield from table.select(ROW.names).cast(ROW).combine_chunks().to_batches()


def logged(inputs: list[Input], log: str) -> Iterator[pa.RecordBatch]:
    """The messages of refract, each with the input it quotes."""
    names = {json.dumps(n, ensure_ascii=False): i for i in inputs for n in (i.path, i.name)}
    found = []
    with open(log, errors="replace") as f:
        for line in f:
            message = line.rstrip("\n")
            quoted = re.search(r'"(?:[^"\\]|\\.)*"', message)
            named = names.get(quoted[0]) if quoted else None
            named = named or (inputs[0] if len(inputs) == 1 else None)
            found.append({"table": "log", **(text("input", named.name) if named else {}), "message": message})
    yield from batch(found)


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
