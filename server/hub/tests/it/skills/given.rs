//! A skill is given to agents from its own page.

use super::{accept, choose, reading, skill};
use crate::world::{Endpoint, World, each_store};
use hub::Error;
use protocol::view::SkillUse;

#[tokio::test]
async fn a_skill_is_given_to_the_agents_that_its_person_ticks_and_to_no_others() {
    let endpoint = Endpoint::start();
    each_store(async |world: World| {
        let (viewer, ada) = reading(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let ben = scoped.agents().create(crate::agents::draft("Ben")).await.unwrap().id;
        let both = [ada.id.clone(), ben.clone()];
        let id = scoped.skills().write(&skill("moss", "", "Water it.")).await.unwrap();
        assert_eq!(scoped.skills().get(&id).await.unwrap().agents, [], "nothing of it is accepted");
        let refused = scoped.skills().give_to_agents(&id, &both).await;
        assert!(matches!(refused, Err(Error::NotFound("skill"))), "{refused:?}");
        accept(&scoped, &id, true).await;

        let uses = async || {
            let mut uses = Vec::new();
            for agent in &both {
                uses.push(scoped.skills().of_agent(agent).await.unwrap()[0].chosen);
            }
            uses
        };
        scoped.skills().give_to_agents(&id, &both).await.unwrap();
        assert_eq!(uses().await, [SkillUse::Found, SkillUse::Found]);
        let agents = scoped.skills().get(&id).await.unwrap().agents;
        let known: Vec<(&str, bool, &[String])> =
            agents.iter().map(|given| (&*given.name, given.has, &*given.lacks)).collect();
        let lacks = ["get_skill".to_owned()];
        assert_eq!(known, [("Ada", true, &[][..]), ("Ben", true, &lacks[..])]);

        choose(&scoped, &ada.id, &id, SkillUse::Always).await;
        scoped.skills().give_to_agents(&id, &both[..1]).await.unwrap();
        assert_eq!(uses().await, [SkillUse::Always, SkillUse::Off], "who had it keeps it as it was");
        scoped.skills().give_to_agents(&id, &[]).await.unwrap();
        assert_eq!(uses().await, [SkillUse::Off, SkillUse::Off]);

        let eve = world.person("eve").await;
        let hers = world.hub.for_viewer(&eve);
        let refused = hers.skills().give_to_agents(&id, &[]).await;
        assert!(matches!(refused, Err(Error::NotFound("skill"))), "{refused:?}");
        let stranger = hers.agents().create(crate::agents::draft("Eve")).await.unwrap().id;
        let refused = scoped.skills().give_to_agents(&id, &[ada.id.clone(), stranger]).await;
        assert!(matches!(refused, Err(Error::NotFound("agent"))), "{refused:?}");
        assert_eq!(uses().await, [SkillUse::Off, SkillUse::Off], "and nothing changed");
    })
    .await;
}
