    /// The whole state as bytes, for restore. Another version of gpusched may refuse them.
    fn save<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
{unread}        let Self { machine, .. } = self;
        let mut image = vec![0; machine.image_len()];
        machine.save(&mut image).map_err(refused)?;
        Ok(PyBytes::new(py, &image))
    }

    /// A machine that goes on exactly where the saved one stood.
    #[staticmethod]
    fn restore(image: &[u8]) -> PyResult<Self> {
        let machine = {restored}.map_err(refused)?;
        Ok(Self { machine{fields} })
    }

    fn __getstate__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        self.save(py)
    }

    fn __setstate__(&mut self, image: &[u8]) -> PyResult<()> {
        *self = Self::restore(image)?;
        Ok(())
    }

