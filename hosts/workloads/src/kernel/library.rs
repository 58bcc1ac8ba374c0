//! The parametric kernels that come along: the rows of the sources' tables (workloads-PK4, workloads-PK6) that are not algorithms here.
//!
//! Where the figures come from: `row` has the columns of the Equalizer study's Table 3.2 (category, fraction, blocks, warps) and of
//! the Mascar study's Table 4.3 (ipm); `threads` is 32 x warps of the same table, or from the TLP study where a comment says so;
//! vertices, kinds of loads and batches of the vertex shaders are described in the prefetching study (Tables 5.1, 5.2). All
//! else, the grid, registers, shared memory, phases and patterns, is ours, chosen so that blocks per SM and ipm come out as in the
//! tables. `calibrated` was measured by [`calibrate`](super::calibrate).

use super::spec::App;
use std::sync::LazyLock;

macro_rules! apps {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("data/", $name, ".toml")))),*]
    };
}

/// The files in the order of the sheet: kernels of the GTX 480 studies, then those of the prefetching study.
static TEXTS: [(&str, &str); 29] = apps![
    "bp",
    "cfd",
    "cutcp",
    "histo",
    "histogram-p",
    "lavaMD",
    "lbm",
    "lbm-40",
    "leuko",
    "leuko-3",
    "mri-g",
    "mri-q",
    "mummer",
    "particle",
    "sad-1",
    "sad-2",
    "sc",
    "sc-20",
    "srad",
    "tpacf",
    "srd",
    "blk",
    "hs",
    "es",
    "rs",
    "wt",
    "it",
    "st",
    "wf",
];

static APPS: LazyLock<Vec<(&'static str, App)>> = LazyLock::new(|| {
    let read = |&(name, text): &(&'static str, &str)| {
        (name, App::from_toml(text).unwrap_or_else(|error| panic!("{name}.toml, which came along: {error}")))
    };
    TEXTS.iter().map(read).collect()
});

/// The applications by name. One of a single kernel has its name.
pub fn built_in() -> &'static [(&'static str, App)] {
    &APPS
}

/// The file of an application: to begin one's own from.
#[must_use]
pub fn text_of(name: &str) -> Option<&'static str> {
    TEXTS.iter().find(|(app, _)| *app == name).map(|&(_, text)| text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_file_is_read_and_is_what_is_printed() {
        for (name, app) in built_in() {
            assert_eq!(App::from_toml(&app.to_toml()).as_ref(), Ok(app), "{name}");
            assert!(app.kernels.len() > 1 || app.kernels[0].name == *name, "{name}");
            assert_eq!(App::from_toml(text_of(name).unwrap()).as_ref(), Ok(app));
        }
        assert_eq!(text_of("bp-1"), None);
    }
}
