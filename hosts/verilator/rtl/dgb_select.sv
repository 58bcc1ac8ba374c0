// Which node goes to which SMX (rules T of dgb.sv): the oldest ready one whose end is known (LRR), unless it is too many levels ahead
// (LVL); the SMX by round robin. All of it in one clock.
module dgb_select #(
    parameter int unsigned SMXS = 15,
    parameter int unsigned LNA = 128,
    parameter int unsigned S = $clog2(LNA),
    parameter int unsigned P = $clog2(SMXS)
) (
    input  logic            clk, rst, clear,
    input  logic            active,           // level_ref
    input  logic            needs_edges,      // issue_needs_edges
    input  logic            lvl,              // policy LVL(bound), not LRR
    input  logic [15:0]     bound,
    input  logic            running, finished, deadlock,
    input  logic            select,           // asked, and settled
    input  logic [SMXS-1:0] fits,
    input  logic [S-1:0]    tail_slot, last_slot,
    input  logic            last_end_known,   // of the node in the last slot before the head
    input  logic [LNA-1:0]  ready, executing, has_edges,
    input  logic [15:0]     level, tail_level, low_level, high_level,
    output logic [S-1:0]    slot, low_slot, high_slot,
    output logic            next,             // the node in `slot` would run if an SMX had room
    output logic [2:0]      sched,
    output logic            dispatch,
    output logic [P-1:0]    smx,
    output logic [15:0]     dispatched, max_level_range
);
    // In the order of gpusched_dgb_sched; NONE: no graph runs, or it is not settled, or nobody asked.
    typedef enum logic [2:0] {DISPATCH, NO_READY, HEAD, LEVEL_BOUND, NO_SMX, DEADLOCK, FINISHED, NONE} sched_t;

    // dats-T2: the head rule.
    logic [LNA-1:0] may_run;
    logic found, any_executing, unused;
    always_comb begin
        may_run = ready & (has_edges | {LNA{!needs_edges}});
        if (!last_end_known) may_run[last_slot] = 1'b0;
    end
    dgb_oldest #(.N(LNA)) candidate (.set(may_run), .from(tail_slot), .found(found), .at(slot));
    // Levels rise with VIDs: the oldest and the youngest that execute have the lowest and the highest.
    dgb_oldest #(.N(LNA)) lowest (.set(executing), .from(tail_slot), .found(any_executing), .at(low_slot));
    dgb_oldest #(.N(LNA), .YOUNGEST(1'b1)) highest (.set(executing), .from(tail_slot), .found(unused), .at(high_slot));

    // dats-T3, and the range after dats-T5.
    logic [15:0] low, high, spread, ahead;
    logic veto;
    always_comb begin
        low = any_executing && low_level < level ? low_level : level;
        high = any_executing && high_level > level ? high_level : level;
        spread = high - low;
        ahead = active ? spread : level - tail_level;
        veto = lvl && ahead > bound;
        next = running && found && !veto;
    end

    // dats-T4.
    rr_pick #(.SMXS(SMXS)) round_robin (.clk, .rst, .tick(select && next), .fits, .sent(dispatch), .smx);

    always_comb
        if (!select || !(running || finished)) sched = NONE;
        else if (finished) sched = FINISHED;
        else if (dispatch) sched = DISPATCH;
        else if (next) sched = NO_SMX;
        else if (deadlock) sched = DEADLOCK;
        else if (found) sched = LEVEL_BOUND;
        else sched = ready != '0 ? HEAD : NO_READY;

    always_ff @(posedge clk)
        if (clear) begin
            dispatched <= '0;
            max_level_range <= '0;
        end else if (dispatch) begin
            dispatched <= dispatched + 1'b1;
            if (spread > max_level_range) max_level_range <= spread;
        end
endmodule
