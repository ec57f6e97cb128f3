//! The Rust binding of ada, which takes the base as a string, and parses it for each reference.

use ada_url::Url;

struct Ada(String);

impl peers::Resolver for Ada {
    fn set_base(&mut self, base: &str) {
        self.0 = base.to_string();
    }
    fn resolve(&mut self, reference: &str, out: &mut Vec<u8>) {
        if let Ok(target) = Url::parse(reference, Some(&self.0)) {
            out.extend_from_slice(target.href().as_bytes());
        }
    }
    fn normalize(&mut self, url: &str, out: &mut Vec<u8>) {
        if let Ok(u) = Url::parse(url, None) {
            out.extend_from_slice(u.href().as_bytes());
        }
    }
}

fn main() {
    peers::main(Ada(String::new()))
}
