//! What the bubble controller had an SMX do, as colours over time: a band of its states, and a tint where it is in a bubble.

use super::occupancy::overlaps;
use super::{Area, BLUE, FAINT, PURPLE, SKY, TEXT, VERMILLION, blend, told, write};
use anyhow::Result;
use gpusched_refgpu::power::SmxState;
use gpusched_refgpu::timeline::Span;
use plotters::prelude::*;
use plotters::style::text_anchor::HPos;

/// The high P-state, which is the rule.
const HIGH: RGBColor = RGBColor(214, 219, 226);
const BUBBLE: RGBColor = RGBColor(252, 234, 150);
/// Shares of a bin are rounded to this part, so that neighbours can share a rectangle.
const GRAIN: f64 = 6.0;

const STATES: [(SmxState, RGBColor, &str); SmxState::COUNT] = [
    (SmxState::High, HIGH, "high P-state"),
    (SmxState::Draining, VERMILLION, "diverted, draining"),
    (SmxState::GoingDown, SKY, "going down"),
    (SmxState::Low, BLUE, "low P-state"),
    (SmxState::GoingUp, PURPLE, "going up"),
];

/// What an SMX does in a bin of cycles, as shares of it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Shares {
    states: [f64; SmxState::COUNT],
    bubble: f64,
}

impl Shares {
    /// `spans` cut into bins from one of these cycles to the next.
    pub fn bins(spans: &[Span], edges: &[u64]) -> Vec<Self> {
        let mut bins = vec![Self::default(); edges.len().saturating_sub(1)];
        for span in spans {
            for (index, share) in overlaps(edges, span.from, span.to) {
                let shares = &mut bins[index];
                shares.states[span.state as usize] += share;
                shares.bubble += if span.bubble { share } else { 0.0 };
            }
        }
        bins
    }

    /// The colours of its states, mixed.
    pub fn band(&self) -> RGBColor {
        let weights: Vec<f64> = self.states.iter().map(|share| (share * GRAIN).round()).collect();
        let (mut colour, mut whole) = (HIGH, 0.0);
        for (weight, (_, own, _)) in weights.into_iter().zip(STATES) {
            whole += weight;
            if weight > 0.0 {
                colour = blend(colour, own, weight / whole);
            }
        }
        colour
    }

    /// `paper`, tinted where there is a bubble.
    pub fn tint(&self, paper: RGBColor) -> RGBColor {
        blend(paper, BUBBLE, (self.bubble * GRAIN).round() / GRAIN)
    }
}

/// How to read tint and band, from `x` on.
pub fn draw_legend(root: &Area<'_>, mut x: i32, y: i32) -> Result<()> {
    let bubble = std::iter::once((BUBBLE, "bubble: occupancy below T"));
    let states = STATES.into_iter().map(|(_, colour, words)| (colour, words));
    for (colour, words) in bubble.chain(states) {
        root.draw(&Rectangle::new([(x, y + 3), (x + 20, y + 13)], colour.filled())).map_err(told)?;
        write(root, words, (x + 26, y), TEXT, FAINT, HPos::Left)?;
        x += 48 + 7 * words.len() as i32;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bins_hold_the_shares_of_what_happens_in_them() {
        let span = |from, to, state, bubble| Span { from, to, state, bubble };
        let spans = [
            span(0, 150, SmxState::High, false),
            span(150, 200, SmxState::Draining, true),
            span(200, 250, SmxState::Low, true),
        ];
        let bins = Shares::bins(&spans, &[0, 100, 200, 250]);
        assert_eq!(bins.len(), 3);
        assert_eq!((bins[0].states[0], bins[1].states[1], bins[1].bubble), (1.0, 0.5, 0.5));
        assert_eq!((bins[2].states[3], bins[2].bubble), (1.0, 1.0), "the last bin is shorter");
        assert_eq!((bins[0].band(), bins[2].band(), bins[2].tint(WHITE)), (HIGH, BLUE, BUBBLE));
    }
}
