//! The workspace's own files, as the checks see them: those under version control, or not ignored by it.
//!
//! Without Git (a source archive) the tree is walked instead, skipping build output. Files that are not UTF-8
//! text (pictures, databases) are skipped: no check reads them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, io};

/// A text file of the workspace.
#[derive(Clone, Debug)]
pub struct File {
    /// Its path relative to the root, with forward slashes.
    pub path: String,
    /// Its contents.
    pub text: String,
}

impl File {
    /// A file from its path and text.
    pub fn new(path: impl Into<String>, text: impl Into<String>) -> Self {
        Self { path: path.into(), text: text.into() }
    }

    /// The part of the path after `folder/`, if the file is under it.
    pub fn under(&self, folder: &str) -> Option<&str> {
        self.path.strip_prefix(folder)?.strip_prefix('/')
    }

    /// Whether the file's name ends in `.extension`.
    pub fn is(&self, extension: &str) -> bool {
        self.path.strip_suffix(extension).is_some_and(|stem| stem.ends_with('.'))
    }
}

/// The root of the workspace: the folder above this crate.
pub fn root() -> PathBuf {
    let here = env::var("CARGO_MANIFEST_DIR").unwrap_or_else(|_| env!("CARGO_MANIFEST_DIR").to_owned());
    Path::new(&here).parent().map(Path::to_path_buf).unwrap_or_default()
}

/// Every text file of the workspace, in the order of their paths.
pub fn files(root: &Path) -> io::Result<Vec<File>> {
    let mut paths = match listed_by_git(root) {
        Some(paths) => paths,
        None => {
            let mut paths = Vec::new();
            walk(root, root, &mut paths)?;
            paths
        }
    };
    paths.sort();
    paths.dedup();
    let mut files = Vec::with_capacity(paths.len());
    for path in paths {
        // A tracked file may have been deleted and not yet committed.
        let whole = root.join(&path);
        if !whole.is_file() {
            continue;
        }
        let bytes = fs::read(&whole)?;
        if let Ok(text) = String::from_utf8(bytes)
            && !text.contains('\0')
        {
            files.push(File { path, text });
        }
    }
    Ok(files)
}

/// Tracked files, and those that are neither tracked nor ignored; `None` if Git cannot tell.
fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let output = Command::new("git")
        .args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"])
        .current_dir(root)
        .output()
        .ok()?;
    if !output.status.success() {
        return None;
    }
    let list = String::from_utf8(output.stdout).ok()?;
    let paths: Vec<String> = list.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect();
    // An archive unpacked inside another repository is listed as empty there: walk it instead.
    paths.iter().any(|path| path == "Cargo.toml").then_some(paths)
}

fn walk(root: &Path, folder: &Path, paths: &mut Vec<String>) -> io::Result<()> {
    // Cargo marks its build folders with this file, whatever their name is.
    if folder.join("CACHEDIR.TAG").exists() || folder.file_name().is_some_and(|name| name == ".git") {
        return Ok(());
    }
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let kind = entry.file_type()?;
        if kind.is_dir() {
            walk(root, &entry.path(), paths)?;
        } else if kind.is_file()
            && let Ok(path) = entry.path().strip_prefix(root)
        {
            paths.push(path.to_string_lossy().replace('\\', "/"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_walk_finds_what_git_lists() {
        let mut walked = Vec::new();
        walk(&root(), &root(), &mut walked).expect("the tree can be read");
        for file in files(&root()).expect("the tree can be read") {
            assert!(walked.contains(&file.path), "{} is missing", file.path);
        }
    }

    #[test]
    fn a_file_knows_its_folder_and_extension() {
        let file = File::new("rulebooks/paragraphs/x.toml", "");
        assert_eq!(file.under("rulebooks/paragraphs"), Some("x.toml"));
        assert_eq!(file.under("rulebook"), None);
        assert!(file.is("toml"));
        assert!(!file.is("oml"));
    }
}
