//! Parses the Markdown files of a directory, and prints how many links and images they have.

use pulldown_cmark::{Event, Options, Parser, Tag};

fn main() {
    let mut count = 0;
    let dir = std::env::args().nth(1).expect("a directory");
    for entry in std::fs::read_dir(dir).unwrap() {
        let data = std::fs::read(entry.unwrap().path()).unwrap();
        let text = String::from_utf8_lossy(&data);
        let options = Options::ENABLE_TABLES | Options::ENABLE_FOOTNOTES | Options::ENABLE_STRIKETHROUGH;
        for event in Parser::new_ext(&text, options) {
            if let Event::Start(Tag::Link { .. } | Tag::Image { .. }) = event {
                count += 1;
            }
        }
    }
    println!("{count}");
}
