package html

import (
	"testing"

	"example.org/refract/internal/scantest"
)

// Every shape that might make the scanner read its input again and again.
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
	{"<a ping='", "x ", "'>"}, {"<applet archive='", ",", "'>"}, {"<object archive='", "x ", "' codebase=y>"}, {"<meta http-equiv=refresh content='", "0", "'>"},
	{"<script type=importmap>", "[", ""}, {"<script type=importmap>", "{\"imports\":", ""}, {"<script type=application/ld+json>", "[\"http://x\",", ""}, {"<script type=application/ld+json>", "\"", ""},
	{"", "<base>", ""}, {"", "<base href=x>", ""}, {"<template>", "<base href=x>", ""}, {"", "<base", ""}, {"", "b", ""}, {"", "<b", ""}, {"", "<!--[if]>", ""}, {"", "<!--[if]><![endif]-->", ""},
	{"", "<a href=x>y", ""}, {"", "<a href=x><b>", ""}, {"", "<a href=x id=y>", ""}, {"", "<x-y style='a:url(b)'>", ""},
	{"", "<x xml:base='y'>", ""}, {"", "<x xml:base='y'/>", ""}, {"<!DOCTYPE a [", "]", ""}, {"", "<!DOCTYPE a [", ""}, {"", "<?xml-stylesheet ", ""}, {"<iframe srcdoc='", "<a href=x>", "'>"},
}

func TestHostile(t *testing.T) {
	for _, s := range []*Scanner{
		new(Scanner),
		{JSONLD: true, Conditional: true, Anchors: true, Details: true},
		{XML: true},
	} {
		scantest.Shapes(t, hostile, 128<<10, func(src []byte) {
			for range s.Scan(src) {
			}
		})
	}
}
