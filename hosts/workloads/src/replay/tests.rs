//! That a replay does what its trace says, rule by rule (workloads-RP1 to workloads-RP9).

use super::decode::Decoder;
use super::opcodes::Opcodes;
use super::pages::Pages;
use super::{Replay, assumed};
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::{Gpu, RunOptions};
use gpusched_refgpu::program::{Class, Effects, Inst, Workload};
use gpusched_refgpu::stats::RunStats;
use gpusched_traces::{Header, Instruction, Program, Register, RegisterFile, Writer};
use proptest::prelude::*;
use std::fs::{self, File};
use std::io::BufWriter;
use std::sync::Arc;
use tempfile::TempDir;

const ALL: u32 = u32::MAX;

fn header(tbs: u32, threads: u32) -> Header {
    Header {
        name: "_Z4testv".into(),
        id: 1,
        grid: [tbs, 1, 1],
        block: [threads, 1, 1],
        registers: 16,
        binary_version: 80,
        shared_base: 0x7f00_0100_0000,
        local_base: 0x7f00_0000_0000,
        ..Header::default()
    }
}

/// An instruction of all lanes; registers by their numbers.
fn op(opcode: &str, dests: &[u16], sources: &[u16]) -> Instruction {
    let registers =
        |numbers: &[u16]| numbers.iter().map(|&number| Register { file: RegisterFile::Vector, number }).collect();
    let (dests, sources) = (registers(dests), registers(sources));
    Instruction { mask: ALL, opcode: opcode.into(), dests, sources, immediates: vec![0], ..Instruction::default() }
}

/// An access of so many bytes per lane from `base` on, by lanes side by side.
fn access(opcode: &str, dests: &[u16], sources: &[u16], width: u32, base: u64) -> Instruction {
    let addresses = (0..32).map(|lane| base + lane * u64::from(width)).collect();
    Instruction { width, addresses, ..op(opcode, dests, sources) }
}

fn exit() -> Instruction {
    op("EXIT", &[], &[])
}

/// What a warp is: its TB, its number there, and what it executes.
type Warps = Vec<(u32, u32, Vec<Instruction>)>;

/// Kernels in a folder, each with warps in order.
fn program(kernels: &[(Header, Warps)]) -> (TempDir, Arc<Program>) {
    let folder = tempfile::tempdir().unwrap();
    let mut list = String::new();
    for (number, (header, warps)) in kernels.iter().enumerate() {
        let name = format!("kernel-{}.traceg", number + 1);
        let mut writer = Writer::new(BufWriter::new(File::create(folder.path().join(&name)).unwrap()), header).unwrap();
        for of_tb in warps.chunk_by(|a, b| a.0 == b.0) {
            let warps: Vec<_> = of_tb.iter().map(|(_, warp, instructions)| (*warp, instructions.clone())).collect();
            writer.tb([of_tb[0].0, 0, 0], &warps).unwrap();
        }
        writer.finish().unwrap();
        list += &format!("{name}\n");
    }
    fs::write(folder.path().join("kernelslist.g"), list).unwrap();
    let program = read(&folder);
    (folder, program)
}

fn read(folder: &TempDir) -> Arc<Program> {
    Program::read(folder.path(), &mut || false).unwrap().unwrap().into()
}

fn run(replay: &mut Replay) -> RunStats {
    let gpu = Gpu::new(&GpuConfig::preset("k20c").unwrap(), RunOptions::default()).unwrap();
    gpu.run(replay, &mut ()).unwrap().stats
}

/// Runs and checks one kernel of one TB per entry, each of one warp.
fn run_one(warps: &[Vec<Instruction>]) -> RunStats {
    let of = warps.iter().zip(0..).map(|(instructions, tb)| (tb, 0, instructions.clone())).collect();
    let (_folder, program) = program(&[(header(warps.len() as u32, 32), of)]);
    let mut replay = Replay::new(program);
    let stats = run(&mut replay);
    replay.check().unwrap();
    stats
}

/// What the machine gets of instructions in a row.
fn decoded(header: &Header, instructions: &[Instruction]) -> Vec<Inst> {
    let (mut opcodes, mut pages) = (Opcodes::of(header.binary_version), Pages::default());
    let mut decoder = Decoder::new(header, 0, &mut opcodes, &mut pages);
    for (number, instruction) in instructions.iter().enumerate() {
        decoder.take(instruction, number + 1 == instructions.len());
    }
    let script = decoder.finish();
    (0..instructions.len()).map(|at| script.inst(at)).collect()
}

fn classes(instructions: &[Instruction]) -> Vec<Class> {
    decoded(&header(1, 32), instructions).iter().map(|inst| inst.class).collect()
}

/// workloads-RP1: one after the other in the order of the list, streams or not.
#[test]
fn kernels_run_in_the_order_of_the_list() {
    let kernel = |name: &str, stream: u64, tbs: u32| {
        let header = Header { name: name.into(), stream, ..header(tbs, 32) };
        (header, (0..tbs).map(|tb| (tb, 0, vec![op("IADD3", &[1], &[2]), exit()])).collect())
    };
    let (_folder, program) = program(&[kernel("b", 7, 3), kernel("a", 0, 5), kernel("b", 7, 1)]);
    let mut replay = Replay::new(Arc::clone(&program));
    let stats = run(&mut replay);
    replay.check().unwrap();
    let told: Vec<_> =
        stats.kernels.iter().map(|kernel| (kernel.name.clone().unwrap_or_default(), kernel.instructions)).collect();
    assert_eq!(told, [("b".to_owned(), 6), ("a".to_owned(), 10), ("b".to_owned(), 2)]);
    assert!(assumed(&program).contains(&"kernels of 2 streams run one after the other".to_owned()));
    let pcs: Vec<_> = std::iter::from_fn({
        let mut again = Replay::new(program);
        move || again.next_kernel().map(|kernel| kernel.pc)
    })
    .collect();
    assert_eq!((pcs[0], pcs[1] == pcs[0]), (pcs[2], false), "kernels of one name have one code");
}

/// workloads-RP2: what is missing ends at once; a last exit is the warp's exit, another one is an instruction like others.
#[test]
fn what_a_trace_lacks_ends_at_once() {
    let add = || op("IADD3", &[1], &[2]);
    let some = Instruction { mask: 0xffff, ..exit() };
    let warps = vec![
        (1, 0, vec![add(), some, add(), exit()]),
        (1, 2, vec![add()]), // Its end is not told.
        (3, 1, vec![add(), exit()]),
    ];
    let (_folder, program) = program(&[(header(5, 96), warps)]);
    let mut replay = Replay::new(Arc::clone(&program));
    let stats = run(&mut replay);
    replay.check().unwrap();
    assert_eq!(program.sum(|summary| summary.instructions), 7);
    let all = 5 * 3;
    assert_eq!(stats.sm.classes[Class::Exit as usize], all, "each warp of the grid ends");
    assert_eq!(stats.sm.all_instructions(), 7 + all - 2, "two of the exits are in the trace");
    assert_eq!(stats.sm.lanes.iter().sum::<u64>(), program.sum(|summary| summary.thread_instructions));
    assert!(assumed(&program).contains(&"3 TBs that are not in the trace end at once".to_owned()));
}

/// workloads-RP3.
#[test]
fn opcodes_run_on_the_unit_of_their_class() {
    let of = |opcode: &str| classes(&[op(opcode, &[1], &[2]), exit()])[0];
    for (class, opcodes) in [
        (Class::Fp, &["FFMA.FTZ", "HFMA2.MMA", "HMMA.16816.F32"][..]),
        (Class::Dp, &["DFMA"]),
        (Class::Sfu, &["MUFU.RCP", "TEX.SCR.LL"]),
        (Class::Int, &["IADD3", "MOV", "BRA", "UIADD3", "MEMBAR.SC.GPU", "LDC", "NOT.AN.OPCODE", "DEPBAR.LE", "EXIT"]),
        (Class::Barrier, &["BAR.SYNC.DEFER_BLOCKING"]),
    ] {
        opcodes.iter().for_each(|opcode| assert_eq!(of(opcode), class, "{opcode}"));
    }
}

/// workloads-RP3: what stands in for something is told with its number, and nothing is told of what is not there.
#[test]
fn what_stands_in_for_something_is_told() {
    let plain = || op("FFMA", &[1], &[2, 3, 4]);
    let of = |instructions: &[Instruction], version: u32| {
        let header = Header { binary_version: version, ..header(1, 32) };
        assumed(&program(&[(header, vec![(0, 0, [instructions, &[exit()]].concat())])]).1)
    };
    assert_eq!(of(&[plain()], 90), Vec::<String>::new());
    let local = access("LDL", &[2], &[1], 4, 0x40);
    let wide = access("LDG.E.256", &[8], &[2], 32, 0);
    for (instruction, says) in [
        (op("HGMMA.64x8x16.F32", &[4], &[8]), "2 tensor instructions take as long as ones of single precision"),
        (op("TEX.SCR.LL", &[4], &[8]), "2 texture instructions take as long as special functions, and access nothing"),
        (op("UBLKCP", &[], &[]), "2 bulk copies (TMA) take as long as integer instructions, and access nothing"),
        (op("MEMBAR.SC.GPU", &[], &[]), "2 fences wait for nothing"),
        (op("ULDC.64", &[], &[]), "2 loads of constants take as long as integer instructions"),
        (op("UCGABAR_WAIT", &[], &[]), "2 barriers of clusters and in memory wait for nothing"),
        (op("NO.SUCH", &[], &[]), "opcodes that are not known run as integer instructions: NO.SUCH (2)"),
        (local, "2 accesses of local memory find it in L1, as fast as shared memory"),
        (wide, "2 accesses of more than 16 bytes per lane are of 16"),
    ] {
        assert_eq!(of(&[plain(), instruction.clone(), op("BAR.SYNC", &[], &[]), instruction], 90), [says]);
    }
    assert_eq!(of(&[plain()], 999), ["sm_999 is not known; its opcodes are taken to be those of hopper"]);
}

/// workloads-RP4: each memory with its lanes and addresses, as it comes out of the machine.
#[test]
fn accesses_have_the_lanes_and_addresses_of_the_trace() {
    let sparse =
        Instruction { mask: 0x8000_0001, addresses: vec![0x7000, 0x7f80], width: 4, ..op("STG.E", &[], &[2, 3]) };
    let of = |instructions: &[Instruction]| {
        let stats = run_one(&[[instructions, &[exit()]].concat()]);
        let sm = stats.sm;
        (sm.global_instructions, sm.transactions, sm.shared_instructions, sm.shared_cycles)
    };
    assert_eq!(of(&[access("LDG.E", &[2], &[4], 4, 0x7f12_3456_7880)]), (1, 1, 0, 0));
    assert_eq!(of(&[access("LDG.E.128", &[4], &[2], 16, 0x1_0040)]), (1, 5, 0, 0));
    assert_eq!(of(&[sparse]), (1, 2, 0, 0));
    assert_eq!(of(&[access("ATOMG.E.ADD", &[2], &[4], 4, 0x40)]), (1, 2, 0, 0));
    // Shared memory, by its offset and by its generic address; a row of words, and one bank for all.
    let stride = |base: u64| Instruction {
        addresses: (0..32).map(|lane| base + 128 * lane).collect(),
        ..access("LDS", &[2], &[3], 4, 0)
    };
    assert_eq!(of(&[access("LDS", &[2], &[3], 4, 0x100), stride(0), stride(0x7f00_0100_0000)]), (0, 0, 3, 1 + 32 + 32));
    // Local memory lies lanes side by side, wherever it begins.
    let stack = |base: u64| Instruction { addresses: vec![base; 32], ..access("STL.64", &[], &[1, 2], 8, 0) };
    assert_eq!(of(&[stack(0xff_fb00), stack(0x7f00_0000_0040)]), (0, 0, 2, 4));
    // Generic: where the window says.
    let generic = [0x7f00_0100_0010, 0x7f00_0000_0010, 0x5_0000].map(|base| access("LD.E", &[2], &[4], 4, base));
    assert_eq!(of(&generic), (1, 1, 2, 2));
    // Without lanes nothing is accessed; constants are no accesses here.
    let none = Instruction { mask: 0, addresses: vec![], ..access("LDG.E", &[2], &[4], 4, 0) };
    assert_eq!(of(&[none, access("LDC", &[2], &[4], 4, 0)]), (0, 0, 0, 0));
    assert_eq!(of(&[access("LDG.E.256", &[8], &[2], 32, 0)]), (1, 8, 0, 0), "16 bytes of each 32");
}

/// workloads-RP4: addresses of a program lie in pages in the order of the trace, whichever warp executes first.
#[test]
fn places_in_memory_do_not_depend_on_the_run() {
    let load = |tb: u64| vec![access("LDG.E", &[2], &[4], 4, 0x7f00_0000_0000 + (tb << 20)), exit()];
    let (_folder, program) = program(&[(header(4, 32), (0..4).map(|tb| (tb, 0, load(tb.into()))).collect())]);
    let place = |first: u32| {
        let mut replay = Replay::new(Arc::clone(&program));
        replay.next_kernel();
        let mut effects = Effects { addr: [0; 32], bytes: 0, rank: 0, launches: Vec::new() };
        [first, 3 - first].map(|blkid| {
            let (mut warp, tb) =
                (super::Warp::default(), gpusched_refgpu::program::TbContext { tag: 0, blkid, threads: 32 });
            replay.begin(&tb, 0, &mut warp);
            replay.execute(&mut warp, &mut effects);
            effects.addr[0]
        })
    };
    assert_eq!(place(0), [0, 3 << 16]);
    assert_eq!(place(3), [3 << 16, 0]);
}

/// workloads-RP5: whatever of an operand's registers was written before is waited for; the order of `Registers` has tests of its own.
#[test]
fn operands_have_as_many_registers_as_their_width() {
    let waits = |first: Instruction, second: Instruction| {
        let insts = decoded(&header(1, 32), &[first, second, exit()]);
        assert_ne!(insts[0].dst, 0);
        (insts[1].src | insts[1].dst) & insts[0].dst != 0
    };
    let load = |width: u32| access("LDG.E", &[4], &[2], width, 0x100);
    for (width, registers) in [(1, 1), (4, 1), (8, 2), (16, 4)] {
        for offset in 0..5 {
            let reads = op("FADD", &[20], &[4 + offset, 255]);
            assert_eq!(waits(load(width), reads), offset < registers, "{width} bytes, R4 + {offset}");
            let writes = op("FADD", &[4 + offset], &[20, 21]);
            assert_eq!(waits(load(width), writes), offset < registers, "{width} bytes, R4 + {offset}, written");
            let stores = access("STG.E", &[], &[12, 4], width, 0);
            assert_eq!(waits(op("FADD", &[4 + offset], &[20]), stores), offset < registers, "{width} bytes stored");
        }
    }
    let write = |number: u16| op("IADD3", &[number], &[20]);
    assert!(waits(write(3), load(4)) && !waits(write(1), load(4)), "an address has two");
    assert!(!waits(write(3), access("LDS", &[4], &[2], 4, 0)), "an address of shared memory has one");
    assert!(waits(op("DADD", &[6], &[0, 2]), op("DADD", &[10], &[12, 7])), "doubles have two");
    assert!(waits(write(7), op("DADD", &[10], &[12, 6])));
    assert!(waits(op("IMAD.WIDE", &[6], &[0, 1, 2]), op("MOV", &[10], &[7])));
    assert!(
        waits(write(7), op("IMAD.WIDE", &[10], &[0, 1, 6])) && !waits(write(7), op("IMAD.WIDE", &[10], &[6, 1, 2]))
    );
    assert!(waits(op("HMMA.16816.F32", &[4], &[0, 2, 8]), op("MOV", &[20], &[7])));
    assert!(!waits(op("FADD", &[4], &[0]), op("FADD", &[5], &[6])));
}

/// workloads-RP6.
#[test]
fn copies_to_shared_memory_are_waited_for_by_groups() {
    let copy = |base: u64| access("LDGSTS.E.128", &[], &[2, 4], 16, base);
    let wait = |but: i64| Instruction { immediates: vec![but], ..op("DEPBAR.LE", &[], &[]) };
    let untold = Instruction { immediates: vec![], ..op("DEPBAR.LE", &[], &[]) };
    let commit = || op("LDGDEPBAR", &[], &[]);
    let insts = decoded(
        &header(1, 32),
        &[copy(0), copy(512), commit(), copy(1024), commit(), wait(1), wait(0), copy(0), commit(), untold, exit()],
    );
    assert!(insts[0].class == Class::LoadGlobal && insts[0].dst != 0 && insts[0].dst != insts[1].dst);
    assert_eq!(insts[5].src, insts[0].dst | insts[1].dst);
    assert_eq!(insts[6].src, insts[3].dst);
    assert_eq!(insts[9].src, insts[7].dst, "without an immediate all are waited for");
}

/// workloads-RP7.
#[test]
fn warps_wait_for_their_tb_at_barriers_only() {
    let none = Instruction { mask: 0, ..op("BAR.SYNC", &[], &[]) };
    let all = [
        op("BAR.SYNC", &[], &[]),
        op("BAR.RED.POPC", &[], &[]),
        op("BAR.ARV", &[], &[]),
        none,
        op("UCGABAR_WAIT", &[], &[]),
    ];
    assert_eq!(classes(&all), [Class::Barrier, Class::Barrier, Class::Int, Class::Int, Class::Int]);
    // The first warp comes to the barrier at once, the second one after many cycles.
    let slow: Vec<_> = (0..50).map(|_| op("IADD3", &[1], &[1])).collect();
    let warps = |barrier: &[Instruction]| {
        let late = slow.clone();
        vec![(0, 0, [barrier, &slow, &[exit()]].concat()), (0, 1, [&late, barrier, &[exit()]].concat())]
    };
    let (_kept, with) = program(&[(header(1, 64), warps(&[op("BAR.SYNC", &[], &[])]))]);
    let (_too, without) = program(&[(header(1, 64), warps(&[]))]);
    let [with, without] = [with, without].map(|program| run(&mut Replay::new(program)).cycles);
    assert!(with > without + 300, "{with} {without}");
}

/// workloads-RP8.
#[test]
fn a_branch_of_some_of_the_lanes_diverges() {
    let branch = |mask: u32| Instruction { mask, ..op("BRA", &[], &[]) };
    let add = |mask: u32| Instruction { mask, ..op("IADD3", &[1], &[1]) };
    let of = |before: u32, mask: u32| decoded(&header(1, 32), &[add(before), branch(mask), exit()])[1].diverges;
    assert_eq!([of(ALL, ALL), of(ALL, 1), of(ALL, 0), of(1, 2), of(3, 2)], [false, true, false, false, true]);
    assert!(!decoded(&header(1, 32), &[add(ALL), add(1), exit()])[1].diverges);
}

/// workloads-RP9: what is executed is compared with what was read, number by number.
#[test]
fn a_trace_that_changes_while_it_runs_is_noticed() {
    let warps = |instructions: Vec<Instruction>| vec![(0, 0, instructions)];
    let load = || access("LDG.E", &[2], &[4], 4, 0x100);
    let store = || access("STG.E", &[], &[4, 2], 4, 0x200);
    let add = || access("ATOMG.ADD", &[2], &[4], 4, 0x300);
    let wrong = |changed: Vec<Instruction>| {
        let (folder, before) = program(&[(header(1, 32), warps(vec![load(), store(), add(), exit()]))]);
        let (other, _) = program(&[(header(1, 32), warps(changed))]);
        fs::copy(other.path().join("kernel-1.traceg"), folder.path().join("kernel-1.traceg")).unwrap();
        let mut replay = Replay::new(before);
        run(&mut replay);
        replay.check().unwrap_err().to_string()
    };
    let some = Instruction { mask: 1, ..exit() };
    for (what, changed) in [
        ("instructions is 3, want 4", vec![load(), store(), add()]),
        ("thread instructions is 97, want 128", vec![load(), store(), add(), some]),
        ("bytes loaded is 0, want 128", vec![store(), store(), add(), exit()]),
        ("bytes stored is 0, want 128", vec![load(), op("MOV", &[1], &[2]), add(), exit()]),
        ("bytes of atomics is 0, want 128", vec![load(), store(), op("MOV", &[1], &[2]), exit()]),
    ] {
        let told = wrong(changed);
        assert!(told.contains("kernel-1.traceg: ") && told.contains(what), "{told}");
    }
}

#[test]
fn a_trace_that_cannot_be_read_again_ends_the_run_and_is_told() {
    let (folder, program) = program(&[(header(2, 32), vec![(0, 0, vec![exit()]), (1, 0, vec![exit()])])]);
    let file = folder.path().join("kernel-1.traceg");
    let text = fs::read_to_string(&file).unwrap();
    for (now, told) in
        [(text.replacen("warp = 0", "warp = 9", 1), ":20: expected a warp"), (String::new(), "-1.traceg:1: expected")]
    {
        fs::write(&file, now).unwrap();
        let mut replay = Replay::new(Arc::clone(&program));
        run(&mut replay);
        let wrong = replay.check().unwrap_err().to_string();
        assert!(wrong.contains(told) && wrong.contains("a trace that does not change"), "{wrong}");
    }
    fs::remove_file(&file).unwrap();
    let mut replay = Replay::new(program);
    run(&mut replay);
    assert!(replay.check().is_err());
}

/// However long the trace is, what is held is of TBs that run.
#[test]
fn a_tb_is_read_when_it_starts_and_gone_when_it_has_begun() {
    let warps = (0..1000).flat_map(|tb| [0, 1].map(|warp| (tb, warp, vec![op("IADD3", &[1], &[1]), exit()]))).collect();
    let (_folder, program) = program(&[(header(1000, 64), warps)]);
    let mut ahead = super::Ahead::new(program);
    ahead.next_kernel().unwrap();
    for tb in 0..1000 {
        for warp in 0..2 {
            assert_eq!(ahead.take(tb, warp).unwrap().width(1), Some(0));
            assert!(ahead.waiting.len() <= 1);
        }
        assert!(ahead.waiting.is_empty());
    }
}

fn any_instruction() -> impl Strategy<Value = Instruction> {
    let opcodes = [
        ("IADD3", 0),
        ("FFMA", 0),
        ("DFMA", 0),
        ("MUFU.EX2", 0),
        ("BRA", 0),
        ("BAR.SYNC", 0),
        ("EXIT", 0),
        ("LDGDEPBAR", 0),
        ("DEPBAR.LE", 0),
        ("ODD.ONE", 0),
        ("LDG.E.64", 8),
        ("LDG.E.U8", 1),
        ("STG.E.128", 16),
        ("LDS", 4),
        ("STS.64", 8),
        ("LDL", 4),
        ("ATOMS.ADD", 4),
        ("RED.E.ADD", 4),
        ("LD.E", 4),
        ("LDGSTS.E", 4),
        ("LDC", 4),
        ("LDSM.16.M88.4", 16),
    ];
    let registers = || prop::collection::vec(0..256_u16, 0..4);
    let mask = prop_oneof![2 => Just(ALL), 1 => any::<u32>(), 1 => Just(0)];
    (prop::sample::select(opcodes.to_vec()), registers(), registers(), mask, any::<[u32; 32]>(), 0..3_i64).prop_map(
        |((opcode, width), dests, sources, mask, addresses, immediate)| {
            let lanes = if width > 0 { mask.count_ones() as usize } else { 0 };
            let addresses = addresses[..lanes].iter().map(|&address| u64::from(address) << 14).collect();
            Instruction {
                mask,
                width,
                addresses,
                immediates: vec![immediate],
                ..op(opcode, &dests[..dests.len().min(1)], &sources)
            }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// workloads-RP9: any trace runs to its end, and what is executed is what was read.
    #[test]
    fn any_trace_runs_and_is_verified(
        kernels in prop::collection::vec((1..5_u32, prop::collection::vec((0..5_u32, 0..3_u32, prop::collection::vec(any_instruction(), 1..12)), 0..6)), 1..3)
    ) {
        let kernels: Vec<_> = kernels.into_iter().map(|(tbs, mut warps)| {
            warps.retain(|&(tb, ..)| tb < tbs);
            warps.sort_by_key(|&(tb, warp, _)| (tb, warp));
            warps.dedup_by_key(|&mut (tb, warp, _)| (tb, warp));
            (header(tbs, 96), warps)
        }).collect();
        let (_folder, program) = program(&kernels);
        let mut replay = Replay::new(Arc::clone(&program));
        let stats = run(&mut replay);
        prop_assert!(replay.check().is_ok(), "{:?}", replay.check());
        prop_assert_eq!(stats.sm.lanes.iter().sum::<u64>(), program.sum(|summary| summary.thread_instructions));
        let mut again = Replay::read_beside(program);
        prop_assert_eq!(run(&mut again), stats);
        prop_assert!(again.check().is_ok());
    }
}

/// A whole kernel, counted by hand.
#[test]
fn the_sum_of_a_run_is_that_of_its_trace() {
    let body = [
        access("LDG.E", &[2], &[4], 4, 0x1000),
        op("FFMA", &[3], &[2, 2, 3]),
        access("STG.E", &[], &[4, 3], 4, 0x2000),
        exit(),
    ];
    let stats = run_one(&vec![body.to_vec(); 26]);
    assert_eq!(stats.sm.all_instructions(), 26 * 4);
    assert_eq!((stats.sm.tbs, stats.sm.global_instructions, stats.sm.transactions), (26, 52, 52));
    assert!(stats.cycles > 400, "the sum waits for the load: {}", stats.cycles);
}
