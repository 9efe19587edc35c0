//! How `bwrap` is called. Whatever it is not told to show is not there.

use super::enter::Most;
use super::folder::Folder;
use super::ground::Ground;
use super::run::First;
use super::session;
use super::way_out::{self, WayOut};
use protocol::view::TerminalRoom;
use std::ffi::OsString;
use std::path::Path;

/// What of the machine's settings programs need, if it is there. The ground has a place for each.
pub(super) const SETTINGS: [(&str, Kind); 4] = [
    ("/etc/alternatives", Kind::Folder),
    ("/etc/ssl/certs", Kind::Folder),
    ("/etc/ld.so.cache", Kind::File),
    ("/etc/localtime", Kind::File),
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Folder,
    File,
}

/// Where the program lies within.
const PROGRAM: &str = "/run/vivarium";

const ALONE: &[&str] = &[
    "--unshare-all",
    "--unshare-user",
    "--disable-userns",
    "--uid",
    "1000",
    "--gid",
    "1000",
    "--cap-drop",
    "ALL",
    "--die-with-parent",
    // Its own first process would be there without the filters.
    "--as-pid-1",
    "--new-session",
    "--hostname",
    "room",
];
pub(super) const VARIABLES: [(&str, &str); 9] = [
    ("PATH", "/usr/local/bin:/usr/bin:/bin"),
    ("HOME", "/tmp"),
    ("USER", "agent"),
    ("LANG", "C.UTF-8"),
    ("TERM", "dumb"),
    // It would be kept as a file of the agent's.
    ("PYTHONDONTWRITEBYTECODE", "1"),
    // Whether a file is a program is not kept, so to git it is no change.
    ("GIT_CONFIG_COUNT", "1"),
    ("GIT_CONFIG_KEY_0", "core.fileMode"),
    ("GIT_CONFIG_VALUE_0", "false"),
];
const SYSTEM: &[&str] = &[
    "--size",
    "1048576",
    "--tmpfs",
    "/",
    "--ro-bind",
    "/usr",
    "/usr",
    "--symlink",
    "usr/bin",
    "/bin",
    "--symlink",
    "usr/sbin",
    "/sbin",
    "--symlink",
    "usr/lib",
    "/lib",
    "--symlink",
    "usr/lib64",
    "/lib64",
];

/// The arguments for what runs in this room.
pub(super) fn arguments(
    ground: &Ground,
    folder: &Folder,
    first: First<'_>,
    way_out: Option<&WayOut>,
    most: TerminalRoom,
) -> Vec<OsString> {
    let room = folder.path();
    let mut arguments: Vec<OsString> = ALONE.iter().map(OsString::from).collect();
    let of_way_out = way_out.is_some().then_some(way_out::VARIABLES);
    for (name, value) in VARIABLES.into_iter().chain(of_way_out.into_iter().flatten()) {
        arguments.extend(["--setenv", name, value].map(OsString::from));
    }
    arguments.extend(SYSTEM.iter().map(OsString::from));
    let mut bind =
        |how: &str, from: &Path, to: &str| arguments.extend([how.into(), from.into(), OsString::from(to)]);
    bind("--ro-bind", &ground.settings(), "/etc");
    for (path, _) in SETTINGS {
        bind("--ro-bind-try", Path::new(path), path);
    }
    bind("--ro-bind", ground.program(), PROGRAM);
    let has_session = match first {
        First::Command(order) => {
            for mount in folder.mounts() {
                bind("--bind", &folder.folder_of(mount), mount.path());
            }
            bind("--ro-bind", &room.join("uploads"), "/uploads");
            bind("--ro-bind", &folder.skills(), "/skills");
            order.session.is_some()
        }
        First::Program(_) => false,
    };
    bind("--bind", &room.join("tmp"), "/tmp");
    if has_session {
        bind("--bind", &folder.session(), session::WITHIN);
    }
    if let (First::Program(_), Some(programs)) = (first, ground.programs()) {
        bind("--ro-bind", programs, &programs.to_string_lossy());
    }
    arguments.extend(["--proc", "/proc", "--dev", "/dev"].map(OsString::from));
    // What is in /dev is memory without a bound.
    let mut bind =
        |how: &str, from: &Path, to: &str| arguments.extend([how.into(), from.into(), OsString::from(to)]);
    bind("--bind", &room.join("shm"), "/dev/shm");
    arguments.extend(["--remount-ro", "/dev", "--remount-ro", "/"].map(OsString::from));
    let workdir = match first {
        First::Command(order) => order.workdir.as_str(),
        First::Program(_) => "/tmp",
    };
    arguments.extend(["--chdir", workdir, "--", PROGRAM, "room"].map(OsString::from));
    arguments.extend(has_session.then(|| OsString::from("--session")));
    arguments.extend(way_out.is_some().then(|| OsString::from("--way-out")));
    arguments.extend(folder.user().is_none().then(|| OsString::from("--shared-user")));
    if !most.is_usual() {
        arguments.push(format!("--most={}", Most::from(most)).into());
    }
    match first {
        First::Command(order) => arguments.extend(["--", &order.command].map(OsString::from)),
        First::Program(words) => {
            arguments.extend(["--program", "--"].map(OsString::from));
            arguments.extend(words.iter().map(OsString::from));
        }
    }
    arguments
}
