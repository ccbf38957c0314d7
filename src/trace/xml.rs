//! Text in XML, which pages and charts are.

use std::fmt;

/// Text in the place of text, or of an attribute, in XML.
pub(super) struct XmlText<'a>(pub(super) &'a str);

impl fmt::Display for XmlText<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '&' => f.write_str("&amp;")?,
                '"' => f.write_str("&quot;")?,
                // What XML cannot say.
                c if c.is_control() && c != '\n' && c != '\t'
                    || c > '\u{FFFD}' && c < '\u{10000}' =>
                {
                    f.write_str("\u{FFFD}")?;
                }
                c => write!(f, "{c}")?,
            }
        }
        Ok(())
    }
}
