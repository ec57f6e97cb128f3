const {names, kinds, links, rules, causes, texts, findings} = data;
const MISSING = 2;
const place = f => f.l ? f.c ? f.l + ":" + f.c : "" + f.l : "";
const target = f => (f.t || 0) - 1; // index of names, or -1
// Texts that many findings share are in the data once.
const messageOf = f => f.t ? texts[f.m].replace("\u0001", () => names[f.t - 1]) : texts[f.m];
const writtenOf = f => f.w || f.e && f.e[1] || "";
const causeOf = f => f.u < 0 ? names[f.t - 1] : causes[f.u - 1];

// ---- The state of the filters. It is kept in the fragment of the URL, so that it can be linked to.

const state = {rules: new Set(), path: "", q: "", by: "document", node: -1};

function readHash() {
	const p = new URLSearchParams(location.hash.slice(1));
	state.rules = new Set((p.get("rule") || "").split(",").filter(r => rules.includes(r)));
	state.path = p.get("path") || "";
	state.q = p.get("q") || "";
	state.by = ["target", "rule", "cause"].includes(p.get("by")) ? p.get("by") : "document";
	state.node = p.has("at") ? names.indexOf(p.get("at")) : -1;
	for (const box of $("rules").querySelectorAll("input")) box.checked = state.rules.has(box.value);
	$("path").value = state.path;
	$("q").value = state.q;
	document.querySelector(`input[name=by][value=${state.by}]`).checked = true;
}

function writeHash() {
	const p = new URLSearchParams();
	if (state.rules.size) p.set("rule", [...state.rules].join());
	if (state.path) p.set("path", state.path);
	if (state.q) p.set("q", state.q);
	if (state.by !== "document") p.set("by", state.by);
	if (state.node >= 0) p.set("at", names[state.node]);
	const hash = p.toString();
	if (hash !== location.hash.slice(1)) history.replaceState(null, "", "#" + hash);
}

// textOf returns the text of a finding that is searched: all that the page shows of it.
function textOf(f) {
	if (f.text === undefined) {
		f.text = [names[f.d] + ":" + place(f), rules[f.r], messageOf(f), writtenOf(f), f.s, names[target(f)], f.e && f.e.join("")].join("\n").toLowerCase();
	}
	return f.text;
}

let shown = findings; // those that pass the filters

function filter() {
	const words = state.q.toLowerCase().split(/\s+/).filter(Boolean), path = state.path.toLowerCase();
	const inPath = path && names.map(n => n.toLowerCase().includes(path));
	const counts = rules.map(() => 0);
	shown = findings.filter(f => {
		if (state.node >= 0 && f.d !== state.node && target(f) !== state.node) return false;
		if (inPath && !inPath[f.d]) return false;
		if (!words.every(w => textOf(f).includes(w))) return false;
		counts[f.r]++;
		return !state.rules.size || state.rules.has(rules[f.r]);
	});
	rules.forEach((r, i) => {
		const span = $("rules").children[i].lastChild;
		span.lastChild.textContent = number(counts[i]);
		span.classList.toggle("zero", !counts[i]);
	});
}

function update() {
	filter();
	writeHash();
	const all = shown.length === findings.length;
	$("status").textContent = (all ? count(findings.length, "finding") : number(shown.length) + " of " + count(findings.length, "finding")) +
		" in " + count(new Set(shown.map(f => f.d)).size, "document") +
		(state.node >= 0 ? ", from or to " + names[state.node] : "");
	$("clear").hidden = all && !state.rules.size && !state.path && !state.q && state.node < 0;
	list();
	if (graph) graph.update();
}

// ---- The list. It is extended by BATCH findings at a time, when the end comes into view.

const BATCH = 150;
let groups = [], group = 0, item = 0, rest = 0, items = null;

// keyOf returns the key of the group of a finding: the index of a name, or a text.
function keyOf(f) {
	if (state.by === "document") return f.d;
	if (state.by === "target" && f.t) return target(f);
	if (state.by === "cause" && f.u) return "cause " + f.r + " " + causeOf(f);
	return "rule " + f.r;
}

function list() {
	const found = new Map();
	for (const f of shown) {
		const key = keyOf(f);
		if (!found.has(key)) found.set(key, {key, findings: []});
		found.get(key).findings.push(f);
	}
	groups = [...found.values()];
	if (state.by !== "document") { // largest groups first
		groups.sort((a, b) => b.findings.length - a.findings.length);
	}
	group = item = 0;
	items = null;
	rest = shown.length;
	$("list").className = "by-" + state.by;
	$("list").replaceChildren();
	if (!rest) $("list").append(make("p", "none", findings.length ? "No findings match." : "No broken links found."));
	append(BATCH);
}

function append(n) {
	for (; n > 0 && group < groups.length; n--, rest--) {
		const g = groups[group];
		if (!items) $("list").append(section(g));
		items.append(row(g.findings[item]));
		if (++item === g.findings.length) {
			group++;
			item = 0;
			items = null;
		}
	}
	$("more").hidden = !rest;
	$("more").textContent = "Show more: " + number(rest) + " left";
}

function pathOf(name) {
	const cut = name.lastIndexOf("/") + 1;
	return make("bdi", "", make("i", "", name.slice(0, cut)), name.slice(cut));
}

function section(g) {
	const title = make("h3");
	if (typeof g.key === "string") {
		const first = g.findings[0];
		if (g.key.startsWith("cause")) title.append(make("bdi", "", causeOf(first)), make("small", "", rules[first.r]));
		else title.append(rules[first.r]);
		if (state.by === "target") title.append(make("small", "", "no target file"));
	} else {
		title.append(pathOf(names[g.key]));
		if (kinds[g.key] === MISSING) title.append(make("small", "gone", "missing"));
	}
	title.append(make("small", "", count(g.findings.length, "finding")));
	if (typeof g.key === "number" && hasGraph) {
		title.append(button("Graph", names[g.key] + " in the graph", () => select(g.key)));
	}
	items = make("ol");
	return make("section", "group", title, items);
}

function row(f) {
	const at = make("span", "at"), file = make("bdi", "", names[f.d]), where = place(f);
	if (state.by === "document") at.append(make("span", "vh", file, ":"), where);
	else at.append(file, ":" + where);
	const body = make("div", "", make("p", "message", make("span", "", messageOf(f)), make("span", "rule", rules[f.r])));
	if (f.e) {
		const line = make("bdi", "", f.e[0], make("mark", "", f.e[1]), f.e[2]);
		line.dir = "ltr"; // from left to right, as in an editor
		body.append(make("code", "line", line));
	}
	const written = writtenOf(f);
	if (written && (f.s || !f.e)) { // otherwise the excerpt marks it
		const meta = make("p", "meta", make("code", "", written));
		if (f.s) meta.append(" → ", make("code", "suggestion", f.s));
		body.append(meta);
	}
	return make("li", "", at, body);
}

// ---- The graph shows directories as nested boxes, the documents of each in the
// order of their names, and links as curves. Positions depend only on the names.

// It is made after the list is shown, because laying out 100,000 names takes a while.
const hasGraph = names.length > 1 || links.length > 0;
let graph = null;

function makeGraph() {
	const stage = $("stage"), tip = $("tip");
	const [base, red, top, over] = [...stage.querySelectorAll("canvas")].map(c => c.getContext("2d"));
	const layers = [base, red, top, over];
	const N = names.length, into = new Uint32Array(N), from = new Uint32Array(N);
	for (let i = 0; i < links.length; i += 2) {
		from[links[i]]++;
		into[links[i + 1]]++;
	}
	for (const f of findings) if (kinds[target(f)] === MISSING) into[target(f)]++;
	const radius = Float32Array.from(into, n => 2.3 + Math.min(4.2, .75 * Math.sqrt(n)));

	// A few names are laid out as readable lists, many as grids of dots.
	const readable = N <= 150;
	const DX = readable ? 150 : 16, DY = readable ? 20 : 16, PAD = 8, ASPECT = 1.25;
	const X = new Float32Array(N), Y = new Float32Array(N), boxes = [], boxOf = Array(N);
	const root = layout();

	function layout() {
		const dirs = new Map(), order = names.map((_, i) => i);
		const dir = path => {
			const chain = []; // not recursive, because paths may be deep
			for (;;) {
				if (dirs.has(path)) break;
				chain.push(path);
				if (path === "") break;
				path = path.slice(0, Math.max(0, path.lastIndexOf("/")));
			}
			while (chain.length) {
				const p = chain.pop(), d = {path: p, name: p.slice(p.lastIndexOf("/") + 1), files: [], dirs: []};
				if (p !== "") dirs.get(p.slice(0, Math.max(0, p.lastIndexOf("/")))).dirs.push(d);
				dirs.set(p, d);
			}
		};
		order.sort((a, b) => names[a] < names[b] ? -1 : names[a] > names[b] ? 1 : a - b);
		for (const i of order) {
			const path = names[i].slice(0, Math.max(0, names[i].lastIndexOf("/")));
			dir(path);
			dirs.get(path).files.push(i);
		}
		dir("");
		// A directory that contains only one other directory is merged with it.
		const all = [...dirs.values()]; // parents come before their children
		for (const d of all) {
			while (!d.files.length && d.dirs.length === 1) {
				const only = d.dirs[0];
				d.name = d.path === "" && !d.name ? only.name : d.name + "/" + only.name;
				d.path = only.path;
				d.files = only.files;
				d.dirs = only.dirs;
				only.gone = true;
			}
		}
		const kept = all.filter(d => !d.gone);
		for (let i = kept.length; i--;) size(kept[i]);
		kept[0].x = kept[0].y = 0;
		for (const d of kept) {
			d.files.forEach((n, i) => {
				X[n] = d.x + PAD + d.block.x + (readable ? 8 : DX / 2) + i % d.columns * DX;
				Y[n] = d.y + d.head + d.block.y + DY / 2 + Math.floor(i / d.columns) * DY;
				boxOf[n] = d;
			});
			for (const c of d.dirs) {
				c.up = d;
				c.x = d.x + PAD + c.dx;
				c.y = d.y + d.head + c.dy;
			}
			boxes.push(d);
		}
		for (let i = kept.length; i--;) kept[i].total = kept[i].files.length + kept[i].dirs.reduce((sum, c) => sum + c.total, 0);
		return kept[0];
	}

	// size arranges the files and subdirectories of d on shelves, and sets its size.
	function size(d) {
		const n = d.files.length;
		d.columns = Math.max(1, Math.ceil(Math.sqrt(n * 1.1 * DY / DX)));
		d.block = {x: 0, y: 0, w: n ? Math.min(n, d.columns) * DX : 0, h: Math.ceil(n / d.columns) * DY};
		const parts = [...d.dirs].sort((a, b) => b.h - a.h || (a.path < b.path ? -1 : 1));
		let area = d.block.w * d.block.h, widest = d.block.w, best = null;
		for (const c of parts) {
			area += (c.w + PAD) * (c.h + PAD);
			widest = Math.max(widest, c.w);
		}
		for (const more of [1, 1.12, 1.25, 1.4, 1.6, 1.85]) {
			const made = shelve(d.block, parts, Math.max(widest, Math.sqrt(area * ASPECT) * more));
			if (!best || made.cost < best.cost) best = made;
		}
		parts.forEach((c, i) => {
			c.dx = best.at[2 * i];
			c.dy = best.at[2 * i + 1];
		});
		d.w = Math.max(best.w + 2 * PAD, readable ? 60 : 34);
		d.head = d.path ? Math.max(18, 1.5 * Math.sqrt(Math.max(d.w, best.h))) : PAD; // larger titles for larger boxes
		d.h = d.head + best.h + PAD;
	}

	// shelve arranges parts after block, from left to right, in rows of at most the given width.
	function shelve(block, parts, width) {
		let x = block.w ? block.w + PAD : 0, y = 0, shelf = block.h, right = block.w;
		const at = [];
		for (const c of parts) {
			if (x > 0 && x + c.w > width) {
				x = 0;
				y += shelf + PAD;
				shelf = 0;
			}
			at.push(x, y);
			x += c.w + PAD;
			right = Math.max(right, x - PAD);
			shelf = Math.max(shelf, c.h);
		}
		return {at, w: right, h: y + shelf, cost: Math.max(right, (y + shelf) * ASPECT)};
	}

	// The links of each name, as offsets into one shared array.
	function adjacency(pairs) {
		const at = new Uint32Array(N + 2), list = new Uint32Array(pairs.length);
		for (let i = 0; i < pairs.length; i += 2) {
			at[pairs[i] + 2]++;
			at[pairs[i + 1] + 2]++;
		}
		for (let i = 2; i < N + 2; i++) at[i] += at[i - 1];
		for (let i = 0; i < pairs.length; i += 2) {
			list[at[pairs[i] + 1]++] = i;
			list[at[pairs[i + 1] + 1]++] = i;
		}
		return n => list.subarray(at[n], at[n + 1]);
	}
	const linksOf = adjacency(links);

	let broken = [], brokenOf = adjacency(broken), bad = new Uint32Array(N);
	let view = {k: 1, x: 0, y: 0}, drawnView = null, fitted = true;
	let W = 0, H = 0, hover = -1, settled = false, job = 0, wait = 0, frame = 0, hits = [], colour = {}, drawnLinks = 0;
	const room = root.w * root.h, ink = new Map();
	const byImportance = names.map((_, i) => i).sort((a, b) => into[b] - into[a] || a - b);

	function colours() {
		for (const e of $("graph").querySelectorAll("[data-colour]")) colour[e.dataset.colour] = getComputedStyle(e).color;
	}

	function resize() {
		const w = stage.clientWidth, h = stage.clientHeight;
		if (w === W && h === H || !w || !h) return;
		W = w;
		H = h;
		const ratio = Math.min(2, devicePixelRatio || 1);
		for (const c of layers) {
			c.canvas.width = W * ratio;
			c.canvas.height = H * ratio;
			c.setTransform(ratio, 0, 0, ratio, 0, 0);
		}
		if (fitted) fit(); else redraw();
	}

	// free returns the height that the panel about a selection leaves free.
	function free() {
		if ($("about").hidden) return H;
		return Math.min(H, Math.max(H / 3, $("about").getBoundingClientRect().top - stage.getBoundingClientRect().top));
	}

	function fit() {
		const h = free(), k = Math.min((W - 24) / root.w, (h - 24) / root.h, 1.6);
		view = {k, x: (W - root.w * k) / 2, y: (h - root.h * k) / 2};
		fitted = true;
		redraw();
	}

	function zoom(by, x = W / 2, y = H / 2) {
		const least = Math.min(W / root.w, H / root.h, 1) / 2, k = Math.max(least, Math.min(8, view.k * by));
		by = k / view.k;
		view = {k, x: x - (x - view.x) * by, y: y - (y - view.y) * by};
		moved();
	}

	function move(dx, dy) {
		view = {k: view.k, x: view.x + dx, y: view.y + dy};
		moved();
	}

	// moved shifts the drawn image at once, and redraws it when the movement ends.
	function moved() {
		fitted = false;
		if (drawnView) {
			const k = view.k / drawnView.k;
			for (const c of [base, red]) c.canvas.style.transform = `translate(${view.x - drawnView.x * k}px, ${view.y - drawnView.y * k}px) scale(${k})`;
		}
		soon();
		clearTimeout(wait);
		wait = setTimeout(redraw, 140);
	}

	function redraw() {
		if (!W) return;
		clearTimeout(wait);
		edges();
		soon();
	}

	function soon() {
		if (!frame) frame = requestAnimationFrame(() => {
			frame = 0;
			nodes();
			pointed();
		});
	}

	const sx = n => X[n] * view.k + view.x, sy = n => Y[n] * view.k + view.y;

	// curve adds a link to a path. It is bent to one side, so that links in both directions are two lines,
	// and lines along a row do not hide each other.
	function curve(c, a, b) {
		const x1 = sx(a), y1 = sy(a), x2 = sx(b), y2 = sy(b);
		if (Math.max(x1, x2) < -50 || Math.min(x1, x2) > W + 50 || Math.max(y1, y2) < -50 || Math.min(y1, y2) > H + 50) return;
		c.moveTo(x1, y1);
		c.quadraticCurveTo((x1 + x2) / 2 - (y2 - y1) * .16, (y1 + y2) / 2 + (x2 - x1) * .16, x2, y2);
	}

	function strokeAll(c, pairs, i, end) {
		c.beginPath();
		for (; i < end; i += 2) curve(c, pairs[i], pairs[i + 1]);
		c.stroke();
	}

	// inkOf returns the total length of links. The more there is for the area, the fainter each
	// is, so that bundles of links stay visible without hiding everything else.
	function inkOf(pairs) {
		if (!ink.has(pairs)) {
			let sum = 0;
			for (let i = 0; i < pairs.length; i += 2) sum += Math.hypot(X[pairs[i]] - X[pairs[i + 1]], Y[pairs[i]] - Y[pairs[i + 1]]);
			if (ink.size > 4) ink.clear();
			ink.set(pairs, sum);
		}
		return ink.get(pairs);
	}

	// More than FOLD names in view are not told apart. Instead, at most GROUPS directories are shown as one node each, with the
	// names in them and in those below them that have no node of their own. To come closer unfolds them.
	const FOLD = 400, GROUPS = 60;
	let folds = null, open = null, foldOf = new Int32Array(N); // null: nothing is folded

	function fold() {
		const visible = (x, y) => x >= 0 && x <= W && y >= 0 && y <= H;
		let many = 0;
		for (let n = 0; n < N && many <= FOLD; n++) many += visible(sx(n), sy(n));
		folds = open = null;
		if (many > FOLD) {
			open = new Set([root]);
			const waiting = [root];
			const inView = d => d.x * view.k + view.x < W && (d.x + d.w) * view.k + view.x > 0 && d.y * view.k + view.y < H && (d.y + d.h) * view.k + view.y > 0;
			while (waiting.length && open.size < GROUPS) {
				let most = 0;
				waiting.forEach((d, i) => { if (d.total > waiting[most].total) most = i; });
				const [d] = waiting.splice(most, 1);
				const parts = d.dirs.filter(inView).sort((a, b) => b.total - a.total || (a.path < b.path ? -1 : 1));
				for (const c of parts.slice(0, GROUPS - open.size)) {
					open.add(c);
					waiting.push(c);
				}
			}
			const at = new Map();
			folds = [];
			for (const d of boxes) d.shown = open.has(d) ? d : d.up.shown; // parents come first
			for (let n = 0; n < N; n++) {
				const d = boxOf[n].shown;
				if (!at.has(d)) {
					at.set(d, folds.length);
					folds.push({box: d, x: 0, y: 0, files: 0, bad: 0, findings: 0});
				}
				const g = folds[foldOf[n] = at.get(d)];
				g.x += X[n];
				g.y += Y[n];
				g.files++;
				g.bad += bad[n] > 0;
				g.findings += bad[n];
			}
			for (const g of folds) {
				g.x /= g.files;
				g.y /= g.files;
				g.r = 5 + Math.min(20, 1.3 * Math.sqrt(g.files));
			}
		}
		listFolds();
	}

	// listFolds lists the folded directories as buttons, those with the most findings first.
	function listFolds() {
		if ($("folds").contains(document.activeElement)) stage.focus(); // the buttons are made anew
		$("folds").hidden = $("folded").hidden = !folds;
		if (!folds) return;
		$("folds").firstElementChild.textContent = "Folded directories: " + number(folds.length);
		const all = [...folds].sort((a, b) => b.findings - a.findings || b.files - a.files);
		$("folds").lastElementChild.replaceChildren(...all.map(g => make("li", "", button(nameOf(g) + ": " + whatOf(g), "Unfold " + nameOf(g), () => unfold(g)))));
	}

	const nameOf = g => g.box.path ? g.box.path + "/" : "all";
	const whatOf = g => count(g.files, "file") + (g.findings ? ", " + number(g.bad) + " with " + count(g.findings, "finding") : "");

	// unfold shows the directory of a group, or comes closer, if it is shown already.
	function unfold(g) {
		const d = g.box, k = Math.min((W - 24) / d.w, (H - 24) / d.h, 4);
		if (k < view.k * 1.2) return zoom(2, g.x * view.k + view.x, g.y * view.k + view.y);
		view = {k, x: W / 2 - (d.x + d.w / 2) * k, y: H / 2 - (d.y + d.h / 2) * k};
		fitted = false;
		redraw();
	}

	const foldAt = (x, y) => folds && folds.findLast(g => Math.hypot(g.x * view.k + view.x - x, g.y * view.k + view.y - y) < g.r + 2);

	// bundle draws all links between two groups as one.
	function bundle(c, pairs, most) {
		const sums = new Map();
		for (let i = 0; i < pairs.length; i += 2) {
			const a = foldOf[pairs[i]], b = foldOf[pairs[i + 1]];
			if (a !== b) sums.set(a * N + b, (sums.get(a * N + b) || 0) + 1);
		}
		const faint = Math.max(.12, Math.min(1, 120 / (sums.size + 1))); // the more there are, the fainter is each
		for (const [key, n] of sums) {
			const a = folds[Math.floor(key / N)], b = folds[key % N], x1 = a.x * view.k + view.x, y1 = a.y * view.k + view.y, x2 = b.x * view.k + view.x, y2 = b.y * view.k + view.y;
			c.globalAlpha = faint * Math.min(most, .12 + .1 * Math.log2(n + 1));
			c.lineWidth = Math.min(6, .7 + .5 * Math.log2(n));
			c.beginPath();
			c.moveTo(x1, y1);
			c.quadraticCurveTo((x1 + x2) / 2 - (y2 - y1) * .16, (y1 + y2) / 2 + (x2 - x1) * .16, x2, y2);
			c.stroke();
		}
	}

	// circles draws the groups: the red part is that of the files with findings.
	function circles() {
		const write = labeller(top);
		hits = [];
		for (const g of folds) {
			const x = g.x * view.k + view.x, y = g.y * view.k + view.y, part = 2 * Math.PI * g.bad / g.files;
			for (const [from, to, paint] of [[part, 2 * Math.PI, colour.fine], [0, part, colour.bad]]) {
				if (from === to) continue;
				top.beginPath();
				top.moveTo(x, y);
				top.arc(x, y, g.r, from - Math.PI / 2, to - Math.PI / 2);
				top.closePath();
				top.fillStyle = paint;
				top.fill();
			}
		}
		for (const g of [...folds].sort((a, b) => b.files - a.files)) {
			write((g.box.path ? g.box.name + "/ " : "") + number(g.files), g.x * view.k + view.x - g.r, g.y * view.k + view.y + g.r + 11, 170, FONT, g.bad ? colour.bad : colour.ink);
		}
	}

	// edges draws boxes and links, for a few milliseconds at a time.
	function edges() {
		cancelAnimationFrame(job);
		settled = false;
		drawnView = view;
		fold();
		for (const c of [base, red]) {
			c.canvas.style.transform = "";
			c.clearRect(0, 0, W, H);
		}
		base.lineWidth = 1;
		base.globalAlpha = 1;
		base.strokeStyle = colour.box;
		for (const d of boxes) {
			if (!d.path || d.w * view.k < 3 || open && !open.has(d)) continue;
			base.beginPath();
			base.roundRect(Math.round(d.x * view.k + view.x) + .5, Math.round(d.y * view.k + view.y) + .5, d.w * view.k, d.h * view.k, Math.min(6, 5 * view.k));
			base.stroke();
		}
		const working = $("live").checked ? links : [];
		base.strokeStyle = colour.line;
		base.globalAlpha = Math.max(.014, Math.min(.4, .13 * view.k * room / (inkOf(working) + 1)));
		red.strokeStyle = colour.bad;
		red.lineWidth = broken.length > 1000 ? 1 : 1.4;
		red.globalAlpha = Math.max(.05, Math.min(.9, .3 * view.k * room / (inkOf(broken) + 1)));
		if (folds) {
			bundle(base, working, .35);
			bundle(red, broken, .8);
			settled = true;
			drawnLinks = working.length / 2;
			return;
		}
		let i = 0, j = 0;
		const step = () => {
			const until = performance.now() + 10;
			while (j < broken.length && performance.now() < until) strokeAll(red, broken, j, Math.min(broken.length, j += 16));
			while (i < working.length && performance.now() < until) strokeAll(base, working, i, Math.min(working.length, i += 16));
			if (i < working.length || j < broken.length) {
				job = requestAnimationFrame(step);
			} else {
				settled = true;
				drawnLinks = working.length / 2;
			}
		};
		step();
	}

	function dot(c, n, grow = 0) {
		const x = sx(n), y = sy(n), r = Math.max(1, radius[n] * Math.min(view.k, 2.2)) + grow;
		if (x < -r || x > W + r || y < -r || y > H + r) return false;
		c.beginPath();
		if (kinds[n] === MISSING) { // a hollow diamond for what is missing
			c.moveTo(x, y - r - .5);
			c.lineTo(x + r + .5, y);
			c.lineTo(x, y + r + .5);
			c.lineTo(x - r - .5, y);
			c.closePath();
			c.fillStyle = colour.paper;
			c.strokeStyle = colour.gone;
			c.lineWidth = r > 2 ? 1.4 : 1;
			c.fill();
			c.stroke();
			return true;
		}
		const paint = bad[n] ? colour.bad : kinds[n] ? colour.other : colour.fine;
		if (!into[n] && r > 1.6 && !kinds[n]) {
			c.arc(x, y, r - .6, 0, 7);
			c.fillStyle = colour.paper;
			c.strokeStyle = paint;
			c.lineWidth = Math.min(2, r / 2);
			c.fill();
			c.stroke();
		} else {
			c.arc(x, y, r, 0, 7);
			c.fillStyle = paint;
			c.fill();
		}
		return true;
	}

	// A labeller writes names where they fit.
	function labeller(c) {
		const taken = new Map(), SIZE = 64;
		return (text, x, y, width, font, paint, force) => {
			c.font = font;
			text = clip(c, text, width);
			if (!text) return null;
			const r = {x, y: y - 10, w: c.measureText(text).width, h: 14}, cells = []; // from ascenders to descenders
			for (let i = Math.floor(r.x / SIZE); i <= Math.floor((r.x + r.w) / SIZE); i++) {
				for (let j = Math.floor(r.y / SIZE); j <= Math.floor((r.y + r.h) / SIZE); j++) {
					const cell = i + "," + j, there = taken.get(cell) || [];
					if (!force && there.some(o => o.x < r.x + r.w + 4 && r.x < o.x + o.w + 4 && o.y < r.y + r.h && r.y < o.y + o.h)) return null;
					cells.push([cell, there]);
				}
			}
			for (const [cell, there] of cells) {
				there.push(r);
				taken.set(cell, there);
			}
			if (c === over) { // hide the names below, on another canvas
				c.fillStyle = colour.paper;
				c.fillRect(r.x - 2, r.y - 1, r.w + 4, r.h + 1);
			}
			c.lineWidth = 3;
			c.lineJoin = "round";
			c.strokeStyle = colour.paper;
			c.strokeText(text, x, y);
			c.fillStyle = paint;
			c.fillText(text, x, y);
			return r;
		};
	}

	function clip(c, text, width) {
		if (text.length > 200) text = text.slice(0, 200);
		const all = c.measureText(text).width;
		if (all <= width) return text;
		const n = Math.floor((text.length * (width - 8)) / all);
		return n < 3 ? "" : text.slice(0, n) + "…";
	}

	const last = name => name.slice(name.lastIndexOf("/") + 1) || name;
	const FONT = '11px system-ui, "Liberation Sans", sans-serif';

	function nodes() {
		top.clearRect(0, 0, W, H);
		if (folds) return circles();
		for (let n = 0; n < N; n++) dot(top, n);
		const write = labeller(top);
		hits = [];
		for (const d of boxes) {
			const x = d.x * view.k + view.x, y = d.y * view.k + view.y, w = d.w * view.k;
			if (!d.name || w < 34 || d.h * view.k < 22 || x > W || x + w < 0 || y > H || y + d.h * view.k < 0) continue;
			if (d.head * view.k < 13 && d.h * view.k < 60) continue; // the title would hide the content
			const left = Math.max(x + 6, 4), r = write(d.name + "/", left, y + Math.max(11, Math.min(d.head * view.k - 3, 14)), x + w - left - 4, "600 " + FONT, colour.muted);
			if (r) hits.push({...r, dir: d.path});
		}
		let room = 400;
		if (readable ? view.k > .5 : view.k * DX >= 30) {
			for (const n of byImportance) {
				const x = sx(n), y = sy(n), r = radius[n] * Math.min(view.k, 2.2);
				if (x < -40 || x > W || y < -10 || y > H + 10) continue;
				const paint = kinds[n] === MISSING || bad[n] ? colour.bad : colour.ink;
				const drawn = readable ? write(last(names[n]), x + r + 5, y + 4, DX * view.k - r - 16, FONT, paint)
					: write(last(names[n]), x - r, y + r + 11, 2.6 * DX * view.k, FONT, paint);
				if (drawn && !--room) break;
			}
		}
	}

	// pointed draws the name under the pointer, or the selected one, with its links.
	function pointed() {
		const n = hover >= 0 ? hover : state.node, held = n >= 0;
		over.clearRect(0, 0, W, H);
		base.canvas.style.opacity = held ? .3 : 1;
		red.canvas.style.opacity = held ? .2 : 1;
		top.canvas.style.opacity = held ? .45 : 1;
		if (!held) return;
		const near = new Set([n]);
		const draw = (pairs, of, out, in_, width) => {
			over.lineWidth = width;
			over.globalAlpha = Math.max(.15, Math.min(.85, 7 / Math.sqrt(of.length)));
			for (const way of [0, 1]) {
				over.strokeStyle = way ? in_ : out;
				over.beginPath();
				for (const i of of) {
					if (pairs[i + way] !== n) continue;
					curve(over, pairs[i], pairs[i + 1]);
					near.add(pairs[i + 1 - way]);
				}
				over.stroke();
			}
		};
		draw(links, linksOf(n), colour.out, colour.in, 1.3);
		draw(broken, brokenOf(n), colour.bad, colour.bad, 1.8);
		over.globalAlpha = 1;
		const write = labeller(over);
		for (const m of [...near].reverse()) dot(over, m, m === n ? 2 : .5);
		const x = sx(n), y = sy(n), r = radius[n] * Math.min(view.k, 2.2) + 6;
		over.strokeStyle = over.fillStyle = colour.ink;
		over.lineWidth = 1.5;
		over.beginPath();
		over.arc(x, y, r, 0, 7);
		over.stroke();
		write(last(names[n]), x + r + 4, y + 4, 260, "600 " + FONT, colour.ink, true);
		let room = 60;
		for (const m of near) {
			if (m !== n && write(last(names[m]), sx(m) + 9, sy(m) + 4, 180, FONT, kinds[m] === MISSING ? colour.bad : colour.ink) && !--room) break;
		}
	}

	function nodeAt(x, y) {
		if (folds) return -1;
		let best = -1, least = Infinity;
		for (let n = 0; n < N; n++) {
			const d = Math.hypot(sx(n) - x, sy(n) - y), r = Math.max(6, radius[n] * Math.min(view.k, 2.2) + 3);
			if (d < r && d < least) {
				best = n;
				least = d;
			}
		}
		return best;
	}

	const dirAt = (x, y) => hits.findLast(r => r.x <= x && x <= r.x + r.w && r.y <= y && y <= r.y + r.h);

	// inside returns the innermost directory at a point.
	function inside(x, y) {
		const wx = (x - view.x) / view.k, wy = (y - view.y) / view.k;
		return boxes.findLast(d => d.path && d.x <= wx && wx <= d.x + d.w && d.y <= wy && wy <= d.y + d.h);
	}

	// point describes what is under the pointer: name n, or if n is -1, a directory.
	function point(n, x, y) {
		const group = n < 0 && x !== undefined && foldAt(x, y), dir = n < 0 && x !== undefined && !group && inside(x, y);
		stage.classList.toggle("on", n >= 0 || !!group || !!(dir && dirAt(x, y)));
		tip.hidden = n < 0 && !dir && !group;
		if (group) {
			tip.replaceChildren(nameOf(group), make("small", "", whatOf(group)));
		} else if (dir) {
			tip.replaceChildren(dir.path + "/", make("small", "", count(dir.files.length, "file")));
		} else if (n >= 0) {
			const what = [kinds[n] === MISSING ? "missing" : "", count(into[n], "link") + " to it", kinds[n] ? "" : count(from[n], "link") + " from it", bad[n] ? count(bad[n], "finding") : ""];
			tip.replaceChildren(names[n], make("small", "", what.filter(Boolean).join(" · ")));
		}
		if (!tip.hidden) {
			const left = x + 16 + tip.offsetWidth > W ? Math.max(0, x - 12 - tip.offsetWidth) : x + 16;
			tip.style.left = left + "px";
			tip.style.top = (y + 18 + tip.offsetHeight > H ? Math.max(0, y - 10 - tip.offsetHeight) : y + 18) + "px";
		}
		if (n !== hover) {
			hover = n;
			soon();
		}
	}

	let drag = null;
	const local = e => {
		const r = stage.getBoundingClientRect();
		return [e.clientX - r.left - stage.clientLeft, e.clientY - r.top - stage.clientTop];
	};
	stage.addEventListener("pointerdown", e => {
		if (e.button) return;
		const [x, y] = local(e);
		drag = {x, y, far: false};
		stage.setPointerCapture(e.pointerId);
	});
	stage.addEventListener("pointermove", e => {
		const [x, y] = local(e);
		if (!drag) {
			return point(nodeAt(x, y), x, y);
		}
		if (!drag.far && Math.hypot(x - drag.x, y - drag.y) < 4) return;
		move(x - drag.x, y - drag.y);
		drag = {x, y, far: true};
		point(-1);
	});
	stage.addEventListener("pointerup", e => {
		const click = drag && !drag.far, [x, y] = local(e);
		drag = null;
		if (!click) return;
		const n = nodeAt(x, y), group = foldAt(x, y), dir = n < 0 && dirAt(x, y);
		if (group) {
			unfold(group);
		} else if (dir) {
			$("path").value = state.path = dir.dir + "/";
			update();
		} else if (n !== state.node) {
			select(n);
		} else {
			select(-1);
		}
	});
	stage.addEventListener("pointercancel", () => drag = null);
	stage.addEventListener("pointerleave", () => drag || point(-1));
	const side = matchMedia("(min-width: 70rem)");
	stage.addEventListener("wheel", e => {
		if (!side.matches && !e.ctrlKey) return; // on narrow screens, the wheel scrolls the page
		e.preventDefault();
		const lines = e.deltaMode === 1 ? 16 : 1;
		zoom(Math.exp(-Math.max(-240, Math.min(240, e.deltaY * lines)) / 300), ...local(e));
	}, {passive: false});
	stage.addEventListener("keydown", e => {
		const keys = {ArrowLeft: () => move(60, 0), ArrowRight: () => move(-60, 0), ArrowUp: () => move(0, 60), ArrowDown: () => move(0, -60),
			"+": () => zoom(1.4), "=": () => zoom(1.4), "-": () => zoom(1 / 1.4), "0": fit, Escape: () => select(-1)};
		if (!keys[e.key] || e.ctrlKey || e.metaKey || e.altKey) return;
		e.preventDefault();
		keys[e.key]();
	});
	$("in").addEventListener("click", () => zoom(1.6));
	$("out").addEventListener("click", () => zoom(1 / 1.6));
	$("fit").addEventListener("click", fit);
	$("live").addEventListener("change", redraw);
	$("wide").addEventListener("click", () => {
		const on = document.body.classList.toggle("widened");
		$("wide").setAttribute("aria-pressed", on);
		fitted = true;
	});

	// about describes the selection, with links to what it refers to.
	function about() {
		const n = state.node, box = $("about");
		box.hidden = n < 0;
		if (n < 0) return;
		const title = make("h3", "", pathOf(names[n]));
		if (kinds[n] === MISSING) title.append(make("small", "gone", "missing"));
		title.append(button("Close", "End the selection", () => select(-1)));
		const side = (label, way) => {
			const seen = new Set();
			for (const [pairs, of] of [[brokenAll, brokenAllOf(n)], [links, linksOf(n)]]) {
				for (const i of of) if (pairs[i + way] === n) seen.add(pairs[i + 1 - way]);
			}
			const ul = make("ul");
			for (const m of [...seen].slice(0, 200)) {
				const b = button(names[m], "", () => select(m));
				if (kinds[m] === MISSING) b.className = "gone";
				ul.append(make("li", "", b));
			}
			if (seen.size > 200) ul.append(make("li", "", "and " + number(seen.size - 200) + " more"));
			return make("div", "", make("h4", "", label + ": " + number(seen.size)), ul);
		};
		box.replaceChildren(title, make("div", "two", side("Links to", 0), side("Linked from", 1)));
	}

	// pairsOf returns each broken link once, and counts the findings of each document.
	function pairsOf(findings, bad) {
		const pairs = [], seen = new Set();
		for (const f of findings) {
			if (bad) bad[f.d]++;
			const to = target(f), key = f.d * N + to;
			if (to < 0 || to === f.d || seen.has(key)) continue;
			seen.add(key);
			pairs.push(f.d, to);
		}
		return pairs;
	}
	const brokenAll = pairsOf(findings), brokenAllOf = adjacency(brokenAll);

	let begun = false;
	return {
		begin() {
			$("graph").hidden = false;
			colours();
			begun = true;
			new ResizeObserver(resize).observe(stage);
			resize();
		},
		update() {
			bad = new Uint32Array(N);
			broken = pairsOf(shown, bad);
			brokenOf = adjacency(broken);
			about();
			if (begun) redraw();
		},
		recolour() {
			colours();
			redraw();
		},
		show(n) { // moves n into view
			if (W && (sx(n) < 20 || sx(n) > W - 20 || sy(n) < 20 || sy(n) > free() - 20)) move(W / 2 - sx(n), free() / 2 - sy(n));
		},
		status: () => ({settled, nodes: N, links: drawnLinks, broken: broken.length / 2, boxes: boxes.length, folds: folds ? folds.length : 0, zoom: view.k, hover,
			missing: kinds.filter(k => k === MISSING).length, orphans: kinds.filter((k, i) => !k && !into[i]).length}),
		position: name => {
			const n = names.indexOf(name), r = stage.getBoundingClientRect();
			return n < 0 ? null : {x: sx(n) + r.left + stage.clientLeft, y: sy(n) + r.top + stage.clientTop};
		},
	};
}

function select(n) {
	state.node = n;
	update();
	if (n >= 0 && graph) graph.show(n);
}

// ---- The controls.

for (const r of rules) {
	const box = make("input");
	box.type = "checkbox";
	box.value = r;
	$("rules").append(make("label", "", box, make("span", "", r, make("b"))));
}
$("rules").addEventListener("change", e => {
	if (e.target.checked) state.rules.add(e.target.value);
	else state.rules.delete(e.target.value);
	update();
});
let typing = 0;
for (const id of ["q", "path"]) {
	$(id).addEventListener("input", e => {
		state[id] = e.target.value.trim();
		clearTimeout(typing);
		typing = setTimeout(update, findings.length > 2000 ? 120 : 0);
	});
}
for (const box of document.querySelectorAll("input[name=by]")) {
	box.addEventListener("change", () => {
		state.by = box.value;
		update();
	});
}
$("controls").addEventListener("submit", e => e.preventDefault());
$("clear").addEventListener("click", () => {
	Object.assign(state, {rules: new Set(), path: "", q: "", node: -1});
	writeHash();
	readHash();
	update();
});
$("more").addEventListener("click", () => append(BATCH));
$("down").addEventListener("click", () => { // with the keyboard, it leads past the list
	$("graph").scrollIntoView();
	$("stage").focus({ preventScroll: true });
});
new IntersectionObserver(seen => {
	if (seen.some(e => e.isIntersecting)) append(BATCH);
}, {rootMargin: "600px"}).observe($("more"));
document.addEventListener("keydown", e => {
	if (e.key === "/" && !/INPUT/.test(document.activeElement.tagName)) {
		e.preventDefault();
		$("q").focus();
	}
});
addEventListener("hashchange", () => {
	readHash();
	update();
});
addEventListener("beforeprint", () => append(5000));

$("controls").hidden = !findings.length;
repaint = () => graph && graph.recolour();
readHash();
update();
performance.mark("refract-list");
if (hasGraph) {
	$("graph").hidden = false; // reserves its space
	requestAnimationFrame(() => setTimeout(() => {
		graph = makeGraph();
		graph.update();
		graph.begin();
		performance.mark("refract-graph");
	}));
}

// For tests, and read-only.
window.refract = Object.freeze({
	status: () => ({shown: shown.length, groups: groups.length, rest, graph: graph && graph.status()}),
	position: name => graph.position(name),
});
