//! Tokens of the language and the words they are written with.

use locus_source::Span;

macro_rules! tokens {
    ($($(#[$doc:meta])* $id:ident $word:literal),* $(,)?) => {
        /// What a token is.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum T {
            /// A name.
            Name,
            /// A number.
            Number,
            /// A string literal.
            Text,
            /// The end of the file.
            End,
            $($(#[$doc])* $id),*
        }

        impl T {
            /// How the token is called in a message.
            pub(crate) fn describe(self) -> &'static str {
                match self {
                    Self::Name => "a name",
                    Self::Number => "a number",
                    Self::Text => "a string",
                    Self::End => "the end of the file",
                    $(Self::$id => concat!("`", $word, "`"),)*
                }
            }
        }
    };
}

tokens! {
    Not "!", Hash "#", Ampersand "&", And "and", LeftParen "(", RightParen ")", Star "*", PlusPlus "++", Plus "+",
    Comma ",", Arrow "->", Minus "-", Dot ".", Slash "/", Range ":>", Colon ":", Iff "<=>", LessEqual "<=",
    Domain "<:", ShiftLeft "<<", Less "<", Implies "=>", Equals "=", ShiftRight ">>>", ShiftArithmetic ">>",
    GreaterEqual ">=", Greater ">", At "@", LeftBracket "[", RightBracket "]", Caret "^", LeftBrace "{",
    Or "or", Bar "|", RightBrace "}", Tilde "~", Prime "'", Semicolon ";",
    Abstract "abstract", All "all", As "as", Assert "assert", But "but", Check "check", Disj "disj", Else "else",
    Enum "enum", Exactly "exactly", Expect "expect", Extends "extends", Fact "fact", For "for", Fun "fun",
    Iden "iden", In "in", Int "int", SigInt "Int", Let "let", Lone "lone", Module "module", No "no", None "none",
    One "one", Open "open", Pred "pred", Private "private", Run "run", Seq "seq", Set "set", Sig "sig", Some "some",
    String "String", Sum "sum", This "this", Univ "univ", Var "var", Steps "steps",
    Always "always", Eventually "eventually", After "after", Before "before", Historically "historically",
    Once "once", Releases "releases", Until "until", Since "since", Triggered "triggered",
}

/// A token and where it stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    pub(crate) kind: T,
    pub(crate) span: Span,
}

/// The keyword that a word is.
pub(crate) fn keyword(word: &str) -> Option<T> {
    Some(match word {
        "abstract" => T::Abstract,
        "all" => T::All,
        "and" => T::And,
        "as" => T::As,
        "assert" => T::Assert,
        "but" => T::But,
        "check" => T::Check,
        "disj" => T::Disj,
        "else" => T::Else,
        "enum" => T::Enum,
        "exactly" => T::Exactly,
        "expect" => T::Expect,
        "extends" => T::Extends,
        "fact" => T::Fact,
        "for" => T::For,
        "fun" => T::Fun,
        "iden" => T::Iden,
        "iff" => T::Iff,
        "implies" => T::Implies,
        "in" => T::In,
        "int" => T::Int,
        "Int" => T::SigInt,
        "let" => T::Let,
        "lone" => T::Lone,
        "module" => T::Module,
        "no" => T::No,
        "none" => T::None,
        "not" => T::Not,
        "one" => T::One,
        "open" => T::Open,
        "or" => T::Or,
        "pred" => T::Pred,
        "private" => T::Private,
        "run" => T::Run,
        "seq" => T::Seq,
        "set" => T::Set,
        "sig" => T::Sig,
        "some" => T::Some,
        "String" => T::String,
        "sum" => T::Sum,
        "this" => T::This,
        "univ" => T::Univ,
        "var" => T::Var,
        "steps" => T::Steps,
        "always" => T::Always,
        "eventually" => T::Eventually,
        "after" => T::After,
        "before" => T::Before,
        "historically" => T::Historically,
        "once" => T::Once,
        "releases" => T::Releases,
        "until" => T::Until,
        "since" => T::Since,
        "triggered" => T::Triggered,
        _ => return None,
    })
}
