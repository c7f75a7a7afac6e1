//! A PostgreSQL server for one step of the tests: started on a free port in its own folder, stopped when it is dropped.

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, io};

use crate::packages::is_root;

/// A running server.
pub struct Server {
    bin: PathBuf,
    folder: PathBuf,
    port: u16,
}

/// The folder of PostgreSQL's programs: the newest installed version, or the one on the path.
fn programs() -> io::Result<PathBuf> {
    let versions = fs::read_dir("/usr/lib/postgresql").into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = versions
        .map(|version| version.path().join("bin"))
        .filter(|bin| bin.join("initdb").exists())
        .collect();
    found.sort();
    let on_path = || {
        let path = env::var_os("PATH")?;
        env::split_paths(&path).find(|folder| folder.join("initdb").exists())
    };
    found.pop().or_else(on_path).ok_or_else(|| io::Error::other("PostgreSQL is not installed"))
}

/// A command run as a user who may run PostgreSQL, which refuses to run as root.
fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("runuser");
    command.args(["-u", "postgres", "--"]).arg(program);
    command
}

fn done(mut command: Command) -> io::Result<()> {
    let output = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status()?;
    if output.success() { Ok(()) } else { Err(io::Error::other(format!("{command:?} failed"))) }
}

impl Server {
    /// Starts a server with an empty database. It need not survive a power failure.
    ///
    /// # Errors
    /// PostgreSQL is not installed, or does not start.
    pub fn start() -> io::Result<Server> {
        let bin = programs()?;
        let folder = env::temp_dir().join(format!("baize-xtask-pg-{}", std::process::id()));
        fs::create_dir_all(&folder)?;
        if is_root() {
            let mut chown = Command::new("chown");
            chown.arg("postgres").arg(&folder);
            done(chown)?;
        }
        let port = TcpListener::bind("127.0.0.1:0")?.local_addr()?.port();
        let server = Server { bin, folder, port };
        let mut initdb = as_postgres(&server.bin.join("initdb"));
        initdb.args(["-A", "trust", "-U", "baize", "--no-sync", "-E", "UTF8", "--locale=C", "-D"]);
        initdb.arg(server.data()).current_dir(&server.folder);
        done(initdb)?;
        let options = format!(
            "-p {port} -c listen_addresses=127.0.0.1 -c unix_socket_directories='{}' -c max_connections=200 -c fsync=off",
            server.folder.display()
        );
        let mut start = as_postgres(&server.bin.join("pg_ctl"));
        start.args(["start", "-w", "-s", "-o", &options, "-l"]).arg(server.folder.join("log"));
        start.arg("-D").arg(server.data()).current_dir(&server.folder);
        done(start)?;
        Ok(server)
    }

    /// The address of its empty database.
    pub fn address(&self) -> String {
        format!("postgres://baize@127.0.0.1:{}/postgres", self.port)
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let mut stop = as_postgres(&self.bin.join("pg_ctl"));
        stop.args(["stop", "-s", "-m", "immediate", "-D"]).arg(self.data()).current_dir("/");
        if let Err(why) = done(stop) {
            eprintln!("the server did not stop: {why}");
        }
        if let Err(error) = fs::remove_dir_all(&self.folder) {
            eprintln!("{} is left behind: {error}", self.folder.display());
        }
    }
}
