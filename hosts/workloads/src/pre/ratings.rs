//! Ratings in place of MovieLens 100K (workloads-PR1), exact to the draw.

use crate::graph::SplitMix64;
use crate::{Cover, LaunchOptions, SetupError, Shape, check_range};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// Most users, and most items.
const MOST_USERS: u32 = 1 << 16;
const MOST_ITEMS: u32 = 1 << 14;
/// Groups of items that stand side by side, and how many of them a user favours.
const GROUPS: u32 = 19;
const FAVOURITES: usize = 3;
/// Least ratings that a user draws, and most: those of the source.
const LEAST_RATINGS: u32 = 20;
const MOST_RATINGS: u32 = 737;
/// How often a rating is drawn again that the user has given already.
const REDRAWS: u32 = 8;

/// Size of the input, and when users launch. The defaults are the sheet's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PreOptions {
    /// Users, 1 to 65536; 943 in the source.
    pub users: u32,
    /// Items, 19 to 16384; 1682 in the source.
    pub items: u32,
    /// Most ratings that a user draws, 20 to 737; 737 in the source.
    pub cut: u32,
    /// Seed of the ratings.
    pub seed: u64,
    /// Ratings from which on a user's thread gives rows of pairs to a child, 1 or more (workloads-PR3).
    pub min_child: u32,
    /// How many of the rows the child takes.
    pub cover: Cover,
    /// Integer instructions that each launching lane spends in the launch call, alone (workloads-W6).
    pub launch_insts: u32,
}

impl Default for PreOptions {
    fn default() -> Self {
        let LaunchOptions { cover, launch_insts, .. } = LaunchOptions::default();
        Self { users: 256, items: 1682, cut: 96, seed: 1, min_child: super::SIDE, cover, launch_insts }
    }
}

impl PreOptions {
    pub(super) fn check(&self) -> Result<(), SetupError> {
        check_range("users", self.users, 1..=MOST_USERS, "1 to 65536")?;
        check_range("items", self.items, GROUPS..=MOST_ITEMS, "19 to 16384")?;
        check_range("cut", self.cut, LEAST_RATINGS..=MOST_RATINGS, "20 to 737")
    }

    /// About the bytes that the counts of a run take, and those that they are compared with.
    #[must_use]
    pub const fn memory(&self) -> u64 {
        2 * 4 * self.items as u64 * self.items as u64
    }

    /// When a user's thread launches: rows are given away in squares.
    pub(super) const fn launch(self) -> LaunchOptions {
        let Self { min_child, cover, launch_insts, .. } = self;
        LaunchOptions { min_child, cover, shape: Shape::Fixed(super::SIDE), launch_insts }
    }
}

/// The items that each user has rated, ascending, one user behind the other.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ratings {
    /// Where each user's items start, and where the last one's end.
    pub first: Vec<u32>,
    /// The items.
    pub item: Vec<u32>,
}

impl Ratings {
    /// The ratings of so many users, as the sheet draws them.
    pub(super) fn generated(PreOptions { users, items, cut, seed, .. }: PreOptions) -> Self {
        let mut stream = SplitMix64::new(seed);
        let mut ratings = Self { first: vec![0], item: Vec::new() };
        for _ in 0..users {
            ratings.item.extend(of_user(&mut stream, items, cut));
            ratings.first.push(ratings.item.len() as u32);
        }
        ratings
    }

    /// How many users there are.
    pub(super) fn count(&self) -> u32 {
        self.first.len() as u32 - 1
    }

    /// The items of each user.
    pub(super) fn users(&self) -> impl Iterator<Item = &[u32]> {
        self.first.windows(2).map(|ends| &self.item[ends[0] as usize..ends[1] as usize])
    }
}

fn of_user(stream: &mut SplitMix64, items: u32, cut: u32) -> BTreeSet<u32> {
    let favourites = [(); FAVOURITES].map(|()| stream.below(GROUPS.into()));
    let mean = if stream.below(10) < 6 { 50 } else { 140 };
    let mut count = LEAST_RATINGS;
    while count < cut && stream.below(mean + 1) < mean {
        count += 1;
    }
    let mut rated = BTreeSet::new();
    for _ in 0..count {
        // Found new in one of so many draws, or dropped.
        let _ = (0..=REDRAWS).any(|_| rated.insert(rating(stream, &favourites, items)));
    }
    rated
}

/// A group, most often a favourite, and an item of it, more often one of its first.
fn rating(stream: &mut SplitMix64, favourites: &[u64], items: u32) -> u32 {
    let group = if stream.below(10) < 7 {
        favourites[stream.below(favourites.len() as u64) as usize]
    } else {
        stream.below(GROUPS.into())
    };
    let start = |group: u64| group * u64::from(items) / u64::from(GROUPS);
    let (first, size) = (start(group), start(group + 1) - start(group));
    let u = stream.below(1 << 16);
    (first + ((size * u * u) >> 32)) as u32
}
