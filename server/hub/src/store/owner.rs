//! A file that a command of root made beside a hub that has an account of its own.

use std::fs::File;
use std::io;
use std::path::Path;

/// Gives it to whom its folder belongs: the hub opens it in the same moment. What a link leads to stays whose it is.
#[cfg(unix)]
pub(crate) fn hand_over(file: &File, path: &Path) -> io::Result<()> {
    use std::fs::{metadata, symlink_metadata};
    use std::os::unix::fs::{MetadataExt, fchown};
    if !rustix::process::geteuid().is_root() {
        return Ok(());
    }
    let Some(folder) = path.parent() else { return Ok(()) };
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let (owner, own, named) = (metadata(folder)?, file.metadata()?, symlink_metadata(path)?);
    let is_here = own.nlink() == 1 && (own.dev(), own.ino()) == (named.dev(), named.ino());
    if !is_here || owner.uid() == own.uid() {
        return Ok(());
    }
    fchown(file, Some(owner.uid()), Some(owner.gid()))
}

#[cfg(not(unix))]
pub(crate) fn hand_over(_: &File, _: &Path) -> io::Result<()> {
    Ok(())
}
