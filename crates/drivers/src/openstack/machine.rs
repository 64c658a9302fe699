//! The variables and files of this machine, for the configuration of clouds.

use std::path::PathBuf;

use locus_openstack::Machine;

/// This machine.
#[derive(Clone, Copy, Debug)]
pub struct Here;

impl Machine for Here {
    fn variable(&self, name: &str) -> Option<String> {
        std::env::var(name).ok().filter(|value| !value.is_empty())
    }

    fn file(&self, path: &str) -> Option<String> {
        let path = match path.strip_prefix("~/") {
            Some(rest) => PathBuf::from(self.variable("HOME")?).join(rest),
            None => PathBuf::from(path),
        };
        std::fs::read_to_string(path).ok()
    }
}
