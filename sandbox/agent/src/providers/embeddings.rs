//! What texts mean, as numbers, as OpenAI's servers and the many that copy them say it.

use super::{Auth, Dialect, HttpRequest, Wire, base_url, outgoing};
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::words;
use serde::Deserialize;
use serde_json::json;

const PATH: &str = "/embeddings";
/// Numbers of one text.
const MOST_DIMENSIONS: usize = 4096;

/// What texts mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Meanings {
    /// One of each text, in their order and all of one length.
    pub vectors: Vec<Vec<f32>>,
    /// Tokens of the texts, where the server says.
    pub tokens: Option<u64>,
}

impl Wire {
    /// The request for what texts mean. `None`: such servers do not say.
    pub fn embed(&self, base_url: Option<&str>, model: &str, texts: &[String]) -> Option<HttpRequest> {
        let base_url = self.base_url(base_url);
        let (url, auth) = match self {
            Self::OpenAiChat(dialect) => at(dialect, base_url),
            Self::OpenAiResponses => at(&Dialect::OTHER, base_url),
            // It has this format beside its own.
            Self::Ollama => {
                let (root, _) = base_url::root(base_url);
                let root = root.strip_suffix("/v1").or_else(|| root.strip_suffix("/api")).unwrap_or(root);
                (format!("{root}/v1{PATH}"), Auth::Bearer)
            }
            Self::Anthropic | Self::Gemini | Self::Bedrock => return None,
        };
        let body = json!({ "model": model, "input": texts, "encoding_format": "float" });
        Some(outgoing::post(url, auth, "application/json", &body))
    }
}

fn at(dialect: &'static Dialect, base_url: &str) -> (String, Auth) {
    let dialect = dialect.at(base_url);
    (dialect.address(base_url, PATH), dialect.auth())
}

#[derive(Deserialize)]
struct Answer {
    data: Vec<Embedding>,
    usage: Option<Usage>,
}

#[derive(Deserialize)]
struct Embedding {
    index: Option<usize>,
    embedding: Vec<f32>,
}

#[derive(Deserialize)]
struct Usage {
    prompt_tokens: Option<u64>,
}

/// Reads the answer to [`Wire::embed`] for so many texts.
pub fn decode_meanings(body: &[u8], texts: usize) -> Result<Meanings, ModelFailure> {
    let answer: Answer = serde_json::from_slice(body).map_err(|_| no_meanings())?;
    let tokens = answer.usage.and_then(|usage| usage.prompt_tokens);
    let mut found: Vec<(usize, Vec<f32>)> = answer
        .data
        .into_iter()
        .enumerate()
        .map(|(at, one)| (one.index.unwrap_or(at), one.embedding))
        .collect();
    found.sort_by_key(|(index, _)| *index);
    let length = found.first().map_or(0, |(_, vector)| vector.len());
    let fits = found.iter().enumerate().all(|(at, (index, vector))| {
        at == *index && vector.len() == length && vector.iter().all(|number| number.is_finite())
    });
    if !fits || found.len() != texts || !(1..=MOST_DIMENSIONS).contains(&length) {
        return Err(no_meanings());
    }
    Ok(Meanings { vectors: found.into_iter().map(|(_, vector)| vector).collect(), tokens })
}

fn no_meanings() -> ModelFailure {
    let message = words!(
        "What the server answered says nothing of what texts mean. Choose an embedding model, of 4,096 dimensions at most, under Memory."
    )
    .to_owned();
    ModelFailure { kind: ModelFailureKind::Malformed, message, retry_after_ms: None }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::agent::ProviderKind;

    #[test]
    fn who_speaks_openais_format_may_say_what_texts_mean_and_nobody_else() {
        for (kind, base, expected) in [
            (ProviderKind::OpenAi, None, Some("https://api.openai.com/v1/embeddings")),
            (ProviderKind::OpenAiResponses, None, Some("https://api.openai.com/v1/embeddings")),
            (ProviderKind::LmStudio, Some("http://h:1234/v1"), Some("http://h:1234/v1/embeddings")),
            (ProviderKind::OpenAi, Some("http://h:1/v1/embeddings"), Some("http://h:1/v1/embeddings")),
            (ProviderKind::Ollama, Some("http://h:11434"), Some("http://h:11434/v1/embeddings")),
            (ProviderKind::Ollama, Some("http://h:11434/v1/"), Some("http://h:11434/v1/embeddings")),
            (ProviderKind::Anthropic, None, None),
            (ProviderKind::Gemini, None, None),
        ] {
            let wire = Wire::of(kind).unwrap();
            let request = wire.embed(base, "embed-1", &["Moss".to_owned()]);
            assert_eq!(request.as_ref().map(|request| request.url.as_str()), expected, "{kind:?}");
            assert_eq!(kind.has_embeddings(), expected.is_some(), "{kind:?}");
        }
    }

    #[test]
    fn meanings_are_read_in_the_order_of_their_texts() {
        let two = r#"{"data":[{"index":1,"embedding":[0.5,1]},{"index":0,"embedding":[1,2]}],"usage":{"prompt_tokens":7}}"#;
        let expected = Meanings { vectors: vec![vec![1.0, 2.0], vec![0.5, 1.0]], tokens: Some(7) };
        assert_eq!(decode_meanings(two.as_bytes(), 2).unwrap(), expected);
        for (body, texts) in [
            (two, 1),
            (two, 3),
            (r#"{"data":[]}"#, 0),
            (r#"{"data":[{"index":0,"embedding":[]}]}"#, 1),
            (r#"{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}"#, 2),
            (r#"{"data":[{"embedding":[1]},{"embedding":[2,3]}]}"#, 2),
            (r#"{"data":[{"embedding":[1e99]}]}"#, 1),
            (r#"{"data":[{"embedding":"AAAA"}]}"#, 1),
            ("Moss.", 1),
        ] {
            assert!(decode_meanings(body.as_bytes(), texts).is_err(), "{body}");
        }
    }
}
