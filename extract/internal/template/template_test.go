package template_test

import (
	"slices"
	"strings"
	"testing"

	"example.org/refract/extract/internal/template"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

// found returns the references and ids of src as text.
func found(t *testing.T, l template.Language, src string) (all []string) {
	t.Helper()
	s := template.Scanner{Language: l}
	s.HTML.Anchors = true
	for it := range s.Scan([]byte(src)) {
		if it.Span.Start < 0 || it.Span.End > len(src) || it.Span.Start > it.Span.End {
			t.Fatalf("%q: %v", src, it.Span)
		}
		switch it.Op {
		case scan.Ref:
			if got := src[it.Span.Start:it.Span.End]; got != string(it.Value) && !strings.ContainsAny(got, "&\t\r\n\x00 \\") {
				t.Errorf("%q: %q is written %q", src, it.Value, got)
			}
			label := ""
			if it.Labels&scan.Speculative != 0 {
				label = "?"
			}
			all = append(all, it.In+label+"="+string(it.Value))
		case scan.Anchor:
			all = append(all, "#"+string(it.Value))
		}
	}
	return all
}

func TestScan(t *testing.T) {
	for _, tt := range []struct {
		language template.Language
		src      string
		want     string
	}{
		{template.Nunjucks, `<a href="x">`, "a/href=x"},
		{template.Nunjucks, "---\ntitle: <a href=y>\n---\n<a href=x>", "a/href=x"},
		{template.Nunjucks, "--- json\n{}\n---\n<a href=x>", "a/href=x"},
		{template.Nunjucks, `<a href="{{ "/x" | url }}">`, "filter/url=/x"},
		{template.Nunjucks, `<a href='{{- '/x' | url -}}'>`, "filter/url=/x"},
		{template.Nunjucks, `<a href="{{ "/x" | url }}#y"> <a href={{ x }} id=y>`, `a/href={{ "/x" | url }}#y|a/href={{ x }}|#y`},
		{template.Nunjucks, `<a {% if x > "1" %}href="x"{% endif %} id="{{ y }}"> <b id="z">`, "a/href=x|#z"},
		{template.Nunjucks, `{# <a href="x"> #}{% raw %}<a href="{{ x }}">{% endraw %}{% highlight "html" %}<a href="y">{% endhighlight %}<a href=z>`, "a/href={{ x }}|a/href=z"},
		{template.Nunjucks, "{% set a %}{% raw %}<a href=x>{% endraw %}{% endset %}\n{{ a | highlight('html') }}{% set b %}<a href=y>{% endset %}{{ b }}{% set c = 1 %}<a href=z>", "a/href=y|a/href=z"},
		{template.Nunjucks, `<a href= {{ x }} class="y"><a href=  "{{ z }}" id = "{{ u }}">`, "a/href={{ x }}|a/href={{ z }}"},
		{template.Nunjucks, `{% raw %}<a href=x>`, "a/href=x"},
		{template.PHP, `<?php $a = "<a href=x>" ?><a href="y">`, "a/href=y"},
		{template.PHP, "<?PHP\n// <a href=x> ?><a href=\"y\">", "a/href=y"},
		{template.PHP, `<? # ' ?><a href="y"><?= '?>' . "\"?>" /* ?> */ ?><a href=z>`, "a/href=y|a/href=z"},
		{template.PHP, `<?php #['?>'] ?><a href=y>`, "a/href=y"},
		{template.PHP, "<?php $a = <<<'E'\n'<a href=x> ?>\n E; ?><a href=y>", "a/href=y"},
		{template.PHP, "<?php $a = <<<E\nEE\nE", ""},
		{template.PHP, "<?= 1 <<< 2 ?><a href=y>", "a/href=y"},
		{template.PHP, `<a href="<?= $x ?>"><a href=x/<?= $y ?>><a <?= $z ?> href=y id="<?= $i ?>"><b id=z>`, "a/href=y|#z"},
		{template.PHP, `<?xml version="1.0"?><a href=y>`, "a/href=y"},
		{template.PHP, `<?php '<a href=x>`, ""},
		{template.PHP, `<?php /* <a href=x>`, ""},
		{template.PHP, `<?`, ""},
		{template.Liquid, `{# <a href="x"> #}`, "a/href=x"},
		{template.Nunjucks, `{{ "<a href=x>" | safe }} < {{ <a href=y>`, "a/href=y"},
		{template.Nunjucks, `<img srcset="a.png 1x, {{ b }} 2x" src="c/{{ d }}.png">`, "img/srcset=a.png|img/srcset={{ b }}|img/src=c/{{ d }}.png"},

		{template.Astro, "---\nconst a = '<a href=\"y\">'\n---\n<a href=\"/x\">", "a/href=/x"},
		{template.Astro, "<a href={x}>a</a> <a href={'/x'}> <a href=`/${x}` class=y> <a href=`/z`>", "a/href={x}|a/href?=/x|a/href=/${x}|a/href?=/z"},
		{template.Astro, "<img src={a}><br>{b && <p><a href='/x'>don't</a>} <a href='/y'>", "img/src={a}|a/href=/x|a/href=/y"},
		{template.Astro, "{/* <a href='x'> */} <!-- <a href='x'> --> <script src='/s.js'>if (a<b) '<a href=z>'</script><style>{}</style><a href=y id=z>", "script/src=/s.js|a/href=y|#z"},
		{template.Astro, "<Link to='/x' href={useBaseUrl(\"/y\")} />{list.map((i) => <a href={i.url}>{`<a href='z'>`}</a>)}", "link/to?=/x|link/href?=/y|a/href={i.url}"},

		{template.JSX, "const x: Array<string> = a < b ? 1 : 2; return <a href=\"/x\">it's {/* <a href=\"y\"> */}</a>", "a/href=/x"},
		{template.JSX, "// <a href=\"x\">\nlet s = '<a href=\"y\">', r = /<a href=\"z\">/, t = `<a href=\"u\">${<a href=\"/v\"/>}`", "a/href=/v"},
		{template.JSX, "const f = <T,>(x: T) => (<><Link to=\"/x\">a // b</Link><Img src={require('./i.png').default} /></>)", "link/to?=/x|img/src?=./i.png"},
		{template.JSX, "f = <T extends X>(x) => <a href={'/x'} {...props} title={<b>'</b>} id=\"y\">", "a/href?=/x|#y"},
		{template.JSX, "return <div><script src=\"a.js\" /><a href=\"/x\"/></div>", "a/href=/x"},
		{template.JSX, "a = b / c; d = '/'; e = <a href= {x} class=\"y\"/>", "a/href={x}"},
		{template.JSX, "x = <a href={t('nav.home')} /> ; y = <a href=\"a&amp;b\" />", "a/href={t('nav.home')}|a/href=a&b"},
	} {
		if got := strings.Join(found(t, tt.language, tt.src), "|"); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.src, got, tt.want)
		}
	}
}

// A caller may stop at each Item, and use the Scanner again.
func TestStop(t *testing.T) {
	src := []byte(`<a href="{{ x }}"><a href=y><a href=z>`)
	var s template.Scanner
	for stop := range 4 {
		n := 0
		for range s.Scan(src) {
			if n++; n > stop {
				break
			}
		}
	}
}

var hostile = []scantest.Shape{
	{"", "{{", ""}, {"", "{%", ""}, {"", "{#", ""}, {"", "{% raw %}", ""}, {"", "{% highlight %}", ""}, {"", "{% endraw", ""}, {"", "{{ \"a\" | url }}", ""}, {"<a href=\"", "{{ a }}", "\">"},
	{"", "<a ", ""}, {"", "<a href=", ""}, {"", "<a href=\"", ""}, {"", "<a href={", ""}, {"", "<a href={x} ", ""}, {"<a ", "href={x} ", ">"}, {"<a ", "= {", ""}, {"<a ", "=  {} ", ""},
	{"", "{", ""}, {"", "}", ""}, {"", "`${", ""}, {"", "`", ""}, {"", "/*", ""}, {"", "<!--", ""}, {"", "</", ""}, {"", "<A>", ""}, {"", "<script>", ""}, {"", "<script ", ""}, {"", "<script />", ""},
	{"", "}<>", ""}, {"", "<a b={<a ", ""}, {"", "<p>{", ""}, {"", "{<p>}", ""}, {"", "'", ""}, {"", "/", ""}, {"", "a ", ""}, {"---", "\n--", ""}, {"", "\n", ""}, {"<a href={", "'a' ", "}>"}, {"<a href=`", "${a}", "`>"},
}

func TestHostile(t *testing.T) {
	for l := template.Nunjucks; l <= template.PHP; l++ {
		scantest.Shapes(t, hostile, 256<<10, func(src []byte) {
			s := template.Scanner{Language: l}
			for range s.Scan(src) {
			}
		})
	}
}

func FuzzScan(f *testing.F) {
	for l := template.Nunjucks; l <= template.PHP; l++ {
		for _, seed := range []string{`<a href="{{ "/x" | url }}">{% raw %}`, "<a href={`x${'y'}`}>", "---\n---\n<script>", "x = <a b={c} />"} {
			f.Add(uint8(l), seed)
		}
	}
	f.Fuzz(func(t *testing.T, l uint8, src string) {
		first := found(t, template.Language(l%4), src)
		if again := found(t, template.Language(l%4), src); !slices.Equal(first, again) {
			t.Errorf("%q: %q, then %q", src, first, again)
		}
	})
}

func TestIsPHP(t *testing.T) {
	for src, want := range map[string]bool{
		"<?php": true, "\xef\xbb\xbf\n<?php\n": true, "<?= $x ?>": true, "<? a ?>": true, "<!doctype html>\n<p><?php a ?>": true,
		"": false, "<?xml version='1.0'?><a/>": false, "a <?php ?>": false, "<p>a": false, "<?phpx": false, "<?": false,
	} {
		if template.IsPHP([]byte(src)) != want {
			t.Errorf("%q: not %t", src, want)
		}
	}
}

// Programs, strings and texts that do not end.
func TestHostilePHP(t *testing.T) {
	scantest.Shapes(t, []scantest.Shape{
		{"<?php ", "<<<", ""}, {"<?php ", "<<<E\n", ""}, {"<?php <<<E\n", " E1\n", ""}, {"<?php ", "/*", ""}, {"<?php ", "\"\\", ""},
		{"", "<?= // ?>", ""}, {"", "<?php '", ""}, {"", "<a href=<?=", ""}, {"", "<a href=\"<?= 1 ?>", ""}, {"", "<? ", ""},
	}, 1<<17, func(src []byte) {
		s := template.Scanner{Language: template.PHP}
		for range s.Scan(src) {
		}
	})
}
