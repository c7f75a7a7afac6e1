//! What every text file must look like: Unix line ends, no trailing blanks, no path that exists on one
//! machine only.

use crate::problem::Problem;
use crate::workspace::File;

/// Folders with people's own files. Split so that this file does not name them itself.
const MACHINE_PATHS: [&str; 6] = [
    concat!("/ho", "me/"),
    concat!("/ro", "ot/"),
    concat!("/Us", "ers/"),
    concat!("/wo", "rk/"),
    concat!("/t", "mp/"),
    concat!("C:\\Us", "ers\\"),
];

pub(super) fn check(file: &File, problems: &mut Vec<Problem>) {
    if file.text.contains('\r') {
        problems.push(Problem::in_file(&file.path, "carriage returns: lines end in a single line feed"));
    }
    for (index, line) in file.text.lines().enumerate() {
        let number = index + 1;
        let trimmed = line.trim_end_matches([' ', '\t']);
        if trimmed.len() != line.len() {
            problems.push(Problem::at(&file.path, number, "trailing blanks"));
        }
        if let Some(path) = MACHINE_PATHS.into_iter().find(|path| names_path(line, path)) {
            let message =
                format!("a path under {path} exists on one machine only: write it relative to the workspace");
            problems.push(Problem::at(&file.path, number, message));
        }
    }
}

/// Whether the line names an absolute path that starts with `prefix`, not merely an address or a longer path
/// that contains it.
fn names_path(line: &str, prefix: &str) -> bool {
    line.match_indices(prefix).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        !before.is_some_and(|c| c.is_alphanumeric() || "._-/*~}$".contains(c))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Option<usize>, String)> {
        let mut problems = Vec::new();
        check(&File::new("a.md", text), &mut problems);
        problems.into_iter().map(|problem| (problem.line, problem.message)).collect()
    }

    #[test]
    fn clean_text_passes() {
        assert!(found("one\n\n\ttwo, three\n").is_empty());
    }

    #[test]
    fn trailing_blanks_and_carriage_returns_are_found() {
        assert_eq!(found("one\ntwo \n"), [(Some(2), "trailing blanks".to_owned())]);
        assert_eq!(found("one\r\n").len(), 1);
    }

    #[test]
    fn machine_paths_are_found_but_not_addresses() {
        for path in MACHINE_PATHS {
            assert_eq!(found(&format!("see `{path}x`\n")).len(), 1, "{path}");
            assert_eq!(found(&format!("https://example.org{path}x\n")).len(), 0, "{path}");
        }
    }
}
