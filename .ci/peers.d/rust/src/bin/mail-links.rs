//! Prints the URLs that linkify finds in the text and HTML of the messages of an mbox, which mail-parser decodes.

use mail_parser::mailbox::mbox::MessageIterator;
use mail_parser::{MessageParser, MimeHeaders, PartType};
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};

fn main() {
    let file = File::open(std::env::args().nth(1).expect("a file")).unwrap();
    let mut out = BufWriter::with_capacity(1 << 16, std::io::stdout().lock());
    let mut finder = linkify::LinkFinder::new();
    finder.kinds(&[linkify::LinkKind::Url]);
    let parser = MessageParser::default();
    for raw in MessageIterator::new(BufReader::with_capacity(1 << 16, file)) {
        let raw = raw.unwrap();
        if let Some(message) = parser.parse(raw.contents()) {
            links(&message, &finder, &mut out);
        }
    }
    out.flush().unwrap();
}

fn links(message: &mail_parser::Message, finder: &linkify::LinkFinder, out: &mut impl Write) {
    for part in &message.parts {
        match &part.body {
            PartType::Text(text) | PartType::Html(text) => {
                if part.attachment_name().is_some() {
                    continue;
                }
                for link in finder.links(text) {
                    out.write_all(link.as_str().as_bytes()).unwrap();
                    out.write_all(b"\n").unwrap();
                }
            }
            PartType::Message(inner) => links(inner, finder, out),
            _ => {}
        }
    }
}
