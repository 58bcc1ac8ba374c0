/// Calls a function.
pub(super) fn event(op: Op, from: &mut Reader<'_>, to: &mut Bytes) -> Result<(), Refused> {
    match op {
{arms}        _ => return Err(Refused::Damaged),
    }
    Ok(())
}
