package doc

import (
	"bytes"
	"strings"
	"unicode"

	"example.org/refract/extract"
	"example.org/refract/extract/scan"
	"example.org/refract/internal/lazy"
)

// LinkTexts are the texts of the links of a document that may be reported; see Reader.KeepsTexts.
type LinkTexts struct {
	Vague  []LinkText // those that say nothing
	Titles []LinkText // those that may be titles; of the Reference, only How and the place are set
}

// A LinkText is the text of a link as readers see it.
type LinkText struct {
	Reference
	Text string
}

// maxTitle limits the size in bytes of a title that is compared with texts of links.
const maxTitle = 200

// keepText keeps the text of a link, if it may be reported.
func (s scanner) keepText(r *extract.Reference) {
	if r.Kind != scan.Link || r.Text == "" || len(r.Text) > maxTitle || s.d.Bundle != nil {
		return
	}
	text, links := ShownText(r.Text), &s.d.Texts
	switch {
	case isVague(text):
		links.Vague = append(links.Vague, LinkText{s.kept(r), text})
	case IsLikeTitle(text):
		links.Titles = append(links.Titles, LinkText{Reference{Pos: extract.Position{Offset: r.Pos.Offset, Length: r.Pos.Length}, How: r.How}, text})
	}
}

// IsLikeTitle reports whether a text has more than one word: many things have names of one word.
func IsLikeTitle(text string) bool { return strings.IndexByte(text, ' ') > 0 && len(text) <= maxTitle }

// markup matches what readers do not see of a text: tags, and marks of emphasis and code.
var markup = lazy.New("<[^<>]*>|[*`]+|\\b_+|_+\\b")

// ShownText returns the text of a link or a heading without markup, and with single spaces.
func ShownText(s string) string {
	if strings.ContainsAny(s, "<*`_") {
		s = string(markup.ReplaceAll([]byte(s), nil))
	}
	return strings.Join(strings.Fields(s), " ")
}

func (c *Codec) linkTexts(links *LinkTexts) {
	List(c, &links.Vague, func(k *LinkText) {
		c.Reference(&k.Reference)
		c.String(&k.Text)
	})
	List(c, &links.Titles, func(k *LinkText) {
		c.Number(&k.Pos.Offset)
		c.Count(&k.Pos.Length)
		c.Byte((*byte)(&k.How))
		c.String(&k.Text)
	})
}

// mostOfTag limits in bytes how far the ends of the element of a link are searched from its URL.
const mostOfTag = 1024

// IsExplained reports whether a link, in a document with this source, says elsewhere than in its text what
// it links to: in an attribute (W3C's techniques ARIA8 and H33), or as the title of a link in Markdown.
// Code, such as "this", is a name.
func (k *LinkText) IsExplained(source []byte) bool {
	at, end := int(k.Pos.Offset), int(k.Pos.Offset)+k.Pos.Length
	if at < 0 || at > end || end > len(source) {
		return false
	}
	before, after := source[max(0, at-mostOfTag):at], source[end:min(len(source), end+mostOfTag)]
	if k.How != scan.Attribute {
		after = bytes.TrimLeft(after, "> \t\r\n")
		return bytes.HasSuffix(bytes.TrimRight(before, "(< \t\r\n"), []byte("`]")) ||
			len(after) > 0 && bytes.IndexByte([]byte(`"'(`), after[0]) >= 0
	}
	first, last := bytes.LastIndexByte(before, '<'), bytes.IndexByte(after, '>')
	if first < 0 || last < 0 {
		return false
	}
	for _, text := range [][]byte{before[first:], after[:last]} {
		text = bytes.ToLower(text)
		if bytes.Contains(text, []byte("aria-label")) || bytes.Contains(text, []byte("title=")) {
			return true
		}
	}
	return bytes.HasPrefix(bytes.TrimLeft(after[last+1:], " \t\r\n"), []byte("<code"))
}

// isVague reports whether a text says nothing about what it links to.
func isVague(text string) bool {
	text = strings.TrimFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return text != "" && vague.Has(strings.ReplaceAll(strings.ToLower(text), " ", "_"))
}

// vague has texts of links that mean nothing in a list of the links of a page. The W3C names "click here"
// and "more", as failure F84 of WCAG 2.2's success criterion 2.4.9, "Link Purpose (Link Only)"; 2.4.4,
// "Link Purpose (In Context)", accepts them if the sentence around the link describes the target. Words
// that are often names, such as "go" or "plus", are left out. Source: by hand, as of November 2026, after
// the list of the audit link-text of Lighthouse.
var vague = lazy.NewSet(
	// English
	`here right_here over_here see_here click_here clicking_here click_this press_here tap_here go_here look_here read_here found_here
	this this_one this_link this_page this_article this_document this_site link the_link more read_more see_more view_more learn_more
	find_out_more click_for_more more_info more_information more_details for_more_information further_information continue_reading ` +
		// German
		`hier hier_klicken klick_hier klicke_hier klicken_sie_hier siehe_hier dies diese_seite dieser_seite dieser_link diesem_link diesen_link
	mehr mehr_lesen mehr_dazu mehr_erfahren mehr_infos mehr_informationen weitere_informationen weitere_infos weiterlesen ` +
		// French
		`ici par_ici cliquez_ici cliquer_ici clique_ici cliquez-ici lien ce_lien le_lien cette_page lire_plus lire_la_suite voir_plus
	en_savoir_plus plus_d'infos plus_d’infos plus_d'informations plus_d’informations ` +
		// Spanish
		`aquí aqui clic_aquí click_aquí haz_clic_aquí haz_click_aquí haga_clic_aquí pulsa_aquí pincha_aquí enlace este_enlace el_enlace
	esta_página más leer_más ver_más saber_más más_información más_info seguir_leyendo ` +
		// Portuguese
		`clique_aqui clicar_aqui este_link esse_link mais leia_mais ler_mais saiba_mais saber_mais veja_mais ver_mais mais_informação
	mais_informações ` +
		// Italian
		`qui clicca_qui cliccare_qui fai_clic_qui premi_qui questo_link questa_pagina leggi_tutto leggi_di_più scopri_di_più
	per_saperne_di_più maggiori_informazioni ulteriori_informazioni continua_a_leggere ` +
		// Dutch
		`klik_hier hier_klikken deze_link deze_pagina meer lees_meer lees_verder meer_lezen meer_weten meer_info meer_informatie ` +
		// Polish
		`tutaj tu kliknij kliknij_tutaj kliknij_tu ten_link tym_linku ta_strona więcej czytaj_więcej czytaj_dalej zobacz_więcej
	dowiedz_się_więcej więcej_informacji ` +
		// Russian
		`здесь тут сюда нажмите_здесь нажмите_сюда кликните_здесь щёлкните_здесь щелкните_здесь жми_сюда ссылка ссылке по_ссылке
	эта_ссылка этой_ссылке по_этой_ссылке подробнее читать_далее читать_дальше узнать_больше ` +
		// Japanese
		`こちら ここ こちらから こちらをクリック ここをクリック リンク このリンク このページ 続きを読む もっと見る もっと読む 詳しくはこちら 詳細はこちら ` +
		// Chinese
		`这里 这儿 此处 点此 点击 点这里 点击这里 点击此处 链接 此链接 该链接 这个链接 此页面 这个页面 更多 更多信息 查看更多 了解更多 阅读更多
	這裡 這裏 此處 點此 點這裡 點擊這裡 點擊此處 連結 此連結 更多資訊 瞭解更多 閱讀更多`)
