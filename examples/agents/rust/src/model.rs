//! A model that follows a script, and looks at what it is told.

use std::collections::VecDeque;

/// What a model does next.
pub enum Move {
    /// It says something.
    Say(String),
    /// It wants a tool called.
    Call {
        /// The tool's registered name.
        tool: String,
        /// The arguments, as JSON text.
        arguments: String,
    },
    /// It is done.
    Done,
}

/// Something that wants tools called.
pub trait Model {
    /// The next move after this reply of the last tool; empty at first.
    fn next(&mut self, reply: &str) -> Move;
}

/// A call of the script, and what is tried instead when it was denied.
pub struct Wish {
    tool: &'static str,
    arguments: &'static str,
    instead: Option<(&'static str, &'static str)>,
}

impl Wish {
    /// A call.
    pub fn new(tool: &'static str, arguments: &'static str) -> Self {
        Self {
            tool,
            arguments,
            instead: None,
        }
    }

    /// What the model tries when it reads that the call was denied.
    pub fn or_else(self, tool: &'static str, arguments: &'static str) -> Self {
        Self {
            instead: Some((tool, arguments)),
            ..self
        }
    }
}

/// A model with a script.
pub struct Scripted {
    wishes: VecDeque<Wish>,
    instead: Option<(&'static str, &'static str)>,
}

impl Scripted {
    /// A model that wants these calls, one after the other.
    pub fn new(wishes: Vec<Wish>) -> Self {
        Self {
            wishes: wishes.into(),
            instead: None,
        }
    }
}

impl Model for Scripted {
    fn next(&mut self, reply: &str) -> Move {
        let call = |tool: &str, arguments: &str| Move::Call {
            tool: tool.to_owned(),
            arguments: arguments.to_owned(),
        };
        if let Some((tool, arguments)) = self.instead.take()
            && reply.starts_with("{\"error\":\"denied\"")
        {
            self.wishes.push_front(Wish::new(tool, arguments));
            return Move::Say(String::from("I may not do that. I try something else."));
        }
        match self.wishes.pop_front() {
            Some(wish) => {
                self.instead = wish.instead;
                call(wish.tool, wish.arguments)
            }
            None => Move::Done,
        }
    }
}
