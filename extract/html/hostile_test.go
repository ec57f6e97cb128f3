package html

import (
	"testing"

	"example.org/refract/internal/testing/scantest"
)

// hostile holds shapes that might make the scanner read its input again and again.
var hostile = []scantest.Shape{
	{"", "<a ", ""}, {"<a", " b=c", ">"}, {"<a", " href=c", ">"}, {"<a ", "b ", ""}, {"<a b", "=", ">"}, {"<html", " a1=x", ">"}, {"", "<html a1 a2>", ""},
	{"", "<!--", ""}, {"<!--", "-", ""}, {"<!--", "--!", "-->"}, {"", "<!---->", ""}, {"", "<!-- -", ""}, {"", "<![CDATA[", ""}, {"<svg>", "<![CDATA[", ""},
	{"", "<a href=\"", ""}, {"", "<a href='x", ""}, {"", "<", ""}, {"", "</", ""}, {"", "<!", ""}, {"", "<?", ""}, {"", "</a ", ""}, {"", "<a/", ""},
	{"", "<div>", ""}, {"", "<svg>", ""}, {"", "<svg><title>", ""}, {"", "<svg><style>", ""}, {"", "<svg><desc>", ""}, {"<svg>", "<g>", ""}, {"<svg>", "</a>", ""}, {"<svg><b>", "<a></b>", ""},
	{"<svg>", "<style>a", ""}, {"<svg>", "<style><!--", ""}, {"", "<math><mi>", ""}, {"<svg>", "<p><svg>", ""}, {"", "<svg></p>", ""}, {"<div><svg></div>", "<b><p>", ""}, {"<div><svg></div>", "<a><table>", ""},
	{"<div><svg></div>", "</x>", ""}, {"<div><svg></div>", "<div>", ""}, {"<div><svg></div>", "<template>", ""},
	{"", "<title>", ""}, {"", "<title></title>", ""}, {"<title>", "</", ""}, {"<title>", "</titl", ""}, {"", "<script>", ""}, {"<script>", "<!--", ""}, {"<script><!--", "<script>", ""}, {"<script><!--", "<script></script>", ""}, {"<script><!--", "-", ""},
	{"", "<style>", ""}, {"<style>", "@import 'x';", ""}, {"<style>", "url(", ""}, {"", "<p style='a:url(x)'>", ""}, {"<p style='", "url(x)", "'>"}, {"<p style='", "(", "'>"},
	{"<img srcset='", "a,", "'>"}, {"<img srcset='", "a 1x,", "'>"}, {"<img srcset='a ", "(", "'>"}, {"<img srcset='", ",", "'>"}, {"<img srcset='a", ",", "'>"}, {"<img srcset='a ", "1w ", "'>"},
	{"<a href='", "&amp;", "'>"}, {"<a href='", "&", "'>"}, {"<a href='", "&#", "'>"}, {"<a href='&#", "0", "'>"}, {"<a href='&", "a", "'>"}, {"<a href='", "\n", "x'>"}, {"<a href='", "x\n", "'>"},
	{"<div data-bgset='", "a [x]|", "'>"}, {"<div data-bgset='", "|", "'>"}, {"<div data-bg-multi='", "url(x), ", "'>"}, {"<div data-bg='url(", "x)url(", "'>"},
	{"<p ", "onx='/one/two' ", ">"}, {"<p onx='", "&quot;/one/two&quot;,", "'>"}, {"<script>", "'/one/two';", ""}, {"<svg><script>", "'/one/&#116;wo';", ""}, {"<script type=application/json>", "\"/one/t\\u0077o\",", ""},
	{"", "./", ""}, {"<p>", "/a", ".js"}, {"<p>", ".", "/"}, {"<p>", " ./a", ""}, {"<p>", "/.", ""}, {"<meta http-equiv=content-security-policy content='report-uri ", "x ", "'>"},
	{"<meta http-equiv=content-security-policy content='", ";report-uri x", "'>"}, {"<meta name=copyright content='", "<img src=x>", "'>"}, {"<img src='data:image/svg+xml,", "%3c", "'>"},
	{"<img src='data:image/svg+xml,", "<a href=x />", "'>"}, {"<!doctype html system '", "x", "'>"}, {"", "<!doctype html system 'x'>", ""}, {"", "<!doctype a [>", ""}, {"<!doctype a ", "'\"", ">"},
	{"<a ping='", "x ", "'>"}, {"<applet archive='", ",", "'>"}, {"<object archive='", "x ", "' codebase=y>"}, {"<meta http-equiv=refresh content='", "0", "'>"},
	{"<script type=importmap>", "[", ""}, {"<script type=importmap>", "{\"imports\":", ""}, {"<script type=application/ld+json>", "[\"http://x\",", ""}, {"<script type=application/ld+json>", "\"", ""},
	{"", "<base>", ""}, {"", "<base href=x>", ""}, {"<template>", "<base href=x>", ""}, {"", "<base", ""}, {"", "b", ""}, {"", "<b", ""}, {"", "<!--[if]>", ""}, {"", "<!--[if]><![endif]-->", ""},
	{"", "<a href=x>y", ""}, {"", "<a href=x><b>", ""}, {"", "<a href=x id=y>", ""}, {"", "<x-y style='a:url(b)'>", ""},
	{"", "<x xml:base='y'>", ""}, {"", "<x xml:base='y'/>", ""}, {"<!DOCTYPE a [", "]", ""}, {"", "<!DOCTYPE a [", ""}, {"", "<?xml-stylesheet ", ""}, {"<iframe srcdoc='", "<a href=x>", "'>"},
}

func TestHostile(t *testing.T) {
	for _, s := range []*Scanner{
		new(Scanner),
		{JSONLD: true, Conditional: true, Anchors: true, Details: true, Exhaustive: true, Scripts: true},
		{XML: true},
	} {
		scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
	}
}

// large holds shapes whose output is large for their size.
var large = []scantest.Shape{
	{"<a href='", "&lt;x", "'>"}, {"<a href='", "x\ty", "'>"}, {"<a href='", "&copy\n", "'>"}, {"<img srcset='", "&amp;,", "'>"}, {"<img srcset='", "a\n1x,", "'>"}, {"<img srcset='", "a b,", "'>"},
	{"<svg><style>", "&amp;", "</style>"}, {"<svg><style>", "url(&quot;a", "</style>"}, {"<svg><style>", "<!---->", "</style>"}, {"<p style='", "&amp;url(x)", "'>"}, {"<style>", "url(\\61)", ""}, {"<style>", "@import url(a);", ""},
	{"<object codebase=", "x", " archive='a b c' data=d>"}, {"<object codebase=x archive='", "y\n", "'>"}, {"<applet codebase=x archive='", "y,", "'>"}, {"<a title='", "x", "' href=y>z"}, {"<a href=x>", "y <b>z</b>", ""}, {"<a href=x>", "&amp;", ""},
	{"<script type=importmap>{\"imports\":{", "\"a\":\"b\",", "}}"}, {"<script type=importmap>{\"imports\":{\"a\":\"", "\\u0061", "\"}}"}, {"<script type=application/ld+json>", "{\"a\":", ""}, {"<script type=application/ld+json>[\"http://", "\\/", "\"]"},
	{"<meta http-equiv=refresh content='0;url=", "x", "'>"}, {"<base href='", "x", "'><a href=y>"}, {"<base href=x>", "<a href=y>", ""}, {"", "<p id=x>", ""}, {"", "<a name=x id=y>", ""}, {"<p>", "http://a/b ", ""}, {"<p>", "http://a&amp;", ""},
	{"", "<iframe srcdoc='&lt;a href=x&gt;'>", ""}, {"<iframe srcdoc='", "&lt;", "'>"}, {"<iframe srcdoc='&lt;p title=", "&amp;amp;", "'>"}, {"<a ping='", "&Tab;x", "'>"}, {"", "<svg><a href=x></svg>", ""}, {"<math>", "<mi href=x>", ""},
}

// TestShapes limits the CPU time and memory for every shape.
func TestShapes(t *testing.T) {
	inputs := scantest.Inputs(append(hostile, large...)...)
	for _, s := range []struct {
		name string
		*Scanner
	}{
		{"plain", new(Scanner)},
		{"all", &Scanner{JSONLD: true, Conditional: true, Anchors: true, Details: true, Prose: true, Exhaustive: true, Scripts: true}},
		{"XML", &Scanner{XML: true}},
	} {
		t.Run(s.name, func(t *testing.T) {
			scantest.Table(t, inputs, 1<<20, func(src []byte) {
				for range s.Scan(src) {
				}
			})
		})
	}
}
