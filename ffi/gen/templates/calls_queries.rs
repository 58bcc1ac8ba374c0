/// What shows its state: the core, or the C face of it.
pub trait Queries {
    /// The configuration.
    fn config(&self) -> {Config};
{asked}}

impl{<T: Tables>} Queries for {O}{<T>} {
    fn config(&self) -> {Config} {
        {config}
    }
{told}}

