use super::*;
use crate::functional::{Tally, Turns, finished, run_in_turns};
use gpusched_refgpu::program::Class;

fn options(points: u32, spread: Spread) -> FftOptions {
    FftOptions { points, spread, ..FftOptions::default() }
}

fn run(options: FftOptions, room: usize, turns: Turns) -> (Fft, Tally) {
    let (fft, tally) = finished(Fft::new(options), room, turns);
    assert_eq!(tally.load_waits, 0);
    (fft, tally)
}

#[test]
fn grid_and_loops_of_any_number_of_threads_give_the_transform() {
    for points in [64, 128, 2048] {
        let (grid, _) = run(options(points, Spread::Grid), 3, Turns::Together);
        let sum = grid.check().unwrap();
        for threads in [1, 31, 32, 100, 128, 1000, 1024] {
            for turns in [Turns::FirstAhead, Turns::LastAhead] {
                let (looped, _) = run(options(points, Spread::Loop(threads)), 1, turns);
                assert_eq!(looped.check(), Ok(sum), "{points} points, {threads} threads");
            }
        }
    }
}

#[test]
fn a_pure_tone_has_one_line() {
    let mut fft = Fft::new(options(256, Spread::Grid)).unwrap();
    let tone = |part: fn(Complex) -> f64| (0..256).map(|j| part(Roots::new(256).get(7 * j % 256)) as f32).collect();
    fft.data = [tone(|root| root.re), tone(|root| -root.im)];
    run_in_turns(&mut fft, 1, Turns::Together);
    let power = |k: usize| fft.values().iter().map(|part| part[k] * part[k]).sum::<f32>();
    assert!((power(7) - 65536.0).abs() < 1.0);
    assert!((0..256).filter(|&k| k != 7).all(|k| power(k) < 1e-3));
}

#[test]
fn a_pass_is_the_sheets_list() {
    let (_, tally) = run(options(1 << 11, Spread::Grid), 9, Turns::Together);
    let warps = 11 * 1024 / 32;
    let counts = [Class::Int, Class::LoadGlobal, Class::Fp, Class::StoreGlobal].map(|class| tally.of(class) / warps);
    assert_eq!(counts, [6, 6, 10, 4]);
    let (_, tally) = run(options(1 << 11, Spread::Loop(128)), 9, Turns::Together);
    let counts = [Class::Int, Class::LoadGlobal, Class::Fp, Class::StoreGlobal].map(|class| tally.of(class) / warps);
    assert_eq!(counts, [6 + 2, 6, 10, 4]);
    assert_eq!(tally.kernels.len(), 11);
    assert!(tally.kernels.iter().all(|k| (k.grid.x, k.tb.x, k.regs) == (1, 128, 16 * 128)));
}

#[test]
fn data_is_coalesced_and_roots_are_shared_by_and_by() {
    let (_, tally) = run(options(1 << 11, Spread::Grid), 9, Turns::Together);
    // A store of two results that are s apart, from groups of s that are 2s apart: two lines up to s = 16.
    assert_eq!(tally.transactions_each(Class::StoreGlobal), (5.0 * 2.0 + 6.0) / 11.0);
    // All loads touch one line; the roots of a warp are never farther than 32 words apart.
    assert_eq!(tally.transactions_each(Class::LoadGlobal), 1.0);
}

#[test]
fn wrong_values_are_found_with_their_place() {
    let (fft, _) = run(options(512, Spread::Grid), 2, Turns::Together);
    for (part, k, place) in [(0, 3, "re[3]"), (1, 63, "im[63]"), (0, 64, "re[64]"), (1, 511, "im[511]")] {
        for wrong in [fft.data[part][k] + 0.1, f32::NAN] {
            let mut fft = fft.clone();
            fft.data[part][k] = wrong;
            assert_eq!(fft.check().unwrap_err().place, place);
        }
    }
    let unfinished = Fft::new(options(512, Spread::Grid)).unwrap();
    assert_eq!(unfinished.check().unwrap_err().place, "re[0]");
}

#[test]
fn both_references_agree() {
    let [re, im] = input(&options(256, Spread::Grid));
    let input: Vec<_> = re.iter().zip(&im).map(|(&re, &im)| Complex { re: re.into(), im: im.into() }).collect();
    for (a, b) in reference::first_by_definition(&input).iter().zip(reference::transform(&input)) {
        assert!((a.re - b.re).abs() < 1e-10 && (a.im - b.im).abs() < 1e-10);
    }
}

#[test]
fn seeds_change_the_input_and_bad_options_are_refused() {
    let sum = |seed| {
        let options = FftOptions { seed, ..options(64, Spread::Grid) };
        run(options, 1, Turns::Together).0.check().unwrap().checksum
    };
    assert_ne!(sum(1), sum(2));
    for points in [0, 32, 96, 1000, 1 << 23] {
        assert_eq!(
            Fft::new(options(points, Spread::Grid)).unwrap_err().to_string(),
            format!("option `points`: expected a power of two from 64 to 2^22, found {points}")
        );
    }
    assert!(Fft::new(options(64, Spread::Loop(0))).unwrap_err().to_string().contains("`spread`"));
    assert!(toml::from_str::<FftOptions>("point = 64").is_err());
    assert_eq!(toml::from_str::<FftOptions>("").unwrap(), FftOptions::default());
}
