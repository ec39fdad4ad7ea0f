//! A place in a whole text, and the few steps by which readers move over it.

/// The characters that T3 calls blank, which are also the white space of JSON.
pub(crate) const BLANK: &[char] = &[' ', '\t', '\r', '\n'];

/// A place in a text.
///
/// A reader moves over all it can take and returns `None` when it is stuck. The cursor then stands at
/// the first character after which nothing that could follow would make the input right, or at the
/// end of the text if all of it was right so far.
pub(crate) struct Cursor<'a> {
    text: &'a str,
    /// Always on a character boundary.
    at: usize,
}

impl<'a> Cursor<'a> {
    /// A cursor at byte `at` of `text`, which must be a character boundary.
    pub(crate) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at }
    }

    /// Moves over `expected` if it stands here.
    pub(crate) fn eat(&mut self, expected: char) -> bool {
        self.eat_if(|char| char == expected).is_some()
    }

    /// Moves over the next character if `accept` takes it.
    pub(crate) fn eat_if(&mut self, accept: impl FnOnce(char) -> bool) -> Option<char> {
        let char = self.peek().filter(|&char| accept(char))?;
        self.at += char.len_utf8();
        Some(char)
    }

    /// Moves over `word`, or as far into it as it stands here.
    pub(crate) fn exact(&mut self, word: &str) -> Option<()> {
        let rest = &self.text.as_bytes()[self.at..];
        let stands = word.bytes().zip(rest).take_while(|(expected, byte)| expected == *byte).count();
        self.at += word.floor_char_boundary(stands);
        (stands == word.len()).then_some(())
    }

    /// Moves over all characters from here on that `accept` takes, perhaps none.
    pub(crate) fn take_while(&mut self, accept: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let taken = &rest[..rest.find(|char| !accept(char)).unwrap_or(rest.len())];
        self.at += taken.len();
        taken
    }

    /// Moves over all of the characters `set` that stand here, perhaps none.
    pub(crate) fn skip(&mut self, set: &[char]) -> &'a str {
        self.take_while(|char| set.contains(&char))
    }

    /// The next character, or `None` at the end.
    pub(crate) fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// The text from byte `start` to here.
    pub(crate) fn since(&self, start: usize) -> &'a str {
        &self.text[start..self.at]
    }

    /// The byte offset of this place.
    pub(crate) fn at(&self) -> usize {
        self.at
    }
}
