//! Text in runs, with what they look like.

use serde::de::value::MapAccessDeserializer;
use serde::de::{Error, MapAccess, SeqAccess, Unexpected, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::fmt;
use url::Url;

/// Written as a text, as a run, or as a list of both.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub(crate) struct Words(pub(crate) Vec<Run>);

#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Run {
    pub(crate) text: String,
    #[serde(default)]
    pub(crate) bold: bool,
    #[serde(default)]
    pub(crate) italic: bool,
    #[serde(default)]
    pub(crate) underline: bool,
    #[serde(default)]
    pub(crate) strike: bool,
    #[serde(default)]
    pub(crate) code: bool,
    #[serde(default)]
    pub(crate) link: Option<Link>,
    #[serde(default)]
    pub(crate) color: Option<Colour>,
    /// What a note at the foot of the page says of it.
    #[serde(default)]
    pub(crate) footnote: Option<String>,
}

impl Run {
    fn plain(text: &str) -> Self {
        Self { text: text.to_owned(), ..Self::default() }
    }
}

impl Words {
    pub(crate) fn of(text: &str) -> Self {
        Self(vec![Run::plain(text)])
    }

    pub(crate) fn plain(&self) -> String {
        self.0.iter().map(|run| run.text.as_str()).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|run| run.text.trim().is_empty())
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Align {
    Left,
    Center,
    Right,
    Justify,
}

/// Red, green and blue, written as `#1f7a4d`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Colour(pub(crate) [u8; 3]);

impl fmt::Display for Colour {
    /// As office programs write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [red, green, blue] = self.0;
        write!(f, "{red:02X}{green:02X}{blue:02X}")
    }
}

impl Serialize for Colour {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&format_args!("#{self}"))
    }
}

impl<'de> Deserialize<'de> for Colour {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let digits = text
            .strip_prefix('#')
            .filter(|digits| digits.len() == 6 && digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
        let number = digits.and_then(|digits| u32::from_str_radix(digits, 16).ok());
        let number = number
            .ok_or_else(|| D::Error::invalid_value(Unexpected::Str(&text), &"a colour like #1f7a4d"))?;
        let [_, red, green, blue] = number.to_be_bytes();
        Ok(Self([red, green, blue]))
    }
}

/// An address that a press opens, spelled as addresses are: what is no ASCII in it stands as its bytes.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub(crate) struct Link(pub(crate) String);

const SCHEMES: [&str; 3] = ["https://", "http://", "mailto:"];

impl<'de> Deserialize<'de> for Link {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        let leads = SCHEMES.iter().any(|scheme| text.len() > scheme.len() && text.starts_with(scheme));
        let is_one = leads && !text.contains(|letter: char| letter.is_whitespace() || letter.is_control());
        // Office programs refuse a whole file for a link that is no address.
        match Url::parse(&text) {
            Ok(url) if is_one => Ok(Self(url.into())),
            _ => Err(D::Error::invalid_value(
                Unexpected::Str(&text),
                &"an address that begins with https://, http:// or mailto:",
            )),
        }
    }
}

impl<'de> Deserialize<'de> for Words {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfWords)
    }
}

pub(super) struct OfWords;

impl<'de> Visitor<'de> for OfWords {
    type Value = Words;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a list of runs")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Words, E> {
        Ok(Words::of(text))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut runs: A) -> Result<Words, A::Error> {
        let mut words = Vec::new();
        while let Some(OneRun(run)) = runs.next_element()? {
            words.push(run);
        }
        Ok(Words(words))
    }

    fn visit_map<A: MapAccess<'de>>(self, run: A) -> Result<Words, A::Error> {
        Ok(Words(vec![Run::deserialize(MapAccessDeserializer::new(run))?]))
    }
}

/// Written as a text or as a run.
struct OneRun(Run);

impl<'de> Deserialize<'de> for OneRun {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(OfRun)
    }
}

struct OfRun;

impl<'de> Visitor<'de> for OfRun {
    type Value = OneRun;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a text or a run like {\"text\": \"moss\", \"bold\": true}")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<OneRun, E> {
        Ok(OneRun(Run::plain(text)))
    }

    fn visit_map<A: MapAccess<'de>>(self, run: A) -> Result<OneRun, A::Error> {
        Run::deserialize(MapAccessDeserializer::new(run)).map(OneRun)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_link_is_an_address_as_addresses_are_spelled() {
        for (text, expected) in [
            ("https://example.org/moss?a=b#c", Some("https://example.org/moss?a=b#c")),
            (
                "https://example.org/m\u{f6}ss\u{fffe}#\u{ffff}",
                Some("https://example.org/m%C3%B6ss%EF%BF%BE#%EF%BF%BF"),
            ),
            ("mailto:fern@example.org", Some("mailto:fern@example.org")),
            ("https://[", None),
            ("https://example.org/a b", None),
            ("javascript:x", None),
            ("example.org", None),
        ] {
            let link = serde_json::from_value::<Link>(json!(text)).ok();
            assert_eq!(link.as_ref().map(|link| link.0.as_str()), expected, "{text}");
            if let Some(link) = link {
                assert_eq!(serde_json::from_value::<Link>(json!(link)).ok(), Some(link));
            }
        }
    }
}
