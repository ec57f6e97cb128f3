package delimit

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"example.org/refract/internal/hostname"
)

// The answer is marked in the text: ⟦…⟧ is a reference, whatever white space a
// line break brings is within it, and joined has the reading where that differs.
var delimitTests = []struct {
	why, text string
	joined    string
}{
	// Appendix E: "usually within double-quotes, angle brackets, or just using white space".
	{"E", `"⟦http://test.com/⟧"`, ""},
	{"E", `<⟦http://test.com/⟧>`, ""},
	{"E", "\n⟦http://test.com/⟧\n", ""},
	{"E", `(⟦http://a/b#frag⟧)`, ""},
	{"an inline link of Markdown is exact", "[x](⟦http://h/a.⟧) [x](⟦http://h/#:~:text=a,b.⟧)] (⟦http://h/a⟧.)", ""},
	{"the host of an address ends it", "⟦mailto:a@b.com⟧++++ ⟦mailto:a@b.com,c@d.org⟧! ⟦mailto:a@b.com?subject=a+b⟧ ⟦mailto:a@b.com%2Cc@d.org⟧*", ""},
	{"a host of any scheme", "[x](⟦babel://es5-syntax-example⟧) (⟦codepen://hello-world⟧), ⟦xy://a(b)c⟧", ""},
	{"an entity of punctuation", "⟦https://h/x⟧&mdash; Ann ⟦https://h/x?a=b&c=d⟧&rdquo;", ""},
	{"no user has a quote or a parenthesis, a password may", "⟦http://h.com⟧');declare+@c=1 ⟦http://u:p')x@h/y⟧", ""},
	{"a port is no line", "⟦dns:///example.com:443⟧ ⟦http://h/a.js⟧:443", ""},
	{"an address is no host", "''www.x-y.ru@template'' ann<span>@</span>www.x.org <b>a</b>⟦www.y.org⟧", ""},
	{"a scheme misspelled", "http:/⟦www.x.org/a⟧ http//⟦www.y.org⟧ /www.z.org", ""},
	{"a bar in a query", " ⟦http://h/?lr=lang_en|lang_sv&ie=UTF-8⟧ (⟦http://h/css?family=Open+Sans|Roboto:400|Lato⟧) '⟦http://h/?a=b|c⟧'", ""},
	{"a bar that separates", "|⟦http://h/?a=b⟧|c| {{x|url=⟦http://h/?a=b⟧|title=c}} [[⟦http://h/?a=b⟧|c]] ⟦http://h/?a=b⟧||c ⟦http://h/a⟧|b ⟦http://h/?a=b⟧|\"c", ""},
	{"keys and certificates are files", "openssl x509 -in www.x.org.pem -out www.x.org.key; ⟦www.y.org/z.pem⟧", ""},
	{"struck out", "~~⟦www.x⟧~~ ~~www.x ~~www.~~", ""},
	{"E, the hyphen", "<⟦http://a/b-\n  c⟧>", "http://a/b-c"},
	{"E, the prefix", "<URL:⟦http://a/⟧> <URL: ⟦http://b/⟧> URL:⟦http://c/⟧ URL: ⟦http://d/⟧ url:⟦http://e/⟧", ""},
	{"draft -01 E, earlier wrappers", "[⟦http://test.com/⟧] {⟦http://test.com⟧}", ""},

	// Angle brackets: white space with a line break, and next to the brackets.
	{"E", "<⟦http://a/b\nc⟧>", "http://a/bc"},
	{"E", "<⟦http://a/b\r\n\tc⟧>", "http://a/bc"},
	{"E", "< ⟦http://a/b⟧ >", ""},
	{"E", "<\n⟦http://a/b⟧\n>", ""},
	{"E", "<URL:\n⟦http://a/b⟧>", ""},
	{"one other blank", "<⟦http://a/b c⟧>", "http://a/bc"},
	{"two make it prose", "<⟦http://a/b⟧ c d>", ""},
	{"two make it prose", "<⟦http://a/b⟧  c>", ""},
	{"a blank line", "<⟦http://a/b⟧\n\nc>", ""},
	{"a blank line", "<⟦http://a/b⟧\r\n \r\nc>", ""},
	{"another bracket first", "<⟦http://a/b⟧\n<c>", ""},
	{"a line that begins with a scheme", "<⟦http://a/b⟧\n⟦http://c/⟧>", ""},
	{"nothing inside is trimmed", "<⟦http://a/b.⟧>", ""},
	{"brackets around an abbreviated one", "<⟦www.w3.org/\n  x⟧>", "www.w3.org/x"},
	{"too far", "<⟦http://a/b⟧\n" + strings.Repeat("c", 8192) + ">", ""},

	// Reply marks: at most as many as begin the line of the opening bracket.
	{"reply", "> <⟦http://a/b\n> c⟧>", "http://a/bc"},
	{"reply", "> > <⟦http://a/b\n> > c⟧>", "http://a/bc"},
	{"reply", ">> <⟦http://a/b\n>>c⟧>", "http://a/bc"},
	{"reply", "| <⟦http://a/b\n| c⟧>", "http://a/bc"},
	{"reply", "> see <\n> ⟦http://a/b⟧>", ""},
	{"no mark there: it closes", "<⟦http://a/b⟧\n> c", ""},
	{"one too many: it closes", "> <⟦http://a/b⟧\n> > c", ""},
	{"reply", "> \"⟦http://a/b\n> c⟧\"", "http://a/bc"},

	// Relative references, in <URL:…> alone.
	{"relative", "<URL:⟦../x#s⟧> <../x> URL:../x", ""},
	{"relative", "<URL:⟦a\nb⟧>", "ab"},
	{"relative", "<URL:⟦/x⟧> <URL: ⟦#s⟧> <URL:⟦//h/x⟧> <URL:\t\n⟦x⟧>", ""},
	{"not prose", "<URL: see below> <URL:> <URL: >", ""},
	{"absolute without slashes", "<URL:⟦mailto:a@b.c⟧>", ""},
	{"abbreviated", "<URL:⟦ftp.x.org/pub⟧>", ""},

	// Double quotes.
	{"quotes", "\"⟦http://a/b\n   c⟧\"", "http://a/bc"},
	{"a blank ends it", "\"⟦http://a/b⟧ c\"", ""},
	{"only sentence punctuation is trimmed", "\"⟦http://a/b)⟧.\"", ""},
	{"a backslash is a program's", `"\"⟦http://a/b⟧\""`, ""},
	{"attribute", `<a href="⟦http://a/b(c⟧">`, ""},
	{"nothing but punctuation on the last line", "\"⟦http://a/b⟧\n...\"", ""},
	{"quotes", `["⟦http://a/⟧","⟦http://b/⟧"]`, ""},

	// The start.
	{"any scheme", "⟦svn+ssh://h/x⟧ ⟦z39.50s://h/db⟧ ⟦x-y://h⟧", ""},
	{"glued", "G⟦http://a/⟧ \x1b[36m⟦https://b/⟧\x1b[0m", ""},
	{"not glued", "⟦git+https://a/⟧ ⟦shttp://b/⟧", ""},
	{"no scheme", "://a 1://a 12abc://b -://c", ""},
	{"no scheme has one letter", "c://a p://www.b/", ""},
	{"a template", "⟦http://a⟧:${port}/ http://${host}/", ""},
	{"no host", "http:// http://.. http://%s/x https://$host/ ftp:///x http:///y", ""},
	{"a host", "⟦http://_x/⟧ ⟦http://%41/⟧ ⟦http://ü.example/⟧ ⟦http://[::1]:80/⟧ ⟦http://[v1.a]/⟧ ⟦http://1.2.3.4⟧", ""},
	{"an empty host", "⟦file:///etc/x⟧ ⟦foo:///x⟧ foo:// file://.", ""},
	{"userinfo", "⟦ftp://u:p@h/x⟧ ⟦http://u@[::1]/⟧", ""},

	{"a user without a name", "⟦redis://:p4ss@localhost:6379/0⟧ ⟦http://:pw@h.org/x⟧ http://@h.org/ http://:80/ http://:@/x http://@ http://:a b@c", ""},

	// Schemes without slashes, where the rest proves it.
	{"mailto", "⟦mailto:a@b.c⟧, ⟦MAILTO:a%40b@c.d?subject=x⟧ mailto: a@b mailto:x mailto:@x --⟦mailto:a@b.c⟧ x-mailto:a@b.c", ""},
	{"1738 3.6", "⟦news:comp.infosystems.www⟧. ⟦news:1@x⟧ <⟦news:*⟧> <urn:*> news:* news:foo news:e.g news: a.bc Latest news:the.", ""},
	{"urn", "⟦urn:isbn:1⟧ urn:x urn:a: urn::b", ""},
	{"file", "⟦file:/etc/passwd⟧ file:x file: /x", ""},
	{"tel", "⟦tel:+1-201-555-0123⟧ tel:x tel:1", ""},
	{"never in prose", "javascript:alert(1) data:text/plain,x vbscript:x", ""},
	{"a word before", "xmailto:a@b.c hotel:+123456 std::string class:foo", ""},

	// The end of a bare reference.
	{"end", "⟦http://a/b⟧<c ⟦http://a/b⟧>c ⟦http://a/b⟧\\c ⟦http://a/b⟧|c ⟦http://a/b⟧^c ⟦http://a/b⟧`c", ""},
	{"end", "⟦http://a/b⟧\x00c ⟦http://a/b⟧\x7fc ⟦http://a/b⟧\u0085c ⟦http://a/b⟧\u00a0c ⟦http://a/b⟧\u200bc ⟦http://a/b⟧\xffc", ""},
	{"end", "“⟦http://a/b⟧” «⟦http://a/b⟧» ⟦http://a/b⟧。 ⟦http://a/b⟧，c （⟦http://a/b⟧）", ""},
	{"joiners are letters", "⟦http://a/b\u200cc\u200dd⟧", ""},
	{"but nothing that is not seen ends it", "⟦http://a/b⟧\u2060 ⟦http://a/b⟧\u00ad ⟦http://a/b⟧\u200c ⟦http://a/b⟧\u200d ⟦http://a/b⟧\ufe0f. ⟦http://a.org⟧\u00ad, ⟦http://a/b⟧.\u2060\ufe0e ⟦www.a.bc⟧\u2060", ""},
	{"what selects the form of a sign goes with it", "⟦http://a/❤\ufe0f⟧ ⟦http://a/b⟧⚠\ufe0f ⟦http://a/?b=☺\ufe0f⟧\u2060", ""},
	{"bullets between", "⟦http://a/b⟧•⟦http://c/⟧·⟦https://d/⟧ ⟦http://a⟧•⟦http://b⟧ ⟦http://a.org⟧·⟦http://b.org⟧・⟦ftp://c⟧ ⟦http://a/⟧▪⟦http://b⟧ ⟦http://a.org⟧→⟦http://b.org⟧ ⟦http://i❤.ws/⟧ ⟦http://a/l·l⟧ ⟦http://l·l.cat/⟧ ⟦http://a/·b:c⟧ ⟦http://a·b:80/⟧ ⟦http://a/?u=é://b⟧", ""},
	{"marks that TeX sets for < and >, and inverted ones of Spanish", "¡⟦http://a/b⟧¿. ⟦http://a/b⟧¿ ⟦http://a/b⟧¡ ⟦http://a/¿b⟧", ""},
	{"bullets behind", "⟦http://a/b⟧• c ⟦http://a/b⟧· c", ""},
	{"not ASCII", "⟦http://a/é/日本⟧", ""},
	{"single quotes", "'⟦http://a/b⟧' ⟦http://a/b's⟧ '⟦http://a/b's⟧' ⟦http://a/b⟧'", ""},
	{"strings of programs", "fopen('⟦php://output⟧','w') {'db':'⟦redis://cache⟧','q':'⟦amqp://mq⟧'} ['⟦mongodb://h1,h2/db⟧','x'] ('⟦redis://:pw@h:1⟧','x')", ""},
	{"strings of programs", "f('⟦http://h⟧','⟦http://h/a⟧','⟦http://h/?b⟧','⟦mailto:a@b.c⟧','⟦tel:123456⟧','⟦www.a.bc⟧') '⟦xy://a⟧'+b '⟦xy://a/⟧'b '⟦http://h/a⟧'if x '⟦http://h/a⟧''b", ""},
	{"strings of programs", "('jdbc:⟦mysql://h1,h2/db⟧','x') ('jdbc:⟦mysql://h⟧','x') o'neil:⟦http://a/b'c⟧ ⟦xy://a'b⟧", ""},
	{"brackets", "(⟦http://a/b_(c)⟧) ⟦http://a/[b]⟧] [x](⟦http://a/b⟧) ⟦http://a/{b}⟧}", ""},
	{"an opening bracket last", "⟦http://a/b⟧( ⟦http://a/b⟧[", ""},
	{"in the authority", "⟦http://foo⟧[.]org ⟦http://foo⟧(x)/", ""},
	{"a footnote mark", "⟦http://a/b⟧[12] ⟦http://a/?b=[12]⟧ ⟦http://a/b⟧[]", ""},
	{"a reference behind it", "⟦http://a/⟧,⟦http://b/⟧;⟦http://c/⟧ ⟦http://a/⟧'⟦http://b/⟧ ⟦http://a⟧(⟦http://b⟧)", ""},
	{"a reference in it", "⟦http://web.archive.org/web/1/http://b/⟧ ⟦http://a/?u=http://b⟧", ""},
	{"every dash", "⟦http://a/b⟧\u2010 ⟦http://a/b⟧\u2011 ⟦http://a/b⟧\u2012 ⟦http://a/b⟧\u2013 ⟦http://a/b⟧\u2014 ⟦http://a/b⟧\u2015 ⟦http://a/b\u2016⟧", ""},
	{"the sentence's", "⟦http://a/b⟧. ⟦http://a/b⟧, ⟦http://a/b⟧; ⟦http://a/b⟧: ⟦http://a/b⟧! ⟦http://a/b⟧? ⟦http://a/b⟧... ⟦http://a/b⟧.) ⟦http://a/b⟧… ⟦http://a/b⟧— ⟦http://a/b-⟧", ""},
	{"emphasis", "*⟦http://a/b⟧* _⟦http://a/b⟧_ **⟦http://a/b⟧** ⟦http://a/b*⟧ ⟦http://a/b_⟧ ~⟦http://a/b⟧~", ""},
	{"text that was markup", "&lt;⟦http://a/b⟧&gt; ⟦http://a/b⟧&nbsp; ⟦http://a/b&c⟧ ⟦http://a/b⟧&quot;.", ""},
	{"escaped markup", "{&quot;a&quot;:&quot;⟦http://a/b⟧&quot;,&quot;c&quot;:1} ⟦http://a/b⟧&lt;br> ⟦http://a/b?c&quot=d⟧", ""},
	{"never over a line", "⟦http://a/b-⟧\nc", ""},

	// Brackets in a path are not of it (RFC 3986 section 3.3), but where more follows.
	{"AsciiDoc", "⟦https://r.org/x⟧[Some text] ⟦https://r.org/x⟧[Text]. ⟦https://r.org⟧[Text] ⟦https://r.org/x⟧[] ⟦https://r.org/x#s⟧[text^] link:⟦https://r.org/x⟧[window=_blank]", ""},
	{"AsciiDoc", "⟦https://r.org/x?v=abc⟧[Text] ++⟦https://r.org/x⟧++[a b]", ""},
	{"BBCode", "[url]⟦http://a/b⟧[/url] [url=⟦http://a/b⟧]text[/url] [img]⟦http://a/b⟧[/img]x", ""},
	{"more of the path", "⟦http://h/[ST_rn=ps]/getdoc.xp⟧ ⟦http://h/[username]/rss⟧ ⟦http://h/a/[slug].json⟧ ⟦http://h/x[1]/y⟧ ⟦http://h/[a][b]/c⟧", ""},
	{"what goes on behind brackets", "⟦http://h/a[bc]/⟧ ⟦http://h/a[bc]?x⟧ ⟦http://h/a[bc]#x⟧ ⟦http://h/a[bc]&x⟧ ⟦http://h/a[bc]=x⟧ ⟦http://h/a[bc]%20⟧ ⟦http://h/a[bc]_⟧ ⟦http://h/a⟧[bc]!x", ""},
	{"a query", "⟦http://h/?a[]=1&tags[]⟧ ⟦http://h/?f[x]=y⟧ ⟦http://h/?a=[1,2]&b⟧ ⟦http://h/x?a[b]⟧ (⟦http://h/x?a[b][c]=1⟧)", ""},
	{"an index in a template", "⟦https://h/#{ENV['A']}/b⟧ ⟦https://h/{a[0]}⟧", ""},
	{"not a bracket's text", "⟦http://en.w.org/Blur_[band]⟧ ⟦http://h/a[i]⟧ ⟦http://h/x⟧[see ⟦http://h/y⟧]", ""},
	{"an opening parenthesis that nothing closes", "⟦http://h/x⟧(and so ⟦http://h/x(y)⟧(and ⟦http://h/Blur_(band⟧", ""},

	// What logs, programs and quick writers put behind it.
	{"a line, and a column", "(⟦http://h:80/a/b.js⟧:12:34) ⟦http://h/b.py⟧:7: ⟦http://h/b.ts⟧:12:34. ⟦hdfs://h:9000/p/l.log⟧:43752+7292", ""},
	{"no line", "⟦http://h:80⟧ ⟦http://h/a:80⟧ ⟦http://h/12:30:45⟧ ⟦http://h.js:80⟧ ⟦http://h/b.js?t=1:2⟧ ⟦http://h/b.js#L1:2⟧ ⟦http://h/x.1:2⟧ ⟦http://h/b.js:1:2:3⟧ ⟦http://h/.js:1⟧", ""},
	{"the next field", "file=⟦gs://b/in.txt⟧,name=hello url=⟦https://h/a,b⟧ ?u=⟦http://h/a,b=c⟧ ⟦http://h/a,b=c⟧ x=⟦http://h/?a,b=c⟧", ""},
	{"four dots", "⟦http://h/x⟧....and ⟦http://h/#s⟧.....It ⟦http://h/a...b⟧ ⟦http://h/..../etc⟧ ⟦http://h/?gs_l=a......0⟧", ""},
	{"a regular expression", `http://h\.example\.org/x ⟦http://h⟧\x ⟦http://h/x⟧\.y`, ""},
	{"a template", "⟦https://h/x@⟧${ v ⟦https://h/x⟧$(\ny", ""},
	{"the string of a program", `f("⟦http://a/b?⟧", 1); ["⟦http://a/b.⟧"] {"⟦http://a/b...⟧"} x("⟦http://a/b!⟧");`, ""},
	{"a quotation", `"⟦http://a/b⟧." "⟦http://a/b⟧?" (see "⟦http://a/b⟧.") "⟦http://a/b⟧," he said`, ""},
	{"particles", "⟦http://h/⟧を参照 ⟦http://h/日を⟧ ⟦http://h/⟧에서 ⟦http://h/⟧です。", ""},

	// Markup around it.
	{"Slack", "<⟦http://h/x⟧|link text> <⟦http://h/x⟧|link> <⟦http://h/x⟧|⟦http://h/x⟧> <⟦mailto:a@b.c⟧|a@b.c> <⟦http://h/x|two\nlines⟧> <⟦http://h/?a|b&c⟧> <URL:⟦http://h/a|b⟧>", ""},
	{"Org", "[[⟦http://h/x⟧][text]] [[⟦http://h/x⟧]] =⟦http://h/x⟧= ~⟦http://h/x⟧~", ""},
	{"reStructuredText", "`text <⟦http://h/x⟧>`_ `⟦http://h/x⟧`_ .. _a: ⟦http://h/x⟧", ""},
	{"Texinfo, LaTeX", `@url{⟦http://h/x⟧} @uref{⟦http://h/x⟧, text} \url{⟦http://h/x⟧} \href{⟦http://h/x⟧}{text}`, ""},
	{"LaTeX", `\\url+⟦http://h/x⟧+ ⟦git+https://h/x⟧`, ""},
	{"wikis", "{{⟦http://h/x⟧|y}} [⟦http://h/x⟧ text] [[⟦http://h/x⟧|text]] [text|⟦http://h/x⟧] ''⟦http://h/x⟧''", ""},
	{"POD, roff", `L<⟦http://h/x⟧> L<text|⟦http://h/x⟧> .UR ⟦http://h/x⟧`, ""},

	// String pieces, continued lines, comments.
	{"string pieces", "'<⟦https://h/r.php⟧?'\n 'mid=x>'", ""},
	{"string pieces", "\"<⟦https://h/r⟧\"\n \"x>\"; '<⟦https://h/r⟧' +\n 'x>'; \"<⟦https://h/r⟧\\n\"\n \"x>\"", ""},
	{"a continued line", "<⟦https://h/r⟧\\\nx>", ""},
	{"a leader", "# <⟦http://a/foo/\n# bar.html⟧>", "http://a/foo/bar.html"},
	{"a leader", "  * see <⟦http://a/foo/\n  * bar.html⟧>", "http://a/foo/bar.html"},
	{"a leader", "/* see <⟦http://a/foo/\n * bar.html⟧> */", "http://a/foo/bar.html"},
	{"a leader", "// <⟦http://a/foo/\n// bar.html⟧>", "http://a/foo/bar.html"},
	{"a leader", ";; <⟦http://a/foo/\n;; bar⟧>", "http://a/foo/bar"},
	{"a leader", "-- <⟦http://a/foo/\n-- bar⟧>", "http://a/foo/bar"},
	{"a leader", "% <⟦http://a/foo/\n% bar⟧>", "http://a/foo/bar"},
	{"a leader", ".. <⟦http://a/foo/\n.. bar⟧>", "http://a/foo/bar"},
	{"a leader", "dnl <⟦http://a/foo/\ndnl bar⟧>", "http://a/foo/bar"},
	{"a leader", "REM <⟦http://a/foo/\nREM bar⟧>", "http://a/foo/bar"},
	{"a leader", "> # <⟦http://a/foo/\n> # bar⟧>", "http://a/foo/bar"},
	{"a leader", "# \"⟦http://a/foo/\n# bar⟧\"", "http://a/foo/bar"},
	{"no leader there", "# <⟦http://a/foo/⟧\nbar>", ""},
	{"no leader before", "int x; // <⟦http://a/foo/⟧\n// bar>", ""},
	{"a bullet", "* <⟦http://a/foo/\n  bar⟧>", "http://a/foo/bar"},

	// Hosts.
	{"no character of a host", "⟦http://www.yahoo.com⟧'s ⟦http://www⟧(dot)x ⟦http://maps⟧{s}.x ⟦http://a.b⟧* ⟦http://a.b⟧! ⟦http://a.b⟧,x ⟦http://a.b⟧=x ⟦http://a.b⟧~ ⟦http://a.b⟧&#39;", ""},
	{"of a user", "⟦http://u:!$&'()*+,;=@h/x⟧ ⟦http://a@b@c/x⟧", ""},
	{"several hosts", "⟦mongodb://h1:27017,h2:27017/db⟧ ⟦sqlserver://h:1433;databaseName=x⟧", ""},
	{"the sentence's, after a host", "⟦http://example.org⟧- ⟦http://example.org⟧_ ⟦http://h/x⟧____ ⟦http://h/x_⟧ ⟦http://h/x⟧—it ⟦http://a.org⟧—it", ""},

	// Scripts without spaces.
	{"prose", "⟦http://h/unix⟧找到 ⟦http://www.scriptics.com⟧参照 ⟦http://h/a.html⟧を ⟦http://h/x⟧은 ⟦http://h/x⟧ที่ ⟦http://h:80⟧の ⟦http://h/a%20b⟧。", ""},
	{"an IRI", "⟦http://h/参照⟧ ⟦http://h/wiki/Tcl_言語⟧ ⟦http://h/?q=検索x語⟧ ⟦http://h/#目次⟧ ⟦http://h/%E3%81表⟧ ⟦http://h/日本.html参照⟧", ""},
	{"an IDN", "⟦http://例え.jp/⟧ ⟦http://中国.中国/foo中国⟧ http://例え ⟦http://例え.jp⟧。 ⟦http://localhost⟧访问 ⟦http://한국.com⟧은", ""},
	{"signs", "⟦http://h/x⟧👍 ⟦http://h/👍⟧ ⟦http://h/x⟧→", ""},

	// Entities.
	{"escaped quotes", "⟦http://h/x⟧&#39; ⟦http://h/x⟧&#x27;y ⟦http://h/x⟧&apos;y &#34;⟦http://h/x⟧&#34; ⟦http://h/x?a&#b⟧", ""},
	{"an address", "⟦mailto:a@b.c⟧:123 ⟦mailto:a@b.c?subject=x:y⟧ ⟦mailto:a@b.c⟧'s ⟦mailto:?subject=x⟧ mailto:?x", ""},

	// Schemes without slashes.
	{"proofs", "⟦sip:a@h.com⟧ ⟦sips:a@h.com:5061⟧ ⟦xmpp:a@h.org/r⟧ ⟦magnet:?xt=urn:btih:abc&dn=x⟧ ⟦geo:37.78,-122.39;u=35⟧ ⟦cid:1@x.org⟧ ⟦mid:1@x/2@y⟧ ⟦sms:+15105550101⟧", ""},
	{"proofs", "⟦matrix:u/alice:example.org⟧ ⟦bitcoin:1BoatSLRHtKNngkdXEeobR76b53LETtpyT?amount=1⟧ ⟦acct:a@h.org⟧ ⟦doi:10.1000/182⟧.", ""},
	{"no proof", "sip:x xmpp:x magnet:x geo:x id:1 cid:x mid:x sms:x matrix:x bitcoin:x acct:x doi:x void: did:1@x.org", ""},
	{"news", "<⟦news:comp.lang.c⟧> <news:title> <⟦news:a.b⟧>", ""},

	// Appendix F.
	{"F", "⟦www2.x.org/a⟧ ⟦WWW3.x.org⟧ ⟦www12.x.org⟧ KEY=⟦www.x.org⟧ _⟦www.x.org⟧_ ~~⟦www.x.org⟧~~ wwwx.a.b ?a=www.x.org x?b&a=www.x.org x_www.a.bc", ""},
	{"F", "at ⟦www.w3.org/Addressing/⟧, (⟦www.a.bc⟧) ⟦WWW.A.BIZ:80/x⟧", ""},
	{"F", "ftp.x.org www.index.html www. www.x www.a.1 www..a xwww.a.bc x@www.a.bc www.-a.b //www.a.bc", ""},
	{"F", "\"⟦www.a.bc/c⟧\" Site:⟦www.a.bc⟧ ⟦www.müller.de⟧", ""},
	{"inside another", "⟦http://x/?www.a.bc⟧ ⟦http://www.a.bc/⟧", ""},
	{"a long host", "www." + strings.Repeat("a.", 130) + "com", ""},
}

func unmark(marked string) string {
	return strings.NewReplacer("⟦", "", "⟧", "").Replace(marked)
}

// mark returns the text in which marked is, with the references that f finds marked.
func mark(f *Finder, marked string) string {
	text := unmark(marked)
	var b strings.Builder
	last := 0
	for s := range f.All([]byte(text)) {
		b.WriteString(text[last:s.Start] + "⟦" + text[s.Start:s.End] + "⟧")
		last = s.End
	}
	return b.String() + text[last:]
}

func TestDelimit(t *testing.T) {
	for _, tt := range delimitTests {
		text := unmark(tt.text)
		joined := ""
		for s := range new(Finder).All([]byte(text)) {
			joined = string(s.AppendTo(nil, []byte(text)))
		}
		if got := mark(new(Finder), tt.text); got != tt.text {
			t.Errorf("%s:\n got %q\nwant %q", tt.why, got, tt.text)
		} else if tt.joined != "" && joined != tt.joined {
			t.Errorf("%s: %q joined is %q, want %q", tt.why, text, joined, tt.joined)
		}
	}
}

// The printed example of Appendix E, and what it says it contains.
func TestAppendixE(t *testing.T) {
	const text = `
   Yes, Jim, I found it under "http://www.w3.org/Addressing/",
   but you can probably pick it up from <ftp://ds.internic.
   net/rfc/>.  Note the warning in <http://www.ics.uci.edu/pub/
   ietf/uri/historical.html#WARNING>.
`
	want := []string{
		"http://www.w3.org/Addressing/",
		"ftp://ds.internic.net/rfc/",
		"http://www.ics.uci.edu/pub/ietf/uri/historical.html#WARNING",
	}
	if got := find(new(Finder), text); !slices.Equal(got, want) {
		t.Errorf("got %q", got)
	}
}

func TestSpan(t *testing.T) {
	tests := []struct{ text, want string }{
		{"http://a/b", "{[{0 10}] bare false false []}"},
		{"www.a.bc", "{[{0 8}] bare false true []}"},
		{"<http://a/b>", "{[{1 11}] angle false false []}"},
		{"<URL:http://a/b>", "{[{5 15}] angle true false []}"},
		{"URL:http://a/b", "{[{4 14}] prefixed true false []}"},
		{"X-URL: http://a/b", "{[{7 17}] bare false false []}"},
		{"<URL:www.a.bc>", "{[{5 13}] angle true true []}"},
		{"<URL:x>", "{[{5 6}] angle true false []}"},
		{`"http://a/b."`, "{[{1 11}] quoted false false []}"},
		{"<http://a-\n b>", "{[{1 10} {12 13}] angle false false [9]}"},
		{"<http://a-\n b\nc-\n>", "{[{1 10} {12 13} {14 16}] angle false false [9]}"},
		{"\"http://a\r\nb.\"", "{[{1 9} {11 12}] quoted false false []}"},
	}
	for _, tt := range tests {
		for s := range new(Finder).All([]byte(tt.text)) {
			j := s.Joined
			if j == nil {
				j = &Joined{Parts: []Range{{s.Start, s.End}}}
			}
			got := fmt.Sprint(struct {
				Parts    []Range
				How      How
				URL, Abb bool
				Hyphens  []int
			}{j.Parts, s.How, s.URL, s.Meant != "", j.Hyphens})
			if got != tt.want {
				t.Errorf("%q: got %s, want %s", tt.text, got, tt.want)
			}
		}
	}
}

func TestOptions(t *testing.T) {
	tests := []struct {
		f          Finder
		text, want string
	}{
		{Finder{Rules: Rules{Abbreviated: AbbreviatedNone}}, "www.a.com <URL:www.a.bc>", "www.a.bc"},
		{Finder{Rules: Rules{Abbreviated: AbbreviatedNone, Addresses: true}}, "www.a.com a@b.com", "a@b.com"},
		{Finder{Rules: Rules{Abbreviated: AbbreviatedAll}}, "ftp.a.bc http://c/ www.d.ef xftp.a.bc ftp.txt", "ftp.a.bc http://c/ www.d.ef"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "example.org, Example.ORG/x?y. (a.b.co.uk) bücher.example müller.de:80/ \"x.org/a b\" <y.org/\nz>", "example.org Example.ORG/x?y a.b.co.uk müller.de:80/ x.org/a y.org/z"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "README.md build.zip main.rs src/main.c a.html 1.2.3.4 v1.2 e.g. i.e. foo.bar(x) x..org .org a@b.org docs.rs/x zip.zip/", "docs.rs/x"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "f(tt.net, x) range ls.cl { c.fd.net r.read/close _x.python.org: from docutils.io import x a-1.0.data/ a-1.0.dist.info/x fd.net + s conf.ch <- s {}doc.org t.me/x sf.net is \"mit.edu,lwn.net\"", "t.me/x sf.net mit.edu lwn.net"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "→.中国· example.org/x", "example.org/x"}, // a sign where a host should begin
		{Finder{Rules: Rules{Domains: DomainsAll}}, "ftp.x.org www.x.org http://h.org/a.org /a.org a-.org -a.org a_b.org x.org.", "ftp.x.org www.x.org http://h.org/a.org a-.org"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "tel:+1-201-555 <URL:#s> <URL: ?y> <news:*> mailto:%41@b.com", "tel:+1-201-555 #s ?y news:* mailto:%41@b.com"},
		{Finder{Rules: Rules{Domains: DomainsAll, Abbreviated: AbbreviatedNone}}, "www.x.org", "www.x.org"},
		{Finder{Rules: Rules{Addresses: true}}, "ann@example.org, <a.b+c@d.co.uk>. action@v1.1 a@b a@b.invalid @b.org mailto:x@y.org x@y@z.org ftp.x.org", "ann@example.org a.b+c@d.co.uk mailto:x@y.org"},
		{Finder{Rules: Rules{Addresses: true, Domains: DomainsAll}}, "ann@example.org example.org john.doe@x.org git@h.org:a/b", "ann@example.org example.org john.doe@x.org"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "configure.in Makefile.am build.mk x.py a.so t.Run n.In self.data self.io fmt.io java.io ASP.NET System.Net x.name y.id a.com=1 b.com := c dir.info en.UK X.app/Contents/x dns.h.xxx", ""},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "gopkg.in/yaml.v2 perl.am/x GitHub.com crates.io (lwn.net) README.md/NEWS.md xkcd.com. golang.org/x/net main.go.sh:80", "gopkg.in/yaml.v2 perl.am/x GitHub.com crates.io lwn.net xkcd.com golang.org/x/net"},
		{Finder{Rules: Rules{Domains: DomainsCommon}}, "xkcd.com lwn.net/a docs.rs/x gopkg.in/y foo.cz/ example.name/x", "xkcd.com lwn.net/a"},
		{Finder{Rules: Rules{Addresses: true}}, "email='foo@bar.com' MAILTO=ann@x.org mañana@x.com a$1@h.org 联系ann@x.org o'neil@x.org $USER@x.org ${a}@x.org r-1-ann=x.org@h.org im:a@h.com git@h.org:a/b", "foo@bar.com ann@x.org mañana@x.com a$1@h.org ann@x.org o'neil@x.org"},
		{Finder{Rules: Rules{Addresses: true}}, "sip:a@h.com xmpp:a@h.com E-mail:ann@x.org org/action@v0.0.21", "sip:a@h.com xmpp:a@h.com ann@x.org"},
		{Finder{Rules: Rules{Abbreviated: AbbreviatedAll}}, "src=\"//cdn.x.org/a.js\" (//x.org/a) see //cdn.com/a 10.0.0.1:80 1.2.3.4/x 10.0.0.0/8 [::1]:8080/ [fe80::1]/x [::1] 1.2.3.4", "//cdn.x.org/a.js //x.org/a //cdn.com/a 10.0.0.1:80 1.2.3.4/x [::1]:8080/ [fe80::1]/x"},
		{Finder{Rules: Rules{Abbreviated: AbbreviatedAll}}, "//foo.bar/2 // x.org/a http://h//x.org/a a//x.org/b x = 7 //t.Run/x std::[ab:cd] 1.2.3.4.5/x v1.2.3.4/x 300.1.1.1/x", "http://h//x.org/a"},
		// Scripts without spaces around names in ASCII.
		{Finder{Rules: Rules{Domains: DomainsAll}}, "访问example.org。サイトexample.jpです 例子.中国 例子.com吧 www.example.org谢谢 www.例子.中国 a.例子b.org", "example.org example.jp 例子.中国 例子.com www.example.org www.例子.中国 a.例子b.org"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, " gen.tab/packtab.c | 3 +-\n  app.kubernetes.io/name: y\n- \"metrics.k8s.io\": z\na.b.org=c\nwww.x.org: y", "www.x.org"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "x.org/a | b\nx.org/a: b\nsee a.b.org/c: d\na.b.org:80 c.d.org:", "x.org/a x.org/a a.b.org/c a.b.org:80 c.d.org"},
		{Finder{Rules: Rules{Addresses: true}}, "联系ann@example.org谢谢 ann@例子.中国 Кириллица@Кириллица.com 谢谢@x.org Ж@x.org", "ann@example.org ann@例子.中国 Кириллица@Кириллица.com Ж@x.org"},
		{Finder{Rules: Rules{Domains: DomainsAll}}, "alpha.com中国語beta.org/abcde x.me日本.jp http://alpha.com中国語beta.org/a", "alpha.com beta.org/abcde x.me日本.jp http://alpha.com中国語beta.org/a"},
		// Slashes in local parts (RFC 5322 3.2.3).
		{Finder{Rules: Rules{Addresses: true}}, "<~sam/dev@l.example.org> ~sam/dev@l.org <a/b@x.org> a/b@x.org /~u/c@x.org <a/b@x.org ~/d@x.org", "~sam/dev@l.example.org ~sam/dev@l.org a/b@x.org b@x.org c@x.org b@x.org d@x.org"},
		{Finder{Rules: Rules{JoinQuotedBlanks: true}}, "\"http://a/b c\n d\"", "http://a/bcd"},
	}
	for _, tt := range tests {
		if got := strings.Join(find(&tt.f, tt.text), " "); got != tt.want {
			t.Errorf("%q: got %q, want %q", tt.text, got, tt.want)
		}
	}
}

// optionTexts are what other rules than the default find.
var optionTexts = []string{
	"example.org, x.org (a.b.co.uk) README.md docs.rs/x n.In bücher.example 例え.jp/x",
	"访问example.org。联系ann@example.org谢谢 Ж@x.org 例子.com吧",
	" a.b.org/c.d | 3 +-\n  app.kubernetes.io/name: y\nx.k8s.io: z",
	"email='foo@bar.com' mañana@x.com 联系ann@x.org $USER@x.org git@h.org:a/b sip:a@h.com",
	"> a line that is long enough for a program to break it http://h/a/b/\n> c/index.html and http://h/a/b\n> /c",
	"src=\"//cdn.x.org/a.js\" (//x.org/a) 10.0.0.1:80 1.2.3.4/x 10.0.0.0/8 [::1]:8080/ [fe80::1]/x [::1]",
}

func TestTooLong(t *testing.T) {
	long := "http://a/" + strings.Repeat("b", 3*MaxReference)
	for _, text := range []string{long, "x " + long + " http://c/", long + "http://d/e f http://g/"} {
		var f Finder
		n := 0
		for at, ok := 0, true; ok; {
			var s *Span
			s, at, ok = f.Next([]byte(text), at, true)
			if ok && s.TooLong {
				n++
				at = Rest([]byte(text), at)
			}
		}
		if n != 1 {
			t.Errorf("Next reports it %d times", n)
		}
		for s := range f.All([]byte(text)) {
			if got := text[s.Start:s.End]; s.TooLong || got != "http://c/" && got != "http://g/" {
				t.Errorf("All found %.40q in a long run", got)
			}
		}
	}
	exact := "http://a/" + strings.Repeat("b", MaxReference-9)
	if got := find(new(Finder), exact+" "); len(got) != 1 || got[0] != exact {
		t.Error("the longest reference is not found")
	}
}

// Spans that are collected before they are used have the ranges of their own reference.
func TestCollect(t *testing.T) {
	src := []byte("<http://a/b-\n  c>, <http://d/\n  e> and <http://f/\n  g/\n  h>")
	want := []string{"http://a/b-c", "http://d/e", "http://f/g/h"}
	var f Finder
	var got []string
	for _, s := range slices.Collect(f.All(src)) {
		got = append(got, string(s.AppendTo(nil, src)))
	}
	if !slices.Equal(got, want) {
		t.Errorf("collected from All: %q", got)
	}
	var spans []Span
	for at, ok := 0, true; ok; {
		var s *Span
		s, at, ok = f.Next(src, at, true)
		if ok {
			spans = append(spans, s.Clone())
		}
	}
	got = nil
	for _, s := range spans {
		got = append(got, string(s.AppendTo(nil, src)))
	}
	if !slices.Equal(got, want) || !slices.Equal(spans[0].Joined.Hyphens, []int{11}) {
		t.Errorf("clones: %q, hyphens %v", got, spans[0].Joined.Hyphens)
	}
}

func TestURLs(t *testing.T) {
	for text, want := range map[string][]string{
		"":                                     nil,
		"no reference":                         nil,
		"http://a/b, www.h.org/c.":             {"http://a/b", "http://www.h.org/c"},
		"<URL:../x> <URL:ftp.h.org>":           {"ftp://ftp.h.org"},
		"<http://a/\n  b> <URL:http://c/\n d>": {"http://a/b", "http://c/d"},
		"http://a/" + strings.Repeat("b", MaxReference) + " mailto:a@b": {"mailto:a@b"},
	} {
		if got := URLs(text); !slices.Equal(got, want) {
			t.Errorf("%.60q: got %q, want %q", text, got, want)
		}
	}
}

// All never yields again after a break, at whatever reference that is.
func TestAllBreaks(t *testing.T) {
	src := []byte("http://a/ <http://b/\n c> http://d/" + strings.Repeat("e", MaxReference) + " www.f.org/g")
	for last := range 3 {
		n := 0
		for range new(Finder).All(src) {
			if n++; n > last {
				break
			}
		}
		if n != last+1 {
			t.Errorf("%d references before the break, want %d", n, last+1)
		}
	}
}

// windowed is All through a window that grows by step bytes and forgets what it may.
func windowed(f *Finder, src []byte, step int) (found []string) {
	base, end, at := 0, 0, 0
	for {
		atEOF := end == len(src)
		s, next, ok := f.Next(src[base:end:end], at-base, atEOF)
		switch {
		case ok && s.TooLong:
			found = append(found, fmt.Sprint(base+s.Start, " too long"))
			for at = base + Rest(src[base:end], next); at == end && end < len(src); {
				end = min(len(src), end+step)
				at = base + Rest(src[base:end], at-base)
			}
			continue
		case ok:
			found = append(found, fmt.Sprintf("%d %d %s %s", base+s.Open, base+s.Start, s.How, s.AppendTo(nil, src[base:end])))
			if s.Continued != nil {
				found = append(found, string(s.Continued.AppendTo(nil, src[base:end])))
			}
			at = base + next
			continue
		case atEOF:
			return found
		}
		at = base + next
		base = max(base, at-Before)
		end = min(len(src), max(end, at)+step)
	}
}

func TestWindowed(t *testing.T) {
	var all strings.Builder
	for _, tt := range delimitTests {
		all.WriteString(unmark(tt.text) + "\n\n")
	}
	for _, text := range optionTexts {
		all.WriteString(text + "\n\n")
	}
	src := []byte(all.String())
	for _, f := range []*Finder{{}, {Rules: Rules{Abbreviated: AbbreviatedAll}}, {Rules: Rules{Abbreviated: AbbreviatedAll, Domains: DomainsAll, Addresses: true, JoinQuotedBlanks: true}}} {
		want := windowed(f, src, len(src))
		if len(want) < 140 {
			t.Fatalf("only %d references", len(want))
		}
		for _, step := range []int{1, 2, 3, 7, 64, 4096} {
			if got := windowed(f, src, step); !slices.Equal(got, want) {
				for i := range want {
					if i >= len(got) || got[i] != want[i] {
						t.Errorf("step %d: got %.100q, want %.100q", step, got[min(i, len(got)-1)], want[i])
						break
					}
				}
			}
		}
	}
}

func FuzzDelimit(f *testing.F) {
	for _, tt := range delimitTests {
		if len(tt.text) < 1000 {
			f.Add([]byte(unmark(tt.text)), 3)
			f.Add([]byte(unmark(tt.text)), 64)
		}
	}
	f.Fuzz(func(t *testing.T, src []byte, step int) {
		finder := new(Finder)
		if step&64 != 0 {
			finder = &Finder{Rules: Rules{Abbreviated: AbbreviatedAll, Domains: DomainsAll, Addresses: true}}
		}
		end := 0
		for s := range finder.All(src) {
			if s.Start < end || s.End <= s.Start || s.End > len(src) {
				t.Fatalf("span %v behind offset %d", s, end)
			}
			last := s.Start
			if s.Joined != nil {
				for _, p := range s.Joined.Parts {
					if p.Start < last || p.End <= p.Start || p.End > s.End {
						t.Fatalf("parts %v", s.Joined.Parts)
					}
					last = p.End
				}
			}
			if ref := s.AppendTo(nil, src); bytes.ContainsAny(ref, "\n\r\t <") {
				t.Fatalf("white space in %q", ref)
			}
			end = s.End
		}
		if len(src) < 4096 {
			if got, want := windowed(finder, src, max(1, step&63)), windowed(finder, src, len(src)); !slices.Equal(got, want) {
				t.Fatalf("in a window %q, at once %q", got, want)
			}
		}
	})
}

// The lists of extensions agree with the public suffix list: an update of it may make
// a top-level domain of an extension.
func TestExtensions(t *testing.T) {
	isTop := func(label string) bool {
		name, known := hostname.Suffix("x." + label)
		return known && name == label
	}
	for _, e := range extensions {
		if isTop(e) {
			t.Errorf("%s is a top-level domain: move it to ambiguous", e)
		}
	}
	for _, e := range ambiguous {
		if suffixOf([]byte(e)) != mayBeSuffix {
			t.Errorf("%s is not a top-level domain: move it to extensions", e)
		}
	}
}
