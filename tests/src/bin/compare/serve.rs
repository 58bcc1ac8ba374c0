//! gpusched in Rust, in the steady state of a row.

use std::hint::black_box;
use std::io::{Write as _, stdin, stdout};

use anyhow::{Context as _, Result, anyhow, bail};
use gpusched::dats::GraphPolicy;
use gpusched::{Config, Policy, ToldPart, inline_tables, laperm};
use gpusched_tests::dats::steady as dats;
use gpusched_tests::driver::{Compiled, Driver, Plain, Recording};
use gpusched_tests::laperm::steady as bind;
use gpusched_tests::operation::{Operation, Steady};
use rustix::time::{ClockId, clock_gettime};

/// Machines for the largest rows.
const SMALL: Config = Config { pend_limit: 1 << 20, ..Config::K20C };
const LARGE: Config = Config { n_smx: 132, ..SMALL };
const SMALL_TOLD: Config = Config { policy: Policy::Told(ToldPart::CHAIN), ..SMALL };
const LARGE_TOLD: Config = Config { n_smx: 132, ..SMALL_TOLD };
const BOUND: laperm::Config = laperm::Config { smxs: 132, pool_cap: 1 << 20, ..laperm::Config::K20C };

inline_tables! {
    /// Its home.
    struct Small = SMALL;
}
inline_tables! {
    /// Its home.
    struct Large = LARGE;
}
inline_tables! {
    /// Its home.
    struct SmallTold = SMALL_TOLD;
}
inline_tables! {
    /// Its home.
    struct LargeTold = LARGE_TOLD;
}
inline_tables! {
    /// Its home.
    struct Bound: laperm = BOUND;
}

/// Homes of a million launches lie on the stack before they are where they stay. What is not touched takes no memory.
const STACK: usize = 4 << 30;

/// A machine that carries its operation out so often.
type Served = Box<dyn FnMut(u64)>;

/// The instruction counter writes down what it has counted when this is called, and begins anew.
#[inline(never)]
fn mark() {
    black_box(());
}

/// Serves rows until the input ends.
pub fn serve() -> Result<()> {
    let server = std::thread::Builder::new().stack_size(STACK).spawn(answer_all)?;
    server.join().map_err(|_| anyhow!("the server has panicked"))?
}

fn answer_all() -> Result<()> {
    let mut served: Option<Served> = None;
    for line in stdin().lines() {
        let line = line?;
        let answer = match line.split(' ').collect::<Vec<_>>()[..] {
            ["row", driver, operation, smxs, pending] => {
                drop(served.take());
                served =
                    Some(machine(driver, operation, smxs.parse()?, pending.parse()?).with_context(|| line.clone())?);
                "ready".into()
            }
            ["steps", times] => {
                let (steps, times) = (served.as_mut().context("`steps` without a row")?, times.parse()?);
                let begin = cpu_time();
                steps(times);
                (cpu_time() - begin).to_string()
            }
            // Valgrind hides what the clock is read from.
            ["count", times] => {
                let (steps, times) = (served.as_mut().context("`count` without a row")?, times.parse()?);
                mark();
                steps(times);
                mark();
                "counted".into()
            }
            _ => bail!("there is no command `{line}`"),
        };
        writeln!(stdout(), "{answer}")?;
    }
    Ok(())
}

/// Of the process, in nanoseconds.
fn cpu_time() -> i64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec * 1_000_000_000 + time.tv_nsec
}

fn machine(driver: &str, operation: &str, smxs: u32, pending: u32) -> Result<Served> {
    let told = if driver == "rust-policy" { Policy::Told(ToldPart::CHAIN) } else { Policy::FcfsRr };
    let pend_limit = (pending + 1).next_power_of_two().max(Config::K20C.pend_limit);
    let config = Config { n_smx: smxs, pend_limit, policy: told, ..Config::K20C };
    let is_small = smxs <= SMALL.n_smx;
    Ok(match (driver, operation) {
        ("plain", "bind") => {
            let pool_cap = pending.max(laperm::Config::K20C.pool_cap);
            let config = laperm::Config { smxs, pool_cap, ..laperm::Config::K20C };
            of(Box::new(bind::Steady::<Bound>::on(&config, bind::Operation::Child, pending)), bind::Steady::step)
        }
        ("plain", "dats") => {
            of(Box::new(dats::Steady::on(smxs, pending.isqrt(), GraphPolicy::Lrr)), dats::Steady::step)
        }
        ("plain", _) if is_small => front_end::<Plain<Small>>(&config, operation, pending)?,
        ("plain", _) => front_end::<Plain<Large>>(&config, operation, pending)?,
        ("recording", _) => front_end::<Recording>(&config, operation, pending)?,
        ("rust-policy", _) if is_small => front_end::<Compiled<SmallTold>>(&config, operation, pending)?,
        ("rust-policy", _) => front_end::<Compiled<LargeTold>>(&config, operation, pending)?,
        _ => bail!("there is no such row"),
    })
}

fn front_end<D: Driver + 'static>(config: &Config, operation: &str, pending: u32) -> Result<Served> {
    let on = |operation| Box::new(Steady::<D>::on(config, operation, pending));
    Ok(match operation {
        "rr" => of(on(Operation::Dispatch), Steady::step),
        "idle" => of(on(Operation::Idle), Steady::step),
        "dtbl" => of(on(Operation::Dtbl), Steady::step),
        _ => bail!("there is no such operation"),
    })
}

fn of<S: 'static>(mut steady: Box<S>, step: impl Fn(&mut S) + 'static) -> Served {
    Box::new(move |times| (0..times).for_each(|_| step(black_box(&mut *steady))))
}
