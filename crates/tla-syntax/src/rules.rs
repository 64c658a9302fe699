//! The codes of findings about TLA+: 0xx for what is read before anything is evaluated, 11x for what is allowed and yet
//! suspicious when it is. What a specification violates (10x) is for the command to say.

use locus_source::{Rule, Severity};

macro_rules! rules {
    ($(#[$list:meta])* $all:ident; $($(#[$doc:meta])* $ident:ident = $code:literal $name:literal $severity:ident $summary:literal $explanation:literal;)*) => {
        $($(#[$doc])* pub const $ident: Rule =
            Rule::new($code, $name, Severity::$severity, $summary, $explanation);)*

        $(#[$list])*
        pub const $all: &[Rule] = &[$($ident),*];
    };
}

rules! {
    /// All rules of this crate's front end, in order of their codes.
    FRONT_END;
    /// Text that is no token.
    LEXICAL = "TLA001" "tla-token" Error "Every character belongs to a token of TLA+."
        "A character or sequence of characters that TLA+ does not know, a string without its end, or a comment \
         without its end.";
    /// Something else was expected.
    SYNTAX = "TLA002" "tla-syntax" Error "A module follows the grammar of TLA+."
        "This cannot stand here. The message says what was expected.";
    /// Two operators without a defined order.
    PRECEDENCE = "TLA003" "tla-precedence" Error "Operators without an order between them need parentheses."
        "TLA+ gives every operator a range of precedences. Where the ranges of two operators overlap (as those of \
         `/\\` and `\\/` do) neither binds tighter, and parentheses must say what is meant.";
    /// Nested too deeply.
    NESTING = "TLA004" "tla-nesting" Error "Expressions are nested less deeply than the limit."
        "A limit against hostile input. Name parts of the expression in definitions of their own.";
    /// Left of the list it belongs to.
    ALIGNMENT = "TLA005" "tla-alignment" Error "Items of a list stand right of its bullets."
        "Everything in an item of a list of conjuncts or disjuncts has to stand right of the column of the list's \
         bullets. What stands further left ends the list.";
    /// A module that is nowhere.
    MODULE_MISSING = "TLA020" "tla-module-missing" Error "Every module that is named exists."
        "A module is looked for under its name with `.tla`: beside the specification, in the folders given with \
         `--library`, among the standard modules, and in the file of the root module.";
    /// Modules that need each other.
    MODULE_CYCLE = "TLA021" "tla-module-cycle" Error "Modules do not need each other in a circle."
        "A module that extends or instantiates itself, directly or through others, has no meaning.";
    /// The module has another name than its file.
    MODULE_NAME = "TLA022" "tla-module-name" Error "A module is called like its file."
        "`EXTENDS M` looks for the file `M.tla`, and the module in it must be called `M`.";
    /// A name that means nothing.
    UNKNOWN_NAME = "TLA023" "tla-unknown-name" Error "Every name is declared or defined before it is used."
        "A name means something from its declaration or definition on. Operators that call themselves need \
         `RECURSIVE`.";
    /// A name that means two things.
    NAME_CLASH = "TLA024" "tla-name-clash" Error "A name has one meaning."
        "TLA+ has no shadowing: a name that has a meaning cannot be declared, defined or bound again. The same \
         definition reached along two ways is no clash.";
    /// A wrong number of arguments.
    ARITY = "TLA025" "tla-arity" Error "Operators get as many arguments as they take."
        "An operator is applied to as many arguments as it has parameters, and operators as arguments are given \
         where operators are expected.";
    /// A wrong level.
    LEVEL = "TLA026" "tla-level" Error "Levels fit."
        "Constants speak of no state, state functions of one, actions of two, temporal formulas of behaviours. \
         Only constants and state functions can be primed, actions cannot be nested in `ENABLED`'s place of a \
         state predicate, and so on.";
    /// A substitution of something that is not there.
    SUBSTITUTION = "TLA027" "tla-substitution" Error "An instance substitutes what its module declares, all of it."
        "`INSTANCE M WITH x <- e` needs an `e` for every constant and variable that M declares; those not named \
         stand for what has the same name here.";
    /// A RECURSIVE declaration without its definition.
    RECURSIVE = "TLA028" "tla-recursive" Error "Operators that are declared RECURSIVE are defined."
        "`RECURSIVE F(_)` announces a definition of `F` with that many parameters in the same module or LET.";
    /// Something of TLA+ that is not supported.
    UNSUPPORTED = "TLA029" "tla-unsupported" Error "Only what the checker supports is used."
        "TLA+ has constructs that this checker reads but gives no meaning to.";
    /// Something that cannot be.
    MISPLACED = "TLA030" "tla-misplaced" Error "Constructs stand where they have a meaning."
        "`@` stands for the old value within EXCEPT; LAMBDA and bare operators are arguments; a module is \
         not a value.";
    /// The same field or update twice.
    DUPLICATE = "TLA031" "tla-duplicate-field" Error "A record has each field once."
        "A record or set of records names each field once.";
    /// An algorithm that cannot be translated.
    PLUSCAL = "TLA040" "tla-pluscal" Error "An algorithm follows the grammar and the rules of PlusCal."
        "An algorithm in a comment, from `--algorithm` on, is translated into TLA+. A label is needed at the beginning of \
         a `while`, behind a `call`, `return` or `goto`, and before a second assignment to a variable; none can stand in a \
         `with` or a macro.";
    /// A translation that does not fit.
    TRANSLATION = "TLA041" "tla-translation" Warning "The translation of an algorithm fits it."
        "A module is checked by the translation that stands in it. One that was changed by hand, or made of an earlier \
         algorithm, says something else than the algorithm does.";
    /// A `.cfg` that does not follow the grammar.
    CONFIG_SYNTAX = "TLA050" "tla-config-syntax" Error "A configuration follows the grammar of TLC's .cfg files."
        "A configuration is a list of sections, each begun by a word in capitals such as `INVARIANT`.";
    /// A `.cfg` that names what is not there.
    CONFIG_NAME = "TLA051" "tla-config-name" Error "A configuration names what the specification defines."
        "Every constant, operator and property that the configuration names has to be declared or defined in the \
         root module or in one that it extends.";
    /// A `.cfg` that says the same twice.
    CONFIG_TWICE = "TLA052" "tla-config-twice" Error "A configuration says each thing once."
        "INIT, NEXT, SPECIFICATION, VIEW, SYMMETRY and so on are given once, and each constant gets one value.";
    /// A constant without a value, or variables without a behaviour.
    CONFIG_MISSING = "TLA053" "tla-config-missing" Error "A configuration says all that a check needs."
        "A model needs a value for each constant, `CONSTANT N = 3` or `N <- Definition`, and if there are variables, \
         a behaviour: `SPECIFICATION Spec`, or `INIT Init` and `NEXT Next`.";
    /// Something that stands for itself.
    CONFIG_CIRCLE = "TLA054" "tla-config-circle" Error "Nothing stands for itself."
        "In the body of `Bar` itself, `Foo <- Bar` leaves `Foo` what it was. But it has no meaning if `Bar` is defined by \
         something else that is defined by `Foo`: then `Foo` stands for something made of itself. Nor may `Bar` be \
         replaced in turn: write what `Foo` stands for in the end.";
}

rules! {
    /// All rules about what is allowed and yet suspicious, in order of their codes.
    SUSPICIOUS;
    /// There is no behaviour.
    NO_INITIAL_STATE = "TLA110" "tla-no-initial-state" Warning "Some state satisfies the initial predicate."
        "Without an initial state there is no behaviour, and everything that is checked holds vacuously.";
    /// An action without effect.
    NEVER_TAKEN = "TLA111" "tla-action-never-taken" Warning "Every action is taken in some reachable state."
        "An action that is never enabled is most often a mistake in its guard, or the constants are too small for it.";
    /// An implication that says nothing.
    VACUOUS = "TLA112" "tla-vacuous-implication" Warning "The premise of an implication is true in some reachable state."
        "An implication whose premise is never true holds, and says nothing about the specification.";
    /// Temporal properties and reductions.
    REDUCED = "TLA113" "tla-temporal-under-reduction" Warning "Temporal properties are checked without SYMMETRY and VIEW."
        "Under symmetry or a view, the check of temporal properties may hide violations and report false ones.";
    /// Not all behaviours were looked at.
    CONSTRAINED = "TLA114" "tla-constrained" Warning "Constraints cut off no behaviours."
        "States outside of a CONSTRAINT or ACTION_CONSTRAINT are not explored, so what holds, holds within them only.";
    /// Fairness that nothing satisfies.
    NO_FAIR_BEHAVIOUR = "TLA115" "tla-no-fair-behaviour" Warning "Some behaviour satisfies the fairness conditions."
        "If no behaviour is fair, all temporal properties hold vacuously.";
    /// Steps that depend on more than the state.
    NOT_REPEATABLE = "TLA116" "tla-not-repeatable" Warning "A step depends on the state only."
        "The states of a behaviour are found again by taking its steps once more. If an action depends on more than the \
         state, such as on a random choice or on `TLCGet`, that may lead elsewhere.";
    /// An ALIAS that has no value.
    ALIAS = "TLA117" "tla-alias-failed" Warning "An ALIAS can be evaluated."
        "The trace shows the variables instead of the ALIAS.";
    /// A part of the check that a simulation leaves out.
    NOT_SIMULATED = "TLA118" "tla-not-simulated" Warning "A simulation checks all that is asked for."
        "A simulation looks at single states and steps of some behaviours. `locus tla check` checks everything.";
    /// A behaviour that there was no time to show.
    CUT_OFF = "TLA119" "tla-behaviour-cut" Warning "A behaviour is shown whole."
        "The states of a behaviour are found again by taking its steps once more. Where a limit ended the search, there is \
         time left for that, as long as the search took or ten seconds, and twice the memory. The violation is certain all the same: \
         a higher `--timeout` or `--max-memory` shows how it comes about.";
    /// A variable with two values.
    TWO_VALUES = "TLA122" "tla-two-values" Warning "A variable gets one value in a step."
        "`x' = x + 1 /\\ UNCHANGED <<x, y>>` is possible only where `x + 1` is `x`: what comes first gives the variable its value, and \
         what comes second is a condition. It was false wherever it was evaluated, so the action is never taken that way. Take the \
         variable out of the `UNCHANGED`, or one of the two equations away.";
}

rules! {
    /// All rules about logs of real systems, in order of their codes.
    LOGS;
    /// A log that is not a behaviour.
    LOG_UNEXPLAINED = "TLA120" "tla-log-unexplained" Error "Some behaviour of the specification explains the log."
        "Every event of the log must be a step of one behaviour: with the action that it names, and leading to a state \
         with the values that it gives. The first event is shown that no behaviour explains together with those before it.";
    /// An event that cannot be compared.
    LOG_EVENT = "TLA121" "tla-log-event" Error "Every event of a log speaks of the specification."
        "An event is a JSON object on a line of its own. `action` names an action, `parameters` its parameters, and every \
         other field is an expression in the names of the specification with its value after the step. `--map` gives \
         a field another expression, `--ignore` leaves it out.";
}
