impl ThroughC {
    /// Makes a call.
    ///
    /// # Errors
    /// The status of a refused call.
    pub fn call(&mut self, event: &Event{wrong}) -> Result<Answer, Status> {
        let object = {object};
        // SAFETY: all pointers are of living values.
        Ok(unsafe {
            match event {
{calls}            }
        })
    }

    /// Makes a call.
    ///
    /// # Errors
    /// The fault of a refused call.
    pub fn take(&mut self, event: &Event) -> Result<Answer, {refusal}> {
        {take}
    }
}

impl Queries for ThroughC {
    fn config(&self) -> {Config} {
        self.config
    }

{queries}}
