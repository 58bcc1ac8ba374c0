//! A home for the core's tables on the heap, sized by the configuration at run time.
//!
//! ```
//! use gpusched::Config;
//!
//! let config = Config { pend_limit: 1 << 20, ..Config::K20C };
//! let gpu = gpusched_refgpu::tables::front_end(&config).unwrap();
//! assert!(gpu.is_idle());
//! ```

use gpusched::rows::{Age, ClassCap, HostKernel, Hwq, Kde, LaunchFifo, Record, Smx, Suspended, Tbcr};
use gpusched::{BuildError, Config, FrontEnd, TableSet, TableSizes, Tables};

/// Tables as vectors.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HeapTables;

impl Tables for HeapTables {
    type Smxs = Vec<Smx>;
    type Tbcrs = Vec<Tbcr>;
    type Hwqs = Vec<Hwq>;
    type HostKernels = Vec<HostKernel>;
    type Records = Vec<Record>;
    type FreeWords = Vec<u64>;
    type LaunchFifos = Vec<LaunchFifo>;
    type Kdes = Vec<Kde>;
    type SuspendedKernels = Vec<Suspended>;
    type Ages = Vec<Age>;
    type BlockCaps = Vec<u8>;
    type ClassCaps = Vec<ClassCap>;
}

/// A front end with exactly the rows that `config` needs.
///
/// # Errors
/// A value out of its range; nothing is allocated then.
pub fn front_end(config: &Config) -> Result<FrontEnd<HeapTables>, BuildError> {
    config.check().map_err(BuildError::Config)?;
    FrontEnd::with_tables(config, tables(config))
}

/// Tables with exactly the rows that `config`, within its ranges, needs.
#[must_use]
pub fn tables(config: &Config) -> TableSet<HeapTables> {
    let sizes = TableSizes::of(config);
    TableSet {
        smxs: vec![Smx::default(); sizes.smxs],
        tbcrs: vec![None; sizes.tbcrs],
        hwqs: vec![Hwq::default(); sizes.hwqs],
        host_kernels: vec![HostKernel::default(); sizes.host_kernels],
        records: vec![Record::default(); sizes.records],
        free_words: vec![0; sizes.free_words],
        launch_fifos: vec![LaunchFifo::default(); sizes.launch_fifos],
        kdes: vec![Kde::default(); sizes.kdes],
        suspended: vec![Suspended::default(); sizes.suspended],
        ages: vec![None; sizes.ages],
        block_caps: vec![0; sizes.block_caps],
        class_caps: vec![ClassCap::default(); sizes.class_caps],
    }
}
