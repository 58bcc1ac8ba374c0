//! LaPerm and the occupancy-bubble controller as parts of a front end: what they cost, what they need, what they account for. Their
//! decisions are in the vectors and in the random runs.

use std::sync::Mutex;

use gpusched::power::{BubbleConfig, bubble_storage_bits};
use gpusched::presets::K20c;
use gpusched::{
    BubblePart, BuildError, Config, Cycle, DatsPart, Descriptor, Dim3, Fault, FrontEnd, GroupLaunch, ImageError,
    InlineTables, LaPermPart, NoParts, Policy, Reserved, RowSource, Sched, SliceTables, SlotId, SmxId, TableSet,
    TableSizes, Tables, Words, laperm, storage_bits,
};
use gpusched_heap::{HeapTables, front_end};

const LAPERM: Config = Config { policy: Policy::LaPerm(LaPermPart::K20C), ..Config::K20C };
const BUBBLE: Config = Config { bubble: Some(BubblePart::K20C), ..Config::K20C };
const SLOT: (SmxId, SlotId) = (SmxId(0), SlotId(0));

fn with(part: LaPermPart) -> Config {
    Config { n_smx: 1, tb_slots: 2, pend_limit: 16, n_kde: 8, policy: Policy::LaPerm(part), ..LAPERM.ideal() }
}

fn kernel(pc: u64, tbs: u32) -> Descriptor {
    Descriptor { pc, tag: pc, grid: Dim3::linear(tbs), tb: Dim3::linear(32), ..Descriptor::default() }
}

fn machine(config: &Config) -> FrontEnd<HeapTables> {
    front_end(config).expect("a good configuration")
}

/// One parent on slot 0 of SMX 0.
fn with_parent(config: &Config) -> FrontEnd<HeapTables> {
    let mut gpu = machine(config);
    gpu.host_launch(0, &kernel(1, 1), true).unwrap();
    // In cdp the search for a host kernel goes through all levels.
    let sched = (0..5).map(|_| gpu.tick(&mut ()).unwrap().sched).find(|sched| matches!(sched, Sched::Tb(_)));
    assert!(matches!(sched, Some(Sched::Tb(tb)) if (tb.smx, tb.slot) == SLOT));
    gpu
}

#[test]
fn a_part_that_is_off_costs_nothing_and_replaces_what_it_rules_out() {
    let (fcfs, lap, bubble) = (storage_bits(&Config::K20C), storage_bits(&LAPERM), storage_bits(&BUBBLE));
    assert_eq!((fcfs.laperm.queues(), fcfs.laperm.off_chip, fcfs.bubble.total()), (0, 0, 0));
    // Under LaPerm no AGT, marks, NAGEI, LAGEI and cursors; per entry a count of up to 2048 + 1 units.
    assert_eq!(lap.agt + lap.kde_refs + lap.fcfs_first + lap.sscr_agei, 0);
    assert_eq!(lap.composition - fcfs.composition, 32 * 12);
    assert_eq!(lap.laperm, laperm::storage_bits(&laperm::Config::K20C));
    assert_eq!(lap.total(), lap.tbcr_agei + lap.gates + lap.composition + lap.laperm.on_chip());
    assert_eq!(bubble.bubble, bubble_storage_bits(&BubbleConfig::K20C));
    assert_eq!(bubble.total(), fcfs.total() + bubble.bubble.total());
}

#[test]
fn tables_are_only_those_of_the_parts_that_are_on() {
    let rows = |c: &Config| {
        let TableSizes { ages, lap_entries, lap_sections, lap_units, backups, powers, activities, .. } =
            TableSizes::of(c);
        [ages, lap_entries, lap_sections, lap_units, backups, powers, activities]
    };
    assert_eq!(rows(&Config::K20C), [1024, 0, 0, 0, 0, 0, 0]);
    // As many units as entries and records; four levels in 13 queues, and queue 0.
    assert_eq!(rows(&LAPERM), [0, 32 + 2048, 4 * 13 + 1, 13, 13, 0, 0]);
    assert_eq!(rows(&BUBBLE), [1024, 0, 0, 0, 0, 13, 13]);
}

#[test]
fn what_is_refused_says_why() {
    let refused = |config: Config| config.check().map_err(|e| (e.fault, e.to_string())).unwrap_err();
    let part = |part| Config { policy: Policy::LaPerm(part), ..LAPERM };
    let cases = [
        (
            part(LaPermPart { cluster: 14, ..LaPermPart::K20C }),
            Fault::BadConfig,
            "laperm.cluster = 14: expected a value from 1 to 13",
        ),
        (part(LaPermPart { q0_cap: 31, ..LaPermPart::K20C }), Fault::Queue0TooSmall, "laperm.q0_cap = 31: below n_kde"),
        (part(LaPermPart { pool_cap: 2079, ..LaPermPart::K20C }), Fault::PoolTooSmall, "laperm.pool_cap = 2079: below"),
        (Config { turn_groups: 3, ..LAPERM }, Fault::TurnWithLaperm, "turn_groups = 3: it rules the FCFS"),
        (
            Config { threads: 2040, ..BUBBLE },
            Fault::BadConfig,
            "threads = 2040: expected a multiple of `warp`: the occupancy-bubble",
        ),
    ];
    for (config, fault, text) in cases {
        let (got, message) = refused(config);
        assert_eq!(got, fault, "{message}");
        assert!(message.starts_with(text), "{message}");
    }
    // What the front end owns has the front end's ranges, wider than those of the machines alone.
    let wide = Config { regs: 0, lat_dispatch: u32::MAX, ..LAPERM };
    assert_eq!(Config { bubble: Some(BubblePart::K20C), ..wide }.check(), Ok(()));
}

/// Rows that are never given back.
struct Leaked;

impl RowSource<'static> for Leaked {
    fn rows<R: Default + 'static>(&mut self, n: usize) -> Option<&'static mut [R]> {
        Some(Vec::leak(std::iter::repeat_with(R::default).take(n).collect()))
    }
}

/// The machine of the source's own GPU is half a megabyte; built in memory of its own, it needs no more stack than a small one. What
/// that memory held before does not matter.
#[test]
fn a_machine_is_built_in_place_on_a_small_stack() {
    fn run<T: Tables>(mut gpu: FrontEnd<T>) -> Vec<u8> {
        gpu.host_launch(0, &kernel(1, 100), false).unwrap();
        gpu.run(400, &mut ()).unwrap();
        let mut image = vec![0; gpu.image_len()];
        gpu.save(&mut image).unwrap();
        image
    }
    static MEMORY: Mutex<Reserved<K20c>> = Mutex::new(K20c::RESERVED);
    assert!(size_of::<FrontEnd<K20c>>() > 400 << 10);
    let thread = std::thread::Builder::new().stack_size(64 << 10);
    let twice = thread.spawn(|| {
        let mut memory = MEMORY.lock().unwrap();
        [(); 2].map(|()| run(FrontEnd::with_tables(&Config::K20C, K20c::lend(&mut memory)).unwrap()))
    });
    let one = run(machine(&Config::K20C));
    assert_eq!(twice.unwrap().join().unwrap(), [one.clone(), one]);
}

/// What the home leaves out takes no room, changes nothing without it, and is refused where it is asked for, rows or not.
#[test]
fn a_home_leaves_parts_out() {
    type Plain = FrontEnd<SliceTables<'static, NoParts>>;
    let rows = |config: &Config| TableSet::take_from(&mut Leaked, &TableSizes::of(config)).expect("rows without end");
    let image = |config: &Config| {
        let mut image = vec![0; machine(config).image_len()];
        machine(config).save(&mut image).unwrap();
        image
    };
    for config in [LAPERM, BUBBLE, Config { dats: Some(DatsPart::GTX480), ..Config::K20C }] {
        let Err(BuildError::Config(e)) = Plain::with_tables(&config, rows(&config)) else { panic!("it has no parts") };
        assert_eq!((e.fault, e.parameter.origin), (Fault::BadConfig, "the home leaves this part out"));
        let restored = Plain::restore(&image(&config), rows(&config));
        assert!(matches!(restored, Err(ImageError::Tables(small)) if small.table == e.parameter.name));
    }
    assert!(size_of::<Plain>() < size_of::<FrontEnd<SliceTables<'static>>>());
    let (mut plain, mut any) =
        (Plain::with_tables(&Config::K20C, rows(&Config::K20C)).unwrap(), machine(&Config::K20C));
    for tbs in [100, 7] {
        assert_eq!(plain.host_launch(0, &kernel(1, tbs), false), any.host_launch(0, &kernel(1, tbs), false));
        assert_eq!(plain.run(400, &mut ()), any.run(400, &mut ()));
        let mut saved = vec![0; plain.image_len()];
        plain.save(&mut saved).unwrap();
        let again = FrontEnd::<HeapTables>::restore(&saved, gpusched_heap::tables(&Config::K20C));
        assert_eq!(again.as_ref(), Ok(&any));
    }
}

/// Between two samples nothing is accounted for but by this call, and it is all that the call does.
#[test]
fn the_account_is_closed_at_the_end_of_a_run() {
    let mut gpu = machine(&BUBBLE);
    assert_eq!(machine(&Config::K20C).account(None), Err(Fault::NoBubble));
    gpu.run(501, &mut ()).unwrap();
    let energy = |gpu: &FrontEnd<HeapTables>| gpu.bubble().unwrap().energy();
    assert_eq!(energy(&gpu), 0, "the sample of cycle 500 opens the account");
    assert_eq!(gpu.account(Some(&[1001; 13])), Err(Fault::BadActivity));
    gpu.run(99, &mut ()).unwrap();
    gpu.account(None).unwrap();
    // 100 cycles of 13 idle SMXs and the rest of the GPU, on their way down, which is charged as high.
    assert_eq!((gpu.now(), energy(&gpu)), (Cycle(600), 100 * (13 * 6300 + 20_000)));
    assert_eq!((gpu.stats().samples, gpu.bubble().unwrap().stats().samples), (1, 1));
    gpu.account(None).unwrap();
    assert_eq!(energy(&gpu), 100 * (13 * 6300 + 20_000), "no time has gone by");
}

/// The model cdp has no insertion to charge: a kernel can send a TB in the cycle of its arrival.
#[test]
fn in_cdp_no_insertion_is_charged() {
    let part = LaPermPart { model: laperm::Model::Cdp, charge_insert: true, ..LaPermPart::K20C };
    let mut gpu = with_parent(&with(part));
    gpu.device_launch(SLOT.0, SLOT.1, &[kernel(2, 1)]).unwrap();
    let words = gpu.run(8, &mut ()).unwrap();
    // Issued at once, it arrives after the search of its level: L - p + 1.
    assert_eq!((words.tb, gpu.stats().dyn_wait), (1, 4));
}

/// A unit that comes from memory can be seen later; the cycle in which that happens belongs to the words after it.
#[test]
fn a_span_in_which_a_unit_becomes_visible_is_counted_as_it_is_stepped() {
    let part = LaPermPart { queue_cap: 1, refill_cycles: 5, ..LaPermPart::K20C };
    let mut gpu = with_parent(&with(part));
    let group = |_| GroupLaunch { kernel: kernel(1, 1), hw_tid: 0 };
    gpu.agg_launch(SLOT.0, SLOT.1, &[0, 1].map(group)).unwrap();
    // The first group's TB takes the last slot; the second group is brought on chip.
    gpu.tick(&mut ()).unwrap();
    let mut stepped = gpu.clone();
    let mut words = Words::default();
    (0..20).for_each(|_| words.count(&stepped.tick(&mut ()).unwrap(), 1));
    assert_eq!(gpu.run(20, &mut ()), Ok(words));
    assert_eq!((words.idle, words.no_fit), (4, 16));
    assert_eq!(gpu, stepped);
}
