    /// A warp has loaded: the instruction, what the cache said (hit, pending or absent), and for each active lane, ascending, a pair of its
    /// number and its address.
    fn load<'py>(
        &mut self,
        py: Python<'py>,
        now: u64,
        pc: u64,
        warp: u16,
        verdict: &Bound<'py, PyAny>,
        lanes: Vec<(u8, u64)>,
    ) -> PyResult<Bound<'py, PyAny>> {
        let access = Access { pc, warp: WarpId(warp), verdict: taken("verdict", verdict)?, lanes: Lanes::List(&lanes) };
        told(py, &self.machine.load(Cycle(now), &access, &mut ()).map_err(refused)?)
    }
