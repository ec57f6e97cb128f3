package completeness

import "testing"

var desktop = viewport{1280, 720}

func TestMatches(t *testing.T) {
	for query, want := range map[string]bool{
		"": true, "all": true, "screen": true, "print": false, "not print": true, "only screen": true, "Screen , print": true, "speech, print": false,
		"(min-width: 1280px)": true, "(min-width:1281px)": false, "(max-width: 80em)": true, "screen and (max-width: 79.9em)": false,
		"not screen and (max-width: 600px)": true, "(width >= 600px)": true, "(width<600px)": false, "(400px<=width<=1280px)": true, "(width = 1280px)": true,
		"(orientation: landscape)": true, "(orientation:portrait)": false, "(prefers-color-scheme: dark)": false, "(prefers-reduced-motion: no-preference)": true,
		"(min-resolution: 2dppx)": false, "(min-resolution: 96dpi)": true, "(-webkit-min-device-pixel-ratio: 1.5)": false,
		"(unknown: 1)": false, "not (unknown: 1)": false, "(": false, "and": false, "(min-width: 1px) and": false, "(color)": true, "(min-width: 1px)and(max-width: 2px)": false,
		// as in Chromium 156
		"(inverted-colors: none)":                       false,
		"(prefers-reduced-transparency: no-preference)": true,
		"(video-dynamic-range: standard)":               false,
		"(overflow-block: scroll)":                      true,
		"(overflow-inline: scroll)":                     true,
		"(-webkit-transform-3d: 1)":                     true,
		"(-webkit-transform-3d)":                        true,
		"(color-index: 0)":                              true,
		"(color-gamut: srgb)":                           true,
		"(color-gamut: p3)":                             false,
		"(dynamic-range: standard)":                     true,
		"(forced-colors: none)":                         true,
		"(grid: 0)":                                     true,
		"(monochrome: 0)":                               true,
		"(monochrome)":                                  false,
		"(update: fast)":                                true,
		"(display-mode: browser)":                       true,
		"(scripting: none)":                             true,
		"(any-hover: hover)":                            true,
		"(any-pointer: fine)":                           true,
		"(hover: hover)":                                true,
		"(min-color: 8)":                                true,
		"(min-aspect-ratio: 16/9)":                      true,
		"(aspect-ratio: 16/9)":                          true,
		"(device-width: 1280px)":                        true,
		"(device-height: 720px)":                        true,
		"(inverted-colors)":                             false,
		"(scripting)":                                   false,
		"(update)":                                      true,
		"(color-gamut)":                                 true,
		"(grid)":                                        false,
		"(display-mode)":                                true,
		"(any-hover)":                                   true,
		"(prefers-color-scheme)":                        true,
		"(prefers-reduced-motion)":                      false,
		"(dynamic-range)":                               true,
		"(forced-colors)":                               false,
		"(prefers-reduced-data: no-preference)":         false,
		"(height: 720px)":                               true,
		"(resolution: 1dppx)":                           true,
		"(resolution: 96dpi)":                           true,
		"(-webkit-device-pixel-ratio: 1)":               true,
		"(min--moz-device-pixel-ratio: 1)":              false,
		"(orientation)":                                 true,
		"(aspect-ratio)":                                true,
		"(-webkit-animation)":                           false,
		"(device-aspect-ratio: 16/9)":                   true,
		"(nav-controls: back)":                          false,
		"(min-width: 1px) or (foo: bar)":                true, "(foo: bar) and (max-width: 1px)": false, "not (min-width: 1px)": false, "((min-width: 1px))": true, "(not (max-width: 1px))": true,
		"(min-width: 1px) or (color) and (grid)": false, "(min-width: calc(10px + 5px))": true,
		"(width << 1px)": false, "(min-width: x)": false, "only screen and (min-width: 1px) and (max-width: 9000px)": true,
	} {
		if got := desktop.matches(query); got != want {
			t.Errorf("%q: %v", query, got)
		}
	}
}

func TestSourceSize(t *testing.T) {
	for sizes, want := range map[string]float64{
		"": 1280, "100vw": 1280, "50vw": 640, "(max-width: 600px) 100vw, 300px": 300, "(min-width: 600px) 20em, 300px": 320, "calc(1px + 2px), 7px": 3, "x": 1280, "0": 0, ", ,9px": 9,
	} {
		if got := desktop.sourceSize(sizes); got != want {
			t.Errorf("%q: %v", sizes, got)
		}
	}
}
