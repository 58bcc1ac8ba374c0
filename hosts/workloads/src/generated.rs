//! What stands behind the kind in the name of an input that is generated, such as `gauss:4096,65536,seed=3`.

/// Sizes, in their order, and the seed, if there is one.
pub fn sizes_and_seed(rest: Option<&str>) -> Result<(Vec<u64>, Option<u64>), String> {
    let number = |text: &str| text.parse::<u64>().map_err(|_| format!("expected a whole number, found `{text}`"));
    let (mut sizes, mut seed) = (Vec::new(), None);
    for part in rest.into_iter().flat_map(|rest| rest.split(',')) {
        match part.strip_prefix("seed=") {
            Some(_) if seed.is_some() => return Err("takes `seed=` once".to_owned()),
            Some(given) => seed = Some(number(given)?),
            None => sizes.push(number(part)?),
        }
    }
    Ok((sizes, seed))
}

/// A size of 1 to `most`.
pub fn within(size: u64, most: u32) -> Result<u32, String> {
    match u32::try_from(size) {
        Ok(size) if (1..=most).contains(&size) => Ok(size),
        _ => Err(format!("expected 1..={most}, found {size}")),
    }
}
