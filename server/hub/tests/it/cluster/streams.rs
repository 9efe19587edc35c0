//! Streams between nodes.

use super::PATIENCE;
use crate::world::{Nats, World, on_postgres};
use hub::{Placement, Requester};
use std::net::{IpAddr, Ipv4Addr};
use tokio::io::{AsyncReadExt, AsyncWriteExt};

const CLIENT: IpAddr = IpAddr::V4(Ipv4Addr::new(203, 0, 113, 7));

#[tokio::test]
async fn a_stream_between_nodes_carries_all_both_ways_and_waits_for_who_reads_slowly() {
    let nats = Nats::start();
    on_postgres(async |world: World| {
        let viewer = world.person("ada").await;
        world.hub.close().await;
        let (here, there) = (world.node(&nats).await.unwrap(), world.node(&nats).await.unwrap());
        let (node, from, to) = match (here.place(&viewer.me.id).await, there.place(&viewer.me.id).await) {
            (Ok(Placement::At(node)), _) => (node, &here, &there),
            (_, Ok(Placement::At(node))) => (node, &there, &here),
            both => panic!("one of them has her: {both:?}"),
        };
        let mut begun = to.cluster().begun_streams().unwrap();
        let sent: Vec<u8> =
            (0..3_000_000_u32).map(|number| number.to_le_bytes()[number as usize % 3]).collect();
        let requester = &Requester::Person(viewer.me.id.clone());
        let (opened, taken) =
            tokio::join!(from.cluster().open_stream(&node, requester, CLIENT), begun.recv());
        let (opened, mut taken) = (opened.unwrap(), taken.unwrap());
        assert_eq!(taken.client, CLIENT);
        let (mut reader, mut writer) = tokio::io::split(opened);
        let write = async {
            writer.write_all(&sent).await.unwrap();
            writer.shutdown().await.unwrap();
        };
        let read = async {
            let mut back = Vec::new();
            reader.read_to_end(&mut back).await.unwrap();
            back
        };
        let echo = async {
            let mut chunk = vec![0; 50_000];
            loop {
                let read = taken.read(&mut chunk).await.unwrap();
                if read == 0 {
                    break;
                }
                // Small pieces, as of a socket.
                for piece in chunk[..read].chunks(1_000) {
                    taken.write_all(piece).await.unwrap();
                }
            }
            taken.shutdown().await.unwrap();
        };
        let all = async { tokio::join!(write, read, echo) };
        let (_, back, _) = tokio::time::timeout(PATIENCE, all).await.expect("all of it comes");
        assert!(back == sent, "{} of {} bytes", back.len(), sent.len());
        // One that is let go of ends at the other end as well.
        let (opened, taken) =
            tokio::join!(from.cluster().open_stream(&node, requester, CLIENT), begun.recv());
        let mut taken = taken.unwrap();
        drop(opened.unwrap());
        assert_eq!(taken.read(&mut [0; 8]).await.unwrap(), 0);
        for node in [&here, &there] {
            node.close().await;
        }
    })
    .await;
}
