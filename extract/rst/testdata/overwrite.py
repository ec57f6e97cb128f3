"""Overwrites references of reStructuredText one at a time, and looks where the new text appears in what docutils makes
of the document: it has to be all of one link. usage: overwrite.py REFRACT NUMBER FILE..., with docutils installed.
NUMBER is how many references of each file are overwritten. The figures are in overwrite.jsonl.

What is explained there, and printed as BAD here: docutils does not know the directives of Sphinx, whose text this
program drops (deprecated-removed, canonical-doc, versionchanged) or refuses (class with a signature); it looks for no
URL after a word like "git://x" of an unknown scheme; and a mark without the slash of the URL that it overwrites joins
the text after it.
"""
import io, json, random, subprocess, sys

from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles, states

refract, number, files = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
MARK = "http://mark.example/q"
VERBATIM = """code-block sourcecode highlight literalinclude graphviz digraph graph doctest testcode testoutput testsetup
    testcleanup prompt productionlist plot ipython mermaid uml toctree include raw""".split()
OTHER = "toctree include raw/file raw/url csv-table/file literalinclude".split()


class Options(dict):
    def __contains__(self, name):
        return True

    def __getitem__(self, name):
        return lambda text: text


class Parsed(Directive):
    has_content, optional_arguments, final_argument_whitespace, option_spec = True, 100, True, Options()

    def run(self):
        node = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, node)
        return [node]


class Verbatim(Parsed):
    def run(self):
        return []


known_directive, known_role = directives.directive, roles.role


def directive(name, language, document):
    found, messages = (None, []) if name in ("include", "raw") else known_directive(name, language, document)
    return (found, messages) if found else (Verbatim if name in VERBATIM else Parsed, [])


def role(name, language, line, reporter):
    found, messages = known_role(name, language, line, reporter)
    return (found, messages) if found else (lambda *a, **k: ([nodes.literal("", "")], []), [])


directives.directive = states.directives.directive = directive
roles.role = states.roles.role = role


def links(text):
    settings = dict(report_level=5, halt_level=6, warning_stream=io.StringIO(), file_insertion_enabled=False, _disable_config=True)
    document = publish_doctree(text, settings_overrides=settings)
    for node in document.findall(lambda n: isinstance(n, (nodes.reference, nodes.target, nodes.image))):
        yield node.get("refuri") or node.get("uri") or ""


random.seed(11)
total = bad = 0
for name in files:
    source = open(name, "rb").read()
    lines = subprocess.run([refract, "--type", "rst", "--json", "-q", name], capture_output=True, text=True).stdout
    found = [json.loads(line) for line in lines.splitlines()]
    found = [r for r in found if r.get("type") == "reference" and r.get("exact") and not r.get("part") and "ranges" not in r
             and r.get("how") != "role" and r.get("in") not in OTHER and "@" not in r["ref"]]
    random.shuffle(found)
    for r in found[:number]:
        changed = source[: r["offset"]] + MARK.encode() + source[r["offset"] + r["length"] :]
        hits = [u for u in links(changed.decode("utf-8", "replace")) if MARK in u]
        total += 1
        if not hits or any(u != MARK for u in hits):
            bad += 1
            print("BAD", name, r["line"], r["raw"], hits[:3])
print(total, "overwritten,", total - bad, "right")
