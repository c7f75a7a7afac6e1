//! Forms for staff accounts: new accounts, links, duties, suspension, sessions, locks; and changing one's own password.

use axum::http::StatusCode;
use baize_house::{Actor, Duty, PlayerId, StaffId};
use baize_rules::Money;
use baize_web::{Config, Rate};

use crate::client::{Client, NO_LIMIT, Response, TestCasino, field};

/// Loads a page and sends a form twice. Both responses must be the same.
async fn twice(client: &mut Client, page: &str, action: &str, fields: &[(&str, &str)]) -> Response {
    let page = client.get(page).await.text();
    let (csrf, id) = (field(&page, "csrf"), field(&page, "id"));
    let mut all = vec![("csrf", csrf.as_str()), ("id", id.as_str())];
    all.extend_from_slice(fields);
    let (first, again) = (client.post(action, &all).await, client.post(action, &all).await);
    assert_eq!(first.status, again.status, "{}", again.text());
    assert_eq!(first.header("location"), again.header("location"));
    again
}

/// Sends an action on dora's account twice and returns the page that follows.
async fn to_dora(boss: &mut Client, what: &str, more: &[(&str, &str)]) -> String {
    let mut fields = vec![("name", "dora"), ("do", what)];
    fields.extend_from_slice(more);
    let answer = twice(boss, "/staff?name=dora", "/staff/do", &fields).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{what}: {}", answer.text());
    boss.get(answer.header("location")).await.text()
}

/// The address of a one-time link on a page.
fn link(page: &str) -> String {
    let start = page.find("http://casino.test/in/").unwrap_or_else(|| panic!("no link: {page}"));
    page[start..].split('"').next().unwrap().strip_prefix("http://casino.test").unwrap().to_owned()
}

async fn log_in(casino: &TestCasino, name: &str, password: &str) -> (Client, Response) {
    let mut client = casino.client();
    let answer = client.form("/login", "/login", &[("name", name), ("password", password)]).await;
    (client, answer)
}

/// The number of significant events that contain this text.
async fn noted(casino: &TestCasino, words: &str) -> usize {
    let events = casino.house.significant_events(&Actor::House, 200).await.unwrap();
    events.iter().filter(|event| event.words.contains(words)).count()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_account_from_creation_to_suspension() {
    let casino = TestCasino::open().await;
    let mut boss = casino.staff(Duty::ShiftManager).await;
    let new = [("new", "dora"), ("duty", "dealer"), ("password", "")];
    let made = twice(&mut boss, "/staff", "/staff", &new).await;
    assert_eq!(made.header("location"), "/staff?name=dora&done=made", "{}", made.text());
    let page = boss.get(made.header("location")).await.text();
    assert!(page.contains("The account dora was created.") && page.contains("<dd>Dealer</dd>"), "{page}");

    let shown = twice(&mut boss, "/staff?name=dora", "/staff/do", &[("name", "dora"), ("do", "link")]).await;
    assert_eq!(shown.status, StatusCode::OK);
    assert_eq!(shown.header("cache-control"), "no-store");
    assert!(shown.text().contains("shown only once"), "{}", shown.text());
    let link = link(&shown.text());
    assert!(!boss.get("/staff?name=dora").await.text().contains(&link), "it is not shown again");
    assert_eq!(noted(&casino, "made a log-in link for dora").await, 1);
    let mut dora = casino.client();
    assert!(dora.form(&link, &link, &[]).await.text().contains("url=/dealer"));
    assert_eq!(casino.client().get(&link).await.status, StatusCode::GONE, "once");
    assert_eq!(dora.get("/dealer").await.status, StatusCode::OK);
    assert_eq!(dora.get("/pit").await.status, StatusCode::FORBIDDEN);

    // The query only asks for confirmation; the form changes the duties and ends the sessions.
    let asked = boss.get("/staff?name=dora&do=duties&duty=dealer&duty=pit-supervisor").await.text();
    assert!(asked.contains("From <b>Dealer</b> to <b>Dealer, Pit Supervisor</b>"), "{asked}");
    assert_eq!(dora.get("/dealer").await.status, StatusCode::OK);
    let page = to_dora(&mut boss, "duties", &[("duty", "dealer"), ("duty", "pit-supervisor")]).await;
    assert!(page.contains("dora is now Dealer, Pit Supervisor"), "{page}");
    assert_eq!(dora.get("/dealer").await.status, StatusCode::SEE_OTHER, "to the log-in page");
    assert_eq!(noted(&casino, "the duties of dora changed from Dealer to Dealer, Pit Supervisor").await, 1);

    let id: StaffId = "dora".parse().unwrap();
    let own = casino.house.start_session(&Actor::staff(id.clone(), [])).await.unwrap();
    casino.house.change_password(&own.actor, None, "correct horse").await.unwrap();
    let (mut dora, _) = log_in(&casino, "dora", "correct horse").await;
    assert_eq!(dora.get("/pit").await.status, StatusCode::OK);
    let page = to_dora(&mut boss, "end-sessions", &[]).await;
    assert!(page.contains("All sessions of dora have ended."), "{page}");
    assert_eq!(dora.get("/pit").await.status, StatusCode::SEE_OTHER);

    let (mut dora, _) = log_in(&casino, "dora", "correct horse").await;
    assert!(boss.get("/staff?name=dora&do=suspend").await.text().contains("name=\"reason\""));
    assert_eq!(dora.get("/pit").await.status, StatusCode::OK, "the query changes nothing");
    let page = to_dora(&mut boss, "suspend", &[("reason", "an <inquiry>")]).await;
    assert!(
        page.contains("dora is suspended and logged out.") && page.contains("an &lt;inquiry&gt;"),
        "{page}"
    );
    assert!(page.contains("by shift-manager"), "{page}");
    assert_eq!(dora.get("/pit").await.status, StatusCode::SEE_OTHER);
    assert_eq!(log_in(&casino, "dora", "correct horse").await.1.status, StatusCode::LOCKED);
    assert_eq!(noted(&casino, "dora was suspended: an <inquiry>").await, 1);

    let page = to_dora(&mut boss, "reinstate", &[]).await;
    assert!(page.contains("dora is reinstated.") && !page.contains("inquiry"), "{page}");
    assert_eq!(log_in(&casino, "dora", "correct horse").await.1.status, StatusCode::OK);
    assert!(baize_audit::audit(&casino.house).await.unwrap().is_clean());
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_appear_beside_their_form_and_keep_what_was_typed() {
    let casino = TestCasino::open().await;
    let mut boss = casino.staff(Duty::ShiftManager).await;
    let before = casino.house.staff(&Actor::House).await.unwrap();
    for (fields, status, parts) in [
        (
            vec![("new", "dealer"), ("duty", "cage")],
            StatusCode::CONFLICT,
            ["The name dealer is taken.", "value=\"dealer\" required", "value=\"cage\" checked"],
        ),
        (
            vec![("new", "two words"), ("duty", "dealer")],
            StatusCode::UNPROCESSABLE_ENTITY,
            ["is not a name of staff", "value=\"two words\"", "value=\"dealer\" checked"],
        ),
        (
            vec![("new", "nina")],
            StatusCode::UNPROCESSABLE_ENTITY,
            ["Name at least one duty.", "value=\"nina\"", "problem-new"],
        ),
        (
            vec![("new", "nina"), ("duty", "cage"), ("duty", "dealer")],
            StatusCode::UNPROCESSABLE_ENTITY,
            ["cannot be combined", "value=\"nina\"", "value=\"cage\" checked"],
        ),
        (
            vec![("new", "nina"), ("duty", "dealer"), ("password", "tiny-pw")],
            StatusCode::UNPROCESSABLE_ENTITY,
            ["8 to 256 characters", "value=\"nina\"", "value=\"dealer\" checked"],
        ),
        (
            vec![("new", "nina"), ("duty", "king")],
            StatusCode::BAD_REQUEST,
            ["nknown duty `king`; use dealer", "value=\"nina\"", "problem-new"],
        ),
    ] {
        let answer = boss.form("/staff", "/staff", &fields).await;
        assert_eq!(answer.status, status, "{fields:?}: {}", answer.text());
        let page = answer.text();
        assert!(page.contains("id=\"problem-new\"") && !page.contains("tiny-pw"), "{fields:?}: {page}");
        for part in parts {
            assert!(page.contains(part), "{fields:?}: {part}: {page}");
        }
    }
    for (name, what, more, status, part) in [
        ("dealer", "suspend", ("reason", "  "), StatusCode::UNPROCESSABLE_ENTITY, "Give a reason"),
        ("dealer", "reinstate", ("", ""), StatusCode::UNPROCESSABLE_ENTITY, "is not suspended"),
        ("dealer", "duties", ("duty", "king"), StatusCode::BAD_REQUEST, "nknown duty"),
        (
            "shift-manager",
            "suspend",
            ("reason", "no"),
            StatusCode::FORBIDDEN,
            "You cannot do this for yourself",
        ),
        (
            "shift-manager",
            "duties",
            ("duty", "cage"),
            StatusCode::FORBIDDEN,
            "You cannot do this for yourself",
        ),
        ("pit-manager", "link", ("", ""), StatusCode::FORBIDDEN, "at the casino's console"),
        ("auditor", "link", ("", ""), StatusCode::FORBIDDEN, "at the casino's console"),
    ] {
        let answer = boss.form("/staff", "/staff/do", &[("name", name), ("do", what), more]).await;
        let page = answer.text();
        assert_eq!(answer.status, status, "{name} {what}: {page}");
        let beside = format!("id=\"problem-{what}\">");
        let message = page.split(&beside).nth(1).unwrap_or_else(|| panic!("{name} {what}: {page}"));
        assert!(message.split("</p>").next().unwrap().contains(part), "{name} {what}: {message}");
    }
    for (address, part) in [
        ("/staff?name=nobody", "There is no member of staff nobody."),
        ("/staff?name=dealer&do=duties&duty=cage&duty=dealer", "cannot be combined"),
        ("/staff?name=dealer&do=duties", "Name at least one duty."),
        ("/staff?name=dealer&do=duties&duty=dealer", "dealer has these duties already."),
        ("/staff?name=shift-manager&do=suspend", "Not possible: you cannot change your own account"),
        ("/staff?name=pit-manager", "No link can be made here: links for the pit and for auditors"),
    ] {
        let answer = boss.get(address).await;
        assert_eq!(answer.status, StatusCode::OK, "{address}");
        let page = answer.text();
        assert!(page.contains(part), "{address}: {page}");
        assert!(!page.contains("form class=\"remedy confirm\""), "{address} asks to confirm nothing");
    }
    assert_eq!(casino.house.staff(&Actor::House).await.unwrap(), before, "nothing has changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn shift_managers_change_accounts_auditors_read_them() {
    let casino = TestCasino::open().await;
    let before = casino.house.staff(&Actor::House).await.unwrap();
    let forms: [(&str, &[(&str, &str)]); 4] = [
        ("/staff", &[("new", "nina"), ("duty", "shift-manager"), ("password", "correct horse")]),
        ("/staff/do", &[("name", "dealer"), ("do", "suspend"), ("reason", "no")]),
        ("/staff/do", &[("name", "cage"), ("do", "link")]),
        ("/staff/do", &[("player", "ann"), ("do", "unlock")]),
    ];
    let mut ann = casino.player("ann").await;
    let mut all = vec![("player", &mut ann)];
    let mut others = Vec::new();
    for duty in [Duty::Dealer, Duty::PitSupervisor, Duty::PitManager, Duty::Cage] {
        others.push((duty.code(), casino.staff(duty).await));
    }
    all.extend(others.iter_mut().map(|(name, client)| (*name, client)));
    for (who, client) in all {
        assert_eq!(client.get("/staff").await.status, StatusCode::FORBIDDEN, "{who}");
        assert!(!client.get("/").await.text().contains("href=\"/staff\""), "{who}");
        for (path, fields) in forms {
            let answer = client.form("/password", path, fields).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{who} {path}");
        }
    }
    let mut auditor = casino.staff(Duty::Auditor).await;
    let page = auditor.get("/staff?name=dealer&do=suspend").await.text();
    assert!(page.contains("a Shift Manager can change them"), "{page}");
    assert!(!page.contains("action=\"/staff/do\"") && !page.contains("name=\"new\""), "{page}");
    for (path, fields) in forms {
        assert_eq!(auditor.form("/password", path, fields).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    for duty in [Duty::Auditor, Duty::ShiftManager] {
        assert!(casino.staff(duty).await.get("/").await.text().contains("href=\"/staff\""), "{duty:?}");
    }
    for path in ["/staff", "/password"] {
        let answer = casino.client().get(path).await;
        assert_eq!(answer.header("location"), format!("/login?next={path}"));
    }
    assert_eq!(casino.house.staff(&Actor::House).await.unwrap(), before, "nothing has changed");
}

#[tokio::test(flavor = "multi_thread")]
async fn shift_managers_unlock_accounts() {
    let casino = TestCasino::open().await;
    let ann: PlayerId = "ann".parse().unwrap();
    casino.house.create_player(&ann, Some("correct horse"), Money::ZERO).await.unwrap();
    let dora: StaffId = "dora".parse().unwrap();
    casino.house.create_staff(&Actor::House, &dora, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
    let mut boss = casino.staff(Duty::ShiftManager).await;
    assert!(!boss.get("/staff").await.text().contains("Locked players"));
    for name in ["ann", "dora"] {
        for _ in 0..3 {
            log_in(&casino, name, "wrong horse").await;
        }
        assert_eq!(log_in(&casino, name, "correct horse").await.1.status, StatusCode::LOCKED, "{name}");
    }
    let page = casino.staff(Duty::Cage).await.get("/cage?player=ann").await.text();
    assert!(
        page.contains("A Shift Manager can unlock the account"),
        "the cashier can say what to do: {page}"
    );
    let page = boss.get("/staff?name=dora").await.text();
    assert!(page.contains("aria-label=\"Unlock ann\""), "{page}");
    assert!(page.contains("Sessions and links still work"), "{page}");
    let page = to_dora(&mut boss, "unlock", &[]).await;
    assert!(page.contains("dora can log in again."), "{page}");
    let done = twice(&mut boss, "/staff", "/staff/do", &[("player", "ann"), ("do", "unlock")]).await;
    let page = boss.get(done.header("location")).await.text();
    assert!(page.contains("ann can log in again.") && !page.contains("Locked players"), "{page}");
    for name in ["ann", "dora"] {
        assert_eq!(log_in(&casino, name, "correct horse").await.1.status, StatusCode::OK, "{name}");
    }
    let nobody = boss.form("/staff", "/staff/do", &[("player", "nobody"), ("do", "unlock")]).await;
    assert_eq!(nobody.status, StatusCode::NOT_FOUND);
    assert!(nobody.text().contains("id=\"problem-players\""), "{}", nobody.text());
}

#[tokio::test(flavor = "multi_thread")]
async fn staff_are_found_by_name_duty_and_state() {
    let casino = TestCasino::open().await;
    let dealer: StaffId = "dealer".parse().unwrap();
    casino.house.suspend(&Actor::House, &dealer, "an inquiry").await.unwrap();
    let mut boss = casino.staff(Duty::ShiftManager).await;
    for (query, names) in [
        ("", &["auditor", "cage", "dealer", "pit-manager", "pit-supervisor", "shift-manager"][..]),
        ("find=PIT", &["pit-manager", "pit-supervisor"]),
        ("find=pit+supervisor", &["pit-supervisor"]),
        ("state=suspended", &["dealer"]),
        ("state=active&find=er", &["pit-manager", "pit-supervisor", "shift-manager"]),
        ("state=locked", &[]),
    ] {
        let page = boss.get(&format!("/staff?{query}")).await.text();
        let found: Vec<&str> =
            page.split("href=\"/staff?name=").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert_eq!(found, names, "{query}");
        assert_eq!(page.contains("Nobody matches."), found.is_empty(), "{query}");
    }
    assert!(boss.get("/staff").await.text().contains("an inquiry"), "the reason is in the list");
}

#[tokio::test(flavor = "multi_thread")]
async fn changing_a_password_ends_all_other_sessions() {
    let casino = TestCasino::open().await;
    let dora: StaffId = "dora".parse().unwrap();
    casino.house.create_staff(&Actor::House, &dora, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
    let (mut here, _) = log_in(&casino, "dora", "correct horse").await;
    let (mut elsewhere, _) = log_in(&casino, "dora", "correct horse").await;
    assert!(here.get("/").await.text().contains("href=\"/password\""), "her name links to it");
    for (old, new, again, status, at) in [
        ("correct horse", "battery staple", "battery stable", StatusCode::UNPROCESSABLE_ENTITY, "again"),
        ("correct horse", "tiny-pw", "tiny-pw", StatusCode::UNPROCESSABLE_ENTITY, "new"),
        ("wrong horse", "battery staple", "battery staple", StatusCode::UNAUTHORIZED, "old"),
    ] {
        let fields = [("old", old), ("new", new), ("again", again)];
        let answer = here.form("/password", "/password", &fields).await;
        assert_eq!(answer.status, status, "{at}: {}", answer.text());
        let page = answer.text();
        assert!(page.contains(&format!("id=\"problem-{at}\"")), "{at}: {page}");
        assert!(
            ![old, new, again].iter().any(|typed| page.contains(typed)),
            "no password comes back: {page}"
        );
        assert_eq!(elsewhere.get("/dealer").await.status, StatusCode::OK, "{at}");
    }
    let before = here.cookies["baize"].clone();
    let fields = [("old", "correct horse"), ("new", "battery staple"), ("again", "battery staple")];
    let answer = here.form("/password", "/password", &fields).await;
    assert_eq!(answer.header("location"), "/password?changed=yes", "{}", answer.text());
    assert!(answer.header("set-cookie").contains("HttpOnly; SameSite=Strict"));
    assert_ne!(here.cookies["baize"], before);
    assert!(here.get("/password?changed=yes").await.text().contains("Your password is changed."));
    assert_eq!(here.get("/dealer").await.status, StatusCode::OK);
    assert_eq!(elsewhere.get("/dealer").await.status, StatusCode::SEE_OTHER);
    assert_eq!(log_in(&casino, "dora", "correct horse").await.1.status, StatusCode::UNAUTHORIZED);
    assert_eq!(log_in(&casino, "dora", "battery staple").await.1.status, StatusCode::OK);
    // Wrong old passwords count as failed log-ins: after the third the next one is delayed. The session stays.
    for (guess, status) in [
        ("guess one", StatusCode::UNAUTHORIZED),
        ("guess two", StatusCode::UNAUTHORIZED),
        ("guess three", StatusCode::LOCKED),
    ] {
        let fields = [("old", guess), ("new", "another horse"), ("again", "another horse")];
        assert_eq!(here.form("/password", "/password", &fields).await.status, status, "{guess}");
    }
    assert_eq!(here.get("/dealer").await.status, StatusCode::OK);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_player_without_a_password_can_set_one() {
    let casino = TestCasino::open().await;
    let mut ann = casino.player("ann").await;
    let page = ann.get("/password").await.text();
    assert!(page.contains("You have no password yet") && !page.contains("name=\"old\""), "{page}");
    // A second person in the browser keeps their own addresses and cookie.
    let mut ben = ann.clone();
    assert_eq!(ben.form("/", "/join", &[("name", "ben")]).await.status, StatusCode::OK);
    ben.base = "/as/ben".to_owned();
    let fields = [("new", "correct horse"), ("again", "correct horse")];
    let answer = ben.form("/password", "/password", &fields).await;
    assert_eq!(answer.header("location"), "/as/ben/password?changed=yes", "{}", answer.text());
    assert!(ben.get("/password?changed=yes").await.text().contains("Your password is changed."));
    assert!(
        ann.get("/password?changed=yes").await.text().contains("You have no password yet"),
        "the first person is not affected"
    );
    let answer = ann.form("/password", "/password", &fields).await;
    assert_eq!(answer.header("location"), "/password?changed=yes", "{}", answer.text());
    for name in ["ann", "ben"] {
        assert_eq!(log_in(&casino, name, "correct horse").await.1.status, StatusCode::OK, "{name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn password_changes_count_towards_the_log_in_limit() {
    let config = Config {
        address_rate: NO_LIMIT,
        account_rate: NO_LIMIT,
        log_in_rate: Rate { per_second: 1, burst: 2 },
        ..Config::default()
    };
    let casino = TestCasino::with(config).await;
    let mut ann = casino.player("ann").await;
    // Too short to be hashed, so all requests come at once.
    let fields = [("new", "tiny-pw"), ("again", "tiny-pw")];
    let mut statuses = Vec::new();
    for _ in 0..12 {
        statuses.push(ann.form("/password", "/password", &fields).await.status);
    }
    assert!(statuses.contains(&StatusCode::TOO_MANY_REQUESTS), "{statuses:?}");
}
