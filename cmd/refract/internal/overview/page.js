const {counts, documents, first, last, kinds, labels, places, texts, sets, kindNames, labelNames, meanings, risks, maxPlaces, bars} = data;
const urls = data.urls ? data.urls.split("\n") : [], N = urls.length;
const least = new Set(data.least);
const domainOf = i => texts[data.domains[i]];
const schemeOf = i => (/^[a-z][a-z0-9+.-]*(?=:)/i.exec(urls[i]) || ["(relative)"])[0].slice(0, 40).toLowerCase();
const dateOf = day => day ? new Date((day - 1) * 864e5).toISOString().slice(0, 10) : "";

// placesOf returns the documents that are named for a URL, with positions.
const starts = new Uint32Array(N + 1); // in places
for (let i = 0; i < N; i++) starts[i + 1] = starts[i] + 3 * Math.min(documents[i], maxPlaces);
function placesOf(i) {
	const list = [];
	for (let at = starts[i]; at < starts[i + 1]; at += 3) list.push({source: places[at], line: places[at + 1], column: places[at + 2]});
	return list;
}
function placeOf(p) {
	const file = texts[data.files[p.source]], member = texts[data.members[p.source]];
	const cut = member.indexOf("!/"), base = cut < 0 ? "" : member.slice(0, cut);
	const name = !member ? file : base && file.endsWith(base) ? file + member.slice(cut) : file + "!/" + member;
	return name + (p.line ? ":" + p.line + ":" + p.column : "");
}

// ---- The state of the filters. It is kept in the fragment of the URL, so that it can be linked to.

const nothing = {q: "", domain: "", scheme: "", kind: "", label: "", list: "", folder: "", from: "", period: "", order: "count"};
const state = {...nothing};
const fields = ["q", "domain", "kind", "label", "period", "order"]; // those with a field in the form
const chips = {scheme: "scheme", list: "list", folder: "folder", from: "from"};

function readHash() {
	const p = new URLSearchParams(location.hash.slice(1));
	for (const key in nothing) state[key] = p.get(key) || nothing[key];
	for (const key of ["kind", "label", "period", "order"]) {
		if (![...$(key).options].some(o => o.value === state[key])) state[key] = nothing[key];
	}
	for (const key of fields) $(key).value = state[key];
}

function writeHash() {
	const p = new URLSearchParams();
	for (const key in nothing) if (state[key] !== nothing[key]) p.set(key, state[key]);
	const hash = p.toString();
	if (hash !== location.hash.slice(1) && !(location.hash === "#urls" && !hash)) history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
}

// ---- The filters.

const searched = new Array(N); // texts that are searched, made when needed
function textOf(i) {
	if (searched[i] === undefined) {
		const all = [urls[i]];
		for (const {source: s} of placesOf(i)) all.push(texts[data.files[s]], texts[data.members[s]], texts[data.pages[s]], texts[data.subjects[s]], texts[data.from[s]]);
		searched[i] = all.join("\n").toLowerCase();
	}
	return searched[i];
}

// inDocument returns a filter for the URLs of documents with a text in one column.
function inDocument(column, text) {
	const wanted = texts.indexOf(text);
	return i => {
		for (let at = starts[i]; at < starts[i + 1]; at += 3) if (column[places[at]] === wanted) return true;
		return false;
	};
}

// inPeriod returns a filter for the URLs that occur in a period. If not all documents of a URL are
// named, its first and last date decide.
function inPeriod([, start, end]) {
	return i => {
		if (documents[i] > maxPlaces) return first[i] && first[i] < end && last[i] >= start;
		for (let at = starts[i]; at < starts[i + 1]; at += 3) {
			const day = data.days[places[at]];
			if (day >= start && day < end) return true;
		}
		return false;
	};
}

function filters() {
	const all = [];
	if (state.domain) {
		const wanted = state.domain.toLowerCase(), exact = texts.indexOf(wanted);
		if (exact > 0 && data.domains.includes(exact)) all.push(i => data.domains[i] === exact);
		else all.push(i => domainOf(i).includes(wanted));
	}
	if (state.scheme) all.push(i => schemeOf(i) === state.scheme);
	if (state.kind) {
		const bit = 1 << kindNames.indexOf(state.kind);
		all.push(i => kinds[i] & bit);
	}
	if (state.label) {
		const l = labelNames.indexOf(state.label), has = sets.map(set => state.label === "any" ? set.some(l => l < risks) : set.includes(l));
		all.push(i => has[labels[i]]);
	}
	for (const [key, column] of [["list", data.lists], ["folder", data.folders], ["from", data.from]]) {
		if (state[key]) all.push(inDocument(column, state[key]));
	}
	const bar = bars.find(b => b[0] === state.period);
	if (bar) all.push(inPeriod(bar));
	for (const word of state.q.toLowerCase().split(/\s+/)) if (word) all.push(i => textOf(i).includes(word));
	return all;
}

// order returns a comparison of two URLs; undefined keeps the order of the data.
function order() {
	const text = (x, y) => x < y ? -1 : x > y ? 1 : 0;
	switch (state.order) {
	case "documents": return (a, b) => documents[b] - documents[a] || a - b;
	case "first": return (a, b) => (first[a] || 1e9) - (first[b] || 1e9) || a - b;
	case "last": return (a, b) => last[b] - last[a] || a - b;
	case "url": return (a, b) => text(urls[a], urls[b]);
	case "site": return (a, b) => text(domainOf(a) || "~", domainOf(b) || "~") || a - b;
	}
}

let shown = []; // URLs that pass the filters, in their order

function update() {
	const all = filters(), by = order();
	shown = [];
	for (let i = 0; i < N; i++) if (all.every(f => f(i))) shown.push(i);
	if (by) shown.sort(by);
	let references = 0;
	for (const i of shown) references += counts[i];
	const whole = !all.length;
	$("status").textContent = (whole ? "" : number(shown.length) + " of ") + count(N, "URL") + ", " + count(references, "reference") +
		(state.list || state.folder || state.from ? ", by the documents that are named" : "");
	$("clear").hidden = whole;
	$("export").disabled = !shown.length;
	writeHash();
	marks(!!bars.find(b => b[0] === state.period));
	open = -1;
	active = 0;
	$("grid").scrollTop = 0;
	render();
}

// marks shows which filters are set: as buttons that remove them, in the cards, and in the timeline.
function marks(hasPeriod) {
	$("chips").replaceChildren(...Object.keys(chips).filter(key => state[key]).map(key =>
		button(chips[key] + ": " + state[key] + " ×", "Remove the filter " + chips[key] + ": " + state[key], () => set(key, ""))));
	for (const b of document.querySelectorAll(".pick")) b.setAttribute("aria-pressed", state[b.dataset.key] === b.dataset.value);
	document.body.classList.toggle("picking", hasPeriod);
	if ($("bars")) [...$("bars").children].forEach((g, i) => g.classList.toggle("on", bars[i][0] === state.period));
}

// set sets a filter, or removes it if it is set already.
function set(key, value) {
	state[key] = state[key] === value ? "" : value;
	if (fields.includes(key)) $(key).value = state[key];
	update();
}

// ---- The table: only the rows in view are elements. One row can be open.

const MOST_PRINTED = 500;
const narrow = matchMedia("(max-width: 48rem)");
let open = -1, active = 0, extra = 0, opened = null, frame = 0, isPrinting = false;
const height = () => narrow.matches ? 52 : 32;
const head = () => narrow.matches ? 0 : 30;
const top_ = k => k * height() + (open >= 0 && k > open ? extra : 0);

function at(y) { // the row at a height
	const h = height();
	if (open < 0 || y < (open + 1) * h) return Math.floor(y / h);
	return y < (open + 1) * h + extra ? open : Math.floor((y - extra) / h);
}

function cell(text, ...children) {
	const e = make("span", "", text, ...children);
	e.setAttribute("role", "gridcell");
	return e;
}

function row(k) {
	const i = shown[k], line = make("div", "line0"), url = make("bdi", "", urls[i]), item = make("div", "item");
	item.setAttribute("role", "none");
	url.dir = "ltr";
	url.title = urls[i];
	const middle = cell("", url, ...sets[labels[i]].filter(l => l < risks).slice(0, 3).map(l => make("span", "tag", labelNames[l])));
	middle.className = "cell";
	line.append(cell((least.has(i) ? "≥ " : "") + number(counts[i])), middle, cell(number(documents[i])), cell(dateOf(first[i])), cell(dateOf(last[i])));
	line.setAttribute("role", "row");
	line.setAttribute("aria-level", 1);
	line.setAttribute("aria-rowindex", k + 2);
	line.setAttribute("aria-expanded", k === open);
	line.id = "row" + k;
	line.addEventListener("click", () => {
		if (getSelection().toString()) return;
		active = k;
		toggle(k);
	});
	item.append(line);
	if (k === open) item.append(more(i));
	return item;
}

// more describes a URL: its kinds and labels, and where it is.
function more(i) {
	const box = make("div", "more"), inner = make("div"), full = make("p", "full");
	const isSafe = /^https?:\/\/[!-~]+$/.test(urls[i]) && !sets[labels[i]].some(l => l < risks);
	if (isSafe) {
		const a = make("a", "", urls[i]);
		a.href = urls[i];
		a.target = "_blank";
		a.rel = "noopener noreferrer";
		full.append(a);
	} else {
		full.append(make("bdi", "", urls[i]));
	}
	const facts = make("dl");
	const fact = (name, ...value) => facts.append(make("dt", "", name), make("dd", "", ...value));
	fact("kinds", kindNames.filter((_, k) => kinds[i] >> k & 1).join(", "));
	if (domainOf(i)) fact("domain", button(domainOf(i), "Only the domain " + domainOf(i), () => set("domain", domainOf(i))));
	for (const l of sets[labels[i]]) fact(l < risks ? "label" : "place", labelNames[l] + (meanings[l] ? ": " + meanings[l] : ""));
	const list = make("ol");
	for (const p of placesOf(i)) {
		const s = p.source, about = [dateOf(data.days[s]), texts[data.from[s]], texts[data.subjects[s]], texts[data.pages[s]]].filter(Boolean).join(" · ");
		list.append(make("li", "", make("code", "", make("bdi", "", placeOf(p))), " ", make("small", "", make("bdi", "", about))));
	}
	const rest = documents[i] - Math.min(documents[i], maxPlaces);
	if (rest) list.append(make("li", "", make("small", "", "and in " + count(rest, "other document"))));
	box.setAttribute("role", "row");
	inner.setAttribute("role", "gridcell");
	inner.setAttribute("aria-colspan", 5);
	inner.append(full, facts, list);
	box.append(inner);
	return box;
}

function toggle(k) {
	open = open === k ? -1 : k;
	opened = null;
	render();
}

function render() {
	const grid = $("grid"), h = height(), view = grid.clientHeight, from = isPrinting ? 0 : Math.max(0, at(grid.scrollTop - head()) - 5);
	const to = isPrinting ? Math.min(shown.length, MOST_PRINTED) : Math.min(shown.length, at(grid.scrollTop + view) + 6);
	const items = [];
	for (let k = from; k < to; k++) {
		const item = k === open && opened || row(k);
		if (k === open) opened = item;
		item.classList.toggle("active", k === active);
		item.style.top = top_(k) + "px";
		items.push(item);
	}
	if (!shown.length) items.push(make("p", "none", N ? "No URLs match." : "No URLs found."));
	$("rows").replaceChildren(...items);
	if (open >= from && open < to) {
		const was = extra;
		extra = opened.getBoundingClientRect().height - h;
		if (extra !== was) for (let k = from; k < to; k++) items[k - from].style.top = top_(k) + "px";
	}
	$("rows").style.height = shown.length ? shown.length * h + (open >= 0 ? extra : 0) + "px" : "auto";
	grid.setAttribute("aria-rowcount", shown.length + 1);
	if (active >= from && active < to) grid.setAttribute("aria-activedescendant", "row" + active);
	else grid.removeAttribute("aria-activedescendant");
}

function soon() {
	if (!frame) frame = requestAnimationFrame(() => {
		frame = 0;
		render();
	});
}

// go makes a row the active one, and moves it into view.
function go(k) {
	active = Math.max(0, Math.min(shown.length - 1, k));
	const grid = $("grid"), y = top_(active), room = grid.clientHeight - head();
	if (y < grid.scrollTop) grid.scrollTop = y;
	else if (y + height() > grid.scrollTop + room) grid.scrollTop = y + height() - room;
	render();
}

// ---- Export.

function csv() {
	const quoted = s => {
		s = String(s);
		if (/^[=+\-@\t\r]/.test(s)) s = "'" + s; // otherwise, spreadsheets would compute it
		return /[",\r\n]|^\s/.test(s) ? '"' + s.replaceAll('"', '""') + '"' : s;
	};
	const lines = ["url,references,at_least,documents,first_seen,last_seen,domain,kinds,labels,places"];
	for (const i of shown) {
		lines.push([urls[i], counts[i], least.has(i), documents[i], dateOf(first[i]), dateOf(last[i]), domainOf(i), kindNames.filter((_, k) => kinds[i] >> k & 1).join(" "),
			sets[labels[i]].map(l => labelNames[l]).join(" "), placesOf(i).map(placeOf).join("; ")].map(quoted).join(","));
	}
	return lines.join("\n") + "\n";
}

$("export").addEventListener("click", () => {
	const a = make("a"), url = URL.createObjectURL(new Blob([csv()], {type: "text/csv"}));
	a.href = url;
	a.download = "links.csv";
	a.click();
	setTimeout(() => URL.revokeObjectURL(url), 1000);
});

// ---- The controls.

function options(id, any, list) {
	$(id).replaceChildren(...[["", any], ...list].map(([value, text]) => {
		const o = make("option", "", text);
		o.value = value;
		return o;
	}));
}
options("kind", "any", kindNames.filter((_, k) => kinds.some(bits => bits >> k & 1)).map(name => [name, name]));
{
	const used = new Set(sets.flat()), has = labelNames.map((name, l) => [name, l]).filter(([, l]) => used.has(l));
	const risky = has.some(([, l]) => l < risks);
	options("label", "any or none", [...risky ? [["any", "any that needs attention"]] : [], ...has.map(([name]) => [name, name])]);
}
options("period", "any", bars.map(([name]) => [name, name]));
$("period-field").hidden = !bars.length;
document.body.classList.toggle("undated", !bars.length);
if (!bars.length) for (const o of [...$("order").options]) if (["first", "last"].includes(o.value)) o.remove();
if ($("bars")) {
	[...$("bars").children].forEach((g, i) => g.addEventListener("click", () => set("period", bars[i][0])));
	document.body.classList.add("live");
}
for (const card of document.querySelectorAll(".card[data-facet]")) {
	for (const name of card.querySelectorAll(".name")) {
		const value = name.dataset.value, b = button(name.textContent, "", () => {
			set(card.dataset.facet, value);
			$("urls").scrollIntoView();
		});
		b.className = "pick";
		b.dataset.value = value;
		b.dataset.key = card.dataset.facet;
		name.replaceChildren(b);
		if (card.dataset.facet === "domain") {
			const o = make("option");
			o.value = value;
			$("domains").append(o);
		}
	}
}
let typing = 0;
for (const id of fields) {
	$(id).addEventListener("input", e => {
		state[id] = e.target.value.trim();
		clearTimeout(typing);
		typing = setTimeout(update, N > 5000 ? 120 : 0);
	});
}
$("controls").addEventListener("submit", e => e.preventDefault());
$("clear").addEventListener("click", () => {
	Object.assign(state, nothing, {order: state.order});
	for (const key of fields) $(key).value = state[key];
	update();
});
$("grid").addEventListener("scroll", soon, {passive: true});
$("grid").addEventListener("keydown", e => {
	if (e.target !== $("grid") || e.ctrlKey || e.metaKey || e.altKey) return;
	const page = Math.max(1, Math.floor($("grid").clientHeight / height()) - 2);
	const keys = {ArrowDown: () => go(active + 1), ArrowUp: () => go(active - 1), PageDown: () => go(active + page), PageUp: () => go(active - page),
		Home: () => go(0), End: () => go(shown.length - 1), Enter: () => toggle(active), " ": () => toggle(active), Escape: () => open >= 0 && toggle(open)};
	if (!keys[e.key] || !shown.length) return;
	e.preventDefault();
	keys[e.key]();
});
document.addEventListener("keydown", e => {
	if (e.key === "/" && !/INPUT|SELECT/.test(document.activeElement.tagName)) {
		e.preventDefault();
		$("q").focus();
	}
});
addEventListener("hashchange", () => {
	if (["#urls", "#labels", "#unread"].includes(location.hash)) return; // links of the page
	readHash();
	update();
});
addEventListener("beforeprint", () => {
	isPrinting = true;
	$("printed").textContent = shown.length > MOST_PRINTED ? "The first " + number(MOST_PRINTED) + " of " + count(shown.length, "URL") + "." : "";
	render();
});
addEventListener("afterprint", () => {
	isPrinting = false;
	render();
});
narrow.addEventListener("change", () => {
	opened = null;
	render();
});
new ResizeObserver(() => {
	opened = null;
	soon();
}).observe($("grid"));

$("plain").hidden = N > 0;
for (const id of ["controls", "grid", "keys"]) $(id).hidden = !N;
readHash();
update();
performance.mark("refract-table");

// For tests, and read-only.
window.refract = Object.freeze({
	status: () => ({shown: shown.length, rows: $("rows").childElementCount, active, open}),
	csv,
});
