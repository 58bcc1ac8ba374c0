//! Examples for the help texts, of which a test looks that they are accepted.

pub const EXAMPLES: &str = "\
Examples:
  gpusched                                        BFS on the WordNet graph, five ways
  gpusched --graph kron:14 --modes flat,dtbl      two ways, on a generated graph
  gpusched run --mode dtbl --graph road.mtx       one way, on a graph of yours
  gpusched --set dtbl.agt_size=512 --set bfs.min_child=16
  gpusched compare bfs --graph cit:32768 --json > result.json
  gpusched graph info kron:14
  gpusched graph check tasks.dot
  gpusched compare kmeans
  gpusched rank
  gpusched kernels
  gpusched model --from-run lbm
  gpusched replay-log run.log
  gpusched config show --gpu gtx480 --toml > mine.toml

Exit status: 0 done and verified, 1 failed, 2 wrong arguments, 130 interrupted.";

pub const COMPARE_EXAMPLES: &str = "\
Examples:
  gpusched compare --graph kron:14
  gpusched compare bfs --modes flat,cdp,dtbl --set bfs.flat=merrill
  gpusched compare sssp --graph flight:3400
  gpusched compare clr --graph cage:32768 --set clr.min_child=16 --set clr.cover=all
  gpusched compare join --keys gauss
  gpusched compare amr --set amr.side=16
  gpusched compare bht --set bht.bodies=512 --modes flat,cdp,dtbl
  gpusched compare pre --set pre.users=32
  gpusched compare regx --streams packets:8
  gpusched compare --graph cit:8192 --sched rr,tb-pri,smx-bind,adaptive-bind
  gpusched compare --graph cit:8192 --sched fcfs,most-room,adaptive-bind --seeds 20
  gpusched compare sssp --modes dtbl --sched fcfs,bcs:block=4 --sources 20
  gpusched compare --graph cit:8192 --modes dtbl --sched adaptive-bind --power bubble --transition 20
  gpusched compare --graph copter2.graph --gpu mine.toml --out results
  gpusched compare gemm --tiles 43x4
  gpusched compare heat2d
  gpusched compare int_img --tiles 32 --versions global,lrr,lvl --bound 2
  gpusched compare kmeans --sm lrr,gto,equalizer-perf,equalizer-energy,mascar,apogee
  gpusched compare pair BLK STC
  gpusched compare lbm --sm lrr,mem-high,equalizer-perf --gpu gtx480_equalizer --scale 2";

pub const RUN_EXAMPLES: &str = "\
Examples:
  gpusched run bfs --mode dtbl --graph cit:32768
  gpusched run --mode cdp --graph road.mtx.gz --source 17 --json
  gpusched run sssp --graph prices.csv --weight-scale 100
  gpusched run clr --graph links.txt --undirected
  gpusched run join --keys orders.txt,lines.txt
  gpusched run amr --mode dtbl --set amr.side=16 --sched adaptive-bind
  gpusched run regx --streams string:64,64 --mode dtbl
  gpusched run --graph kron:8 --sched adaptive-bind --gantt tbs.svg
  gpusched run --graph kron:8 --sched most-room --log most-room.log
  gpusched run sssp --graph kron:8 --results distances.csv
  gpusched run gemm --dispatch stream-k --tiles 67x26 --gpu h100-sxm
  gpusched run heat2d --version lvl --tiles 96 --launch-scale 16
  gpusched run spmv --sm mascar --set mascar.rexq=16
  gpusched run fmm --gpu c1060 --set fmm.shmem=true --set fmm.ujam=2
  gpusched run --trace traces/kernelslist.g --gpu v100 --sched most-room
  gpusched run bfs --mode flat --graph kron:10 --export-trace traces/bfs";

pub const TIMELINE_EXAMPLES: &str = "\
Examples:
  gpusched timeline bfs --mode dtbl --graph kron:8
  gpusched timeline --mode cdp --graph cit:512 --sched adaptive-bind --perfetto children.json --vcd children.vcd
  gpusched timeline heat2d --version lvl --tiles 32 --perfetto tiles.json
  gpusched timeline --set bubble.enabled=true --vcd states.vcd
  gpusched timeline --trace traces/kernelslist.g --gpu v100
  gpusched timeline pair BLK STC --policies static,bypass --perfetto pair.json

It does and prints what run does with the same options. Open the .json at https://ui.perfetto.dev, which keeps it on your computer, or at
chrome://tracing; the .vcd with GTKWave, Surfer or any other waveform viewer. A run that fails leaves what happened until then.";

pub const CLUSTER_EXAMPLES: &str = "\
Examples:
  gpusched clusters
  gpusched clusters --gpu h200 --sizes 3,6,12 --smem 65536
  gpusched clusters --set sm.topology=h100_sxm --set cluster.fill=pack";

pub const CHAIN_EXAMPLES: &str = "\
Examples:
  gpusched chain
  gpusched chain --kernels 1000 --waves 0.05 --cycles 2000
  gpusched chain --prologue 0.3 --trigger 0.7 --waves 0.9,1.1";

pub const MICROBENCH_EXAMPLES: &str = "\
Examples:
  gpusched microbench --gpu v100
  gpusched microbench --gpu a100 --set l2.hit_latency=80";

pub const STUDY_EXAMPLES: &str = "\
Examples:
  gpusched study run groups.toml
  gpusched study list groups.toml
  gpusched study run groups.toml --part 3/8 -q
  gpusched study table groups.toml --json > groups.jsonl
  gpusched study report groups.toml

groups.toml, for one:
 metric = \"cycles\"
 base = { mode = \"dtbl\" }
 mean_over = [\"graph\"]

 [[runs]]
 workload = [\"bfs\", \"sssp\"]
 graph = [\"cit:4096\", \"kron:12\"]
 mode = [\"dtbl\", \"dtbli\"]
 set = { \"dtbl.agt_size\" = [64, 1024] }";

pub const SPEED_EXAMPLES: &str = "\
Examples:
  gpusched speed
  gpusched speed --workloads bfs,gemm,lbm --gpu h100-sxm --repeat 5
  gpusched speed --curve
  gpusched speed --curve sms,launches --json";

pub const DEMO_EXAMPLES: &str = "\
Examples:
  gpusched demo laperm
  gpusched demo wavefront --out pictures";

pub const FOOTPRINT_EXAMPLES: &str = "\
Examples:
  gpusched footprint
  gpusched footprint join --keys gauss
  gpusched footprint bfs --graph cit:32768 --set bfs.min_child=16";

pub const GRAPH_EXAMPLES: &str = "\
Examples:
  gpusched graph info
  gpusched graph info kron:14,16,seed=2:3
  gpusched graph info copter2.graph.gz";

pub const CONFIG_EXAMPLES: &str = "\
Examples:
  gpusched config show
  gpusched config show --gpu gtx480 --set l1.mshrs=64
  gpusched config show --toml > mine.toml; gpusched --gpu mine.toml

Labels: paper = one of the sources, vendor = the vendor's documents, measured = on a device, by whom it says,
public = other public data, inferred = by arithmetic from such, ours = chosen here,
set = changed by you.";

pub const CHECK_EXAMPLES: &str = "\
Examples:
  gpusched graph check tasks.dot
  gpusched graph check tasks.csv.gz --dgb 256,1024,64 --policy lvl:3
  gpusched graph check barrier:32x8 --spill
  gpusched graph check wavefront:128x128 --tb-threads 192 --tb-cycles 3000-7000 --memory-cycles 400
  gpusched graph check wavefront:6x4 --dot levels.dot --json

A graph is an edge list with the linear indices of TBs from 0 (a TB alone on a line has no dependency there), or a digraph in the
language of Graphviz, whose names may be any. An edge leads from the TB that is waited for to the one that waits.";

pub const LOG_EXAMPLES: &str = "\
Examples:
  gpusched replay-log run.log
  gpusched replay-log run.log.gz --gantt tbs.svg --from 10000 --to 12000
  gpusched replay-log stock.log laperm.log
  gpusched replay-log before.log after.log --json --quiet > difference.json
  gpusched replay-log gpu.log --against most-room
  gpusched replay-log gpu.log --against leftover-tbs:prio_first=true --partings 3

A log is what the adapter for GPGPU-Sim, the probe of a real GPU and run --log write; hosts/gpgpu-sim/docs/log.md has its format.
Of two logs the decisions are compared, cycles included. A kernel is known by who launched it: the host's third, or the second
of TB 5 of that one. A policy is asked about each TB by itself, of the state that the log has led to.

Exit status of two logs, or a log and a policy: 0 equal, 1 different, 2 trouble, 130 interrupted.";

pub const MODEL_EXAMPLES: &str = "\
Examples:
  gpusched model kernel.toml
  gpusched model --from-run lbm --scale 2
  gpusched model --from-run lbm --toml > kernel.toml
  gpusched model --from-run bfs --graph cit:8192 --json

A file has what Table 4.1 of the model's source lists: a section [inputs] with insts, mem_insts, total_warps, active_sms, n,
avg_inst_lat, dram_lat, delta, freq (GHz), mem_peak_bw (GB/s) and what else is known; before it, if you like, name, size_unit
(literal or bytes) and clamp_bfp.";

pub const REPRODUCE_EXAMPLES: &str = "\
Examples:
  gpusched reproduce equalizer
  gpusched reproduce mascar --kernels kmeans-1,lbm --scale 2 --json
  gpusched reproduce apogee
  gpusched reproduce tlp
  gpusched reproduce models
  gpusched reproduce fmm
  gpusched reproduce dtbl --figures 21
  gpusched reproduce wireframe --full --out full
  gpusched reproduce all --quick --json > all.json
  gpusched reproduce all --quick --report all.html";

pub const KERNEL_EXAMPLES: &str = "\
Examples:
  gpusched kernels
  gpusched kernels lbm > mine.toml
  gpusched calibrate lbm";

pub const RANK_EXAMPLES: &str = "\
Examples:
  gpusched rank
  gpusched rank --sched fcfs,most-room,bcs:block=4,adaptive-bind
  gpusched rank --workloads bfs,join,heat2d,kmeans --gpu gtx480

All run at a small scale that the page states. Not all that a scheduler can do shows there: compare takes the input of your choice.";

pub const PAIR_EXAMPLES: &str = "\
Examples:
  gpusched compare pair BLK STC
  gpusched compare pair LBM BKP --policies leftover,static,dynamic --scale 2
  gpusched compare pair SPM KMS --set tlp.order=bypass_first --set tlp.hold_on_equal=true";

pub const POOL_EXAMPLES: &str = "\
Examples:
  gpusched pool BLK BKP LBM STC
  gpusched pool HST SRD SPM LBM STC --policies leftover,bypass --json";

pub const SWEEP_EXAMPLES: &str = "\
Examples:
  gpusched sweep BLK
  gpusched sweep spmv --scale 2 --json";

pub const TRACE_EXAMPLES: &str = "\
Examples:
  gpusched trace info traces/vectoradd
  gpusched trace info kernel-1.traceg.xz --opcodes 30
  gpusched trace info traces/bfs/kernelslist.g --json --quiet > bfs.json

Traces are those of the tracer of Accel-Sim, versions 3 to 6, as text, packed or not, or in its own packed form (.tracez).";

pub const COMPLETIONS_EXAMPLES: &str = "\
Examples:
  gpusched completions bash > ~/.local/share/bash-completion/completions/gpusched
  gpusched completions zsh > _gpusched";
