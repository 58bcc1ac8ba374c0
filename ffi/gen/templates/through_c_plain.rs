/// The functions, reached through C only.
pub struct ThroughC;

