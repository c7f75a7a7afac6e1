//! `cargo xtask package`: a Debian package, and an archive with checksums and a bill of materials.
//!
//! The packaged program itself generates man pages, completions and editor grammars from its own definitions. Debian's own
//! `dpkg-deb` builds the package.

mod bill;
mod crates;
mod notices;
mod tree;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

use crate::{build, workspace};

/// What to package.
#[derive(Clone, Debug)]
pub struct Order {
    /// The program to package; without it, one is built.
    pub binary: Option<PathBuf>,
    /// The profile to build it with.
    pub profile: String,
    /// Where packages go.
    pub out: PathBuf,
}

/// Builds the Debian package and returns its path.
pub fn deb(order: &Order) -> io::Result<PathBuf> {
    let (root, binary) = (workspace::root(), binary(order)?);
    fs::create_dir_all(&order.out)?;
    let tree = order.out.join("deb-root");
    remove(&tree)?;
    tree::lay_out(&root, &binary, &tree)?;
    let (version, architecture) = (version(&root)?, said(Command::new("dpkg").arg("--print-architecture"))?);
    let control = fs::read_to_string(root.join("packaging/debian/control"))?
        .replace("@VERSION@", &version)
        .replace("@ARCHITECTURE@", architecture.trim())
        .replace("@DEPENDS@", &libraries(&binary))
        .replace("@SIZE@", &tree::kibibytes(&tree)?.to_string());
    let debian = tree.join("DEBIAN");
    fs::create_dir_all(&debian)?;
    fs::write(debian.join("control"), control)?;
    fs::write(debian.join("conffiles"), "/etc/baize/baize.toml\n")?;
    for script in ["postinst", "prerm", "postrm"] {
        tree::put(&root.join("packaging/debian").join(script), &debian.join(script), 0o755)?;
    }
    tree::make_public(&tree)?;
    let file = order.out.join(format!("baize_{version}_{}.deb", architecture.trim()));
    said(Command::new("dpkg-deb").args(["--root-owner-group", "--build"]).arg(&tree).arg(&file))?;
    fs::remove_dir_all(&tree)?;
    Ok(file)
}

/// Builds the archive, the Debian package, the bill of materials and the checksums, and returns their names.
pub fn dist(order: &Order) -> io::Result<Vec<PathBuf>> {
    let (root, binary) = (workspace::root(), binary(order)?);
    let order = Order { binary: Some(binary.clone()), ..order.clone() };
    let mut made = vec![deb(&order)?];
    let name = format!("baize-{}-{}-{}", version(&root)?, std::env::consts::ARCH, std::env::consts::OS);
    let folder = order.out.join(&name);
    remove(&folder)?;
    tree::lay_out(&root, &binary, &folder)?;
    let archive = order.out.join(format!("{name}.tar.gz"));
    // The same files give the same archive: sorted, without owners and times.
    let sorted = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mtime=@0", "-czf"];
    said(Command::new("tar").args(sorted).arg(&archive).arg("-C").arg(&order.out).arg(&name))?;
    fs::remove_dir_all(&folder)?;
    made.push(archive);
    let bill = order.out.join(format!("{name}.cdx.json"));
    let (program, crates) = crates::of(&root)?;
    fs::write(&bill, bill::of(&program, &crates))?;
    made.push(bill);
    let names = made.iter().filter_map(|file| file.file_name());
    let sums = said(Command::new("sha256sum").args(names).current_dir(&order.out))?;
    let file = order.out.join("SHA256SUMS");
    fs::write(&file, sums)?;
    made.push(file);
    Ok(made)
}

/// The program to package.
fn binary(order: &Order) -> io::Result<PathBuf> {
    if let Some(binary) = &order.binary {
        return Ok(binary.clone());
    }
    let built =
        build::cargo(&["build", "--locked", "--bin", "baize", "--profile", &order.profile]).status()?;
    if !built.success() {
        return Err(io::Error::other("the program could not be built"));
    }
    let folder = if order.profile == "dev" { "debug" } else { &order.profile };
    Ok(crates::target()?.join(folder).join("baize"))
}

/// Removes what an earlier run left.
fn remove(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// The version of the workspace.
fn version(root: &Path) -> io::Result<String> {
    let text = fs::read_to_string(root.join("Cargo.toml"))?;
    let table: toml::Table = text.parse().map_err(io::Error::other)?;
    let version = table.get("workspace").and_then(|of| of.get("package")).and_then(|of| of.get("version"));
    version
        .and_then(toml::Value::as_str)
        .map(str::to_owned)
        .ok_or_else(|| io::Error::other("Cargo.toml names no version"))
}

/// What the program needs from the system: the C library from the newest version that it requires.
fn libraries(binary: &Path) -> String {
    let symbols = said(Command::new("objdump").arg("-T").arg(binary)).unwrap_or_default();
    let asked = symbols.split("GLIBC_").skip(1).filter_map(|rest| {
        let version: String = rest.chars().take_while(|c| c.is_ascii_digit() || *c == '.').collect();
        version.split('.').map(|part| part.parse::<u32>().ok()).collect::<Option<Vec<u32>>>()
    });
    let libc = match asked.max() {
        Some(version) => {
            let version: Vec<String> = version.iter().map(ToString::to_string).collect();
            format!("libc6 (>= {})", version.join("."))
        }
        None => "libc6".to_owned(),
    };
    format!("{libc}, libgcc-s1")
}

/// The output of a program that must succeed.
fn said(command: &mut Command) -> io::Result<String> {
    let shown = format!("{command:?}");
    let output =
        command.output().map_err(|error| io::Error::new(error.kind(), format!("{shown}: {error}")))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(io::Error::other(format!("{shown}: {}", String::from_utf8_lossy(&output.stderr).trim())))
}
