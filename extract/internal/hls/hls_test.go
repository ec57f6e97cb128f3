package hls

import (
	"fmt"
	"strings"
	"testing"
)

func TestScan(t *testing.T) {
	for src, want := range map[string]string{
		"#EXTM3U\n#EXT-X-VERSION:3\n#EXTINF:9.009,a, b=\"c\"\nfirst.ts\n\n# http://h/comment\r\n/second.ts \r\n":                               "embed bare playlist/line first.ts|embed bare playlist/line /second.ts",
		"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"a,URI=b\"\nlow/audio.m3u8\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i.m3u8\"\n":    "link bare EXT-X-STREAM-INF low/audio.m3u8|link attribute EXT-X-I-FRAME-STREAM-INF i.m3u8",
		"\xef\xbb\xbf#EXTM3U\n#EXT-X-KEY:METHOD=AES-128,URI=\"https://h/k?a=1,2\",IV=0x1\n#EXT-X-MAP:URI=\"init.mp4\"\n#EXT-X-KEY:METHOD=NONE": "embed attribute EXT-X-KEY https://h/k?a=1,2|embed attribute EXT-X-MAP init.mp4",
		"#EXTM3U\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"y\"\n{$x}/a.ts\nb.ts":                                                                       "embed bare playlist/line b.ts",
		"#EXT-X-KEY:URI=\"not closed\na\n#EXT-X-KEY:URI":                                                                                       "embed bare playlist/line a",
		"": "",
	} {
		var list []string
		for it := range new(Scanner).Scan([]byte(src)) {
			if src[it.Span.Start:it.Span.End] != string(it.Value) {
				t.Errorf("%q: %q is at %v", src, it.Value, it.Span)
			}
			list = append(list, fmt.Sprint(it.Kind, " ", it.How, " ", it.In, " ", string(it.Value)))
		}
		if got := strings.Join(list, "|"); got != want {
			t.Errorf("%q:\n got %s\nwant %s", src, got, want)
		}
	}
}
