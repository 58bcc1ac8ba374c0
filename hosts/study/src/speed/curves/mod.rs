//! Host time and memory against what makes a simulation large, each on a workload that has nothing else that grows.

mod launches;
mod load;
mod trace;

use super::measure::{Bench, Cost};
use crate::ask::Curve;
use crate::failure::Failure;
use crate::input::Setup;
use gpusched_refgpu::config::GpuConfig;
use gpusched_refgpu::gpu::RunOptions;

/// Costs of one thing at several sizes.
#[derive(Debug)]
pub struct Line {
    pub name: &'static str,
    /// Sizes, ascending, with what each cost.
    pub points: Vec<(u64, Cost)>,
}

impl Line {
    /// Measures what `one` gives of each step: a size, and its cost.
    fn of(
        name: &'static str,
        steps: Vec<u32>,
        one: impl Fn(u32) -> Result<(u64, Cost), Failure>,
    ) -> Result<Self, Failure> {
        Ok(Self { name, points: steps.into_iter().map(one).collect::<Result<_, _>>()? })
    }
}

/// How much more of something there is for one more in size, from the first of these points to the last.
pub fn slope(points: &[(u64, Cost)], of: impl Fn(&Cost) -> Option<f64>) -> Option<f64> {
    let ((least, first), (most, last)) = (points.first()?, points.last()?);
    Some((of(last)? - of(first)?) / most.checked_sub(*least).filter(|&more| more > 0)? as f64)
}

/// How far each curve goes.
#[derive(Clone, Copy, Debug)]
pub struct Extent {
    /// The most SMs, and the instructions of a warp: of all SMs, of one, and on the way to full SMs.
    pub sms: u32,
    pub all_length: u32,
    pub one_length: u32,
    pub warp_length: u32,
    /// The most launches.
    pub launches: u32,
    /// The most TBs of a trace.
    pub trace_tbs: u32,
}

impl Extent {
    /// As far as the model, and patience, go.
    pub const FULL: Self = Self {
        sms: 256,
        all_length: 512,
        one_length: 1 << 14,
        warp_length: 1 << 12,
        launches: 1_000_000,
        trace_tbs: 10_000,
    };
}

/// Measures a curve. Where no kernel launches, the machine has the least number of launch records, so that their memory, which the
/// curve over launches shows, is not in the others.
pub fn measure(curve: Curve, gpu: &GpuConfig, extent: &Extent, bench: &Bench) -> Result<Vec<Line>, Failure> {
    let bare = &with(gpu, &[(RECORDS, "1")])?;
    match curve {
        Curve::Sms => load::sms(bare, extent, bench),
        Curve::Warps => load::warps(bare, extent, bench),
        Curve::Launches => launches::pending(gpu, extent, bench),
        Curve::Trace => trace::lengths(&with(bare, &[(SAMPLE, "50")])?, extent, bench),
    }
}

/// How many launches a machine has records for.
const RECORDS: &str = "dtbl.pend_limit";
/// How often memory is looked at follows from it: in the usual time a short trace would be over.
const SAMPLE: &str = "run.sample_cycles";

/// Refuses what was set of the machine and is set by a curve, or has no effect in any of them.
pub fn check(curves: &[Curve], setup: &Setup) -> Result<(), Failure> {
    setup.only_of(&[])?;
    let mut runs = Vec::new();
    for curve in curves {
        setup.leaves(sets(*curve), &format!("speed --curve {curve}"))?;
        let options = match curve {
            Curve::Launches => launches::MODES.map(RunOptions::from).to_vec(),
            _ => vec![RunOptions::default()],
        };
        runs.extend(options.into_iter().map(|options| (setup.gpu.clone(), options)));
    }
    setup.check_effect(&runs, &[])
}

/// The parameters that a curve is over, and those that would stand in its way.
const fn sets(curve: Curve) -> &'static [&'static str] {
    match curve {
        Curve::Sms => &["sm.count", "sm.topology", "dsm.enabled", RECORDS],
        Curve::Launches | Curve::Warps => &[RECORDS],
        Curve::Trace => &[RECORDS, SAMPLE],
    }
}

/// The machine with some parameters changed.
fn with(gpu: &GpuConfig, settings: &[(&str, &str)]) -> Result<GpuConfig, Failure> {
    let mut gpu = gpu.clone();
    settings.iter().try_for_each(|(key, value)| gpu.set(key, value)).map_err(|error| Failure::Usage(error.into()))?;
    Ok(gpu)
}

/// 1, and on by a factor as far as there is room, and the last itself.
fn steps(factor: u32, last: u32) -> Vec<u32> {
    let below = std::iter::successors(Some(1_u32), |at| at.checked_mul(factor)).take_while(|&at| at < last);
    below.chain([last]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use gpusched_refgpu::config::GpuConfig;

    const TINY: Extent = Extent { sms: 4, all_length: 8, one_length: 8, warp_length: 8, launches: 1000, trace_tbs: 2 };

    fn measured(curve: Curve) -> Vec<Line> {
        let bench = Bench { heap: None, repeat: 1 };
        let gpu = with(&GpuConfig::preset("k20c").unwrap(), &[("sm.count", "2")]).unwrap();
        measure(curve, &gpu, &TINY, &bench).unwrap()
    }

    fn sizes(line: &Line) -> Vec<u64> {
        line.points.iter().map(|point| point.0).collect()
    }

    /// Work grows with SMs on one line, and stays on the other, where one SM is busy.
    #[test]
    fn sms_have_the_same_work_each_or_none() {
        let [all, one] = <[Line; 2]>::try_from(measured(Curve::Sms)).unwrap();
        assert_eq!((sizes(&all), sizes(&one)), (vec![1, 2, 4], vec![1, 2, 4]));
        let instructions = |line: &Line| line.points.iter().map(|point| point.1.instructions).collect::<Vec<_>>();
        // 64 warps on an SM, 32 on the only one that is busy; each exits once.
        assert_eq!(instructions(&all), [1, 2, 4].map(|sms| sms * 64 * 9));
        assert_eq!(instructions(&one), [32 * 9; 3]);
        assert_eq!(one.points.iter().map(|point| point.1.cycles).collect::<Vec<_>>(), [one.points[0].1.cycles; 3]);
        assert_eq!(slope(&all.points, |cost| Some(cost.instructions as f64)), Some(64.0 * 9.0));
    }

    #[test]
    fn each_sm_has_as_many_warps_as_the_curve_says() {
        let [line] = <[Line; 1]>::try_from(measured(Curve::Warps)).unwrap();
        assert_eq!(sizes(&line), [1, 2, 4, 8, 16, 32, 64]);
        assert!(line.points.iter().all(|(warps, cost)| cost.instructions == 2 * warps * 9));
    }

    /// The model counts as many launches pending at once as were asked for.
    #[test]
    fn all_launches_are_pending_at_once() {
        for line in measured(Curve::Launches) {
            assert_eq!(sizes(&line), [1, 10, 100, 1000], "{}", line.name);
        }
    }

    #[test]
    fn what_is_read_of_a_trace_is_executed() {
        let [read, executed] = <[Line; 2]>::try_from(measured(Curve::Trace)).unwrap();
        assert_eq!(sizes(&read), sizes(&executed));
        assert!(executed.points.iter().all(|(size, cost)| *size == cost.instructions && cost.cycles > 0));
        assert_eq!(sizes(&read).len(), 2);
    }
}
