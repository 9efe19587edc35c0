//! A rotation of the master key leaves the audit as it was: whole, or not.

use super::{all, broken, run, whole};
use crate::world::{PASSWORD, World, each_store};
use hub::{Hub, RotationStep, Viewer};

#[tokio::test]
async fn the_audit_stays_whole_wherever_a_rotation_is_cut_off() {
    each_store(async |world: World| {
        let ada = world.admin("ada").await;
        world.key_file();
        let working = world.with_key_file().await;
        let mut lines = whole(&working).await;
        for steps in 0.. {
            let hub = world.with_key_file().await;
            let last = rotate(&hub, steps).await;
            lines += u64::from(steps == 2);
            for hub in [&working, &hub, &world.with_key_file().await] {
                assert_eq!(whole(hub).await, lines, "after {steps} steps");
                hub.as_admin(&ada).unwrap().people().invite().await.unwrap();
                lines += 1;
            }
            if matches!(last, Some(RotationStep::Over { .. })) {
                break;
            }
        }
        assert_eq!(whole(&world.with_key_file().await).await, lines);
        let told = all(&working, &ada).await;
        let rotated = "MasterKeyRotated done by [] about [] with [] from []";
        assert_eq!(told.iter().filter(|line| *line == rotated).count(), 1, "{told:?}");
    })
    .await;
}

#[tokio::test]
async fn a_changed_audit_is_not_mended_by_a_rotation() {
    for changes in [
        ["UPDATE audit SET object = 'nothing' WHERE seq = 3", "UPDATE audit SET at = 1 WHERE seq = 4"],
        [
            "DELETE FROM audit WHERE seq = 4",
            "UPDATE audit_head SET seq = 3, hash = (SELECT hash FROM audit WHERE seq = 3)",
        ],
    ] {
        each_store(async |world: World| {
            let ada = invited(&world).await;
            for change in changes {
                run(&world, change).await;
            }
            world.key_file();
            let hub = world.with_key_file().await;
            broken(&hub).await;
            rotate(&hub, usize::MAX).await;
            for hub in [&hub, &world.with_key_file().await] {
                broken(hub).await;
                hub.as_admin(&ada).unwrap().people().invite().await.unwrap();
            }
            broken(&hub).await;
        })
        .await;
    }
}

#[tokio::test]
async fn a_command_without_the_right_key_rotates_nothing() {
    each_store(async |world: World| {
        let ada = invited(&world).await;
        let lines = whole(&world.hub).await;
        let wrong = format!("{} {}", "0a".repeat(32), "0b".repeat(32));
        let beside = world.beside(hub::Keyring::from_text(&wrong).unwrap()).await;
        let mut rotation = beside.secrets().rotate_master_key().await.unwrap();
        rotation.step().await.unwrap();
        let refused = rotation.step().await.unwrap_err();
        assert!(refused.to_string().contains("Put the right one back"), "{refused}");
        assert_eq!(whole(&world.hub).await, lines);
        world.hub.accounts().sign_in(&ada.me.name, PASSWORD, "test").await.unwrap();
        assert_eq!(whole(&world.reopened().await).await, lines + 1);
    })
    .await;
}

async fn invited(world: &World) -> Viewer {
    let ada = world.admin("ada").await;
    world.hub.as_admin(&ada).unwrap().people().invite().await.unwrap();
    ada
}

/// Takes so many steps at most, and gives the last one.
async fn rotate(hub: &Hub, steps: usize) -> Option<RotationStep> {
    let mut rotation = hub.secrets().rotate_master_key().await.unwrap();
    let mut last = None;
    for _ in 0..steps {
        match rotation.step().await.unwrap() {
            Some(step) => last = Some(step),
            None => break,
        }
    }
    last
}
