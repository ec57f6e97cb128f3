// The page shows only this data, and inserts it as text, never as markup.
const $ = id => document.getElementById(id);
const data = JSON.parse($("data").textContent);
const number = n => n.toLocaleString("en");
const count = (n, what) => number(n) + " " + what + (n === 1 ? "" : "s");

function make(tag, cls, ...children) {
	const e = document.createElement(tag);
	if (cls) e.className = cls;
	e.append(...children);
	return e;
}

function button(text, label, act) {
	const b = make("button", "", text);
	b.type = "button";
	if (label) b.setAttribute("aria-label", label);
	b.addEventListener("click", act);
	return b;
}

// ---- Light and dark. repaint is called after each change.

const dark = matchMedia("(prefers-color-scheme: dark)");
let theme = "", repaint = () => {};
try {
	theme = localStorage.getItem("refract-theme") || "";
} catch {} // without storage, use the setting of the system

function paint() {
	document.documentElement.style.colorScheme = theme;
	$("theme").textContent = (theme || (dark.matches ? "dark" : "light")) === "dark" ? "Light" : "Dark";
	repaint();
}

$("theme").addEventListener("click", () => {
	theme = (theme || (dark.matches ? "dark" : "light")) === "dark" ? "light" : "dark";
	try {
		localStorage.setItem("refract-theme", theme);
	} catch {}
	paint();
});
dark.addEventListener("change", paint);
$("theme").hidden = false;
paint();
