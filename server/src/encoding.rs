//! In which encoding a browser takes an answer.

use flate2::Compression;
use flate2::write::GzEncoder;
use http::{HeaderMap, HeaderValue, header};
use std::io::{self, Write};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    Brotli,
    Gzip,
    Plain,
}

impl Encoding {
    /// The smallest of those that the request takes.
    pub fn of(headers: &HeaderMap) -> Self {
        let takes = |name: &str| {
            let listed =
                headers.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
            listed.flat_map(|value| value.split(',')).any(|part| is_taken(part, name))
        };
        if takes("br") {
            Self::Brotli
        } else if takes("gzip") {
            Self::Gzip
        } else {
            Self::Plain
        }
    }

    /// Says in the answer's headers what its body is, and that others get another.
    pub fn tell(self, headers: &mut HeaderMap) {
        headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
        let name = match self {
            Self::Brotli => "br",
            Self::Gzip => "gzip",
            Self::Plain => return,
        };
        headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static(name));
    }
}

/// One entry of the list: a name, and how much it is wanted.
fn is_taken(part: &str, wanted: &str) -> bool {
    let (name, weight) = part.split_once(';').unwrap_or((part, "q=1"));
    let weight = weight.trim().strip_prefix("q=").and_then(|weight| weight.trim().parse::<f32>().ok());
    name.trim().eq_ignore_ascii_case(wanted) && weight.is_some_and(|weight| weight > 0.0)
}

pub fn gzip(bytes: &[u8]) -> io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(bytes)?;
    encoder.finish()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_gets_the_smallest_of_what_it_takes() {
        for (accepted, expected) in [
            ("", Encoding::Plain),
            ("identity", Encoding::Plain),
            ("gzip", Encoding::Gzip),
            ("gzip, deflate, br, zstd", Encoding::Brotli),
            ("gzip;q=1.0, BR;q=0.2", Encoding::Brotli),
            ("br;q=0, gzip;q=0.5", Encoding::Gzip),
            ("br; q=0.000, gzip; q=0", Encoding::Plain),
            ("br;q=much, brotli", Encoding::Plain),
        ] {
            let headers =
                HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(accepted))]);
            assert_eq!(Encoding::of(&headers), expected, "{accepted}");
        }
    }
}
