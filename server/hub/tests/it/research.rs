//! Researching a topic: what is found is read side by side, by the rules of `fetch`, and told by its parts.

use crate::approvals::add_rule;
use crate::talk::{ada, calls};
use crate::world::{Endpoint, Sink, World, each_store_with_a_web, on_sqlite_with_a_web};
use protocol::view::{Network, SearchKind};
use serde_json::{Value, json};

const MOST_BYTES: usize = 8000;

/// What is to be told of a page that was found.
enum Told {
    Part(&'static str),
    Remark(&'static str),
    NotRead(&'static str),
}

use Told::{NotRead, Part, Remark};

fn article(title: &str, telling: &str, beside: &str) -> String {
    let beside: String = (0..30).map(|at| format!("<p>{at}. {}</p>", beside.repeat(6))).collect();
    format!(
        "<html><head><title>{title}</title><meta name='author' content='Ada'></head><body><nav>Home</nav>\
         <article>{beside}<p>{telling}</p>{beside}</article></body></html>"
    )
}

#[tokio::test]
async fn what_is_found_is_read_and_told_by_the_parts_that_fit() {
    const MOSS: &str =
        "Moss thrives on the damp side of old walls, where water stays and nobody walks on it.";
    const KOKE: &str = "苔は湿った古い壁の陰を好み、水がいつまでも残り、誰も踏まない場所でゆっくりと育つ。";
    let endpoint = Endpoint::start();
    let english = article("On moss", MOSS, "The garden has many plants, and all of them like the sun. ");
    let japanese = article("苔について", KOKE, "庭には多くの植物があり、そのすべてが太陽の光を好む。");
    let ferns =
        article("Ferns", "", "Ferns stand in a shade of their own, and nobody asks about them here. ");
    each_store_with_a_web(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let moss = Sink::page(&english);
        let leading = Sink::leading(&moss.url("/led"));
        let pages = [
            (moss, Part(MOSS)),
            (Sink::page(&japanese), Part(KOKE)),
            (Sink::page(&ferns), Remark("No word of the question stands in it.")),
            (leading, Remark("It says the same as a page above.")),
            (Sink::saying("404 Not Found", "content-type: text/html\r\n", b"Moss!"), NotRead("It answered with status 404.")),
            (Sink::page(&english), NotRead("Not allowed: a rule of your person's is against it.")),
            (Sink::page(&english), NotRead("Your person would have to be asked.")),
            (Sink::page(&english), NotRead("Not allowed: ")),
            (Sink::page(&english), NotRead("It is not among the first.")),
        ];
        // Those that nobody is to reach: forbidden, to be asked about, not on the list, and one too many.
        let (denied, asked, outside) = (&pages[5].0, &pages[6].0, &pages[7].0);
        add_rule(&world.hub, &viewer, "deny", "fetch", &denied.host()).await;
        add_rule(&world.hub, &viewer, "ask", "fetch", &asked.host()).await;
        let hit = |(at, (page, _)): (usize, &(Sink, Told))| {
            json!({ "title": format!("Page {at}"), "url": page.url("/"), "content": "Moss." })
        };
        let results: Vec<Value> = pages.iter().enumerate().map(hit).collect();
        let source = Sink::saying("200 OK", "", json!({ "results": results }).to_string().as_bytes());
        scoped.web_search().add(SearchKind::Searxng, Some(&source.url("/")), None).await.unwrap();
        let hosts = pages.iter().map(|(page, _)| page.host()).filter(|host| *host != outside.host());
        let hosts = hosts.chain([source.host()]).collect();
        scoped.networks().set(&agent.id, Network::AllowList { hosts }).await.unwrap();
        let conversation = scoped.conversations().create(&agent.id).await.unwrap().id;
        let input = json!({ "query": "moss", "question": "Where is damp MOSS? 湿った苔", "pages": 8 });
        let first = calls(&scoped, &agent.id, &conversation, &[("research_topic", input)]).await.remove(0);
        assert!(!first.0 && first.1.len() <= MOST_BYTES, "{first:?}");
        let told: Value = serde_json::from_str(&first.1).unwrap();
        let results = told["results"].as_array().unwrap();
        assert_eq!(results.len(), pages.len(), "{told}");
        for (result, (page, expected)) in results.iter().zip(&pages) {
            let text = |name: &str| result[name].as_str().unwrap_or_default();
            match expected {
                Part(part) => {
                    let parts = result["parts"].as_array().unwrap();
                    assert!(parts.iter().any(|told| told.as_str().unwrap().contains(part)), "{result}");
                    assert_eq!((text("url"), text("author")), (page.url("/").as_str(), "Ada"));
                    assert!(!text("title").starts_with("Page"), "its own title: {result}");
                }
                Remark(remark) => assert!(text("remark").starts_with(remark), "{result}"),
                NotRead(why) => assert!(text("not_read").starts_with(why), "{result}"),
            }
        }
        let heard: Vec<usize> = pages.iter().map(|(page, _)| page.heard().len()).collect();
        assert_eq!(heard, [2, 1, 1, 1, 1, 0, 0, 0, 0], "the first one by a redirect as well");
    })
    .await;
}

#[tokio::test]
async fn a_server_is_asked_by_its_robots_and_not_again_for_what_it_lets_be_kept() {
    let endpoint = Endpoint::start();
    let moss = article("On moss", "Moss grows where it is damp.", "The garden has many plants. ");
    each_store_with_a_web(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let head = "content-type: text/html\r\ncache-control: max-age=600\r\n";
        let kept = Sink::saying("200 OK", head, moss.as_bytes());
        let robots =
            Sink::saying("200 OK", "content-type: text/plain\r\n", b"User-agent: *\nDisallow: /private\n");
        let broken = Sink::saying("500 Internal Server Error", "", b"");
        let resting = Sink::saying("429 Too Many Requests", "retry-after: 60\r\n", b"");
        let pages = [
            kept.url("/a"),
            robots.url("/private/a"),
            robots.url("/open"),
            broken.url("/a"),
            resting.url("/a"),
        ];
        let results = pages.each_ref().map(|url| json!({ "title": "Moss", "url": url, "content": "Moss." }));
        let source = Sink::saying("200 OK", "", json!({ "results": results }).to_string().as_bytes());
        scoped.web_search().add(SearchKind::Searxng, Some(&source.url("/")), None).await.unwrap();
        let hosts = [&kept, &robots, &broken, &resting, &source].map(|sink| sink.host()).to_vec();
        scoped.networks().set(&agent.id, Network::AllowList { hosts }).await.unwrap();
        let conversation = scoped.conversations().create(&agent.id).await.unwrap().id;
        let research = async |query: &str| {
            let input = json!({ "query": query, "question": "Where is it damp?", "pages": 5 });
            let told = calls(&scoped, &agent.id, &conversation, &[("research_topic", input)]).await.remove(0);
            let told: Value = serde_json::from_str(&told.1).unwrap();
            let why = |page: &Value| page["not_read"].as_str().unwrap_or("read").to_owned();
            told["results"].as_array().unwrap().iter().map(why).collect::<Vec<_>>()
        };
        let begins = |told: &[String], expected: [&str; 5]| {
            for (told, expected) in told.iter().zip(expected) {
                assert!(told.contains(expected), "{told} is not {expected}");
            }
        };
        for words in ["ferns", "trees"] {
            add_rule(&world.hub, &viewer, "allow", "research_topic", words).await;
        }
        begins(&research("moss").await, ["read", "read", "read", "status 500", "status 429"]);
        let heard = || [&kept, &robots, &broken, &resting].map(|sink| sink.heard().len());
        assert_eq!(heard(), [1, 2, 1, 1]);
        scoped.networks().follow_robots(&agent.id, true).await.unwrap();
        let keeps_away = "asks programs to keep away from this page";
        begins(&research("ferns").await, ["read", keeps_away, "read", "could not be read", "left alone"]);
        // Of the first nothing is asked, and of the last not even its robots.txt.
        assert_eq!(heard(), [1, 4, 2, 1]);
        begins(&research("trees").await, ["read", keeps_away, "read", "could not be read", "left alone"]);
        assert_eq!(heard(), [1, 5, 2, 1], "robots.txt is kept, and one that could not be read as well");
        let agents = kept.heads();
        assert!(agents.iter().all(|head| head.contains("user-agent: vivarium/")), "{agents:?}");
    })
    .await;
}

#[tokio::test]
async fn documents_on_the_web_are_read_as_text_by_fetch_and_by_research() {
    const PDF: &[u8] = include_bytes!("fixtures/documents/report.pdf");
    const DOCX: &[u8] = include_bytes!("fixtures/documents/letter.docx");
    const LOCKED: &[u8] = include_bytes!("fixtures/documents/locked.pdf");
    const LINE: &str = "Line 29 on page 1: moss is green.";
    let endpoint = Endpoint::start();
    on_sqlite_with_a_web(async |world: World| {
        let (viewer, agent) = ada(&world, &endpoint).await;
        let scoped = world.hub.for_viewer(&viewer);
        let pdf = Sink::saying("200 OK", "content-type: application/pdf\r\n", PDF);
        let letter = Sink::saying("200 OK", "content-type: application/octet-stream\r\n", DOCX);
        let locked = Sink::saying("200 OK", "content-type: application/pdf\r\n", LOCKED);
        let hit = |page: &Sink| json!({ "title": "Moss", "url": page.url("/report"), "content": "Moss." });
        let results = json!({ "results": [hit(&pdf), hit(&locked)] });
        let source = Sink::saying("200 OK", "", results.to_string().as_bytes());
        scoped.web_search().add(SearchKind::Searxng, Some(&source.url("/")), None).await.unwrap();
        let hosts = [&pdf, &letter, &locked, &source].map(|page| page.host()).to_vec();
        scoped.networks().set(&agent.id, Network::AllowList { hosts }).await.unwrap();
        let conversation = scoped.conversations().create(&agent.id).await.unwrap().id;
        // Once words of strangers are there, only a rule that names the host lets a call through.
        for page in [&pdf, &letter, &locked] {
            add_rule(&world.hub, &viewer, "allow", "fetch", &page.host()).await;
        }
        let asked = [
            ("research_topic", json!({ "query": "moss", "question": "Which line says moss is green?" })),
            ("read_page", json!({ "url": pdf.url("/report") })),
            ("fetch", json!({ "url": letter.url("/letter.docx") })),
            ("fetch", json!({ "url": letter.url("/letter") })),
            ("fetch", json!({ "url": locked.url("/") })),
        ];
        let told = calls(&scoped, &agent.id, &conversation, &asked).await;
        let told: Vec<Value> = told.iter().map(|(_, told)| serde_json::from_str(told).expect(told)).collect();
        let results = told[0]["results"].as_array().unwrap();
        assert!(results[0]["parts"].to_string().contains("moss is green"), "{}", told[0]);
        assert!(results[1]["not_read"].as_str().unwrap().starts_with("It is encrypted."), "{}", told[0]);
        assert!(told[1]["text"].as_str().unwrap().contains(LINE), "{}", told[1]);
        assert_eq!(told[1]["document"]["parts"], 13);
        assert!(told[1]["more"].as_str().unwrap().starts_with("Read on with from: "), "{}", told[1]);
        assert!(told[2]["text"].as_str().is_some_and(|text| !text.is_empty()), "{}", told[2]);
        // What neither its type nor its name says is a document is none.
        assert_eq!(told[3]["binary"]["type"], "application/octet-stream");
        assert!(
            told[4]["binary"]["not_read"].as_str().unwrap().starts_with("It is encrypted."),
            "{}",
            told[4]
        );
    })
    .await;
}
