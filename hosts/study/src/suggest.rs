//! What may have been meant by a word that is none of those known.

/// How alike two words have to be, from 0 to 1: of five letters, two may be others.
const ALIKE: f64 = 0.6;

/// "; did you mean ...?" with the most similar of the known words, or nothing if none is similar.
pub fn like(given: &str, known: impl IntoIterator<Item = impl AsRef<str>>) -> String {
    let scored = known.into_iter().map(|word| (strsim::normalized_damerau_levenshtein(given, word.as_ref()), word));
    let best = scored.filter(|(score, _)| *score >= ALIKE).max_by(|a, b| a.0.total_cmp(&b.0));
    best.map_or(String::new(), |(_, word)| format!("; did you mean `{}`?", word.as_ref()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_is_named_if_any_is_near() {
        assert_eq!(like("dtb", ["flat", "dtbl", "dtbli"]), "; did you mean `dtbl`?");
        assert_eq!(like("bsf", ["sssp", "bfs"]), "; did you mean `bfs`?");
        assert_eq!(like("l1.nothing", ["l1.line", "l1.hit_latency"]), "");
        assert_eq!(like("xyz", ["flat", "dtbl"]), "");
        assert_eq!(like("", ["flat"]), "");
    }
}
