//! Pictures as PNG, beside SVG and instead of it.

use crate::place::Place;
use resvg::tiny_skia::Pixmap;
use std::fs;

/// The sizes of a picture as SVG and as PNG, of which the latter shows something.
fn sizes(place: &Place, stem: &str) -> [(u32, u32); 2] {
    let svg = fs::read_to_string(place.path().join(format!("{stem}.svg"))).unwrap();
    let attribute = |name: &str| {
        let value = svg.split(&format!(" {name}=\"")).nth(1).and_then(|rest| rest.split('"').next());
        value.unwrap().parse().unwrap()
    };
    let png = Pixmap::decode_png(&fs::read(place.path().join(format!("{stem}.png"))).unwrap()).unwrap();
    let pixels = || png.pixels().iter().map(|pixel| pixel.demultiply());
    let white = pixels().filter(|pixel| (pixel.red(), pixel.green(), pixel.blue()) == (255, 255, 255)).count();
    let all = pixels().count();
    assert!((all / 10..all * 99 / 100).contains(&white), "{white} of {all} pixels are white");
    assert!(pixels().all(|pixel| pixel.alpha() == 255), "the paper is white, not transparent");
    [(attribute("width"), attribute("height")), (png.width(), png.height())]
}

/// Whether this machine has fonts. Without any, PNG is refused, as the last test has it; the gate's machine has some.
fn has_fonts() -> bool {
    let place = Place::new();
    let ended = place.run("demo laperm --png --quiet");
    ended.status == Some(0) || {
        ended.refused(1, &["no sans-serif font"]);
        false
    }
}

#[test]
fn png_comes_beside_each_svg_which_stays_as_it_is() {
    if !has_fonts() {
        return;
    }
    let place = Place::new();
    let text = place.run("compare --graph kron:6 --modes flat,dtbl --out a --png --gantt b/tbs.svg").stdout();
    let plain = place.run("compare --graph kron:6 --modes flat,dtbl --out plain --gantt plain/tbs.svg").stdout();
    assert!(!plain.contains(".png"));
    for (folder, stem) in [("a", "bfs-kron-6-16-seed-2-3-k20c"), ("b", "tbs-flat"), ("b", "tbs-dtbl")] {
        let [svg, png] = sizes(&place, &format!("{folder}/{stem}"));
        assert_eq!(png, (2 * svg.0, 2 * svg.1), "{stem}");
        let bytes = |folder: &str| fs::read(place.path().join(format!("{folder}/{stem}.svg"))).unwrap();
        assert!(bytes(folder) == bytes("plain"), "{stem}");
        assert!(text.contains(&format!("written: {folder}/{stem}.svg\nwritten: {folder}/{stem}.png\n")), "{text}");
    }
}

#[test]
fn a_chart_is_png_if_its_name_says_so() {
    let place = Place::new();
    place.run("run --gantt tbs.gif").refused(2, &["--gantt tbs.gif", "ends in .svg or .png"]);
    if !has_fonts() {
        return;
    }
    let text = place.run("run --graph kron:6 --gantt tbs.png --log run.log").stdout();
    assert!(text.contains("written: ./tbs.png\n"), "{text}");
    place.run("replay-log run.log --gantt again.png").stdout();
    let pictures: Vec<_> = place.files().into_iter().filter(|file| !file.starts_with("out/")).collect();
    assert_eq!(pictures, ["again.png", "run.log", "tbs.png"]);
}

#[test]
fn where_there_is_no_picture_there_is_no_png() {
    let place = Place::new();
    place.put("plain.toml", "[[runs]]\nworkload = 'bfs'\ngraph = 'kron:6'\n");
    place.put("base.toml", "base = { mode = 'flat' }\n[[runs]]\ngraph = 'kron:6'\nmode = ['flat', 'dtbl']\n");
    place.run("study run plain.toml --png").refused(2, &["--png: a study without a base has no pictures"]);
    place.run("study list base.toml --png").refused(2, &["--png: study list has no pictures"]);
    place.run("study run base.toml --png --part 1/2").refused(2, &["--png"]);
    place.run("reproduce models --png").refused(2, &["--png: reproduce models has no pictures"]);
    for other in ["sweep BLK", "rank", "footprint", "replay-log x.log"] {
        place.run(&format!("{other} --png")).refused(2, &["unexpected argument '--png'"]);
    }
    assert_eq!(place.files(), ["base.toml", "plain.toml"]);
    if !has_fonts() {
        return;
    }
    place.run("study run base.toml --png").stdout();
    let [svg, png] = sizes(&place, "out/base");
    assert_eq!(png.0, 2 * svg.0);
}

/// As on a server that shows nothing to anybody.
#[cfg(target_os = "linux")]
#[test]
fn without_a_font_png_is_refused_before_anything_runs() {
    let place = Place::new();
    place.put("fonts.conf", "<?xml version=\"1.0\"?><fontconfig><dir>/no/fonts</dir></fontconfig>");
    let run = |words: &str| {
        let mut command = place.command(words);
        crate::place::Ended::of(command.env("FONTCONFIG_FILE", place.path().join("fonts.conf")).output().unwrap())
    };
    for words in ["demo laperm --png", "run --graph kron:6 --gantt tbs.png"] {
        run(words).refused(1, &["no sans-serif font", "fonts-dejavu-core"]);
    }
    assert_eq!(place.files(), ["fonts.conf"]);
    run("demo laperm").stdout();
}
