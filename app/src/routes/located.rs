//! Where the page is, worked out before anything is drawn of it.

use crate::prelude::*;
use leptos_router::hooks::use_location;
use leptos_router::location::Location;

/// The parts of a page are drawn side by side on the hub. A memo that two of them read for the first time at once
/// is empty for one, whose part then never comes, and neither does the page. So those that all share are read here,
/// which stands before the others.
#[component]
pub(super) fn Located() -> impl IntoView {
    let Location { pathname, search, query, .. } = use_location();
    for text in [pathname, search] {
        text.with_untracked(|_| ());
    }
    query.with_untracked(|_| ());
}

#[cfg(all(test, feature = "ssr"))]
mod tests {
    use super::*;
    use leptos::reactive::computed::ArcMemo;
    use leptos::reactive::graph::ReactiveNode;
    use leptos_router::components::Router;
    use leptos_router::location::RequestUrl;

    #[component]
    fn Part(is_first: bool) -> impl IntoView {
        let Location { pathname, query, .. } = use_location();
        assert_eq!(ArcMemo::from(pathname).update_if_necessary(), is_first);
        assert_eq!(ArcMemo::from(query).update_if_necessary(), is_first);
    }

    #[test]
    fn no_part_of_a_page_is_the_first_to_ask_where_it_is() {
        for is_first in [true, false] {
            Owner::new().with(|| {
                provide_context(RequestUrl::new("/agents/new?from=here"));
                let html = view! {
                    <Router>{(!is_first).then(|| view! { <Located/> })}<Part is_first/></Router>
                }
                .to_html();
                assert!(!html.contains("agents"), "{html}");
            });
        }
    }
}
