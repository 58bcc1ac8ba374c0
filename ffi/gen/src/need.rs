//! Which records the functions need, and in which directions.

use anyhow::{Context, Result, ensure};

use crate::api;
use crate::call::Call;
use crate::kind::{By, Kind};
use crate::model::Scope;
use crate::record::{Record, record};

/// Records in the order in which the functions need them.
pub fn all(scope: &Scope<'_>, calls: &[Call]) -> Result<Vec<Record>> {
    let mut found: Vec<Record> = Vec::new();
    if let Some(storage) = scope.api.storage.as_ref().filter(|_| scope.of.is_none()) {
        let plain = api::Record::default();
        let of_storage = scope.api.record.get(&storage.record).unwrap_or(&plain);
        let bits = record(scope, &storage.record, of_storage, false, &storage.methods);
        found.push(bits.context(storage.record.clone())?);
    }
    for call in calls {
        for p in &call.params {
            if let Some(name) = p.kind.derived_record(scope) {
                taken(scope, &mut found, name, p.by)?;
            }
        }
        if let Some(name) = call.answer.kind.as_ref().and_then(|k| k.derived_record(scope)) {
            let present = call.is_verb && call.answer.is_optional && call.present.is_none();
            told(scope, &mut found, name, present)?;
        }
        if let Some(error) = call.error.as_ref().filter(|error| scope.by_hand(error).is_none()) {
            ensure!(scope.is_record(error), "{} is refused with {error}: list it under `record`", call.name);
            told(scope, &mut found, error, false)?;
        }
    }
    // Those of a machine with several objects are told by these.
    for (name, _) in
        scope.api.record.iter().filter(|(_, told)| told.told_by_hand || scope.api.object == scope.api.config)
    {
        told(scope, &mut found, name, false)?;
    }
    Ok(found)
}

/// A function tells a record.
fn told(scope: &Scope<'_>, found: &mut Vec<Record>, name: &str, present: bool) -> Result<()> {
    if !scope.is_shared(name) {
        let at = need(scope, found, name, present)?;
        found[at].is_output = true;
    }
    Ok(())
}

/// A function takes a record, or none if its numbers name none.
fn taken(scope: &Scope<'_>, found: &mut Vec<Record>, name: &str, by: By) -> Result<()> {
    if scope.is_shared(name) {
        return Ok(());
    }
    let at = need(scope, found, name, false)?;
    let is_named = if by == By::Named { found[at].is_partial } else { found[at].is_choice };
    let of = if is_named { &mut found[at].is_named } else { &mut found[at].is_input };
    *of = true;
    let parts: Vec<String> = found[at].parts(scope).map(str::to_owned).collect();
    parts.iter().try_for_each(|part| taken(scope, found, part, by))
}

/// Adds a record, and what it consists of before it. Where it is.
fn need(scope: &Scope<'_>, found: &mut Vec<Record>, name: &str, present: bool) -> Result<usize> {
    if let Some(at) = found.iter().position(|r| r.core == name) {
        return Ok(at);
    }
    let mut new =
        record(scope, name, &scope.api.record[name], present, &[]).with_context(|| format!("`record.{name}`"))?;
    new.parts(scope).try_for_each(|part| told(scope, found, part, false))?;
    let is_partial = |part: &str| found.iter().any(|r| r.core == part && r.is_partial);
    let is_choice = |part: &str| found.iter().any(|r| r.core == part && r.is_choice);
    let leaves = || new.cases.iter().flat_map(|c| &c.leaves);
    let is_chosen = leaves().any(|leaf| match &leaf.kind {
        Kind::Enum(_) => true,
        Kind::Record(part) => is_choice(part),
        _ => false,
    });
    new.is_choice = new.tag.is_some() || is_chosen;
    new.is_partial = new.is_choice || leaves().any(|leaf| leaf.kind.is_partial(is_partial));
    found.push(new);
    Ok(found.len() - 1)
}
