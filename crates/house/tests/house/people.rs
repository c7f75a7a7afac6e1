//! People: names, passwords, links, locks.

use std::net::{IpAddr, Ipv4Addr};

use baize_house::{Actor, CommandId, Duty, HouseError, JournalFilter, PlayerId, SignificantKind, StaffId};
use baize_rules::Money;

use crate::support::{Backend, Casino, clean};

#[tokio::test(flavor = "multi_thread")]
async fn failures_delay_only_password_log_ins_of_that_name() {
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
        let waits = |wait_seconds| Err(HouseError::Locked { wait_seconds });
        assert_eq!(casino.house.log_in("dora", "wrong").await, waits(30));
        assert_eq!(casino.house.log_in("dora", "correct horse").await, waits(30));
        // Only password log-ins are delayed.
        assert!(casino.house.session(&session.secret).await.is_ok());
        let link = casino.house.one_time_link(&boss, &session.actor).await.unwrap();
        casino.house.redeem(&link.secret).await.unwrap();
        let changed = casino.house.change_password(&session.actor, Some("wrong horse"), "battery").await;
        assert_eq!(changed, Err(HouseError::NotNow("a password has 8 to 256 characters")));
        assert_eq!(casino.house.log_in("nobody", "wrong").await, Err(HouseError::WrongPassword));
        let noted = casino.house.significant_events(&boss, 20).await.unwrap();
        assert!(noted.iter().any(|event| event.kind == SignificantKind::Locked));
        let dealer = Actor::staff(id, [Duty::Dealer]);
        assert_eq!(casino.house.unlock(&dealer, "dora").await.unwrap_err().code(), "forbidden");
        let casino = casino.after_a_crash().await;
        // The delay grows with each failure, expires by itself, and can be ended by a Shift Manager.
        casino.clock.advance_seconds(31);
        assert_eq!(casino.house.log_in("dora", "wrong").await, waits(60));
        casino.house.unlock(&boss, "dora").await.unwrap();
        casino.house.log_in("dora", "correct horse").await.unwrap();
        for _ in 0..3 {
            casino.house.log_in("dora", "wrong").await.unwrap_err();
        }
        casino.clock.advance_seconds(31);
        casino.house.log_in("dora", "correct horse").await.unwrap();
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn links_work_once_and_sessions_survive_a_restart() {
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
async fn names_are_unique_and_incompatible_duties_are_refused() {
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

/// The lines of the house's own chain with this kind, as text.
async fn noted(casino: &Casino, kind: &str) -> Vec<String> {
    let auditor = Actor::staff("axel".parse().unwrap(), [Duty::Auditor]);
    let filter =
        JournalFilter { kind: Some(kind.to_owned()), limit: Some(1_000), ..JournalFilter::default() };
    let lines = casino.house.journal(&auditor, &filter).await.unwrap();
    lines.iter().map(|line| format!("{} {}", line.actor, line.body.as_ref().unwrap())).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_delay_holds_under_concurrent_log_ins() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let id: StaffId = "dora".parse().unwrap();
        casino.house.create_staff(&Actor::House, &id, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
        let from = Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 7)));
        let house = casino.house.for_request(None, from);
        let others = house.clone();
        let more = tokio::spawn(async move {
            let mut tasks = tokio::task::JoinSet::new();
            for number in 0..12 {
                let house = others.clone();
                tasks.spawn(async move { house.log_in("dora", &format!("wrong {number}")).await });
            }
            tasks.join_all().await
        });
        // Sent together, in this order: the right one is not even tested.
        let (_, _, _, right) = tokio::join!(
            house.log_in("dora", "wrong a"),
            house.log_in("dora", "wrong b"),
            house.log_in("dora", "wrong c"),
            house.log_in("dora", "correct horse")
        );
        assert_eq!(right, Err(HouseError::Locked { wait_seconds: 30 }));
        assert!(more.await.unwrap().iter().all(Result::is_err));
        let failed = noted(&casino, "log-in-failed").await;
        assert_eq!(failed.len(), 3, "{failed:#?}");
        assert!(failed.iter().all(|line| line.starts_with("public ")), "{failed:#?}");
        assert!(failed.iter().any(|line| line.contains("192.0.2.7")), "{failed:#?}");
        assert_eq!(noted(&casino, "locked").await.len(), 1, "one attack, one lock");
        let late = casino.house.log_in("dora", "correct horse").await;
        assert_eq!(late, Err(HouseError::Locked { wait_seconds: 30 }));
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn unknown_names_are_treated_like_known_ones() {
    let casino = Casino::new(Backend::Sqlite).await;
    let id: StaffId = "dora".parse().unwrap();
    casino.house.create_staff(&Actor::House, &id, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
    for _ in 0..5 {
        let known = casino.house.log_in("dora", "wrong").await;
        assert_eq!(casino.house.log_in("nobody\n", "wrong").await, known);
    }
    // The typed name may be a password: it is stored nowhere, and the same name gets the same digest.
    let failed = noted(&casino, "log-in-failed").await;
    assert!(!failed.iter().any(|line| line.contains("nobody")), "{failed:#?}");
    let disguised: Vec<&String> = failed.iter().filter(|line| line.contains("\"#")).collect();
    assert_eq!(disguised.len(), 3, "{failed:#?}");
    assert!(disguised.iter().all(|line| *line == disguised[0]), "{disguised:#?}");
    let told = casino.house.significant_events(&Actor::House, 20).await.unwrap();
    assert!(told.iter().any(|event| event.words.contains("an unknown name")), "{told:#?}");
    // The name is still free.
    casino.player("nobody").await;
    clean(&casino).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn links_are_recorded_and_restricted() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let boss = casino.staff("boss", Duty::ShiftManager).await;
        let dealer = casino.staff("dora", Duty::Dealer).await;
        let ann = casino.player("ann").await;
        let from = casino.house.for_request(None, Some(IpAddr::V4(Ipv4Addr::new(192, 0, 2, 9))));
        let link = casino.house.one_time_link(&boss, &dealer).await.unwrap();
        from.redeem(&link.secret).await.unwrap();
        assert!(
            noted(&casino, "link-issued")
                .await
                .iter()
                .any(|line| { line.starts_with("staff:boss ") && line.contains("staff:dora") })
        );
        let redeemed = noted(&casino, "link-redeemed").await;
        for part in ["staff:dora", "staff:boss", "192.0.2.9"] {
            assert!(redeemed[0].contains(part), "{redeemed:?}");
        }
        let told = casino.house.significant_events(&boss, 10).await.unwrap();
        assert!(
            told.iter()
                .any(|event| event.kind == SignificantKind::Access && event.words.contains("192.0.2.9"))
        );
        // Nobody can make a link for someone who could confirm what they verified, or for the auditor.
        for (name, duty) in [
            ("sam", Duty::PitSupervisor),
            ("mia", Duty::PitManager),
            ("sue", Duty::ShiftManager),
            ("ada", Duty::Auditor),
        ] {
            let whom = casino.staff(name, duty).await;
            let refused = casino.house.one_time_link(&boss, &whom).await;
            assert!(matches!(refused, Err(HouseError::Apart(_))), "{name}: {refused:?}");
            casino.house.one_time_link(&Actor::House, &whom).await.unwrap();
        }
        casino.house.one_time_link(&ann, &ann).await.unwrap();
        assert_eq!(casino.house.one_time_link(&ann, &dealer).await.unwrap_err().code(), "forbidden");
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn changes_of_staff_accounts_need_another_person_and_are_recorded() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let boss = casino.staff("boss", Duty::ShiftManager).await;
        let id: StaffId = "dora".parse().unwrap();
        casino.house.create_staff(&boss, &id, Some("correct horse"), &[Duty::Dealer]).await.unwrap();
        let first = casino.house.log_in("dora", "correct horse").await.unwrap();
        let dora = first.actor.clone();
        let links_only = casino.staff("lena", Duty::Dealer).await;
        assert_eq!(casino.house.has_password(&dora).await, Ok(true));
        assert_eq!(casino.house.has_password(&links_only).await, Ok(false));
        assert_eq!(casino.house.has_password(&Actor::Public).await, Err(HouseError::NotLoggedIn));
        // Changing her own password needs the old one and ends other sessions.
        let wrong = casino.house.change_password(&dora, Some("wrong"), "battery staple").await;
        assert_eq!(wrong, Err(HouseError::WrongPassword));
        let second =
            casino.house.change_password(&dora, Some("correct horse"), "battery staple").await.unwrap();
        assert_eq!(casino.house.session(&first.secret).await, Err(HouseError::NotLoggedIn));
        assert_eq!(casino.house.session(&second.secret).await, Ok(dora.clone()));
        assert_eq!(casino.house.log_in("dora", "correct horse").await, Err(HouseError::WrongPassword));
        // New duties are set by another Shift Manager and apply at once.
        let duties = [Duty::Dealer, Duty::PitSupervisor];
        for by in [&dora, &Actor::Public] {
            assert_eq!(casino.house.set_duties(by, &id, &duties).await.unwrap_err().code(), "forbidden");
        }
        let own: StaffId = "boss".parse().unwrap();
        for refused in [
            casino.house.set_duties(&boss, &own, &duties).await,
            casino.house.suspend(&boss, &own, "no").await,
            casino.house.reinstate(&boss, &own).await,
        ] {
            assert!(matches!(refused, Err(HouseError::Apart(_))), "{refused:?}");
        }
        assert!(casino.house.set_duties(&boss, &id, &[Duty::Cage, Duty::Dealer]).await.is_err());
        casino.house.set_duties(&boss, &id, &duties).await.unwrap();
        assert_eq!(casino.house.session(&second.secret).await, Err(HouseError::NotLoggedIn));
        let third = casino.house.log_in("dora", "battery staple").await.unwrap();
        assert!(third.actor.may(Duty::PitSupervisor));
        // Suspension locks her out at once, by any way of logging in; then she is reinstated.
        let link = casino.house.one_time_link(&Actor::House, &dora).await.unwrap();
        casino.house.suspend(&boss, &id, "an inquiry").await.unwrap();
        assert_eq!(casino.house.session(&third.secret).await, Err(HouseError::NotLoggedIn));
        assert_eq!(casino.house.redeem(&link.secret).await, Err(HouseError::LinkSpent));
        assert_eq!(casino.house.log_in("dora", "battery staple").await, Err(HouseError::Suspended));
        let casino = casino.after_a_crash().await;
        assert_eq!(casino.house.log_in("dora", "battery staple").await, Err(HouseError::Suspended));
        assert!(casino.house.staff(&boss).await.unwrap().iter().any(|line| line.suspended));
        assert_eq!(casino.house.suspensions(&dora).await.unwrap_err().code(), "forbidden");
        let told = casino.house.suspensions(&boss).await.unwrap();
        assert_eq!((told[&id].reason.as_str(), told[&id].by.as_str()), ("an inquiry", "staff:boss"));
        casino.house.reinstate(&boss, &id).await.unwrap();
        assert!(casino.house.suspensions(&boss).await.unwrap().is_empty());
        casino.house.suspend(&boss, &id, "another inquiry").await.unwrap();
        assert_eq!(casino.house.suspensions(&boss).await.unwrap()[&id].reason, "another inquiry");
        casino.house.reinstate(&boss, &id).await.unwrap();
        let fourth = casino.house.log_in("dora", "battery staple").await.unwrap();
        casino.house.end_sessions(&boss, &dora).await.unwrap();
        assert_eq!(casino.house.session(&fourth.secret).await, Err(HouseError::NotLoggedIn));
        let told = casino.house.significant_events(&boss, 50).await.unwrap();
        for words in ["changed from Dealer to Dealer, Pit Supervisor", "suspended: an inquiry", "reinstated"]
        {
            assert!(told.iter().any(|event| event.words.contains(words)), "{words}: {told:#?}");
        }
        clean(&casino).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_for_people_act_once_under_one_id() {
    for backend in Backend::ALL {
        let casino = Casino::new(backend).await;
        let boss = casino.staff("boss", Duty::ShiftManager).await;
        let under = |id: &str| casino.house.for_request(Some(id.parse().unwrap()), None);
        let reused = |id: &str| HouseError::CommandReused(id.parse::<CommandId>().unwrap());
        let (carl, ann): (StaffId, PlayerId) = ("carl".parse().unwrap(), "ann".parse().unwrap());
        for _ in 0..2 {
            under("s1").create_staff(&boss, &carl, Some("correct horse"), &[Duty::Cage]).await.unwrap();
            under("p1").create_player(&ann, None, Money::from_dollars(5)).await.unwrap();
            under("u1").unlock(&boss, "carl").await.unwrap();
        }
        assert_eq!(casino.house.purse(&ann).await, Ok(Money::from_dollars(5)));
        assert_eq!(noted(&casino, "unlocked").await.len(), 1);
        for (password, duties) in
            [(Some("another horse"), [Duty::Cage]), (Some("correct horse"), [Duty::Dealer])]
        {
            let other = under("s1").create_staff(&boss, &carl, password, &duties).await;
            assert_eq!(other, Err(reused("s1")));
        }
        let other =
            under("s1").create_staff(&Actor::House, &carl, Some("correct horse"), &[Duty::Cage]).await;
        assert_eq!(other, Err(reused("s1")));
        let cage = Actor::staff(carl, [Duty::Cage]);
        let link = under("l1").one_time_link(&boss, &cage).await.unwrap();
        assert_eq!(under("l1").one_time_link(&boss, &cage).await.unwrap().secret, link.secret);
        assert_eq!(noted(&casino, "link-issued").await.len(), 1);
        // Also when sent at the same time.
        let ben: PlayerId = "ben".parse().unwrap();
        let (house, other) = (under("p2"), under("p2"));
        let (one, two) = tokio::join!(
            house.create_player(&ben, None, Money::ZERO),
            other.create_player(&ben, None, Money::ZERO)
        );
        assert_eq!((one, two), (Ok(()), Ok(())));
        clean(&casino).await;
    }
}
