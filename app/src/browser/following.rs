//! Agents that a page follows, and when it reads anew what it shows of them.

use super::live;
use crate::prelude::*;
use leptos::task::spawn_local;
use protocol::AgentId;
use protocol::hub::{HubFrame, Noun};
use protocol::log::EntryBody;
use std::collections::BTreeMap;
use std::future::Future;
use std::time::Duration;

/// What the hub says of several nouns within this time is read at once.
const TOGETHER: Duration = Duration::from_millis(100);

/// What calls `again` after this time, once for all that ask for it until then.
pub fn soon(together: Duration, again: impl Fn() + Copy + Send + Sync + 'static) -> Callback<()> {
    let is_due = StoredValue::new(false);
    Callback::new(move |()| {
        if is_due.try_get_value() != Some(false) {
            return;
        }
        is_due.set_value(true);
        let read = move || {
            is_due.try_set_value(false);
            again();
        };
        set_timeout(read, together);
    })
}

/// Questions of one page that are under way at once: where answers take longer than changes, the next one waits. One
/// that is never answered keeps none back.
const AT_ONCE: u32 = 2;

/// Questions that wait for their answers.
#[derive(Debug, Default)]
struct UnderWay {
    questions: u32,
    /// Something changed since the last of them.
    is_due: bool,
}

impl UnderWay {
    /// `false`: as many are under way as may be, and one follows.
    fn begins(&mut self) -> bool {
        let may_ask = self.questions < AT_ONCE;
        self.is_due = !may_ask;
        self.questions += u32::from(may_ask);
        may_ask
    }

    /// One was answered. Gives whether it is to be asked once more.
    fn goes_on(&mut self) -> bool {
        let goes_on = std::mem::take(&mut self.is_due);
        self.questions -= u32::from(!goes_on);
        goes_on
    }
}

/// What reads anew and shows what comes of it. No answer takes the place of one to a later question.
pub fn reading_anew<R, F, T>(
    read: R,
    show: impl Fn(T) + Copy + Send + Sync + 'static,
) -> impl Fn() + Copy + Send + Sync + 'static
where
    R: Fn() -> F + Copy + Send + Sync + 'static,
    F: Future<Output = Option<T>> + 'static,
    T: 'static,
{
    let (asked, shown) = (StoredValue::new(0_u64), StoredValue::new(0_u64));
    let under_way = StoredValue::new(UnderWay::default());
    move || {
        if under_way.try_update_value(UnderWay::begins) != Some(true) {
            return;
        }
        spawn_local(async move {
            loop {
                let question = asked.try_update_value(|asked| {
                    *asked += 1;
                    *asked
                });
                let Some(question) = question else { return };
                if let Some(answer) = read().await {
                    let is_newest = shown.try_update_value(|shown| {
                        let is_newest = question > *shown;
                        *shown = question.max(*shown);
                        is_newest
                    });
                    if is_newest == Some(true) {
                        show(answer);
                    }
                }
                if under_way.try_update_value(UnderWay::goes_on) != Some(true) {
                    return;
                }
            }
        });
    }
}

/// Whether what is drawn came with the document: what changed until the browser follows it, nobody tells of.
fn came_with_document() -> bool {
    Owner::current_shared_context().is_some_and(|context| context.during_hydration())
}

/// Calls `again` whenever something of the person's may be other than it was that no agent's feed tells of.
pub fn follow_person(again: Callback<()>) {
    let is_old = came_with_document();
    Effect::new(move |before: Option<u32>| {
        let changes = live::person_changes().get();
        if before.map_or(is_old && changes > 0, |before| before != changes) {
            again.run(());
        }
        changes
    });
}

/// Calls `again` whenever the page may show something else of these nouns: when the hub says so, when a connection is there
/// again, and when the person sees the page again. While they do not, nothing is asked.
pub fn follow_nouns(nouns: &'static [Noun], again: impl Fn() + Copy + Send + Sync + 'static) {
    let again = soon(TOGETHER, again);
    let is_old = came_with_document();
    Effect::new(move |before: Option<Known>| {
        let of_nouns = nouns.iter().map(|noun| live::noun_changes(*noun).get()).collect();
        let known =
            Known { of_nouns, of_person: live::person_changes().get(), is_seen: live::is_seen().get() };
        // With a connection that was there first, none comes that would have all be asked for.
        let may_be_other = before.map_or(is_old && known.of_person > 0, |before| before != known);
        if known.is_seen && may_be_other {
            untrack(|| again.run(()));
        }
        known
    });
}

/// Calls `again` where what a page shows of these nouns is other than what is `drawn`, so that what is half written on it
/// stays for as long as nothing else is there.
pub fn follow_drawn<T, R, F>(
    nouns: &'static [Noun],
    drawn: StoredValue<Option<T>>,
    read: R,
    again: impl Fn() + Copy + Send + Sync + 'static,
) where
    T: PartialEq + Send + Sync + 'static,
    R: Fn() -> F + Copy + Send + Sync + 'static,
    F: Future<Output = Option<T>> + 'static,
{
    let look = reading_anew(read, move |fresh: T| {
        let is_other = drawn.try_with_value(|drawn| drawn.as_ref().is_some_and(|drawn| *drawn != fresh));
        if is_other == Some(true) {
            again();
        }
    });
    follow_nouns(nouns, look);
}

/// How often something changed, and whether anybody sees it.
#[derive(PartialEq)]
struct Known {
    of_nouns: Vec<u32>,
    of_person: u32,
    is_seen: bool,
}

/// Calls `again` when something of what `shows` says happens to one of `agents`, each with its newest entry that is
/// known; of none of them where there are none yet. Those that are followed already are not begun anew.
pub fn follow_agents(
    agents: impl Fn() -> Option<Vec<(AgentId, u64)>> + 'static,
    shows: fn(&EntryBody) -> bool,
    again: Callback<()>,
) {
    Effect::new(move |followed: Option<BTreeMap<AgentId, Followed>>| {
        let mut followed = followed.unwrap_or_default();
        let Some(agents) = agents() else { return followed };
        let mut wanted = BTreeMap::new();
        for (agent, seq) in agents {
            let one = followed.remove(&agent).unwrap_or_else(|| {
                Followed(live::follow(agent.clone(), seq, move |frame| match frame {
                    HubFrame::Entry { entry } if shows(&entry.body) => again.run(()),
                    HubFrame::Changed { .. } => again.run(()),
                    _ => {}
                }))
            });
            wanted.insert(agent, one);
        }
        wanted
    });
}

/// Is followed for as long as it is there.
struct Followed(live::Follower);

impl Drop for Followed {
    fn drop(&mut self) {
        live::unfollow(self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_asks_twice_at_once_and_once_more_for_all_that_changed_meanwhile() {
        let mut under_way = UnderWay::default();
        assert!(under_way.begins() && under_way.begins());
        assert!(!under_way.begins() && !under_way.begins());
        assert!(under_way.goes_on(), "what changed meanwhile is asked for");
        assert!(!under_way.goes_on(), "and once for all of it");
        assert!(under_way.begins() && !under_way.begins());
        assert!(under_way.goes_on() && !under_way.goes_on() && !under_way.goes_on());
        assert_eq!(under_way.questions, 0);
    }
}
