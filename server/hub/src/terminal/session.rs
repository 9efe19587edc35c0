//! What one command hands to the next of the same session: the folder in which it ended, and its variables. The command
//! writes both itself at its end, into a folder of the room, and they are only ever given to a shell.

use super::confine;
use super::way_out;
use rustix::fs::OFlags;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Path, PathBuf};

/// Bytes of all variables of a session.
const MOST_BYTES: usize = 32 * 1024;
/// Where both are within a room.
pub(super) const WITHIN: &str = "/run/session";
const BEFORE: &str = "before";
const FOLDER: &str = "folder";
const VARIABLES: &str = "variables";
/// What shells set by themselves.
const OF_SHELLS: [&str; 4] = ["PWD", "OLDPWD", "SHLVL", "_"];

/// Runs when the command ends, however it does that by itself.
pub(super) const AT_END: &str =
    "trap '{ pwd -P >/run/session/folder; env -0 >/run/session/variables; } 2>/dev/null' EXIT";

/// What a command begins with, or left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Session {
    /// From the root.
    pub(crate) folder: String,
    pub(crate) variables: Vec<(String, String)>,
}

impl Session {
    /// Puts it into the folder of the room that is for it, and says in which file.
    pub(super) fn write(&self, at: &Path) -> io::Result<PathBuf> {
        let (file, lines) =
            (at.join(BEFORE), self.variables.iter().map(|(name, value)| format!("{name}={value}\0")));
        fs::write(&file, lines.collect::<String>())?;
        Ok(file)
    }

    /// What the command left there. None: it did not come to its end, or left none.
    pub(super) fn left(at: &Path) -> Option<Self> {
        let text = |name| String::from_utf8(read(&at.join(name)).ok()?).ok();
        let folder = text(FOLDER)?.strip_suffix('\n')?.to_owned();
        Some(Self { folder, variables: parse(&text(VARIABLES)?) })
    }
}

/// The variables that a command begins with, read within the room.
pub(super) fn begun_with() -> io::Result<Vec<(String, String)>> {
    let before = read(&Path::new(WITHIN).join(BEFORE))?;
    Ok(parse(&String::from_utf8_lossy(&before)))
}

/// No more than it may have, and nothing but a file.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let flags = OFlags::NOFOLLOW | OFlags::NONBLOCK;
    let flags = i32::try_from(flags.bits()).map_err(io::Error::other)?;
    let file = File::options().read(true).custom_flags(flags).open(path)?;
    if !file.metadata()?.is_file() {
        return Err(io::ErrorKind::InvalidData.into());
    }
    let mut bytes = Vec::new();
    file.take(MOST_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() > MOST_BYTES { Err(io::ErrorKind::FileTooLarge.into()) } else { Ok(bytes) }
}

/// Those that are not the room's own or the shell's.
fn parse(text: &str) -> Vec<(String, String)> {
    let is_name = |name: &str| {
        name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
            && name.bytes().next().is_some_and(|first| !first.is_ascii_digit())
    };
    let is_given = |name: &str, value: &str| confine::VARIABLES.contains(&(name, value));
    let is_of_way_out = |name: &str| way_out::VARIABLES.iter().any(|(own, _)| *own == name);
    text.split('\0')
        .filter_map(|line| line.split_once('='))
        .filter(|(name, value)| {
            is_name(name) && !is_given(name, value) && !is_of_way_out(name) && !OF_SHELLS.contains(name)
        })
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    #[test]
    fn a_command_hands_on_its_own_variables_and_no_others() {
        let text = "PATH=/usr/local/bin:/usr/bin:/bin\0HOME=/agent\0A=1\n2\0SHLVL=2\0https_proxy=http://evil\0\
                    BASH_FUNC_f%%=() { :; }\09=x\0B=\0no";
        let expected = [("HOME", "/agent"), ("A", "1\n2"), ("B", "")];
        assert_eq!(parse(text), expected.map(|(name, value)| (name.to_owned(), value.to_owned())));
    }

    #[test]
    fn what_a_command_left_is_read_past_no_link_and_no_further_than_it_may_be() {
        let at = tempfile::tempdir().unwrap();
        assert_eq!(Session::left(at.path()), None);
        fs::write(at.path().join("folder"), "/agent/a b\n").unwrap();
        fs::write(at.path().join("variables"), "A=1\0").unwrap();
        let left =
            Session { folder: "/agent/a b".to_owned(), variables: vec![("A".to_owned(), "1".to_owned())] };
        assert_eq!(Session::left(at.path()), Some(left));
        fs::write(at.path().join("variables"), "A".repeat(MOST_BYTES + 1)).unwrap();
        assert_eq!(Session::left(at.path()), None);
        fs::remove_file(at.path().join("variables")).unwrap();
        symlink("/etc/hostname", at.path().join("variables")).unwrap();
        assert_eq!(Session::left(at.path()), None);
    }
}
