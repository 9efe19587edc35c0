//! Topics that agents listen to.

use crate::golden::{Section, section};
use crate::samples::AT;
use protocol::view::{TopicMessage, TopicSubscriber, TopicView};

pub fn sections() -> Vec<Section> {
    vec![section("TopicView", &[topic()])]
}

pub fn topic() -> TopicView {
    let message = TopicMessage {
        agent: Some("agent-1".into()),
        name: "Ada".to_owned(),
        text: "It rains.".to_owned(),
        untrusted: true,
        heard: 2,
        at: AT,
    };
    TopicView {
        name: "garden/rain".to_owned(),
        subscribers: vec![
            TopicSubscriber { agent: "agent-1".into(), name: "Ada".to_owned(), condition: None },
            TopicSubscriber {
                agent: "agent-2".into(),
                name: "Bo".to_owned(),
                condition: Some("changed".to_owned()),
            },
        ],
        messages: vec![TopicMessage { agent: None, ..message.clone() }, message],
    }
}
