//! A minimal HTML tokenizer for the XSS tests: start tags, attributes and raw text.

#[derive(Debug)]
pub struct Tag {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    /// The content of elements whose content is not HTML (script, style, title, textarea).
    pub raw: String,
}

impl Tag {
    pub fn attribute(&self, name: &str) -> Option<&str> {
        let found = self.attributes.iter().find(|(key, _)| key == name);
        found.map(|(_, value)| value.as_str())
    }
}

/// Every start tag, in order.
pub fn tags(mut html: &str) -> Vec<Tag> {
    let mut tags = Vec::new();
    while let Some(at) = html.find('<') {
        html = &html[at + 1..];
        if let Some(comment) = html.strip_prefix("!--") {
            html = comment.split_once("-->").map_or("", |(_, rest)| rest);
        } else if html.starts_with(|c: char| c.is_ascii_alphabetic()) {
            let (tag, rest) = start_tag(html);
            html = rest;
            tags.push(tag);
            if let Some(tag) = tags.last_mut()
                && ["script", "style", "title", "textarea"].contains(&tag.name.as_str())
            {
                // `to_ascii_lowercase` keeps byte offsets.
                let end = html
                    .to_ascii_lowercase()
                    .find(&format!("</{}", tag.name))
                    .unwrap_or(html.len());
                tag.raw = html[..end].to_owned();
                html = &html[end..];
            }
        }
    }
    tags
}

fn start_tag(html: &str) -> (Tag, &str) {
    let is_end = |c: char| c.is_ascii_whitespace() || c == '/' || c == '>';
    let (name, mut rest) = html.split_at(html.find(is_end).unwrap_or(html.len()));
    let mut attributes = Vec::new();
    loop {
        rest = rest.trim_start_matches(|c: char| c.is_ascii_whitespace() || c == '/');
        if let Some(after) = rest.strip_prefix('>') {
            rest = after;
            break;
        }
        if rest.is_empty() {
            break;
        }
        let end = rest.find(|c: char| is_end(c) || c == '=');
        let (key, after) = rest.split_at(end.unwrap_or(rest.len()).max(1).min(rest.len()));
        let (value, after) = match after.trim_start().strip_prefix('=') {
            None => ("", after),
            Some(value) => attribute_value(value.trim_start()),
        };
        attributes.push((key.to_ascii_lowercase(), value.to_owned()));
        rest = after;
    }
    let tag = Tag {
        name: name.to_ascii_lowercase(),
        attributes,
        raw: String::new(),
    };
    (tag, rest)
}

fn attribute_value(text: &str) -> (&str, &str) {
    for quote in ['"', '\''] {
        if let Some(inner) = text.strip_prefix(quote) {
            return inner.split_once(quote).unwrap_or((inner, ""));
        }
    }
    let end = text.find(|c: char| c.is_ascii_whitespace() || c == '>');
    text.split_at(end.unwrap_or(text.len()))
}

#[test]
fn tokenizer_finds_the_tags_that_a_browser_finds() {
    let page = "<p class=\"<b>\">a < b<!-- <i> --><script>\"<u>\"</SCRIPT ><img src=x onerror='1'>";
    let found = tags(page);
    let names: Vec<_> = found.iter().map(|tag| tag.name.as_str()).collect();
    assert_eq!(names, ["p", "script", "img"]);
    assert_eq!(found[0].attribute("class"), Some("<b>"));
    assert_eq!(found[1].raw, "\"<u>\"");
    assert_eq!(found[2].attribute("onerror"), Some("1"));
}
