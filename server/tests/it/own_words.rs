//! What pages say of failures are the hub's own words, also where a form works without script.

use crate::live::agent;
use crate::world::{Caller, Endpoint, Program};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE;
use reqwest::header::{ACCEPT, LOCATION, ORIGIN, REFERER};
use reqwest::{Method, Response};

const FUNCTION: &str = "/api/account/sign_in";
const WRONG: &str = "The name or the password is wrong.";

/// Sends the sign-in form as a browser without script does.
async fn submit(caller: &Caller, from: &str) -> String {
    let response = caller
        .request(Method::POST, FUNCTION)
        .header(ORIGIN, &caller.url)
        .header(REFERER, format!("{}{from}", caller.url))
        .header(ACCEPT, "text/html")
        .header("content-type", "application/x-www-form-urlencoded")
        .body("name=ada&password=a+wrong+password")
        .send()
        .await
        .unwrap();
    let location = response.headers()[LOCATION].to_str().unwrap();
    location.strip_prefix(&caller.url).expect("it leads back to its page").to_owned()
}

fn leads_to(caller: &Caller, response: &Response) -> String {
    assert_eq!(response.status(), 303);
    response.headers()[LOCATION].to_str().unwrap().strip_prefix(&caller.url).unwrap().to_owned()
}

fn words(text: &str) -> String {
    URL_SAFE.encode(format!(r#"{{"kind":"invalid","message":"{text}"}}"#)).replace('=', "%3D")
}

#[tokio::test]
async fn a_page_says_nothing_that_a_link_put_into_its_address() {
    let program = Program::start();
    program.add_user("ada");
    let (visitor, ada) = (program.stranger(), program.browser("ada", "test").await);
    let lie = words("Your account is locked. Call 555-0100.");
    let path = FUNCTION.replace('/', "%2F");
    for (caller, page) in [(&visitor, "/sign-in"), (&ada, "/providers"), (&ada, "/"), (&visitor, "/nowhere")]
    {
        for query in [
            format!("__path={path}&__err={lie}"),
            format!("__err={lie}&__path={path}&__seal=99999999999999.AAAA"),
            format!("__err={lie}&__path={path}&__seal="),
            format!("__path={path}"),
        ] {
            let response = caller.get(&format!("{page}?kept=1&{query}")).await;
            assert_eq!(leads_to(caller, &response), format!("{page}?kept=1"), "{query}");
        }
    }
    // Not even to another site.
    let response = visitor.get(&format!("//evil.example/?__path={path}&__err={lie}")).await;
    assert!(leads_to(&visitor, &response).starts_with('/'));
}

#[tokio::test]
async fn a_failure_without_script_is_said_on_the_page_of_its_form_to_whoever_sent_it() {
    let program = Program::start();
    program.add_user("ada");
    let (visitor, ada) = (program.stranger(), program.browser("ada", "test").await);
    let told = submit(&visitor, "/sign-in?next=x").await;
    assert!(told.starts_with("/sign-in?next=x&__path="), "{told}");
    let response = visitor.get(&told).await;
    assert_eq!(response.status(), 200);
    assert!(response.text().await.unwrap().contains(WRONG));
    // Again from there: the former one is gone.
    let mut again = told.clone();
    for attempt in 2..=6 {
        again = submit(&visitor, &again).await;
        assert_eq!((again.matches("__seal").count(), again.matches("__err").count()), (1, 1), "{again}");
        let page = visitor.get(&again).await.text().await.unwrap();
        assert_eq!(page.contains(WRONG), attempt < 6);
        assert_eq!(page.contains("Too many failed attempts"), attempt == 6);
    }

    let (_, failure) = told.split_once("__err=").unwrap();
    let failure = failure.split('&').next().unwrap();
    let forged = [
        told.replace(failure, &words("Call 555-0100.")),
        told.replace("/sign-in", "/sign-up"),
        told.replace("sign_in", "sign_up"),
        format!("{told}&__err={}", words("Call 555-0100.")),
    ];
    for forged in forged {
        assert_ne!(forged, told);
        assert_eq!(visitor.get(&forged).await.status(), 303, "{forged}");
    }
    // What one was told is told to nobody else.
    assert_eq!(ada.get(&told).await.status(), 303);
}

#[tokio::test]
async fn what_was_typed_into_a_form_without_script_and_refused_stands_in_it_again() {
    let program = Program::start();
    let endpoint = Endpoint::start();
    let (owner, other) = (program.caller("ada"), program.caller("ben"));
    let ada = program.browser("ada", "test").await;
    let agent = agent(&owner, &endpoint).await;
    let page = format!("/agents/{agent}/tools");
    let write = async |schema: &str, seen: u32| {
        let response = ada
            .request(Method::POST, "/api/agents/write_made_tool")
            .header(ORIGIN, &ada.url)
            .header(REFERER, format!("{}{page}", ada.url))
            .header(ACCEPT, "text/html")
            .header("content-type", "application/x-www-form-urlencoded")
            .body(format!(
                "id={agent}&seen={seen}&name=mow&description=Mows+beds.&input_schema={schema}&code=return+%27mown%27"
            ))
            .send()
            .await
            .unwrap();
        let location = response.headers()[LOCATION].to_str().unwrap();
        let location = location.strip_prefix(&ada.url).unwrap_or(location).to_owned();
        ada.get(&location).await.text().await.unwrap()
    };
    let kept = format!("/api/agents/refused_made_tool?id={agent}");
    for (seen, typed) in [(0, "of a new one"), (1, "of one that is changed")] {
        let told = write("%7B+no+JSON", seen).await;
        for part in [
            "The input schema is no JSON",
            "{ no JSON</textarea>",
            "return 'mown'</textarea>",
            "Mows beds.",
            "value=\"mow\"",
        ] {
            assert!(told.contains(part), "{typed}: {part} is not in {told}");
        }
        assert_eq!(other.get(&kept).await.status(), 404, "it is nobody else's");
        let told = write("%7B%22type%22%3A%22object%22%7D", seen).await;
        assert!(!told.contains("no JSON"), "{typed}: what was taken stands in no form: {told}");
        assert_eq!(owner.get(&kept).await.text().await.unwrap(), "null");
    }
}
