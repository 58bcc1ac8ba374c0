//! The stochastic memory hierarchy as a C program has it.

use std::ptr;

use gpusched::Fault;
use gpusched::models::monte::{Extreme, MonteConfig, Order, SiteTally};
use gpusched_abi::monte::gpusched_monte;
use gpusched_abi::monte::{build::*, config::*, image::*, query::*, verbs::*};
use gpusched_abi::status::gpusched_status as Status;

use super::config::{code, field, fields};
use super::look::expect;
use super::object::{self, Object, done, fault};
use super::records::{flag, one_of};
use crate::models::monte::{Event, Level, Machine, Trace, View, slots};

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
