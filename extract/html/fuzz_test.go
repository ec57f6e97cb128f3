package html

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"testing"

	"example.org/refract/extract/scan"
	"example.org/refract/internal/testing/scantest"
)

var seeds = []string{
	`<!DOCTYPE html><a href="x">y</a><img src=a srcset="b 1x, c,d 2x">`,
	`<a href='x"y' HREF=z><a href=x/><a =href=x href = "y" / >`,
	`<textarea><a href=x></textarea><a href=y><title><a href=x></TITLE ><a href=y>`,
	`<script>"<a href=x>"<!--<script></script><a href=y>--></script><a href=z>`,
	`<style>@import "x"; p{a:url(y)}</style><p style="b:url(&quot;c&quot;)">`,
	`<!--><a href=x>--><!-- <a href=y> --!><a href=z><!--- -- ><a href=w>--->`,
	`<meta http-equiv=refresh content="0;url=x"><object data=x codebase=y archive="a b">`,
	`<svg><title><a href=x></title><style>a{b:url(c)}</style><script href=y>"<a href=z>"</script></svg><title><a href=x></title>`,
	`<svg><desc><p><a href=x></p></desc><![CDATA[<a href=x>]]></svg><![CDATA[<a href=y>]]>`,
	`<math><mi><a href=x></mi><annotation-xml encoding=text/html><title><a href=y></title></annotation-xml></math>`,
	`<iframe srcdoc="<a href='x'>&lt;a href=y&gt;"><a href=z></iframe>`,
	`<a href="&amp;&copy=&copy;&#x41;&#0;&#150;&notit;&semi;&#99999999999;">`,
	`<template><base href=x><a href=y></template><noscript><a href=z></noscript><base href=w>`,
	"<a href=\" \n x\ty \r\n\"><a href='\x00'><a href>",
	`<plaintext><a href=x>`,
	`</a href="><a href=x>"><?a href="><a href=y>"><!a "><a href=z>">`,
	`<![CDATA[<a href=x>]]><svg><![CDATA[<a href=y>]]><a href=z>`,
}

func FuzzContract(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		if len(src) <= 4096 && !excused(t, src) {
			contract(t, src)
		}
	})
}

// excused reports whether html.Parse is known to depart from the standard in src.
func excused(t *testing.T, src []byte) bool {
	return bytes.Contains(src, []byte("refract:")) || leftEscape.Match(src) || drive(t, src).departure != ""
}

// leftEscape matches where the tokenizer of golang.org/x/net/html v0.62.0 forgets that it is in
// "<!--" of a script: at "<" with neither a letter nor "/" after it, where the standard stays
// (13.2.5.23). It matters only if "<script" follows.
var leftEscape = regexp.MustCompile(`(?is)<script.*<!--.*<(?:[^/a-z<].*)?<script`)

// FuzzContractMarkup takes choices: the bytes decide what generate makes. In the result every tag has
// an attribute that is a reference on every element.
func FuzzContractMarkup(f *testing.F) {
	for i := range byte(20) {
		f.Add(bytes.Repeat([]byte{i * 13, 7, 99, i}, 40))
	}
	f.Fuzz(func(t *testing.T, choices []byte) {
		i := 0
		contractOf(t, min(len(choices)/3, 200), func(n int) int {
			i++
			return int(choices[i%len(choices)]) * n >> 8
		})
	})
}

func TestContractRandom(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range scantest.Amount(1500, 5000) {
		if contractOf(t, 1+r.IntN(60), r.IntN); t.Failed() {
			break
		}
	}
}

func contractOf(t *testing.T, size int, choose func(int) int) {
	src := number(generate(size, choose), false)
	src = bytes.ReplaceAll(src, []byte(" n="), []byte(" itemid="))
	if !excused(t, src) {
		contract(t, src)
	}
}

// FuzzScan checks the properties that hold for every input, with every option.
func FuzzScan(f *testing.F) {
	for _, s := range seeds {
		f.Add([]byte(s), uint8(0))
		f.Add([]byte(s), uint8(127))
	}
	f.Fuzz(func(t *testing.T, src []byte, options uint8) {
		s := &Scanner{
			XML: options&1 != 0, JSONLD: options&2 != 0, Conditional: options&4 != 0,
			Anchors: options&8 != 0, Details: options&16 != 0, Exhaustive: options&32 != 0, Scripts: options&64 != 0,
		}
		n, open := 0, 0
		for it := range s.Scan(src) {
			n++
			if it.Span.Start < 0 || it.Span.End < it.Span.Start || it.Span.End > len(src) {
				t.Fatalf("%s at %v of %d bytes", it.In, it.Span, len(src))
			}
			switch it.Op {
			case scan.Base:
				open++
			case scan.End:
				if open--; open < 0 {
					t.Fatal("an End without a Base")
				}
			case scan.Part:
				if it.Map.Len() != len(it.Value) {
					t.Fatal("the Map is not that of the Value")
				}
			}
		}
		for stop := range min(n, 50) {
			i := 0
			for range s.Scan(src) {
				if i++; i > stop {
					break
				}
			}
		}
	})
}
