//! The hub with an agent that many sockets follow, and the bare limit with as many sockets.

use super::round::{Round, run};
use crate::caller::Caller;
use crate::model::{Model, Speech};
use crate::process::{self, Process};
use crate::program::Program;
use crate::sockets::{Crowd, Speaker, gather};
use protocol::hub::{ClientFrame, HubFrame};
use protocol::log::{Entry, EntryBody};
use protocol::{AgentId, RunId, TabId, VERSION};
use serde::Serialize;
use serde_json::json;

/// Deliveries of one round.
const DELIVERIES: u64 = 200_000;
/// Messages that may be under way at once: the hub closes a socket that is 2048 behind.
pub const MANY: u64 = 256;
pub const ONE: u64 = 1;
/// Frames of a reply besides its pieces: what was said, how the run and its block begin and how they end.
const FRAMES: u64 = 8;

const ANONYMOUS: &str = "Pss_Anon";

pub struct World {
    program: Program,
    caller: Caller,
    model: Model,
    agent: AgentId,
    /// Follows nothing; its frames set state.
    author: Speaker,
    followers: Crowd,
    voices: Vec<Speaker>,
    bare: Process,
    bare_followers: Crowd,
    bare_voices: Vec<Speaker>,
    /// Of one round.
    messages: u64,
    /// What all sockets added to the memory of the hub and of the bare limit, in MiB.
    pub idle: [f64; 2],
}

impl World {
    pub async fn new(size: u32) -> Self {
        let program = Program::start();
        let token = program.token("ada");
        let caller = Caller::new(&program.url, &token);
        let model = Model::start().await;
        let agent = AgentId(caller.agent("Ada", &model.url).await);
        let headers = format!("Authorization: Bearer {token}\r\n");
        let hello = text(&ClientFrame::Hello { version: VERSION, tab: TabId::from("bench") });

        let (author, _) = gather(program.address(), &headers, 1).await;
        let mut author = author.into_iter().next().expect("one socket");
        author.say(&hello).await;
        let size = u64::from(size);
        let before = program.process.memory(ANONYMOUS);
        let (mut voices, followers) = gather(program.address(), &headers, size).await;
        let subscribe = text(&ClientFrame::Subscribe { agent: agent.clone(), after: 0 });
        for voice in &mut voices {
            voice.say(&hello).await;
            voice.say(&subscribe).await;
        }
        // The welcome, and that all is caught up.
        followers.each_heard(0, 2).await;
        let idle = program.process.memory(ANONYMOUS) - before;

        let bare = Process::greeted(&mut process::bare("broadcast"));
        let address = bare.greeting.strip_prefix("listening ").expect("it says where it listens");
        let before = bare.memory(ANONYMOUS);
        let (bare_voices, bare_followers) = gather(address, "", size).await;
        let bare_idle = bare.memory(ANONYMOUS) - before;
        let messages = DELIVERIES / size;
        Self {
            program,
            caller,
            model,
            agent,
            author,
            followers,
            voices,
            bare,
            bare_followers,
            bare_voices,
            messages,
            idle: [idle, bare_idle],
        }
    }

    /// Streams a reply of the model to everyone.
    pub async fn deltas(&mut self) -> Round {
        self.stay_alive().await;
        // They are joined on their way: nobody falls behind.
        self.model.speak(Speech::Whole { deltas: self.messages, pace: self.followers.pace(self.messages) });
        let message = json!({ "agent": self.agent, "text": "Speak." });
        let send = async { drop(self.caller.call("/api/agents/send", &message).await) };
        run(&self.program.process, &self.followers, self.messages, FRAMES, send).await
    }

    /// Sets state again and again, an append and an event each, once everyone has the one before.
    pub async fn entries(&mut self) -> Round {
        self.stay_alive().await;
        let (pace, author) = (self.followers.pace(ONE), &mut self.author);
        let send = async {
            for number in 1..=self.messages {
                pace.wait(number).await;
                let (agent, key) = (self.agent.clone(), "count".to_owned());
                author.say(&text(&ClientFrame::SetState { agent, key, value: json!(number) })).await;
            }
        };
        run(&self.program.process, &self.followers, self.messages, self.messages, send).await
    }

    /// Sends the same text from the bare limit to everyone.
    pub async fn bare(&mut self, frame: &str, window: u64) -> Round {
        let pace = self.bare_followers.pace(window);
        let speaker = &mut self.bare_voices[0];
        let send = async {
            for number in 1..=self.messages {
                pace.wait(number).await;
                speaker.say(frame).await;
            }
        };
        run(&self.bare, &self.bare_followers, self.messages, self.messages, send).await
    }

    pub fn delta_frame(&self) -> String {
        let (agent, run) = (self.agent.clone(), RunId(self.agent.0.clone()));
        text(&HubFrame::Delta { agent, run, turn: 0, index: 0, offset: 1000, text: "word ".to_owned() })
    }

    pub fn entry_frame(&self) -> String {
        let body = EntryBody::State { key: "count".to_owned(), value: json!(1000), superseded: false };
        let (agent, at) = (self.agent.clone(), 1_700_000_000_000);
        text(&HubFrame::Entry { entry: Entry { agent, seq: 1000, at, conversation: None, run: None, body } })
    }

    /// The hub closes sockets that say nothing for a minute.
    async fn stay_alive(&mut self) {
        let ping = text(&ClientFrame::Ping);
        let heard = self.followers.heard();
        self.author.say(&ping).await;
        for voice in &mut self.voices {
            voice.say(&ping).await;
        }
        self.followers.each_heard(heard, 1).await;
    }
}

fn text(frame: &impl Serialize) -> String {
    serde_json::to_string(frame).expect("frames hold nothing that JSON cannot say")
}
