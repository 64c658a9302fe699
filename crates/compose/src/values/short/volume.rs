//! `[SOURCE:]TARGET[:OPTIONS]`.

/// A mount as the short form says it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Volume {
    pub(crate) source: String,
    pub(crate) target: String,
    pub(crate) read_only: bool,
    pub(crate) no_copy: bool,
    pub(crate) propagation: Option<String>,
    pub(crate) selinux: Option<String>,
    /// Whether the source is a path on the host.
    pub(crate) is_bind: bool,
    /// Whether it is so short that Compose says nothing more of it.
    pub(crate) is_bare: bool,
}

impl Volume {
    /// Whether an option was given that only bind mounts have.
    pub(crate) fn has_bind_option(&self) -> bool {
        self.propagation.is_some() || self.selinux.is_some()
    }
}

/// Reads the short form.
pub(crate) fn parse(spec: &str) -> Result<Volume, &'static str> {
    let mut volume = Volume::default();
    if spec.is_empty() {
        return Err("a volume cannot be empty");
    }
    if spec.len() <= 2 {
        spec.clone_into(&mut volume.target);
        volume.is_bare = true;
        return Ok(volume);
    }
    let mut part = String::new();
    let mut open = 0_u32;
    let mut chars = spec.chars().peekable();
    while let Some(c) = chars.next() {
        if c == '$' && chars.peek() == Some(&'{') {
            open += 1;
            part.push(c);
        } else if c == '}' && open > 0 {
            open -= 1;
            part.push(c);
        } else if c == ':' && open == 0 && !is_drive(&part) {
            volume.part(&part, false)?;
            part.clear();
        } else {
            part.push(c);
        }
    }
    if open == 0 {
        volume.part(&part, true)?;
    }
    volume.is_bind = is_path(&volume.source);
    Ok(volume)
}

fn is_drive(part: &str) -> bool {
    let mut chars = part.chars();
    chars.next().is_some_and(char::is_alphabetic) && chars.next().is_none()
}

/// Whether the source of a mount is a path, and not the name of a volume.
pub(crate) fn is_path(source: &str) -> bool {
    let mut chars = source.chars();
    let first = chars.next();
    matches!(first, Some('.' | '/' | '~'))
        || source.starts_with("\\\\")
        || first.is_some_and(char::is_alphabetic) && chars.next() == Some(':')
}

impl Volume {
    fn part(&mut self, part: &str, last: bool) -> Result<(), &'static str> {
        if part.is_empty() {
            return Err("there is nothing between two colons");
        }
        if self.source.is_empty() && last {
            part.clone_into(&mut self.target);
        } else if self.source.is_empty() {
            part.clone_into(&mut self.source);
        } else if self.target.is_empty() {
            part.clone_into(&mut self.target);
        } else if !last {
            return Err("there are too many colons");
        } else {
            for option in part.split(',') {
                match option {
                    "ro" => self.read_only = true,
                    "rw" => self.read_only = false,
                    "nocopy" => self.no_copy = true,
                    "rprivate" | "private" | "rshared" | "shared" | "rslave" | "slave" => {
                        self.propagation = Some(option.to_owned());
                    }
                    "z" | "Z" => self.selinux = Some(option.to_owned()),
                    _ => {}
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_forms_are_read() {
        let of = |spec: &str| parse(spec).map(|v| (v.source, v.target, v.read_only, v.is_bind));
        let ok = |a: &str, b: &str, c, d| Ok((a.to_owned(), b.to_owned(), c, d));
        assert_eq!(of("/data"), ok("", "/data", false, false));
        assert_eq!(of("db:/data"), ok("db", "/data", false, false));
        assert_eq!(of("./a:/b:ro"), ok("./a", "/b", true, true));
        assert_eq!(of("C:\\x:/b"), ok("C:\\x", "/b", false, true));
        assert_eq!(of("ab::/b"), Err("there is nothing between two colons"));
        // One letter before a colon is a drive of Windows.
        assert_eq!(of("a::/b"), ok("a:", "/b", false, true));
        assert_eq!(of("aa:bb:cc:dd"), Err("there are too many colons"));
        assert_eq!(of(""), Err("a volume cannot be empty"));
    }
}
