//! Which records the functions need, and in which directions.

use anyhow::{Context, Result};

use crate::api;
use crate::call::Call;
use crate::kind::By;
use crate::model::Scope;
use crate::record::{Record, record};

/// Records in the order in which the functions need them.
pub fn all(scope: &Scope<'_>, calls: &[Call]) -> Result<Vec<Record>> {
    let mut found: Vec<Record> = Vec::new();
    let storage = &scope.api.storage;
    if scope.of.is_none() {
        let plain = api::Record::default();
        let of_storage = scope.api.record.get(&storage.record).unwrap_or(&plain);
        let bits = record(scope, &storage.record, of_storage, false, &storage.methods);
        found.push(bits.context(storage.record.clone())?);
    }
    for call in calls {
        for p in &call.params {
            if let Some(name) = p.kind.derived_record(scope) {
                taken(scope, &mut found, name, p.by == By::Named)?;
            }
        }
        if let Some(name) = call.answer.kind.as_ref().and_then(|k| k.derived_record(scope)) {
            let present = call.is_verb && call.answer.is_optional && call.present.is_none();
            told(scope, &mut found, name, present)?;
        }
    }
    // Those of a machine with several objects are told by these.
    for (name, _) in scope.api.record.iter().filter(|(_, told)| told.told_by_hand || !scope.api.has_object()) {
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
fn taken(scope: &Scope<'_>, found: &mut Vec<Record>, name: &str, is_named: bool) -> Result<()> {
    if scope.is_shared(name) {
        return Ok(());
    }
    let at = need(scope, found, name, false)?;
    let is_named = is_named && found[at].is_partial;
    let of = if is_named { &mut found[at].is_named } else { &mut found[at].is_input };
    *of = true;
    let parts: Vec<String> = found[at].parts(scope).map(str::to_owned).collect();
    parts.iter().try_for_each(|part| taken(scope, found, part, is_named))
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
    new.is_partial = new.cases.iter().flat_map(|c| &c.leaves).any(|leaf| leaf.kind.is_partial(is_partial));
    found.push(new);
    Ok(found.len() - 1)
}
