"""Prints the members of archives, as the modules zipfile and tarfile of Python have them.

usage: python.py ARCHIVE...

Each line: archive, number of the member, kind (file or other), name, size and CRC-32 of the content, separated by
tabs. For a member that cannot be read, the size is "error". Names are in ASCII, with \\ escapes.
"""
import os, sys, tarfile, zipfile, zlib


def line(archive, number, is_file, name, read):
    size, crc = "-", "-"
    if is_file:
        try:
            data = read()
            size, crc = str(len(data)), "%08x" % zlib.crc32(data)
        except Exception:
            size = "error"
    name = name.encode("utf-8", "surrogateescape").decode("latin-1").encode("unicode_escape").decode("ascii")
    print(os.path.basename(archive), number, "file" if is_file else "other", name, size, crc, sep="\t")


def list_zip(archive):
    with zipfile.ZipFile(archive) as z:
        for number, info in enumerate(z.infolist()):
            mode = info.external_attr >> 16 & 0xF000
            is_file = not info.is_dir() and (info.create_system not in (3, 19) or mode in (0, 0x8000))
            line(archive, number, is_file, info.filename, lambda: z.read(info))


def list_tar(archive):
    with tarfile.open(archive) as t:
        for number, info in enumerate(t):
            # A hard link has the content of another member, and none of its own.
            name = info.name + ("/" if info.isdir() else "")
            line(archive, number, info.isreg(), name, lambda: t.extractfile(info).read())


for archive in sys.argv[1:]:
    try:
        (list_zip if zipfile.is_zipfile(archive) else list_tar)(archive)
    except Exception as e:
        print(os.path.basename(archive), "-", "error", "", "", "", sep="\t")
