//! The file: JSON, one value a line, in gzip. First what it is, then each table with its rows, and at the end
//! what there should have been, so that a file that was cut is known by that.

use super::digest::Sum;
use super::{Backup, BackupError, Contents, Result};
use crate::vault::SealedKeys;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::fs::{self, File, OpenOptions};
use std::io::{BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

/// The one form that there is.
const FORM: u32 = 1;
/// With what the name of one ends that is being written. It is locked for as long.
pub(super) const UNFINISHED: &str = "unfinished";
/// Bytes of a line: the largest thing that a row can hold is far smaller.
const LONGEST_LINE: u64 = 512 * 1024 * 1024;

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct Header {
    pub(super) vivarium_backup: u32,
    pub(super) program: String,
    pub(super) schema: i64,
    pub(super) made_at: i64,
    pub(super) keys: Option<SealedKeys>,
}

impl Header {
    pub(super) fn new(schema: i64, made_at: i64, keys: Option<SealedKeys>) -> Self {
        let program = env!("CARGO_PKG_VERSION").to_owned();
        Self { vivarium_backup: FORM, program, schema, made_at, keys }
    }
}

/// What stands between rows.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Mark {
    Table { name: String, columns: Vec<String> },
    End { tables: usize, rows: u64, digest: String },
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Line {
    Row(Vec<Value>),
    Mark(Mark),
}

/// One thing of a backup.
pub(super) enum Part {
    Table { name: String, columns: Vec<String> },
    Row(Vec<Value>),
}

#[derive(Default)]
struct Count {
    table: String,
    tables: usize,
    rows: u64,
    sum: Sum,
}

impl Count {
    fn contents(&self) -> Contents {
        Contents { tables: self.tables, rows: self.rows, digest: self.sum.to_text() }
    }
}

/// Counts rows, and keeps them if there is a file for it.
pub(super) struct Writer {
    draft: Option<Draft>,
    count: Count,
}

/// A file that has its name only when it is whole.
struct Draft {
    to: PathBuf,
    path: PathBuf,
    out: GzEncoder<BufWriter<File>>,
}

impl Writer {
    pub(super) fn counting() -> Self {
        Self { draft: None, count: Count::default() }
    }

    pub(super) fn create(to: &Path, header: &Header) -> Result<Self> {
        let path = to.with_extension(UNFINISHED);
        let failed = |error| BackupError::of_file(&path, error);
        let mut options = OpenOptions::new();
        options.write(true).create(true).truncate(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let file = options.open(&path).map_err(failed)?;
        // Where a disk knows no locks, nobody takes it for one that was left either.
        let _ = file.try_lock();
        let out = GzEncoder::new(BufWriter::new(file), Compression::fast());
        let draft = Draft { to: to.to_owned(), path, out };
        let mut writer = Self { draft: Some(draft), count: Count::default() };
        writer.line(&serde_json::to_vec(header).unwrap_or_default())?;
        Ok(writer)
    }

    pub(super) fn table(&mut self, name: &str, columns: Vec<String>) -> Result<()> {
        self.count.tables += 1;
        name.clone_into(&mut self.count.table);
        self.mark(&Mark::Table { name: name.to_owned(), columns })
    }

    pub(super) fn row(&mut self, values: &[Value]) -> Result<()> {
        let line = serde_json::to_vec(values).unwrap_or_default();
        self.count.rows += 1;
        self.count.sum.add(&self.count.table, &line);
        self.line(&line)
    }

    /// Puts the file, if there is one, in its place.
    pub(super) fn finish(mut self) -> Result<Contents> {
        let contents = self.count.contents();
        let Contents { tables, rows, digest } = contents.clone();
        self.mark(&Mark::End { tables, rows, digest })?;
        let Some(Draft { to, path, out }) = self.draft.take() else { return Ok(contents) };
        let done = out
            .finish()
            .and_then(|file| file.into_inner().map_err(std::io::IntoInnerError::into_error))
            .and_then(|file| file.sync_all())
            .and_then(|()| fs::rename(&path, &to));
        done.map_err(|error| {
            forget(&path);
            BackupError::of_file(&path, error)
        })?;
        Ok(contents)
    }

    fn mark(&mut self, mark: &Mark) -> Result<()> {
        self.line(&serde_json::to_vec(mark).unwrap_or_default())
    }

    fn line(&mut self, line: &[u8]) -> Result<()> {
        let Some(draft) = &mut self.draft else { return Ok(()) };
        let written = draft.out.write_all(line).and_then(|()| draft.out.write_all(b"\n"));
        written.map_err(|error| BackupError::of_file(&draft.path, error))
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        if let Some(draft) = &self.draft {
            forget(&draft.path);
        }
    }
}

/// It stays if that fails, under a name that says what it is.
fn forget(draft: &Path) {
    let _ = fs::remove_file(draft);
}

/// Reads a backup, and believes it when its end was there.
pub(super) struct Reader {
    path: PathBuf,
    lines: BufReader<GzDecoder<BufReader<File>>>,
    pub(super) header: Header,
    count: Count,
    is_over: bool,
}

impl Reader {
    pub(super) fn open(path: &Path) -> Result<Self> {
        let file = File::open(path).map_err(|error| BackupError::File(path.to_owned(), error))?;
        let mut lines = BufReader::new(GzDecoder::new(BufReader::new(file)));
        let none = || BackupError::NoBackup(path.to_owned());
        let line = line(&mut lines).map_err(|_| none())?.ok_or_else(none)?;
        let header: Header = serde_json::from_slice(&line).map_err(|_| none())?;
        if header.vivarium_backup != FORM {
            return Err(BackupError::Newer(header.program));
        }
        Ok(Self { path: path.to_owned(), lines, header, count: Count::default(), is_over: false })
    }

    pub(super) fn next(&mut self) -> Result<Option<Part>> {
        let line = match line(&mut self.lines) {
            Ok(line) => line,
            Err(error) => return Err(self.damaged(&error.to_string())),
        };
        match (line, self.is_over) {
            (None, true) => Ok(None),
            (None, false) => Err(self.damaged("its end is missing")),
            (Some(_), true) => Err(self.damaged("something stands after its end")),
            (Some(line), false) => self.take(&line),
        }
    }

    fn take(&mut self, line: &[u8]) -> Result<Option<Part>> {
        match serde_json::from_slice(line) {
            Ok(Line::Row(values)) => {
                self.count.rows += 1;
                self.count.sum.add(&self.count.table, line);
                Ok(Some(Part::Row(values)))
            }
            Ok(Line::Mark(Mark::Table { name, columns })) => {
                self.count.tables += 1;
                self.count.table.clone_from(&name);
                Ok(Some(Part::Table { name, columns }))
            }
            Ok(Line::Mark(Mark::End { tables, rows, digest })) => {
                if self.count.contents() != (Contents { tables, rows, digest }) {
                    return Err(self.damaged("it does not hold what it should"));
                }
                self.is_over = true;
                self.next()
            }
            Err(_) => Err(self.damaged("a line of it is none of a backup's")),
        }
    }

    /// Call it when there is nothing more.
    pub(super) fn into_backup(self) -> Result<Backup> {
        let contents = self.count.contents();
        let Header { program, made_at, keys, .. } = self.header;
        Ok(Backup { program, made_at, keys, contents })
    }

    pub(super) fn damaged(&self, why: &str) -> BackupError {
        BackupError::Damaged(self.path.clone(), why.to_owned())
    }
}

/// The next line without its end. What is longer than any can be ends there, and is no JSON.
fn line(lines: &mut impl BufRead) -> std::io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    lines.take(LONGEST_LINE).read_until(b'\n', &mut line)?;
    if line.last() == Some(&b'\n') {
        line.pop();
        return Ok(Some(line));
    }
    Ok((!line.is_empty()).then_some(line))
}
