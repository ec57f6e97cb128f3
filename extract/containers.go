package extract

import (
	"example.org/refract/extract/internal/mailbox"
	"example.org/refract/extract/internal/odf"
	"example.org/refract/extract/internal/ooxml"
	"example.org/refract/extract/internal/outlook"
	"example.org/refract/extract/internal/smime"
	"example.org/refract/extract/internal/warc"
	"example.org/refract/internal/container"
	"example.org/refract/internal/zipdoc"
)

const (
	mboxType  = "application/mbox"
	newsType  = "application/x-rnews"
	mmdfType  = "application/x-mmdf"
	babylType = "application/x-babyl"
	warcType  = "application/warc"
)

// builtinContainers is the list of the built-in containers.
func builtinContainers() []Container {
	return []Container{
		// Archives of mailing lists are often called .txt.
		{Types: []string{mboxType}, Suffixes: []string{".mbox"}, Alias: "mbox", Audit: Always, Sniff: mailbox.IsMbox, SniffText: true, split: mailbox.Mbox},
		{Types: []string{newsType}, Alias: "news", Sniff: mailbox.IsNews, SniffText: true, split: mailbox.News},
		{Types: []string{mmdfType}, Suffixes: []string{".mmdf"}, Alias: "mmdf", Sniff: mailbox.IsMMDF, SniffText: true, split: mailbox.MMDF},
		{Types: []string{babylType}, Suffixes: []string{".babyl"}, Alias: "babyl", Sniff: mailbox.IsBabyl, SniffText: true, split: mailbox.Babyl},
		{Types: []string{warcType}, Suffixes: []string{".warc"}, Alias: "warc", Sniff: warc.Is},
		packageOf("epub", "application/epub+zip", ".epub"),
		packageOf("docx", "application/vnd.openxmlformats-officedocument.wordprocessingml.document", ".docx", ".docm", ".dotx", ".dotm"),
		packageOf("xlsx", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", ".xlsx", ".xlsm", ".xltx", ".xltm", ".xlam"),
		packageOf("pptx", "application/vnd.openxmlformats-officedocument.presentationml.presentation",
			".pptx", ".pptm", ".potx", ".potm", ".ppsx", ".ppsm", ".ppam"),
		packageOf("odt", "application/vnd.oasis.opendocument.text", ".odt", ".ott", ".odm", ".oth"),
		packageOf("ods", "application/vnd.oasis.opendocument.spreadsheet", ".ods", ".ots"),
		packageOf("odp", "application/vnd.oasis.opendocument.presentation", ".odp", ".otp"),
		packageOf("odg", "application/vnd.oasis.opendocument.graphics", ".odg", ".otg"),
		{Types: []string{warc.WACZType}, Suffixes: []string{".wacz"}, Alias: "wacz", Audit: Never, Sniff: warc.IsWACZ, Members: zipMembers,
			onlySniffed: true, isPackage: true},
		{Types: []string{zipType, "application/x-zip-compressed", "application/x-zip", "application/java-archive"},
			Suffixes: []string{".zip", ".jar", ".war", ".ear", ".whl", ".egg", ".kmz", ".xpi"}, Alias: "zip",
			Audit: Never, Sniff: container.IsZip, Members: zipMembers, onlySniffed: true},
		{Types: []string{tarType, "application/tar", "application/x-gtar", "application/x-ustar"}, Suffixes: []string{".tar"}, Alias: "tar",
			Audit: Never, Sniff: container.IsTar, stream: tarMembers, onlySniffed: true},
		{Types: []string{outlook.TNEFType, "application/vnd.ms-tnef"}, Suffixes: []string{".tnef"}, Alias: "tnef",
			Audit: Never, Sniff: outlook.IsTNEF, Members: tnefMembers, onlySniffed: true, isPackage: true, isMail: true},
		{Types: []string{"application/vnd.ms-outlook"}, Suffixes: []string{".msg", ".oft"}, Alias: "msg",
			Audit: Never, Sniff: outlook.IsCompound, Members: msgMembers, onlySniffed: true, isPackage: true},
		{Types: []string{smimeType, "application/x-pkcs7-mime"}, Suffixes: []string{".p7m", ".p7z"}, Alias: "smime",
			Audit: Never, Sniff: smime.Is, Members: smimeMembers, onlySniffed: true, isPackage: true, isMail: true},
	}
}

// packageOf is the Container of documents that are ZIP archives.
func packageOf(alias, mediaType string, suffixes ...string) Container {
	k := Container{Types: []string{mediaType}, Suffixes: suffixes, Alias: alias, Audit: Always, Members: zipMembers, onlySniffed: true, isPackage: true}
	k.Sniff = func(head []byte) bool { return false }
	switch alias {
	case "epub":
		k.Sniff = zipdoc.IsEPUB
	case "docx", "xlsx", "pptx":
		k.Sniff = func(head []byte) bool { return container.IsZip(head) && ooxml.Kind(head) == alias }
	default:
		k.Sniff = func(head []byte) bool { return container.IsZip(head) && odf.Kind(head) == mediaType }
	}
	return k
}
