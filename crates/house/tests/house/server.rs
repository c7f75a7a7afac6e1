//! A real PostgreSQL server for the tests: started on a free port in its own folder, stopped when the tests end.

use std::io::Write as _;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The server.
pub(crate) struct Server {
    port: u16,
    folder: PathBuf,
    bin: PathBuf,
    made: AtomicU32,
}

/// The folder of the newest PostgreSQL programs installed.
pub(crate) fn programs() -> PathBuf {
    let mut found: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .flatten()
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    let on_path = std::env::var_os("PATH")
        .and_then(|path| std::env::split_paths(&path).find(|folder| folder.join("initdb").exists()));
    found
        .pop()
        .or(on_path)
        .expect("PostgreSQL is needed for these tests: install postgresql (initdb, postgres)")
}

fn is_root() -> bool {
    let id = Command::new("id").arg("-u").output().expect("`id` tells the user");
    id.stdout.starts_with(b"0\n")
}

/// A command run as a user other than root, which PostgreSQL requires.
fn as_postgres(program: &Path) -> Command {
    if is_root() {
        let mut command = Command::new("runuser");
        command.args(["-u", "postgres", "--"]).arg(program);
        command
    } else {
        Command::new(program)
    }
}

impl Server {
    /// The shared server of this test run.
    pub(crate) fn the() -> &'static Server {
        static SERVER: OnceLock<Server> = OnceLock::new();
        SERVER.get_or_init(Server::start)
    }

    /// Starts a server for one test, which may stop and restart it.
    pub(crate) fn start() -> Server {
        Server::start_with(&[])
    }

    /// Starts a server with additional or replaced files in its data folder.
    pub(crate) fn start_with(files: &[(&str, &str)]) -> Server {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::SeqCst);
        let bin = programs();
        let folder = std::env::temp_dir().join(format!("baize-pg-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        if is_root() {
            assert!(Command::new("chown").arg("postgres").arg(&folder).status().unwrap().success());
        }
        let data = folder.join("data");
        let made = as_postgres(&bin.join("initdb"))
            .args(["-A", "trust", "-U", "baize", "--no-sync", "-E", "UTF8", "--locale=C", "-D"])
            .arg(&data)
            .current_dir(&folder)
            .stdout(Stdio::null())
            .status();
        assert!(made.unwrap().success(), "initdb");
        for (name, text) in files {
            let path = data.join(name);
            std::fs::write(&path, text).unwrap();
            let private = std::os::unix::fs::PermissionsExt::from_mode(0o600);
            std::fs::set_permissions(&path, private).unwrap();
            if is_root() {
                assert!(Command::new("chown").arg("postgres").arg(&path).status().unwrap().success());
            }
        }
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let server = Server { port, folder, bin, made: AtomicU32::new(0) };
        baize_house::new_key_file(&server.key_file()).unwrap();
        server.go();
        server.watched();
        server
    }

    /// Stops the server when this process ends, however it ends.
    fn watched(&self) {
        let stop = format!(
            "while [ -d /proc/{} ]; do sleep 0.5; done; '{}' stop -m immediate -D '{}' >/dev/null 2>&1; rm -rf '{}'",
            std::process::id(),
            self.bin.join("pg_ctl").display(),
            self.data().display(),
            self.folder.display()
        );
        let mut watch = as_postgres(Path::new("sh"));
        watch
            .args(["-c", &stop])
            .current_dir("/")
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        // The watcher outlives this process, so it is not waited for.
        std::mem::forget(watch.spawn().unwrap());
    }

    fn key_file(&self) -> String {
        self.folder.join("house.key").display().to_string()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    /// Starts or restarts the server.
    pub(crate) fn go(&self) {
        let options = format!(
            "-p {} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{}' -c max_connections=200",
            self.port,
            self.folder.display()
        );
        let started = as_postgres(&self.bin.join("pg_ctl"))
            .args(["start", "-w", "-s", "-o", &options, "-l"])
            .arg(self.folder.join("log"))
            .arg("-D")
            .arg(self.data())
            .current_dir(&self.folder)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        assert!(
            started.unwrap().success(),
            "pg_ctl start: {:?}",
            std::fs::read_to_string(self.folder.join("log"))
        );
        let until = Instant::now() + Duration::from_secs(20);
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(Instant::now() < until, "the server does not answer");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    /// Stops it immediately, like a crash.
    pub(crate) fn crash(&self) {
        let stopped = as_postgres(&self.bin.join("pg_ctl"))
            .args(["stop", "-s", "-m", "immediate", "-D"])
            .arg(self.data())
            .current_dir(&self.folder)
            .status();
        assert!(stopped.unwrap().success());
    }

    #[allow(dead_code, reason = "the tests of the command line fail over")]
    /// Starts a synchronous standby of this server.
    pub(crate) fn standby(&self) -> Server {
        let folder = self
            .folder
            .with_file_name(format!("{}-standby", self.folder.file_name().unwrap().to_string_lossy()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        if is_root() {
            assert!(Command::new("chown").arg("postgres").arg(&folder).status().unwrap().success());
        }
        let from = format!("host=127.0.0.1 port={} user=baize application_name=standby", self.port);
        let copied = as_postgres(&self.bin.join("pg_basebackup"))
            .args(["-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", &from, "-D"])
            .arg(folder.join("data"))
            .current_dir(&folder)
            .status();
        assert!(copied.unwrap().success(), "pg_basebackup");
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let standby = Server { port, folder, bin: self.bin.clone(), made: AtomicU32::new(0) };
        standby.go();
        standby.watched();
        self.sql("postgres", "ALTER SYSTEM SET synchronous_standby_names = 'standby'");
        self.sql("postgres", "SELECT pg_reload_conf()");
        let following = "SELECT count(*) FROM pg_stat_replication WHERE sync_state = 'sync'";
        let until = Instant::now() + Duration::from_secs(20);
        while self.sql("postgres", following) != "1" {
            assert!(Instant::now() < until, "the standby does not follow");
            std::thread::sleep(Duration::from_millis(50));
        }
        standby
    }

    #[allow(dead_code, reason = "the tests of the command line fail over")]
    /// Promotes a standby.
    pub(crate) fn promote(&self) {
        self.sql("postgres", "SELECT pg_promote()");
    }

    /// Suspends or resumes all of its processes.
    pub(crate) fn freeze(&self, frozen: bool) {
        let pid = std::fs::read_to_string(self.data().join("postmaster.pid")).unwrap();
        let pid = pid.lines().next().unwrap().to_owned();
        let signal = if frozen { "-STOP" } else { "-CONT" };
        let all = format!("kill {signal} {pid} $(ps -o pid= --ppid {pid})");
        // A child may have ended between the list and the signal.
        let _ = Command::new("sh").args(["-c", &all]).stderr(Stdio::null()).status().unwrap();
    }

    /// A new, empty database.
    pub(crate) fn database(&self) -> String {
        let name = format!("casino{}", self.made.fetch_add(1, Ordering::SeqCst));
        self.sql("postgres", &format!("CREATE DATABASE {name}"));
        self.with_key(&name)
    }

    /// A database for hosts that share the key of these tests.
    pub(crate) fn with_key(&self, name: &str) -> String {
        format!("{}?keyfile={}", self.address(name), self.key_file())
    }

    /// Copies a database while it is in use.
    pub(crate) fn copy(&self, name: &str, copy: &str) {
        self.sql("postgres", &format!("CREATE DATABASE {copy}"));
        let dump = format!(
            "'{}' '{}' | '{}' -X -q -v ON_ERROR_STOP=1 -d '{}' > /dev/null",
            self.bin.join("pg_dump").display(),
            self.address(name),
            self.bin.join("psql").display(),
            self.address(copy)
        );
        assert!(Command::new("sh").args(["-c", &dump]).status().unwrap().success(), "{dump}");
    }

    /// Replaces a database by a copy, as a restore does, while others are connected to it.
    pub(crate) fn restore(&self, name: &str, copy: &str) {
        for sql in [
            format!("ALTER DATABASE {name} ALLOW_CONNECTIONS false"),
            format!("SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = '{name}'"),
            format!("ALTER DATABASE {name} RENAME TO {name}_lost"),
            format!("ALTER DATABASE {copy} RENAME TO {name}"),
        ] {
            let until = Instant::now() + Duration::from_secs(20);
            while let Err(why) = self.try_sql("postgres", &sql) {
                assert!(Instant::now() < until, "{sql}: {why}");
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }

    /// The name of the database at an address.
    pub(crate) fn name(database: &str) -> &str {
        let place = database.split('?').next().unwrap_or(database);
        place.rsplit('/').next().unwrap_or(place)
    }

    pub(crate) fn address(&self, name: &str) -> String {
        format!("postgres://baize@127.0.0.1:{}/{name}", self.port)
    }

    #[allow(dead_code, reason = "the tests of the house hold the lock of hosts")]
    /// Opens a connection that runs this SQL and stays open until the process is killed.
    pub(crate) fn session(&self, database: &str, sql: &str) -> std::process::Child {
        let mut session = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-d", &self.address(Server::name(database))])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        writeln!(session.stdin.as_mut().unwrap(), "{sql};").unwrap();
        session
    }

    /// Runs SQL directly on the database, bypassing the house.
    pub(crate) fn sql(&self, database: &str, sql: &str) -> String {
        self.try_sql(database, sql).unwrap_or_else(|why| panic!("{sql}: {why}"))
    }

    /// As `sql`, but may fail.
    pub(crate) fn try_sql(&self, database: &str, sql: &str) -> Result<String, String> {
        let name = Server::name(database);
        let done = Command::new(self.bin.join("psql"))
            .args(["-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-d", &self.address(name), "-c", sql])
            .output()
            .unwrap();
        if done.status.success() {
            Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
        } else {
            Err(String::from_utf8_lossy(&done.stderr).into_owned())
        }
    }
}
