//! A collector of OpenTelemetry: it takes what is sent to it over HTTP, and reads it.

use flate2::read::GzDecoder;
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::metrics::v1::Metric;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

#[derive(Default)]
struct Taken {
    heads: Vec<String>,
    bytes: Vec<u8>,
    spans: Vec<Span>,
    metrics: Vec<Metric>,
}

pub struct Collector {
    pub url: String,
    taken: Arc<Mutex<Taken>>,
}

impl Collector {
    pub fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let taken: Arc<Mutex<Taken>> = Arc::default();
        let into = Arc::clone(&taken);
        thread::spawn(move || {
            for mut stream in listener.incoming().flatten() {
                // One request for each connection: the answer says so.
                let Some((head, body)) = request(&stream) else { continue };
                take(&mut into.lock().unwrap(), head, &body);
                let _ =
                    stream.write_all(b"HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
            }
        });
        Self { url, taken }
    }

    pub fn spans(&self) -> Vec<Span> {
        self.taken.lock().unwrap().spans.clone()
    }

    /// The last of this name.
    pub fn metric(&self, name: &str) -> Option<Metric> {
        self.taken.lock().unwrap().metrics.iter().rev().find(|metric| metric.name == name).cloned()
    }

    pub fn heads(&self) -> Vec<String> {
        self.taken.lock().unwrap().heads.clone()
    }

    /// Whether these words are in anything that came.
    pub fn has(&self, words: &str) -> bool {
        let taken = self.taken.lock().unwrap();
        taken.bytes.windows(words.len()).any(|window| window == words.as_bytes())
    }
}

/// What stands there, as text.
pub fn attribute(attributes: &[KeyValue], key: &str) -> Option<String> {
    let value = attributes.iter().find(|attribute| attribute.key == key)?.value.clone()?.value?;
    Some(match value {
        Value::StringValue(text) => text,
        Value::IntValue(number) => number.to_string(),
        Value::ArrayValue(values) => format!("{:?}", values.values),
        other => format!("{other:?}"),
    })
}

fn take(taken: &mut Taken, head: String, body: &[u8]) {
    taken.bytes.extend(body);
    if head.starts_with("POST /v1/traces ") {
        let spans = ExportTraceServiceRequest::decode(body).expect("traces").resource_spans;
        taken.spans.extend(spans.into_iter().flat_map(|of| of.scope_spans).flat_map(|of| of.spans));
    } else if head.starts_with("POST /v1/metrics ") {
        let metrics = ExportMetricsServiceRequest::decode(body).expect("metrics").resource_metrics;
        taken.metrics.extend(metrics.into_iter().flat_map(|of| of.scope_metrics).flat_map(|of| of.metrics));
    }
    taken.heads.push(head);
}

fn request(stream: &TcpStream) -> Option<(String, Vec<u8>)> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).ok()? == 0 {
            return None;
        }
        if line.trim().is_empty() {
            break;
        }
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().ok()?;
        }
        head.push_str(&line);
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    if head.to_ascii_lowercase().contains("content-encoding: gzip") {
        let mut whole = Vec::new();
        GzDecoder::new(&*body).read_to_end(&mut whole).ok()?;
        body = whole;
    }
    Some((head, body))
}
