use url::Url;

struct Whatwg(Option<Url>);

impl peers::Resolver for Whatwg {
    fn set_base(&mut self, base: &str) {
        self.0 = Url::parse(base).ok();
    }
    fn resolve(&mut self, reference: &str, out: &mut Vec<u8>) {
        if let Some(Ok(target)) = self.0.as_ref().map(|base| base.join(reference)) {
            out.extend_from_slice(target.as_str().as_bytes());
        }
    }
    fn normalize(&mut self, url: &str, out: &mut Vec<u8>) {
        if let Ok(u) = Url::parse(url) {
            out.extend_from_slice(u.as_str().as_bytes());
        }
    }
}

fn main() {
    peers::main(Whatwg(None))
}
