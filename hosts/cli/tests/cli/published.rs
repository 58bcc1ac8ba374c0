//! `gpusched reproduce` of sources whose runs are those of `gpusched run`.

use crate::place::{Place, json};

#[test]
fn a_source_is_set_beside_what_comes_out_and_what_was_run_is_not_run_again() {
    let place = Place::new();
    let command = "reproduce dtbl --smoke --kernels bfs_usa_road,join_gaussian --figures 20,21 -q";
    let text = place.run(command).stdout();
    let unwrapped = text.split_whitespace().collect::<Vec<_>>().join(" ");
    for words in ["speedup over flat, CDPI ", "left out by --kernels: amr, bht, bfs_citation", "smoke: "] {
        assert!(unwrapped.contains(words), "{words}: {text}");
    }
    let figures = json(&std::fs::read_to_string(place.path().join("out/reproduce-dtbl.json")).unwrap());
    assert_eq!((&figures["schema"], &figures["size"]), (&"gpusched.reproduce-source/1".into(), &"smoke".into()));
    let speedup = &figures["rows"][0]["claims"][0];
    assert_eq!((&speedup["stated"], speedup["values"].as_array().unwrap().len()), (&1.43.into(), 2), "{speedup}");
    assert!(figures["rows"][2]["claims"][0]["measured"].is_null(), "clr_graph500 was left out");

    let kept = || -> Vec<_> {
        let files = place.files().into_iter().filter(|file| file.starts_with("out/runs/"));
        files.map(|file| std::fs::metadata(place.path().join(file)).unwrap().modified().unwrap()).collect()
    };
    let first = kept();
    assert_eq!(first.len(), 12, "two benchmarks in five modes, and with an AGT entry for every thread");
    assert_eq!((place.run(command).stdout(), kept()), (text, first), "nothing is run again");

    let report = || {
        place.run(&format!("{command} --report page.html")).stdout();
        std::fs::read_to_string(place.path().join("page.html")).unwrap()
    };
    let page = report();
    for words in [
        "speedup over flat, CDPI</td>",
        "<span class=\"holds\">holds</span>",
        "<svg",
        "prefers-color-scheme: dark",
        "gpusched reproduce dtbl --kernels bfs_usa_road,join_gaussian --figures 20,21 --smoke --report FILE.html",
        "gpusched run bfs --graph=road:3 --mode=dtbl",
        "<td>paper</td>",
    ] {
        assert!(page.contains(words), "{words}");
    }
    assert_eq!(page, report());
}

#[test]
fn what_a_study_does_not_have_is_refused() {
    let place = Place::new();
    for (command, words) in [
        ("dtbl --kernels lbm", "--kernels: lbm is not part of dtbl, which has amr, bht, "),
        ("bubbles --kernels lbm", "--kernels: lbm is not part of bubbles"),
        ("laperm --figures 21", "no result of figure 21 of laperm; it has: 24, 29, 30, 31"),
        ("wireframe --figures 1", "it has: none, only text"),
        ("dtbl --scale 2", "--scale: dtbl has the sizes --quick and --full"),
        ("dtbl --set dtbl.agt_size=512", "--gpu, --set: dtbl runs as its source has it"),
        ("dtbl --quick --full", "cannot be used with"),
        ("mascar --figures 3", "--figures: mascar has none"),
        ("fmm --smoke", "--smoke: fmm has none"),
        ("all --kernels lbm", "--kernels: it is of one study"),
    ] {
        place.run(&format!("reproduce {command}")).refused(2, &[words]);
    }
    assert!(place.files().is_empty());
}
