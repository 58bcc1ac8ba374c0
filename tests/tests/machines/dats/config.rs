//! The parameters: their defaults, ranges and relations, as the sheet's table has them; and what they cost in storage.

use gpusched::dats::{Dgb, DgbConfig, DgbStorageBits, Prefetch, dgb_storage_bits};
use gpusched::{BuildError, inline_dgb_tables};
use gpusched_tests::dats::heap;
use serde_json::json;

use crate::every::{Row, assert_are_of_the_sheet};

const TABLE: &[Row] = &[
    ("smxs", 15, 1, 256),
    ("lna", 128, 1, 65535),
    ("lea", 512, 1, 65535),
    ("pub_entries", 64, 0, 65535),
    ("chunk_bytes", 128, 8, 1024),
];

#[test]
fn defaults_and_ranges_are_those_of_the_sheet() {
    let choices = json!({
        "prefetch": "chunk_free",
        "level_ref": "incomplete",
        "issue_needs_edges": false,
        "spill": false,
    });
    // The chunk does not limit the node array.
    let wide = |_: &str, _| DgbConfig { prefetch: Prefetch::Eager, ..DgbConfig::GTX480 };
    assert_are_of_the_sheet(DgbConfig::PARAMETERS, TABLE, &choices, wide, DgbConfig::check);
    assert_eq!(DgbConfig { lna: 512, lea: 2048, ..DgbConfig::GTX480 }, DgbConfig::GTX480_LRR);
}

/// dats-H3 (b): tight at one node more than a chunk, and only if a chunk waits for room.
#[test]
fn a_window_holds_more_than_a_chunk() {
    let with = |lna, chunk_bytes, prefetch| DgbConfig { lna, chunk_bytes, prefetch, ..DgbConfig::GTX480 }.check();
    for chunk_nodes in [1, 2, 16, 128] {
        assert_eq!(with(chunk_nodes + 1, 8 * chunk_nodes, Prefetch::ChunkFree), Ok(()));
        let error = with(chunk_nodes, 8 * chunk_nodes, Prefetch::ChunkFree).unwrap_err();
        assert_eq!((error.parameter.name, error.value), ("lna", chunk_nodes));
        assert_eq!(with(1, 8 * chunk_nodes, Prefetch::Eager), Ok(()));
    }
    for chunk_bytes in [9, 12, 1020, 1023] {
        let error = with(65535, chunk_bytes, Prefetch::Eager).unwrap_err();
        assert_eq!((error.parameter.name, error.value), ("chunk_bytes", chunk_bytes));
    }
}

/// The first bad field is named: smxs, lna, lea, pub, chunk_bytes, then lna for the pair.
#[test]
fn the_first_bad_field_is_named() {
    let mut config = DgbConfig { smxs: 0, lna: 0, lea: 0, pub_entries: 65536, chunk_bytes: 4, ..DgbConfig::GTX480 };
    let named = |config: &DgbConfig| config.check().unwrap_err().parameter.name;
    assert_eq!(named(&config), "smxs");
    config.smxs = 1;
    assert_eq!(named(&config), "lna");
    config.lna = 16;
    assert_eq!(named(&config), "lea");
    config.lea = 1;
    assert_eq!(named(&config), "pub_entries");
    config.pub_entries = 0;
    assert_eq!(named(&config), "chunk_bytes");
    config.chunk_bytes = 128;
    assert_eq!(named(&config), "lna");
    config.lna = 17;
    assert_eq!(config.check(), Ok(()));
}

const SMALL: DgbConfig = DgbConfig { lna: 5, lea: 4, pub_entries: 3, chunk_bytes: 16, ..DgbConfig::GTX480 };
inline_dgb_tables! {
    struct Small = SMALL;
}

#[test]
fn a_machine_is_not_built_of_what_is_wrong() {
    let wrong = DgbConfig { chunk_bytes: 12, ..SMALL };
    assert!(matches!(Dgb::<Small>::new(&wrong), Err(BuildError::Config(e)) if e.parameter.name == "chunk_bytes"));
    assert!(heap::machine(&wrong).is_err());
    let larger = [
        ("local_nodes", DgbConfig { lna: 6, ..SMALL }),
        ("local_edges", DgbConfig { lea: 5, ..SMALL }),
        ("pending_updates", DgbConfig { pub_entries: 4, ..SMALL }),
        ("insertions", DgbConfig { chunk_bytes: 24, ..SMALL }),
        ("local_nodes", DgbConfig { lna: 65, ..SMALL }),
    ];
    for (table, config) in larger {
        let Err(BuildError::Tables(small)) = Dgb::<Small>::new(&config) else { panic!("{table} is too small") };
        assert_eq!((small.table, small.have < small.need), (table, true));
    }
    assert!(Dgb::<Small>::new(&SMALL).is_ok());
}

/// dats-G8: 1024 B of nodes, 1024 B of edges, 128 B of updates, 128 B of a chunk; 8448 B for the LRR preset.
#[test]
fn storage_is_that_of_the_sheet() {
    let bits = dgb_storage_bits(&DgbConfig::GTX480);
    assert_eq!(bits, DgbStorageBits { lna: 8 * 1024, lea: 8 * 1024, pub_entries: 8 * 128, nib: 8 * 128 });
    assert_eq!(bits.total(), 8 * 2304);
    assert_eq!(dgb_storage_bits(&DgbConfig::GTX480_LRR).total(), 8 * 8448);
    assert_eq!(dgb_storage_bits(&DgbConfig { pub_entries: 32, ..DgbConfig::GTX480 }).total(), 8 * 2240);
    // An entry of 52 bits and the address in the edge array fits a word up to 4096 edges.
    let entry = |lea| dgb_storage_bits(&DgbConfig { lea, lna: 1, ..DgbConfig::GTX480 }).lna;
    assert_eq!([1, 512, 4096, 4097, 65535].map(entry), [64, 64, 64, 128, 128]);
}
