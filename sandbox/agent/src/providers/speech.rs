//! Hearing and speaking, as OpenAI's servers and the many that copy them do it: sound goes in as one part of a form and
//! comes back as words, words go in as JSON and come back as sound.

use super::{Auth, Dialect, HttpRequest, Method, Wire, outgoing};
use protocol::model::{ModelFailure, ModelFailureKind};
use protocol::words;
use serde::Deserialize;
use serde_json::json;

/// Sound as a browser records it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SoundKind {
    Webm,
    Mp4,
    Ogg,
    Wav,
    Mp3,
}

/// What is to be heard.
#[derive(Clone, Debug)]
pub struct Sound {
    pub kind: SoundKind,
    pub bytes: Vec<u8>,
}

/// What was heard.
#[derive(Clone, Debug, PartialEq)]
pub struct Transcript {
    pub text: String,
    pub counted: Counted,
}

/// What the server says that it heard.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Counted {
    Tokens { input: u64, output: u64 },
    Seconds(f64),
    Nothing,
}

impl SoundKind {
    /// By what a header calls it.
    pub fn of(mime: &str) -> Option<Self> {
        let plain = mime.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        Some(match plain.as_str() {
            "audio/webm" | "video/webm" => Self::Webm,
            "audio/mp4" | "audio/x-m4a" | "video/mp4" => Self::Mp4,
            "audio/ogg" => Self::Ogg,
            "audio/wav" | "audio/x-wav" | "audio/wave" => Self::Wav,
            "audio/mpeg" | "audio/mp3" => Self::Mp3,
            _ => return None,
        })
    }

    fn mime(self) -> &'static str {
        match self {
            Self::Webm => "audio/webm",
            Self::Mp4 => "audio/mp4",
            Self::Ogg => "audio/ogg",
            Self::Wav => "audio/wav",
            Self::Mp3 => "audio/mpeg",
        }
    }

    /// Servers go by the ending of the file's name.
    fn ending(self) -> &'static str {
        match self {
            Self::Webm => "webm",
            Self::Mp4 => "mp4",
            Self::Ogg => "ogg",
            Self::Wav => "wav",
            Self::Mp3 => "mp3",
        }
    }
}

impl Wire {
    /// The request for the words of a sound. The boundary is a word that nobody could know before. `None`: such servers do
    /// not hear.
    pub fn transcribe(
        &self,
        base_url: Option<&str>,
        model: &str,
        sound: &Sound,
        boundary: &str,
    ) -> Option<HttpRequest> {
        let (url, auth) = self.speech_endpoint(base_url, "/audio/transcriptions")?;
        let mut body = Vec::with_capacity(sound.bytes.len() + 1024);
        for (name, value) in [("model", model), ("response_format", "json")] {
            let part =
                format!("--{boundary}\r\ncontent-disposition: form-data; name=\"{name}\"\r\n\r\n{value}\r\n");
            body.extend_from_slice(part.as_bytes());
        }
        let (mime, ending) = (sound.kind.mime(), sound.kind.ending());
        let part = format!(
            "--{boundary}\r\ncontent-disposition: form-data; name=\"file\"; filename=\"speech.{ending}\"\r\n\
             content-type: {mime}\r\n\r\n"
        );
        body.extend_from_slice(part.as_bytes());
        body.extend_from_slice(&sound.bytes);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let headers = vec![
            ("content-type", format!("multipart/form-data; boundary={boundary}")),
            ("accept", "application/json".to_owned()),
        ];
        Some(HttpRequest { method: Method::Post, url, headers, auth, body })
    }

    /// The request for the sound of words. `None`: such servers do not speak.
    pub fn speak(&self, base_url: Option<&str>, model: &str, voice: &str, text: &str) -> Option<HttpRequest> {
        let (url, auth) = self.speech_endpoint(base_url, "/audio/speech")?;
        let body = json!({ "model": model, "input": text, "voice": voice, "response_format": "mp3" });
        Some(outgoing::post(url, auth, "audio/*", &body))
    }

    fn speech_endpoint(&self, base_url: Option<&str>, path: &str) -> Option<(String, Auth)> {
        let base_url = self.base_url(base_url);
        let dialect = match self {
            Self::OpenAiChat(dialect) => dialect,
            Self::OpenAiResponses => &Dialect::OTHER,
            Self::Anthropic | Self::Gemini | Self::Ollama | Self::Bedrock => return None,
        };
        let dialect = dialect.at(base_url);
        Some((dialect.address(base_url, path), dialect.auth()))
    }
}

#[derive(Deserialize)]
struct Answer {
    text: String,
    usage: Option<Usage>,
    duration: Option<f64>,
}

#[derive(Deserialize)]
struct Usage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    seconds: Option<f64>,
}

/// Reads the answer to [`Wire::transcribe`].
pub fn decode_transcript(body: &[u8]) -> Result<Transcript, ModelFailure> {
    let Answer { text, usage, duration } = serde_json::from_slice(body).map_err(|_| {
        let message = words!(
            "What the server answered has no words in it. Choose a model for dictation under Providers."
        )
        .to_owned();
        ModelFailure { kind: ModelFailureKind::Malformed, message, retry_after_ms: None }
    })?;
    let seconds = usage.as_ref().and_then(|usage| usage.seconds).or(duration);
    let counted = match (usage.and_then(|usage| usage.input_tokens.zip(usage.output_tokens)), seconds) {
        (Some((input, output)), _) => Counted::Tokens { input, output },
        (None, Some(seconds)) if seconds.is_finite() => Counted::Seconds(seconds.max(0.0)),
        (None, Some(_) | None) => Counted::Nothing,
    };
    Ok(Transcript { text: text.trim().to_owned(), counted })
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::agent::ProviderKind;

    #[test]
    fn a_sound_is_one_part_of_a_form_with_the_model_before_it() {
        let wire = Wire::of(ProviderKind::OpenAi).unwrap();
        let sound = Sound { kind: SoundKind::of("audio/webm;codecs=opus").unwrap(), bytes: vec![0, 255, 13] };
        let request = wire.transcribe(Some("http://h:1"), "whisper-1", &sound, "b0").unwrap();
        assert_eq!(request.url, "http://h:1/v1/audio/transcriptions");
        assert_eq!(request.headers[0].1, "multipart/form-data; boundary=b0");
        let expected = [
            b"--b0\r\ncontent-disposition: form-data; name=\"model\"\r\n\r\nwhisper-1\r\n".as_slice(),
            b"--b0\r\ncontent-disposition: form-data; name=\"response_format\"\r\n\r\njson\r\n",
            b"--b0\r\ncontent-disposition: form-data; name=\"file\"; filename=\"speech.webm\"\r\n",
            b"content-type: audio/webm\r\n\r\n\x00\xff\r\r\n--b0--\r\n",
        ];
        assert_eq!(request.body, expected.concat());
    }

    #[test]
    fn who_speaks_openais_format_may_hear_and_speak_and_nobody_else() {
        for (kind, base, expected) in [
            (ProviderKind::OpenAi, None, Some("https://api.openai.com/v1/audio/speech")),
            (ProviderKind::OpenAiResponses, None, Some("https://api.openai.com/v1/audio/speech")),
            (ProviderKind::Groq, None, Some("https://api.groq.com/openai/v1/audio/speech")),
            (ProviderKind::LlamaCpp, Some("http://h:8880/v1"), Some("http://h:8880/v1/audio/speech")),
            (
                ProviderKind::OpenAi,
                Some("http://h:8880/v1/audio/speech"),
                Some("http://h:8880/v1/audio/speech"),
            ),
            (ProviderKind::Anthropic, None, None),
            (ProviderKind::Ollama, None, None),
        ] {
            let wire = Wire::of(kind).unwrap();
            let request = wire.speak(base, "tts-1", "alloy", "Moss");
            assert_eq!(request.as_ref().map(|request| request.url.as_str()), expected, "{kind:?}");
            assert_eq!(kind.has_speech(), expected.is_some(), "{kind:?}");
        }
    }

    #[test]
    fn words_are_read_with_what_was_counted() {
        for (body, expected) in [
            (r#"{"text":" Moss. "}"#, Some(("Moss.", Counted::Nothing))),
            (
                r#"{"text":"Moss.","usage":{"type":"tokens","input_tokens":14,"output_tokens":3}}"#,
                Some(("Moss.", Counted::Tokens { input: 14, output: 3 })),
            ),
            (
                r#"{"text":"Moss.","usage":{"type":"duration","seconds":2}}"#,
                Some(("Moss.", Counted::Seconds(2.0))),
            ),
            (r#"{"text":"Moss.","duration":2.5}"#, Some(("Moss.", Counted::Seconds(2.5)))),
            (r#"{"text":"Moss.","duration":-2.5}"#, Some(("Moss.", Counted::Seconds(0.0)))),
            (r#"{"words":"Moss."}"#, None),
            ("Moss.", None),
        ] {
            let found = decode_transcript(body.as_bytes()).ok();
            let expected = expected.map(|(text, counted)| Transcript { text: text.to_owned(), counted });
            assert_eq!(found, expected, "{body}");
        }
    }
}
