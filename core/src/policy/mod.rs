//! Which TB goes to which SMX next: at most one in a cycle, for the whole GPU (frontend-T4).
//!
//! A policy looks at the kernels with work ([`crate::launch::distributor`]), at the room ([`crate::smx::residency`]) and at the gates
//! ([`crate::frontend::gates`]), and sends one TB or says why none. [`fcfs_rr`] is the baseline. [`laperm`] keeps queues, by
//! level and by SMX: a machine that can be used alone, and, with the front end's room and gates around it
//! ([`crate::frontend::laperm`]), a policy. A home may leave LaPerm out ([`crate::Linked`]).

pub mod fcfs_rr;
pub mod laperm;
mod send;
