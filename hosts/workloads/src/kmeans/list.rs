//! The instruction lists of k-means (workloads-FK2), and what each instruction does for a thread.
//!
//! ```text
//! invert   I4 (I4 L in[p*f+i] S out[i*n+p] I3)*
//! assign   I4 (L s I2)* B (I2 (L feature l F2 I3)* F1 I3)* S
//! ```
//!
//! `I4` at the beginning ends in the branch that sets lanes without a point aside; the last `I3` of a loop counts and branches. The
//! centres, constant memory in the source, are copied to shared memory first, by all threads of the TB: `(L s I2)* B`.

use super::{Kmeans, TB_THREADS};
use crate::list::Item::{B, F, I, If, L, Let, LoadShared, S, StoreShared, While};
use crate::list::{List, Place};
use crate::warp::CHAIN;

registers!(1: AT FEATURE CENTRE DISTANCE NEAREST);

pub(super) const INVERT: List<Kmeans> = &[If(
    4,
    Kmeans::has_point,
    0,
    &[
        While(
            3,
            Kmeans::has_feature,
            AT,
            &[I(4, CHAIN, AT), L(Kmeans::load, AT, FEATURE), S(Kmeans::store, AT | FEATURE)],
        ),
        Let(Kmeans::finish),
    ],
)];

pub(super) const ASSIGN: List<Kmeans> = &[
    I(4, 0, AT),
    While(
        2,
        Kmeans::has_word,
        AT,
        &[L(Kmeans::load_centre, AT | CHAIN, CENTRE), StoreShared(Kmeans::put_centre, AT | CENTRE)],
    ),
    B,
    If(
        0,
        Kmeans::has_point,
        0,
        &[
            While(
                3,
                Kmeans::has_cluster,
                NEAREST,
                &[
                    I(2, CHAIN, AT | DISTANCE),
                    While(
                        3,
                        Kmeans::has_feature,
                        AT,
                        &[
                            L(Kmeans::load_column, AT | CHAIN, FEATURE),
                            LoadShared(Kmeans::get_centre, AT, CENTRE),
                            F(2, FEATURE | CENTRE | DISTANCE, DISTANCE),
                            Let(Kmeans::add_distance),
                        ],
                    ),
                    F(1, DISTANCE | NEAREST, NEAREST),
                    Let(Kmeans::end_cluster),
                ],
            ),
            S(Kmeans::store_membership, NEAREST),
            Let(Kmeans::finish),
        ],
    ),
];

/// A thread, of the point of its own number.
#[derive(Clone, Copy, Debug)]
pub struct Thread {
    place: Place,
    point: u32,
    /// The feature, the cluster, and the word of the centres that come next.
    feature: u32,
    cluster: u32,
    word: u32,
    value: f32,
    centre: f32,
    distance: f32,
    /// The nearest cluster so far, and how far it is.
    nearest: (u32, f32),
}

impl Default for Thread {
    fn default() -> Self {
        Self::at(Place::default())
    }
}

impl Thread {
    pub(super) const fn at(place: Place) -> Self {
        Self {
            place,
            point: place.index(),
            feature: 0,
            cluster: 0,
            word: place.in_tb,
            value: 0.0,
            centre: 0.0,
            distance: 0.0,
            nearest: (0, f32::INFINITY),
        }
    }
}

impl Kmeans {
    fn has_point(&self, t: &Thread) -> bool {
        t.point < self.options.points
    }

    fn has_feature(&self, t: &Thread) -> bool {
        t.feature < self.options.features
    }

    fn has_cluster(&self, t: &Thread) -> bool {
        t.cluster < self.options.clusters
    }

    fn has_word(&self, t: &Thread) -> bool {
        t.word < self.options.clusters * self.options.features
    }

    fn finish(&mut self, _: &mut Thread) {
        self.done += 1;
    }

    fn load(&mut self, t: &mut Thread) -> u64 {
        let index = t.point * self.options.features + t.feature;
        t.value = self.points[index as usize];
        self.memory.points.at(index)
    }

    fn store(&mut self, t: &mut Thread) -> u64 {
        let index = t.feature * self.options.points + t.point;
        self.inverted[index as usize] = t.value;
        t.feature += 1;
        self.memory.inverted.at(index)
    }

    fn load_centre(&mut self, t: &mut Thread) -> u64 {
        t.centre = self.centres[t.word as usize];
        self.memory.centres.at(t.word)
    }

    fn put_centre(&mut self, t: &mut Thread) -> u64 {
        let word = t.word;
        *self.device.shared(t.place.room, word) = t.centre.to_bits();
        t.word += TB_THREADS;
        4 * u64::from(word)
    }

    fn load_column(&mut self, t: &mut Thread) -> u64 {
        let index = t.feature * self.options.points + t.point;
        t.value = self.inverted[index as usize];
        self.memory.inverted.at(index)
    }

    fn get_centre(&mut self, t: &mut Thread) -> u64 {
        let word = t.cluster * self.options.features + t.feature;
        t.centre = f32::from_bits(*self.device.shared(t.place.room, word));
        4 * u64::from(word)
    }

    fn add_distance(&mut self, t: &mut Thread) {
        let apart = t.value - t.centre;
        t.distance += apart * apart;
        t.feature += 1;
    }

    fn end_cluster(&mut self, t: &mut Thread) {
        if t.distance < t.nearest.1 {
            t.nearest = (t.cluster, t.distance);
        }
        (t.cluster, t.feature, t.distance) = (t.cluster + 1, 0, 0.0);
    }

    fn store_membership(&mut self, t: &mut Thread) -> u64 {
        self.membership[t.point as usize] = t.nearest.0;
        self.memory.membership.at(t.point)
    }
}
