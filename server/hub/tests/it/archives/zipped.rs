//! Archives as somebody else makes them: from a folder of fixtures, or wrong on purpose.

use flate2::Compression;
use flate2::write::DeflateEncoder;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use std::fs;
use std::io::Write;
use std::path::Path;

/// A zip archive that is written entry by entry, whatever sense that makes.
pub struct Zipped {
    archive: ZipArchiveWriter<Vec<u8>>,
}

impl Zipped {
    pub fn new() -> Self {
        Self { archive: ZipArchiveWriter::new(Vec::new()) }
    }

    pub fn with(self, name: &str, bytes: &[u8]) -> Self {
        self.with_odd(name, bytes, Odd::Plain)
    }

    pub fn with_odd(mut self, name: &str, bytes: &[u8], odd: Odd) -> Self {
        let path = EntryPath::verbatim(name.as_bytes());
        let file = self.archive.new_file(path).compression_method(CompressionMethod::DEFLATE);
        let file = match odd {
            Odd::Plain => file,
            Odd::Link => file.unix_permissions(0o120_777),
            Odd::Encrypted => file.encrypted(true),
        };
        let (mut entry, config) = file.start().unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::best()));
        writer.write_all(bytes).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
        self
    }

    pub fn bytes(self) -> Vec<u8> {
        self.archive.finish().unwrap()
    }
}

#[derive(Clone, Copy)]
pub enum Odd {
    Plain,
    Link,
    Encrypted,
}

/// The archive of a folder in `fixtures/archives`.
pub fn fixture(name: &str) -> Vec<u8> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it/fixtures/archives").join(name);
    add(Zipped::new(), &root, "").bytes()
}

fn add(mut zipped: Zipped, folder: &Path, before: &str) -> Zipped {
    let mut children: Vec<_> = fs::read_dir(folder).unwrap().map(|child| child.unwrap()).collect();
    children.sort_by_key(fs::DirEntry::file_name);
    for child in children {
        let name = format!("{before}{}", child.file_name().to_str().unwrap());
        zipped = if child.path().is_dir() {
            add(zipped, &child.path(), &format!("{name}/"))
        } else {
            zipped.with(&name, &fs::read(child.path()).unwrap())
        };
    }
    zipped
}
