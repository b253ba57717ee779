/* How two unordered accesses are reported, and how often. */
#include "runtime/emulator/observe/races/race.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/emulator/observe/races/race_relation.h"
#include "runtime/emulator/settings/settings.h"

enum {
    MAX_GROUPS = 256,     /* of one launch; later ones are not reported */
    MAX_PAIRS = 128,      /* groups of two instructions each; later ones join a group of the same two lines */
    MAX_EVENTS = 1 << 24, /* errors of one launch, after which no more are recorded */
};

_Static_assert(MAX_GROUPS <= RACE_SLOTS / 2, "a search must meet a free slot soon");

/* Events of one kind between two memory instructions on one array. */
struct race_group {
    enum finding_code code;
    bool is_error;
    uint32_t site, prior_site;
    const void *array; /* allocation or shared array */
    uint64_t count;
    struct finding *finding; /* of the first event */
    bool is_traced;          /* that one is of the block that is traced */
};

/* ---- words ---- */

static void thread_of(const struct races *races, uint32_t warp, unsigned lane, uint32_t thread[3], uint32_t block[3])
{
    const uint32_t *shape = races->launch->request->block, *grid = races->launch->request->grid;
    uint32_t index = warp % races->warps_per_block * WARP_LANES + lane, linear = warp / races->warps_per_block;
    thread[0] = index % shape[0];
    thread[1] = index / shape[0] % shape[1];
    thread[2] = index / shape[0] / shape[1];
    block[0] = linear % grid[0];
    block[1] = linear / grid[0] % grid[1];
    block[2] = linear / grid[0] / grid[1];
}

static const void *array_of(const struct race_access *access, uint64_t offset)
{
    uint64_t base;
    if (access->region->allocation)
        return access->region->allocation;
    return access_shared_array(access->races->launch, offset, &base);
}

static void name_place(const struct race_access *access, uint64_t offset, struct finding *finding)
{
    unsigned element = access->site->bytes;
    const struct memory_allocation *allocation = access->region->allocation;
    if (allocation) {
        access_name_array(access->warp, allocation, finding);
        element = allocation->element_bytes ? allocation->element_bytes : element;
        finding->columns = (int64_t)allocation->columns;
    } else {
        uint64_t base;
        const struct shared_array *array = access_shared_array(access->races->launch, offset, &base);
        if (array)
            element = access_shared_element(access->races->launch, array, element);
        if (array)
            access->races->launch->words->name_variable(access->races->launch, array->variable,
                                                        access_shared_bytes(access->races->launch, array), element, finding);
        offset -= base;
    }
    finding->index = (int64_t)(offset / element);
    finding->has_index = true;
}

static const char *done(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "written" : "changed atomically";
}

static const char *kind_of(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "write" : "atomic";
}

static const char *reason(enum finding_code code, bool same_warp, bool same_block)
{
    switch (code) {
    case FINDING_race_scope: return "the scope of one covers only its own block";
    case FINDING_race_size: return "the two accesses cover different bytes";
    case FINDING_race_flag: return "both set it to the same value";
    case FINDING_race_same_value: return "both store the same value, in no defined order";
    case FINDING_race_read_only_load: return "the read goes through the read-only path";
    case FINDING_race_acquire: return "the flag between them is read relaxed, and no fence follows that read";
    case FINDING_race_reset: return "formally nothing orders the two, though its own atomic operation there was the last";
    case FINDING_race_volatile:
        return same_warp ? "both are volatile, which orders nothing, not even within a warp"
                         : "both are volatile, which orders nothing";
    default: break;
    }
    return same_warp    ? "they are in one warp, and still nothing makes one wait for the other"
           : same_block ? "no barrier between them"
                        : "nothing orders the two blocks";
}

/* How the two statements are related, for the races of which that says what to do: a name and a reason; a NULL reason leaves
 * that of the code. */
struct story {
    const char *pattern, *reason;
};

/* An index into which no number of the thread, or of the block, goes. */
static bool tell_index(const struct race_index *index, bool same_block, struct story *story)
{
    if (!index->known || index->data || (index->block && index->thread) || (index->thread && same_block)
        || (index->block && !same_block))
        return false;
    if (!same_block)
        *story = (struct story){"no_block", "blockIdx is not in the index, so every block uses the same elements"};
    else if (index->block)
        *story = (struct story){
            "whole_block", "the number of the thread is not in the index, so all threads of a block use the same elements"};
    else
        *story = (struct story){
            "everybody",
            "the number of the thread is not in the index, so every thread that comes here uses the same elements"};
    return true;
}

/* Every thread writes elements that go by its block, and reads those of the first one. */
static bool tell_read_index(const struct race_story *relation, struct story *story)
{
    const struct race_index *read = &relation->read_index, *written = &relation->index;
    if (!read->known || !written->known || read->block || read->data || !read->thread || !written->block || !written->thread)
        return false;
    *story = (struct story){"read_no_block", "blockIdx is in the index of what is written, and not in that of what is read"};
    return true;
}

static struct story tell(const struct races *races, enum finding_code code, const struct operation *earlier,
                         const struct operation *later, bool same_block, bool same_warp)
{
    struct story told = {NULL, NULL};
    bool across = !same_block && code != FINDING_race_shared;
    if (code == FINDING_race_mixed && across)
        return (struct story){"blocks", NULL};
    if (code != FINDING_race_warp && code != FINDING_race_shared && code != FINDING_race_global
        && code != FINDING_race_same_value && !(code == FINDING_race_volatile && same_warp))
        return told;
    struct race_story story = race_relate(races->launch, earlier, later);
    switch (story.relation) {
    case RELATION_UPDATE:
        /* Many who add to one place mean to do so; many who walk over the same elements do not. */
        if ((!story.index.loop && !story.index.thread) || !tell_index(&story.index, same_block, &told))
            told = (struct story){"update", "each thread reads it, changes it and writes it back, so a change can be lost"};
        break;
    case RELATION_CHAIN:
        if (across && tell_read_index(&story, &told))
            break;
        if (across && !story.same_statement) { /* what one block hands over to the next */
            told.pattern = "blocks";
            break;
        }
        told = (struct story){"chain", "one thread needs what the other replaces, and nothing says which comes first"};
        break;
    case RELATION_STEP:
        told = across ? (struct story){"step_blocks", "nothing makes one block wait for the other"}
                      : (struct story){"step", "no barrier separates the reads and the writes of the steps"};
        break;
    case RELATION_STORE:
        if (!story.same_statement)
            told.pattern = "two_stores";
        else if (!tell_index(&story.index, same_block, &told))
            told = (struct story){"same_element", "one statement stores there from both threads"};
        break;
    case RELATION_NONE:
        if (!across || !tell_read_index(&story, &told))
            told.pattern = across ? "blocks" : NULL;
        break;
    }
    if (code == FINDING_race_same_value)
        told.reason = NULL;
    return told;
}

/* Of a place in shared memory (race_place_key). */
static bool holds_shared_lock(const struct race_warp *own, unsigned lane)
{
    return own->locks && own->locks[lane].held && own->locks[lane].key >> 63;
}

static void describe(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset,
                     enum finding_code code, struct finding *finding)
{
    struct races *races = access->races;
    const struct race_site *earlier = &races->sites[prior->site];
    uint32_t thread[3], block[3];
    char where[80] = "", own_block[80] = "", name[ELEMENT_BYTES];
    bool same_block = prior->warp / races->warps_per_block == access->own->id / races->warps_per_block;
    bool same_warp = prior->warp == access->own->id;
    bool by_exchange = same_warp && (code == FINDING_race_warp || code == FINDING_race_volatile) && prior->lane != lane
                       && race_exchange_between(races, earlier->operation, access->operation);
    launch_finding(access->warp, access->operation, lane, code, finding);
    place_describe_second(races->launch, earlier->operation, finding);
    name_place(access, offset, finding);
    thread_of(races, prior->warp, prior->lane, thread, block);
    memcpy(finding->thread2, thread, sizeof finding->thread2);
    memcpy(finding->block2, block, sizeof finding->block2);
    finding->has_thread2 = true;
    finding->access = kind_of(access->site);
    finding->access2 = kind_of(earlier->site);
    if (!same_block) {
        snprintf(where, sizeof where, " of block (%u,%u,%u)", block[0], block[1], block[2]);
        snprintf(own_block, sizeof own_block, " of block (%u,%u,%u)", finding->block[0], finding->block[1],
                 finding->block[2]);
    }
    races->launch->words->explain(access->warp, access->operation, finding);
    races->launch->words->explain_second(races->launch, earlier->operation, thread, block, finding);
    struct story story = {NULL, NULL};
    if (!access->block->any_locks) /* what a lock protects is meant to be shared */
        story = tell(races, code, earlier->operation, access->operation, same_block, same_warp);
    bool plain = code == FINDING_race_shared || code == FINDING_race_global; /* in a warp, that it is one says more */
    bool open = plain && same_block && !access->block->any_locks && !story.pattern && !story.reason;
    int barrier = open ? race_find_turn_barrier(races->launch, earlier->operation, access->operation) : 0;
    char turns[120];
    if (barrier > 0) {
        snprintf(turns, sizeof turns,
                 "the two belong to different turns of a loop: line %d has a barrier, but no barrier separates the turns",
                 barrier);
        story = (struct story){"turns", turns};
    }
    char unlocked[WHERE_BYTES + 60] = "";
    bool later = races->sites[access->site->number].after_release;
    if (access->block->any_locks && (later || earlier->after_release)) {
        snprintf(unlocked, sizeof unlocked, "%s is executed after the lock has been released",
                 later ? finding->where : finding->where2);
        story = (struct story){"unlocked", unlocked};
    }
    if (code == FINDING_race_global && !same_block && holds_shared_lock(access->own, lane))
        story = (struct story){"own_lock",
                               "the lock that the second one holds is in shared memory, and each block has its own"};
    if (finding->is_scalar && story.pattern && strcmp(story.pattern, "everybody") == 0)
        story = (struct story){"one_variable",
                               "there is one such variable for the whole block, and every thread that comes here uses it"};
    finding->pattern = by_exchange ? "exchange" : story.pattern;
    finding_text(finding, "%s%s %s by thread (%u,%u,%u)%s (%s) and %s by thread (%u,%u,%u)%s (%s); %s",
                 access->region->allocation ? ""
                 : finding->is_scalar       ? "shared variable "
                                            : "shared array ",
                 finding_element(finding, name), done(earlier->site), thread[0], thread[1], thread[2], where,
                 finding->where2, done(access->site), finding->thread[0], finding->thread[1], finding->thread[2], own_block,
                 finding->where,
                 by_exchange    ? "the same warp, and only a shuffle or vote between them, which orders no memory"
                 : story.reason ? story.reason
                                : reason(code, same_warp, same_block));
    if (code == FINDING_race_shared && (!finding->pattern || barrier > 0) && finding->line > 0 && finding->line2 > 0
        && finding->line != finding->line2)
        snprintf(finding->question, sizeof finding->question,
                 "What must every thread have finished before any thread goes on to line %d?", finding->line);
    if (by_exchange)
        finding->hint = "A shuffle passes values of registers. What makes the lanes wait for what is in memory?";
    else if (code == FINDING_race_volatile && same_warp)
        finding->hint = "volatile orders nothing, and the lanes of a warp need not run in lockstep. What orders these two?";
}

/* ---- groups ---- */

static inline bool is_of(const struct race_group *group, enum finding_code code, uint32_t site, uint32_t prior,
                         const void *array)
{
    return group->code == code && group->array == array
           && ((group->site == site && group->prior_site == prior) || (group->site == prior && group->prior_site == site));
}

/* Source line of an access; below 0: of the PTX. */
static int line_of(struct races *races, uint32_t number)
{
    struct race_site *site = &races->sites[number];
    if (!site->line) {
        struct place place = place_of(races->launch, site->operation);
        site->line = place.line ? place.line : -place.ptx_line;
    }
    return site->line;
}

/* An unrolled loop turns a line into many instructions, and as many pairs as their product. */
static bool is_on_lines(struct races *races, const struct race_group *group, enum finding_code code, uint32_t site,
                        uint32_t prior, const void *array)
{
    int line = line_of(races, site), second = line_of(races, prior);
    int known = line_of(races, group->site), known_second = line_of(races, group->prior_site);
    return group->code == code && group->array == array
           && ((line == known && second == known_second) || (line == known_second && second == known));
}

/* Where the search begins for a group about two numbers, in whichever order: sites, or lines. */
static size_t slot_of(enum finding_code code, uint32_t one, uint32_t other, const void *array)
{
    uint32_t low = one < other ? one : other, high = one < other ? other : one;
    return finding_key(array, code, (uint64_t)high << 32 | low) % RACE_SLOTS;
}

/* Enters the newest group by its sites and by its lines: a slot holds its number and 1, 0: free. One on the same lines as an
 * earlier one takes its place there. */
static void enter_group(struct races *races)
{
    uint32_t number = (uint32_t)races->group_count - 1;
    const struct race_group *group = &races->groups[number];
    size_t slot = slot_of(group->code, group->site, group->prior_site, group->array);
    while (races->group_of_sites[slot])
        slot = (slot + 1) % RACE_SLOTS;
    races->group_of_sites[slot] = (uint16_t)(number + 1);
    slot = slot_of(group->code, (uint32_t)line_of(races, group->site), (uint32_t)line_of(races, group->prior_site),
                   group->array);
    while (races->group_of_lines[slot]
           && !is_on_lines(races, &races->groups[races->group_of_lines[slot] - 1], group->code, group->site,
                           group->prior_site, group->array))
        slot = (slot + 1) % RACE_SLOTS;
    races->group_of_lines[slot] = (uint16_t)(number + 1);
}

static inline void add_events(struct races *races, struct race_group *group, uint32_t times)
{
    group->count += times;
    races->event_count += group->is_error ? times : 0;
    races->gave_up |= races->event_count > MAX_EVENTS;
}

/* The group that the event belongs to; NULL when it is the first of its kind. */
static struct race_group *find_group(struct races *races, enum finding_code code, uint32_t site, uint32_t prior,
                                     const void *array)
{
    struct race_group *groups = races->groups;
    size_t count = groups ? races->group_count : 0;
    uint32_t number = races->sites[site].group;
    struct race_group *latest = number < count ? &groups[number] : NULL;
    bool by_lines = count >= MAX_PAIRS;
    if (latest
        && (is_of(latest, code, site, prior, array) || (by_lines && is_on_lines(races, latest, code, site, prior, array))))
        return latest;
    for (size_t slot = slot_of(code, site, prior, array); count && races->group_of_sites[slot];
         slot = (slot + 1) % RACE_SLOTS) {
        struct race_group *group = &groups[races->group_of_sites[slot] - 1];
        if (is_of(group, code, site, prior, array))
            return group;
    }
    if (!by_lines)
        return NULL;
    for (size_t slot = slot_of(code, (uint32_t)line_of(races, site), (uint32_t)line_of(races, prior), array);
         races->group_of_lines[slot]; slot = (slot + 1) % RACE_SLOTS) {
        struct race_group *group = &groups[races->group_of_lines[slot] - 1];
        if (is_on_lines(races, group, code, site, prior, array))
            return group;
    }
    return NULL;
}

/* Counts an event with this weight. Returns the group when it is its first one. */
static struct race_group *count_event(struct races *races, enum finding_code code, uint32_t site, uint32_t prior,
                                      const void *array, uint32_t times)
{
    struct race_group *known = find_group(races, code, site, prior, array);
    if (known) {
        races->sites[site].group = (uint32_t)(known - races->groups);
        add_events(races, known, times);
        return NULL;
    }
    if (races->group_count == MAX_GROUPS)
        return NULL;
    if (races->group_count == races->group_capacity) {
        size_t capacity = races->group_capacity ? races->group_capacity * 2 : 16;
        struct race_group *grown = realloc(races->groups, capacity * sizeof *grown);
        if (!grown)
            return NULL;
        races->groups = grown;
        races->group_capacity = capacity;
    }
    struct finding *finding = malloc(sizeof *finding);
    if (!finding)
        return NULL;
    races->groups[races->group_count] = (struct race_group){.code = code,
                                                            .site = site,
                                                            .prior_site = prior,
                                                            .array = array,
                                                            .count = times,
                                                            .finding = finding,
                                                            .is_error = finding_code_severity(code) == SEVERITY_ERROR};
    races->group_count++;
    enter_group(races);
    return &races->groups[races->group_count - 1];
}

/* Are both accesses in the traced block? Such an event is reported rather than another, so that the trace can show it. */
static bool is_traced(const struct races *races, uint32_t warp, uint32_t prior_warp)
{
    uint32_t thread[3], block[3], prior_block[3];
    const uint32_t *traced = settings_get()->trace_block;
    if (!settings_get()->trace_path)
        return false;
    thread_of(races, warp, 0, thread, block);
    thread_of(races, prior_warp, 0, thread, prior_block);
    return memcmp(block, traced, sizeof block) == 0 && memcmp(prior_block, traced, sizeof prior_block) == 0;
}

static void report(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset,
                   enum finding_code code)
{
    const void *array = array_of(access, offset);
    bool traced = is_traced(access->races, access->own->id, prior->warp);
    struct race_group *group = count_event(access->races, code, access->site->number, prior->site, array, access->alike);
    if (!group && traced) {
        group = find_group(access->races, code, access->site->number, prior->site, array);
        group = group && !group->is_traced ? group : NULL;
    }
    if (!group)
        return;
    describe(access, lane, prior, offset, code, group->finding);
    group->is_traced = traced;
}

static bool stores_one_value(const struct race_group *group)
{
    return group->code == FINDING_race_same_value || group->code == FINDING_race_flag;
}

/* The toolkit's own headers may store one value several times: a student cannot fix that. */
static bool is_harmless(const struct races *races, const struct race_group *group)
{
    return stores_one_value(group) && launch_is_in_toolkit(races->launch, races->sites[group->site].operation)
           && launch_is_in_toolkit(races->launch, races->sites[group->prior_site].operation);
}

static bool is_plain(enum finding_code code)
{
    return code == FINDING_race_global || code == FINDING_race_shared;
}

static bool same_lines(const struct finding *a, const struct finding *b)
{
    return (a->line == b->line && a->line2 == b->line2 && a->ptx_line == b->ptx_line && a->ptx_line2 == b->ptx_line2)
           || (a->line == b->line2 && a->line2 == b->line && a->ptx_line == b->ptx_line2 && a->ptx_line2 == b->ptx_line);
}

/* Stores of one value need no separate warning where the same lines also store different ones; and what is missing
 * between warps is also missing within them. */
static bool is_covered(const struct races *races, const struct race_group *group)
{
    if (!stores_one_value(group) && group->code != FINDING_race_warp)
        return false;
    for (size_t i = 0; i < races->group_count; i++) {
        const struct race_group *other = &races->groups[i];
        if (other->array == group->array && same_lines(other->finding, group->finding)
            && (is_plain(other->code) || (other->code == FINDING_race_warp && stores_one_value(group))))
            return true;
    }
    return false;
}

/* One pair of lines can be several pairs of instructions (an unrolled loop), met in either order: they count as one. */
static void merge_lines(struct races *races)
{
    for (size_t i = 0; i < races->group_count; i++) {
        struct race_group *group = &races->groups[i];
        for (size_t j = i + 1; j < races->group_count; j++) {
            struct race_group *other = &races->groups[j];
            if (other->code != group->code || other->array != group->array || !group->count
                || !same_lines(other->finding, group->finding))
                continue;
            group->count += other->count;
            other->count = 0;
            if (other->is_traced && !group->is_traced) {
                struct finding *told = group->finding;
                group->finding = other->finding;
                other->finding = told;
                group->is_traced = true;
            }
        }
    }
}

/* Wrong addresses that are computed from a value read in a race follow from it. */
static void note_spoilt_addresses(struct races *races)
{
    for (size_t i = 0; i < races->group_count; i++) {
        const struct race_group *group = &races->groups[i];
        const uint32_t sites[] = {group->site, group->prior_site};
        for (size_t k = 0; k < 2 && group->is_error; k++) {
            const struct operation *operation = races->sites[sites[k]].operation;
            const struct ptx_instruction *load = operation_instruction(races->launch, operation);
            if (load && races->sites[sites[k]].site->access != SITE_STORE)
                finding_set_note_race(races->launch->findings, load, place_of(races->launch, operation).line);
        }
    }
}

/* Races between warps and blocks first: a barrier that fixes them often fixes those within a warp. */
void race_flush(struct races *races)
{
    note_spoilt_addresses(races);
    merge_lines(races);
    for (int turn = 0; turn < 2; turn++) {
        for (size_t i = 0; i < races->group_count; i++) {
            struct race_group *group = &races->groups[i];
            group->finding->count = group->count;
            if (group->count && is_plain(group->code) == (turn == 0) && !is_covered(races, group)
                && !is_harmless(races, group))
                finding_collect(races->launch->findings, group->finding);
        }
    }
    for (size_t i = 0; i < races->group_count; i++)
        free(races->groups[i].finding);
    races->group_count = 0;
    memset(races->group_of_sites, 0, sizeof races->group_of_sites);
    memset(races->group_of_lines, 0, sizeof races->group_of_lines);
}

/* ---- verdicts ---- */

/* The bytes that a lane stores, from `element` bytes into its data on. */
static void stored_bytes(const struct race_access *access, unsigned lane, unsigned element, unsigned count, uint8_t *bytes)
{
    const struct memory_site *site = access->site;
    for (unsigned i = 0; i < count; i++) {
        unsigned part = (element + i) / site->bytes;
        const void *base = site->wide[part] ? (const char *)access->warp->q + site->data[part] + (size_t)8 * lane
                                            : (const char *)access->warp->r + site->data[part] + (size_t)4 * lane;
        bytes[i] = site->data[part] == UINT32_MAX ? 0 : ((const uint8_t *)base)[(element + i) % site->bytes];
    }
}

static bool stores_same_bytes(const struct race_access *access, unsigned lane, uint64_t offset, unsigned element)
{
    uint8_t bytes[4];
    unsigned count = race_cell_bytes(access->region, offset);
    if (access->site->data[0] == UINT32_MAX) /* an asynchronous copy: the value has not arrived yet */
        return false;
    stored_bytes(access, lane, element, count, bytes);
    return memcmp(bytes, access->region->host + offset, count) == 0;
}

bool race_stores_alike(const struct race_access *access, uint32_t mask)
{
    uint8_t first[32], other[32];
    const struct memory_site *site = access->site;
    unsigned bytes = (unsigned)site->bytes * site->vector;
    if (site->vector == 1 && site->bytes == 4 && !site->wide[0] && site->data[0] != UINT32_MAX) {
        const uint32_t *value = (const uint32_t *)((const char *)access->warp->r + site->data[0]);
        uint32_t differ = 0;
        for (uint32_t rest = mask; rest; rest &= rest - 1)
            differ |= value[__builtin_ctz(rest)] ^ value[__builtin_ctz(mask)];
        return !differ;
    }
    stored_bytes(access, (unsigned)__builtin_ctz(mask), 0, bytes, first);
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        stored_bytes(access, (unsigned)__builtin_ctz(rest), 0, bytes, other);
        if (memcmp(first, other, bytes) != 0)
            return false;
    }
    return true;
}

/* Is it a number that the code contains, and 0? */
static bool adds_nothing(const struct races *races, const struct memory_site *atomic)
{
    const struct code *code = races->launch->code;
    for (size_t i = 0; i < code->constant_count; i++) {
        const struct constant *constant = &code->constants[i];
        if (constant->source == CONSTANT_VALUE && constant->offset == atomic->data[0]
            && constant->part == (atomic->wide[0] ? CONSTANT_Q : CONSTANT_R))
            return constant->value == 0;
    }
    return false;
}

/* Would the atomic operation that the lane does now leave the memory as it is? */
static bool changes_nothing(const struct race_access *access, unsigned lane, uint64_t offset)
{
    const struct memory_site *site = access->site;
    uint64_t before = 0, after = 0;
    if (ptx_type_kind(site->type) == KIND_FLOAT || site->data[0] == UINT32_MAX) /* of an mbarrier object */
        return false;
    uint64_t operand = warp_value(access->warp, site->data[0], site->wide[0], lane);
    memcpy(&before, access->region->host + offset, site->bytes);
    after = before;
    access_atomic((enum atomic_operation)site->atomic, site->type, &after, operand, 0);
    return after == before;
}

/* A volatile store against an atomic operation. Both are whole, but the store does not know of the other: whichever comes
 * first, its effect may be lost, as between the load and the store of `*v = *v + 1`. Not so where the store is how threads
 * speak to each other: it gives back a lock (which is taken by compare-and-swap or exchange), sets what others poll or read by
 * adding 0, or sets what the atomic would. */
static bool overwrites_atomic(const struct race_access *access, unsigned lane, const struct race_prior *prior,
                              uint64_t offset, unsigned element)
{
    struct races *races = access->races;
    const struct memory_site *site = access->site, *earlier = races->sites[prior->site].site;
    bool store_first = earlier->access == SITE_STORE && earlier->is_volatile && race_is_atomic(site);
    bool store_last = site->access == SITE_STORE && site->is_volatile && race_is_atomic(earlier);
    const struct memory_site *atomic = store_first ? site : earlier;
    if (!store_first && !store_last)
        return false;
    bool keeps = atomic->atomic == ATOMIC_AND || atomic->atomic == ATOMIC_OR || atomic->atomic == ATOMIC_MIN
                 || atomic->atomic == ATOMIC_MAX; /* done again, they change nothing: a loop can wait by them */
    if (race_is_swap(atomic) || adds_nothing(races, atomic)
        || (keeps && race_polls(races, store_first ? site->number : prior->site)))
        return false;
    if (store_first)
        return !changes_nothing(access, lane, offset - element);
    return !(keeps && stores_same_bytes(access, lane, offset, element));
}

/* A volatile store against a swap of another thread. Nothing is lost where the storing thread owns the place (it gives back a
 * lock, or what it has claimed), where strong loads watch the place or the swap waits by it (they communicate), or where both
 * store the same. Nor where the swap comes second and looks at what it found. */
static bool overwrites_swap(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset,
                            unsigned element)
{
    struct races *races = access->races;
    const struct memory_site *site = access->site, *earlier = races->sites[prior->site].site;
    if (site->access == SITE_STORE && site->is_volatile && race_is_swap(earlier))
        return access->own->foreign >> lane & 1 && !race_polls(races, prior->site)
               && !stores_same_bytes(access, lane, offset, element);
    return race_is_swap(site) && earlier->access == SITE_STORE && earlier->is_volatile
           && race_reading_of(races, site->number) == READING_NOTHING && !(access->own->owned >> lane & 1)
           && race_swap_changes(access, lane, offset - element);
}

/* A store that puts a counter back, by the thread whose own atomic operation on it was the last: nothing can be lost, since
 * the store is behind that one, and that one behind the others. */
static bool is_reset(const struct race_access *access, unsigned lane, const struct memory_site *earlier, uint64_t start)
{
    const struct memory_site *site = access->site;
    return site->access == SITE_STORE && race_is_atomic(earlier) && site->request_bytes == earlier->request_bytes
           && race_has_last_ticket(access, lane, race_place_key(access, start));
}

/* What two stores of one value are. */
static enum finding_code same_value(struct races *races, uint32_t site, uint32_t prior)
{
    for (int turn = 0; turn < 2; turn++) {
        struct race_site *store = &races->sites[turn == 0 ? site : prior];
        if (store->flag < 0)
            store->flag = race_sets_flag(races->launch, store->operation);
        if (!store->flag)
            return FINDING_race_same_value;
    }
    return FINDING_race_flag;
}

void race_judge(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset,
                unsigned element)
{
    struct races *races = access->races;
    const struct memory_site *site = access->site, *earlier = races->sites[prior->site].site;
    work_add(WORK_JUDGE);
    bool same_warp = prior->warp == access->own->id;
    bool same_block = prior->warp - access->block->first_warp < races->warps_per_block;
    bool shared = !access->region->allocation;
    enum finding_code code = same_warp ? FINDING_race_warp : shared ? FINDING_race_shared : FINDING_race_global;
    if (site->strong && earlier->strong) {
        if (!same_block && (site->scope == 0 || earlier->scope == 0))
            code = FINDING_race_scope;
        else if (site->bytes != earlier->bytes)
            code = FINDING_race_size;
        else if (overwrites_swap(access, lane, prior, offset, element)
                 || (overwrites_atomic(access, lane, prior, offset, element)
                     && !is_reset(access, lane, earlier, offset - element)))
            code = FINDING_race_mixed;
        else if (!site->is_volatile || !earlier->is_volatile || (access->write && access->own->owned >> lane & 1)
                 || race_polls(races, site->number) || race_polls(races, prior->site))
            return; /* strong, in scope, the same bytes: that is how threads communicate */
        else
            code = FINDING_race_volatile;
    } else if (race_is_atomic(site) || race_is_atomic(earlier)) {
        code = is_reset(access, lane, earlier, offset - element) ? FINDING_race_reset : FINDING_race_mixed;
    } else if (access->write && prior->write && stores_same_bytes(access, lane, offset, element)) {
        code = same_value(races, site->number, prior->site);
    }
    report(access, lane, prior, offset, code);
}

void race_same_store(const struct race_access *access, unsigned lane, unsigned other, uint64_t offset)
{
    uint8_t mine[32], others[32];
    const struct memory_site *site = access->site;
    unsigned bytes = (unsigned)site->bytes * site->vector;
    stored_bytes(access, lane, 0, bytes, mine);
    stored_bytes(access, other, 0, bytes, others);
    bool differ = memcmp(mine, others, bytes) != 0;
    if (site->strong && (!site->is_volatile || (differ && race_polls(access->races, site->number))))
        return; /* as in race_judge() */
    struct race_prior prior = {access->own->id, site->number, other, true};
    report(access, lane, &prior, offset,
           !differ        ? same_value(access->races, site->number, site->number)
           : site->strong ? FINDING_race_volatile
                          : FINDING_race_warp);
}

void race_read_only(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset)
{
    report(access, lane, prior, offset, FINDING_race_read_only_load);
}

/* line2: where the lock was taken. */
static void report_lock(const struct race_access *access, unsigned lane, uint64_t offset, bool taking)
{
    struct races *races = access->races;
    uint32_t taken = access->own->locks[lane].site;
    struct race_group *group = count_event(races, FINDING_race_lock, access->site->number, taken, array_of(access, offset),
                                           1);
    if (!group)
        return;
    launch_finding(access->warp, access->operation, lane, FINDING_race_lock, group->finding);
    place_describe_second(races->launch, races->sites[taken].operation, group->finding);
    name_place(access, offset, group->finding);
    finding_text(group->finding, "the lock taken at %s %s, but there is no __threadfence() between %s",
                 group->finding->where2,
                 !taking                             ? "is released here"
                 : access->site->access == SITE_LOAD ? "protects what is read here"
                                                     : "protects what is written here",
                 taking ? "the two" : "what it protects and the release");
}

void race_report_lock(const struct race_access *access, unsigned lane, uint64_t offset)
{
    report_lock(access, lane, offset, false);
}

void race_relaxed_order(const struct race_access *access, unsigned lane, const struct race_prior *prior, uint64_t offset)
{
    if (access->own->locks && access->own->locks[lane].held)
        report_lock(access, lane, offset, true);
    else
        report(access, lane, prior, offset, FINDING_race_acquire);
}
