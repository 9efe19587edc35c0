//! The other archive in which skills come: a tar within a gzip, in memory. It may have what a zip may.

use crate::error::{Error, Result};
use crate::files::FilePath;
use crate::zip::{Entries, against};
use flate2::read::GzDecoder;
use std::io::Read;

/// Bytes of all of it, unpacked.
const TOTAL: u64 = 64 * 1024 * 1024;
/// Bytes of one file, and of what says more of one.
const FILE: u64 = 10 * 1024 * 1024;
const MORE: u64 = 64 * 1024;
const FILES: usize = 1000;
const BLOCK: usize = 512;

pub(super) fn unpack(bytes: &[u8]) -> Result<Entries> {
    let mut reader = GzDecoder::new(bytes).take(TOTAL + 1);
    let mut entries = Entries::new();
    // The name of the next file, where it does not fit in its head.
    let mut long = None;
    let mut heads = 0;
    while let Some(head) = head(&mut reader)? {
        heads += 1;
        if heads > FILES * 2 || entries.len() >= FILES {
            return Err(Error::Limit(format!("The archive has more than {FILES} files.")));
        }
        match head.kind {
            b'g' => {
                content(&mut reader, head.bytes, MORE)?;
            }
            b'x' => long = path_of(&content(&mut reader, head.bytes, MORE)?).or(long),
            b'L' => long = Some(text(&content(&mut reader, head.bytes, MORE)?)?),
            b'0' | b'\0' => {
                let name = long.take().unwrap_or(head.name);
                let name = name.strip_prefix("./").unwrap_or(&name);
                let name = FilePath::check(name)?.to_string();
                if head.bytes > FILE {
                    return Err(against(&name, "it is larger than 10 MB"));
                }
                let bytes = content(&mut reader, head.bytes, FILE)?;
                if entries.insert(name.clone(), bytes).is_some() {
                    return Err(against(&name, "it is there twice"));
                }
            }
            b'5' => long = None,
            b'1' | b'2' => return Err(against(&long.unwrap_or(head.name), "it is a link")),
            _ => return Err(against(&long.unwrap_or(head.name), "it is no file")),
        }
    }
    Ok(entries)
}

struct Head {
    name: String,
    kind: u8,
    bytes: u64,
}

/// `None`: the archive says that it ends here.
fn head(reader: &mut impl Read) -> Result<Option<Head>> {
    let mut block = [0; BLOCK];
    reader.read_exact(&mut block).map_err(|_| cut())?;
    if block.iter().all(|byte| *byte == 0) {
        return Ok(None);
    }
    // The sum is of the block with blanks in its own place.
    let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
    let own: u64 = block[148..156].iter().map(|byte| u64::from(*byte)).sum();
    if number(&block[148..156])? != sum - own + 8 * u64::from(b' ') {
        return Err(damaged());
    }
    let before = if &block[257..263] == b"ustar\0" { text(&block[345..500])? } else { String::new() };
    let name = text(&block[..100])?;
    let name = if before.is_empty() { name } else { format!("{before}/{name}") };
    Ok(Some(Head { name, kind: block[156], bytes: number(&block[124..136])? }))
}

/// With what fills its last block.
fn content(reader: &mut impl Read, bytes: u64, most: u64) -> Result<Vec<u8>> {
    if bytes > most {
        return Err(damaged());
    }
    let filled = bytes.next_multiple_of(BLOCK as u64);
    let mut content = Vec::new();
    reader.take(filled).read_to_end(&mut content).map_err(|_| damaged())?;
    if (content.len() as u64) < filled {
        return Err(cut());
    }
    content.truncate(usize::try_from(bytes).map_err(|_| damaged())?);
    Ok(content)
}

/// The name among what is said more of a file: lines with their length, a key and a value.
fn path_of(more: &[u8]) -> Option<String> {
    let more = str::from_utf8(more).ok()?;
    more.lines().find_map(|line| line.split_once(' ')?.1.strip_prefix("path=").map(str::to_owned))
}

fn text(field: &[u8]) -> Result<String> {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    str::from_utf8(&field[..end])
        .map(str::to_owned)
        .map_err(|_| Error::invalid("The name of an entry is not written in UTF-8."))
}

/// In octal.
fn number(field: &[u8]) -> Result<u64> {
    let digits = str::from_utf8(field).map_err(|_| damaged())?;
    let digits = digits.trim_matches(|letter| matches!(letter, ' ' | '\0'));
    u64::from_str_radix(if digits.is_empty() { "0" } else { digits }, 8).map_err(|_| damaged())
}

fn cut() -> Error {
    Error::invalid("The archive is damaged, or larger than 64 MB when it is unpacked.")
}

fn damaged() -> Error {
    Error::invalid("The archive is damaged.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::io::Write;

    /// A head and what it is of, as `tar` writes them.
    fn entry(name: &str, kind: u8, content: &[u8]) -> Vec<u8> {
        let mut block = [0_u8; BLOCK];
        block[..name.len()].copy_from_slice(name.as_bytes());
        block[124..135].copy_from_slice(format!("{:011o}", content.len()).as_bytes());
        block[156] = kind;
        block[257..263].copy_from_slice(b"ustar\0");
        block[148..156].copy_from_slice(&[b' '; 8]);
        let sum: u64 = block.iter().map(|byte| u64::from(*byte)).sum();
        block[148..155].copy_from_slice(format!("{sum:06o}\0").as_bytes());
        let mut bytes = block.to_vec();
        bytes.extend_from_slice(content);
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
        bytes
    }

    fn packed(entries: &[Vec<u8>]) -> Vec<u8> {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        entries.iter().for_each(|entry| encoder.write_all(entry).expect("it is written"));
        encoder.write_all(&[0; BLOCK * 2]).expect("it is written");
        encoder.finish().expect("it is written")
    }

    #[test]
    fn files_are_read_by_their_names_however_long() {
        let long = format!("moss/{}.md", "a".repeat(120));
        let pax = format!("{} path={long}\n", long.len() + 10);
        let bytes = packed(&[
            entry("pax_global_header", b'g', b"52 comment=0123\n"),
            entry("moss/", b'5', b""),
            entry("./moss/SKILL.md", b'0', b"one"),
            entry("x", b'x', pax.as_bytes()),
            entry("moss/aaa", b'0', b"two"),
            entry("long", b'L', b"moss/another\0"),
            entry("moss/cut", b'\0', b"three"),
        ]);
        let entries = unpack(&bytes).expect("it can be read");
        let read: Vec<(&str, &[u8])> = entries.iter().map(|(name, it)| (name.as_str(), &**it)).collect();
        assert_eq!(
            read,
            [("moss/SKILL.md", &b"one"[..]), (long.as_str(), b"two"), ("moss/another", b"three")]
        );
    }

    #[test]
    fn what_leads_out_or_grows_is_refused() {
        let broken = {
            let mut entry = entry("a", b'0', b"x");
            entry[0] = b'b';
            entry
        };
        let mut cut = entry("a", b'0', b"");
        cut[124..135].copy_from_slice(b"00000001000");
        let many: Vec<Vec<u8>> = (0..1001).map(|n| entry(&format!("f{n}"), b'0', b"")).collect();
        for (entries, why) in [
            (vec![entry("a", b'2', b"")], "it is a link"),
            (vec![entry("a", b'1', b"")], "it is a link"),
            (vec![entry("a", b'3', b"")], "it is no file"),
            (vec![entry("../a", b'0', b"x")], "cannot name a file"),
            (vec![entry("/etc/a", b'0', b"x")], "cannot name a file"),
            (vec![entry("a", b'0', b"x"), entry("a", b'0', b"y")], "there twice"),
            (vec![entry("a", b'0', &vec![0; 11 * 1024 * 1024])], "larger than 10 MB"),
            (vec![entry("a", b'x', &vec![0; 70_000])], "damaged"),
            (vec![broken], "damaged"),
            (vec![cut], "damaged"),
            (many, "more than 1000 files"),
        ] {
            let error = unpack(&packed(&entries)).expect_err(why).to_string();
            assert!(error.contains(why), "{why}: {error}");
        }
        let bomb: Vec<Vec<u8>> =
            (0..7).map(|n| entry(&format!("f{n}"), b'0', &vec![0; 10 * 1024 * 1024])).collect();
        assert!(unpack(&packed(&bomb)).expect_err("it grows").to_string().contains("larger than 64 MB"));
        assert!(unpack(b"\x1f\x8bnothing").is_err());
    }
}
