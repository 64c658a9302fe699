//! Help for those who come from elsewhere: names as other languages write them, and modules that were not opened.

use locus_source::{Finding, Sources};

use crate::library;
use crate::modules::ModuleLoader;

/// Says what to do about a name that is not declared, if that can be guessed.
pub(crate) fn unknown_name(finding: &mut Finding, sources: &Sources, loader: &dyn ModuleLoader) {
    let place = finding.primary.place;
    let file = sources.get(place.file);
    let text = file.text();
    let (start, end) = (place.span.start as usize, place.span.end as usize);
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | ':');
    let before = text[..start].trim_end_matches(is_part).len();
    let after = text[end..].find(|c| !is_part(c)).map_or(text.len(), |length| end + length);
    let whole = text[before..after].trim_matches(':');
    if whole.contains("::") {
        let name = whole.replace("::", "_");
        let open =
            loader.declares(&name).map(|module| format!(", after `open {module}`")).unwrap_or_default();
        finding.help = Some(format!("`{whole}` is written `{name}` here{open}"));
        return;
    }
    let name = file.slice(place.span);
    let module = loader.declares(name).or_else(|| library::with_function(name).map(str::to_owned));
    // A module that has exactly this name is more likely than a name that looks alike.
    if let Some(module) = module {
        finding.help = Some(format!("`{module}` declares it: `open {module}`"));
    }
}
