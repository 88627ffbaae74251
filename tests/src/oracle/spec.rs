//! A rule spec of page 10 to its tool and its pattern.

/// The tool and the pattern; an empty pattern matches any arguments. The empty spec is the rule for any call, which only
/// vectors write. `None` for what is no spec: not everything that a checker refuses is found here.
pub fn spec(text: &str) -> Option<(String, String)> {
    let blank = [' ', '\t', '\n', '\r'];
    let text = text.trim_matches(blank);
    let (tool, pattern) = match text.split_once('(') {
        None => (text, ""),
        Some((tool, rest)) => {
            let pattern = rest.strip_suffix(')')?.trim_matches(blank);
            if pattern.is_empty() {
                return None;
            }
            (tool.trim_matches(blank), pattern)
        }
    };
    if tool.is_empty() && !text.is_empty() {
        return None;
    }
    let tool = if tool == "Bash" { "Shell" } else { tool };
    let pattern = match (pattern.strip_suffix(":*"), pattern.strip_suffix(':')) {
        (Some(prefix), _) | (None, Some(prefix)) => format!("{prefix}*"),
        (None, None) => pattern.to_owned(),
    };
    Some((tool.to_owned(), pattern))
}
