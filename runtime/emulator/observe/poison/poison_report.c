/* Messages about poison: where it mattered, and which load it came from. */
#include "runtime/emulator/observe/poison/poison.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/words.h"

enum { MAX_GROUPS = 128, MAX_STORES = 256 };

static const char SHUFFLE_HINT[] =
    "Which lanes are still there when this shuffle runs, and what should the others contribute?";

/* Events of one launch: poison from one load in one use, or in one store to one allocation. */
struct poison_group {
    const struct operation *operation;
    uint32_t origin;
    struct memory_allocation *allocation; /* of a store; NULL: a use */
    uint64_t low, high;                   /* bytes stored to */
    struct finding finding;
};

/* Stores of poison, of all launches. */
static struct poison_store {
    const struct memory_allocation *allocation;
    uint64_t address; /* of the allocation: its record may be used again */
    uint64_t low, high;
    struct finding finding;
    bool told; /* somebody has looked at it, and it was reported */
} stores[MAX_STORES];
static size_t store_count;

/* Returns the bytes that its index counts. */
static unsigned name_shared(const struct launch *launch, const struct operation *operation, uint64_t offset,
                            struct finding *finding)
{
    uint64_t base;
    const struct shared_array *array = access_shared_array(launch, offset, &base);
    if (!array)
        return operation->site->bytes;
    unsigned element = access_shared_element(launch, array, operation->site->bytes);
    launch->words->name_variable(launch, array->variable, access_shared_bytes(launch, array), element, finding);
    finding->in_shared = true;
    finding->index = (int64_t)((offset - base) / element);
    return element;
}

unsigned poison_name_place(const struct warp *warp, const struct operation *operation, struct memory_allocation *allocation,
                           uint64_t offset, struct finding *finding)
{
    finding->has_index = true;
    if (!allocation)
        return name_shared(warp->launch, operation, offset, finding);
    unsigned element = allocation->element_bytes ? allocation->element_bytes : operation->site->bytes;
    access_name_array(warp, allocation, finding);
    finding->index = (int64_t)(offset / element);
    finding->columns = (int64_t)allocation->columns;
    return element;
}

/* "tile[3]" or "C[1][2]". */
static const char *element_name(const char *array, int64_t index, int64_t columns, char text[128])
{
    if (columns > 0)
        snprintf(text, 128, "%s[%lld][%lld]", array, (long long)(index / columns), (long long)(index % columns));
    else
        snprintf(text, 128, "%s[%lld]", *array ? array : "the array", (long long)index);
    return text;
}

/* Counts events, one in each lane. Returns the group when they are its first. */
static struct poison_group *count_events(struct warp *warp, const struct operation *operation, uint64_t events,
                                         uint32_t origin, struct memory_allocation *allocation, uint64_t offset)
{
    struct poison *poison = poison_of(warp);
    for (size_t i = poison->group_count; i-- > 0;) {
        struct poison_group *group = &poison->groups[i];
        if (group->operation != operation || group->origin != origin || group->allocation != allocation)
            continue;
        group->finding.count += events;
        group->low = offset < group->low ? offset : group->low;
        group->high = offset > group->high ? offset : group->high;
        return NULL;
    }
    if (!poison->groups)
        poison->groups = malloc(MAX_GROUPS * sizeof *poison->groups);
    if (!poison->groups || poison->group_count == MAX_GROUPS)
        return NULL;
    struct poison_group *group = &poison->groups[poison->group_count++];
    *group = (struct poison_group){
        .operation = operation, .origin = origin, .allocation = allocation, .low = offset, .high = offset};
    return group;
}

/* Fills line2 from the load that read the poison. */
static const struct poison_origin *add_origin(const struct warp *warp, uint32_t number, struct finding *finding)
{
    const struct poison_origin *origin = &poison_of(warp)->origins[number];
    if (!origin->operation)
        return NULL;
    place_describe_second(warp->launch, origin->operation, finding);
    if (origin->line) { /* of the load whose value was stored there */
        finding->line2 = origin->line;
        finding->ptx_line2 = 0;
        memcpy(finding->file2, origin->file, sizeof finding->file2);
        snprintf(finding->where2, sizeof finding->where2, "line %d", origin->line);
    }
    return origin;
}

/* What was never written, and a name for what that may mean: a cell of the block's, of the thread's own. */
static void name_unwritten(const struct warp *warp, const struct poison_origin *from, struct finding *finding)
{
    const uint32_t *shape = warp->launch->request->block;
    int64_t row = from->columns > 0 ? from->index / from->columns : 0;
    int64_t column = from->columns > 0 ? from->index % from->columns : from->index;
    finding->pattern = from->space == POISON_SHARED ? "shared" : from->space == POISON_LOCAL ? "local" : NULL;
    memcpy(finding->unwritten, *from->unwritten ? from->unwritten : from->array, sizeof finding->unwritten);
    finding->unwritten_index = *from->unwritten ? from->unwritten_index : from->index;
    bool no_row = row >= shape[1] && shape[1] > 1; /* with one row of threads, rows are something else */
    if (from->space == POISON_SHARED && from->columns > 0 && (no_row || column >= shape[0]))
        snprintf(finding->remark, sizeof finding->remark,
                 "The block has %u x %u threads: no thread has threadIdx.y = %lld and threadIdx.x = %lld.", shape[0],
                 shape[1], (long long)row, (long long)column);
}

/* What the load read: an element of a named array, or of one of the thread's own, whose name the PTX does not keep. */
static const char *source_name(const struct poison_origin *from, char text[128])
{
    if (from->space == POISON_LOCAL)
        snprintf(text, 128, "an element of a local array");
    else
        element_name(from->array, from->index, from->columns, text);
    return text;
}

/* "block_sums[0]", or "memory" where no name is known: what was never written. */
static const char *root_name(const struct poison_origin *from, char text[128])
{
    if (*from->unwritten)
        snprintf(text, 128, "%s[%lld]", from->unwritten, (long long)from->unwritten_index);
    else
        snprintf(text, 128, "memory");
    return text;
}

/* "which was never written", or the part of the element that was. */
static const char *say_unwritten(const struct poison_origin *from, struct finding *finding, char text[96])
{
    if (from->bytes_written == 0 || from->bytes_written >= from->bytes)
        return "which was never written";
    snprintf(text, 96, "of whose %u bytes only %u %s ever written", from->bytes, from->bytes_written,
             from->bytes_written == 1 ? "was" : "were");
    finding->pattern = "partly";
    return text;
}

uint32_t poison_undefined_lane(struct warp *warp, const struct operation *operation, unsigned asked)
{
    struct poison *poison = poison_of(warp);
    struct poison_origin *origin = &poison->origins[poison->undefined];
    bool exists = warp->index * WARP_LANES + asked < warp->launch->threads_per_block;
    const char *lane = !exists                      ? "which the block does not have"
                       : !(warp->live >> asked & 1) ? "which has left the kernel"
                                                    : "which takes no part in it";
    if (!origin->operation)
        *origin = (struct poison_origin){.operation = operation, .index = asked, .lane = lane};
    return poison->undefined;
}

void poison_report_use(struct warp *warp, const struct operation *operation, uint32_t lanes, uint32_t origin,
                       enum poison_use use)
{
    static const char *const consequence[] = {
        [POISON_ADDRESS] = "is used as an address",
        [POISON_BRANCH] = "decides where the thread goes",
        [POISON_ATOMIC_OPERAND] = "goes into an atomic",
        [POISON_STORE_GUARD] = "decides whether the thread stores",
        [POISON_PRINT] = "is printed",
    };
    unsigned lane = (unsigned)__builtin_ctz(lanes), events = (unsigned)__builtin_popcount(lanes);
    struct poison_group *group = count_events(warp, operation, events, origin, NULL, 0);
    char name[128], root[128], part[96];
    if (!group)
        return;
    struct finding *finding = &group->finding;
    launch_finding(warp, operation, lane, FINDING_uninitialized, finding);
    finding->count = events;
    const struct poison_origin *from = add_origin(warp, origin, finding);
    if (from && origin == poison_of(warp)->undefined) {
        finding_text(finding, "the shuffle at %s reads from lane %lld, %s: the value it gets is undefined, and %s at %s",
                     finding->where2, (long long)from->index, from->lane, consequence[use], finding->where);
        finding->hint = SHUFFLE_HINT;
        finding->pattern = "shuffle";
        return;
    }
    if (!from || !*from->array) {
        finding->pattern = "variable";
        finding_text(finding, "a variable that was never given a value %s", consequence[use]);
        return;
    }
    memcpy(finding->array, from->array, sizeof finding->array);
    finding->index = from->index;
    finding->columns = from->columns;
    finding->has_index = true;
    if (!from->line)
        warp->launch->words->explain_second(warp->launch, from->operation, finding->thread, finding->block, finding);
    name_unwritten(warp, from, finding);
    source_name(from, name);
    if (from->line)
        finding_text(finding, "%s, which was computed from %s that was never written (read at %s), %s at %s", name,
                     root_name(from, root), finding->where2, consequence[use], finding->where);
    else
        finding_text(finding, "%s, %s, is read at %s and %s at %s", name, say_unwritten(from, finding, part),
                     finding->where2, consequence[use], finding->where);
}

void poison_report_atomic(struct warp *warp, const struct operation *operation, unsigned lane,
                          struct memory_allocation *allocation, uint64_t offset)
{
    struct poison_group *group = count_events(warp, operation, 1, UINT32_MAX, NULL, 0);
    char name[ELEMENT_BYTES];
    if (!group)
        return;
    struct finding *finding = &group->finding;
    launch_finding(warp, operation, lane, FINDING_uninitialized, finding);
    poison_name_place(warp, operation, allocation, offset, finding);
    warp->launch->words->explain(warp, operation, finding);
    bool compares = operation->site->atomic == ATOMIC_CAS;
    finding->pattern = compares ? "atomic_compare" : allocation ? "atomic" : "atomic_shared";
    memcpy(finding->unwritten, finding->array, sizeof finding->unwritten);
    finding->unwritten_index = finding->index;
    finding_text(finding,
                 compares
                     ? "an atomic compare-and-swap looks at %s, which has no initial value: nothing was stored there before"
                     : "an atomic changes %s, which has no initial value: it was never set to zero",
                 finding_element(finding, name));
}

void poison_note_store(struct warp *warp, const struct operation *operation, unsigned lane, uint32_t origin,
                       struct memory_allocation *allocation, uint64_t offset)
{
    struct poison_group *group = count_events(warp, operation, 1, origin, allocation, offset);
    char name[128], source[128], root[128], part[96];
    if (!group)
        return;
    struct finding *finding = &group->finding;
    launch_finding(warp, operation, lane, FINDING_uninitialized, finding);
    poison_name_place(warp, operation, allocation, offset, finding);
    warp->launch->words->explain(warp, operation, finding);
    const struct poison_origin *from = add_origin(warp, origin, finding);
    element_name(finding->array, finding->index, finding->columns, name);
    if (from && origin != poison_of(warp)->undefined && *from->array)
        name_unwritten(warp, from, finding);
    if (from && !from->line && from->space == POISON_GLOBAL && from->index == finding->index
        && strcmp(from->array, finding->array) == 0)
        finding->pattern = "output"; /* += on what nobody has set */
    bool by_shuffle = from && origin == poison_of(warp)->undefined;
    if (by_shuffle) {
        finding->hint = SHUFFLE_HINT;
        finding->pattern = "shuffle";
    }
    if (by_shuffle)
        finding_text(finding, "%s is computed from what the shuffle at %s gets from lane %lld, %s: that value is undefined",
                     name, finding->where2, (long long)from->index, from->lane);
    else if (from && *from->array && from->line)
        finding_text(finding,
                     "%s is computed from %s, which was itself computed from %s that was never written (read at %s)", name,
                     source_name(from, source), root_name(from, root), finding->where2);
    else if (from && *from->array)
        finding_text(finding, "%s is computed from %s, %s: it is read at %s and goes into the result at %s", name,
                     source_name(from, source), say_unwritten(from, finding, part), finding->where2, finding->where);
    else {
        finding->pattern = "variable";
        finding_text(finding, "%s is computed from a variable that was never given a value: it is used at %s", name,
                     *finding->where2 ? finding->where2 : finding->where);
    }
}

const struct finding *poison_find_store(const struct poison *poison, const struct memory_allocation *allocation,
                                        uint64_t offset)
{
    for (size_t i = 0; allocation && i < poison->group_count; i++) {
        const struct poison_group *group = &poison->groups[i];
        if (group->allocation == allocation && group->low <= offset && offset <= group->high)
            return &group->finding;
    }
    for (size_t i = 0; allocation && i < store_count; i++) {
        const struct poison_store *store = &stores[i];
        if (store->allocation == allocation && store->address == allocation->address && store->low <= offset
            && offset <= store->high)
            return &store->finding;
    }
    return NULL;
}

/* A store of a later launch replaces the same one of an earlier launch. */
static void keep_store(const struct poison_group *group)
{
    struct poison_store *store = NULL;
    for (size_t i = 0; i < store_count && !store; i++)
        if (stores[i].allocation == group->allocation && stores[i].address == group->allocation->address
            && stores[i].finding.line == group->finding.line && stores[i].finding.line2 == group->finding.line2
            && strcmp(stores[i].finding.kernel, group->finding.kernel) == 0) {
            store = &stores[i];
            store->low = group->low < store->low ? group->low : store->low;
            store->high = group->high > store->high ? group->high : store->high;
            store->told = false;
        }
    if (store || store_count == MAX_STORES)
        return;
    stores[store_count++] =
        (struct poison_store){group->allocation, group->allocation->address, group->low, group->high, group->finding, false};
}

void poison_flush(struct poison *poison)
{
    for (size_t i = 0; i < poison->group_count; i++) {
        const struct poison_group *group = &poison->groups[i];
        if (group->allocation)
            keep_store(group);
        else
            finding_collect(poison->launch->findings, &group->finding);
    }
    free(poison->groups);
    poison->groups = NULL;
    poison->group_count = 0;
}

unsigned poison_look(const struct memory_allocation *allocation, uint64_t offset, uint64_t bytes)
{
    unsigned reported = 0;
    for (size_t i = 0; i < store_count; i++) {
        struct poison_store *store = &stores[i];
        uint64_t low = store->low > offset ? store->low : offset;
        uint64_t high = store->high + 1 < offset + bytes ? store->high + 1 : offset + bytes;
        if (store->told || store->allocation != allocation || store->address != allocation->address || low >= high
            || memory_first_poison(allocation, low, high - low) == high)
            continue;
        finding_report(&store->finding);
        reported++;
        store->told = true; /* it stays: later launches may read what it stored */
    }
    return reported;
}

void poison_forget(const struct memory_allocation *allocation)
{
    poison_forget_parts(allocation);
    for (size_t i = 0; i < store_count;)
        if (stores[i].allocation == allocation)
            stores[i] = stores[--store_count];
        else
            i++;
}
