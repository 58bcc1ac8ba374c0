        /// The call that a step of a vector says.
        ///
        /// # Errors
        /// A step that does not have the form of the vectors.
        pub fn read(op: &str, step: &Value) -> Result<Self> {
            Ok(match op {
{read}                _ => bail!("event `{op}` is not part of this machine"),
            })
        }

