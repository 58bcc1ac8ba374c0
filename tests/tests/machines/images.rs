//! The form of images: damage of every kind has its name, and an image of yesterday is good today.

use gpusched::{
    ClassId, Cluster, Config, Descriptor, Dim3, FrontEnd, GroupLaunch, ImageError, KernelSlot, Phase, Policy,
    RecordState, SlotId, SmxId, SmxSet, State, SuspId, ToldPart, Units, image_config, inline_tables,
};
use gpusched_heap::{HeapTables, front_end, tables};
use gpusched_tests::events::Told;
use gpusched_tests::images::{
    CHECKSUM, HEADER, NUMBERS, assert_forgery_is_harmless, assert_is_stored, assert_moves, image, inline, on_heap,
};
use gpusched_tests::invariants::check;

const CONFIG: Config = Config {
    n_smx: 2,
    tb_slots: 4,
    threads: 256,
    regs: 1024,
    smem: 1024,
    warp: 4,
    n_hwq: 4,
    n_kde: 4,
    hwq_depth: 3,
    pend_limit: 70,
    susp_cap: 2,
    agt_size: 4,
    gpb_b: 2,
    lat_stream: 1000,
    lat_dispatch: 5,
    load_cycles: 7,
    n_class: 2,
    ..Config::K20C.ideal()
};
inline_tables! {
    /// A small GPU.
    struct Small = CONFIG;
}
inline_tables! {
    /// A record less than needed.
    struct Smaller = Config { pend_limit: CONFIG.pend_limit - 1, ..CONFIG };
}

fn kernel(pc: u64, tbs: u32) -> Descriptor {
    Descriptor {
        pc,
        grid: Dim3::linear(tbs),
        tb: Dim3::linear(16),
        regs: 100,
        smem: 10,
        param: 0x1234,
        cluster: Cluster::NONE,
        tag: 100 + pc,
    }
}

fn fresh() -> FrontEnd<HeapTables> {
    front_end(&CONFIG).expect("a good configuration")
}

/// A machine with something of everything, so that its image has every kind of row.
fn busy() -> FrontEnd<HeapTables> {
    let mut gpu = fresh();
    let first = (SmxId(0), SlotId(0));
    let done = "the machine takes this call";
    // A retained parent; a kernel to be suspended; one with many TBs, capped, and two that wait behind it.
    gpu.host_launch(0, &kernel(1, 2), true).expect(done);
    gpu.host_launch(1, &kernel(3, 3), false).expect(done);
    for stream in [2, 2, 6] {
        gpu.host_launch(stream, &kernel(2, 40), false).expect(done);
    }
    gpu.set_class(ClassId(0), 2).expect(done);
    for smx in [SmxId(0), SmxId(1)] {
        gpu.set_class_cap(ClassId(0), smx, 2, 1).expect(done);
    }
    gpu.run(14, &mut ()).expect(done);
    gpu.suspend(KernelSlot(1), &mut ()).expect(done);
    // Two groups share an AGE, so the second one spills.
    let group = |tbs, hw_tid| GroupLaunch { kernel: kernel(1, tbs), hw_tid };
    gpu.agg_launch(first.0, first.1, &[group(1, 0), group(5, 4)]).expect(done);
    gpu.run(14, &mut ()).expect(done);
    // Launches that wait in several FIFOs; a kernel that arrives; gates.
    gpu.device_launch(first.0, first.1, &[kernel(4, 1)]).expect(done);
    gpu.device_launch(first.0, first.1, &[kernel(5, 1), kernel(6, 7)]).expect(done);
    gpu.device_launch(first.0, first.1, &[kernel(7, 1)]).expect(done);
    gpu.host_launch(3, &kernel(8, 1), false).expect(done);
    gpu.tick(&mut ()).expect(done);
    gpu.agg_launch(first.0, first.1, &[group(2, 1)]).expect(done);
    gpu.set_block_cap(SmxId(1), 3).expect(done);
    gpu.set_eligible(SmxSet::first(1)).expect(done);
    gpu
}

fn refused(image: &[u8]) -> ImageError {
    let error = inline::<Small>(image).expect_err("it is refused");
    assert_eq!(image_config(image), Err(error), "both say the same");
    error
}

#[test]
fn the_busy_machine_has_something_of_everything() {
    let gpu = busy();
    check(&gpu).expect("its invariants hold");
    assert!(gpu.kdes().any(|(_, e)| matches!(e.phase, Phase::Arriving(_))));
    assert!(gpu.kdes().any(|(_, e)| e.retain && e.cursor().is_some_and(|c| c.group.is_some() && c.next_bl > 0)));
    assert!(gpu.fcfs().count() == 2 && gpu.suspended(SuspId(0)).is_some());
    assert!(gpu.hwqs().any(|len| len == 2));
    assert!(gpu.agt().any(|g| g.dist && g.next.is_some()) && gpu.spilled().count() == 1);
    let state = |wanted: fn(&RecordState) -> bool| gpu.records().filter(wanted).count();
    assert_eq!((state(|s| matches!(s, RecordState::Agg { .. })), state(|s| *s == RecordState::Dev)), (1, 4));
    assert!(gpu.resident_tbs().any(|tb| tb.class_id.is_some() && tb.bypass));
    assert_eq!(gpu.status(), State::Running);
}

/// What the coverage check above asks of a machine beyond its own queries.
trait Counts {
    fn hwqs(&self) -> impl Iterator<Item = u32>;
    fn records(&self) -> impl Iterator<Item = RecordState>;
}

impl Counts for FrontEnd<HeapTables> {
    fn hwqs(&self) -> impl Iterator<Item = u32> {
        (0..4).filter_map(|q| Some(self.hwq(gpusched::HwqId(q))?.len))
    }
    fn records(&self) -> impl Iterator<Item = RecordState> {
        (0..CONFIG.pend_limit).filter_map(|r| Some(self.record(gpusched::RecordId(r))?.state))
    }
}

#[test]
fn a_machine_moves_between_homes() {
    assert_eq!(image_config(&image(&busy())), Ok(CONFIG));
    assert_moves(&busy(), inline::<Small>, on_heap);
}

/// What is in the tables that a machine is restored on does not matter.
#[test]
fn used_tables_are_as_good_as_new_ones() {
    let (gpu, mut used) = (busy(), tables(&CONFIG));
    used.ages.fill(Some(gpusched::RecordId(3)));
    used.free_words.fill(0x5555);
    used.block_caps.fill(9);
    used.records.fill(*gpu.record(gpusched::RecordId(1)).expect("a group"));
    assert_eq!(FrontEnd::restore(&image(&gpu), used), Ok(gpu));
}

#[test]
fn a_small_buffer_is_refused() {
    let gpu = busy();
    let need = gpu.image_len();
    let mut buffer = vec![0; need + 1];
    for len in 0..need {
        assert_eq!(gpu.save(&mut buffer[..len]), Err(ImageError::TooSmall { need }));
    }
    assert_eq!(gpu.save(&mut buffer[..need]), Ok(need));
    assert_eq!(gpu.save(&mut buffer), Ok(need));
    assert_eq!(on_heap(&buffer[..need]), Ok(gpu));
}

#[test]
fn small_tables_are_refused() {
    let Err(ImageError::Tables(small)) = inline::<Smaller>(&image(&busy())) else { panic!("it is refused") };
    assert_eq!((small.table, small.have, small.need), ("records", 69, 70));
}

#[test]
fn a_truncated_image_is_refused() {
    let image = image(&busy());
    for len in 0..image.len() {
        assert_eq!(refused(&image[..len]), ImageError::Truncated, "{len} bytes");
    }
}

#[test]
fn an_image_with_something_behind_it_is_refused() {
    let image = image(&busy());
    for more in [&[0][..], &[0xff; 7], &image] {
        assert_eq!(refused(&[&image, more].concat()), ImageError::Corrupted);
    }
}

#[test]
fn every_wrong_byte_is_found() {
    let good = image(&busy());
    for at in 0..good.len() {
        for pattern in [0x01, 0x10, 0x80, 0x55, 0xff] {
            let mut image = good.clone();
            image[at] ^= pattern;
            let error = refused(&image);
            match at {
                0..8 => assert_eq!(error, ImageError::NotAnImage),
                8..10 => assert_eq!(error, ImageError::WrongKind),
                10..12 => {
                    let found = u16::from_le_bytes([image[10], image[11]]);
                    assert_eq!(error, ImageError::WrongVersion { found });
                }
                // A length that is too large asks for bytes that are not there.
                12..HEADER if image[at] > good[at] => assert_eq!(error, ImageError::Truncated),
                _ => assert_eq!(error, ImageError::Corrupted),
            }
        }
    }
}

/// The checksum is that of zlib, and the header says where it is: other programs can check an image.
#[test]
fn the_frame_is_as_documented() {
    let image = image(&busy());
    let (sealed, checksum) = image.split_at(image.len() - CHECKSUM);
    let mut crc = flate2::Crc::new();
    crc.update(sealed);
    assert_eq!(checksum, crc.sum().to_le_bytes());
    let length = (sealed.len() - HEADER) as u32;
    assert_eq!(sealed[..HEADER], [&b"gpusched"[..], &[1, 0, 11, 0], &length.to_le_bytes()].concat());
}

/// A kernel of one TB is over, but retained; another one of one TB runs.
fn one_over_one_running(mut gpu: FrontEnd<HeapTables>) -> FrontEnd<HeapTables> {
    for (stream, retain) in [(0, true), (1, false)] {
        gpu.host_launch(stream, &kernel(1, 1), retain).expect("there is room");
    }
    gpu.run(14, &mut ()).expect("time goes on");
    gpu.tb_done(SmxId(0), SlotId(0), &mut ()).expect("the first TB is there");
    gpu
}

/// Also, no number of an image gives an entry more TBs than its grid has.
#[test]
fn every_forged_number_is_refused_or_possible() {
    for gpu in [busy(), one_over_one_running(fresh())] {
        assert_forgery_is_harmless(&gpu, NUMBERS, |_| Ok(()));
    }
}

#[test]
fn empty_tables_cost_nothing() {
    let many = Config { pend_limit: 1 << 20, hwq_depth: 1 << 10, agt_size: 1 << 16, ..Config::K20C };
    let len = |config: &Config| {
        let gpu = front_end(config).expect("a good configuration");
        assert_eq!(on_heap(&image(&gpu)), Ok(gpu.clone()));
        gpu.image_len()
    };
    // Only the configuration's own numbers grow.
    assert!(len(&many) <= len(&Config::K20C) + 4, "{} bytes", len(&many));
}

/// A kernel and a group of it in pieces, of which some were sent.
fn in_pieces() -> FrontEnd<HeapTables> {
    let part = ToldPart { units: Units::Free, dispatch_per_cycle: 9, split_cap: 6, ..ToldPart::CHAIN };
    let config = Config { policy: Policy::Told(part), susp_cap: 1, n_class: 1, pend_limit: 3, ..CONFIG.ideal() };
    let mut gpu = front_end(&config).expect("a good configuration");
    let told = &mut Told::default();
    let first = |gpu: &FrontEnd<_>, row: usize| gpu.offers().unwrap().nth(row).map(|offer| offer.id).unwrap();
    gpu.host_launch(0, &kernel(1, 9), false).expect("there is room");
    gpu.begin(told).expect("time goes on");
    let natives = first(&gpu, 0);
    let last = gpu.split(natives, 7).expect("its last two TBs");
    let middle = gpu.split(natives, 3).expect("those before them");
    for (id, smx) in [(natives, 0), (last, 1), (middle, 1), (middle, 0)] {
        gpu.send(id, SmxId(smx), told).expect("it is open");
    }
    gpu.end(None, told).expect("a cycle ends");
    let group = GroupLaunch { kernel: kernel(1, 8), hw_tid: 0 };
    gpu.agg_launch(SmxId(0), SlotId(0), &[group, group]).expect("there is room");
    gpu.begin(told).expect("time goes on");
    let groups = [3, 4].map(|row| first(&gpu, row));
    let piece = gpu.split(groups[0], 4).expect("its second half");
    gpu.split(piece, 6).expect("its last quarter");
    gpu.split(groups[1], 1).expect("all but the first");
    gpu.send(piece, SmxId(1), told).expect("it is open");
    gpu.end(None, told).expect("a cycle ends");
    gpu
}

/// policy-I7: forged pieces are refused, or ones that could be.
#[test]
fn every_forged_piece_is_refused_or_possible() {
    let gpu = in_pieces();
    check(&gpu).expect("its invariants hold");
    assert_eq!(on_heap(&image(&gpu)), Ok(gpu.clone()));
    assert_forgery_is_harmless(&gpu, NUMBERS, |_| Ok(()));
}

#[test]
fn a_stored_image_is_still_good() {
    assert_is_stored(&busy(), "frontend-v11.bin", env!("CARGO_TARGET_TMPDIR"), on_heap);
}
