//! What the wavefronts compute and issue, without a machine.

use super::*;
use crate::program::Class;
use crate::workload::functional::{Tally, run};

fn small(kind: WaveKind, version: Version, options: WaveOptions, room: usize) -> (Wave, Tally) {
    let mut wave = Wave::new(kind, version, options).unwrap();
    let tally = run(&mut wave, room);
    assert!(wave.device.is_empty());
    let (done, all) = Algorithm::progress(&wave);
    assert_eq!(done, all);
    (wave, tally)
}

/// 5 x 4 tiles of uneven sizes.
const UNEVEN: WaveOptions = {
    let defaults = WaveOptions {
        columns: 5,
        rows: 4,
        width: 83,
        height: 58,
        divide: 1,
        seed: 7,
        launch_scale: 1,
        host_launch: 0,
        nested_launch: 283,
        barriers: Barriers::Auto,
        bound: 3,
    };
    defaults
};

#[test]
fn every_wavefront_computes_what_a_sequential_program_does() {
    for kind in WaveKind::ALL {
        let sums = [Version::Global, Version::Cdp]
            .map(|version| [1, 3, 100].map(|room| small(kind, version, UNEVEN, room).0.check().unwrap().checksum));
        assert!(sums.iter().flatten().all(|sum| *sum == sums[0][0]), "{kind}: {sums:?}");
    }
}
