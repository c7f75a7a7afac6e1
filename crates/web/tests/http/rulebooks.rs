//! Tables with a rulebook of the house's own: its pages, and the pages of the built-in rulebook.

use axum::http::StatusCode;
use baize_house::{Actor, Duty};
use baize_rules::Rulebook;

use crate::client::TestCasino;

#[tokio::test(flavor = "multi_thread")]
async fn a_house_can_play_its_own_rulebook() {
    let casino = TestCasino::open().await;
    let builtin = Rulebook::builtins().iter().find(|book| book.board_size() == 0).unwrap();
    let text = Rulebook::builtin_text(&builtin.id).unwrap();
    let name = |name: &str| format!("\nname = \"{name}\"");
    let id = |id: &str| format!("\nid = \"{id}\"");
    let based_on = format!("{}\nbased_on = \"{}\"", id("our-stud"), builtin.id);
    let own = text
        .replacen(&id(&builtin.id), &based_on, 1)
        .replacen(&name(&builtin.name), &name("Casino Stud of Our Own"), 1)
        .replacen("250 to 1", "240 to 1", 1);
    let table = casino.house.set_up_own(&Actor::House, &own).await.unwrap();
    let book = casino.house.rulebook(&table).unwrap();
    assert_eq!(book.id, "our-stud");
    let altered = format!("altered from {}", builtin.edition_name());

    let mut ann = casino.player("ann").await;
    assert!(ann.get("/").await.text().contains("Casino Stud of Our Own"));
    let place = format!("/table/{table}");
    let page = ann.get(&place).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text().contains(&altered), "{}", page.text());
    let name = format!("{}-{}", book.id, &book.hash[..8]);
    assert!(page.text().contains(&format!("href=\"/rules/{name}\"")), "{}", page.text());

    let rules = ann.get(&format!("/rules/{name}")).await;
    assert_eq!(rules.status, StatusCode::OK);
    assert!(rules.text().contains(&book.hash) && rules.text().contains("240 to 1"));
    let other = ann.get(&format!("/rules/{}", builtin.id)).await.text();
    assert!(other.contains(&builtin.hash) && other.contains("250 to 1"));
    assert!(ann.get("/rules").await.text().contains(&format!("/rules/{name}")));
    assert_eq!(ann.get(&format!("/odds/{name}")).await.status, StatusCode::OK);
    assert_eq!(ann.get("/rules/another-game").await.status, StatusCode::NOT_FOUND);

    // The other pages use the same rulebook.
    let bet = [("do", "bet"), ("seat", "4"), ("ante", "10.00"), ("deal", "yes")];
    assert!(ann.form(&place, &format!("{place}/do"), &bet).await.status.is_redirection());
    let games = ann.get("/api/v1/games").await.json();
    assert!(games.as_array().unwrap().iter().any(|game| game["hash"] == book.hash.as_str()), "{games}");
    let mut pit = casino.staff(Duty::PitSupervisor).await;
    for page in ["/pit".to_owned(), format!("/pit/{table}"), "/dealer".to_owned(), format!("/dealer/{table}")]
    {
        let answer = pit.get(&page).await;
        assert_eq!(answer.status, StatusCode::OK, "{page}");
        assert!(answer.text().contains(&altered), "{page}");
    }
}
