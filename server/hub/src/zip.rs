//! Zip archives in memory. What comes from outside is looked at before anything is unpacked, and the
//! claims that it made are held against what comes out.

use crate::error::{Error, Result};
use crate::files::FilePath;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use rawzip::{CompressionMethod, ZipArchive, ZipArchiveWriter, ZipFileHeaderRecord, ZipSliceArchive};
use std::collections::BTreeMap;
use std::io::{Read, Write};

/// Largest archive, in bytes.
pub const LARGEST_ARCHIVE: usize = 20 * 1024 * 1024;
/// All entries unpacked, in bytes.
const TOTAL: u64 = 100 * 1024 * 1024;
/// One entry unpacked, in bytes.
const ENTRY: u64 = LARGEST_ENTRY as u64;
pub(crate) const LARGEST_ENTRY: usize = 10 * 1024 * 1024;
/// All files that an agent may have, and what else belongs to it.
const ENTRIES: usize = 21_000;
/// Entries of an archive of which some are wanted.
const OTHERS: usize = 50_000;
/// How many times larger an entry may become. A small one may, it does no harm.
const RATIO: u64 = 100;
const SMALL: u64 = 64 * 1024;

/// Every file of the archive by its path. Folders have no entry of their own.
pub(crate) type Entries = BTreeMap<String, Vec<u8>>;

pub(crate) fn unpack(bytes: &[u8]) -> Result<Entries> {
    if bytes.len() > LARGEST_ARCHIVE {
        return Err(Error::Limit("The archive is larger than 20 MB.".to_owned()));
    }
    let archive = ZipArchive::from_slice(bytes).map_err(|_| Error::invalid("This is no zip archive."))?;
    let records = looked_through(&archive, bytes.len())?;
    let mut entries = Entries::new();
    let mut left = TOTAL;
    for (name, record) in records {
        let unpacked =
            unpack_one(&archive, &name, &record, left.min(ENTRY))?.ok_or_else(|| too_large(&name))?;
        left -= unpacked.len() as u64;
        entries.insert(name, unpacked);
    }
    Ok(entries)
}

/// The files with the names that are wanted, by their names. Others are not looked at: an archive that was made
/// elsewhere may have anything in it.
pub(crate) fn unpack_wanted(bytes: &[u8], most: u64, wanted: impl Fn(&str) -> bool) -> Result<Entries> {
    let archive = ZipArchive::from_slice(bytes).map_err(|_| Error::invalid("This is no zip archive."))?;
    let mut entries = Entries::new();
    let (mut count, mut left) = (0, most);
    let mut list = archive.entries();
    while let Some(record) = list.next_entry().map_err(|_| damaged())? {
        count += 1;
        if count > OTHERS {
            return Err(Error::Limit(format!("The archive has more than {OTHERS} entries.")));
        }
        let path = record.file_path();
        let Some(name) = std::str::from_utf8(path.as_bytes()).ok().filter(|name| wanted(name)) else {
            continue;
        };
        check_kind(name, &record)?;
        if record.uncompressed_size_hint() > left {
            return Err(too_much(most));
        }
        check_ratio(name, &record)?;
        let unpacked = unpack_one(&archive, name, &record, left)?.ok_or_else(|| too_much(most))?;
        left -= unpacked.len() as u64;
        if entries.insert(name.to_owned(), unpacked).is_some() {
            return Err(against(name, "it is there twice"));
        }
    }
    Ok(entries)
}

/// The first files of an archive in its own order, each with the bytes that it says to have, and how many more there
/// are. Nothing is unpacked.
pub(crate) fn list(bytes: &[u8], most: usize) -> Result<(Vec<(String, u64)>, usize)> {
    let archive = ZipArchive::from_slice(bytes).map_err(|_| Error::invalid("This is no zip archive."))?;
    let (mut files, mut count, mut more) = (Vec::new(), 0, 0);
    let mut list = archive.entries();
    while let Some(record) = list.next_entry().map_err(|_| damaged())? {
        count += 1;
        if count > OTHERS {
            return Err(Error::Limit(format!("The archive has more than {OTHERS} entries.")));
        }
        if record.is_dir() {
            continue;
        }
        if files.len() == most {
            more += 1;
            continue;
        }
        let path = record.file_path();
        let name = String::from_utf8_lossy(path.as_bytes()).into_owned();
        files.push((name, record.uncompressed_size_hint()));
    }
    Ok((files, more))
}

/// Packs the entries in the order of their names. The same entries give the same bytes.
pub(crate) fn pack(entries: &Entries) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut bytes);
    for (name, content) in entries {
        let file = archive.new_file(name).compression_method(CompressionMethod::DEFLATE);
        let (mut entry, config) = file.start().map_err(Error::internal)?;
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::default()));
        writer.write_all(content).map_err(Error::internal)?;
        let (encoder, descriptor) = writer.finish().map_err(Error::internal)?;
        encoder.finish().map_err(Error::internal)?;
        entry.finish(descriptor).map_err(Error::internal)?;
    }
    archive.finish().map_err(Error::internal)?;
    Ok(bytes)
}

/// The archive's own list of its files, if nothing in it is against the rules.
fn looked_through<'a>(
    archive: &'a ZipSliceArchive<&'a [u8]>,
    size: usize,
) -> Result<BTreeMap<String, ZipFileHeaderRecord<'a>>> {
    let mut records = BTreeMap::new();
    let (mut count, mut packed, mut total) = (0, 0_u64, 0_u64);
    let mut list = archive.entries();
    while let Some(record) = list.next_entry().map_err(|_| damaged())? {
        count += 1;
        if count > ENTRIES {
            return Err(Error::Limit("The archive has more than 21,000 entries.".to_owned()));
        }
        let name = name_of(&record)?;
        check(&name, &record)?;
        packed = packed.saturating_add(record.compressed_size_hint());
        total = total.saturating_add(record.uncompressed_size_hint());
        if !record.is_dir() && records.insert(name.clone(), record).is_some() {
            return Err(against(&name, "it is there twice"));
        }
    }
    if count as u64 != archive.entries_hint() || packed > size as u64 {
        return Err(damaged());
    }
    if total > TOTAL {
        return Err(Error::Limit("The archive is larger than 100 MB when it is unpacked.".to_owned()));
    }
    Ok(records)
}

fn name_of(record: &ZipFileHeaderRecord<'_>) -> Result<String> {
    let path = record.file_path();
    let name = std::str::from_utf8(path.as_bytes())
        .map_err(|_| Error::invalid("The name of an entry is not written in UTF-8."))?;
    // The name of a folder ends in a slash.
    FilePath::seen(name.strip_suffix('/').filter(|_| record.is_dir()).unwrap_or(name))?;
    Ok(name.to_owned())
}

fn check(name: &str, record: &ZipFileHeaderRecord<'_>) -> Result<()> {
    check_kind(name, record)?;
    if record.uncompressed_size_hint() > ENTRY {
        return Err(too_large(name));
    }
    check_ratio(name, record)
}

fn check_kind(name: &str, record: &ZipFileHeaderRecord<'_>) -> Result<()> {
    if record.mode().is_symlink() {
        return Err(against(name, "it is a link"));
    }
    if record.flags().is_encrypted() || record.flags().has_strong_encryption() {
        return Err(against(name, "it is encrypted"));
    }
    let method = record.compression_method();
    if method != CompressionMethod::STORE && method != CompressionMethod::DEFLATE {
        return Err(against(name, "it is packed in a way that is not read here"));
    }
    Ok(())
}

fn check_ratio(name: &str, record: &ZipFileHeaderRecord<'_>) -> Result<()> {
    let (packed, unpacked) = (record.compressed_size_hint(), record.uncompressed_size_hint());
    if unpacked > SMALL && unpacked > packed.saturating_mul(RATIO) {
        return Err(against(name, "it becomes more than 100 times larger when it is unpacked"));
    }
    Ok(())
}

/// `None`: it becomes more than this.
fn unpack_one(
    archive: &ZipSliceArchive<&[u8]>,
    name: &str,
    record: &ZipFileHeaderRecord<'_>,
    most: u64,
) -> Result<Option<Vec<u8>>> {
    let broken = |_| against(name, "it is damaged");
    let entry = archive.get_entry(record.wayfinder()).map_err(broken)?;
    if entry.local_header().file_path().as_bytes() != name.as_bytes() {
        return Err(against(name, "it has two names"));
    }
    let unpacked = if record.compression_method() == CompressionMethod::STORE {
        read(entry.verifying_reader(entry.data()), most)
    } else {
        read(entry.verifying_reader(DeflateDecoder::new(entry.data())), most)
    };
    let unpacked = unpacked.map_err(|_| against(name, "it is damaged"))?;
    Ok(Some(unpacked).filter(|unpacked| unpacked.len() as u64 <= most))
}

/// One byte more than `most` tells that there was more.
fn read(reader: impl Read, most: u64) -> std::io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader.take(most + 1).read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn damaged() -> Error {
    Error::invalid("The archive is damaged.")
}

fn too_much(most: u64) -> Error {
    Error::Limit(format!(
        "What is in the archive has more than {} MB when it is unpacked.",
        most / (1024 * 1024)
    ))
}

fn too_large(name: &str) -> Error {
    Error::Limit(format!("{name} cannot be taken in: it is larger than 10 MB."))
}

pub(crate) fn against(name: &str, why: &str) -> Error {
    Error::invalid(format!("{name} cannot be taken in: {why}."))
}
