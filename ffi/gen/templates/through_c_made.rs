impl ThroughC {
    /// Makes a call.
    ///
    /// # Errors
    /// Why it is refused, and the input to blame.
    pub fn call(&self, event: &Event) -> Result<Answer, Refusal> {
        // SAFETY: all pointers are of living values.
        Ok(unsafe {
            match event {
{calls}            }
        })
    }
}
