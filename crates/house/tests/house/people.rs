//! People: names, passwords, links, locks.

use baize_house::{Actor, Duty, HouseError, PlayerId, StaffId};
use baize_rules::Money;

use crate::support::{Backend, Casino, clean};

#[tokio::test(flavor = "multi_thread")]
async fn three_failures_lock_and_a_shift_manager_unlocks() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let boss = casino.staff("boss", Duty::ShiftManager).await;
        let id: StaffId = "dora".parse().unwrap();
        casino.house.create_staff(&boss, &id, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
        let session = casino.house.log_in("dora", "correct horse").await.unwrap();
        assert_eq!(
            casino.house.session(&session.secret).await.unwrap(),
            Actor::staff(id.clone(), [Duty::Dealer])
        );
        for _ in 0..2 {
            assert_eq!(casino.house.log_in("dora", "wrong").await, Err(HouseError::WrongPassword));
        }
        assert_eq!(casino.house.log_in("dora", "wrong").await, Err(HouseError::Locked));
        assert_eq!(casino.house.log_in("dora", "correct horse").await, Err(HouseError::Locked));
        assert_eq!(casino.house.session(&session.secret).await, Err(HouseError::Locked));
        assert_eq!(casino.house.log_in("nobody", "wrong").await, Err(HouseError::WrongPassword));
        let noted = casino.house.significant_events(&boss, 20).await.unwrap();
        assert!(noted.iter().any(|event| event.kind == "locked"));
        let dealer = Actor::staff(id, [Duty::Dealer]);
        assert_eq!(casino.house.unlock(&dealer, "dora").await.unwrap_err().code(), "forbidden");
        let casino = casino.after_a_crash().await;
        casino.house.unlock(&boss, "dora").await.unwrap();
        casino.house.log_in("dora", "correct horse").await.unwrap();
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_link_lets_in_once_and_a_session_survives_a_restart() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let ann = casino.player("ann").await;
        let link = casino.house.one_time_link(&Actor::House, &ann).await.unwrap();
        let session = casino.house.redeem(&link.secret).await.unwrap();
        assert_eq!(casino.house.redeem(&link.secret).await, Err(HouseError::LinkSpent));
        assert_eq!(casino.house.redeem("made-up").await, Err(HouseError::LinkSpent));
        let casino = casino.after_a_crash().await;
        assert_eq!(casino.house.session(&session.secret).await.unwrap(), ann);
        let late = casino.house.one_time_link(&Actor::House, &ann).await.unwrap();
        casino.clock.advance_seconds(24 * 3_600 + 1);
        assert_eq!(casino.house.redeem(&late.secret).await, Err(HouseError::LinkSpent));
        assert_eq!(casino.house.session(&session.secret).await, Err(HouseError::NotLoggedIn));
        let session = casino.house.start_session(&ann).await.unwrap();
        casino.house.end_session(&session.secret).await.unwrap();
        assert_eq!(casino.house.session(&session.secret).await, Err(HouseError::NotLoggedIn));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn names_are_taken_once_and_duties_stay_apart() {
    let casino = Casino::new(Backend::Sqlite).await;
    casino.player("ann").await;
    let ann: PlayerId = "Ann".parse().unwrap();
    let taken = casino.house.create_player(&ann, None, Money::ZERO).await;
    assert_eq!(taken, Err(HouseError::NameTaken("Ann".to_owned())));
    let id: StaffId = "carl".parse().unwrap();
    for duties in [&[Duty::Cage, Duty::Dealer][..], &[Duty::Auditor, Duty::Cage], &[]] {
        assert!(casino.house.create_staff(&Actor::House, &id, None, duties).await.is_err(), "{duties:?}");
    }
    for name in ["", "two words", "a/b", "-x", "ünï", &"x".repeat(40)] {
        assert!(name.parse::<PlayerId>().is_err(), "{name}");
    }
    let short = casino.house.create_staff(&Actor::House, &id, Some("short"), &[Duty::Cage]).await;
    assert!(short.is_err());
}
