//! `docs/decisions/README.md` lists every record by its title.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

#[test]
fn every_record_is_listed_by_its_title_and_no_other() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/decisions");
    let kept: BTreeSet<_> = fs::read_dir(&folder)
        .unwrap()
        .map(|file| file.unwrap().file_name().into_string().unwrap())
        .filter(|name| name != "README.md")
        .map(|name| {
            let record = fs::read_to_string(folder.join(&name)).unwrap();
            let (number, title) =
                record.lines().next().and_then(|line| line.strip_prefix("# ")?.split_once(". ")).unwrap();
            format!("- {number} [{title}]({name})")
        })
        .collect();
    let index = fs::read_to_string(folder.join("README.md")).unwrap();
    let listed: Vec<_> = index.lines().filter(|line| line.starts_with("- ")).map(str::to_owned).collect();
    assert_eq!(listed.len(), kept.len(), "one is listed twice or missing");
    assert_eq!(listed.into_iter().collect::<BTreeSet<_>>(), kept);
}
