//! What is known of each policy: where it comes from, what it reads, what it is bad at. The documentation of the policies is made of it.

use super::config::Policy;
use super::{
    affinity, bcs, breadth_first, depth_first, domains, fair_streams, gpc_first, lcs, leftover, lowest_first,
    most_room, oldest_parent, random, rr, spatial, srk, steal,
};
use crate::base::parameter::Provenance;

/// A field of the seam beyond what every host has. Who does not have it loses only what is named (catalogue-X1 to X4).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Extra {
    /// [`Choice::blkid`](crate::policy::seam::offer::Choice::blkid): a TB that is not the next one of its unit.
    X1,
    /// [`Offer::parent`](crate::policy::seam::offer::Offer::parent): without it each unit is a family of its own.
    X2,
    /// [`Completion::issued`](crate::policy::seam::offer::Completion::issued) and `all`: without them nothing is limited.
    X3,
    /// [`View::residents`](crate::policy::seam::offer::View::residents).
    X4,
}

/// A parameter that a policy reads, and where its default comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Reads {
    /// Its name, a field of [`CatalogueConfig`](super::CatalogueConfig).
    pub name: &'static str,
    /// Where its default comes from.
    pub provenance: Provenance,
    /// The place in the source, or the reason.
    pub origin: &'static str,
}

/// What is known of a policy.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct About {
    /// The policy.
    pub policy: Policy,
    /// Its name in the sheet.
    pub name: &'static str,
    /// What it does, in a sentence.
    pub does: &'static str,
    /// Where it comes from, by the tags of the sheet.
    pub source: &'static str,
    /// Where that can be read.
    pub place: &'static str,
    /// The parameters that it reads.
    pub parameters: &'static [Reads],
    /// What it asks of its host beyond the usual.
    pub extras: &'static [Extra],
    /// What it is bad at.
    pub hazard: &'static str,
}

impl About {
    /// All policies, in the order of [`Policy`].
    pub const ALL: &'static [Self] = &[
        rr::RR,
        lowest_first::LOWEST_FIRST,
        leftover::LEFTOVER,
        most_room::MOST_ROOM,
        bcs::BCS,
        lcs::LCS,
        domains::CHUNKED,
        domains::STRIDED,
        domains::DIST,
        domains::BATCH_RR,
        gpc_first::GPC_FIRST,
        gpc_first::TPC_FIRST,
        oldest_parent::OLDEST_PARENT,
        affinity::AFFINITY,
        srk::SRK,
        fair_streams::FAIR_STREAMS,
        random::RANDOM,
        depth_first::DEPTH_FIRST,
        breadth_first::BREADTH_FIRST,
        steal::STEAL,
        spatial::SPATIAL,
    ];

    /// What is known of a policy.
    #[must_use]
    pub fn of(policy: Policy) -> &'static Self {
        Self::ALL.get(policy as usize).unwrap_or(&rr::RR)
    }

    /// The policy of a name.
    #[must_use]
    pub fn named(name: &str) -> Option<&'static Self> {
        Self::ALL.iter().find(|about| about.name == name)
    }

    /// Whether the policy reads a parameter.
    #[must_use]
    pub fn has(&self, parameter: &str) -> bool {
        self.parameters.iter().any(|reads| reads.name == parameter)
    }
}

/// Says what is known of a policy, once for the program and for its documentation.
macro_rules! about {
    (
        $(#[$doc:meta])* pub const $NAME:ident: $Policy:ident = $name:literal, $does:literal;
        source $source:literal, $place:literal;
        parameters { $($parameter:ident: $provenance:ident $origin:literal;)* }
        extras [$($extra:ident)*];
        hazard $hazard:literal
    ) => {
        #[doc = concat!("`", $name, "`: ", $does)]
        #[doc = ""]
        $(#[$doc])*
        #[doc = concat!("\n# Source\n", $source, ": ", $place)]
        #[doc = "\n# Parameters\n| name | where its default comes from |\n|---|---|"]
        $(#[doc = concat!(
            "| [`", stringify!($parameter), "`](crate::policy::catalogue::CatalogueConfig#structfield.",
            stringify!($parameter), ") | ", stringify!($provenance), ": ", $origin, " |"
        )])*
        #[doc = concat!("\n# Hazard\n", $hazard)]
        pub const $NAME: $crate::policy::catalogue::About = $crate::policy::catalogue::About {
            policy: $crate::policy::catalogue::Policy::$Policy,
            name: $name,
            does: $does,
            source: $source,
            place: $place,
            parameters: &[$($crate::policy::catalogue::Reads {
                name: stringify!($parameter),
                provenance: $crate::Provenance::$provenance,
                origin: $origin,
            }),*],
            extras: &[$($crate::policy::catalogue::Extra::$extra),*],
            hazard: $hazard,
        };
    };
}
pub(super) use about;
