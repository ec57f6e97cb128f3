use fluent_uri::{Uri, UriRef};

struct Fluent(Option<Uri<String>>);

impl peers::Resolver for Fluent {
    fn set_base(&mut self, base: &str) {
        self.0 = Uri::parse(base.to_string()).ok();
    }
    fn resolve(&mut self, reference: &str, out: &mut Vec<u8>) {
        if let (Some(base), Ok(r)) = (&self.0, UriRef::parse(reference)) {
            if let Ok(target) = r.resolve_against(base) {
                out.extend_from_slice(target.as_str().as_bytes());
            }
        }
    }
    fn normalize(&mut self, url: &str, out: &mut Vec<u8>) {
        if let Ok(u) = Uri::parse(url) {
            out.extend_from_slice(u.normalize().as_str().as_bytes());
        }
    }
}

fn main() {
    peers::main(Fluent(None))
}
