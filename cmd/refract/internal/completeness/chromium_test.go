package completeness

import (
	"slices"
	"strings"
	"testing"
)

// What Chromium 156 requests for these, without scripts, in a window of 1280 by 720 pixels, each time the page.
func TestChooseLikeChromium(t *testing.T) {
	for _, test := range []struct{ src, want string }{
		{`<video preload=none src=a.webm poster=p.png></video>`, "p.png"},
		{`<video preload=none autoplay src=a.webm></video>`, ""},
		{`<video preload=none><source src=a.webm><track default src=t.vtt></video>`, "t.vtt"},
		{`<video preload=none poster=p.png><source src=a.webm></video>`, "p.png"},
		{`<video src=a.webm><track src=t.vtt></video>`, "a.webm"},
		{`<video src=a.webm><track default kind=metadata src=t.vtt><track default src=u.vtt></video>`, "a.webm t.vtt u.vtt"},
		{`<track default src=t.vtt>`, ""},
		{`<video><div><source src=a.webm></div></video>`, ""},
		{`<video><source src=a.webm type="video/mp4; codecs=hvc1"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="video/ogg"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/mpeg"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="application/x-mpegURL"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="application/vnd.apple.mpegurl"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="video/quicktime"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="video/mp4;codecs=av01.0.05M.08"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="video/x-matroska"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/x-m4a"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="video/mpeg"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="video/m4v"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="video/x-m4v"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/mp3"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/ogg; codecs=opus"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="video/ogg; codecs=&quot;theora, vorbis&quot;"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="audio/wav"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/midi"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="image/png"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="video/3gpp"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/flac"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="audio/aac"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="application/ogg"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="video/webm;codecs=vp8"><source src=b.webm></video>`, "a.webm"},
		{`<video><source src=a.webm type="application/octet-stream"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="mp4"><source src=b.webm></video>`, "b.webm"},
		{`<video><source src=a.webm type="video/mp4 "><source src=b.webm></video>`, "a.webm"},
		{`<picture><source type=image/jxl srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<picture><source type=image/svg+xml srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<picture><source type=image/bmp srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<picture><source type=image/x-icon srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<picture><source type=foo srcset=a.png><img src=b.png></picture>`, "b.png"},
		{`<picture><source type=image/jpg srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<picture><source type=text/html srcset=a.png><img src=b.png></picture>`, "b.png"},
		{`<picture><source type="image/webp;x=y" srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<picture><source type=video/mp4 srcset=a.png><img src=b.png></picture>`, "b.png"},
		{`<picture><source src=a.png><img src=b.png></picture>`, "b.png"},
		{`<picture><source type=image/x-xbitmap srcset=a.png><img src=b.png></picture>`, "a.png"},
		{`<object data=a.svg type=application/pdf></object><object data=b.svg type=text/plain></object><object data=c.svg type=video/mp4></object><object data=d.svg type=application/json></object>`, "a.svg b.svg c.svg d.svg"},
		{`<object data=a.svg type=application/xml></object><object data=b.svg type=foo/bar></object><object data=c.svg type=application/x-java-applet></object><object data=d.svg type=""></object>`, "a.svg d.svg"},
		{`<object data=a.svg type="application/xhtml+xml"></object><object data=b.svg type=image/tiff></object><object data=c.svg type=application/octet-stream></object><object data=d.svg type="text/html; charset=utf-8"></object>`, "a.svg d.svg"},
		{`<embed src=a.svg type=application/pdf><embed src=b.svg type=video/quicktime><embed src=c.svg type=audio/mpeg><embed src=d.svg type=foo>`, "a.svg c.svg"},
		{`<link rel=prefetch href=a.js as=script><link rel=prefetch href=b.js><link rel=prefetch href=c.html><link rel=prefetch href=d.html as=document>`, "a.js b.js c.html d.html"},
		{`<link rel=preload href=a.js as=script><link rel=modulepreload href=b.js><link rel=preload href=c.png><link rel=preload href=d.css as=style><link rel=preload href=e.html as=document><link rel=preload as=fetch href=f.json>`, "d.css f.json"},
		{`<link rel=preload as=font href=a type=image/png><link rel=preload as=font href=b type=font/woff><link rel=preload as=font href=c type=application/font-woff><link rel=preload as=font href=d type=font/collection>`, "b"},
		{`<link rel=preload as=style href=a type=text/css><link rel=preload as=style href=b type=image/png><link rel=preload as=style href=c type=text/plain>`, "a"},
		{`<link rel=preload as=fetch href=a type=image/png><link rel=preload as=fetch href=b type=image/heic><link rel=preload as=fetch href=c type=foo/bar><link rel=preload as=track href=d type=text/css>`, "a b c d"},
		{`<link rel=preload as=image href=a type=image/png><link rel=preload as=image href=b type=text/css><link rel=preload as=image href=c type=image/heic>`, "a"},
		{`<link rel=preload as=fetch href=a imagesrcset="b 1x, c 2x"><link rel=preload as=font href=d imagesrcset="e 1x"><link rel=preload as=video href=h imagesrcset=i><link rel=preload as="" href=j imagesrcset=k><link rel=preload as=image href=l imagesrcset=m>`, "a d m"},
		{`<link rel=stylesheet imagesrcset="a 1x" href=b.css><link rel=next imagesrcset=c href=d><link rel=icon href=e type=text/css>`, "b.css"},
		{`<img srcset="a 300w, b 300w, c 200w"><img srcset="d 2x, e 2x"><img srcset="f 0.5x, g 0.5x"><img src=h srcset="i 1x, j 1x"><img src=k srcset=l>`, "a d f i l"},
		{`<link rel=prerender href=a.html><link rel=manifest href=m.json><link rel=preload as=track href=t.vtt><link rel=preload as=video href=v.webm><link rel=preload as=worker href=w.js><link rel="preload" as=image type=image/jxl href=j.png>`, "j.png t.vtt"},
		{`<link rel=stylesheet disabled href=a.css><link rel=stylesheet type=text/less href=b.css><link rel=stylesheet type="text/css; charset=x" href=c.css><link rel="alternate stylesheet" title=t href=d.css><link rel=stylesheet type=" TEXT/CSS" href=e.css>`, "c.css d.css e.css"},
		{`<style media=print>@import "a.css";p{background:url(a.png)}</style><style type=text/less>p{background:url(b.png)}</style><style type="">body{background:url(d.png)}</style><style type="text/css;x">html{background:url(e.png)}</style>`, "a.css d.png"},
		{`<p style="background:url(a.png);background:url(b.png)">x<p style="background:url(c.png);background-image:url(d.png)">x<p style="*background:url(d2.png)">x<p style="_background:url(e.png)">x<p style="behavior:url(f.png)">x`, "b.png d.png"},
		{`<p style="background-image:image-set(url(a.png) 1x, url(b.png) 2x)">x<p style="background-image:image-set('c.png' 2x, 'd.png' 3x)">x<p style="background:image-set(url(e.png) type('image/jxl'), url(f.png) type('image/png'))">x<p style="background:-webkit-image-set(url(g.png) 2x, url(h.png) 1x)">x`, "a.png c.png e.png h.png"},
		{`<p style="background:image-set(url(a.png) 0.5x, url(b.png) 2x)">x<p style="background:image-set(url(c.png) 192dpi, url(d.png) 96dpi)">x<p style="background:image-set(url(e.png),url(f.png) 2x)">x<p style="background:image-set('g.png' type('image/avif') 2x, 'h.png' 1x)">x<p style="background:image-set(url(i.png) 1x, url(j.png) 1x)">x`, "b.png d.png e.png h.png i.png"},
		{`<p style="background:url(a.png);background:image-set(url(b.png) 1x, url(c.png) 2x)">x<p style="background:url(d.png),url(e.png);background-image:url(f.png)">x`, "b.png f.png"},
		{`<img srcset="a.png 2560w, b.png 640w" sizes="clamp(1px, 50vw, 300px)"><img srcset="c.png 2560w, d.png 640w" sizes="-5px, 200px"><img srcset="e.png 2560w, f.png 640w" sizes="50%"><img srcset="g.png 2560w, h.png 640w" sizes="max(10px,640px)"><img srcset="i.png 2560w, j.png 640w" sizes="(min-width: calc(10px + 5px)) calc(100vw / 2)">`, "b.png d.png e.png h.png j.png"},
		{`<img srcset="a.png 2560w, b.png 640w" sizes="(max-width: 1px) 2000px, calc(10px * 3 + (100vw - 1000px))"><img srcset="c.png 2560w, d.png 640w" sizes="40.5rem"><img srcset="e.png 2560w, f.png 640w" sizes="100vmin"><img srcset="g.png 2560w, h.png 640w" sizes="50vmax"><img srcset="i.png 2560w, j.png 640w" sizes="50svw">`, "b.png c.png e.png h.png j.png"},
		{`<picture><img src=a.png><img src=b.png></picture><picture><source srcset=c.png></picture><picture><source srcset=d.png><img src=e.png><img src=f.png></picture><picture><p><img src=g.png></p></picture>`, "a.png b.png d.png g.png"},
		{`<picture><source srcset=a.png><a href=x><img src=b.png></a></picture><source srcset=c.png><img src=d.png><picture><!-- x --><source srcset=e.png><br><img src=f.png></picture>`, "b.png d.png e.png"},
		{`<video src=a.webm><img src=b.png srcset="c.png 2x"><p><img src=d.png></p></video><audio><source src=e.mp3><img src=f.png></audio>`, "a.webm b.png d.png e.mp3 f.png"},
		{`<iframe srcdoc="x" src=a.html></iframe><iframe srcdoc="" src=b.html></iframe><iframe srcdoc src=c.html></iframe>`, ""},
		{`<frame src=a.html><p>x`, ""},
		{`<html><head></head><frameset><frame src=a.html><frame src=b.html></frameset></html>`, "a.html b.html"},
		{`<svg><filter id=f><feImage href=a.png /></filter><rect filter="url(b.svg#x)" width=9 height=9 /><use href="c.svg#a"/><image href=d.png /></svg>`, "a.png b.svg c.svg d.png"},
		{`<p style="filter:url(a.svg)">x<p style="filter:url(b.svg#a)">x<p style="clip-path:url(c.svg#a)">x<p style="mask:url(d.svg#a)">x<p style="mask-image:url(e.png)">x`, "a.svg b.svg c.svg d.svg e.png"},
		{`<input type=image src=a.png><input src=b.png type=" image"><button type=image src=c.png></button><body background=d.png><p background=e.png>`, "a.png d.png"},
	} {
		src := test.src
		if !strings.HasPrefix(src, "<html") {
			src = "<!doctype html>" + src + "<p>x"
		}
		got := needed(t, src)
		slices.Sort(got)
		if strings.Join(slices.Compact(got), " ") != test.want {
			t.Errorf("%s:\n got %q\nwant %q", test.src, strings.Join(got, " "), test.want)
		}
	}
}
