//! The rules of location graphs, with what `locus explain` says of each.
//!
//! `LG0xx` are the static rules of the model, checked by [`check`](crate::check); `LG1xx` are about the text
//! form. The examples in the explanations are run by a test: each that is said to break its rule does, and
//! each that is said not to does not.

use locus_source::{Rule, Severity};

/// All rules of this crate.
pub const RULES: &[Rule] = &[NAME_TAKEN, PROVIDED_TWICE, REQUIRED_TWICE, PROVIDED_AND_REQUIRED];

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
