//! Who hears what of the agents' feeds. Each agent has one feed, which begins anew for whoever comes later: a page that
//! takes the place of another one hears nothing of the feed that was that one's.

use protocol::AgentId;
use protocol::hub::HubFrame;
use std::rc::Rc;

pub(super) type FrameHandler = Rc<dyn Fn(&HubFrame)>;

#[derive(Default)]
pub(super) struct Followers {
    following: Vec<Following>,
    last: u64,
    /// The hub says where feeds begin. Of one that does not (it is of an earlier version) everything is heard.
    is_told: bool,
}

struct Following {
    follower: Follower,
    agent: AgentId,
    /// The newest entry that the follower has.
    seq: u64,
    /// A feed has begun that has all that the follower lacks.
    has_begun: bool,
    hear: FrameHandler,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follower(u64);

impl Followers {
    /// Adds one that has everything up to `seq`, and says from where on the agent's feed has to begin for all of them.
    pub(super) fn add(&mut self, agent: &AgentId, seq: u64, hear: FrameHandler) -> (Follower, u64) {
        self.last += 1;
        let follower = Follower(self.last);
        let has_begun = !self.is_told;
        self.following.push(Following { follower, agent: agent.clone(), seq, has_begun, hear });
        (follower, self.after(agent))
    }

    /// The agent, if nobody follows it any more.
    pub(super) fn remove(&mut self, follower: Follower) -> Option<AgentId> {
        let place = self.following.iter().position(|one| one.follower == follower)?;
        let Following { agent, .. } = self.following.remove(place);
        self.following.iter().all(|one| one.agent != agent).then_some(agent)
    }

    /// There is another connection, on which no feed has begun: each agent, and from where on its feed has to begin.
    pub(super) fn on_connected(&mut self) -> Vec<(AgentId, u64)> {
        self.is_told = false;
        for one in &mut self.following {
            one.has_begun = true;
        }
        let mut agents: Vec<AgentId> = self.following.iter().map(|one| one.agent.clone()).collect();
        agents.sort();
        agents.dedup();
        agents.into_iter().map(|agent| (agent.clone(), self.after(&agent))).collect()
    }

    fn after(&self, agent: &AgentId) -> u64 {
        self.following.iter().filter(|one| one.agent == *agent).map(|one| one.seq).min().unwrap_or(0)
    }

    /// The agent's feed begins anew, with what comes after this entry.
    pub(super) fn on_subscribed(&mut self, agent: &AgentId, after: u64) {
        self.is_told = true;
        for one in self.following.iter_mut().filter(|one| one.agent == *agent) {
            one.has_begun = after <= one.seq;
        }
    }

    /// Who hears this frame about the agent, which brings them up to `seq` if it says so.
    pub(super) fn on_frame(&mut self, agent: &AgentId, seq: Option<u64>) -> Vec<FrameHandler> {
        let following = self.following.iter_mut().filter(|one| one.agent == *agent && one.has_begun);
        following
            .map(|one| {
                one.seq = one.seq.max(seq.unwrap_or(0));
                Rc::clone(&one.hear)
            })
            .collect()
    }

    /// Who is told that something of the agent is other than it was, which no feed repeats.
    pub(super) fn on_hint(&self, agent: &AgentId) -> Vec<FrameHandler> {
        let following = self.following.iter().filter(|one| one.agent == *agent);
        following.map(|one| Rc::clone(&one.hear)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    /// What one follower heard of a hub that sends numbers.
    #[derive(Clone, Default)]
    struct Heard(Rc<RefCell<Vec<u64>>>);

    impl Heard {
        fn follow(&self, followers: &mut Followers, seq: u64) -> (Follower, u64) {
            let heard = self.0.clone();
            let hear = move |frame: &HubFrame| match frame {
                HubFrame::CaughtUp { seq, .. } => heard.borrow_mut().push(*seq),
                _ => panic!("{frame:?}"),
            };
            followers.add(&agent(), seq, Rc::new(hear))
        }
    }

    fn agent() -> AgentId {
        AgentId::from("fern")
    }

    fn send(followers: &mut Followers, seqs: impl IntoIterator<Item = u64>) {
        for seq in seqs {
            let frame = HubFrame::CaughtUp { agent: agent(), seq };
            for hear in followers.on_frame(&agent(), Some(seq)) {
                hear(&frame);
            }
        }
    }

    #[test]
    fn a_page_that_takes_the_place_of_another_misses_nothing_that_came_in_between() {
        let (mut followers, old, new) = (Followers::default(), Heard::default(), Heard::default());
        let (follower, 3) = old.follow(&mut followers, 3) else { panic!("it begins elsewhere") };
        followers.on_subscribed(&agent(), 3);
        send(&mut followers, 4..=6);
        // It was read when 4 was the newest one; 7 was on its way before the hub heard of it.
        let (_, 4) = new.follow(&mut followers, 4) else { panic!("it begins elsewhere") };
        assert_eq!(followers.remove(follower), None);
        send(&mut followers, [7]);
        followers.on_subscribed(&agent(), 4);
        send(&mut followers, 5..=8);
        assert_eq!(*old.0.borrow(), [4, 5, 6]);
        assert_eq!(*new.0.borrow(), [5, 6, 7, 8]);
    }

    #[test]
    fn a_feed_that_begins_too_late_is_not_the_followers() {
        let (mut followers, old, new) = (Followers::default(), Heard::default(), Heard::default());
        old.follow(&mut followers, 9);
        followers.on_subscribed(&agent(), 9);
        new.follow(&mut followers, 4);
        followers.on_subscribed(&agent(), 9);
        send(&mut followers, [10]);
        assert!(new.0.borrow().is_empty());
        assert_eq!(followers.on_connected(), [(agent(), 4)]);
        followers.on_subscribed(&agent(), 4);
        send(&mut followers, 5..=6);
        assert_eq!(*new.0.borrow(), [5, 6]);
    }

    #[test]
    fn a_feed_that_was_asked_for_before_is_not_that_of_who_came_since() {
        let (mut followers, old, new) = (Followers::default(), Heard::default(), Heard::default());
        old.follow(&mut followers, u64::MAX);
        followers.on_connected();
        new.follow(&mut followers, 4);
        followers.on_subscribed(&agent(), u64::MAX);
        send(&mut followers, [u64::MAX]);
        followers.on_subscribed(&agent(), 4);
        send(&mut followers, 5..=6);
        assert_eq!(*new.0.borrow(), [5, 6]);
        assert_eq!(followers.on_connected(), [(agent(), 6)]);
    }

    #[test]
    fn of_a_hub_that_does_not_say_where_feeds_begin_everything_is_heard() {
        let (mut followers, heard) = (Followers::default(), Heard::default());
        heard.follow(&mut followers, 0);
        send(&mut followers, 1..=2);
        heard.follow(&mut followers, 2);
        send(&mut followers, [3]);
        assert_eq!(*heard.0.borrow(), [1, 2, 3, 3]);
    }

    #[test]
    fn the_last_one_that_goes_ends_the_feed() {
        let (mut followers, heard) = (Followers::default(), Heard::default());
        let ((one, _), (other, _)) = (heard.follow(&mut followers, 0), heard.follow(&mut followers, 0));
        assert_eq!(followers.remove(one), None);
        assert_eq!(followers.remove(other), Some(agent()));
        assert_eq!(followers.remove(other), None);
        assert!(followers.on_hint(&agent()).is_empty() && followers.on_connected().is_empty());
    }
}
