//! Tokens of the language and the words they are written with.

use locus_source::Span;

macro_rules! tokens {
    ($($(#[$doc:meta])* $id:ident $word:literal),* $(,)?) => {
        /// The kind of a token.
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
    Some(match word.as_bytes() {
        b"abstract" => T::Abstract,
        b"all" => T::All,
        b"and" => T::And,
        b"as" => T::As,
        b"assert" => T::Assert,
        b"but" => T::But,
        b"check" => T::Check,
        b"disj" => T::Disj,
        b"else" => T::Else,
        b"enum" => T::Enum,
        b"exactly" => T::Exactly,
        b"expect" => T::Expect,
        b"extends" => T::Extends,
        b"fact" => T::Fact,
        b"for" => T::For,
        b"fun" => T::Fun,
        b"iden" => T::Iden,
        b"iff" => T::Iff,
        b"implies" => T::Implies,
        b"in" => T::In,
        b"int" => T::Int,
        b"Int" => T::SigInt,
        b"let" => T::Let,
        b"lone" => T::Lone,
        b"module" => T::Module,
        b"no" => T::No,
        b"none" => T::None,
        b"not" => T::Not,
        b"one" => T::One,
        b"open" => T::Open,
        b"or" => T::Or,
        b"pred" => T::Pred,
        b"private" => T::Private,
        b"run" => T::Run,
        b"seq" => T::Seq,
        b"set" => T::Set,
        b"sig" => T::Sig,
        b"some" => T::Some,
        b"String" => T::String,
        b"sum" => T::Sum,
        b"this" => T::This,
        b"univ" => T::Univ,
        b"var" => T::Var,
        b"steps" => T::Steps,
        b"always" => T::Always,
        b"eventually" => T::Eventually,
        b"after" => T::After,
        b"before" => T::Before,
        b"historically" => T::Historically,
        b"once" => T::Once,
        b"releases" => T::Releases,
        b"until" => T::Until,
        b"since" => T::Since,
        b"triggered" => T::Triggered,
        _ => return None,
    })
}
