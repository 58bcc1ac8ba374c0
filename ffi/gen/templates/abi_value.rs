/// A machine that is one plain value.
pub(crate) type Object = {O};

impl Machine for Object {
    type Opaque = gpusched_{m};
    const KIND: u16 = {kind};
    type Config = {Config};

    fn tables(_: &{Config}) -> impl Iterator<Item = Option<Layout>> {
        core::iter::empty()
    }

    fn build(config: &{Config}, _: &mut Arena) -> Result<Self, Status> {
        Self::new(config).map_err(|error| error.fault.into())
    }
}
