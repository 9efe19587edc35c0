//! A zip file that is sent on while it is written.

use crate::conversations::ConversationExport;
use crate::error::{Error, Result};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::sync::mpsc::Sender;
use tokio::time::timeout;

/// Bytes that are packed without a pause for others.
const CHUNK: usize = 64 * 1024;
/// Bytes of a part that is sent on.
const PART: usize = 128 * 1024;
/// How long a reader may take for a part.
const PATIENCE: Duration = Duration::from_secs(60);

/// What goes to the reader.
#[derive(Debug)]
pub(super) enum Piece {
    Bytes(Vec<u8>),
    /// It is whole.
    End,
    /// Nothing comes after this, and what came is not whole.
    Broken(Error),
}

/// Where the bytes of a file come from.
pub(super) enum Source {
    Bytes(Option<Vec<u8>>),
    Conversation(Box<ConversationExport>),
}

impl Source {
    async fn next(&mut self) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Bytes(bytes) => Ok(bytes.take()),
            Self::Conversation(export) => Ok(export.next().await?.map(String::into_bytes)),
        }
    }
}

impl From<Vec<u8>> for Source {
    fn from(bytes: Vec<u8>) -> Self {
        Self::Bytes(Some(bytes))
    }
}

impl From<String> for Source {
    fn from(text: String) -> Self {
        text.into_bytes().into()
    }
}

/// What was packed and not sent on yet.
#[derive(Clone, Debug, Default)]
struct Packed(Arc<Mutex<Vec<u8>>>);

impl Packed {
    fn take(&self, least: usize) -> Option<Vec<u8>> {
        let mut packed = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        (!packed.is_empty() && packed.len() >= least).then(|| std::mem::take(&mut *packed))
    }
}

impl Write for Packed {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

pub(super) struct ZipWriter {
    archive: ZipArchiveWriter<Packed>,
    reader: Reader,
}

/// Who takes the parts.
struct Reader {
    packed: Packed,
    sender: Sender<Piece>,
}

impl Reader {
    /// Fails if nobody reads any more.
    async fn send(&self, least: usize) -> Result<()> {
        let Some(bytes) = self.packed.take(least) else {
            tokio::task::yield_now().await;
            return Ok(());
        };
        match timeout(PATIENCE, self.sender.send(Piece::Bytes(bytes))).await {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Error::Conflict("Nobody reads it any more.".to_owned())),
        }
    }
}

impl ZipWriter {
    pub(super) fn new(sender: Sender<Piece>) -> Self {
        let packed = Packed::default();
        Self { archive: ZipArchiveWriter::new(packed.clone()), reader: Reader { packed, sender } }
    }

    /// Writes a file of this path.
    pub(super) async fn add(&mut self, path: &str, source: impl Into<Source>) -> Result<()> {
        let (mut source, reader) = (source.into(), &self.reader);
        let file = self.archive.new_file(path).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().map_err(Error::internal)?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        while let Some(bytes) = source.next().await? {
            for chunk in bytes.chunks(CHUNK) {
                writer.write_all(chunk).map_err(Error::internal)?;
                reader.send(PART).await?;
            }
        }
        let (encoder, descriptor) = writer.finish().map_err(Error::internal)?;
        encoder.finish().map_err(Error::internal)?;
        entry.finish(descriptor).map_err(Error::internal)?;
        Ok(())
    }

    /// Writes what stands at the end of the file, or says why there is none.
    pub(super) async fn end(self, written: Result<()>) {
        let Self { archive, reader } = self;
        let ended = match written {
            Ok(()) => archive.finish().map(drop).map_err(Error::internal),
            Err(error) => Err(error),
        };
        let sent = match ended {
            Ok(()) => reader.send(0).await,
            Err(error) => Err(error),
        };
        let last = sent.map_or_else(Piece::Broken, |()| Piece::End);
        // Whoever went does not hear it.
        let _ = timeout(PATIENCE, reader.sender.send(last)).await;
    }
}
