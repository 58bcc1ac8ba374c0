// The rules of sheet `dats` that a run of dgb_bench.cpp has to reach, by their names there.
#pragma once
#include "golden.hpp"

namespace bench::dgb {

inline Rule l_ok("dats-L2 launch"), l_busy("dats-L1 Busy"), l_empty("dats-L1 EmptyGraph"), l_fault("dats-L1 GraphFault"),
    aborts("A with TBs that run"), abort_unsettled("A before it has settled"), abort_idle("A without a graph"),
    reset_running("a reset while TBs of a graph run");
inline Rule m2("dats-M2 edges, to the end of the chunk"), m2_ring("dats-M2 edges, as many as have a slot"),
    m2_graph("dats-M2 edges, to the last one"), m3("dats-M3 nodes"), m3_both("dats-M2 before dats-M3"), m3_last("dats-M3 the last nodes"),
    m4("dats-M4 nothing due"), chunk_free("want_nodes: no room for a chunk"), eager("want_nodes: eager, without room for a chunk"),
    tags("dats-A15 tags go on from graph to graph");
inline Rule n2("dats-N2 nodes land"), e2("dats-E2 edges arrive"), any_order("dats-M4 a later request answered first"),
    stale("dats-N1 StaleTag"), length("dats-N1 BadLength"), n1_start("dats-N1 a EdgeStart"), n1_childless("dats-N1 b Childless"),
    n1_oversize("dats-N1 c Oversize"), n1_level("dats-N1 d Level"), n1_parents("dats-N1 e Parents"), e1("dats-E1 BadEdge"),
    h12("dats-H12 an answer after the abort"), h13("dats-H13 answered again after a bad answer");
inline Rule s1("dats-S1 the tail passes several nodes"), i1("dats-S2, dats-I1 no free row"),
    i2("dats-S2, dats-I2 the edges before it fill the LEA"), i3("dats-S2, dats-I3 its own edges do not fit"),
    unknown("dats-S2 inserted with an unknown end"), s2_pub("dats-S2 takes several PUB entries"),
    s2_ready("dats-S2 inserted and R by the PUB"), s4_behind("dats-S4 finalised behind an older pending node"),
    s4_retry("dats-S4 a pending node, later"), s4_refused("dats-S4 a pending node again without room"), s5("dats-S5 deadlock"),
    s5_else("dats-S5 deadlock while others run"), no_pub("dats-H1 without a PUB"), full_pub("dats-F1 the PUB is full"),
    big("dats-F1 as many edges as the LEA has"), finish("dats-S5 finished"), order("dats-F1 EdgeOrder"),
    underflow_outside("dats-S2, dats-F2 ParentUnderflow of a node outside"),
    underflow_inside("dats-F2 ParentUnderflow of a node inside"), excess("dats-S5 ParentExcess");
inline Rule c2("dats-C2 final at once"), c_edges("dats-C3 pending: Edges"), c_pub("dats-C3 pending: Pub"), c_idle("dats-C1 NotLaunched"),
    c_running("dats-C1 NotRunning"), c_fault("dats-C1 GraphFault");
inline Rule t5("dats-T5 dispatch"), t_wrap("dats-T4 the SMXs wrap"), t_smx("dats-T4 NoSmx"), t_ready("dats-T2 NoReady"),
    t_head("dats-T2 Head: the last node's end is unknown"), t_edges("dats-T2 Head: edges are needed"),
    t_behind("dats-T2 a childless node before an older one without edges"), t_incomplete("dats-T3 LevelBound, incomplete"),
    t_active("dats-T3 LevelBound, active"), t_deadlock("dats-T2 Deadlock"), t_still("dats-T5 dispatch in spite of a deadlock"),
    t_finished("dats-T1 Finished"), t_older("dats-T3 active: a node behind those that execute"),
    range("dats-T5 a new greatest range of levels");

} // namespace bench::dgb
