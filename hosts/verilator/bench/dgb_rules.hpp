// The rules of sheet `dats` that a run of dgb_bench.cpp has to reach, by their names there.
#pragma once
#include "golden.hpp"

namespace bench::dgb {

inline Rule l_ok("L2 launch"), l_busy("L1 Busy"), l_empty("L1 EmptyGraph"), l_fault("L1 GraphFault"),
    aborts("A with TBs that run"), abort_unsettled("A before it has settled"), abort_idle("A without a graph");
inline Rule m2("M2 edges, to the end of the chunk"), m2_ring("M2 edges, as many as have a slot"),
    m2_graph("M2 edges, to the last one"), m3("M3 nodes"), m3_both("M2 before M3"), m3_last("M3 the last nodes"),
    m4("M4 nothing due"), chunk_free("want_nodes: no room for a chunk"), eager("want_nodes: eager, without room for a chunk"),
    tags("A15 tags go on from graph to graph");
inline Rule n2("N2 nodes land"), e2("E2 edges arrive"), any_order("M4 a later request answered first"), stale("N1 StaleTag"),
    length("N1 BadLength"), n1_start("N1 a EdgeStart"), n1_childless("N1 b Childless"), n1_oversize("N1 c Oversize"),
    n1_level("N1 d Level"), n1_parents("N1 e Parents"), e1("E1 BadEdge"), h12("H12 an answer after the abort"),
    h13("H13 answered again after a bad answer");
inline Rule s1("S1 the tail passes several nodes"), i1("S2 I1 no free row"), i2("S2 I2 the edges before it fill the LEA"),
    i3("S2 I3 its own edges do not fit"), unknown("S2 inserted with an unknown end"), s2_pub("S2 takes several PUB entries"),
    s2_ready("S2 inserted and R by the PUB"), s4_behind("S4 finalised behind an older pending node"),
    s4_retry("S4 a pending node, later"), s4_refused("S4 a pending node again without room"), s5("S5 deadlock"),
    s5_else("S5 deadlock while others run"), no_pub("H1 without a PUB"), full_pub("F1 the PUB is full"),
    big("F1 as many edges as the LEA has"), finish("S5 finished"), order("F1 EdgeOrder"),
    underflow_outside("S2, F2 ParentUnderflow of a node outside"), underflow_inside("F2 ParentUnderflow of a node inside"),
    excess("S5 ParentExcess");
inline Rule c2("C2 final at once"), c_edges("C3 pending: Edges"), c_pub("C3 pending: Pub"), c_idle("C1 NotLaunched"),
    c_running("C1 NotRunning"), c_fault("C1 GraphFault");
inline Rule t5("T5 dispatch"), t_wrap("T4 the SMXs wrap"), t_smx("T4 NoSmx"), t_ready("T2 NoReady"),
    t_head("T2 Head: the last node's end is unknown"), t_edges("T2 Head: edges are needed"),
    t_behind("T2 a childless node before an older one without edges"), t_incomplete("T3 LevelBound, incomplete"),
    t_active("T3 LevelBound, active"), t_deadlock("T2 Deadlock"), t_still("T5 dispatch in spite of a deadlock"),
    t_finished("T1 Finished"), t_older("T3 active: a node behind those that execute"), range("T5 a new greatest range of levels");

} // namespace bench::dgb
