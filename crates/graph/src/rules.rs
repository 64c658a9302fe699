//! The rules of location graphs, with what `locus explain` says of each.
//!
//! `LG0xx` are the static rules of the model, checked by [`check`](crate::check); `LG1xx` are about the text
//! form. The examples in the explanations are run by a test: each that is said to break its rule does, and
//! each that is said not to does not.

use locus_source::{Rule, Severity};

/// All rules of this crate.
pub const RULES: &[Rule] = &[
    NAME_TAKEN,
    PROVIDED_TWICE,
    REQUIRED_TWICE,
    PROVIDED_AND_REQUIRED,
    NO_LOCATION_GRAPH,
    UNKNOWN_KEY,
    WRONG_TYPE,
    MISSING_KEY,
    ROLE_REPEATED,
    UNKNOWN_BOX,
    BOX_NESTING,
    UNKNOWN_MARKER,
];

/// Locations in a graph are uniquely named.
pub(crate) const NAME_TAKEN: Rule = Rule::new(
    "LG001",
    "location-name-taken",
    Severity::Error,
    "No two locations of a graph have the same name.",
    "\
A location is known by its name: whoever starts, stops or replaces it, or points at it in a message, has
nothing else to go by. With two locations of one name nobody can say which is meant.

In the report: `LocationsInLocationGraphAreUniquelyNamed`.

This breaks the rule:

```yaml
location-graph: 1
locations:
  - name: web
    provides: [http]
  - name: web
    provides: [https]
```

This does not; a location and a role may share a name:

```yaml
location-graph: 1
locations:
  - name: web
    provides: [http]
  - name: http
    requires: [web]
```

Rename one of them, or, if they are the same thing, make them one location with the roles of both.
",
);

/// A role is provided by a single location.
pub(crate) const PROVIDED_TWICE: Rule = Rule::new(
    "LG002",
    "role-provided-twice",
    Severity::Error,
    "A role is provided by at most one location.",
    "\
A role binds at most two locations: one that provides it and one that requires it. If two provided it, nobody
could say which of them serves the one that requires it: either, both, the first that answers?

In the report: `InALocationGraphARoleIsProvidedBySingleLocation`.

This breaks the rule:

```yaml
location-graph: 1
locations:
  blue: { provides: [http] }
  green: { provides: [http] }
  user: { requires: [http] }
```

This does not; the choice between the two is a location of its own, whose process can say how it is made:

```yaml
location-graph: 1
locations:
  blue: { provides: [http-blue] }
  green: { provides: [http-green] }
  balancer: { provides: [http], requires: [http-blue, http-green] }
  user: { requires: [http] }
```

Give each provider a role of its own. Where several are meant to serve together, add a location between them
and the one that requires the role.
",
);

/// A role is required by a single location.
pub(crate) const REQUIRED_TWICE: Rule = Rule::new(
    "LG003",
    "role-required-twice",
    Severity::Error,
    "A role is required by at most one location.",
    "\
A role binds at most two locations: one that provides it and one that requires it. A service that many use has
a role for each of them, or a location between them that says how it is shared.

In the report: `InALocationGraphARoleIsRequiredBySingleLocation`.

This breaks the rule:

```yaml
location-graph: 1
locations:
  db: { provides: [sql] }
  web: { requires: [sql] }
  worker: { requires: [sql] }
```

This does not:

```yaml
location-graph: 1
locations:
  db: { provides: [sql-web, sql-worker] }
  web: { requires: [sql-web] }
  worker: { requires: [sql-worker] }
```

Give the provider one role for each location that requires it.
",
);

/// In a location, provided roles and required roles are disjoint.
pub(crate) const PROVIDED_AND_REQUIRED: Rule = Rule::new(
    "LG004",
    "role-provided-and-required",
    Severity::Error,
    "No location both provides and requires the same role.",
    "\
What a location provides and what it requires are different things. A location may be served by itself, but
then something connects the two roles: a location of its own.

In the report: `no (provided & required)` in the signature `Location`.

This breaks the rule:

```yaml
location-graph: 1
locations:
  resolver: { provides: [dns], requires: [dns] }
```

This does not:

```yaml
location-graph: 1
locations:
  resolver: { provides: [dns], requires: [upstream] }
  loop: { provides: [upstream], requires: [dns] }
```

Give the two roles different names. If the location is to use itself, add a location that requires the one
role and provides the other.
",
);

/// The document is not a location graph, or not of a version that we know.
pub(crate) const NO_LOCATION_GRAPH: Rule = Rule::new(
    "LG101",
    "not-a-location-graph",
    Severity::Error,
    "A location graph says at its top which version of the format it is written in.",
    "\
The key `location-graph` with the version, which is 1, tells a location graph from any other YAML or JSON file,
and this version from later ones. A file holds one document.

This breaks the rule:

```yaml
locations:
  web: { provides: [http] }
```

This does not:

```yaml
location-graph: 1
locations:
  web: { provides: [http] }
```

Add `location-graph: 1`. To have several graphs, use a file for each.
",
);

/// A key that means nothing here.
pub(crate) const UNKNOWN_KEY: Rule = Rule::new(
    "LG102",
    "unknown-key",
    Severity::Error,
    "Only keys that mean something are used.",
    "\
A key that we do not know is most often a slip of the pen, and what stands under it would be lost without a
word.

This breaks the rule:

```yaml
location-graph: 1
locations:
  web: { provide: [http] }
```

This does not:

```yaml
location-graph: 1
locations:
  web: { provides: [http], attributes: { provide: me } }
```

Correct the key. What is yours to name goes under `attributes`, where all keys are allowed.
",
);

/// A value of another type than expected.
pub(crate) const WRONG_TYPE: Rule = Rule::new(
    "LG103",
    "wrong-type",
    Severity::Error,
    "Each value has the type that its key calls for.",
    "\
A list of roles is not a text, and a name is not a number. We do not guess.

This breaks the rule:

```yaml
location-graph: 1
locations:
  web: { provides: http }
```

This does not:

```yaml
location-graph: 1
locations:
  web: { provides: [http] }
```

The message says what is expected. Names that look like numbers or like `true` go in quotes.
",
);

/// Something that must be there is not.
pub(crate) const MISSING_KEY: Rule = Rule::new(
    "LG104",
    "missing-key",
    Severity::Error,
    "Required entries are present.",
    "\
A graph has `locations`, though perhaps none; in a list each location has a `name`, and a role given as a
mapping has its `role`. All else may be left out.

This breaks the rule:

```yaml
location-graph: 1
locations:
  - provides: [http]
```

This does not:

```yaml
location-graph: 1
locations:
  - name: web
    provides: [http]
```

Add the key that the message names.
",
);

/// A role that stands twice in one list.
pub(crate) const ROLE_REPEATED: Rule = Rule::new(
    "LG105",
    "role-repeated",
    Severity::Warning,
    "A location lists each of its roles once.",
    "\
What a location provides is a set, so the second mention says nothing. It may be that another role was meant.

This breaks the rule:

```yaml
location-graph: 1
locations:
  web: { provides: [http, http] }
```

This does not:

```yaml
location-graph: 1
locations:
  web: { provides: [http, https] }
```

Remove one, or correct it.
",
);

/// A box that is not among those declared.
pub(crate) const UNKNOWN_BOX: Rule = Rule::new(
    "LG106",
    "unknown-box",
    Severity::Error,
    "If boxes are declared, all that are used are declared.",
    "\
Boxes are for drawing: a location with `within` is drawn inside a box of that name. A graph may declare its
boxes under `boxes`, to put one into another; then a box that is not declared is probably misspelt.

This breaks the rule:

```yaml
location-graph: 1
boxes: { zone-a: {} }
locations:
  web: { within: zone-b }
```

This does not; where no boxes are declared, any may be used:

```yaml
location-graph: 1
locations:
  web: { within: zone-b }
```

Declare the box or correct its name.
",
);

/// A box that is inside itself, through others or directly, or too deep.
pub(crate) const BOX_NESTING: Rule = Rule::new(
    "LG107",
    "box-nesting",
    Severity::Error,
    "No box is inside itself, or more than 100 levels deep.",
    "\
Boxes are nested in the drawing as the text says, and that must end somewhere: after 100 levels at most.

This breaks the rule:

```yaml
location-graph: 1
boxes:
  region: { within: zone }
  zone: { within: region }
locations: {}
```

This does not:

```yaml
location-graph: 1
boxes:
  region: {}
  zone: { within: region }
locations: {}
```

Take one of the boxes out of the circle.
",
);

/// A marker or tag that means nothing here, or is not used as it must be.
pub(crate) const UNKNOWN_MARKER: Rule = Rule::new(
    "LG108",
    "unknown-marker",
    Severity::Error,
    "Values use only the markers of the format.",
    "\
Names, roles, sorts and processes are values, too. They are written as a mapping with a single key that starts
with a dollar sign: `$name`, `$role`, `$sort`, `$process`; `$float` for numbers that JSON does not have,
`$unknown` for values that are not known, with the reason, and `$secret` for those that are not shown, with a
digest.
Other keys that start with a dollar sign mean nothing, nor do YAML's tags (`!Ref`).

This breaks the rule:

```yaml
location-graph: 1
locations:
  web: { process: { listens: { $rolle: http } } }
```

This does not:

```yaml
location-graph: 1
locations:
  web: { process: { listens: { $role: http }, $$rolle: a plain key } }
```

Correct the marker. A key of your own that starts with a dollar sign is written with two.
",
);
