//! How large a request is. Tokens are estimated from bytes: tokenizer tables would be larger than the
//! loop. The provider's own count of the last request corrects the estimate.

use super::tiers::UNKNOWN_CONTEXT;
use protocol::model::{Media, ModelMessage, ModelRequest};
use serde::Serialize;
use std::io;

/// Thousandths of a byte per token, as long as no provider has counted: on the safe side for English
/// text in JSON, which has about 4.
const MILLIBYTES_PER_TOKEN: u64 = 3000;
const MIN_MILLIBYTES_PER_TOKEN: u64 = 1500;
const MAX_MILLIBYTES_PER_TOKEN: u64 = 4000;

/// What an image or a document counts, whatever its size: providers scale images down to about 1,600
/// tokens.
const MEDIA: usize = 4800;

/// Of what a model takes, a text that is put in has a fifth at most.
const SHARE_OF_TEXT: u64 = 5;
/// The type of what is only named.
const FILE_MIME: &str = "application/octet-stream";

/// Tokens of an image, mostly, and at most: Anthropic counts up to 4,800, OpenAI 3,800, Google 4,200.
const IMAGE: u64 = 1600;
const LARGEST_IMAGE: u64 = 6000;
/// OpenAI counts images for gpt-4o-mini some thirty times over, at a price that is as much lower.
const COSTLIEST_IMAGE: u64 = 40_000;
/// Tokens of a file beside those by its bytes: the first page of a document that is packed well.
const FILE: u64 = 5000;
/// Tokens that a provider puts into a request by itself, about tools mostly.
const ADDED: u64 = 4096;

/// Thousandths of a byte per token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Gauge(u64);

impl Gauge {
    pub(crate) const UNKNOWN: Self = Self(MILLIBYTES_PER_TOKEN);

    /// From a request of so many bytes in which the provider counted so many tokens.
    pub(crate) fn of(bytes: usize, tokens: u64) -> Self {
        let bytes = u64::try_from(bytes).unwrap_or(u64::MAX);
        match bytes.saturating_mul(1000).checked_div(tokens) {
            Some(found) => Self(found.clamp(MIN_MILLIBYTES_PER_TOKEN, MAX_MILLIBYTES_PER_TOKEN)),
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

/// Bytes of one text that are put into a request to a model with a context of so many tokens, 0: nobody knows.
pub(super) fn most_of_text(context_tokens: u32) -> usize {
    let context = if context_tokens == 0 { UNKNOWN_CONTEXT } else { context_tokens };
    Gauge::UNKNOWN.bytes(u64::from(context) / SHARE_OF_TEXT)
}

/// Bytes of the message as JSON, with what is counted of each file. No text of one has more than `most_of_text`, and of
/// what a tool brought only the place is told.
pub(crate) fn of_message(message: &ModelMessage, most_of_text: usize) -> usize {
    let is_said = matches!(message, ModelMessage::User { .. });
    let of_file = |file: &Media| if is_said { counted(file, most_of_text) } else { MEDIA };
    files(message).iter().fold(of(message), |size, file| size.saturating_sub(file.data.len()) + of_file(file))
}

/// A text that is put in counts what it has, up to what goes in of it. So does a document, which says about as much as it
/// has bytes, but no less than a picture. Any other file counts the flat rate.
fn counted(file: &Media, most: usize) -> usize {
    let Some(stored) = &file.stored else { return MEDIA };
    let size = usize::try_from(stored.size).unwrap_or(usize::MAX).min(most);
    match () {
        () if file.mime.starts_with("image/") || file.mime == FILE_MIME => MEDIA,
        () if file.mime.starts_with("text/") => size,
        () => size.max(MEDIA.min(most)),
    }
}

/// What a whole request is made of. Images count by the piece: providers scale them. What other files count
/// shows only in their bytes, a page of a document being text and picture at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    text: usize,
    images: u64,
    files: u64,
}

impl Size {
    pub fn of(request: &ModelRequest) -> Self {
        let form = request.sampling.form.as_ref().map_or(0, of);
        let extra = if request.sampling.extra.is_empty() { 0 } else { of(&request.sampling.extra) };
        let text = of(&request.system) + of(&request.tools) + form + extra;
        let mut size = Self { text, images: 0, files: 0 };
        for message in &request.messages {
            let files = files(message);
            size.text += files.iter().fold(of(message), |bytes, file| bytes.saturating_sub(file.data.len()));
            for file in files {
                if file.mime.starts_with("image/") {
                    size.images += 1;
                } else {
                    size.files += FILE.saturating_add(u64::try_from(file.data.len()).unwrap_or(u64::MAX));
                }
            }
        }
        size
    }

    /// Tokens for a bill where no provider counted.
    pub fn about(self, context: u32) -> u64 {
        let files = (self.files / 10).min(context.into());
        let about = Gauge::UNKNOWN.tokens(self.text) + self.images * IMAGE + files;
        about.min(self.at_most(context))
    }

    /// More tokens than a provider counts.
    pub fn at_most(self, context: u32) -> u64 {
        let known = Gauge(MIN_MILLIBYTES_PER_TOKEN).tokens(self.text) + self.images * LARGEST_IMAGE;
        known.saturating_add(self.files).min(known.max(context.into()))
    }

    /// More tokens than a provider can have counted, whatever it says: none makes more of a text than it has
    /// bytes.
    pub fn never_more(self, context: u32) -> u64 {
        let text = u64::try_from(self.text).unwrap_or(u64::MAX);
        text.saturating_add(self.images * COSTLIEST_IMAGE)
            .saturating_add(self.files.min(context.into()))
            .saturating_add(ADDED)
    }
}

fn files(message: &ModelMessage) -> Vec<&Media> {
    match message {
        ModelMessage::User { media, .. } => media.iter().collect(),
        ModelMessage::Assistant { .. } => Vec::new(),
        ModelMessage::Tools { results } => results.iter().flat_map(|result| &result.media).collect(),
    }
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
    use protocol::model::{StoredMedia, ToolChoice, ToolResult};

    #[test]
    fn bytes_are_counted_as_sent() {
        let message = ModelMessage::User { text: "ä \"quoted\"\n".to_owned(), media: Vec::new() };
        let json = serde_json::to_string(&message).expect("it serialises");
        assert_eq!(of_message(&message, usize::MAX), json.len());
    }

    #[test]
    fn a_file_counts_the_same_whatever_its_size() {
        let size = |data: &str| {
            let file =
                Media { mime: "image/png".to_owned(), data: data.to_owned(), name: None, stored: None };
            of_message(&ModelMessage::User { text: "Look".to_owned(), media: vec![file] }, usize::MAX)
        };
        assert_eq!(size("AAAA"), size(&"A".repeat(100_000)));
        assert!(size("AAAA") > MEDIA);
    }

    #[test]
    fn what_is_put_in_of_a_text_or_a_document_counts_and_no_more() {
        for (mime, size, expected) in [
            ("text/plain", 300, 300),
            ("text/plain", 90_000, 10_000),
            ("application/pdf", 300, MEDIA),
            ("application/pdf", 7000, 7000),
            ("application/pdf", 1_000_000, 10_000),
            ("application/octet-stream", 1_000_000, MEDIA),
            ("image/png", 1_000_000, MEDIA),
        ] {
            let stored = Some(StoredMedia { id: "ab".into(), size, dimensions: None, server: None });
            let file = Media { mime: mime.to_owned(), data: String::new(), name: None, stored };
            assert_eq!(counted(&file, 10_000), expected, "{mime} {size}");
        }
        assert_eq!(most_of_text(8192), 4914);
        assert_eq!(most_of_text(0), most_of_text(UNKNOWN_CONTEXT));
    }

    #[test]
    fn a_file_that_a_tool_brought_counts_the_flat_rate() {
        let stored = StoredMedia { id: "ab".into(), size: 200_000, dimensions: None, server: None };
        let file =
            Media { mime: "text/plain".to_owned(), data: String::new(), name: None, stored: Some(stored) };
        let said = ModelMessage::User { text: String::new(), media: vec![file.clone()] };
        let result = ToolResult {
            call: "c".into(),
            name: "mcp_garden_water".to_owned(),
            content: String::new(),
            media: vec![file],
            is_error: false,
        };
        let brought = ModelMessage::Tools { results: vec![result] };
        assert!(of_message(&said, 300_000) > 200_000);
        assert!((MEDIA..MEDIA + 1000).contains(&of_message(&brought, 300_000)));
    }

    #[test]
    fn what_is_held_for_a_file_goes_by_its_bytes_up_to_what_the_model_can_take() {
        let size = |mime: &str, bytes: usize| {
            let file = Media { mime: mime.to_owned(), data: "A".repeat(bytes), name: None, stored: None };
            let message = ModelMessage::User { text: "Look".to_owned(), media: vec![file] };
            Size::of(&asking(message))
        };
        let context = 200_000;
        for (name, mime, bytes, least, most) in [
            ("a picture", "image/png", 4_000_000, 6000, 6100),
            ("a page", "application/pdf", 4000, 9000, 9100),
            ("a book", "application/pdf", 4_000_000, 200_000, 200_000),
            ("a film", "video/mp4", 20_000_000, 200_000, 200_000),
        ] {
            let size = size(mime, bytes);
            let tokens = size.at_most(context);
            assert!((least..=most).contains(&tokens), "{name}: {tokens}");
            assert!(size.about(context) <= tokens, "{name}");
            assert!(size.never_more(context) > tokens, "{name}");
        }
    }

    #[test]
    fn the_provider_s_count_corrects_the_estimate_within_bounds() {
        for (bytes, tokens, expected) in [
            (4000, 1250, 3200),
            (4000, 10, MAX_MILLIBYTES_PER_TOKEN),
            (4000, 4000, MIN_MILLIBYTES_PER_TOKEN),
            (4000, 0, MILLIBYTES_PER_TOKEN),
        ] {
            assert_eq!(Gauge::of(bytes, tokens), Gauge(expected), "{tokens}");
        }
        assert_eq!(Gauge(3000).tokens(3001), 1001);
    }

    fn asking(message: ModelMessage) -> ModelRequest {
        ModelRequest {
            model: String::new(),
            system: String::new(),
            tools: Vec::new(),
            tool_choice: ToolChoice::default(),
            messages: vec![message].into(),
            max_output_tokens: 100,
            effort: None,
            sampling: Box::default(),
        }
    }
}
