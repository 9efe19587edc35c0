use super::*;

#[test]
fn a_key_is_32_bytes_in_hex_or_base64() {
    let bytes = [0xfb; LENGTH];
    let table = [
        ("fb".repeat(32), true),
        (format!("  {}\n", "FB".repeat(32)), true),
        (STANDARD.encode(bytes), true),
        (URL_SAFE_NO_PAD.encode(bytes), true),
        ("fb".repeat(31), false),
        ("xy".repeat(32), false),
        (STANDARD.encode([0xfb; 33]), false),
        (String::new(), false),
        ("correct horse battery staple".to_owned(), false),
    ];
    for (text, is_key) in table {
        let key = MasterKey::from_text(&text).ok().map(|key| *key.bytes());
        assert_eq!(key, is_key.then_some(bytes), "{text:?}");
    }
}

#[test]
fn a_new_file_is_made_once_and_read_again() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    let first = MasterKey::open_or_create(&path).expect("a new key");
    let second = MasterKey::open_or_create(&path).expect("the same key");
    assert_eq!(first.bytes(), second.bytes());
    assert_ne!(first.bytes(), &[0; LENGTH]);
    let left = fs::read_dir(folder.path()).expect("the folder").count();
    assert_eq!(left, 1, "no draft is left behind");
}

#[test]
fn a_file_that_is_no_key_is_refused_and_left_alone() {
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    for content in ["", "not a key", "fb"] {
        write_private(&path, content);
        let error = MasterKey::open_or_create(&path).expect_err("no key");
        assert!(matches!(error, MasterKeyError::Content(_)), "{error}");
        assert_eq!(fs::read_to_string(&path).expect("the file"), content);
    }
}

#[cfg(unix)]
#[test]
fn a_file_that_others_can_read_is_refused() {
    use std::os::unix::fs::PermissionsExt;
    let folder = tempfile::tempdir().expect("a folder for the test");
    let path = folder.path().join("master.key");
    MasterKey::open_or_create(&path).expect("a new key");
    let mode = fs::metadata(&path).expect("the file").permissions().mode() & 0o777;
    assert_eq!(mode, 0o600);
    for mode in [0o640, 0o604, 0o644] {
        fs::set_permissions(&path, fs::Permissions::from_mode(mode)).expect("a new mode");
        let error = MasterKey::open_or_create(&path).expect_err("exposed");
        assert!(matches!(error, MasterKeyError::Exposed(_)), "{error}");
    }
}

#[test]
fn a_missing_folder_is_an_error_with_its_name() {
    let error = MasterKey::open_or_create(Path::new("no-such-folder/master.key")).expect_err("no folder");
    assert!(error.to_string().contains("no-such-folder/master.key"), "{error}");
}

fn write_private(path: &Path, content: &str) {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path).expect("the file opens");
    file.write_all(content.as_bytes()).expect("the file takes text");
}
