#!/usr/bin/env bash
# Makes the images of the README from real runs: docs/pictures/audit.svg is what a terminal
# shows, docs/pictures/report.png the HTML report. Needs Go, script (util-linux) and Chromium.
set -euo pipefail
cd "$(dirname "$0")/.."
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome) || { echo "pictures: there is no Chromium" >&2; exit 1; }
tmp=$(mktemp -d)
trap 'rm -rf "$tmp"' EXIT
go build -o "$tmp/refract" ./cmd/refract
top=$PWD
cp -r testdata/docs "$tmp/docs"
cd "$tmp"

# script gives the command a terminal; its exit status is 1, as there are findings.
script -qec "stty cols 100 rows 50; ./refract audit --hyperlink never docs" /dev/null >"$tmp/screen" </dev/null || [ $? = 1 ]
(cd "$top" && go run docs/pictures/terminal.go "refract audit docs" <"$tmp/screen" >"$tmp/audit.svg")
mv "$tmp/audit.svg" "$top/docs/pictures/audit.svg"

site=$top/internal/audit/testdata/generators/mkdocs
rm -r docs
cp -r "$site/site" site
./refract audit -q --html report.html site >/dev/null || [ $? = 1 ]
"$browser" --headless=new --no-sandbox --disable-gpu --hide-scrollbars --force-device-scale-factor=1 \
	--window-size=1280,800 --run-all-compositor-stages-before-draw --virtual-time-budget=10000 --screenshot="$tmp/report.png" "file://$tmp/report.html" >/dev/null 2>&1
[ -s "$tmp/report.png" ] || { echo "pictures: Chromium made no picture" >&2; exit 1; }
mv "$tmp/report.png" "$top/docs/pictures/report.png"
