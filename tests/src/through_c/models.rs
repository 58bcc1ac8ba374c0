//! The analytical models as a C program has them.

use std::ffi::{CStr, c_char};
use std::ptr;

use gpusched::Fault;
use gpusched::models::exec::{ExecConfig, ExecEstimate, ExecInputs};
use gpusched::models::monte::{Extreme, MonteConfig, Order, SiteTally};
use gpusched::models::theory::{
    Balance, Balanced, Bound, Brent, Inefficiency, MatmulIo, MemoryTime, PrivateCaches, PrivateMisses, ReductionIo,
    ReductionTree, Roofline, Ulist, UlistEstimate,
};
use gpusched::models::wfg::{Arc, Dependence, Graph, WfgConfig, WorkFlow};
use gpusched_abi::models::exec::*;
use gpusched_abi::models::monte::gpusched_monte;
use gpusched_abi::models::monte::{build::*, config::*, image::*, query::*, verbs::*};
use gpusched_abi::models::theory::*;
use gpusched_abi::models::wfg::*;
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Object, done, fault};
use super::records::{flag, one_of};
use crate::models::monte::{Event, Level, Machine, Trace, View, slots};
use crate::models::{Models, Refused};

/// The functions of C.
pub struct ThroughC;

/// The answer of a function that tells the field to blame.
fn ask<V: Default>(call: impl Fn(*mut V, *mut *const c_char) -> Status) -> Result<V, Refused> {
    let mut value = V::default();
    let mut field = c"not written".as_ptr();
    let status = call(&mut value, &mut field);
    // Without being told the field it answers the same.
    assert_eq!(call(&mut V::default(), ptr::null_mut()), status);
    // SAFETY: a field that is told is a static string.
    let field = (!field.is_null()).then(|| unsafe { CStr::from_ptr(field) }.to_str().expect("a name").to_owned());
    match status {
        Status::Ok => {
            assert_eq!(field, None);
            Ok(value)
        }
        refused => Err(Refused { fault: fault(refused), field }),
    }
}

impl Models for ThroughC {
    fn exec(&self, config: &ExecConfig, inputs: &ExecInputs) -> Result<ExecEstimate, Refused> {
        let inputs = gpusched_exec_inputs::of(config, inputs);
        // SAFETY: all pointers are of living values.
        let of: gpusched_exec_estimate = ask(|to, field| unsafe { gpusched_exec_eval(&inputs, to, field) })?;
        Ok(ExecEstimate {
            itilp_max: of.itilp_max,
            itilp: of.itilp,
            w_parallel: of.w_parallel,
            f_sync: of.f_sync,
            o_sync: of.o_sync,
            f_sfu: of.f_sfu,
            o_sfu: of.o_sfu,
            w_serial: of.w_serial,
            t_comp: of.t_comp,
            avg_dram_lat: of.avg_dram_lat,
            amat: of.amat,
            comp_cycles: of.comp_cycles,
            mem_cycles: of.mem_cycles,
            cwp_full: of.cwp_full,
            cwp: of.cwp,
            bw_per_warp: of.bw_per_warp,
            mwp_peak_bw: of.mwp_peak_bw,
            mwp: of.mwp,
            mwp_cp: of.mwp_cp,
            itmlp: of.itmlp,
            t_mem: of.t_mem,
            f_overlap: of.f_overlap,
            t_overlap: of.t_overlap,
            t_exec: of.t_exec,
            t_fp: of.t_fp,
            t_mem_min: of.t_mem_min,
            b_itilp: of.b_itilp,
            b_serial: of.b_serial,
            b_fp: of.b_fp,
            b_memlp: of.b_memlp,
        })
    }

    fn roofline(&self, peak: f64, bw: f64, intensity: f64) -> Result<Roofline, Refused> {
        // SAFETY: as in `exec`; so are those below.
        let of: gpusched_theory_roof =
            ask(|to, field| unsafe { gpusched_theory_roofline(peak, bw, intensity, to, field) })?;
        let bounds = [
            (gpusched_theory_bound::Compute as u32, Bound::Compute),
            (gpusched_theory_bound::Memory as u32, Bound::Memory),
        ];
        Ok(Roofline { attainable: of.attainable, ridge: of.ridge, bound: one_of(of.bound, &bounds) })
    }

    fn brent(&self, w: f64, d: f64, p: f64) -> Result<Brent, Refused> {
        let of: gpusched_theory_brent_time = ask(|to, field| unsafe { gpusched_theory_brent(w, d, p, to, field) })?;
        Ok(Brent { t: of.t, parallelism: of.parallelism, speedup: of.speedup })
    }

    fn inefficiency(&self, p: f64, eps: f64) -> Result<Inefficiency, Refused> {
        let of: gpusched_theory_speed = ask(|to, field| unsafe { gpusched_theory_inefficiency(p, eps, to, field) })?;
        Ok(Inefficiency { speedup: of.speedup, matches_sequential: flag(of.matches_sequential) })
    }

    fn reduction_tree(&self, n: u64) -> Result<ReductionTree, Refused> {
        let of: gpusched_theory_tree = ask(|to, field| unsafe { gpusched_theory_reduction_tree(n, to, field) })?;
        Ok(ReductionTree { work: of.work, depth: of.depth })
    }

    fn reduction_io(&self, n: u64, z: u64, l: u64) -> Result<ReductionIo, Refused> {
        let of: gpusched_theory_reduction =
            ask(|to, field| unsafe { gpusched_theory_reduction_io(n, z, l, to, field) })?;
        let gpusched_theory_reduction { q, w_printed, w_partial, w_total, i_printed, i_partial, i_total } = of;
        Ok(ReductionIo { q, w_printed, w_partial, w_total, i_printed, i_partial, i_total })
    }

    fn matmul_io(&self, n: f64, z: f64, l: f64) -> Result<MatmulIo, Refused> {
        let of: gpusched_theory_matmul = ask(|to, field| unsafe { gpusched_theory_matmul_io(n, z, l, to, field) })?;
        let gpusched_theory_matmul { b, q_naive, q_order, i_order, q_blocked } = of;
        Ok(MatmulIo { b, q_naive, q_order, i_order, q_blocked: (b > 0).then_some(q_blocked) })
    }

    fn qp_bound(&self, of: &PrivateCaches) -> Result<PrivateMisses, Refused> {
        let &PrivateCaches { q1, p, z, d, l, c } = of;
        let of = gpusched_theory_private { q1, p, z, d, l, c };
        let of: gpusched_theory_misses = ask(|to, field| unsafe { gpusched_theory_qp_bound(&of, to, field) })?;
        Ok(PrivateMisses { bound: of.bound, naive: of.naive })
    }

    fn t_mem(&self, of: &MemoryTime) -> Result<f64, Refused> {
        let &MemoryTime { alpha, d, q, l, beta } = of;
        let of = gpusched_theory_traffic { alpha, d, q, l, beta };
        ask(|to, field| unsafe { gpusched_theory_t_mem(&of, to, field) })
    }

    fn balance(&self, of: &Balance) -> Result<Balanced, Refused> {
        let &Balance { p, c0, beta, alpha, l, q, w, d } = of;
        let of = gpusched_theory_machine { p, c0, beta, alpha, l, q, w, d };
        let of: gpusched_theory_balanced = ask(|to, field| unsafe { gpusched_theory_balance(&of, to, field) })?;
        let gpusched_theory_balanced { machine_balance, intensity, lhs, rhs, t_comp, t_mem, .. } = of;
        let (kung, printed, exact) = (flag(of.kung), flag(of.printed), flag(of.exact));
        Ok(Balanced { machine_balance, intensity, lhs, rhs, t_comp, t_mem, kung, printed, exact })
    }

    fn ulist(&self, of: &Ulist) -> Result<UlistEstimate, Refused> {
        let &Ulist { kappa, q, balance, dims, words_per_point, bytes_per_word } = of;
        let of = gpusched_theory_boxes { kappa, q, balance, words_per_point, bytes_per_word, dims, reserved: 7 };
        let of: gpusched_theory_ulist_estimate = ask(|to, field| unsafe { gpusched_theory_ulist(&of, to, field) })?;
        let gpusched_theory_ulist_estimate { neighbours, words_per_target, bytes_per_target, z_words, .. } = of;
        let gpusched_theory_ulist_estimate { i_printed, i_exact, q_printed, q_exact, .. } = of;
        Ok(UlistEstimate {
            neighbours,
            words_per_target,
            bytes_per_target,
            z_words,
            i_printed,
            i_exact,
            q_printed,
            q_exact,
        })
    }

    fn wfg(&self, config: &WfgConfig, graph: &Graph<'_>) -> Result<WorkFlow, Refused> {
        let config = gpusched_wfg_config::of(config);
        let (nodes, arcs, deps) = c_wfg_graph(graph);
        let graph = gpusched_wfg_graph {
            nodes: nodes.as_ptr(),
            node_count: nodes.len(),
            arcs: arcs.as_ptr(),
            arc_count: arcs.len(),
            deps: deps.as_ptr(),
            dep_count: deps.len(),
        };
        let of: gpusched_wfg_flow = ask(|to, field| unsafe { gpusched_wfg_eval(&config, &graph, to, field) })?;
        let gpusched_wfg_flow { comp, mem, stall, span, time, warps_to_hide, balanced, .. } = of;
        Ok(WorkFlow { comp, mem, stall, span, time, warps_to_hide, balanced: flag(balanced) })
    }
}

/// Nodes, arcs and dependences as a C program has them.
#[must_use]
pub fn c_wfg_graph(graph: &Graph<'_>) -> (Vec<gpusched_wfg_node>, Vec<gpusched_wfg_arc>, Vec<gpusched_wfg_dependence>) {
    // An index that C cannot tell is beyond every graph.
    let index = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    let arc = |arc: &Arc| gpusched_wfg_arc { fraction: arc.fraction, from: index(arc.from), to: index(arc.to) };
    let dep = |dep: &Dependence| gpusched_wfg_dependence { from: index(dep.from), to: index(dep.to) };
    (
        graph.nodes.iter().map(gpusched_wfg_node::from).collect(),
        graph.arcs.iter().map(arc).collect(),
        graph.deps.iter().map(dep).collect(),
    )
}

// ---- the stochastic memory hierarchy

const PICK: [(u32, Order); 2] = [
    (gpusched_monte_order::UniformWarp as u32, Order::UniformWarp),
    (gpusched_monte_order::Weighted as u32, Order::Weighted),
];

fields! {
    gpusched_monte_config: put_monte, get_monte = MonteConfig;
    numbers sms l1_sets l1_ways l1_line l2_sets l2_ways l2_line bins tol_permille max_requests sites;
    choices pick PICK;
    flags l1_store_alloc
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_monte_config(config: &MonteConfig) -> gpusched_monte_config {
    let mut c = gpusched_monte_config { struct_size: size_of::<gpusched_monte_config>() as u32, ..Default::default() };
    put_monte(&mut c, config);
    c
}

/// A hierarchy in a block, reached through C functions only.
pub struct Monte {
    object: Object<gpusched_monte>,
    config: MonteConfig,
}

impl Monte {
    /// A hierarchy of a configuration.
    ///
    /// # Errors
    /// Why the library refuses the configuration.
    ///
    /// # Panics
    /// If the configuration that the object tells is not the one it was given.
    pub fn new(config: &MonteConfig) -> Result<Self, Status> {
        let given = c_monte_config(config);
        let object = Object::new(&given, gpusched_monte_layout, gpusched_monte_init)?;
        let mut told = c_monte_config(&MonteConfig::GTX480);
        // SAFETY: both live.
        let status = unsafe { gpusched_monte_get_config(object.c(), &mut told, size_of_val(&given)) };
        assert_eq!((status, told), (Status::Ok, given));
        Ok(Self { object, config: *config })
    }

    /// The object's image.
    ///
    /// # Panics
    /// If it cannot be saved.
    #[must_use]
    pub fn image(&self) -> Vec<u8> {
        expect(self.object.image(gpusched_monte_save, gpusched_monte_image_size))
    }

    /// Makes the object what the saved one was.
    ///
    /// # Errors
    /// Why the image is refused.
    pub fn restore(&mut self, image: &[u8]) -> Result<(), Status> {
        self.object.restore(gpusched_monte_restore, image)
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &Event) -> Result<(), Status> {
        let monte = self.object.c();
        // SAFETY: all pointers are of living values.
        done(unsafe {
            match event {
                Event::Simulate { trace, runs, seed } => {
                    in_c(trace, slots(trace), |trace| gpusched_monte_simulate(monte, trace, *runs, *seed))
                }
                Event::Start { seed } => gpusched_monte_start(monte, *seed),
                Event::Run { trace, slots: given } => {
                    in_c(trace, given.unwrap_or(slots(trace)), |trace| gpusched_monte_run(monte, trace))
                }
            }
        })
    }

    fn level(&self, level: u32) -> Level {
        let of: gpusched_monte_tally = expect(self.object.row(gpusched_monte_level, level));
        let extreme = |hits, loads| (loads > 0).then_some(Extreme { hits, loads });
        Level {
            loads: of.loads,
            hits: of.hits,
            hist: self.object.list_of(gpusched_monte_histogram, level),
            empty: of.empty,
            min: extreme(of.min_hits, of.min_loads),
            max: extreme(of.max_hits, of.max_loads),
            mode: of.mode,
            reliable: flag(of.reliable),
        }
    }
}

/// A trace as a C program has it.
fn in_c<V>(trace: &Trace, slots: usize, call: impl FnOnce(&gpusched_monte_trace) -> V) -> V {
    let request = |of: &gpusched::models::monte::Request| gpusched_monte_request {
        address: of.address,
        site: of.site.into(),
        store: of.store.into(),
    };
    let requests: Vec<Vec<_>> = trace.iter().map(|(_, requests)| requests.iter().map(request).collect()).collect();
    let warp = |(of, &(sm, _)): (&Vec<_>, &(u32, _))| gpusched_monte_warp {
        requests: if of.is_empty() { ptr::null() } else { of.as_ptr() },
        count: of.len(),
        sm,
        reserved: 7,
    };
    let warps: Vec<_> = requests.iter().zip(trace).map(warp).collect();
    // What is in scratch memory must not matter.
    let mut scratch = vec![gpusched_monte_slot { opaque: [0xa5a5_a5a5_a5a5_a5a5; 3] }; slots];
    call(&gpusched_monte_trace {
        warps: if warps.is_empty() { ptr::null() } else { warps.as_ptr() },
        count: warps.len(),
        scratch: if scratch.is_empty() { ptr::null_mut() } else { scratch.as_mut_ptr() },
        slots,
    })
}

impl Machine for Monte {
    type Mark = (View, Vec<u8>);

    fn take(&mut self, event: &Event) -> Result<(), Fault> {
        self.call(event).map_err(fault)
    }

    fn view(&self) -> View {
        let of: gpusched_monte_summary = self.object.ask(gpusched_monte_get_summary);
        let site = |site| {
            let of: gpusched_monte_site = expect(self.object.row(gpusched_monte_get_site, site));
            let gpusched_monte_site { l1_loads, l1_hits, l2_loads, l2_hits } = of;
            SiteTally { l1_loads, l1_hits, l2_loads, l2_hits }
        };
        View {
            seed: of.seed,
            runs: of.runs,
            l1: self.level(1),
            l2: self.level(2),
            stores: of.stores,
            sites: (0..self.config.sites).map(site).collect(),
        }
    }

    fn mark(&self) -> Self::Mark {
        (self.view(), self.image())
    }

    fn rng(&self, seed: u64, run: u32, n: usize, below: Option<u64>) -> Vec<u64> {
        let mut numbers = vec![9; n];
        // SAFETY: the numbers live.
        let status = unsafe { gpusched_monte_rng(seed, run, below.unwrap_or(0), numbers.as_mut_ptr(), n) };
        assert_eq!(status, Status::Ok);
        numbers
    }
}

/// The configuration of the object that an image was made of.
///
/// # Errors
/// Why the image is refused.
pub fn monte_image_config(image: &[u8]) -> Result<MonteConfig, Status> {
    let told = object::image_config(gpusched_monte_image_config, image, c_monte_config(&MonteConfig::GTX480))?;
    Ok(get_monte(&told))
}
