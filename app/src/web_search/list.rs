//! The person's sources, in the order in which they are asked.

use super::api::{RemoveSearchSource, ShiftSearchSource, TestSearchSource};
use super::words::name_of;
use crate::prelude::*;
use crate::ui::{ACTIONS, ActionForm, FormAction, Icon, Table, kept_each};
use protocol::view::{SearchSourceView, Towards};

/// What can be done with a source.
#[derive(Clone, Copy)]
pub(super) struct Ways {
    pub(super) test: FormAction<TestSearchSource>,
    pub(super) shift: FormAction<ShiftSearchSource>,
    pub(super) remove: FormAction<RemoveSearchSource>,
}

/// A source, when it is asked, and which ways it can go.
#[derive(Clone, PartialEq)]
struct Placed {
    source: SearchSourceView,
    asked: &'static str,
    is_first: bool,
    is_last: bool,
}

#[component]
pub(super) fn SourceList(
    list: Vec<SearchSourceView>,
    /// Whether the person can test them.
    may_add: bool,
    ways: Ways,
) -> impl IntoView {
    let rows = kept_each(placed(list), move |placed| view! { <SourceRow placed may_add ways/> });
    view! { <Table columns=["Source", "Asked", "Key", ACTIONS] rows/> }
}

fn placed(list: Vec<SearchSourceView>) -> Vec<Placed> {
    let count = list.len();
    let mut has_general = false;
    let placed = list.into_iter().enumerate().map(|(at, source)| {
        let asked = t(match (source.kind.is_general(), has_general) {
            (false, _) => "Always",
            (true, false) => "First",
            (true, true) => "If those above find nothing",
        });
        has_general |= source.kind.is_general();
        Placed { source, asked, is_first: at == 0, is_last: at + 1 == count }
    });
    placed.collect()
}

#[component]
fn SourceRow(placed: Placed, may_add: bool, ways: Ways) -> impl IntoView {
    let Placed { source, asked, is_first, is_last } = placed;
    let key = t(match (source.has_key, &source.model) {
        (true, _) => "Saved",
        (false, Some(_)) => "The provider's",
        (false, None) => "None",
    });
    let earlier = (!is_first).then(|| {
        view! { <Shift source=source.clone() towards=Towards::Start words="Up" shift=ways.shift/> }
    });
    let later = (!is_last).then(|| {
        view! { <Shift source=source.clone() towards=Towards::End words="Down" shift=ways.shift/> }
    });
    let test = may_add.then(|| view! { <Test source=source.clone() test=ways.test/> });
    view! {
        <tr>
            <td>{name_of(&source)}</td>
            <td data-label="Asked">{asked}</td>
            <td data-label="Key">{key}</td>
            <td class="list-end">
                <div class="actions">
                    {test}
                    {earlier}
                    {later}
                    <Remove source remove=ways.remove/>
                </div>
            </td>
        </tr>
    }
}

#[component]
fn Test(source: SearchSourceView, test: FormAction<TestSearchSource>) -> impl IntoView {
    let label = say!("Test {name}", name = name_of(&source));
    let tested = source.id.clone();
    let is_testing = move || test.is_pending_with("id", &tested.0);
    view! {
        <ActionForm action=test>
            <input type="hidden" name="id" value=source.id.0/>
            <button type="submit" class="button" aria-label=label aria-busy=move || is_testing().then_some("true")>
                "Test"
            </button>
        </ActionForm>
    }
}

#[component]
fn Shift(
    source: SearchSourceView,
    towards: Towards,
    words: &'static str,
    shift: FormAction<ShiftSearchSource>,
) -> impl IntoView {
    let label = format!("{words}: {}", name_of(&source));
    view! {
        <ActionForm action=shift>
            <input type="hidden" name="id" value=source.id.0/>
            <input type="hidden" name="towards" value=towards_value(towards)/>
            <button type="submit" class="button" data-kind="quiet" aria-label=label>{words}</button>
        </ActionForm>
    }
}

/// The way as forms send it.
fn towards_value(towards: Towards) -> &'static str {
    match towards {
        Towards::Start => "start",
        Towards::End => "end",
    }
}

#[component]
fn Remove(source: SearchSourceView, remove: FormAction<RemoveSearchSource>) -> impl IntoView {
    let name = name_of(&source);
    let words = t(if source.has_key { "Remove it and its key" } else { "Remove it" });
    view! {
        <details class="confirm">
            <summary class="button" data-kind="quiet" aria-label={say!("Remove {name}")}>
                <Icon name="trash" small=true/>
                "Remove"
            </summary>
            <ActionForm action=remove attr:class="confirm-body">
                <p>{say!("Your agents do not search with {name} any more.")}</p>
                <input type="hidden" name="id" value=source.id.0/>
                <button type="submit" class="button" data-kind="danger">{words}</button>
            </ActionForm>
        </details>
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::view::SearchKind;

    #[test]
    fn those_for_the_whole_web_stand_in_for_one_another() {
        let source =
            |kind| SearchSourceView { id: "s".into(), kind, base_url: None, has_key: false, model: None };
        let list = [SearchKind::Wikipedia, SearchKind::Brave, SearchKind::Arxiv, SearchKind::Kagi];
        let asked: Vec<_> = placed(list.map(source).into()).into_iter().map(|placed| placed.asked).collect();
        assert_eq!(asked, ["Always", "First", "Always", "If those above find nothing"]);
    }

    #[test]
    fn a_form_sends_what_the_server_reads() {
        for towards in [Towards::Start, Towards::End] {
            assert_eq!(serde_json::from_value(towards_value(towards).into()).ok(), Some(towards));
        }
    }
}
