//! Generates editor grammars of the round script from its vocabulary.

use baize_rules::{Area, IrregularityKind, Role};
use baize_script::{FACTS, RULINGS, VERBS};
use serde_json::json;

/// The words of a script by what they are.
struct Words {
    verbs: Vec<&'static str>,
    areas: Vec<&'static str>,
    roles: Vec<&'static str>,
    kinds: Vec<&'static str>,
    facts: Vec<&'static str>,
}

impl Words {
    fn all() -> Words {
        let kinds = IrregularityKind::ALL.iter().map(|kind| kind.code()).chain(RULINGS);
        Words {
            verbs: VERBS.iter().map(|verb| verb.word).collect(),
            areas: Area::ALL.iter().map(|area| area.code()).chain(["board", "dealer"]).collect(),
            roles: Role::ALL.iter().map(|role| role.code()).collect(),
            kinds: kinds.collect(),
            facts: FACTS.iter().map(|(name, _)| *name).collect(),
        }
    }
}

/// An alternation, longest words first, because the first match wins.
fn any(words: &[&str]) -> String {
    let mut words = words.to_vec();
    words.sort_by_key(|word| (std::cmp::Reverse(word.len()), *word));
    words.dedup();
    words.join("|")
}

const CARD: &str = "(?:10|[2-9TJQKA])[cdhs]";

/// The files and their texts, by their paths below the folder of editors.
pub(super) fn files() -> Vec<(&'static str, String)> {
    let words = Words::all();
    vec![
        ("vscode/package.json", pretty(&package())),
        ("vscode/language-configuration.json", pretty(&json!({ "comments": { "lineComment": "#" } }))),
        ("vscode/syntaxes/round.tmLanguage.json", pretty(&textmate(&words))),
        ("vim/ftdetect/round.vim", "autocmd BufNewFile,BufRead *.round setfiletype round\n".to_owned()),
        ("vim/ftplugin/round.vim", "setlocal commentstring=#\\ %s\n".to_owned()),
        ("vim/syntax/round.vim", vim(&words)),
    ]
}

fn pretty(value: &serde_json::Value) -> String {
    format!("{value:#}\n")
}

fn package() -> serde_json::Value {
    json!({
        "name": "baize-round",
        "displayName": "Baize round scripts",
        "description": "Highlights the round scripts of Baize",
        "version": env!("CARGO_PKG_VERSION"),
        "publisher": "baize",
        "license": "MIT OR Apache-2.0",
        "engines": { "vscode": "^1.60.0" },
        "categories": ["Programming Languages"],
        "contributes": {
            "languages": [{
                "id": "round",
                "aliases": ["Round script"],
                "extensions": [".round"],
                "configuration": "./language-configuration.json",
            }],
            "grammars": [{ "language": "round", "scopeName": "source.round", "path": "./syntaxes/round.tmLanguage.json" }],
        },
    })
}

fn textmate(words: &Words) -> serde_json::Value {
    let pattern = |name: &str, regex: String| json!({ "name": format!("{name}.round"), "match": regex });
    let word = |words: &[&str]| format!("(?<![\\w-])(?:{})(?![\\w-])", any(words));
    json!({
        "name": "Round script",
        "scopeName": "source.round",
        "fileTypes": ["round"],
        "patterns": [
            pattern("comment.line.number-sign", "#.*$".to_owned()),
            pattern("keyword.control", format!("^\\s*(?:{})(?![\\w-])", any(&words.verbs))),
            pattern("constant.character.card", format!("(?<!\\w){CARD}(?!\\w)")),
            pattern("variable.parameter", format!("(?<![\\w-])(?:{})(?==)", any(&words.facts))),
            pattern("keyword.operator", "(?<![\\w-])(?:by|because|citing|unnoticed)(?![\\w-])".to_owned()),
            pattern("support.type.role", word(&words.roles)),
            pattern("support.constant.irregularity", word(&words.kinds)),
            pattern("storage.type.area", word(&words.areas)),
            pattern("constant.numeric", "(?<![\\w-])[+-]?[0-9][0-9,]*(?:\\.[0-9]+)*%?(?![\\w])".to_owned()),
        ],
    })
}

fn vim(words: &Words) -> String {
    // Not `syntax keyword`, which takes precedence over every match: `bet` is an area, but a verb at the start of a line.
    let keywords = |group: &str, words: &[&str]| {
        let words = any(words).replace('|', "\\|");
        format!("syntax match round{group} /\\%(^\\|\\s\\)\\zs\\%({words}\\)\\ze\\%(\\s\\|$\\)/\n")
    };
    let verbs = any(&words.verbs).replace('|', "\\|");
    let mut text = String::from(
        "\" Vim syntax of Baize round scripts, made by `baize generate editors`.\nif exists(\"b:current_syntax\")\n  finish\nendif\n\
         syntax iskeyword @,48-57,_,-\n",
    );
    text.push_str(&keywords("Area", &words.areas));
    text.push_str(&keywords("Role", &words.roles));
    text.push_str(&keywords("Kind", &words.kinds));
    text.push_str(&keywords("Word", &["by", "because", "citing", "unnoticed"]));
    let facts = any(&words.facts).replace('|', "\\|");
    text.push_str(&format!("syntax match roundFact /\\<\\({facts}\\)\\ze=/\n"));
    text.push_str("syntax match roundNumber /[+-]\\?\\<[0-9][0-9,.]*%\\?/\n");
    text.push_str("syntax match roundCard /\\<\\(10\\|[2-9TJQKA]\\)[cdhs]\\>/\n");
    text.push_str(&format!("syntax match roundVerb /^\\s*\\<\\({verbs}\\)\\>/\n"));
    text.push_str("syntax match roundComment /#.*$/\n");
    for (group, link) in [
        ("Comment", "Comment"),
        ("Verb", "Statement"),
        ("Card", "Constant"),
        ("Number", "Number"),
        ("Area", "Type"),
        ("Role", "Identifier"),
        ("Kind", "Special"),
        ("Fact", "Identifier"),
        ("Word", "Operator"),
    ] {
        text.push_str(&format!("highlight default link round{group} {link}\n"));
    }
    text.push_str("let b:current_syntax = \"round\"\n");
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_files_in_the_tree_are_those_of_the_vocabulary() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../editors");
        for (path, text) in files() {
            let there = std::fs::read_to_string(format!("{folder}/{path}")).unwrap_or_default();
            assert_eq!(there, text, "run `baize generate editors editors`");
        }
    }

    /// In Vim a keyword takes precedence over matches, and of matches at the same place the last one wins.
    #[test]
    fn a_verb_stays_a_verb_in_vim() {
        let text = vim(&Words::all());
        assert!(!text.contains("syntax keyword"), "{text}");
        let at = |group: &str| text.find(&format!("syntax match round{group} ")).unwrap();
        assert!(["Area", "Role", "Kind", "Word"].iter().all(|group| at(group) < at("Verb")));
        assert!(at("Verb") < at("Comment"));
    }
}
