package canon

import "slices"

// IndexNames lists the file names that [Key.NoIndex] removes, in lower case; the case of letters does not
// matter.
func IndexNames() []string { return slices.Clone(indexNames) }

// TrackingNames lists the parameters that [Key.NoTracking] drops, besides those whose name begins with
// "utm_". The case of letters matters.
func TrackingNames() []string { return slices.Clone(trackingNames) }

// indexNames are the documents that web servers, as configured by default, send for a directory.
//
// Source: the documentation of each server, as of November 2026; there is no list to generate it from.
// DirectoryIndex of Apache httpd and its packages, "index" of nginx, the default documents of IIS, the
// welcome files of servlet containers.
var indexNames = []string{
	"default.asp", "default.aspx", "default.htm", "default.html",
	"index.asp", "index.aspx", "index.cgi", "index.htm", "index.html", "index.jsp",
	"index.php", "index.pl", "index.shtml", "index.xhtml",
	"iisstart.htm",
}

// trackingNames are parameters that identify a click, a reader or a mailing, on any site. They are sorted
// by bytes.
//
// Source: chosen by hand, as of November 2026, from the lists that Firefox ("Query Parameter Stripping",
// firefox-source-docs.mozilla.org), Brave ("Query String Filter", its wiki) and ClearURLs (global rules,
// docs.clearurls.xyz) publish. Names that are also ordinary words (ref, source, si, mc) are left out. The
// names that begin with utm_ are documented by Google Analytics ("URL builders").
var trackingNames = []string{
	"__hsfp", "__hssc", "__hstc", "__s", "_bhlid", "_branch_match_id", "_branch_referrer",
	"_ga", "_gl", "_hsenc", "_hsmi", "_kx", "_openstat", "at_recipient_id", "at_recipient_list",
	"bsft_clkid", "bsft_uid", "dclid", "et_rid", "fb_action_ids", "fb_action_types",
	"fb_comment_id", "fb_ref", "fb_source", "fbclid", "gbraid", "gclid", "gclsrc",
	"guce_referrer", "guce_referrer_sig", "hsCtaTracking", "igsh", "igshid", "irclickid",
	"li_fat_id", "mc_cid", "mc_eid", "mkt_tok", "ml_subscriber", "ml_subscriber_hash",
	"msclkid", "mtm_cid", "oly_anon_id", "oly_enc_id", "pk_cid", "rb_clickid", "s_cid",
	"srsltid", "ss_email_id", "ttclid", "twclid", "vero_conv", "vero_id", "vgo_ee",
	"wbraid", "wickedid", "yclid", "ymclid", "ysclid",
}
