/// A machine on tables that lie behind it in the caller's block.
pub(crate) type Object = {O}<SliceTables<'static>>;

impl Machine for Object {
    type Opaque = gpusched_{m};
    const KIND: u16 = {kind};
    type Config = {Config};

    fn tables(config: &{Config}) -> impl Iterator<Item = Option<Layout>> {
        TableSizes::of(config).layouts()
    }

    fn build(config: &{Config}, arena: &mut Arena) -> Result<Self, Status> {
        let tables = TableSet::take_from(arena, &TableSizes::of(config)).ok_or(Status::StorageTooSmall)?;
        Ok(Self::with_tables(config, tables)?)
    }
}
