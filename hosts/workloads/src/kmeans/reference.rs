//! The sequential k-means that the kernels are checked against.

/// The points, column by column.
pub fn inverted(points: &[f32], features: u32) -> Vec<f32> {
    let features = features as usize;
    (0..features).flat_map(|feature| points.iter().skip(feature).step_by(features)).copied().collect()
}

/// The cluster of each point after these rounds.
pub fn membership(points: &[f32], features: usize, clusters: usize, rounds: u32) -> Vec<u32> {
    let mut centres: Vec<Vec<f32>> = points.chunks(features).take(clusters).map(<[f32]>::to_vec).collect();
    let mut membership = assigned(points, &centres);
    for _ in 1..rounds {
        let mut sums = vec![vec![0.0; features]; clusters];
        let mut counts = vec![0_u32; clusters];
        for (point, &cluster) in points.chunks(features).zip(&membership) {
            counts[cluster as usize] += 1;
            sums[cluster as usize].iter_mut().zip(point).for_each(|(sum, x)| *sum += x);
        }
        for ((centre, sum), count) in centres.iter_mut().zip(sums).zip(counts) {
            if count > 0 {
                *centre = sum.iter().map(|sum| sum / count as f32).collect();
            }
        }
        membership = assigned(points, &centres);
    }
    membership
}

/// The first of the nearest centres of each point.
fn assigned(points: &[f32], centres: &[Vec<f32>]) -> Vec<u32> {
    let distance =
        |point: &[f32], centre: &[f32]| point.iter().zip(centre).fold(0.0_f32, |sum, (x, c)| sum + (x - c) * (x - c));
    let nearest = |point: &[f32]| {
        let all = centres.iter().zip(0..).map(|(centre, number)| (distance(point, centre), number));
        all.reduce(|best, other| if other.0 < best.0 { other } else { best }).map_or(0, |(_, number)| number)
    };
    points.chunks(centres[0].len()).map(nearest).collect()
}
