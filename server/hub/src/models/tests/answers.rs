//! Whole answers of HTTP, as bytes.

pub fn answer(status: u16, headers: &str, body: &[u8]) -> Vec<u8> {
    let head = format!("HTTP/1.1 {status} Status\r\nconnection: close\r\n{headers}\r\n");
    [head.as_bytes(), body].concat()
}

/// Its body ends with the connection.
pub fn streamed(body: &[u8]) -> Vec<u8> {
    answer(200, "content-type: text/event-stream\r\n", body)
}

/// Each chunk reaches the codec by itself.
pub fn in_chunks(chunks: &[Vec<u8>]) -> Vec<u8> {
    answer(200, "transfer-encoding: chunked\r\n", &chunks.concat())
}

pub fn chunks(body: &[u8], size: usize) -> Vec<Vec<u8>> {
    body.chunks(size).map(chunk).chain([chunk(b"")]).collect()
}

pub fn chunk(bytes: &[u8]) -> Vec<u8> {
    [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat()
}

/// It has a byte less than it says.
pub fn promising(body: &[u8]) -> Vec<u8> {
    answer(200, &format!("content-length: {}\r\n", body.len() + 1), body)
}
