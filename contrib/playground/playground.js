"use strict";

const at = (id) => document.getElementById(id);

// The worker comes from a blob, because such a worker has the security policy of the page.
const decoded = (code) => new TextDecoder().decode(Uint8Array.from(atob(code), (c) => c.charCodeAt(0)));
const worker = new Worker(URL.createObjectURL(new Blob([decoded(goRuntime), "\n", decoded(workerCode)], { type: "text/javascript" })));
const waiting = new Map();
let lastID = 0;

// ask sends a message to the worker, and returns its answer.
function ask(message, transfer = []) {
	return new Promise((resolve, reject) => {
		message.id = ++lastID;
		waiting.set(message.id, { resolve, reject });
		worker.postMessage(message, transfer);
	});
}

worker.onmessage = (e) => {
	const w = waiting.get(e.data.id);
	waiting.delete(e.data.id);
	if (e.data.error) {
		w.reject(new Error(e.data.error));
	} else {
		w.resolve(e.data.result);
	}
};
worker.onerror = (e) => {
	for (const w of waiting.values()) {
		w.reject(new Error("the program has ended: " + e.message));
	}
	waiting.clear();
};

// A module is a script that calls moduleLoaded with its code. It is loaded when it is first needed.
const modules = new Map();
let moduleLoaded;

function module(name) {
	if (!modules.has(name)) {
		modules.set(name, new Promise((resolve, reject) => {
			moduleLoaded = (code) => resolve(ask({ do: "load", code }));
			const script = document.createElement("script");
			script.src = name + ".js";
			script.onerror = () => reject(new Error("cannot load " + script.src));
			document.head.append(script);
		}));
	}
	return modules.get(name);
}

function say(text, isError = false) {
	at("status").textContent = text;
	at("status").className = isError ? "error" : "";
}

// clear empties the table, and sets its columns.
function clear(columns) {
	at("results").tHead.replaceChildren(row(columns, "th"));
	at("results").tBodies[0].replaceChildren();
	at("results").hidden = false;
	at("notes").replaceChildren();
	at("save").hidden = true;
	at("report").hidden = true;
	at("report").removeAttribute("src");
}

function row(cells, kind = "td") {
	const tr = document.createElement("tr");
	for (const text of cells) {
		const cell = document.createElement(kind);
		cell.textContent = text;
		tr.append(cell);
	}
	return tr;
}

function note(text) {
	const li = document.createElement("li");
	li.textContent = text;
	at("notes").append(li);
}

const count = (n, noun) => n.toLocaleString("en") + " " + noun + (n === 1 ? "" : "s");

// The page shows so many references of all files.
const maxRows = 5000;

// find shows the references in files: each has a name and the function bytes.
async function find(files, url) {
	clear(["file", "line:column", "kind", "as written", "URL", "base"]);
	let total = 0;
	for (const file of files) {
		say("Reading " + file.name + " …");
		const data = await file.bytes();
		const found = JSON.parse(await ask({ do: "extract", name: file.name, url, data }, [data]));
		const rows = document.createDocumentFragment();
		for (const r of found.references.slice(0, Math.max(0, maxRows - at("results").tBodies[0].rows.length))) {
			const place = r.line ? r.line + (r.column ? ":" + r.column : "") : r.page ? "page " + r.page : "byte " + r.offset;
			const tr = row([file.name + (r.place ? " " + r.place : ""), place, r.kind + (r.in ? " " + r.in : ""), r.raw, r.url || r.error || "", r.base ? r.base + " (" + r.layer + ")" : "none"]);
			tr.title = "offset " + r.offset + ", length " + r.length + " bytes";
			tr.children[4].className = r.url ? "" : "error";
			rows.append(tr);
		}
		at("results").tBodies[0].append(rows);
		total += found.count;
		for (const text of [...(found.notes || []), ...(found.error ? [found.error] : [])]) {
			note(file.name + ": " + text);
		}
	}
	const shown = at("results").tBodies[0].rows.length;
	say(count(total, "reference") + " in " + count(files.length, "file") + (shown < total ? ": the first " + shown.toLocaleString("en") + " are shown" : ""));
}

// audit shows the findings of an audit of files.
async function audit(files) {
	clear(["file", "line:column", "rule", "finding", "base"]);
	say("Loading the audit …");
	await module("audit");
	for (const file of files) {
		say("Reading " + file.name + " …");
		const data = await file.bytes();
		const problem = await ask({ do: "add", name: file.name, data }, [data]);
		if (problem) {
			note(file.name + ": " + problem);
		}
	}
	say("Auditing …");
	const text = await ask({ do: "audit" });
	if (text.startsWith("error: ")) {
		throw new Error(text.slice("error: ".length));
	}
	const o = JSON.parse(text);
	const rows = document.createDocumentFragment();
	for (const f of o.findings) {
		rows.append(row([f.file, f.line + ":" + f.column, f.rule, f.text, f.base || ""]));
	}
	at("results").tBodies[0].append(rows);
	(o.notes || []).forEach(note);
	const link = document.createElement("a");
	link.href = URL.createObjectURL(new Blob([o.report], { type: "text/html" }));
	link.download = "refract-report.html";
	link.textContent = "Save the report page";
	const show = document.createElement("button");
	show.textContent = "Show the report here";
	show.addEventListener("click", () => {
		at("report").src = link.href;
		at("report").hidden = false;
		show.disabled = true;
	});
	at("save").replaceChildren(show, " ", link, ": all findings to filter, and the graph of links");
	at("save").hidden = false;
	say(count(o.count, "finding") + " in " + count(o.documents, "document") + " with " + count(o.references, "reference") + ": " + count(o.checked, "internal link") + " checked, " + o.skipped + " not" +
		(o.findings.length < o.count ? "; the first " + o.findings.length.toLocaleString("en") + " findings are shown" : ""));
}

// One run at a time: the next one begins when the last one has ended.
let running = Promise.resolve();

function run(task) {
	running = running.then(task).catch((err) => say(err.message, true));
	return running;
}

// read finds references in files, or audits them.
function read(files) {
	files = files.sort((a, b) => (a.name < b.name ? -1 : 1));
	return run(() => (at("audit").checked ? audit(files) : find(files, "")));
}

const fromFile = (f, name = f.webkitRelativePath || f.name) => ({ name, bytes: () => f.arrayBuffer() });

// entries returns the files of a dropped entry, and of all directories in it.
async function entries(entry) {
	if (entry.isFile) {
		const f = await new Promise((resolve, reject) => entry.file(resolve, reject));
		return [fromFile(f, entry.fullPath.replace(/^\//, ""))];
	}
	const reader = entry.createReader();
	const all = [];
	for (;;) {
		const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
		if (some.length === 0) {
			return all;
		}
		for (const e of some) {
			all.push(...(await entries(e)));
		}
	}
}

at("form").addEventListener("submit", (e) => {
	e.preventDefault();
	const text = new TextEncoder().encode(at("text").value).buffer;
	run(() => find([{ name: at("type").value, bytes: async () => text }], at("url").value));
});
for (const id of ["files", "folder"]) {
	at(id).addEventListener("change", () => read([...at(id).files].map((f) => fromFile(f))));
}
addEventListener("dragover", (e) => {
	e.preventDefault();
	at("drop").classList.add("over");
});
addEventListener("dragleave", () => at("drop").classList.remove("over"));
addEventListener("drop", (e) => {
	e.preventDefault();
	at("drop").classList.remove("over");
	const dropped = [...e.dataTransfer.items].map((i) => i.webkitGetAsEntry()).filter((entry) => entry);
	run(async () => {
		const files = (await Promise.all(dropped.map(entries))).flat().sort((a, b) => (a.name < b.name ? -1 : 1));
		await (at("audit").checked ? audit(files) : find(files, ""));
	});
});

run(() => module("extract").then(() => say("Ready")));
