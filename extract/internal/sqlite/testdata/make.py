# Writes the databases of the tests, and what SQLite says about their texts.
import json, os, re, sqlite3

os.chdir(os.path.dirname(os.path.abspath(__file__)))
with open("want.tsv", "w") as want:
    for name, encoding in ("utf8.sqlite", "UTF-8"), ("utf16.sqlite", "UTF-16be"):
        if os.path.exists(name):
            os.remove(name)
        db = sqlite3.connect(name)
        db.execute(f"pragma encoding = '{encoding}'")
        db.execute("pragma page_size = 512")
        db.execute("create table places (id integer primary key, url text, title text, x blob, \"odd, name\" text default 'a,(b)')")
        db.execute("create table [w r] (a text, b text /* , c */, v text generated always as (a || b), c text, primary key (b, a)) without rowid")
        db.execute("create index i on places (url)")
        for i in range(40):
            long = "x" * (200 * i) if i % 10 == 0 else ""
            db.execute('insert into places (url, title, x, "odd, name") values (?, ?, ?, ?)', (
                f"https://h{i}.example/a?{i}", f"xt{long} https://t{i}.example/{long} é",
                b"\0\1\2" if i % 3 else b"https://b.example/%d" % i, '{"u":"https:\\/\\/j%d.example\\/"}' % i))
            db.execute("insert into [w r] (a, b, c) values (?, ?, ?)", (f"https://a{i}.example/", f"b{i}", f"https://c{i}.example/"))
        db.execute("delete from places where id % 5 = 0")
        db.commit()
        for rowid, url, title, x, odd in db.execute('select id, url, title, x, "odd, name" from places'):
            values = [("url", url), ("title", re.search(r"https://\S+", title)[0]), ("odd, name", json.loads(odd)["u"])]
            if x[0]:
                values.append(("x", x.decode()))
            for column, value in values:
                print(name, f"places.{rowid}.{column}", value, sep="\t", file=want)
        for i, (a, c) in enumerate(db.execute("select a, c from [w r] order by b, a")):
            print(name, f"w r.{i + 1}.a", a, sep="\t", file=want)
            print(name, f"w r.{i + 1}.c", c, sep="\t", file=want)
        db.close()

# A row whose cell has four bytes, the least, at the end of its page.
if os.path.exists("null.sqlite"):
    os.remove("null.sqlite")
db = sqlite3.connect("null.sqlite")
db.execute("pragma page_size=512")
db.execute("create table t(u text)")
db.executemany("insert into t values(?)", [(None,), ("https://h.example/a",)])
db.commit()

# Values of fields, in a database and in a property list.
import plistlib

values = [
    "https://h.example/wiki/Example_Inc.", "https://h.example/x?", "https://h.example/x===", "https://h.example/(a",
    "see https://h.example/a.", "https://h.example/a. And https://h.example/b.", "https://h.example/a\u3002\u6587",
    "https://h.example/b,https://h.example/c", "https://h.example/x\u6587\u5b57",
]
if os.path.exists("values.sqlite"):
    os.remove("values.sqlite")
db = sqlite3.connect("values.sqlite")
db.execute("pragma page_size=512")
db.execute("create table t(u text)")
db.executemany("insert into t values(?)", [(v,) for v in values])
db.commit()
with open("../../plist/testdata/values.plist", "wb") as f:
    plistlib.dump({"r": values}, f, fmt=plistlib.FMT_BINARY)
