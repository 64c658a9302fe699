//! The one right change of a finding.

use locus_schema::Content;
use locus_source::edit::Edit;
use locus_source::{Finding, Place};

use crate::read::Thing;

/// The size of a server that does not fit on its disk becomes that of the disk.
pub(crate) fn change(finding: &Finding, things: &[Thing]) -> Option<Vec<Edit>> {
    if finding.code.as_str() != "TOY010" {
        return None;
    }
    let at = finding.primary.place;
    let size_at = |place: Place| {
        let fields = things.iter().flat_map(|thing| &thing.properties);
        fields.map(|field| &field.value).find(|value| value.place == place)
    };
    size_at(at)?;
    let Content::Int(size) = size_at(finding.secondary.first()?.place)?.value else { return None };
    Some(vec![Edit { range: at.span.range(), text: size.to_string() }])
}
