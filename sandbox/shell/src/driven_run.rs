//! The two streams of a run between this tab and the hub. Each side counts what it has taken, so that
//! after a new connection each ask and each reply comes once.

use protocol::RunId;
use protocol::hub::ClientFrame;
use protocol::run::RunAsk;
use std::collections::VecDeque;

/// A run that this tab drives, with its lease.
pub struct DrivenRun {
    pub run: RunId,
    token: String,
    /// Replies that came so far.
    received: u64,
    /// Asks that the hub is not known to have, and the number of the first.
    unsent: VecDeque<RunAsk>,
    first: u64,
    link: Link,
}

enum Link {
    Up,
    /// What is asked waits for the next connection.
    Down,
}

impl DrivenRun {
    pub fn new(run: RunId, token: String) -> Self {
        Self { run, token, received: 0, unsent: VecDeque::new(), first: 0, link: Link::Up }
    }

    /// Keeps the ask until the hub has it. The frame to send now, if the link is up.
    pub fn ask(&mut self, ask: RunAsk) -> Option<ClientFrame> {
        self.unsent.push_back(ask.clone());
        match self.link {
            Link::Up => Some(self.frame(ask)),
            Link::Down => None,
        }
    }

    /// A reply came, and the hub has so many asks.
    pub fn on_reply(&mut self, taken: u64) {
        self.received += 1;
        self.forget(taken);
    }

    pub fn part(&mut self) {
        self.link = Link::Down;
    }

    pub fn rejoin(&self) -> ClientFrame {
        ClientFrame::Rejoin { run: self.run.clone(), token: self.token.clone(), received: self.received }
    }

    /// The run goes on: the asks that the hub does not have, to be sent again.
    pub fn rejoined(&mut self, taken: u64) -> Vec<ClientFrame> {
        self.link = Link::Up;
        self.forget(taken);
        self.unsent.iter().cloned().map(|ask| self.frame(ask)).collect()
    }

    fn frame(&self, ask: RunAsk) -> ClientFrame {
        ClientFrame::Run { run: self.run.clone(), token: self.token.clone(), received: self.received, ask }
    }

    fn forget(&mut self, taken: u64) {
        while self.first < taken && self.unsent.pop_front().is_some() {
            self.first += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What happens to a line: `a` asks, `h` hears that the hub has so many, `p` parts, `j` joins again
    /// where the hub has so many.
    fn check(story: &str, expected: &str) {
        let mut line = DrivenRun::new(RunId::from("r"), "t".to_owned());
        let mut asked = 0;
        let mut sent = Vec::new();
        for step in story.split(' ') {
            let count = step[1..].parse().unwrap_or(0);
            match &step[..1] {
                "a" => {
                    asked += 1;
                    sent.extend(line.ask(RunAsk::Credit { count: asked }));
                }
                "h" => line.on_reply(count),
                "p" => line.part(),
                "j" => {
                    sent.push(line.rejoin());
                    sent.extend(line.rejoined(count));
                }
                step => panic!("{step}"),
            }
        }
        let told: Vec<String> = sent
            .iter()
            .map(|frame| match frame {
                ClientFrame::Run { ask: RunAsk::Credit { count }, .. } => count.to_string(),
                ClientFrame::Rejoin { received, .. } => format!("j{received}"),
                frame => panic!("{frame:?}"),
            })
            .collect();
        assert_eq!(told.join(" "), expected, "{story}");
    }

    #[test]
    fn each_ask_reaches_the_hub_once_whenever_the_link_breaks() {
        for (story, expected) in [
            ("a a", "1 2"),
            ("a h1 a p a a", "1 2"),
            ("a h1 a p a a j2", "1 2 j1 3 4"),
            ("a h0 a p a a j1 a", "1 2 j1 2 3 4 5"),
            ("a p j1 p a j1 h2 p j2", "1 j0 j0 2 j1"),
        ] {
            check(story, expected);
        }
    }
}
