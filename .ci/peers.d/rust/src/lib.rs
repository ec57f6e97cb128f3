//! What the programs about pairs share: they read lines with a base, a tab and a reference, and write
//! targets; or with the argument "normalize", URLs and their normal forms; or with
//! "library", they print the nanoseconds that ten references take.

use std::io::{self, BufRead, BufWriter, Write};
use std::time::Instant;

pub const BASE: &str = "https://www.example.com/docs/v2/guide/index.html?lang=en";

/// The references of the benchmark of package resolve.
pub const TYPICAL: [&str; 10] = [
    "?page=2",
    "#fn1",
    "page2.html#section-3",
    "https://pkg.go.dev/net/url#URL.Parse",
    "/static/css/main.css",
    "./images/figure-1.png",
    "../tutorial/start.html",
    "//cdn.example.net/lib/jquery.min.js",
    "sub/dir/../other.html",
    "chapter/intro.html?print=1",
];

/// Parses a base once for all lines that follow each other with the same.
pub trait Resolver {
    fn set_base(&mut self, base: &str);
    /// Appends the target of a reference, or nothing if it is not valid.
    fn resolve(&mut self, reference: &str, out: &mut Vec<u8>);
    fn normalize(&mut self, url: &str, out: &mut Vec<u8>);
}

pub fn main<R: Resolver>(mut resolver: R) {
    match std::env::args().nth(1).as_deref() {
        Some("library") => library(resolver),
        Some("normalize") => each_line(|line, out| resolver.normalize(line, out)),
        _ => {
            let mut last = String::new();
            each_line(|line, out| {
                let (base, reference) = line.split_once('\t').unwrap_or(("", line));
                if base != last {
                    resolver.set_base(base);
                    last.clear();
                    last.push_str(base);
                }
                resolver.resolve(reference, out);
            })
        }
    }
}

fn each_line(mut f: impl FnMut(&str, &mut Vec<u8>)) {
    let mut input = io::BufReader::with_capacity(1 << 16, io::stdin().lock());
    let mut output = BufWriter::with_capacity(1 << 16, io::stdout().lock());
    let (mut line, mut out) = (Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(b'\n', &mut line).unwrap() == 0 {
            break;
        }
        if line.last() == Some(&b'\n') {
            line.pop();
        }
        out.clear();
        if let Ok(text) = std::str::from_utf8(&line) {
            f(text, &mut out);
        }
        out.push(b'\n');
        output.write_all(&out).unwrap();
    }
    output.flush().unwrap();
}

fn library<R: Resolver>(mut resolver: R) {
    resolver.set_base(BASE);
    let mut out = Vec::with_capacity(1024);
    let mut best = 0.0;
    for _ in 0..2 {
        let start = Instant::now();
        let mut n = 0;
        while start.elapsed().as_millis() < 500 {
            for _ in 0..1000 {
                for reference in TYPICAL {
                    out.clear();
                    resolver.resolve(std::hint::black_box(reference), &mut out);
                    std::hint::black_box(&out);
                }
            }
            n += 1000;
        }
        best = start.elapsed().as_nanos() as f64 / n as f64; // the first round warms up
    }
    println!("{best:.0}");
}
