//! The Debian package, unpacked into a fresh root: the unit's command starts the casino and reports readiness to systemd.

use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::casino::{Folder, baize, free_port, said};

fn repository() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The container file uses only existing files, commands and options. It is not built here.
#[test]
fn the_container_file_fits_the_tree_and_the_program() {
    let text = std::fs::read_to_string(repository().join("packaging/container/Containerfile")).unwrap();
    let text = text.replace("\\\n", " ");
    let lines = |word: &str| {
        let word = format!("{word} ");
        text.lines().filter_map(move |line| line.strip_prefix(&word).map(str::to_owned)).collect::<Vec<_>>()
    };
    for copied in lines("COPY").iter().filter(|line| !line.starts_with("--from")) {
        let words: Vec<&str> = copied.split_whitespace().collect();
        for source in &words[..words.len() - 1] {
            assert!(repository().join(source).exists(), "{source}");
        }
    }
    let (help, commands) = (said(&["serve", "--help"]), said(&["--help"]));
    for pair in lines("ENV").iter().flat_map(|line| line.split_whitespace()) {
        let name = pair.split('=').next().unwrap();
        assert!(help.contains(&format!("[env: {name}]")), "{name}");
    }
    let user = lines("USER").pop().unwrap();
    assert!(
        user != "root"
            && text
                .contains(&format!("--uid 10001 --home-dir /var/lib/baize --shell /usr/sbin/nologin {user}"))
    );
    assert_eq!(lines("VOLUME"), ["/var/lib/baize"]);
    assert_eq!(lines("ENTRYPOINT"), ["[\"baize\"]"]);
    let check = lines("HEALTHCHECK").pop().unwrap();
    assert!(check.ends_with("CMD [\"baize\", \"health\"]"), "{check}");
    for command in ["health", "serve"] {
        assert!(commands.lines().any(|line| line.trim_start().starts_with(command)), "{commands}");
    }
    let toolchain = std::fs::read_to_string(repository().join("Cargo.toml")).unwrap();
    let version = text.split("rust:").nth(1).unwrap().split('-').next().unwrap();
    assert!(toolchain.contains(&format!("rust-version = \"{version}\"")), "the image has Rust {version}");
    let profile = text.split("--profile ").nth(1).unwrap().split_whitespace().next().unwrap();
    assert!(
        toolchain.contains(&format!("[profile.{profile}]"))
            && text.contains(&format!("target/{profile}/baize"))
    );
}

#[test]
fn the_package_unpacks_and_the_units_command_starts() {
    let folder = Folder::new("package");
    let (out, root, small) = (folder.file("out"), folder.file("root"), folder.file("baize"));
    // What is packaged has no debugging symbols; a test's program has, and they take minutes to compress.
    let stripped = Command::new("strip").args(["-o", &small, env!("CARGO_BIN_EXE_baize")]).status().unwrap();
    assert!(stripped.success());
    // A build server may have a strict umask and no network.
    let package = r#"umask 077; exec "$0" run -q -p xtask -- package dist --binary "$1" --out "$2""#;
    let made = Command::new("sh")
        .args(["-c", package, env!("CARGO"), &small, &out])
        .env("CARGO_NET_OFFLINE", "true")
        .current_dir(repository())
        .output()
        .unwrap();
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let made = String::from_utf8(made.stdout).unwrap();
    let file = |ending: &str| made.lines().find(|line| line.ends_with(ending)).unwrap().to_owned();
    let (deb, archive) = (file(".deb"), file(".tar.gz"));
    // The checksums are right, and the bill of materials names what the lock file does.
    let sums =
        Command::new("sha256sum").args(["-c", "--strict", "SHA256SUMS"]).current_dir(&out).output().unwrap();
    let sums = String::from_utf8(sums.stdout).unwrap();
    assert_eq!(sums.lines().filter(|line| line.ends_with(": OK")).count(), 3, "{sums}");
    let bill: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(file(".cdx.json")).unwrap()).unwrap();
    let components = bill["components"].as_array().unwrap();
    for name in ["rusqlite", "axum", "tokio-postgres", "ring"] {
        let named = |component: &&serde_json::Value| component["name"] == name;
        let found = components.iter().find(named).unwrap_or_else(|| panic!("{name} is not in the bill"));
        assert!(found["version"].is_string() && found["purl"].is_string(), "{found}");
    }
    for foreign in ["windows-sys", "rcgen", "proptest"] {
        assert!(
            !components.iter().any(|component| component["name"] == foreign),
            "{foreign} is not in the program"
        );
    }
    let listed = Command::new("tar").args(["-tzf", &archive]).output().unwrap();
    let listed = String::from_utf8(listed.stdout).unwrap();
    assert!(listed.lines().any(|line| line.ends_with("/usr/bin/baize")), "{listed}");
    assert!(Command::new("dpkg-deb").args(["-x", &deb, &root]).status().unwrap().success());
    for file in [
        "etc/baize/baize.toml",
        "usr/share/man/man1/baize-serve.1.gz",
        "usr/share/bash-completion/completions/baize",
        "usr/share/zsh/vendor-completions/_baize",
        "usr/share/fish/vendor_completions.d/baize.fish",
        "usr/share/baize/rulebooks/rws-casino-stud.toml",
        "usr/share/doc/baize/copyright",
        "usr/share/doc/baize/LICENSE-MIT",
        "usr/share/doc/baize/SECURITY.md",
        "usr/share/doc/baize/docs/README.md",
        "usr/share/doc/baize/packaging/grafana/baize.json",
        "usr/share/doc/baize/packaging/prometheus/alerts.yml",
    ] {
        let path = std::path::Path::new(&root).join(file);
        let mode =
            std::fs::metadata(&path).unwrap_or_else(|error| panic!("{file}: {error}")).permissions().mode();
        assert_eq!(mode & 0o777, 0o644, "{file}");
        let folder = std::fs::metadata(path.parent().unwrap()).unwrap().permissions().mode();
        assert_eq!(folder & 0o777, 0o755, "{file}");
    }
    let notices = format!("{root}/usr/share/doc/baize/THIRD-PARTY-LICENCES");
    let notices = std::fs::read_to_string(notices).unwrap();
    for named in ["rusqlite 0.", "ring 0.", "Permission is hereby granted", "Apache License"] {
        assert!(notices.contains(named), "{named}");
    }
    let unit = std::fs::read_to_string(format!("{root}/usr/lib/systemd/system/baize.service")).unwrap();
    for hardened in [
        "User=baize",
        "ProtectSystem=strict",
        "NoNewPrivileges=yes",
        "LoadCredential=baize-key",
        "Type=notify",
        "Restart=on-failure",
    ] {
        assert!(unit.lines().any(|line| line == hardened), "{hardened}");
    }
    let command = unit.lines().find_map(|line| line.strip_prefix("ExecStart=")).unwrap();
    let words: Vec<String> = command
        .split_whitespace()
        .map(|word| if word.starts_with('/') { format!("{root}{word}") } else { word.to_owned() })
        .collect();
    let notified = folder.path().join("notify");
    let socket = UnixDatagram::bind(&notified).unwrap();
    socket.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
    let database = folder.file("casino.sqlite");
    let start = |create: &str| {
        let mut command = Command::new(&words[0]);
        command
            .args(&words[1..])
            .env_clear()
            .env("NOTIFY_SOCKET", &notified)
            .env("BAIZE_DATABASE", &database);
        command.env("BAIZE_LISTEN", free_port().to_string()).env("BAIZE_CREATE", create);
        command.env("BAIZE_DRAIN_SECONDS", "3600");
        command.env("BAIZE_COUNT_LATE", "true").stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    // The first start is the operator's, also where the settings name what would be the default: a disk that is not mounted is no new casino.
    let refused = start("false").wait_with_output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("add --create"));
    let usual = folder.file("baize/casino.sqlite");
    let serve = ["serve", "--listen", "127.0.0.1:0", "--database", &usual];
    let refused = baize(&serve).env("XDG_DATA_HOME", folder.path()).stdin(Stdio::null()).output().unwrap();
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    let mut server = start("true");
    let mut heard = [0; 256];
    let mut next = || {
        let length = socket.recv(&mut heard).unwrap();
        String::from_utf8_lossy(&heard[..length]).into_owned()
    };
    assert!(next().contains("READY=1"));
    assert!(Command::new("kill").args(["-TERM", &server.id().to_string()]).status().unwrap().success());
    // The unit's own limit is shorter than this drain, which the casino announces: 3,600 s, 3 s each for load balancers and last requests, 30 s to
    // close.
    assert_eq!(next(), "STOPPING=1\nEXTEND_TIMEOUT_USEC=3636000000\n");
    assert_eq!(server.wait().unwrap().code(), Some(0));
    let audit = baize(&["audit", "--database", &database]).output().unwrap();
    assert!(audit.status.success());
    // The verifier in the package finds its dictionaries there.
    let verifier = format!("{root}/usr/share/doc/baize/docs/verify_journal.py");
    let verified = Command::new("python3").args([&verifier, &database]).output().unwrap();
    assert!(verified.status.success(), "{}", String::from_utf8_lossy(&verified.stderr));
}
