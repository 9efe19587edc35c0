//! Files below a folder as a tree.

use super::mounts::Found;

/// Lines of a tree.
const LINES: usize = 800;

/// One line for each file and folder, two spaces for each folder above, as far as there is room, and how many
/// files are left out. The files come by path, each below the folder.
pub(super) fn tree(files: &[Found], folder: &str, room: usize) -> (String, usize) {
    let (mut shown, mut lines) = (String::new(), 0);
    let mut above: Vec<&str> = Vec::new();
    for (at, file) in files.iter().enumerate() {
        let relative = file.path.strip_prefix(folder).unwrap_or(&file.path).trim_start_matches('/');
        let mut parts: Vec<&str> = relative.split('/').collect();
        let name = parts.pop().unwrap_or_default();
        let same = above.iter().zip(&parts).take_while(|(one, other)| one == other).count();
        let mut part = String::new();
        for (depth, folder) in parts.iter().enumerate().skip(same) {
            part += &format!("{}{folder}/\n", "  ".repeat(depth));
        }
        part += &format!("{}{name} ({} bytes)\n", "  ".repeat(parts.len()), file.size);
        lines += parts.len() - same + 1;
        if shown.len() + part.len() > room || lines > LINES {
            return (shown, files.len() - at);
        }
        shown += &part;
        above = parts;
    }
    (shown, 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_come_once_and_what_is_left_out_is_counted() {
        let files: Vec<Found> = ["/agent/a/b/c", "/agent/a/d", "/agent/e"]
            .map(|path| Found { path: path.to_owned(), size: 2, at: 0, version: None, untrusted: false })
            .to_vec();
        let whole = "a/\n  b/\n    c (2 bytes)\n  d (2 bytes)\ne (2 bytes)\n";
        assert_eq!(tree(&files, "/agent", 1000), (whole.to_owned(), 0));
        assert_eq!(tree(&files, "/agent", 30), ("a/\n  b/\n    c (2 bytes)\n".to_owned(), 2));
        assert_eq!(tree(&[], "/agent", 1000), (String::new(), 0));
    }
}
