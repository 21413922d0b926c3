//! The pages of the project hang together: links lead somewhere, files that are named exist, and the
//! book has every chapter.

use std::path::Path;

use crate::common::root;
use crate::readme::{files, read};

/// The pages that people read, README and book among them.
fn pages() -> Vec<String> {
    let names = ["README.md", "CONTRIBUTING.md", "ARCHITECTURE.md", "CHANGELOG.md"];
    let mut pages: Vec<String> = names.map(str::to_owned).to_vec();
    for folder in ["docs", "experiments", "rulesheets"] {
        pages.extend(files(folder, ".md"));
    }
    pages
}

/// A page without its code, in which brackets and signs mean other things.
fn prose(text: &str) -> String {
    let outside: String = text.split("```").step_by(2).collect();
    outside.split('`').step_by(2).collect()
}

/// Where the links and the pictures of a page lead.
fn links(text: &str) -> Vec<String> {
    let prose = prose(text);
    let targets = prose.split("](").skip(1).map(|rest| rest.split(')').next().unwrap().to_owned());
    targets.collect()
}

/// The names by which links reach the headings of a page, as code hosts and mdBook make them.
fn anchors(text: &str) -> Vec<String> {
    let mut anchors: Vec<String> = Vec::new();
    let outside: String = text.split("```").step_by(2).collect();
    for heading in outside.lines().filter(|line| line.starts_with('#')) {
        let title = heading.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|c| c.is_alphanumeric() || " -_".contains(*c));
        let name: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let before = anchors.iter().filter(|a| **a == name).count();
        assert_eq!(before, 0, "two headings `{title}`: links cannot tell them apart");
        anchors.push(name);
    }
    anchors
}

/// What is wrong with a link of a page, if anything is.
fn fault(page: &str, target: &str) -> Option<String> {
    if target.starts_with("https://") {
        return None;
    }
    let (path, anchor) = target.split_once('#').unwrap_or((target, ""));
    // A rendered book holds what lies in docs/ and nothing else.
    if page.starts_with("docs/") && path.contains("..") {
        return Some("leads out of the book: name the file instead".to_owned());
    }
    let file = match path {
        "" => page.to_owned(),
        path => Path::new(page).parent().unwrap().join(path).display().to_string(),
    };
    if path.contains(':') || path.starts_with('/') || !root().join(&file).exists() {
        return Some("leads nowhere".to_owned());
    }
    if !anchor.is_empty() && !anchors(&read(&file)).iter().any(|a| a == anchor) {
        return Some(format!("{file} has no such heading"));
    }
    None
}

#[test]
fn links_lead_somewhere() {
    let mut seen = 0;
    for page in pages() {
        for target in links(&read(&page)) {
            seen += 1;
            if let Some(fault) = fault(&page, &target) {
                panic!("{page}, link to `{target}`: {fault}");
            }
        }
    }
    assert!(seen > 40, "{seen} links");
}

#[test]
fn faults_of_links_are_seen() {
    assert_eq!(links("[a](b.md) ![c](d.svg) `[e](f)`\n```text\n[g](h)\n```\n"), ["b.md", "d.svg"]);
    assert_eq!(
        anchors("# Whose idea, and why?\n## `solve --moves`\n"),
        ["whose-idea-and-why", "solve---moves"]
    );
    let faulty =
        ["missing.md", "#missing", "proofs.md#missing", "/proofs.md", "../README.md", "file:x"];
    for target in faulty {
        assert!(fault("docs/README.md", target).is_some(), "{target}");
    }
    for target in ["proofs.md", "#the-book-of-foregone", "https://example.org"] {
        assert_eq!(fault("docs/README.md", target), None, "{target}");
    }
}

#[test]
fn the_book_has_every_chapter_once() {
    let listed = links(&read("docs/SUMMARY.md"));
    let mut listed: Vec<String> = listed.iter().map(|name| format!("docs/{name}")).collect();
    listed.sort();
    let mut chapters = files("docs", ".md");
    chapters.retain(|name| name != "docs/SUMMARY.md");
    assert_eq!(listed, chapters);
}

/// mdBook reads a strict form of this page: a title, chapters without numbers, then titles of parts
/// and lists.
#[test]
fn the_summary_has_the_form_that_mdbook_reads() {
    let text = read("docs/SUMMARY.md");
    for line in text.lines().filter(|line| !line.is_empty()) {
        let chapter = |line: &str| line.starts_with('[') && line.ends_with(".md)");
        let item = line.strip_prefix("- ");
        let title = line.starts_with("# ");
        assert!(title || chapter(line) || item.is_some_and(chapter), "{line}");
    }
    let book: toml::Table = read("book.toml").parse().unwrap();
    assert_eq!(book["book"]["src"].as_str(), Some("docs"));
}

#[test]
fn readme_is_short() {
    let lines = read("README.md").lines().count();
    assert!(lines <= 200, "README.md has {lines} lines: move some to a chapter in docs/");
}

/// Pages name files by their path in the project.
#[test]
fn pages_name_files_that_exist() {
    let folders =
        ["crates/", "docs/", "examples/", "experiments/", "problems/", "rulesheets/", ".ci/"];
    let mut named = 0;
    for page in pages() {
        let text = read(&page);
        let outside: String = text.split("```").step_by(2).collect();
        for word in outside.split('`').skip(1).step_by(2) {
            let is_path = folders.iter().any(|folder| word.starts_with(folder));
            if is_path && !word.contains([' ', '*', '…']) && !word.contains("NAME") {
                named += 1;
                assert!(root().join(word).exists(), "{page} names {word}");
            }
        }
    }
    assert!(named > 30, "{named} files");
}
