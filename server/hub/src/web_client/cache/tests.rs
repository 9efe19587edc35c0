use super::*;
use reqwest::header::HeaderName;

const PAGE: &str = "https://moss.example/";

fn answer(status: u16, headers: &[(&str, &str)], body: &str) -> Answer {
    let named = headers.iter().map(|(name, value)| {
        (HeaderName::from_bytes(name.as_bytes()).unwrap(), HeaderValue::from_str(value).unwrap())
    });
    let body = Bytes::copy_from_slice(body.as_bytes());
    Answer::kept("https://moss.example".to_owned(), status, &named.collect(), body).unwrap()
}

fn target(url: &str) -> Target {
    Target::parse(url).unwrap()
}

async fn text(answer: Option<Answer>) -> Option<String> {
    let body = answer?.start_of_body(100).await;
    Some(String::from_utf8(body).unwrap())
}

#[tokio::test]
async fn an_answer_is_given_again_as_long_as_it_says_and_to_who_reads_on_for_ten_minutes() {
    let minute = 60_000;
    for (headers, reading, at, expected) in [
        (&[("cache-control", "max-age=60")][..], Reading::FromStart, minute - 1, Some("moss")),
        (&[("cache-control", "max-age=60")], Reading::FromStart, minute, None),
        (&[("cache-control", "max-age=60")], Reading::Anew, 0, None),
        (&[("cache-control", "max-age=60")], Reading::On, 9 * minute, Some("moss")),
        (&[("cache-control", "max-age=3600")], Reading::On, 50 * minute, Some("moss")),
        (&[], Reading::FromStart, 0, None),
        (&[], Reading::On, 9 * minute, Some("moss")),
        (&[], Reading::On, 10 * minute, None),
        (&[("cache-control", "no-store")], Reading::On, 0, None),
    ] {
        let cache = Cache::default();
        let ada = "ada".into();
        let told = cache.keep(&ada, &target(PAGE), answer(200, headers, "moss"), None, Moment(0)).await;
        assert_eq!(text(told.ok()).await.as_deref(), Some("moss"));
        let found = cache.find(&ada, &target(PAGE), reading, Moment(at));
        let given = text(found.and_then(|kept| kept.answer())).await;
        assert_eq!(given.as_deref(), expected, "{headers:?} {reading:?} {at}");
        assert!(cache.find(&"eve".into(), &target(PAGE), reading, Moment(at)).is_none());
    }
}

#[tokio::test]
async fn what_still_holds_by_its_server_is_given_again_and_what_is_no_page_is_not_kept() {
    let (cache, ada) = (Cache::default(), "ada".into());
    let first = answer(200, &[("etag", "\"1\""), ("last-modified", "Sun, 06 Nov 1994 08:49:37 GMT")], "moss");
    cache.keep(&ada, &target(PAGE), first, None, Moment(0)).await.unwrap();
    let known = cache.find(&ada, &target(PAGE), Reading::FromStart, Moment(5000)).unwrap();
    assert!(known.answer().is_none());
    let validators = known.validators();
    assert_eq!(validators[IF_NONE_MATCH], "\"1\"");
    assert_eq!(validators[IF_MODIFIED_SINCE], "Sun, 06 Nov 1994 08:49:37 GMT");
    let same = answer(304, &[("cache-control", "max-age=60")], "");
    let told = cache.keep(&ada, &target(PAGE), same, Some(known), Moment(5000)).await.unwrap();
    assert_eq!((told.status(), text(Some(told)).await.as_deref()), (200, Some("moss")));
    let kept = cache.find(&ada, &target(PAGE), Reading::FromStart, Moment(60_000)).unwrap();
    let given = kept.answer().unwrap();
    assert_eq!(given.header(AGE), Some("55"));
    for status in [301, 404, 500] {
        let other = "https://moss.example/other";
        let failed = answer(status, &[("cache-control", "max-age=60")], "gone");
        cache.keep(&ada, &target(other), failed, None, Moment(0)).await.unwrap();
        assert!(cache.find(&ada, &target(other), Reading::FromStart, Moment(0)).is_none(), "{status}");
    }
}

#[tokio::test]
async fn each_person_has_room_for_eight_megabytes_and_the_oldest_make_room() {
    let (cache, ada, eve) = (Cache::default(), "ada".into(), "eve".into());
    let large = "m".repeat(LARGEST - 1024);
    let page = |number: usize| target(&format!("https://moss.example/{number}"));
    let whole = |body: &str| answer(200, &[("cache-control", "max-age=60")], body);
    cache.keep(&eve, &page(0), whole("moss"), None, Moment(0)).await.unwrap();
    for number in 0..5 {
        cache.keep(&ada, &page(number), whole(&large), None, Moment(0)).await.unwrap();
    }
    cache.keep(&ada, &page(9), whole(&"m".repeat(LARGEST + 1)), None, Moment(0)).await.unwrap();
    let has = |person: &UserId, number: usize| {
        cache.find(person, &page(number), Reading::FromStart, Moment(0)).is_some()
    };
    assert_eq!([0, 1, 2, 3, 4, 9].map(|number| has(&ada, number)), [false, true, true, true, true, false]);
    assert!(has(&eve, 0));
}
