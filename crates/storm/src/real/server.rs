//! A PostgreSQL primary and its synchronous standby, in temporary folders.

use std::io;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use std::{env, fs};

/// A primary and its standby.
pub(super) struct Pair {
    bin: PathBuf,
    folder: PathBuf,
    ports: [u16; 2],
}

fn is_root() -> bool {
    let own = Command::new("id").arg("-u").output();
    own.is_ok_and(|output| output.stdout.starts_with(b"0"))
}

/// The folder of PostgreSQL's programs: the newest installed version, or the one on the path.
fn programs() -> io::Result<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let bins = versions.map(|version| version.path().join("bin"));
    let mut found: Vec<PathBuf> = bins.filter(|bin| bin.join("initdb").exists()).collect();
    found.sort();
    let on_path = || {
        let path = env::var_os("PATH")?;
        env::split_paths(&path).find(|folder| folder.join("initdb").exists())
    };
    found.pop().or_else(on_path).ok_or_else(|| io::Error::other("PostgreSQL is not installed"))
}

impl Pair {
    /// Starts both. The primary acknowledges a commit only when the standby has it on disk.
    pub(super) fn start(folder: &Path) -> io::Result<Pair> {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let folder = folder.join(format!("pair-{}", NEXT.fetch_add(1, Ordering::Relaxed)));
        fs::create_dir_all(&folder)?;
        let free = || Ok::<_, io::Error>(TcpListener::bind("127.0.0.1:0")?.local_addr()?.port());
        let pair = Pair { bin: programs()?, folder, ports: [free()?, free()?] };
        if is_root() {
            // PostgreSQL refuses to run as root: its user needs access to the folder.
            finish(Command::new("chown").arg("postgres").arg(&pair.folder))?;
            finish(Command::new("chmod").arg("755").args(pair.folder.parent()))?;
        }
        let init = ["-A", "trust", "-U", "baize", "-E", "UTF8", "--locale=C", "-D"];
        finish(pair.command("initdb").args(init).arg(pair.data(0)))?;
        pair.control(0, "start")?;
        let from = format!("host=127.0.0.1 port={} user=baize application_name=standby", pair.ports[0]);
        finish(
            pair.command("pg_basebackup").args(["-R", "-X", "stream", "-d", &from, "-D"]).arg(pair.data(1)),
        )?;
        pair.control(1, "start")?;
        pair.ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'")?;
        pair.ask("SELECT pg_reload_conf()")?;
        for _ in 0..100 {
            if pair.ask("SELECT sync_state FROM pg_stat_replication")?.contains("sync") {
                return Ok(pair);
            }
            std::thread::sleep(Duration::from_millis(200));
        }
        Err(io::Error::other("the standby does not follow"))
    }

    fn data(&self, server: usize) -> PathBuf {
        self.folder.join(["primary", "standby"][server])
    }

    fn command(&self, program: &str) -> Command {
        let path = self.bin.join(program);
        let mut command = if is_root() {
            let mut command = Command::new("runuser");
            command.args(["-u", "postgres", "--"]).arg(path);
            command
        } else {
            Command::new(path)
        };
        command.current_dir(&self.folder);
        command
    }

    fn control(&self, server: usize, what: &str) -> io::Result<()> {
        let (port, socket) = (self.ports[server], self.folder.display());
        let options =
            format!("-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{socket}'");
        let log = self.folder.join(format!("log-{server}"));
        let mut command = self.command("pg_ctl");
        command.args([what, "-w", "-s", "-D"]).arg(self.data(server));
        if what == "start" {
            command.args(["-o", &options, "-l"]).arg(log);
        }
        finish(&mut command)
    }

    /// Runs a query on the primary.
    fn ask(&self, sql: &str) -> io::Result<String> {
        let port = self.ports[0].to_string();
        let mut command = self.command("psql");
        command.args(["-h", "127.0.0.1", "-p", &port, "-U", "baize", "-At", "-c", sql, "postgres"]);
        let output = command.stdin(Stdio::null()).stderr(Stdio::null()).output()?;
        Ok(String::from_utf8_lossy(&output.stdout).into_owned())
    }

    fn address(&self, hosts: &str) -> String {
        format!("postgres://baize@{hosts}/postgres")
    }

    pub(super) fn primary_address(&self) -> String {
        self.address(&format!("127.0.0.1:{}", self.ports[0]))
    }

    pub(super) fn standby_address(&self) -> String {
        self.address(&format!("127.0.0.1:{}", self.ports[1]))
    }

    /// The address of both servers; the one that accepts writes is used.
    pub(super) fn both_addresses(&self) -> String {
        let hosts = format!("127.0.0.1:{},127.0.0.1:{}", self.ports[0], self.ports[1]);
        format!("{}?target_session_attrs=read-write", self.address(&hosts))
    }

    /// Kills the primary with `kill -9`, as if its machine failed.
    pub(super) fn kill_primary(&self) -> io::Result<()> {
        let pid = fs::read_to_string(self.data(0).join("postmaster.pid"))?;
        let pid = pid.lines().next().unwrap_or_default().to_owned();
        finish(Command::new("kill").args(["-9", &pid]))
    }

    /// Promotes the standby.
    pub(super) fn promote(&self) -> io::Result<()> {
        self.control(1, "promote")
    }
}

impl Drop for Pair {
    fn drop(&mut self) {
        for server in [1, 0] {
            let mut stop = self.command("pg_ctl");
            stop.args(["stop", "-s", "-m", "immediate", "-D"]).arg(self.data(server));
            // It may have stopped already, and a drop cannot report an error.
            let _ = finish(&mut stop);
        }
    }
}

fn finish(command: &mut Command) -> io::Result<()> {
    let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if status.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} failed"))) }
}
