# What the sections of .ci/bench share. A section states its entries, ours first, and compares them:
#
#	entry refract "${one[@]}" "$refract" -j 1 "$(data text)"
#	if_peer rg "${one[@]}" "$peer" -j1 -a -o "$pattern" "$(data text)"
#	compare speed 'text, one core'
#
# $tmp is its temporary directory, $refract the program, "${one[@]}" and "${two[@]}" bind a command to one core or two.
# shellcheck shell=bash disable=SC2034 # sections use the variables

setup() {
	runs=${RUNS:-9}
	corpus=../shared/corpus
	local tool
	for tool in xz:xz-utils taskset:util-linux; do
		command -v "${tool%:*}" >/dev/null || { echo "bench: ${tool%:*} is missing: apt-get install ${tool#*:}" >&2; exit 1; }
	done
	tmp=$(mktemp -d)
	trap 'rm -rf "$tmp"' EXIT
	mkdir "$tmp/out"
	sets=${DATA:-$tmp/data}
	mkdir -p "$sets"
	refract=$tmp/refract
	CGO_ENABLED=0 go build -o "$refract" ./cmd/refract # as .ci/release does
	go build -C .ci/tools -o "$tmp/race" ./race
	one=(taskset -c 0)
	two=(taskset -c 0,1)
	entries=()
	missing=()
	"$refract" --version
	echo "on: $(nproc) processors, $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), load $(cut -d' ' -f1 /proc/loadavg)"
}

heading() { printf '\n== %s\n' "$1"; }

# data prints the name of a set of data. If it does not exist, the function make_NAME makes it.
data() {
	if [ ! -e "$sets/$1" ]; then
		[ -d "$corpus" ] || { echo "bench: $corpus is missing: these figures need the shared corpora" >&2; exit 1; }
		rm -rf "$sets/making"
		mkdir "$sets/making"
		(cd "$sets/making" && corpus=$OLDPWD/$corpus && "make_${1//[.-]/_}") >"$sets/$1.new"
		# What prints nothing has made a directory.
		if [ -d "$sets/making/tree" ]; then
			mv "$sets/making/tree" "$sets/$1"
			rm "$sets/$1.new"
		else
			mv "$sets/$1.new" "$sets/$1"
		fi
		rm -rf "$sets/making"
		sync # what is still being written to the disk slows what is measured
	fi
	echo "$sets/$1"
}

# repeat prints its input again and again, up to a number of bytes.
repeat() {
	cat >repeated
	while [ "$(stat -c %s repeated)" -lt "$1" ]; do cat repeated repeated >twice && mv twice repeated; done
	head -c "$1" repeated
	rm repeated
}

# Mail, documentation and source.
make_text() {
	for archive in docs html mail; do tar xJf "$corpus/$archive.tar.xz"; done
	{
		find docs html -type f \( -name '*.md' -o -name '*.js' -o -name '*.css' -o -name '*.yml' \) -print0 | sort -z | xargs -0 cat
		find mail -name '*.eml' -print0 | sort -z | xargs -0 cat
		xz -dc "$corpus/spamassassin-public.mboxrd.xz"
	} | repeat 150000000
}

# Two million URLs in random order, drawn from 230,000, some of which are far more frequent than others: those of documentation and
# pages, and others made of them.
make_urls() {
	for archive in docs html; do tar xJf "$corpus/$archive.tar.xz"; done
	"$refract" -q docs html | grep -a '^https\?://' | LC_ALL=C sort -u | awk 'BEGIN { srand(1) } { urls[n++] = $0 } END {
		while (n < 230000) {
			u = urls[int(rand() * n)]
			urls[n++] = u (u ~ /[?#]/ ? "&v=" : "/v") n
		}
		for (i = 0; i < 2000000; i++) print urls[int(n * rand() ^ 3)]
	}'
}

# The source of Go.
make_gosrc() { find "$(go env GOROOT)/src" -type f -name '*.go' -print0 | sort -z | xargs -0 cat | repeat 140000000; }

# Every message of the corpus, most of them MIME.
make_mime_mbox() {
	tar xJf "$corpus/mail.tar.xz"
	find mail/eml -name '*.eml' | sort | while read -r file; do
		echo 'From a@example.org Tue Apr  1 09:28:56 1997'
		sed 's/^>*From />&/' "$file"
		printf '\n\n'
	done >one
	cat one one one one one one
}

# The messages of mime.mbox that hold no PDF file: neither a name, a type nor the first bytes of one, in base64.
make_pdfless_mbox() {
	local mime
	mime=$(data mime.mbox)
	LC_ALL=C awk '/^From a@example.org / { n++ }
		NR == FNR { if (/^JVBERi|%PDF-|[.]pdf|application\/pdf/) pdf[n] = 1; last = n; next }
		!((n - last) in pdf)' "$mime" "$mime"
}

# Those messages of an archive that are plain text.
make_plain_mbox() {
	xz -dc "$corpus/spamassassin-public.mboxrd.xz" | LC_ALL=C awk 'function flush() { if (!rich) printf "%s", text; text = ""; rich = 0 }
		/^From .*[0-9]:[0-9]/ { flush() }
		{ text = text $0 "\n" }
		/^[Cc]ontent-[Tt]ype: *(multipart|text\/html)|^Content-Transfer-Encoding: *(quoted|base64)/ { rich = 1 }
		END { flush() }' >one
	for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do cat one; done
}

# Saved pages, 59 MB, and the Markdown of documentation, 13 MB, each as a directory.
make_pages() { fill html html 50000000; }
make_markdown() { fill docs md 12000000; }

# Sites of 2,000 documents with 40 links each, of which one in 400 leads nowhere, and their pages, with the same links around them: 100,
# or 20. The third has few links.
make_site() { site_with 100 40; }
make_site_frame() { site_with 20 40; }
make_site_few() { site_with 2 4; }

# site_with AROUND LINKS
site_with() {
	mkdir -p tree/docs tree/out
	local i
	for ((i = 0; i < 2000; i++)); do mkdir "tree/out/p$i"; done
	awk -v around="$1" -v links="$2" 'BEGIN {
		for (k = 0; k < around; k++) nav = nav "<a class=\"nav-link\" href=\"/p" k * 19 "/\">Page " k * 19 "</a>\n"
		for (i = 0; i < 2000; i++) {
			md = "# Page " i "\n"
			html = "<!doctype html><html><head><title>Page " i "</title></head><body><nav>" nav "</nav><main><h1 id=\"page\">Page " i "</h1>\n"
			for (k = 0; k < links; k++) {
				to = (i * 7 + k * 13) % 2000
				if ((i + k) % 400 == 0) to = "gone" to
				if (k % 8 == 0) {
					md = md "\n## Part " k "\n\n"
					html = html "<h2 id=\"part-" k "\">Part " k "</h2>\n"
				}
				md = md "Words before the [link " k "](p" to ".md#part-" k - k % 8 "), and after it.\n"
				html = html "<p>Words before the <a href=\"../p" to "/#part-" k - k % 8 "\">link " k "</a>, and after it.</p>\n"
			}
			print md > ("tree/docs/p" i ".md")
			print html "</main></body></html>" > ("tree/out/p" i "/index.html")
			close("tree/docs/p" i ".md")
			close("tree/out/p" i "/index.html")
		}
	}'
	cp tree/out/p0/index.html tree/out/index.html
}

# fill ARCHIVE SUFFIX SIZE copies the files of an archive into tree, as often as it takes.
fill() {
	tar xJf "$corpus/$1.tar.xz"
	mkdir tree
	local n=0 file
	find "$1" -type f -name "*.$2" | sort >files
	while [ "$(du -sb tree | cut -f1)" -lt "$3" ]; do
		while read -r file; do cp "$file" "tree/$((n += 1)).$2"; done <files
	done
}

# The larger of the web archives of the corpus that contain pages, one after another.
make_warc_gz() {
	tar xJf "$corpus/warc.tar.xz"
	find warc -type f -name '*.warc.gz' -size +20k | sort | grep -v 'pdf\|docs\|quirk\|truncated' | while read -r file; do
		if gzip -t "$file" 2>/dev/null; then cat "$file"; fi
	done | repeat_whole 60000000
}

# repeat_whole prints its input so many times that there are at least so many bytes.
repeat_whole() {
	cat >repeated
	local size n=0
	size=$(stat -c %s repeated)
	while [ $n -lt "$1" ]; do cat repeated; n=$((n + size)); done
	rm repeated
}

# entry adds a command under a name, ours first.
entry() { entries+=("$@" ';'); }

# if_peer adds the command of a peer, which .ci/peers installs, if it is there: if_peer NAME COMMAND..., in which
# the word "peer" is replaced by the program.
if_peer() {
	local path word words=()
	path=$(find_peer "$1") || { missing+=("$1"); return 0; }
	for word in "${@:2}"; do
		[ "$word" != peer ] || word=$path
		words+=("$word")
	done
	entry "$(peer_version "$1")" "${words[@]}"
}

find_peer() {
	if [ -n "${PEERS-}" ] && [ -x "$PEERS/bin/$1" ]; then
		realpath -s "$PEERS/bin/$1"
	else
		command -v "$1"
	fi
}

# peer_version prints the name, version and origin of a peer.
peer_version() {
	local line
	if [ -n "${PEERS-}" ] && line=$(grep -m 1 "^$1	" "$PEERS/versions"); then
		echo "$line" | awk -F '\t' '{ printf "%s %s (%s)", $1, $2, $3 }'
	else
		"$(command -v "$1")" --version 2>/dev/null | awk -v name="$1" 'NR == 1 { name = $0 } END { print name }'
	fi
}

# measure runs the entries in turn and leaves their medians in $tmp/medians. Its arguments are flags of race.
measure() {
	"$tmp/race" -runs "$runs" -out "$tmp/out" "$@" -- "${entries[@]}" >"$tmp/medians"
	entries=()
}

# compare measures the entries and prints the first beside the others: compare speed|time TITLE [FLAG]... "speed" prints how
# many times the speed of another it has, "time" how many times its time it takes; then the same of
# processor time, which depends less on what else the machine does.
compare() {
	measure "${@:3}"
	awk -F '\t' -v as="$1" -v title="$2" '
		NR == 1 { wall = $2; cpu = $3; printf "%s: %s %s\n", title, $1, took() }
		NR > 1 { printf "  %.2f times the %s of %s, %s; %.2f times by processor time\n", ratio(wall, $2), as, $1, took(), ratio(cpu, $3) }
		function ratio(ours, theirs) { return as == "speed" ? theirs / ours : ours / theirs }
		function took() { return sprintf($2 < 1e9 ? "%.0f ms, %.0f MiB" : "%.2f s, %.0f MiB", $2 < 1e9 ? $2 / 1e6 : $2 / 1e9, $4 / 1024) }' "$tmp/medians"
	if [ ${#missing[@]} -gt 0 ]; then echo "  not installed: ${missing[*]}"; fi
	missing=()
}

# megabytes prints the size of files or directories.
megabytes() { du -cbL "$@" | awk 'END { printf "%.0f MB", $1 / 1e6 }'; }
