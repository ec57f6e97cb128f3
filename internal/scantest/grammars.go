package scantest

import "strings"

// Grammars has the tokens of each scanner, by media type: all openers, closers and separators that its package looks for.
var Grammars = map[string]Grammar{
	"text/plain":                    {Tokens: `http:// www. mailto: :// : / < > " ' ( ) [ ] , . a \n \s @ # ? % <URL: &amp; \\ { }`},
	"text/x-cdx":                    {Tokens: `com,a)/ 2024 http:// { "url": " } , \n \s - a / ) :`},
	"text/calendar":                 {Tokens: `URL: ATTACH;X= : ; , \n \n\s \\n http:// " a BEGIN: END: =`},
	"application/vnd.apple.mpegurl": {Tokens: `#EXTM3U #EXT-X-MEDIA: #EXT-X-STREAM-INF: URI=" " , = \n {$ a http:// \s # X-ASSET-URI="`},
	"application/manifest+json":     {Tokens: `{ } [ ] " : , "start_url": "icons": "src": \\ \\" \s a http:// \\u00`},
	"application/feed+json":         {Tokens: `{ } [ ] " : , "items": "url": "content_html": \\ \\" \s a http:// <a\shref=`},
	"message/rfc822":                {Head: "Subject: x\n", Tokens: `\n \n\s : ; < > Content-Type: text/html multipart/mixed;boundary=b --b -- =?utf-8?q? ?= = " http:// message/rfc822 a , \n\n`},
	"multipart/related":             {Head: "Content-Type: multipart/related; boundary=b\n\n", Tokens: `--b\n --b--\n \n Content-Location: Content-Type: text/html \n\n <a\shref= > = http:// a "`},
	"text/html":                     {Tokens: `< > </ /> <! <!-- --> <a\shref= <script> </script> <base\shref= <svg> <template> </ " ' = & ; \s \n a <![CDATA[ ]]> <? srcset= , <style> url(`},
	"application/xhtml+xml":         {Tokens: `< > </ /> <!-- --> <a\shref= <script> <base\shref= <svg> " ' = & ; \s a <![CDATA[ ]]> <?xml ?> xml:base= <!DOCTYPE [ ] <!ENTITY`},
	"application/xml":               {Tokens: `< > </ /> <!-- --> <a\shref= <x> </x> " ' = & ; \s a <![CDATA[ ]]> <?xml-stylesheet ?> xml:base= xmlns= <!DOCTYPE [ ] <!ENTITY % http://`},
	"application/vnd.oasis.opendocument.text-flat-xml": {Tokens: `< > </ /> <text:p> </text:p> <text:a\sxlink:href= <text:span> " = & ; \s a <![CDATA[ ]]> table:formula= http://`},
	"text/css":                 {Tokens: `url( ) @import " ' /* */ { } ; : \\ \n \s a src( image-set( , ( @namespace`},
	"text/markdown":            {Tokens: "[ ] ( ) [a]: ![ < > ` ``` ~~~ * _ ** \\n \\n\\n \\s \\s\\s\\s\\s # - 1. | |- \\\\ http:// www. <!-- --> <a\\shref= </a> & ; [^ [[ ]] a : \" \\t = --- $ {# } {{ }} @ ~"},
	"text/x-rst":               {Tokens: "` `_ `__ ``\\s _ __ < > : :ref:` |a| | .. ..\\s_a: ..\\simage:: ::\\n \\n \\n\\n \\s \\s\\s\\s * ** \\n=== \\n--- +--+ [ ]_ [# a http:// \\\\ , ( ) .. _`"},
	"text/asciidoc":            {Tokens: "[ ] [[ ]] [[[ ]]] << >> link: xref: image:: : :: { } :a: include::b[] + ++ +++ $$ ` * _ # [# , \" \\n \\n\\n ---- |=== | == \\\\ http:// a \\s pass:["},
	"application/x-ipynb+json": {Head: `{"cells": [`, Tokens: `{ } [ ] " : , "cell_type": "markdown" "source": "outputs": "text/html" \\ \\n \s a http:// \n null "attachments":`},
	"text/x-jupytext":          {Head: "# %%\n", Tokens: "#\\s%% [markdown] \\n \\s # \"\"\" [ ] ( ) a http:// ''' \\\\ ` < >"},
	"text/troff":               {Tokens: `.UR .UE .MT .ME .TH .Lk .de .. .if \n \\ \\f \\( \\[ ] \\{ \\} " \s a http:// ' .ig .ds \\* ( ) <`},
	"text/x-texinfo":           {Tokens: `@url{ } { @ref{ @node @uref{ , @* @c @verbatim @end @@ @macro \n \s a http:// @menu * :: @html @set @value{ @anchor{`},
	"text/x-tex":               {Tokens: `\\url{ \\href{ } { \\ % \\begin{ \\end{ verbatim \\verb| | $ $$ [ ] \\ref{ \\label{ \n \n\n \s a http:// \\def \\newcommand # & ~ \\input{ , =`},
	"text/x-org":               {Tokens: "[[ ]] ][ [ ] < > << >> * #+ #+begin_src\\n #+end_src\\n : \\n \\n\\n \\s a http:// = ~ | { } file: [fn: #+LINK: \\\\ :PROPERTIES:\\n :END:\\n + - src_ _ / @@"},
	"application/pdf":          {Head: "%PDF-1.7\n", Tokens: `1\s0\sobj endobj << >> [ ] ( ) < > /URI /A 1\s0\sR stream\n endstream /Type/ObjStm \n \s a \\ % trailer xref /Length /Filter`},
	"application/vnd.sqlite3":  {Head: "SQLite format 3\x00\x02\x00\x01\x01\x00" + strings.Repeat("\x00", 79), Tokens: "\r \x00 \x01 \x02 \x05 \xff \x81 \x00\x00\x00\x02 http://h/ CREATE", Most: 100},
	"application/har+json":     {Head: `{"log":{"creator":{},"entries":[`, Tokens: `{ } [ ] , : " "request":{"url":"http://h/"} "response":{ "status":301 "headers":[ {"name":"Location","value":"x"} "content":{"mimeType":"text/html","text":"<a\shref=x>"} "encoding":"base64" \\ \n`},
	"application/x-bplist":     {Head: "bplist00", Tokens: "\xa1 \xd1 \x5f\x10 \x00 \x01 \x08 \xff http://h/ _", Most: 100},
	"application/rtf":          {Head: `{\rtf1 `, Tokens: `{ } \\ \\field {\\*\\fldinst HYPERLINK " \\fldrslt \\'41 \\u1 \\bin9 \\pard \\par \n \s a http:// ; \\fonttbl \\pict \\*`},
	"application/x-xmp+xml":    {Tokens: `< > </ /> <rdf:li> </rdf:li> <x> " = & ; \s a <![CDATA[ ]]> <?xpacket ?> rdf:about= http:// xmlns:x= :`},
	"text/x-nunjucks":          {Tokens: `{{ }} {% %} {# #} {%raw%} {%endraw%} < > <a\shref= " ' = \s \n a ( ) | <!-- --> [ ] </ url( <script> \\`},
	"text/x-liquid":            {Tokens: `{{ }} {% %} {%comment%} {%endcomment%} {%raw%} < > <a\shref= " ' = \s \n a | <!-- --> </ url( [ ] (`},
	"text/x-astro":             {Tokens: "--- { } < > <a\\shref= </a> /> \" ' ` ${ = ( ) \\s \\n a // /* */ <!-- --> import \\sfrom\\s => <style> url( \\\\"},
	"text/jsx":                 {Tokens: "{ } < > <a\\shref= </a> /> \" ' ` ${ = ( ) \\s \\n a // /* */ import \\sfrom\\s => [ ] , <> </> \\\\ / ;"},
}
