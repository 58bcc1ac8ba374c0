//! The dependency-graph buffer, its graphs and their admission.

mod vectors;
