//! What the kernels of k-means compute and issue, without a machine.

use super::*;
use crate::functional::{Tally, Turns, finished};
use gpusched_refgpu::program::Class;

fn run(options: KmeansOptions, turns: Turns) -> (Kmeans, Tally) {
    finished(Kmeans::new(options), 2, turns)
}

fn small(part: KmeansPart) -> KmeansOptions {
    KmeansOptions { points: 300, rounds: 3, part, ..KmeansOptions::default() }
}

#[test]
fn points_go_to_the_clusters_of_a_sequential_program() {
    for turns in [Turns::Together, Turns::FirstAhead, Turns::LastAhead] {
        let [both, invert, assign] =
            [KmeansPart::Both, KmeansPart::Invert, KmeansPart::Assign].map(|part| run(small(part), turns).0);
        assert_eq!(both.check().unwrap(), assign.check().unwrap());
        assert_ne!(both.check().unwrap(), invert.check().unwrap());
        assert_eq!(both.inverted, invert.inverted);
    }
    let odd = KmeansOptions { points: 77, features: 3, clusters: 9, rounds: 5, ..KmeansOptions::default() };
    run(odd, Turns::Together).0.check().unwrap();
}

#[test]
fn rounds_bring_points_of_one_place_together() {
    // As many places as clusters: with centres moved, every cluster keeps some points, and they are nearer to it than at first.
    let spread = |rounds| {
        let (mut kmeans, _) = run(KmeansOptions { rounds, ..small(KmeansPart::Both) }, Turns::Together);
        kmeans.move_centres();
        let of = |(p, &cluster): (usize, &u32)| {
            let centre = &kmeans.centres[cluster as usize * 34..][..34];
            kmeans.points[p * 34..].iter().zip(centre).map(|(x, c)| (x - c) * (x - c)).sum::<f32>()
        };
        kmeans.membership().iter().enumerate().map(of).sum::<f32>()
    };
    assert!(spread(4) < spread(1), "{} {}", spread(4), spread(1));
}

#[test]
fn invert_is_nine_instructions_and_33_lines_a_feature() {
    let (_, tally) = run(KmeansOptions { points: 512, ..small(KmeansPart::Invert) }, Turns::Together);
    let warps = 16;
    assert_eq!(tally.issued, warps * (4 + 34 * 9 + 1));
    assert_eq!(tally.of(Class::Int), warps * (4 + 34 * 7));
    assert_eq!((tally.of(Class::LoadGlobal), tally.of(Class::StoreGlobal)), (warps * 34, warps * 34));
    // A row of 136 bytes a lane: 32 lines, of which the next loads touch the same.
    assert_eq!([Class::LoadGlobal, Class::StoreGlobal].map(|c| tally.transactions_each(c)), [32.0, 1.0]);
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.grid.x, kernel.regs, kernel.smem), (256, 2, 12 * 256, 0));
}

#[test]
fn assign_is_the_sheets_list_and_a_copy_of_the_centres() {
    let (_, tally) = run(KmeansOptions { points: 512, rounds: 1, ..small(KmeansPart::Assign) }, Turns::Together);
    // 170 words of centres: six warps of eight, the last in part.
    let (warps, copies) = (16, 12);
    assert_eq!(tally.of(Class::LoadGlobal), warps * 170 + copies);
    assert_eq!(tally.of(Class::LoadShared), warps * 170);
    assert_eq!(tally.of(Class::Fp), warps * 5 * (34 * 2 + 1));
    assert_eq!(tally.of(Class::Int), warps * (4 + 5 * (2 + 34 * 3 + 3)) + 2 * copies);
    assert_eq!((tally.of(Class::StoreGlobal), tally.of(Class::StoreShared)), (warps, copies));
    assert_eq!(tally.of(Class::Barrier), warps);
    assert_eq!(tally.transactions_each(Class::LoadGlobal), 1.0, "columns");
    assert_eq!(tally.transactions_each(Class::LoadShared), 1.0, "one centre for all lanes");
    let kernel = tally.kernels[0];
    assert_eq!((kernel.tb.x, kernel.regs, kernel.smem), (256, 20 * 256, 5 * 34 * 4));
    // Both kernels are different ones.
    let (_, both) = run(small(KmeansPart::Both), Turns::Together);
    let pcs: Vec<_> = both.kernels.iter().map(|kernel| kernel.pc).collect();
    assert!(pcs.len() == 4 && pcs[0] != pcs[1] && pcs[1] == pcs[3]);
}

#[test]
fn a_wrong_word_is_told_with_its_place() {
    let (kmeans, _) = run(small(KmeansPart::Both), Turns::Together);
    let mut wrong = kmeans.clone();
    wrong.inverted[301] = -1.0;
    let error = wrong.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.got.as_str()), ("inverted[301]", "-1"));
    let mut wrong = kmeans.clone();
    wrong.membership[17] = 5;
    let error = wrong.check().unwrap_err();
    assert_eq!((error.place.as_str(), error.got.as_str()), ("membership[17]", "5"));
}

#[test]
fn what_is_out_of_range_is_refused() {
    let default = KmeansOptions::default();
    let error = |options| Kmeans::new(options).unwrap_err().to_string();
    let cases = [
        (KmeansOptions { points: 4, ..default }, "points", "as many as clusters or more, up to 2^20", 4),
        (
            KmeansOptions { points: 1 << 20, features: 65, ..default },
            "points",
            "at most 2^26 features of all points",
            1 << 20,
        ),
        (KmeansOptions { features: 0, ..default }, "features", "1 to 1024", 0),
        (KmeansOptions { clusters: 257, ..default }, "clusters", "1 to 256", 257),
        (
            KmeansOptions { clusters: 13, features: 1024, ..default },
            "clusters",
            "so few that their centres need at most 48 KB",
            13,
        ),
        (KmeansOptions { rounds: 0, ..default }, "rounds", "1 to 1000", 0),
    ];
    for (options, option, expected, found) in cases {
        assert_eq!(error(options), format!("option `{option}`: expected {expected}, found {found}"));
    }
    let read = toml::from_str::<KmeansOptions>;
    assert_eq!(read("part = 'invert'").unwrap().part, KmeansPart::Invert);
    assert!(read("k = 5").unwrap_err().to_string().contains('k'));
}
