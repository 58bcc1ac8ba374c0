//! Jagged diagonals: the form of a sparse matrix in which neighbouring threads read neighbouring words.
//!
//! Rows are sorted by length, the longest first. The k-th elements of all rows form diagonal k; it ends with the last 32 rows of which
//! any has a k-th element. There the shorter rows have zeros.

use crate::SetupError;
use crate::graph::Csr;
use gpusched_refgpu::lanes::WARP;
use std::cmp::Reverse;

/// A matrix in this form.
#[derive(Clone, Debug, PartialEq)]
pub struct Jds {
    /// Values and columns, diagonal by diagonal.
    pub data: Vec<f32>,
    pub index: Vec<u32>,
    /// Where each diagonal starts.
    pub start: Vec<u32>,
    /// Elements of the longest of each 32 rows.
    pub length: Vec<u32>,
    /// The row of the matrix that each row here is.
    pub row: Vec<u32>,
}

impl Jds {
    /// The matrix with these values in the order of the arcs. Each row keeps the order of its elements.
    pub fn new(matrix: &Csr, values: &[f32]) -> Result<Self, SetupError> {
        let mut row: Vec<u32> = (0..matrix.vertices()).collect();
        row.sort_by_key(|&row| Reverse(matrix.degree(row)));
        let length: Vec<u32> = row.chunks(WARP as usize).map(|rows| matrix.degree(rows[0])).collect();
        let elements = length.iter().map(|&length| u64::from(length) * u64::from(WARP)).sum::<u64>();
        if elements > u64::from(u32::MAX) {
            let expected = "less than 2^32 elements when padded";
            return Err(SetupError::Option { option: "matrix", expected, found: elements });
        }
        let diagonals = length.first().copied().unwrap_or(0);
        // As many blocks of 32 rows as have a k-th element.
        let mut blocks = length.len();
        let mut next = 0;
        let mut start = Vec::with_capacity(diagonals as usize);
        for k in 0..diagonals {
            while length[blocks - 1] <= k {
                blocks -= 1;
            }
            start.push(next);
            next += blocks as u32 * WARP;
        }
        let (mut data, mut index) = (vec![0.0; elements as usize], vec![0; elements as usize]);
        for (place, &row) in row.iter().enumerate() {
            for (arc, start) in matrix.arcs(row).zip(&start) {
                data[*start as usize + place] = values[arc];
                index[*start as usize + place] = matrix.col()[arc];
            }
        }
        Ok(Self { data, index, start, length, row })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::graph::EdgeList;

    #[test]
    fn rows_are_sorted_and_padded_by_32() {
        // Vertex 40 has 39 neighbours, 1 and 2 have each other besides.
        let mut edges = EdgeList::unweighted(41);
        (1..40).for_each(|v| edges.push(40, v, 0));
        edges.push(1, 2, 0);
        let matrix = Csr::from_edges(edges).unwrap();
        let values: Vec<f32> = (0..matrix.arc_count()).map(|arc| arc as f32 + 1.0).collect();
        let jds = Jds::new(&matrix, &values).unwrap();
        assert_eq!(jds.row[..4], [40, 1, 2, 3]);
        assert_eq!(jds.row[40], 0, "an empty row is the last");
        assert_eq!(jds.length, [39, 1]);
        assert_eq!(jds.start[..3], [0, 64, 96]);
        assert_eq!((jds.start.len(), jds.data.len()), (39, 64 + 38 * 32));
        // The second diagonal: of 40, 1, 2, and nothing more.
        assert_eq!(jds.index[64..69], [2, 40, 40, 0, 0]);
        let arcs = |v: u32| matrix.arcs(v).start as f32 + 2.0;
        assert_eq!(jds.data[64..69], [arcs(40), arcs(1), arcs(2), 0.0, 0.0]);
        let held = jds.data.iter().filter(|&&value| value != 0.0).count();
        assert_eq!(held as u32, matrix.arc_count());
    }
}
