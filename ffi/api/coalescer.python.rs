    /// The transactions of an access of size bytes for each lane of mask, an address per lane; whether it is coalesced, and the segments.
    fn access<'py>(
        &self,
        py: Python<'py>,
        mask: u64,
        addresses: Vec<u64>,
        size: u32,
    ) -> PyResult<Bound<'py, PyAny>> {
        let mut segments = Segments::default();
        let machine = Coalescer::new(&self.machine).map_err(refused)?;
        let is_coalesced = machine.access(mask, &addresses, size, &mut segments).map_err(refused)?;
        told(py, &(is_coalesced, segments.as_slice()))
    }
