// Runs the program in a worker, so that the page does not stop while it reads. runtime.js of Go is in front of this code.
"use strict";

// load starts a module: its code is WebAssembly, compressed by gzip, in base64.
async function load(code) {
	const packed = Uint8Array.from(atob(code), (c) => c.charCodeAt(0));
	const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
	const go = new Go();
	const program = await WebAssembly.instantiate(await new Response(stream).arrayBuffer(), go.importObject);
	go.run(program.instance); // until it waits for calls
}

// Messages are handled one after the other: a module may take a while to load.
let last = Promise.resolve();

onmessage = (e) => {
	const m = e.data;
	last = last.then(async () => {
		let result = "";
		switch (m.do) {
		case "load":
			await load(m.code);
			break;
		case "extract":
			result = refractExtract(m.name, m.url, new Uint8Array(m.data));
			break;
		case "add":
			result = refractAdd(m.name, new Uint8Array(m.data));
			break;
		case "audit":
			result = refractAudit();
		}
		postMessage({ id: m.id, result });
	}).catch((err) => postMessage({ id: m.id, error: String(err) }));
};
