//! Runs of a study on machines that do not see its folder: what is missing goes there as words, and comes back as the text of results.
//! Who carries both is another's affair; the Python package does it with Ray.

use super::digest::{Files, of_code};
use super::plan::{Plan, told};
use super::point::{Point, Words};
use super::store::{Record, Store};
use super::{not_kept, simulate_all};
use crate::failure::Failure;
use anyhow::{anyhow, ensure};
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

/// A run by the name of its result, and the options that say all of it.
pub type Task = (String, Words);

/// The runs of the study in `file` of which `out` has no result, each result once.
///
/// # Errors
/// A file that is no study.
pub fn missing(file: &Path, out: &Path) -> Result<Vec<Task>, Failure> {
    let (plan, store) = (Plan::read(file)?, Store::open(out)?);
    let points = not_kept(&plan.points.iter().collect::<Vec<_>>(), &store)?;
    Ok(points.into_iter().map(|point| (point.key.clone(), point.options.clone())).collect())
}

/// What has come of tasks: the text of each result by its name, and what went wrong with the others.
pub type Outcome = (BTreeMap<String, String>, Option<String>);

/// Simulates these, and keeps nothing.
///
/// # Errors
/// A run that is another one here, before any is run; Ctrl-C.
pub fn simulate(tasks: Vec<Task>, threads: Option<NonZeroUsize>) -> Result<Outcome, Failure> {
    let mut files = Files::default();
    let resolved = tasks.into_iter().map(|(key, options)| {
        let told = told(&options);
        let point = Point::resolve(options, &mut files).map_err(|failure| anyhow!("{told}: {failure}"))?;
        ensure!(point.key == key, "{told}: the program, or a file that the run reads, is another one here");
        Ok(point)
    });
    let points: Vec<Point> = resolved.collect::<anyhow::Result<_>>().map_err(Failure::Usage)?;
    let (code, results) = (of_code()?, Mutex::new(BTreeMap::new()));
    let ended = simulate_all(&points.iter().collect::<Vec<_>>(), threads, true, |point, input, run| {
        let text = Record::new(&code, point, input, run).text()?;
        results.lock().unwrap_or_else(PoisonError::into_inner).insert(point.key.clone(), text);
        Ok(())
    });
    let failure = match ended {
        Ok(()) => None,
        Err(failure @ Failure::Failed(_)) => Some(failure.to_string()),
        Err(failure) => return Err(failure),
    };
    Ok((results.into_inner().unwrap_or_else(PoisonError::into_inner), failure))
}

/// Keeps a result of this name, as it was kept in another folder, in the folder of results `out`.
///
/// # Errors
/// A text that is not that result, or one of another build of the program.
pub fn take(key: &str, text: &str, out: &Path) -> Result<(), Failure> {
    Store::open(out)?.take(key, text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ask;
    use crate::study::{run, table};
    use std::fs;

    #[test]
    fn parts_run_in_folders_of_their_own_and_taken_are_the_whole_study_and_one_that_is_missing_is_named() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("modes.toml");
        fs::write(&file, "[[runs]]\nworkload = 'bfs'\ngraph = ['kron:5', 'kron:6']\nmode = ['flat', 'dtbl']\n")
            .unwrap();
        let study = |out: &str| {
            let results = ask::Results { out: folder.path().join(out), json: false, quiet: true };
            ask::Study { file: file.clone(), results, pictures: ask::Pictures::default() }
        };
        let run = |out: &str, part| run(&ask::StudyRun { study: study(out), part, threads: None }).unwrap();
        let merged = study("merged").results.out;
        let all = missing(&file, &merged).unwrap();
        assert_eq!(all.len(), 4);
        for (number, out) in [(1, "first"), (3, "last")] {
            run(out, Some(ask::Part { number, of: 3 }));
            let left: Vec<String> =
                missing(&file, &study(out).results.out).unwrap().into_iter().map(|(key, _)| key).collect();
            for (key, _) in all.iter().filter(|(key, _)| !left.contains(key)) {
                let code = of_code().unwrap();
                let kept = study(out).results.out.join("runs").join(code).join(format!("{key}.json"));
                take(key, &fs::read_to_string(kept).unwrap(), &merged).unwrap();
            }
        }
        let error = table(&study("merged")).unwrap_err().to_string();
        assert!(
            error.starts_with("1 run of 4 missing, such as gpusched run bfs --graph=kron:5 --mode=dtbl;"),
            "{error}"
        );
        let (results, failure) = simulate(missing(&file, &merged).unwrap(), None).unwrap();
        assert_eq!(failure, None);
        results.iter().for_each(|(key, text)| take(key, text, &merged).unwrap());
        assert_eq!(table(&study("merged")).unwrap(), run("whole", None));
    }
}
