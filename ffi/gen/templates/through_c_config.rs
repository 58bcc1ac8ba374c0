fields! {
    gpusched_{t}_config: put, get = {Config};
    numbers {numbers};
    choices {choices};
    flags {flags}
}

/// A configuration as a C program writes it.
#[must_use]
pub fn c_config(config: &{Config}) -> gpusched_{t}_config {
    let mut c = gpusched_{t}_config { struct_size: size_of::<gpusched_{t}_config>() as u32, ..Default::default() };
    put(&mut c, config);{put_by_hand}
    c
}

/// The configuration that a C program reads.
#[must_use]
pub fn core_config(c: &gpusched_{t}_config) -> {Config} {
    {get_by_hand}
}

