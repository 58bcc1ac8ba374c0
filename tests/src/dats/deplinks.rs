//! DepLinks a second time: a set of parents per TB, longest paths by repetition (`dats`, section B).

use std::collections::BTreeSet;

use gpusched::Dim3;

use gpusched::dats::{DepLinksError, GraphPolicy, Node, NodeId};

/// What a mapping function may ask for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Link {
    /// The coordinates of a parent.
    Parent(i64, i64, i64),
    /// The policy of the graph.
    Policy(GraphPolicy),
}

/// What a mapping becomes.
#[derive(Clone, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names are the sheet's")]
pub struct Built {
    pub nodes: Vec<Node>,
    pub edges: Vec<NodeId>,
    pub order: Vec<u16>,
    pub policy: GraphPolicy,
    pub levels: u32,
}

/// The graph of a mapping, with room for `edge_cap` edges.
///
/// # Errors
/// Those of the sheet.
pub fn build(grid: Dim3, edge_cap: usize, links: impl Fn(Dim3) -> Vec<Link>) -> Result<Built, DepLinksError> {
    let size = [grid.x, grid.y, grid.z].map(u128::from);
    let tbs = size.iter().product::<u128>();
    if tbs == 0 {
        return Err(DepLinksError::EmptyGrid);
    } else if tbs > 65535 {
        return Err(DepLinksError::TooManyNodes);
    }
    let tbs = tbs as u32;
    let mut parents = Vec::<BTreeSet<u32>>::new();
    let mut policy = None;
    for c in 0..tbs {
        let tb = c;
        let block = Dim3 { x: c % grid.x, y: c / grid.x % grid.y, z: c / grid.x / grid.y };
        let mut own = BTreeSet::new();
        for link in links(block) {
            match link {
                Link::Policy(p) if policy.is_some_and(|fixed| fixed != p) => {
                    return Err(DepLinksError::PolicyConflict { tb });
                }
                Link::Policy(p) => policy = Some(p),
                Link::Parent(x, y, z) => {
                    let within = |at: i64, size: u32| (0..i64::from(size)).contains(&at);
                    if !(within(x, grid.x) && within(y, grid.y) && within(z, grid.z)) {
                        continue;
                    }
                    let p = x as u32 + grid.x * (y as u32 + grid.y * z as u32);
                    if p == c {
                        return Err(DepLinksError::SelfDependency { tb });
                    }
                    let edges = parents.iter().chain([&own]).map(BTreeSet::len).sum::<usize>();
                    if !own.contains(&p) && edges == edge_cap {
                        return Err(DepLinksError::EdgeStorageFull { tb });
                    }
                    own.insert(p);
                }
            }
        }
        parents.push(own);
    }
    let levels = levels(&parents)?;
    let mut order = (0..tbs as u16).collect::<Vec<_>>();
    order.sort_by_key(|tb| (levels[usize::from(*tb)], *tb));
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    for &tb in &order {
        let children = (0..).zip(&order).filter(|(_, child)| parents[usize::from(**child)].contains(&tb.into()));
        let start = edges.len() as u32;
        edges.extend(children.map(|(vid, _)| NodeId(vid)));
        let own = usize::from(tb);
        let childless = edges.len() as u32 == start;
        nodes.push(Node::new(start, childless, parents[own].len() as u16, levels[own] as u16));
    }
    let levels = levels.iter().max().map_or(0, |top| top + 1);
    Ok(Built { nodes, edges, order, policy: policy.unwrap_or(GraphPolicy::Lrr), levels })
}

/// dats-B4: a TB has a level as soon as all of its parents have one.
fn levels(parents: &[BTreeSet<u32>]) -> Result<Vec<u32>, DepLinksError> {
    let mut levels = vec![None; parents.len()];
    loop {
        let before = levels.clone();
        for (tb, own) in parents.iter().enumerate() {
            let above = own.iter().map(|p| levels[*p as usize].map(|level: u32| level + 1));
            levels[tb] = above.chain([Some(0)]).collect::<Option<Vec<_>>>().and_then(|l| l.into_iter().max());
        }
        if levels == before {
            break;
        }
    }
    match levels.iter().position(Option::is_none) {
        Some(tb) => Err(DepLinksError::Cycle { tb: tb as u32 }),
        None => Ok(levels.into_iter().flatten().collect()),
    }
}
