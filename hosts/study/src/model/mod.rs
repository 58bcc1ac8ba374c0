//! `gpusched model`: a kernel's time from its counters, what bounds it, what each kind of optimisation could gain, and where it lies
//! under its machine's roofline. The counters come from a file, or from a run on the reference GPU.

pub mod estimate;
mod file;
pub mod on_gpu;

use crate::ask::Model;
use crate::failure::Failure;
use crate::output::{self, Folder};
use anyhow::anyhow;
use estimate::Estimate;

/// Text of `model`.
pub fn run(args: &Model) -> Result<String, Failure> {
    let asked = match &args.file {
        // clap asks for one of them.
        None => on_gpu::of(args.input.workload(args.from_run)?, args)?,
        Some(file) => {
            let of_run = [args.machine.first_given(), args.input.first_given(), args.kernel.first_given()];
            let given = of_run.into_iter().flatten().next();
            given.map_or(Ok(()), |option| Err(Failure::Usage(anyhow!("{option} needs --from-run or --trace"))))?;
            file::read(file)?
        }
    };
    if args.toml {
        return file::text(&asked);
    }
    let estimate = Estimate::of(asked)?;
    let folder = Folder::open(&args.out)?.with_png(args.pictures.png)?;
    let pictures = [("roofline", estimate.roofline_svg()?), ("benefits", estimate.benefits_svg()?)];
    let mut written = Vec::new();
    for (what, picture) in pictures.into_iter().filter_map(|(what, picture)| Some((what, picture?))) {
        written.extend(folder.draw(&format!("model-{}-{what}", estimate.file_part()), &picture)?);
    }
    output::answer((args.json, args.quiet), &written, || estimate.text(), || estimate.json())
}
