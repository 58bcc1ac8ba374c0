// See host.h. The rules of order that README.md gives the host (H1 to H5) are named where they are kept.
#include "host.h"

#define REG(name) GPUSCHED_FPGA_##name

// The due entry's second word while there is none.
enum { NONE = 0 };

static uint32_t load(gpusched_fpga_host *h, uint32_t offset) { return h->bus.read(h->bus.context, offset); }

static void store(gpusched_fpga_host *h, uint32_t offset, uint32_t value) { h->bus.write(h->bus.context, offset, value); }

static uint32_t slot_of(uint32_t memory, uint32_t index, uint32_t entries) {
    return memory + index % entries * GPUSCHED_FPGA_ENTRY_WORDS * 4;
}

static void put_wide(uint32_t *words, uint64_t value) {
    words[0] = (uint32_t)value;
    words[1] = (uint32_t)(value >> 32);
}

// Stops for good, and says why.
static uint32_t stop(gpusched_fpga_host *h, uint32_t status, uint32_t number) {
    h->fault = status;
    store(h, REG(HOST_FAULT_EVENT), number);
    store(h, REG(HOST_FAULT), status);
    return status;
}

// Decisions -------------------------------------------------------------------------------------------------------------------

static uint32_t room(gpusched_fpga_host *h) {
    if (h->decision_tail - h->decision_head == h->decision_entries) h->decision_head = load(h, REG(DECISION_HEAD));
    return h->decision_entries - (h->decision_tail - h->decision_head);
}

// Writes an entry where there is room for it; publish shows it to the logic.
static void post(gpusched_fpga_host *h, const uint32_t *words) {
    const uint32_t count = GPUSCHED_FPGA_GET(words[REG(DECISION_WORDS_WORD)], DECISION_WORDS);
    const uint32_t slot = slot_of(REG(DECISIONS), h->decision_tail, h->decision_entries);
    store(h, slot, h->decision_tail);
    for (uint32_t i = 1; i < count; i++) store(h, slot + 4 * i, words[i]);
    h->decision_tail++;
    h->counts.posted++;
}

// H3: the entries, then the index, then the doorbell.
static void publish(gpusched_fpga_host *h) {
    store(h, REG(DECISION_TAIL), h->decision_tail);
    store(h, REG(DOORBELL), GPUSCHED_FPGA_PUT(1u, DOORBELL_DECISION));
}

static uint32_t head_of(uint32_t kind, uint32_t words) {
    return GPUSCHED_FPGA_PUT(kind, DECISION_KIND) | GPUSCHED_FPGA_PUT(words, DECISION_WORDS);
}

static void put_set(uint32_t *words, const gpusched_smx_set *set) {
    for (uint32_t i = 0; i < 4; i++) put_wide(&words[2 * i], set->words[i]);
}

// What a sample ordered: it is read before the front end is called again, so it is that of this decision.
static uint32_t put_sample(const gpusched_fpga_host *h, uint32_t *w) {
    gpusched_bubble_record sample;
    const uint32_t status = gpusched_frontend_bubble_record(h->frontend, &sample);
    if (status != GPUSCHED_STATUS_OK) return status;
    w[1] = head_of(GPUSCHED_DECISION_KIND_SAMPLE, REG(DECISION_SAMPLE_LENGTH));
    put_set(&w[REG(DECISION_SAMPLE_ELIGIBLE_WORD)], &sample.eligible);
    put_set(&w[REG(DECISION_SAMPLE_DOWN_WORD)], &sample.down);
    w[REG(DECISION_SAMPLE_RESUME_WORD)] = GPUSCHED_FPGA_PUT(sample.resume, DECISION_SAMPLE_RESUME) |
                                          GPUSCHED_FPGA_PUT(sample.gpu_start, DECISION_SAMPLE_GPU_START);
    w[REG(DECISION_SAMPLE_RESUME_SMX_WORD)] = sample.resume_smx;
    return GPUSCHED_STATUS_OK;
}

static uint32_t post_decision(gpusched_fpga_host *h, const gpusched_decision *d) {
    uint32_t w[GPUSCHED_FPGA_ENTRY_WORDS], status = GPUSCHED_STATUS_OK;
    w[1] = head_of(d->kind, REG(DECISION_CORE_LENGTH));
    put_wide(&w[REG(DECISION_CYCLE_WORD)], d->cycle);
    put_wide(&w[REG(DECISION_CORE_TAG_WORD)], d->tag);
    w[REG(DECISION_CORE_BLKID_WORD)] = d->blkid;
    w[REG(DECISION_CORE_GROUP_WORD)] = d->group;
    w[REG(DECISION_CORE_SMX_WORD)] = GPUSCHED_FPGA_PUT((uint32_t)d->smx, DECISION_CORE_SMX) |
                                     GPUSCHED_FPGA_PUT((uint32_t)d->slot, DECISION_CORE_SLOT) |
                                     GPUSCHED_FPGA_PUT((uint32_t)d->kde, DECISION_CORE_KDE);
    w[REG(DECISION_CORE_UNIT_WORD)] = GPUSCHED_FPGA_PUT((uint32_t)d->unit, DECISION_CORE_UNIT) |
                                      GPUSCHED_FPGA_PUT((uint32_t)d->queue, DECISION_CORE_QUEUE) |
                                      GPUSCHED_FPGA_PUT((uint32_t)d->detail, DECISION_CORE_DETAIL);
    if (d->kind == GPUSCHED_DECISION_KIND_SAMPLE) status = put_sample(h, w);
    if (status == GPUSCHED_STATUS_OK) post(h, w);
    return status;
}

// Posts what was decided, then the entry that is due: so a reply follows the decisions of its event. Nothing else may be done before
// that, so that the front end always has room for its decisions.
static uint32_t flush(gpusched_fpga_host *h) {
    enum { BATCH = 8 };
    for (;;) {
        gpusched_decision decisions[BATCH];
        size_t count = 0;
        uint32_t status = gpusched_frontend_unread(h->frontend, &count);
        if (status != GPUSCHED_STATUS_OK) return status;
        if (count == 0 && h->due[1] == NONE) return GPUSCHED_STATUS_OK;
        const uint32_t free_entries = room(h);
        if (free_entries == 0) return GPUSCHED_FPGA_STATUS_BLOCKED;
        if (count != 0) {
            status = gpusched_frontend_read(h->frontend, decisions, free_entries < BATCH ? free_entries : BATCH, &count);
            for (size_t i = 0; i < count && status == GPUSCHED_STATUS_OK; i++) status = post_decision(h, &decisions[i]);
            if (status != GPUSCHED_STATUS_OK) return status;
        } else {
            post(h, h->due);
            h->due[1] = NONE;
        }
        publish(h);
    }
}

// An answer is due: what became of the event.
static void reply(gpusched_fpga_host *h, uint64_t now, const gpusched_fpga_outcome *out) {
    uint32_t *const w = h->due;
    w[1] = head_of(REG(DECISION_REPLY), REG(DECISION_REPLY_LENGTH));
    put_wide(&w[REG(DECISION_CYCLE_WORD)], now);
    w[REG(DECISION_REPLY_EVENT_WORD)] = h->event.number;
    w[REG(DECISION_REPLY_ENTRIES_WORD)] = h->event.entries;
    w[REG(DECISION_REPLY_STATUS_WORD)] = out->status;
    w[REG(DECISION_REPLY_VALUE_WORD)] = out->value;
    w[REG(DECISION_REPLY_NODE_WORD)] = out->error.node;
    w[REG(DECISION_REPLY_EDGE_WORD)] = out->error.edge;
    w[REG(DECISION_REPLY_WHAT_WORD)] = out->error.what != 0 ? out->error.what : out->error.kind;
}

// A memory request is due.
static void ask(gpusched_fpga_host *h, uint64_t now, const gpusched_dgb_request *request) {
    uint32_t *const w = h->due;
    w[1] = head_of(REG(DECISION_MEMORY), REG(DECISION_MEMORY_LENGTH));
    put_wide(&w[REG(DECISION_CYCLE_WORD)], now);
    put_wide(&w[REG(DECISION_MEMORY_ADDR_WORD)], request->addr);
    w[REG(DECISION_MEMORY_TAG_WORD)] = request->tag;
    const bool spills = request->kind == GPUSCHED_DGB_KIND_DECREMENT;
    w[REG(DECISION_MEMORY_FIRST_WORD)] = spills ? request->node : request->first;
    w[REG(DECISION_MEMORY_COUNT_WORD)] = spills ? 1 : request->count;
    w[REG(DECISION_MEMORY_REQUEST_WORD)] = request->kind;
}

// Events ----------------------------------------------------------------------------------------------------------------------

// Takes the entry at EVENT_HEAD, which is there.
static uint32_t take(gpusched_fpga_host *h) {
    const uint32_t slot = slot_of(REG(EVENTS), h->event_head, h->event_entries);
    const uint32_t number = load(h, slot + 4 * REG(EVENT_NUMBER_WORD));
    const uint32_t ahead = number - h->event_number;
    uint32_t w[GPUSCHED_FPGA_ENTRY_WORDS] = {number};
    h->counts.entries++;
    if (ahead == 0) {
        w[1] = load(h, slot + 4);
        const uint32_t count = gpusched_fpga_entry_words(w[1]);
        for (uint32_t i = 2; i < count; i++) w[i] = load(h, slot + 4 * i);
    } else if (ahead <= INT32_MAX) {
        return GPUSCHED_FPGA_STATUS_GAP;
    }
    // H2: the index only when the words have been read.
    h->event_head++;
    store(h, REG(EVENT_HEAD), h->event_head);
    if (ahead != 0) {
        h->counts.repeated++;
        return GPUSCHED_STATUS_OK;
    }
    h->event_number++;
    gpusched_fpga_event_take(&h->event, w);
    return GPUSCHED_STATUS_OK;
}

// The greatest cycle that an event may lie in.
static uint64_t horizon(gpusched_fpga_host *h, uint64_t wanted) {
    if (h->cycle < wanted) {
        h->cycle = load(h, REG(CYCLE_LO));
        h->cycle |= (uint64_t)load(h, REG(CYCLE_HI)) << 32;
    }
    return h->cycle == GPUSCHED_NEVER ? h->cycle : h->cycle + 1;
}

// What is wrong with the time of an event, or 0.
static uint32_t wrong_time(gpusched_fpga_host *h, uint64_t now, uint64_t cycle) {
    if (cycle == GPUSCHED_NEVER) return GPUSCHED_STATUS_TIME_OVERFLOW;
    if (cycle < now) return GPUSCHED_STATUS_TIME_BACKWARDS;
    return cycle > horizon(h, cycle) ? (uint32_t)GPUSCHED_FPGA_STATUS_AHEAD : 0;
}

// Carries cycles out before `until`, up to one that decides something; memory is asked first.
static uint32_t advance(gpusched_fpga_host *h, uint64_t now, uint64_t until) {
    if (h->dats != 0) {
        gpusched_dgb_request request;
        const uint32_t status = gpusched_frontend_graph_poll(h->frontend, &request, NULL);
        // A graph in a fault asks for nothing; the decision GRAPH_FAULT has told of it.
        if (status != GPUSCHED_STATUS_OK && status != GPUSCHED_STATUS_GRAPH_FAULT) return status;
        if (status == GPUSCHED_STATUS_OK && request.present != 0) {
            ask(h, now, &request);
            return GPUSCHED_STATUS_OK;
        }
    }
    return gpusched_frontend_advance(h->frontend, until, NULL);
}

// Goes on with the event that is here: brings the front end up to its cycle, and carries it out.
static uint32_t proceed(gpusched_fpga_host *h, uint64_t now) {
    gpusched_fpga_event *const e = &h->event;
    gpusched_fpga_outcome out = {e->wrong, 0, {0, 0, 0, 0, 0, 0}};
    if (out.status == 0) out.status = wrong_time(h, now, e->cycle);
    if (out.status == 0) {
        if (now < e->cycle) return advance(h, now, e->cycle);
        out = gpusched_fpga_event_apply(e, h->frontend);
    }
    h->counts.events++;
    if (out.status != GPUSCHED_STATUS_OK) h->counts.refused++;
    if (out.status != GPUSCHED_STATUS_OK || e->flags != 0) reply(h, now, &out);
    e->entries = 0;
    e->whole = false;
    return GPUSCHED_STATUS_OK;
}

// A session -------------------------------------------------------------------------------------------------------------------

static bool possible(uint32_t entries, uint32_t bytes) {
    return entries >= 2 && (entries & (entries - 1)) == 0 && entries * GPUSCHED_FPGA_ENTRY_WORDS * 4 <= bytes;
}

// Why the logic is not what this host was built for, or 0.
static uint32_t identify(gpusched_fpga_host *h, const gpusched_frontend_config *config) {
    if (load(h, REG(ID)) != REG(ID_VALUE_RESET)) return GPUSCHED_FPGA_STATUS_WRONG_MAP;
    if (GPUSCHED_FPGA_GET(load(h, REG(VERSION)), VERSION_MAJOR) != REG(VERSION_MAJOR_RESET)) return GPUSCHED_FPGA_STATUS_WRONG_VERSION;
    const uint32_t capacity = load(h, REG(CAPACITY)), geometry = load(h, REG(GEOMETRY));
    h->event_entries = GPUSCHED_FPGA_GET(capacity, CAPACITY_EVENTS);
    h->decision_entries = GPUSCHED_FPGA_GET(capacity, CAPACITY_DECISIONS);
    if (!possible(h->event_entries, REG(EVENTS_BYTES)) || !possible(h->decision_entries, REG(DECISIONS_BYTES)) ||
        GPUSCHED_FPGA_GET(capacity, CAPACITY_WORDS) != GPUSCHED_FPGA_ENTRY_WORDS)
        return GPUSCHED_FPGA_STATUS_WRONG_CAPACITY;
    if (GPUSCHED_FPGA_GET(geometry, GEOMETRY_SMXS) != config->n_smx || GPUSCHED_FPGA_GET(geometry, GEOMETRY_SLOTS) != config->tb_slots)
        return GPUSCHED_FPGA_STATUS_WRONG_GEOMETRY;
    return GPUSCHED_STATUS_OK;
}

// HOST_CYCLE: H4, only when every decision of an earlier cycle has been published.
static void publish_cycle(gpusched_fpga_host *h, uint64_t now) {
    if (now == h->published_cycle) return;
    h->published_cycle = now;
    store(h, REG(HOST_CYCLE_LO), (uint32_t)now);
    store(h, REG(HOST_CYCLE_HI), (uint32_t)(now >> 32));
}

uint32_t gpusched_fpga_start(gpusched_fpga_host *h, const gpusched_fpga_bus *bus, gpusched_frontend *frontend, uint32_t origin) {
    gpusched_frontend_config config;
    uint64_t now;
    if (h == NULL || bus == NULL || bus->read == NULL || bus->write == NULL) return GPUSCHED_STATUS_NULL;
    uint32_t status = gpusched_frontend_get_config(frontend, &config, sizeof config);
    if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_now(frontend, &now);
    *h = (gpusched_fpga_host){.bus = *bus, .frontend = frontend};
    // No event says which TB goes where.
    if (status == GPUSCHED_STATUS_OK && config.policy == GPUSCHED_POLICY_TOLD) status = GPUSCHED_STATUS_TOLD;
    if (status == GPUSCHED_STATUS_OK) status = identify(h, &config);
    if (status != GPUSCHED_STATUS_OK) {
        h->fault = status;
        return status;
    }
    h->dats = config.dats;
    h->event_head = h->event_number = h->decision_tail = h->decision_head = origin;
    store(h, REG(CONTROL), 0);
    store(h, REG(ORIGIN), origin);
    store(h, REG(HOST_FAULT), 0);
    h->published_cycle = ~now;
    publish_cycle(h, now);
    store(h, REG(ERROR), UINT32_MAX);
    store(h, REG(IRQ), UINT32_MAX);
    store(h, REG(IRQ_ENABLE), GPUSCHED_FPGA_PUT(1u, IRQ_ENABLE_EVENT));
    store(h, REG(CONTROL), GPUSCHED_FPGA_PUT(1u, CONTROL_ENABLE));
    return GPUSCHED_STATUS_OK;
}

uint32_t gpusched_fpga_service(gpusched_fpga_host *h) {
    if (h == NULL) return GPUSCHED_STATUS_NULL;
    if (h->fault != 0) return h->fault;
    h->counts.services++;
    // H1: the doorbell is cleared before the indices are read, so that one that rings meanwhile rings again.
    store(h, REG(IRQ), GPUSCHED_FPGA_PUT(1u, IRQ_EVENT) | GPUSCHED_FPGA_PUT(1u, IRQ_ROOM));
    const uint32_t tail = load(h, REG(EVENT_TAIL));
    uint32_t status;
    uint64_t now = 0;
    bool more = true;
    while (more) {
        status = flush(h);
        if (status == GPUSCHED_STATUS_OK) status = gpusched_frontend_now(h->frontend, &now);
        if (status != GPUSCHED_STATUS_OK) break;
        if (h->event.whole) {
            status = proceed(h, now);
        } else if (h->event_head != tail) {
            status = take(h);
        } else {
            more = false;
        }
        if (status != GPUSCHED_STATUS_OK) break;
    }
    const uint32_t blocked = status == GPUSCHED_FPGA_STATUS_BLOCKED;
    if (status == GPUSCHED_STATUS_OK) publish_cycle(h, now);
    h->counts.blocked += blocked;
    // H5: IRQ.ROOM was cleared before DECISION_HEAD was read, so room that came since then rings as soon as it is enabled.
    if (blocked != h->wants_room) {
        h->wants_room = blocked;
        store(h, REG(IRQ_ENABLE), GPUSCHED_FPGA_PUT(1u, IRQ_ENABLE_EVENT) | GPUSCHED_FPGA_PUT(blocked, IRQ_ENABLE_ROOM));
    }
    return status == GPUSCHED_STATUS_OK || blocked ? status : stop(h, status, h->event_number);
}

const char *gpusched_fpga_status_str(uint32_t status) {
    switch (status) {
#define NAME(name, code, meaning) \
    case code: return #name;
        GPUSCHED_FPGA_EACH_STATUS(NAME)
#undef NAME
    default: return gpusched_status_str(status);
    }
}
