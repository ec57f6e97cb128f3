package completeness

import "strings"

// essence returns a media type in lower case, without its parameters.
func essence(mediaType string) string {
	mediaType, _, _ = strings.Cut(mediaType, ";")
	return strings.ToLower(strings.TrimSpace(mediaType))
}

// Media types that Chromium 156 shows and plays.
var (
	imageTypes = setOf("image/ apng avif bmp gif jpeg jpg jxl pjpeg png svg+xml vnd.microsoft.icon webp x-icon x-png x-xbitmap")
	mediaTypes = setOf("video/ 3gpp mp4 ogg webm x-m4v x-matroska", "audio/ aac flac mp3 mp4 mpeg ogg wav webm x-m4a x-mp3 x-wav",
		"application/ ogg vnd.apple.mpegurl x-mpegurl")
	fontTypes  = setOf("font/ otf sfnt ttf woff woff2")
	otherTypes = setOf("application/ json pdf xhtml+xml xml")
)

// setOf returns a set of names, of which each list begins with a prefix.
func setOf(lists ...string) map[string]bool {
	set := map[string]bool{}
	for _, list := range lists {
		prefix, names, _ := strings.Cut(list, " ")
		for name := range strings.FieldsSeq(names) {
			set[prefix+name] = true
		}
	}
	return set
}

// isShown reports whether browsers show a source of a type, which is in an attribute of a picture or a player.
func isShown(in, mediaType string) bool {
	kind := essence(mediaType)
	if in != "source/src" {
		return imageTypes[kind]
	}
	if !mediaTypes[kind] {
		return false
	}
	for _, codec := range []string{"hvc1", "hev1", "theora", "dvh"} {
		if strings.Contains(mediaType, codec) {
			return false
		}
	}
	return true
}

// isPreloaded reports whether a preload for a destination, in lower case, is fetched without scripts if it declares a type.
func isPreloaded(as, mediaType string) bool {
	kind := essence(mediaType)
	switch as {
	case "image":
		return kind == "" || imageTypes[kind]
	case "font":
		return kind == "" || fontTypes[kind]
	case "style":
		return kind == "" || kind == "text/css"
	}
	return as == "fetch" || as == "track"
}

// isEmbedded reports whether the elements object and embed show a resource of a declared type.
func isEmbedded(mediaType string) bool {
	kind := essence(mediaType)
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+xml") || imageTypes[kind] || mediaTypes[kind] || otherTypes[kind]
}
