//! Whatever a file holds that is read as a configuration of the reference GPU, it is one whose every part is in range, or what is wrong is
//! said; and its table says all that is needed to make it again.

#![no_main]

use gpusched_refgpu::config::GpuConfig;
use libfuzzer_sys::fuzz_target;

/// So that the fuzzer does not have to find the names of the keys: each of its lines `NUMBER WORD` sets the parameter of that number.
fn named(text: &str) -> Option<GpuConfig> {
    let mut config = GpuConfig::preset(["k20c", "gtx480", "v100", "h100-sxm"][text.len() % 4]).ok()?;
    let keys: Vec<String> = config.configured().map(|entry| entry.key).collect();
    for line in text.lines() {
        let (number, word) = line.split_once(' ')?;
        let number: usize = number.parse().ok()?;
        config.set(&keys[number % keys.len()], word).ok()?;
    }
    config.check().ok()?;
    Some(config)
}

fn is_whole(config: &GpuConfig) {
    config.front_end().check().expect("the front end of a configuration that was accepted");
    let mut again = GpuConfig::preset("k20c").expect("a preset");
    for entry in config.configured() {
        again.set(&entry.key, &entry.value).unwrap_or_else(|error| panic!("{} = {}: {error}", entry.key, entry.value));
    }
    let values = |config: &GpuConfig| config.configured().map(|entry| (entry.key, entry.value)).collect::<Vec<_>>();
    assert_eq!(values(&again), values(config));
}

fuzz_target!(|text: &str| {
    if let Ok(config) = GpuConfig::from_toml(text) {
        is_whole(&config);
    }
    if let Some(config) = named(text) {
        is_whole(&config);
    }
});
