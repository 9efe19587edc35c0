//! The path of the folder that is shown: each part leads there, and takes what is dropped on it.

use super::tree::Tree;
use crate::files::{folder_address, part_address};
use crate::prelude::*;

#[component]
pub(super) fn Crumbs(tree: Tree) -> impl IntoView {
    let (name, top) = tree.folder.with_value(|folder| (folder.name.clone(), folder_address(folder)));
    let base = tree.base.get_value();
    let is_over = move |into: String| {
        move || tree.over.with(|over| over.as_deref() == Some(into.as_str())).then_some("files")
    };
    let parts: Vec<(String, String)> = steps(&base);
    let last = parts.len();
    let steps = parts.into_iter().enumerate().map(|(at, (own, path))| {
        let address = tree.folder.with_value(|folder| part_address(folder, &path));
        let current = (at + 1 == last).then_some("page");
        view! { <li data-into=path.clone() data-drop=is_over(path)><a href=address aria-current=current>{own}</a></li> }
    });
    let current = base.is_empty().then_some("page");
    (!tree.is_found()).then(|| {
        view! {
            <nav class="file-crumbs" aria-label="Folder">
                <ol>
                    <li data-into="" data-drop=is_over(String::new())><a href=top aria-current=current>{name}</a></li>
                    {steps.collect_view()}
                </ol>
            </nav>
        }
    })
}

/// The folders on the way, each with its path.
fn steps(path: &str) -> Vec<(String, String)> {
    let ends = path.match_indices('/').map(|(at, _)| at).chain([path.len()]);
    let whole = ends.map(|end| &path[..end]).filter(|whole| !whole.is_empty());
    whole.map(|whole| (super::tree::own_name(whole).to_owned(), whole.to_owned())).collect()
}

#[cfg(test)]
mod tests {
    use super::steps;

    #[test]
    fn every_folder_on_the_way_has_its_path() {
        assert!(steps("").is_empty());
        let expected = [("a", "a"), ("b", "a/b")].map(|(own, path)| (own.to_owned(), path.to_owned()));
        assert_eq!(steps("a/b"), expected);
    }
}
