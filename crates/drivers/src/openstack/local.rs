//! Steps that need no cloud: texts by chance, and the outputs of a template.
//!
//! A text by chance is a secret, since people make passwords of it. It is kept in a file of its own that only its owner
//! can read, and the store knows where that is.

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use locus_engine::{Does, Failure};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::attributes::ALL;
use super::wish::{SECRETS, Wish, hex, stored};
use super::{OpenStack, node_of};
use crate::driver::{Order, Reply};

/// The type of texts by chance.
pub(super) const RANDOM: &str = "OS::Heat::RandomString";

/// The type of the node that has the outputs of a template.
pub(super) const OUTPUTS: &str = "Locus::Outputs";

fn sort(order: &Order) -> Option<&'static str> {
    // Most nodes are something in the cloud.
    let sorts = [RANDOM, OUTPUTS];
    let found = sorts.into_iter().find(|sort| order.desired.contains(sort))?;
    let desired: Value = serde_json::from_str(&order.desired).ok()?;
    (desired["sort"] == found).then_some(found)
}

/// Whether an order is about something that is not in the cloud.
pub(super) fn is_local(order: &Order) -> bool {
    sort(order).is_some()
}

/// Does a step that needs no cloud; none if it is another one.
pub(super) fn call(driver: &OpenStack, order: &Order) -> Option<Reply> {
    let sort = sort(order)?;
    let done = match (sort, order.does) {
        (OUTPUTS, Does::Delete) => Ok(Reply::done("outputs", BTreeMap::new())),
        (OUTPUTS, _) => Wish::read(driver, order).map(|wish| Reply::done("outputs", stored(&wish))),
        (_, Does::Delete) => {
            let path = path(driver, order);
            match fs::remove_file(&path) {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    Err(format!("{}: {error}", path.display()))
                }
                _ => Ok(Reply::done(&order.id, BTreeMap::new())),
            }
        }
        _ => Wish::read(driver, order).and_then(|wish| random(driver, order, &wish)),
    };
    Some(done.unwrap_or_else(|why| Reply::failed(Failure::refused(why))))
}

/// Where the text of a node is kept.
fn path(driver: &OpenStack, order: &Order) -> std::path::PathBuf {
    let digest = Sha256::digest(node_of(&order.token).as_bytes());
    driver.secrets.join(hex(digest.iter().take(16)))
}

fn random(driver: &OpenStack, order: &Order, wish: &Wish) -> Result<Reply, String> {
    let path = path(driver, order);
    let said = |error: std::io::Error| format!("{}: {error}", path.display());
    fs::DirBuilder::new().recursive(true).mode(0o700).create(&driver.secrets).map_err(said)?;
    if !path.exists() {
        let text = text(wish)?;
        // Whole or not at all, so that it is the same after a crash.
        let beside = path.with_extension("new");
        let mut file = fs::OpenOptions::new();
        let mut file =
            file.write(true).create(true).truncate(true).mode(0o600).open(&beside).map_err(said)?;
        file.write_all(text.as_bytes()).and_then(|()| file.sync_all()).map_err(said)?;
        fs::rename(&beside, &path).map_err(said)?;
    }
    let place = format!("secret:file:{}", absolute(&path)?);
    let all = json!({ SECRETS: { "value": place } }).to_string();
    Ok(Reply::done(&wish.name, BTreeMap::from([("id".to_owned(), wish.name.clone()), (ALL.to_owned(), all)])))
}

fn absolute(path: &Path) -> Result<String, String> {
    let path = std::path::absolute(path).map_err(|error| error.to_string())?;
    path.to_str().map(str::to_owned).ok_or_else(|| "the folder has a name that is no text".to_owned())
}

/// The characters of a class.
fn class(name: &str) -> &'static str {
    match name {
        "letters" => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
        "lowercase" => "abcdefghijklmnopqrstuvwxyz",
        "uppercase" => "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
        "digits" => "0123456789",
        "hexdigits" => "0123456789ABCDEF",
        "octdigits" => "01234567",
        _ => "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789",
    }
}

/// Numbers by chance, from the system.
struct Chance(fs::File);

impl Chance {
    fn below(&mut self, bound: usize) -> Result<usize, String> {
        let bound = u64::try_from(bound).unwrap_or(1).max(1);
        loop {
            let mut bytes = [0; 8];
            self.0.read_exact(&mut bytes).map_err(|error| error.to_string())?;
            let number = u64::from_le_bytes(bytes);
            // Those at the end would make some more likely.
            if number < u64::MAX - u64::MAX % bound {
                return Ok((number % bound) as usize);
            }
        }
    }

    fn of(&mut self, characters: &[char]) -> Result<char, String> {
        let at = self.below(characters.len())?;
        characters.get(at).copied().ok_or_else(|| "there are no characters to choose from".to_owned())
    }
}

/// A new text: at least so many characters of each class and sequence, and the rest of all of them.
fn text(wish: &Wish) -> Result<String, String> {
    let length = wish.properties.get("length").and_then(Value::as_u64).unwrap_or(32) as usize;
    let mut chance = Chance(fs::File::open("/dev/urandom").map_err(|error| error.to_string())?);
    let parts = |name: &str, key: &'static str| {
        let all = wish.properties.get(name).and_then(Value::as_array).cloned().unwrap_or_default();
        all.into_iter().map(move |part| {
            let least = part["min"].as_u64().unwrap_or(1) as usize;
            (part[key].as_str().unwrap_or_default().to_owned(), least)
        })
    };
    let old = wish.properties.get("sequence").and_then(Value::as_str).map(|name| (class(name).to_owned(), 1));
    let of_classes =
        parts("character_classes", "class").map(|(name, least)| (class(&name).to_owned(), least));
    let all: Vec<(String, usize)> = match old {
        Some(old) => vec![old],
        None => of_classes.chain(parts("character_sequences", "sequence")).collect(),
    };
    let (mut made, mut any) = (Vec::new(), Vec::new());
    for (characters, least) in &all {
        let characters: Vec<char> = characters.chars().collect();
        for _ in 0..(*least).min(512) {
            made.push(chance.of(&characters)?);
        }
        any.extend(characters);
    }
    if made.len() > length {
        return Err(format!("the least numbers of characters come to more than {length}"));
    }
    while made.len() < length {
        made.push(chance.of(&any)?);
    }
    for last in (1..made.len()).rev() {
        made.swap(last, chance.below(last + 1)?);
    }
    Ok(made.into_iter().collect())
}
