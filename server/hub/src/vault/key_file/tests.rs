use super::*;

#[test]
fn keys_are_set_apart_by_spaces_commas_or_lines() {
    let (one, two) = ("fb".repeat(32), "0c".repeat(32));
    for (text, count) in [
        (format!("  {one}\n"), Some(1)),
        (format!("{one}\n{two}\n"), Some(2)),
        (format!("{one}, {two}"), Some(2)),
        (format!("{one} not-a-key"), None),
        (String::new(), None),
        (" \n".to_owned(), None),
    ] {
        assert_eq!(parse(&text).map(|keys| keys.len()), count, "{text:?}");
    }
}

#[test]
fn a_new_file_is_made_once_and_read_again() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    let first = ids(&open_or_create(&path).expect("a new key"));
    let second = ids(&open_or_create(&path).expect("the same key"));
    assert_eq!((first.len(), &first), (1, &second));
    let left = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 1, "no draft is left behind");
}

#[test]
fn keys_are_replaced_as_a_whole_and_stay_private() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    let old = open_or_create(&path).expect("a new key").remove(0);
    let new = MasterKey::new();
    replace(&path, &[&new, &old]).expect("two keys");
    assert_eq!(ids(&read(&path).expect("two keys")), [new.id(), old.id()]);
    replace(&path, &[&new]).expect("one key");
    assert_eq!(ids(&read(&path).expect("one key")), [new.id()]);
    let left = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 1, "no draft is left behind");
}

#[test]
fn one_process_at_a_time_changes_the_file_and_takes_drafts_away() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    let (draft, other) = (draft_beside(&path), folder.path().join("notes.tmp"));
    write_private(&draft, "half a ke");
    write_private(&other, "not ours");
    let held = lock(&path).expect("a lock");
    assert!(!draft.exists() && other.exists());
    assert!(held.is_some() && lock(&path).expect("an answer").is_none());
    drop(held);
    assert!(lock(&path).expect("a lock").is_some());
}

#[test]
fn a_file_that_is_no_key_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    for content in ["", "not a key", "fb"] {
        write_private(&path, content);
        let error = open_or_create(&path).expect_err("no key");
        assert!(matches!(error, KeyringError::Content(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), content);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    open_or_create(&path).expect("a new key");
    let mode = fs::metadata(&path).expect("the file").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    for mode in [0o640, 0o604, 0o644] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a new mode");
        let error = open_or_create(&path).expect_err("exposed");
        assert!(matches!(error, KeyringError::Exposed(_)), "{error}");
    }
}

#[test]
fn a_missing_folder_is_an_error_with_its_name() {
    let error = open_or_create(Path::new("no-such-folder/master.key")).expect_err("no folder");
    assert!(error.to_string().contains("no-such-folder/master.key"), "{error}");
}

fn ids(keys: &[MasterKey]) -> Vec<String> {
    keys.iter().map(MasterKey::id).collect()
}

fn write_private(path: &Path, content: &str) {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).expect("the file opens");
    file.write_all(content.as_bytes()).expect("the file takes text");
}

#[cfg(unix)]
#[test]
fn a_file_that_root_makes_in_the_folder_of_another_account_is_that_accounts() {
    use std::os::unix::fs::{MetadataExt, chown};
    // Nobody else can give a file away.
    if !rustix::process::geteuid().is_root() {
        return;
    }
    let nobody = 65_534;
    let folder = tempfile::tempdir().expect("a folder for the test");
    chown(folder.path(), Some(nobody), Some(nobody)).expect("root gives it away");
    let path = folder.path().join("master.key");
    let owner = |path: &Path| fs::metadata(path).expect("it is there").uid();
    let old = open_or_create(&path).expect("a new key").remove(0);
    assert_eq!(owner(&path), nobody);
    replace(&path, &[&MasterKey::new(), &old]).expect("two keys");
    assert_eq!(owner(&path), nobody);
    let _held = lock(&path).expect("a lock");
    assert_eq!(owner(&path.with_extension("lock")), nobody);
    // What a link leads to is somebody else's.
    let elsewhere = tempfile::tempdir().expect("another folder");
    let (of_root, link) = (elsewhere.path().join("file"), folder.path().join("other.lock"));
    write_private(&of_root, "");
    std::os::unix::fs::symlink(&of_root, &link).expect("a link");
    let _held = lock(&link).expect("a lock");
    assert_eq!(owner(&of_root), 0);
}
