//! Files that the program carries at its end, in a zip archive: so it is one file that runs from any
//! folder. Programs that read zip archives find them there too.

use super::folder::Folder;
use super::is_squeezed;
use crate::encoding::Encoding;
use crate::startup_error::StartupError;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use http::{HeaderMap, HeaderValue, header};
use rawzip::{CompressionMethod, RECOMMENDED_BUFFER_SIZE, ZipArchive, ZipArchiveWriter};
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

/// The archive's comment, and so the last bytes of a program that carries a site.
const MARK: &[u8] = b"The site of Vivarium";
/// Without it no page runs.
const STYLES: &str = "pkg/vivarium.css";

#[derive(Debug)]
pub(super) struct Carried(BTreeMap<String, Bytes>);

impl Carried {
    /// `None`: this program carries nothing.
    pub(super) fn read(program: &Path) -> io::Result<Option<Self>> {
        let mut file = File::open(program)?;
        if !is_marked(&mut file)? {
            return Ok(None);
        }
        let mut buffer = vec![0; RECOMMENDED_BUFFER_SIZE];
        let archive = ZipArchive::from_file(file, &mut buffer).map_err(io::Error::other)?;
        let (mut entries, mut found) = (archive.entries(&mut buffer), Vec::new());
        while let Some(entry) = entries.next_entry().map_err(io::Error::other)? {
            let name = entry.file_path().try_normalize().map_err(io::Error::other)?;
            found.push((name.as_ref().to_owned(), entry.wayfinder()));
        }
        let mut files = BTreeMap::new();
        for (name, wayfinder) in found {
            let entry = archive.get_entry(wayfinder).map_err(io::Error::other)?;
            let mut bytes = Vec::new();
            entry.verifying_reader(entry.reader()).read_to_end(&mut bytes)?;
            files.insert(name, bytes.into());
        }
        Ok(Some(Self(files)))
    }

    pub(super) fn each(&self, see: &mut impl FnMut(&[u8], &[u8])) {
        for (name, bytes) in self.0.iter().filter(|(name, _)| !is_squeezed(Path::new(name))) {
            see(name.as_bytes(), bytes);
        }
    }

    pub(super) fn whole(&self, name: &str) -> Option<Vec<u8>> {
        self.0.get(name).map(|bytes| bytes.to_vec())
    }

    /// `path` begins with a slash. No name of a file has anything that is escaped.
    pub(super) fn answer(&self, path: &str, headers: &HeaderMap) -> Option<Response> {
        let name = path.strip_prefix('/')?;
        let plain = self.0.get(name).filter(|_| !is_squeezed(Path::new(name)))?;
        let (encoding, bytes) = match Encoding::of(headers) {
            Encoding::Brotli => {
                match (self.0.get(&format!("{name}.br")), self.0.get(&format!("{name}.gz"))) {
                    (Some(brotli), _) => (Encoding::Brotli, brotli),
                    (None, Some(gzip)) => (Encoding::Gzip, gzip),
                    (None, None) => (Encoding::Plain, plain),
                }
            }
            Encoding::Gzip => match self.0.get(&format!("{name}.gz")) {
                Some(gzip) => (Encoding::Gzip, gzip),
                None => (Encoding::Plain, plain),
            },
            Encoding::Plain => (Encoding::Plain, plain),
        };
        let kind = mime_guess::from_path(name).first_raw().unwrap_or("application/octet-stream");
        let kind = HeaderValue::from_static(kind);
        let mut response = ([(header::CONTENT_TYPE, kind)], bytes.clone()).into_response();
        encoding.tell(response.headers_mut());
        Some(response)
    }
}

/// Writes a copy of the program that carries the folder's files into a file that is not there yet.
/// Gives how many bytes it has.
pub fn pack(program: &Path, site: &Path, to: &Path) -> Result<u64, StartupError> {
    let unread = |path: &Path| {
        let path = path.display().to_string();
        move |error: io::Error| StartupError(format!("{path} cannot be read: {error}."))
    };
    let unwritten = |error: io::Error| StartupError(format!("{}: {error}.", to.display()));
    let mut source = File::open(program).map_err(unread(program))?;
    if is_marked(&mut source).map_err(unread(program))? {
        return Err(StartupError(
            "This program carries a site already. Pack the one that the build made.".to_owned(),
        ));
    }
    let folder = Folder::new(site);
    let names = folder.names().map_err(unread(site))?;
    if !names.iter().any(|name| name == Path::new(STYLES)) {
        return Err(StartupError(format!(
            "{} is no site: {STYLES} is not in it. `cargo leptos build --release --precompress` makes one \
             in target/site.",
            site.display()
        )));
    }
    let mut file = OpenOptions::new().write(true).create_new(true).mode(0o755).open(to).map_err(unwritten)?;
    let written = (|| {
        let length = io::copy(&mut source, &mut file)?;
        let mut archive = ZipArchiveWriter::builder().with_offset(length).build(&mut file);
        archive.set_comment(MARK);
        for name in names {
            let name = name.to_str().ok_or_else(|| io::Error::other("a name that is not UTF-8"))?;
            let bytes = folder.whole(name)?.unwrap_or_default();
            let entry = archive.new_file(name).compression_method(CompressionMethod::STORE);
            let (mut entry, config) = entry.start().map_err(io::Error::other)?;
            let mut writer = config.wrap(&mut entry);
            writer.write_all(&bytes)?;
            let (_, descriptor) = writer.finish().map_err(io::Error::other)?;
            entry.finish(descriptor).map_err(io::Error::other)?;
        }
        archive.finish().map_err(io::Error::other)?;
        file.sync_all()?;
        file.metadata().map(|metadata| metadata.len())
    })();
    written.map_err(|error| {
        // Half a program is none.
        let _ = std::fs::remove_file(to);
        unwritten(error)
    })
}

fn is_marked(file: &mut File) -> io::Result<bool> {
    let mut end = vec![0; MARK.len()];
    let Some(start) = file.metadata()?.len().checked_sub(end.len() as u64) else { return Ok(false) };
    file.seek(SeekFrom::Start(start))?;
    file.read_exact(&mut end)?;
    file.rewind()?;
    Ok(end == MARK)
}
