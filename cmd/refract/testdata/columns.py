"""Prints the rows of a stream of Arrow IPC or of a Parquet file, as a library reads them: a JSON
object for each row, without nulls. Times are microseconds. Exits with 77 without the library."""

import base64
import datetime
import json
import sys

library, name = sys.argv[1:]
try:
    __import__({"pyarrow-stream": "pyarrow", "duckdb-stream": "duckdb", "polars-stream": "polars"}.get(library, library))
    if library.startswith("duckdb"):
        import pytz  # without which it returns no times
    if library.endswith("-stream"):
        import pyarrow as pa
except ImportError:
    sys.exit(77)
EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)


def plain(v):
    if isinstance(v, (bytes, bytearray)):
        return {"b64": base64.b64encode(v).decode()}
    if isinstance(v, datetime.datetime):
        return (v - EPOCH) // datetime.timedelta(microseconds=1)
    if isinstance(v, dict):
        return [plain(v["offset"]), plain(v["length"])]
    if isinstance(v, list):
        return [plain(i) for i in v]
    return v


def rows():
    if library == "pyarrow":
        import pyarrow.parquet as pq

        table = pq.read_table(name)
        table.validate(full=True)
        return table.to_pylist()
    if library == "pyarrow-stream":
        with open(name, "rb") as f:
            table = pa.ipc.open_stream(f).read_all()
        table.validate(full=True)
        return table.to_pylist()
    if library.startswith("duckdb"):
        import duckdb

        db = duckdb.connect()
        db.execute("SET TimeZone = 'UTC'")
        if library == "duckdb":
            found = db.execute(f"SELECT * FROM read_parquet('{name}')")
        else:
            stream = pa.ipc.open_stream(open(name, "rb"))
            db.register("stream", stream)
            found = db.execute("SELECT * FROM stream")
        names = [d[0] for d in found.description]
        return [dict(zip(names, row)) for row in found.fetchall()]
    if library == "polars":
        import polars

        return polars.read_parquet(name).to_dicts()
    if library == "polars-stream":
        import polars

        return polars.read_ipc_stream(name).to_dicts()
    if library == "pandas":
        import pandas

        table = pandas.read_parquet(name, dtype_backend="pyarrow")
        return [{k: None if v is pandas.NA else v for k, v in row.items()} for row in table.to_dict("records")]


def known(row):
    for k, v in row.items():
        if hasattr(v, "tolist"):
            v = v.tolist()
        if hasattr(v, "to_pydatetime"):
            v = v.to_pydatetime()
        if v is not None and v == v:
            yield k, plain(v)


for row in rows():
    print(json.dumps(dict(known(row))))
