package output

import (
	"example.org/refract/cmd/refract/internal/filter"
	"example.org/refract/extract"
)

// recordFields are the fields of the records of web archives.
var recordFields = []field{
	{"warc_type", OfRecord, asText, false, `of a record, with --details or --fields: its type; WARC-Date
(of ARC, in RFC 3339 form); WARC-Record-ID with brackets; why
the body was cut`, recordText(func(r *extract.Record) string { return r.Type })},
	{"warc_date", OfRecord, asTime, false, "", recordText(func(r *extract.Record) string { return r.Date })},
	{"warc_record_id", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.ID })},
	{"warc_truncated", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.Truncated })},
	{"damaged", OfRecord, asRepeated, false, `why a part of the record is missing`, recordText(func(r *extract.Record) string { return r.Damaged })},
	{"status", OfRecord, asNumber, false, `its HTTP status; Content-Type (or that of the record);
Location of a redirect, as written; the media type of the
body by its first bytes`, func(r *row) int64 {
		if record := r.ref.Record(); record != nil && record.Status != 0 {
			return int64(record.Status)
		}
		return none
	}},
	{"content_type", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.ContentType })},
	{"redirect", OfRecord, asRepeated, false, "", recordText(func(r *extract.Record) string { return r.Redirect })},
	{"detected_type", OfRecord, asText, false, "", recordText(func(r *extract.Record) string { return r.Detected })},
	{"record_offset", OfRecord, asNumber, true, `the record in the stored file, in bytes, for a range request:
in .gz, .zst and .lz4, its own members or frames; in an
archive, in the member. Left out if records share one, or if
a compressed record exceeds --max-entity`, recordPlace(func(r *extract.Record) int64 { return r.Offset })},
	{"record_length", OfRecord, asNumber, true, "", recordPlace(func(r *extract.Record) int64 { return r.Length })},
}

// pageFields are the fields of pages that crawlers need.
var pageFields = []field{
	{"charset", ofEntity, asText, false, `with --details or --fields: the charset; restrictions for all
robots (none is noindex and nofollow); the registered
domains, or hosts, of document and URL`, text(func(r *row) string { return r.ref.Charset() })},
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
