package output

import (
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/extract"
)

// recordFields are the fields of the records of web archives.
var recordFields = []field{
	{"warc_type", OfRecord, asText, false, `in a web archive, with --details or --fields, as in the
header of the record: its type; WARC-Date (of ARC, the date
in RFC 3339 form); WARC-Record-ID with its brackets; and why
the body was cut, if it was`, recordText(func(r *extract.Record) string { return r.Type })},
	{"warc_date", OfRecord, asTime, false, "", recordText(func(r *extract.Record) string { return r.Date })},
	{"warc_record_id", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.ID })},
	{"warc_truncated", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.Truncated })},
	{"damaged", OfRecord, asRepeated, false, `why the archive does not have all of the record: it is damaged
there, or ends; left out if the record is whole`, recordText(func(r *extract.Record) string { return r.Damaged })},
	{"status", OfRecord, asNumber, false, `of the HTTP heading in that record: the status code, the
Content-Type (of the record if there is no heading), and, of
a redirect, the Location, all as written; detected_type is
the media type of the body by its first bytes`, func(r *row) int64 {
		if record := r.ref.Record(); record != nil && record.Status != 0 {
			return int64(record.Status)
		}
		return none
	}},
	{"content_type", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.ContentType })},
	{"redirect", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.Redirect })},
	{"detected_type", OfRecord, asText, false, "", recordText(func(r *extract.Record) string { return r.Detected })},
	{"record_offset", OfRecord, asNumber, true, `where the record is in the file as it is stored, in bytes, for
a range request: in .gz, .zst and .lz4, its own members or
frames; in an archive, in the member. Left out if records
share one, and for compressed records that are larger than
--max-entity`, recordPlace(func(r *extract.Record) int64 { return r.Offset })},
	{"record_length", OfRecord, asNumber, true, "", recordPlace(func(r *extract.Record) int64 { return r.Length })},
}

// pageFields are the fields of pages that crawlers need.
var pageFields = []field{
	{"charset", ofEntity, asText, false, `with --details or --fields: the charset in which the text
was decoded; restrictions for all robots, by the page's
meta element or X-Robots-Tag (none is noindex and nofollow);
and the registered domains of the document and of the URL,
or the hosts if they have none`, text(func(r *row) string { return r.ref.Charset() })},
	{"robots", ofEntity, asList, false, "", func(r *row, dst []byte) []byte { return r.appendList(dst, r.ref.Robots().Names()) }},
	{"source_domain", ofEntity, asRepeated, false, "", text(func(r *row) string {
		if !r.isTable && !r.renderer.Domains {
			return ""
		}
		return filter.DomainOfURL([]byte(r.ref.Document()))
	})},
	{"target_domain", withDomains, asText, false, "", text(func(r *row) string { return filter.DomainOfURL(r.url) })},
}

// recordText returns the function of a field with a text of the record.
func recordText(get func(*extract.Record) string) func(r *row, dst []byte) []byte {
	return func(r *row, dst []byte) []byte {
		if record := r.ref.Record(); record != nil {
			return r.appendText(dst, get(record))
		}
		return dst
	}
}

// damagedRange returns the function of a field with a number about a damaged archive.
func damagedRange(get func(*extract.Damage) int64) func(r *row) int64 {
	return func(r *row) int64 {
		if r.damage == nil {
			return none
		}
		return get(r.damage)
	}
}

// recordPlace returns the function of a field with a number that is known if the record's place is.
func recordPlace(get func(*extract.Record) int64) func(r *row) int64 {
	return func(r *row) int64 {
		record := r.ref.Record()
		if record == nil || record.Length == 0 {
			return none
		}
		return get(record)
	}
}
