// What every bench has: the comparison of one register or output with the core's. `core` is told in the failure and is a signal of
// the bench, so that both stand side by side in the waveform.
`define CHECK(name, rtl, core) \
    if (64'(rtl) !== 64'(core)) bench_differs(name, -1, 64'(rtl), 64'(core));
`define CHECK_AT(name, index, rtl, core) \
    if (64'(rtl) !== 64'(core)) bench_differs(name, index, 64'(rtl), 64'(core));

import "DPI-C" function void bench_differs(input string name, input int index, input longint unsigned rtl, input longint unsigned core);
