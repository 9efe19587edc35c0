//! What is embedded as browsers take it: beside each file its brotli and its gzip.

use flate2::Compression;
use flate2::write::GzEncoder;
use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

/// Bytes that brotli looks back over, as a power of two.
const WINDOW: u32 = 22;
const BUFFER_BYTES: usize = 4096;

/// How much time the build takes for it.
#[derive(Clone, Copy)]
pub(crate) enum Effort {
    Least,
    Most,
}

impl Effort {
    fn brotli(self) -> u32 {
        match self {
            Self::Least => 1,
            Self::Most => 11,
        }
    }

    fn gzip(self) -> Compression {
        match self {
            Self::Least => Compression::fast(),
            Self::Most => Compression::best(),
        }
    }
}

/// Writes `name`, `name.br` and `name.gz`.
pub(crate) fn write(out: &Path, name: &str, bytes: &[u8], effort: Effort) -> Result<(), Box<dyn Error>> {
    fs::write(out.join(name), bytes)?;
    let file = fs::File::create(out.join(format!("{name}.br")))?;
    let mut brotli = brotli::CompressorWriter::new(file, BUFFER_BYTES, effort.brotli(), WINDOW);
    brotli.write_all(bytes)?;
    brotli.flush()?;
    let file = fs::File::create(out.join(format!("{name}.gz")))?;
    let mut gzip = GzEncoder::new(file, effort.gzip());
    gzip.write_all(bytes)?;
    gzip.finish()?;
    Ok(())
}
