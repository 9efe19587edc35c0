use super::*;

fn list(hosts: &[&str]) -> Network {
    Network::AllowList { hosts: hosts.iter().map(|host| (*host).to_owned()).collect() }
}

#[test]
fn each_policy_lets_through_what_it_names() {
    let (off, public) = (Network::Off, Network::Public);
    let some =
        list(&["example.org", "*.example.com", "api.example.net:8000", "1.1.1.1", "[2606:4700::1111]"]);
    for (network, url, expected) in [
        (&off, "https://example.org/", false),
        (&public, "https://example.org/", true),
        (&public, "http://example.org:8080/", true),
        (&public, "https://example.org:8443/", true),
        (&public, "http://example.org:25/", false),
        (&public, "https://example.org:8000/", false),
        (&some, "https://example.org/a?b", true),
        (&some, "https://EXAMPLE.org./a", true),
        (&some, "https://example。org/", true),
        (&some, "https://example.org:25/", false),
        (&some, "https://www.example.org/", false),
        (&some, "https://notexample.org/", false),
        (&some, "https://example.org.evil.example/", false),
        (&some, "https://a.example.com/", true),
        (&some, "https://a.b.example.com/", true),
        (&some, "https://example.com/", false),
        (&some, "https://.example.com/", false),
        (&some, "https://aexample.com/", false),
        (&some, "http://api.example.net:8000/", true),
        (&some, "http://api.example.net/", false),
        (&some, "http://1.1.1.1/", true),
        (&some, "http://16843009/", true),
        (&some, "http://1.1.1.2/", false),
        (&some, "http://[2606:4700:0::1111]/", true),
        (&some, "http://2130706433/", false),
    ] {
        let target = Target::parse(url).expect(url);
        assert_eq!(permit(network, &target).is_ok(), expected, "{network:?} {url}");
    }
}

#[test]
fn a_list_is_kept_as_it_is_compared() {
    for (hosts, expected) in [
        (&["Example.ORG", " example.org. ", ""][..], Some(&["example.org"][..])),
        (&["*.bücher.example"], Some(&["*.xn--bcher-kva.example"])),
        (&["example.org:443", "example.org:80"], Some(&["example.org:443", "example.org:80"])),
        (&["127.1", "[::1]:8080"], Some(&["127.0.0.1", "[::1]:8080"])),
        (&[], None),
        (&["  "], None),
        (&["*"], None),
        (&["*.*.example"], None),
        (&["*.1.1.1.1"], None),
        (&["https://example.org"], None),
        (&["example.org/path"], None),
        (&["user@example.org"], None),
        (&["example.org:0x50"], None),
        (&["example.org:99999"], None),
        (&["a b"], None),
    ] {
        let found = check(list(hosts)).ok();
        assert_eq!(found, expected.map(list), "{hosts:?}");
    }
    let many: Vec<String> = (0..101).map(|number| format!("h{number}.example")).collect();
    assert!(check(Network::AllowList { hosts: many }).is_err());
}
