//! The files of a package, where Debian's policy requires them.

use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::Command;
use std::{fs, io};

use super::{crates, notices, said};

/// Files copied unchanged: from the workspace to the package. What the documentation links to has the same place beside it, and so have the
/// dictionaries that its verifier of journals needs.
const COPIED: [(&str, &str); 15] = [
    ("packaging/systemd/baize.service", "usr/lib/systemd/system/baize.service"),
    ("packaging/debian/baize.toml", "etc/baize/baize.toml"),
    ("packaging/grafana", "usr/share/doc/baize/packaging/grafana"),
    ("packaging/prometheus", "usr/share/doc/baize/packaging/prometheus"),
    ("rulebooks", "usr/share/baize/rulebooks"),
    ("scenarios", "usr/share/doc/baize/scenarios"),
    ("editors", "usr/share/baize/editors"),
    ("docs", "usr/share/doc/baize/docs"),
    ("LICENSE-MIT", "usr/share/doc/baize/LICENSE-MIT"),
    ("LICENSE-APACHE", "usr/share/doc/baize/LICENSE-APACHE"),
    ("CHANGELOG.md", "usr/share/doc/baize/CHANGELOG.md"),
    ("SECURITY.md", "usr/share/doc/baize/SECURITY.md"),
    ("ARCHITECTURE.md", "usr/share/doc/baize/ARCHITECTURE.md"),
    ("CONTRIBUTING.md", "usr/share/doc/baize/CONTRIBUTING.md"),
    ("crates/journal/dictionaries", "usr/share/doc/baize/crates/journal/dictionaries"),
];

const COPYRIGHT: &str = "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: baize\n\n\
    Files: *\nCopyright: The Baize authors\nLicense: MIT or Apache-2.0\n\n\
    License: MIT\n See LICENSE-MIT in this folder.\n\nLicense: Apache-2.0\n See /usr/share/common-licenses/Apache-2.0.\n";

/// Lays out a package below `tree`.
pub(super) fn lay_out(root: &Path, binary: &Path, tree: &Path) -> io::Result<()> {
    put(binary, &tree.join("usr/bin/baize"), 0o755)?;
    for (from, to) in COPIED {
        copy(&root.join(from), &tree.join(to))?;
    }
    fs::write(tree.join("usr/share/doc/baize/copyright"), COPYRIGHT)?;
    fs::write(tree.join("usr/share/doc/baize/THIRD-PARTY-LICENCES"), notices::of(&crates::of(root)?.1)?)?;
    // The documentation links to the rulebooks.
    std::os::unix::fs::symlink("../../baize/rulebooks", tree.join("usr/share/doc/baize/rulebooks"))?;
    let man = tree.join("usr/share/man/man1");
    said(Command::new(binary).args(["generate", "man"]).arg(&man))?;
    for page in fs::read_dir(&man)? {
        said(Command::new("gzip").arg("-9n").arg(page?.path()))?;
    }
    let made = tree.join("completions");
    said(Command::new(binary).args(["generate", "completions"]).arg(&made))?;
    for (file, to) in [
        ("baize.bash", "usr/share/bash-completion/completions/baize"),
        ("_baize", "usr/share/zsh/vendor-completions/_baize"),
        ("baize.fish", "usr/share/fish/vendor_completions.d/baize.fish"),
    ] {
        put(&made.join(file), &tree.join(to), 0o644)?;
    }
    fs::remove_dir_all(made)?;
    make_public(tree)
}

/// Lets everybody read what is packaged, whatever the umask of the person who packages: they may have a strict one.
pub(super) fn make_public(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            make_public(&entry.path())?;
        } else if kind.is_file() {
            let executable = entry.metadata()?.permissions().mode() & 0o100 != 0;
            let mode = if executable { 0o755 } else { 0o644 };
            fs::set_permissions(entry.path(), fs::Permissions::from_mode(mode))?;
        }
    }
    Ok(())
}

/// A file, or a folder with everything in it.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    if !from.is_dir() {
        return put(from, to, 0o644);
    }
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        // Pictures are for the web.
        if entry.file_name() != "screenshots" {
            copy(&entry.path(), &to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// How much the files below a folder take, as Debian's policy counts it.
pub(super) fn kibibytes(folder: &Path) -> io::Result<u64> {
    fs::read_dir(folder)?.try_fold(1, |sum, entry| {
        let entry = entry?;
        let own = if entry.file_type()?.is_dir() {
            kibibytes(&entry.path())?
        } else {
            entry.metadata()?.len().div_ceil(1024)
        };
        Ok(sum + own)
    })
}

/// A file with these permissions.
pub(super) fn put(from: &Path, to: &Path, mode: u32) -> io::Result<()> {
    let told = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", from.display()));
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    fs::copy(from, to).map_err(told)?;
    fs::set_permissions(to, fs::Permissions::from_mode(mode))
}
