//! What holds for all HTML that the casino serves. [`Client`](crate::client::Client) checks every answer that it reads, so every page of every test.

use std::collections::BTreeSet;

/// All values of an attribute, in order.
fn values<'a>(html: &'a str, attribute: &str) -> Vec<&'a str> {
    let opening = format!(" {attribute}=\"");
    html.split(&opening).skip(1).filter_map(|rest| rest.split('"').next()).collect()
}

/// Checks a whole page or a few live regions: nothing inline that the content security policy would block, nothing from elsewhere, unique ids,
/// a main landmark, a token and an id in every form that changes something, a label for every field.
pub(crate) fn check(html: &str) {
    for bad in [
        " style=\"",
        "<style",
        " onclick=",
        " onload=",
        " onsubmit=",
        " oninput=",
        "javascript:",
        "href=\"http",
        "src=\"http",
    ] {
        assert!(!html.contains(bad), "{bad} in {html}");
    }
    for script in html.split("<script").skip(1) {
        assert!(script.starts_with(" src=\"/assets/"), "an inline script: {html}");
    }
    let mut ids = BTreeSet::new();
    for id in values(html, "id") {
        assert!(ids.insert(id), "the id {id:?} is there twice: {html}");
    }
    // The page that only redirects has no style and no landmark.
    assert!(ids.contains("main") || !html.contains("/assets/baize.css"), "no main landmark: {html}");
    for form in html.split("<form").skip(1).filter_map(|rest| rest.split("</form>").next()) {
        // The theme form needs no token.
        if form.contains("method=\"post\"") && !form.contains("action=\"/theme\"") {
            assert!(
                form.contains("name=\"csrf\"") && form.contains("name=\"id\""),
                "no token or no id: {form}"
            );
        }
    }
    for tag in ["<input", "<select", "<textarea"] {
        for (before, field) in html.match_indices(tag).map(|(at, _)| html.split_at(at)) {
            let field = field.split('>').next().unwrap_or_default();
            let labelled = before.rfind("<label").is_some_and(|at| !before[at..].contains("</label>"));
            assert!(labelled || field.contains("type=\"hidden\""), "no label: {field}");
        }
    }
}
