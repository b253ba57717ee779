#include "runtime/emulator/observe/record/outcomes.h"

#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/operands.h"
#include "runtime/emulator/machine/program.h"

/* Two blocks, since one knows its index as 0 in each; a long loop tells no more than its first turns. */
enum { FOLLOWED_BLOCKS = 2, MOST_STEPS = 1 << 13 };

bool outcomes_follow(const struct outcomes *outcomes, const struct launch *launch, const struct block *block)
{
    return launch->counts && block->linear < FOLLOWED_BLOCKS && outcomes->steps < MOST_STEPS;
}

/* ---- values --------------------------------------------------------------------------------------------------------- */

static bool is_computed(const struct operation *operation)
{
    uint32_t offset;
    return operation_is(operation, ROLE_PRIVATE) && !operation_is(operation, ROLE_LOADS)
           && operands_destination(operation, 0, &offset) != PART_NONE;
}

static void find_sources(const struct operation *operation, enum operand_part part[OUTCOME_SOURCES],
                         uint32_t offset[OUTCOME_SOURCES])
{
    const struct operands *operands = &operands_of[operation->handler];
    part[0] = (enum operand_part)operands->a;
    part[1] = (enum operand_part)operands->b;
    part[2] = (enum operand_part)operands->c;
    offset[0] = operation->a;
    offset[1] = operation->b;
    offset[2] = operation->c;
}

/* The result may take the place of a source. */
static void take_sources(struct outcomes *outcomes, const struct warp *warp, const struct operation *operation)
{
    enum operand_part part[OUTCOME_SOURCES];
    uint32_t offset[OUTCOME_SOURCES];
    find_sources(operation, part, offset);
    for (unsigned i = 0; i < OUTCOME_SOURCES; i++)
        for (uint32_t rest = outcomes->outcome->differs >> i & 1 ? 0 : outcomes->lanes; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            outcomes->source[i][lane] = operands_value(warp, part[i], offset[i], lane);
        }
}

/* Returns whether anything is new. */
static bool compare_values(struct outcomes *outcomes, const struct warp *warp, const struct operation *operation)
{
    struct outcome *outcome = outcomes->outcome, old = *outcome;
    uint32_t offset;
    enum operand_part part = operands_destination(operation, 0, &offset);
    for (uint32_t rest = outcomes->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t value = operands_value(warp, part, offset, lane);
        if (!outcome->seen)
            outcome->first = value;
        outcome->seen = true;
        outcome->varies |= value != outcome->first;
        for (unsigned i = 0; i < OUTCOME_SOURCES; i++)
            if (!(outcome->differs >> i & 1) && value != outcomes->source[i][lane])
                outcome->differs |= (uint8_t)(1u << i);
    }
    return outcome->varies != old.varies || outcome->differs != old.differs;
}

/* ---- memory --------------------------------------------------------------------------------------------------------- */

static bool is_written(const struct operation *operation)
{
    return operation_is(operation, ROLE_WRITES) && operation_is(operation, ROLE_SITE) && access_is_request(operation)
           && !operation->site->texel && operation->site->request_bytes <= OUTCOME_BYTES;
}

static const uint8_t *place_of_lane(const struct trace_request *request, unsigned lane)
{
    const struct trace_reached *reached = &request->reached[lane];
    uint64_t bytes = request->site->request_bytes;
    bool inside = reached->identity && reached->host && request->offset[lane] >= 0
                  && (uint64_t)request->offset[lane] + bytes <= reached->bytes;
    return inside ? reached->host + request->offset[lane] : NULL;
}

static void take_memory(struct outcomes *outcomes, const struct warp *warp, const struct operation *operation)
{
    bool known = true;
    trace_request_find(warp, operation, &outcomes->request);
    for (uint32_t rest = outcomes->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const uint8_t *place = outcomes->request.lanes >> lane & 1 ? place_of_lane(&outcomes->request, lane) : NULL;
        if (place)
            memcpy(outcomes->before[lane], place, operation->site->request_bytes);
        else
            known = false; /* local memory, or wrong */
    }
    if (!known) {
        outcomes->outcome->changes = true;
        warp->launch->relearnt |= outcomes->outcome->left_out;
    }
}

static bool compare_memory(struct outcomes *outcomes, const struct operation *operation)
{
    struct outcome *outcome = outcomes->outcome;
    bool old = outcome->changes;
    for (uint32_t rest = outcome->changes ? 0 : outcomes->lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        outcome->changes |=
            memcmp(outcomes->before[lane], place_of_lane(&outcomes->request, lane), operation->site->request_bytes) != 0;
    }
    outcome->seen = true;
    return outcome->changes != old;
}

/* ---- operations ----------------------------------------------------------------------------------------------------- */

static bool is_settled(const struct outcome *outcome, bool writes)
{
    return writes ? outcome->changes : outcome->varies && outcome->differs == (1u << OUTCOME_SOURCES) - 1;
}

void outcomes_before(struct outcomes *outcomes, const struct warp *warp, const struct operation *operation)
{
    bool writes = is_written(operation);
    outcomes->outcome = NULL;
    if (operation->instruction < 0 || (!writes && !is_computed(operation)))
        return;
    const struct code *code = program_code_of(warp->launch->request->function->program, operation);
    struct outcome *outcome = code ? &code->outcomes[operation->instruction] : NULL;
    if (!outcome || is_settled(outcome, writes))
        return;
    outcomes->outcome = outcome;
    outcomes->lanes = warp->mask;
    if (writes)
        take_memory(outcomes, warp, operation);
    else
        take_sources(outcomes, warp, operation);
}

void outcomes_after(struct outcomes *outcomes, struct warp *warp, const struct operation *operation, bool alone)
{
    struct launch *launch = warp->launch;
    struct outcome *outcome = outcomes->outcome;
    if (outcome) {
        bool is_new = is_written(operation) ? compare_memory(outcomes, operation)
                                            : compare_values(outcomes, warp, operation);
        launch->relearnt |= is_new && outcome->left_out;
        outcomes->outcome = NULL;
    }
    if (alone && !launch->turn.warp && warp->watches & WARP_STEPPED && ++outcomes->steps >= MOST_STEPS)
        warp->watches -= WARP_STEPPED; /* what is left of a long block runs as it would */
}
