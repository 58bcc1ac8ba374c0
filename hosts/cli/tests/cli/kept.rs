//! Studies of kernels keep what each run gives, and go on where they were ended.

use crate::place::Place;
use std::fs;

/// The files below `out`, each with its content.
fn results(place: &Place) -> Vec<(String, String)> {
    let files = place.files().into_iter().filter(|file| file.starts_with("out/"));
    files.map(|file| (file.clone(), fs::read_to_string(place.path().join(file)).unwrap())).collect()
}

#[test]
fn a_study_of_kernels_goes_on_where_it_was_ended_with_the_same_results() {
    for (command, runs) in [
        ("reproduce mascar --kernels histogram --scale 1 -q", 4),
        ("reproduce models --kernels transpose,stencil -q", 2),
    ] {
        let place = Place::new();
        let text = place.run(command).stdout();
        let all = results(&place);
        let mut kept: Vec<_> = all.iter().map(|(file, _)| file).filter(|file| file.starts_with("out/runs/")).collect();
        assert_eq!(kept.len(), runs, "{command}");

        // As after a power cut: some results are not there.
        let lost: Vec<_> = kept.iter().step_by(3).copied().collect();
        kept.retain(|file| !lost.contains(file));
        let times = || -> Vec<_> {
            let time = |file: &&String| fs::metadata(place.path().join(file)).unwrap().modified().unwrap();
            kept.iter().map(time).collect()
        };
        let before = times();
        lost.iter().for_each(|file| fs::remove_file(place.path().join(file)).unwrap());
        assert_eq!(place.run(&format!("{command} --threads 1")).stdout(), text, "{command}");
        assert_eq!(results(&place), all, "{command}");
        assert_eq!(times(), before, "{command}: what is kept is not run again");

        // What a run depends on names what it gives.
        place.run(&format!("{command} --set sm.sfu_latency=27")).stdout();
        assert_eq!(place.files().iter().filter(|file| file.starts_with("out/runs/")).count(), 2 * runs, "{command}");
    }
}
