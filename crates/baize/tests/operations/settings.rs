//! Settings: file, environment, command line, in this order from below, and faults with their place.

use crate::casino::{Casino, Folder, baize, fails, said};

/// Every option of `serve` is a key of the file and a variable of the environment.
#[test]
fn every_option_of_serve_is_a_setting() {
    let shown = said(&["config", "show"]);
    let help = said(&["serve", "--help"]);
    let options: Vec<&str> = help
        .lines()
        .filter_map(|line| line.trim_start().strip_prefix("--"))
        .map(|line| line.split([' ', '[', '=']).next().unwrap())
        .collect();
    assert!(options.len() > 25, "{options:?}");
    for option in options.into_iter().filter(|option| *option != "config") {
        let key = |line: &str| line.trim_start_matches("# ").split(" =").next() == Some(option);
        assert!(shown.lines().any(key), "{option}: {shown}");
        let variable = format!("[env: BAIZE_{}]", option.to_uppercase().replace('-', "_"));
        assert!(help.contains(&variable), "{variable}");
    }
}

#[test]
fn the_command_line_goes_before_the_environment_and_that_before_the_file() {
    let folder = Folder::new("layers");
    let file = folder.file("baize.toml");
    std::fs::write(&file, "address-rate = 50\naccount-rate = 51\nlog-in-rate = 52\nlinks = true\n").unwrap();
    let mut show = baize(&["config", "show", "--config", &file, "--address-rate", "70", "--links=false"]);
    let show = show.env("BAIZE_ADDRESS_RATE", "60").env("BAIZE_ACCOUNT_RATE", "61").output().unwrap();
    let shown = String::from_utf8(show.stdout).unwrap();
    let line = |key: &str| {
        let line = shown.lines().find(|line| line.starts_with(&format!("{key} ="))).unwrap();
        line.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    assert_eq!(line("address-rate"), "address-rate = 70 # command line");
    assert_eq!(line("account-rate"), "account-rate = 61 # BAIZE_ACCOUNT_RATE");
    assert_eq!(line("log-in-rate"), format!("log-in-rate = 52 # {file}:3:1"));
    assert_eq!(line("links"), "links = false # command line");
    assert_eq!(line("connections"), "connections = 8192 # default");
    // A number of another base is that number, and an empty variable is none.
    std::fs::write(&file, "address-rate = 0x10\n").unwrap();
    let mut show = baize(&["config", "show", "--config", &file]);
    let show = show.env("BAIZE_ADDRESS_RATE", "").env("BAIZE_DATABASE", "").output().unwrap();
    let hexadecimal = String::from_utf8(show.stdout).unwrap();
    assert!(hexadecimal.contains("address-rate = 16 "), "{hexadecimal}");
    // What is shown is a file that shows the same.
    let again = folder.file("again.toml");
    std::fs::write(&again, &shown).unwrap();
    assert!(said(&["config", "check", "--config", &again]).contains("no fault"));
}

#[test]
fn faults_have_line_and_column() {
    let folder = Folder::new("faults");
    let file = folder.file("baize.toml");
    std::fs::write(&file, "# ours\naddress-rate = \"many\"\nadress-rate = 5\n").unwrap();
    let (code, told) = fails(&["config", "check", "--config", &file]);
    assert_eq!(code, 2);
    let expected = format!(
        "{file}:2:16: `many` is not a value of `address-rate`: write a whole number\n  address-rate = \"many\"\n                 ^\n\
         {file}:3:1: there is no setting `adress-rate`; did you mean `address-rate`?\n  adress-rate = 5\n  ^\n"
    );
    assert_eq!(told, expected);
    std::fs::write(&file, "listen = \n").unwrap();
    let (code, told) = fails(&["serve", "--config", &file]);
    assert!(code == 2 && told.starts_with(&format!("{file}:1:")), "{told}");
    let (code, told) = fails(&["serve", "--config", &folder.file("none.toml")]);
    assert!(code == 2 && told.contains("none.toml"), "{told}");
}

#[test]
fn other_commands_find_the_database_of_the_file() {
    let folder = Folder::new("found");
    let (file, database) = (folder.file("baize.toml"), folder.file("casino.sqlite"));
    std::fs::write(&file, format!("database = \"{database}\"\n")).unwrap();
    Casino::open(&folder, &database, &[]).stop();
    assert!(said(&["audit", "--config", &file]).ends_with("all is well\n"));
    let audit = baize(&["audit"]).env("BAIZE_CONFIG", &file).output().unwrap();
    assert!(audit.status.success());
    let staff = baize(&["staff", "list"]).env("BAIZE_DATABASE", &database).output().unwrap();
    assert!(String::from_utf8(staff.stdout).unwrap().contains("dora"));
    // A server that is named on the command line has its password from the file, as for `serve`.
    let missing = folder.file("password");
    std::fs::write(&file, format!("database-password-file = \"{missing}\"\n")).unwrap();
    let (code, told) =
        fails(&["audit", "--config", &file, "--database", "postgres://127.0.0.1:1/x?connect_timeout=1"]);
    assert!(code == 2 && told.contains(&format!("the password file {missing}: No such file")), "{told}");
}

/// A fault in the environment names the variable, and a variable that is nearly a setting is one.
#[test]
fn faults_of_the_environment_name_the_variable() {
    for (variable, value, told) in [
        (
            "BAIZE_DRAIN_SECONDS",
            "x",
            "BAIZE_DRAIN_SECONDS: `x` is not a value of `drain-seconds`: write a whole number\n",
        ),
        (
            "BAIZE_LISTEN",
            "8080",
            "BAIZE_LISTEN: `8080` is not a value of `listen`: it has no address; write 127.0.0.1:8080, or 0.0.0.0:8080 for every address\n",
        ),
        ("BAIZE_TLS_CERT", "a.pem", "BAIZE_TLS_CERT: --tls-cert needs --tls-key\n"),
        ("BAIZE_LISTNE", "127.0.0.1:1", "BAIZE_LISTNE is not a setting; did you mean BAIZE_LISTEN?\n"),
    ] {
        let checked = baize(&["config", "check"]).env(variable, value).output().unwrap();
        assert_eq!(String::from_utf8(checked.stderr).unwrap(), told);
        assert_eq!(checked.status.code(), Some(2));
    }
    // Kubernetes sets this for a service of this name.
    let checked = baize(&["config", "check"]).env("BAIZE_SERVICE_HOST", "10.0.0.7").output().unwrap();
    assert!(checked.status.success());
}

/// Commands about a running casino find its address in the settings.
#[test]
fn links_and_health_use_the_address_of_the_settings() {
    let folder = Folder::new("addresses");
    let (file, database) = (folder.file("baize.toml"), folder.file("casino.sqlite"));
    let casino = Casino::open(&folder, &database, &[]);
    let listen = casino.address;
    std::fs::write(&file, format!("listen = \"{listen}\"\ndatabase = \"{database}\"\n")).unwrap();
    assert_eq!(said(&["health", "--config", &file]), "ok\n");
    let link = said(&["staff", "link", "sue", "--config", &file]);
    assert!(link.starts_with(&format!("http://localhost:{}/in/", listen.port())), "{link}");
    let elsewhere = ["staff", "link", "sue", "--config", &file, "--origin", "https://casino.example/"];
    assert!(said(&elsewhere).starts_with("https://casino.example/in/"));
    casino.stop();
}

/// In a pipe, links are printed only on request, because a log would keep them.
#[test]
fn staff_links_are_printed_on_request() {
    let folder = Folder::new("links");
    let database = folder.file("casino.sqlite");
    let printed = |options: &[&str]| {
        let casino = Casino::open(&folder, &database, options);
        let out = folder.path().join(format!("out-{}", casino.address.port()));
        casino.stop();
        std::fs::read_to_string(out).unwrap()
    };
    let told = printed(&[]);
    assert!(told.contains("The casino is open at") && !told.contains("/in/"), "{told}");
    let told = printed(&["--links", "--link-minutes", "5"]);
    assert!(told.contains("/in/") && told.contains("within 5 minutes"), "{told}");
}

/// What a start would refuse, the check refuses.
#[test]
fn the_check_reads_what_the_start_reads() {
    let folder = Folder::new("check-all");
    let (file, garbage) = (folder.file("baize.toml"), folder.file("garbage.pem"));
    std::fs::write(&garbage, "no certificate\n").unwrap();
    let tls = format!("tls-cert = \"{garbage}\"\ntls-key = \"{garbage}\"");
    let missing =
        format!("database = \"postgres://db/x\"\ndatabase-password-file = \"{}\"", folder.file("none"));
    for (settings, told) in [
        ("log = \"baize=loud\"", "is not a filter"),
        ("database = \"postgres://h:abc/x\"", "is not a database"),
        ("database = \"mysql://h/x\"", "is not a database"),
        ("database = \"postgres://h/x?colour=red\"", "unknown option `colour`"),
        ("database = \"/tmp\"", "/tmp is a folder"),
        ("database = \"casino.sqlite?colour=red\"", "`colour=red` is not an option"),
        ("database = \"\"", "is not a database"),
        ("database = \"host=db password=hunter2\"", "postgres://USER@HOST/DATABASE"),
        ("database = \"postgres://ann:hunter2@h:abc/x\"", "is not a database"),
        (&tls, "for TLS"),
        (&missing, "none: No such file"),
        ("day-begins = 06:00:00", "in quotes"),
        ("database = 5", "in quotes"),
        ("listen = 127.0.0.1:8080", "write the value of `listen` in quotes"),
        ("links = yes", "write true or false"),
        ("address-rate = many", "write a whole number"),
        ("listen = \"a:1\"\nlisten = \"b:1\"", "`listen` is already set in line 1"),
        ("[serve]\nlisten = \"a:1\"", "settings are not in tables"),
        ("drain-seconds = 99999", "write a number from 0 to 3600"),
        ("unread-seconds = 99999999999999999999", "it is too large"),
        ("connections = 1", "leaves no connection of 1"),
        ("address-connections = 0", "nobody could connect"),
        ("database-password-file = \"/dev/null\"", "for a PostgreSQL server"),
        ("log = \"verbose\"", "`verbose` is not a level"),
        ("log = \"\"", "is not a level"),
        ("rulebook = [\"none.toml\"]", "none.toml"),
        ("database-password = \"hunter2\"", "did you mean `database-password-file`?"),
        ("staff-connections = 9000", "leaves no connection"),
        ("tls-key = \"key.pem\"", "--tls-key needs --tls-cert"),
    ] {
        std::fs::write(&file, format!("{settings}\n")).unwrap();
        let (code, said) = fails(&["config", "check", "--config", &file]);
        assert!(code == 2 && said.contains(told), "{settings}: {code} {said}");
        assert!(said.starts_with(&format!("{file}:")), "it has a line: {said}");
        assert!(!said.contains("hunter2"), "{said}");
    }
}
