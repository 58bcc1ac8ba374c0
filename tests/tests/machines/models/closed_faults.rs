//! Every refusal of the closed forms, with the field to blame and in the order of the tests.

use gpusched::Fault;
use gpusched::models::exec::{ExecConfig, ExecInputs};
use gpusched::models::theory::{Balance, MemoryTime, PrivateCaches, Ulist};
use gpusched_tests::models::{Core, Models, Refused};
use gpusched_tests::through_c::models::ThroughC;

use crate::models::exec::{HAND, set};

/// The order of the checks.
const FIELDS: [&str; 28] = [
    "insts",
    "mem_insts",
    "sync_insts",
    "sfu_insts",
    "fp_insts",
    "total_warps",
    "active_sms",
    "n",
    "avg_trans_warp",
    "avg_inst_lat",
    "miss_ratio",
    "size_of_data",
    "ilp",
    "mlp",
    "warp_size",
    "gamma",
    "delta",
    "dram_lat",
    "fp_lat",
    "hit_lat",
    "simd_width",
    "sfu_width",
    "freq",
    "mem_peak_bw",
    "transaction_size",
    "o_cfdiv",
    "o_bank",
    "amat",
];
const NOT_ZERO: [&str; 12] = [
    "insts",
    "active_sms",
    "n",
    "avg_inst_lat",
    "ilp",
    "mlp",
    "warp_size",
    "dram_lat",
    "simd_width",
    "freq",
    "mem_peak_bw",
    "transaction_size",
];

fn exec(inputs: &ExecInputs) -> Option<Refused> {
    let refused = Core.exec(&ExecConfig::default(), inputs).err();
    assert_eq!(ThroughC.exec(&ExecConfig::default(), inputs).err(), refused);
    refused
}

fn of(fault: Fault, field: &str) -> Option<Refused> {
    Some(Refused { fault, field: (!field.is_empty()).then(|| field.to_owned()) })
}

#[test]
fn each_input_of_exec_is_checked() {
    for (i, field) in FIELDS.iter().enumerate() {
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            let mut inputs = HAND;
            set(&mut inputs, i, value);
            assert_eq!(exec(&inputs), of(Fault::NotFinite, field));
        }
        let mut inputs = HAND;
        set(&mut inputs, i, -1.0);
        assert_eq!(exec(&inputs), of(Fault::Negative, field));
        let mut inputs = HAND;
        set(&mut inputs, i, 0.0);
        let zero = match *field {
            field if NOT_ZERO.contains(&field) => of(Fault::ZeroInput, field),
            // No latency of a transaction is below one.
            "avg_trans_warp" => of(Fault::OutOfRange, field),
            _ => None,
        };
        assert_eq!(exec(&inputs), zero, "{field} = 0");
    }
}

#[test]
fn refusals_of_exec_come_in_order() {
    // All fields of a test before the next test; the first field of a test before the others.
    let mut inputs = ExecInputs { insts: 0.0, mem_insts: -1.0, o_bank: f64::NAN, ..HAND };
    assert_eq!(exec(&inputs), of(Fault::NotFinite, "o_bank"));
    inputs.o_bank = -1.0;
    assert_eq!(exec(&inputs), of(Fault::Negative, "mem_insts"));
    (inputs.mem_insts, inputs.o_bank, inputs.n) = (0.0, 0.0, 0.0);
    assert_eq!(exec(&inputs), of(Fault::ZeroInput, "insts"));
    let mut inputs = ExecInputs {
        n: 0.5,
        avg_trans_warp: 0.5,
        miss_ratio: 1.5,
        mem_insts: 101.0,
        fp_insts: 101.0,
        sfu_insts: 1.0,
        sfu_width: 0.0,
        amat: Some(-1.0),
        ..HAND
    };
    type Repair = fn(&mut ExecInputs);
    let repairs: [(&str, Repair); 5] = [
        ("n", |i| i.n = 1.0),
        ("avg_trans_warp", |i| i.avg_trans_warp = 1.0),
        ("miss_ratio", |i| i.miss_ratio = 1.0),
        ("mem_insts", |i| i.mem_insts = 100.0),
        ("fp_insts", |i| i.fp_insts = 100.0),
    ];
    for (field, repair) in repairs {
        assert_eq!(exec(&inputs), of(Fault::OutOfRange, field));
        repair(&mut inputs);
    }
    assert_eq!(exec(&inputs), of(Fault::ZeroInput, "sfu_width"));
    inputs.sfu_insts = 0.0;
    assert_eq!(exec(&inputs), of(Fault::Negative, "amat"));
    inputs.amat = Some(f64::NAN);
    assert_eq!(exec(&inputs), of(Fault::NotFinite, "amat"));
    inputs.amat = Some(0.0);
    assert_eq!(exec(&inputs), None);
    let large = ExecInputs { insts: 1e308, total_warps: 1e308, ..HAND };
    assert_eq!(exec(&large), of(Fault::Overflow, ""));
}

fn theory<V: PartialEq + std::fmt::Debug>(call: impl Fn(&dyn Call) -> Result<V, Refused>) -> Option<Refused> {
    let refused = call(&Core).err();
    assert_eq!(call(&ThroughC).err(), refused);
    refused
}

/// The models as one object.
trait Call {
    fn roofline(&self, a: f64, b: f64, c: f64) -> Result<(), Refused>;
    fn brent(&self, a: f64, b: f64, c: f64) -> Result<(), Refused>;
    fn inefficiency(&self, a: f64, b: f64) -> Result<(), Refused>;
    fn matmul_io(&self, a: f64, b: f64, c: f64) -> Result<(), Refused>;
    fn qp_bound(&self, of: &PrivateCaches) -> Result<(), Refused>;
    fn t_mem(&self, of: &MemoryTime) -> Result<(), Refused>;
    fn balance(&self, of: &Balance) -> Result<(), Refused>;
    fn ulist(&self, of: &Ulist) -> Result<(), Refused>;
    fn reduction_tree(&self, n: u64) -> Result<(), Refused>;
    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<(), Refused>;
}

impl<M: Models> Call for M {
    fn roofline(&self, a: f64, b: f64, c: f64) -> Result<(), Refused> {
        Models::roofline(self, a, b, c).map(drop)
    }
    fn brent(&self, a: f64, b: f64, c: f64) -> Result<(), Refused> {
        Models::brent(self, a, b, c).map(drop)
    }
    fn inefficiency(&self, a: f64, b: f64) -> Result<(), Refused> {
        Models::inefficiency(self, a, b).map(drop)
    }
    fn matmul_io(&self, a: f64, b: f64, c: f64) -> Result<(), Refused> {
        Models::matmul_io(self, a, b, c).map(drop)
    }
    fn qp_bound(&self, of: &PrivateCaches) -> Result<(), Refused> {
        Models::qp_bound(self, of).map(drop)
    }
    fn t_mem(&self, of: &MemoryTime) -> Result<(), Refused> {
        Models::t_mem(self, of).map(drop)
    }
    fn balance(&self, of: &Balance) -> Result<(), Refused> {
        Models::balance(self, of).map(drop)
    }
    fn ulist(&self, of: &Ulist) -> Result<(), Refused> {
        Models::ulist(self, of).map(drop)
    }
    fn reduction_tree(&self, n: u64) -> Result<(), Refused> {
        Models::reduction_tree(self, n).map(drop)
    }
    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<(), Refused> {
        Models::reduction_io(self, n, z, l).map(drop)
    }
}

/// An evaluation of some inputs.
type Eval = fn(&dyn Call, &[f64]) -> Result<(), Refused>;

/// An input's name, a good value, and whether it may be 0.
type Input = (&'static str, f64, bool);

/// The inputs of each model in their order, and how it is evaluated.
const FORMS: &[(&[Input], Eval)] = &[
    (&[("peak", 10.0, false), ("bw", 2.0, false), ("intensity", 3.0, true)], |m, v| m.roofline(v[0], v[1], v[2])),
    (&[("w", 31.0, false), ("d", 5.0, false), ("p", 6.0, false)], |m, v| m.brent(v[0], v[1], v[2])),
    (&[("p", 64.0, true), ("eps", 10.0, false)], |m, v| m.inefficiency(v[0], v[1])),
    (&[("n", 64.0, false), ("z", 192.0, false), ("l", 4.0, false)], |m, v| m.matmul_io(v[0], v[1], v[2])),
    (
        &[
            ("q1", 9.0, true),
            ("p", 8.0, true),
            ("z", 64.0, true),
            ("d", 10.0, true),
            ("l", 16.0, false),
            ("c", 1.0, true),
        ],
        |m, v| m.qp_bound(&PrivateCaches { q1: v[0], p: v[1], z: v[2], d: v[3], l: v[4], c: v[5] }),
    ),
    (
        &[("alpha", 10.0, true), ("d", 10.0, true), ("q", 100.0, true), ("l", 4.0, true), ("beta", 2.0, false)],
        |m, v| m.t_mem(&MemoryTime { alpha: v[0], d: v[1], q: v[2], l: v[3], beta: v[4] }),
    ),
    (
        &[
            ("p", 4.0, false),
            ("c0", 1.0, false),
            ("beta", 2.0, false),
            ("alpha", 10.0, true),
            ("l", 4.0, false),
            ("q", 100.0, false),
            ("w", 1600.0, false),
            ("d", 10.0, false),
        ],
        |m, v| m.balance(&Balance { p: v[0], c0: v[1], beta: v[2], alpha: v[3], l: v[4], q: v[5], w: v[6], d: v[7] }),
    ),
    (
        &[
            ("kappa", 11.0, false),
            ("q", 64.0, true),
            ("balance", 10.0, true),
            ("words_per_point", 4.0, false),
            ("bytes_per_word", 4.0, false),
        ],
        |m, v| {
            m.ulist(&Ulist {
                kappa: v[0],
                q: v[1],
                balance: v[2],
                words_per_point: v[3],
                bytes_per_word: v[4],
                ..Ulist::DEFAULT
            })
        },
    ),
];

#[test]
fn each_input_of_theory_is_checked() {
    for (inputs, eval) in FORMS {
        let good: Vec<_> = inputs.iter().map(|input| input.1).collect();
        assert_eq!(theory(|m| eval(m, &good)), None, "{inputs:?}");
        for (i, &(field, _, may_be_zero)) in inputs.iter().enumerate() {
            let with = |value: f64| {
                let mut values = good.clone();
                values[i] = value;
                theory(|m| eval(m, &values))
            };
            assert_eq!(with(f64::NAN), of(Fault::NotFinite, field));
            assert_eq!(with(f64::INFINITY), of(Fault::NotFinite, field));
            assert_eq!(with(-1.0), of(Fault::Negative, field));
            let zero = if may_be_zero { None } else { of(Fault::ZeroInput, field) };
            assert_eq!(with(0.0), zero, "{field} = 0 of {inputs:?}");
            // All fields of a test before the next one.
            let mut values = good.clone();
            values[0] = -1.0;
            values[i] = f64::NAN;
            assert_eq!(theory(|m| eval(m, &values)), of(Fault::NotFinite, field));
        }
    }
}

#[test]
fn relations_of_theory_are_checked() {
    assert_eq!(theory(|m| m.brent(4.0, 5.0, 0.5)), of(Fault::DepthExceedsWork, ""));
    assert_eq!(theory(|m| m.brent(5.0, 5.0, 0.5)), of(Fault::OutOfRange, "p"));
    let balance = Balance { p: 0.5, c0: 1.0, beta: 1.0, alpha: 0.0, l: 1.0, q: 1.0, w: 1.0, d: 2.0 };
    assert_eq!(theory(|m| m.balance(&balance)), of(Fault::DepthExceedsWork, ""));
    assert_eq!(theory(|m| m.balance(&Balance { w: 2.0, ..balance })), of(Fault::OutOfRange, "p"));
    for n in [0, 3, 12, u64::MAX] {
        assert_eq!(theory(|m| m.reduction_tree(n)), of(Fault::NotPow2, "n"));
    }
    assert_eq!(theory(|m| m.reduction_tree(1 << 63)), None);
    for (n, z, l, field) in [(3, 3, 3, "n"), (4, 3, 3, "z"), (4, 2, 0, "l")] {
        assert_eq!(theory(|m| m.reduction_io(n, z, l)), of(Fault::NotPow2, field));
    }
    for (n, z, l) in [(16, 16, 4), (16, 32, 4), (64, 16, 16), (64, 16, 32)] {
        assert_eq!(theory(|m| m.reduction_io(n, z, l)), of(Fault::BadOrder, ""));
    }
    assert_eq!(theory(|m| m.matmul_io(1.0, 2f64.powi(53), 1.0)), of(Fault::OutOfRange, "z"));
    assert_eq!(theory(|m| m.matmul_io(1.0, 2f64.powi(53) - 1.0, 1.0)), None);
    // Dimensions come before all else.
    for dims in [0, 21, u32::MAX] {
        assert_eq!(
            theory(|m| m.ulist(&Ulist { kappa: f64::NAN, dims, ..Ulist::DEFAULT })),
            of(Fault::OutOfRange, "dims")
        );
    }
}

#[test]
fn results_that_are_too_large_are_refused() {
    assert_eq!(theory(|m| m.roofline(1e308, 1e-308, 0.0)), of(Fault::Overflow, ""));
    assert_eq!(theory(|m| m.brent(1e308, 1e-308, 1.0)), of(Fault::Overflow, ""));
    assert_eq!(theory(|m| m.inefficiency(1e308, 1e-308)), of(Fault::Overflow, ""));
    assert_eq!(theory(|m| m.matmul_io(1e200, 1.0, 1.0)), of(Fault::Overflow, ""));
    let caches = PrivateCaches { q1: 1e308, p: 10.0, l: 1.0, ..PrivateCaches::DEFAULT };
    assert_eq!(theory(|m| m.qp_bound(&caches)), of(Fault::Overflow, ""));
    let traffic = MemoryTime { alpha: 1e200, d: 1e200, q: 0.0, l: 0.0, beta: 1.0 };
    assert_eq!(theory(|m| m.t_mem(&traffic)), of(Fault::Overflow, ""));
    let machine = Balance { p: 1e300, c0: 1e300, beta: 1.0, alpha: 0.0, l: 1.0, q: 1.0, w: 1.0, d: 1.0 };
    assert_eq!(theory(|m| m.balance(&machine)), of(Fault::Overflow, ""));
    // A count of points that is no integer any more.
    let boxes = Ulist { kappa: 1.0, q: 1.0, balance: 1e300, ..Ulist::DEFAULT };
    assert_eq!(theory(|m| m.ulist(&boxes)), of(Fault::Overflow, ""));
    let edge = Ulist { kappa: 1.0, q: 1.0, balance: 2f64.powi(53) / 464.0, ..Ulist::DEFAULT };
    assert_eq!(theory(|m| m.ulist(&edge)), of(Fault::Overflow, ""));
    assert_eq!(theory(|m| m.ulist(&Ulist { balance: 0.9 * edge.balance, ..edge })), None);
}
