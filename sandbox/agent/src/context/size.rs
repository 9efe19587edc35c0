//! How large a request is. Tokens are estimated from bytes: tokenizer tables would be larger than the
//! loop. The provider's own count of the last request corrects the estimate.

use protocol::model::{Media, ModelMessage, ModelRequest, ToolResult};
use serde::Serialize;
use std::io;

/// Thousandths of a byte per token, as long as no provider has counted: on the safe side for English
/// text in JSON, which has about 4.
const BYTES_PER_TOKEN: u64 = 3000;
const LEAST: u64 = 1500;
const MOST: u64 = 4000;

/// What an image or a document counts, whatever its size: providers scale images down to about 1,600
/// tokens.
const MEDIA: usize = 4800;

/// Thousandths of a byte per token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gauge(u64);

impl Gauge {
    pub(crate) const UNKNOWN: Self = Self(BYTES_PER_TOKEN);

    /// From a request of so many bytes in which the provider counted so many tokens.
    pub(crate) fn of(bytes: usize, tokens: u64) -> Self {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        match bytes.saturating_mul(1000).checked_div(tokens) {
            Some(found) => Self(found.clamp(LEAST, MOST)),
            None => Self::UNKNOWN,
        }
    }

    pub(crate) fn tokens(self, bytes: usize) -> u64 {
        u64::try_from(bytes).unwrap_or(u64::MAX).saturating_mul(1000).div_ceil(self.0)
    }

    pub(crate) fn bytes(self, tokens: u64) -> usize {
        usize::try_from(tokens.saturating_mul(self.0) / 1000).unwrap_or(usize::MAX)
    }
}

/// Bytes of the message as JSON, with a flat rate for each file.
pub(crate) fn of_message(message: &ModelMessage) -> usize {
    let media = |files: &[Media]| files.iter().map(|file| (file.data.len(), MEDIA)).collect::<Vec<_>>();
    let files = match message {
        ModelMessage::User { media: files, .. } => media(files),
        ModelMessage::Assistant { .. } => Vec::new(),
        ModelMessage::Tools { results } => {
            results.iter().flat_map(|ToolResult { media: files, .. }| media(files)).collect()
        }
    };
    let whole = of(message);
    files.into_iter().fold(whole, |size, (data, flat)| size.saturating_sub(data) + flat)
}

/// More tokens than any provider counts in this request, its reply left out.
pub fn tokens_at_most(request: &ModelRequest) -> u64 {
    Gauge(LEAST).tokens(of_request(request))
}

/// About how many tokens the request has, for a bill where no provider counted.
pub fn tokens_about(request: &ModelRequest) -> u64 {
    Gauge::UNKNOWN.tokens(of_request(request))
}

fn of_request(request: &ModelRequest) -> usize {
    let messages: usize = request.messages.iter().map(of_message).sum();
    let form = request.sampling.form.as_ref().map_or(0, of);
    of(&request.system) + of(&request.tools) + messages + form
}

/// The same of so many bytes of text.
pub fn tokens_of_text(bytes: usize) -> u64 {
    Gauge::UNKNOWN.tokens(bytes)
}

/// Bytes of the value as JSON.
pub(crate) fn of(value: &impl Serialize) -> usize {
    let mut counter = Counter(0);
    serde_json::to_writer(&mut counter, value).expect("plain values serialise, and counting never fails");
    counter.0
}

struct Counter(usize);

impl io::Write for Counter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len();
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_counted_as_sent() {
        let message = ModelMessage::User { text: "ä \"quoted\"\n".to_owned(), media: Vec::new() };
        let json = serde_json::to_string(&message).expect("it serialises");
        assert_eq!(of_message(&message), json.len());
    }

    #[test]
    fn a_file_counts_the_same_whatever_its_size() {
        let size = |data: &str| {
            let file = Media { mime: "image/png".to_owned(), data: data.to_owned(), name: None };
            of_message(&ModelMessage::User { text: "Look".to_owned(), media: vec![file] })
        };
        assert_eq!(size("AAAA"), size(&"A".repeat(100_000)));
        assert!(size("AAAA") > MEDIA);
    }

    #[test]
    fn the_provider_s_count_corrects_the_estimate_within_bounds() {
        for (bytes, tokens, expected) in
            [(4000, 1250, 3200), (4000, 10, MOST), (4000, 4000, LEAST), (4000, 0, BYTES_PER_TOKEN)]
        {
            assert_eq!(Gauge::of(bytes, tokens), Gauge(expected), "{tokens}");
        }
        assert_eq!(Gauge(3000).tokens(3001), 1001);
    }
}
