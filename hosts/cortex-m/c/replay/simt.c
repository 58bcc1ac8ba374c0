// Events of the scoreboard.
#include "packed.h"

static gpusched_status scoreboard_event(void *object, uint8_t op, reader *from) {
    gpusched_scoreboard *board = object;
    switch (op) {
    case OP_SCOREBOARD_ISSUE: {
        IN(uint32_t w, destination, memory);
        LIST(uint32_t, sources, count);
        ANSWER(gpusched_issue,
               gpusched_scoreboard_issue(board, in.w, sources, count, in.destination, in.memory, &out));
    }
    case OP_SCOREBOARD_WRITEBACK: {
        IN(uint32_t w, reg);
        ANSWER(gpusched_issue, gpusched_scoreboard_writeback(board, in.w, in.reg, &out));
    }
    case OP_SCOREBOARD_FLUSH: {
        IN(uint32_t w);
        ANSWER(uint32_t, gpusched_scoreboard_flush(board, in.w, &out));
    }
    default: return unknown_event(from);
    }
}

MACHINE_TYPE(scoreboard);
