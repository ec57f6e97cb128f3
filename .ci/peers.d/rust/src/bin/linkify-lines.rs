//! Prints the URLs that linkify finds in a file.

use std::io::{BufWriter, Write};

fn main() {
    let data = std::fs::read(std::env::args().nth(1).expect("a file")).unwrap();
    let text = String::from_utf8_lossy(&data);
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut finder = linkify::LinkFinder::new();
    finder.kinds(&[linkify::LinkKind::Url]);
    for link in finder.links(&text) {
        out.write_all(link.as_str().as_bytes()).unwrap();
        out.write_all(b"\n").unwrap();
    }
    out.flush().unwrap();
}
