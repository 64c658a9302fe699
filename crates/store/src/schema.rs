//! The tables, for both databases, and what leads from each version of them to the next.

/// The statements that lead from each version of the schema to the next. Entries are never changed, only added. `{KEY}`
/// is a number that the database gives, and `{BY_KEY}` stands behind tables whose rows lie in the order of their keys
/// where that exists.
pub(crate) const MIGRATIONS: [&str; 6] = [
    "
CREATE TABLE deployment (
    key {KEY}, name TEXT NOT NULL, incarnation BIGINT NOT NULL, status TEXT NOT NULL,
    phase TEXT NOT NULL, shown BIGINT, complete BIGINT NOT NULL, version BIGINT NOT NULL,
    events BIGINT NOT NULL, UNIQUE (name, incarnation));
CREATE TABLE request (
    deployment BIGINT NOT NULL REFERENCES deployment, place BIGINT NOT NULL, kind TEXT NOT NULL,
    on_failure TEXT NOT NULL, desired TEXT NOT NULL, status TEXT NOT NULL,
    PRIMARY KEY (deployment, place)) {BY_KEY};
CREATE TABLE step (
    deployment BIGINT NOT NULL REFERENCES deployment, place BIGINT NOT NULL, node TEXT NOT NULL,
    does TEXT NOT NULL, operation TEXT NOT NULL, desired TEXT NOT NULL, needs TEXT NOT NULL,
    cleanup BIGINT NOT NULL, token TEXT NOT NULL, state TEXT NOT NULL, worker TEXT, until BIGINT NOT NULL,
    fence BIGINT NOT NULL, failures BIGINT NOT NULL, due BIGINT NOT NULL, reason TEXT NOT NULL,
    PRIMARY KEY (deployment, place)) {BY_KEY};
CREATE TABLE node (
    deployment BIGINT NOT NULL REFERENCES deployment, name TEXT NOT NULL, present BIGINT NOT NULL,
    id TEXT NOT NULL, desired TEXT NOT NULL, outputs TEXT NOT NULL, serial BIGINT NOT NULL,
    fence BIGINT NOT NULL, PRIMARY KEY (deployment, name)) {BY_KEY};
CREATE TABLE event (
    deployment BIGINT NOT NULL REFERENCES deployment, sequence BIGINT NOT NULL, rank BIGINT, token TEXT,
    node TEXT NOT NULL, operation TEXT NOT NULL, status TEXT NOT NULL, reason TEXT NOT NULL, at BIGINT NOT NULL,
    PRIMARY KEY (deployment, sequence)) {BY_KEY};
",
    "
ALTER TABLE node ADD COLUMN condition TEXT NOT NULL DEFAULT 'whole';
",
    // The version with which a row changed last, so that whoever knows an older one reads only what is new.
    "
ALTER TABLE deployment ADD COLUMN planned BIGINT NOT NULL DEFAULT 0;
ALTER TABLE request ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE step ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN changed BIGINT NOT NULL DEFAULT 0;
CREATE INDEX step_changed ON step (deployment, changed);
CREATE INDEX node_changed ON node (deployment, changed);
",
    // What tells a deployment from those of other stores. Those that are there already keep the tokens that they have.
    "
ALTER TABLE deployment ADD COLUMN origin TEXT NOT NULL DEFAULT '';
",
    // What the world has accepted and not done yet, and how long was to be waited; what each step does, in its events.
    "
ALTER TABLE step ADD COLUMN handle TEXT;
ALTER TABLE step ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE step ADD COLUMN wait BIGINT NOT NULL DEFAULT 0;
ALTER TABLE event ADD COLUMN does TEXT;
",
    // The document that a request was made from, with all that it reads.
    "
CREATE TABLE document (
    deployment BIGINT NOT NULL REFERENCES deployment, request BIGINT NOT NULL, content TEXT NOT NULL,
    PRIMARY KEY (deployment, request)) {BY_KEY};
",
];

/// A migration for one of the databases.
pub(crate) fn written(migration: &str, key: &str, by_key: &str) -> String {
    migration.replace("{KEY}", key).replace("{BY_KEY}", by_key)
}
