#include "runtime/emulator/driver/unordered.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/host_fault.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/driver/range.h"
#include "runtime/emulator/driver/stored.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/host_memory.h"
#include "runtime/emulator/observe/record/extents.h"
#include "runtime/language/demangle.h"

enum {
    ACCESS_LIMIT = 4096,
    ROW_LIMIT = 65536,
    TOLD_LIMIT = 256,
    PAGES_LIMIT = 64,
    NOTE_LIMIT = 16,
    WHO_BYTES = 200,
    FRAMES = UNORDERED_FRAMES
};

/* What a piece of work does with one allocation. */
struct access {
    const struct memory_allocation *allocation;
    enum access_manner manner;
    struct order_epoch epoch;
    const void *origin[FRAMES]; /* of the call */
    bool is_kernel;
    bool waits, signals; /* of a kernel: it may read, or be, a flag that another waits for */
    bool host_knows;     /* the host is not to be stopped, or no longer */
    bool is_closed;      /* its pages are: see below */
    uint64_t graph;      /* the launch of a graph that it is a node of; 0: none */
    size_t place;        /* of that: in its graph */
    unsigned branch;     /* and in the launch: the branch in which it is, */
    uint32_t step;       /* and its number there, from 1 */
    char name[96];       /* of the kernel, or of the call */
    struct extent *extents;
    size_t count;
};

/* In the order of their issue. */
static struct access *accesses;
static size_t access_count, access_room;

static bool has_shared_memory, shares_memory; /* the latter: and it is watched */
static const void *origin_now[FRAMES];        /* of the piece of work that runs */
static bool origin_is_known;
static bool is_entered; /* what it reads and writes is known already */
static struct {
    uint64_t graph, launches; /* the launch of a graph that runs, 0: none; how many there were */
    size_t place;
    struct graph_branch branch;
} graph_now;
/* NULL: all work is done when it is issued. */
static bool (*is_awaited)(struct order_epoch earlier);
static bool (*is_kept_after)(struct order_epoch later, struct order_epoch earlier);

bool unordered_matters(void)
{
    return driver.settings->checks == CHECKS_ALL && (shares_memory || order_has_streams() || graph_now.graph)
           && !order_is_lost();
}

static void open_pages(struct access *access);

static void drop(size_t at)
{
    open_pages(&accesses[at]);
    free(accesses[at].extents);
    memmove(&accesses[at], &accesses[at + 1], (--access_count - at) * sizeof *accesses);
}

void unordered_forget(const struct memory_allocation *allocation)
{
    for (size_t i = access_count; i-- > 0;)
        if (accesses[i].allocation == allocation)
            drop(i);
}

void unordered_enter_node(size_t place, const struct graph_branch *branch)
{
    if (!graph_now.graph)
        graph_now.graph = ++graph_now.launches;
    graph_now.place = place;
    graph_now.branch = *branch;
}

void unordered_leave_graph(void)
{
    graph_now.graph = 0;
    while (access_count > 0 && !unordered_matters())
        drop(access_count - 1);
}

/* Is the piece that runs, or its node, ordered after that? */
static bool is_before(const struct access *earlier)
{
    if (!order_is_before(earlier->epoch))
        return false;
    return !earlier->graph || earlier->graph != graph_now.graph
           || graph_branch_is_after(&graph_now.branch, earlier->branch, earlier->step);
}

void unordered_settle(void)
{
    size_t kept = 0;
    for (size_t i = 0; i < access_count; i++)
        if (accesses[i].is_closed && order_is_done(accesses[i].epoch))
            open_pages(&accesses[i]);
    for (size_t i = 0; i < access_count; i++)
        if (order_is_done(accesses[i].epoch) && !(is_awaited && is_awaited(accesses[i].epoch)))
            free(accesses[i].extents);
        else
            accesses[kept++] = accesses[i];
    access_count = kept;
}

void unordered_begin(CUstream stream, const struct context *context)
{
    origin_is_known = is_entered = false;
    graph_now.graph = 0; /* a host function of a graph, or another thread meanwhile, begins a piece of its own */
    order_begin(stream, context);
}

void unordered_watch(bool (*may_meet)(struct order_epoch earlier),
                     bool (*is_after)(struct order_epoch later, struct order_epoch earlier))
{
    is_awaited = may_meet;
    is_kept_after = is_after;
}

static void find_origin(void)
{
    if (!origin_is_known)
        origin_find_call(origin_now, FRAMES);
    origin_is_known = true;
}

struct unordered_piece unordered_get(void)
{
    struct unordered_piece piece = {.order = order_get(), .origin_is_known = origin_is_known, .is_entered = is_entered};
    memcpy(piece.origin, origin_now, sizeof piece.origin);
    return piece;
}

struct unordered_piece unordered_get_call(void)
{
    if (driver.settings->checks == CHECKS_ALL)
        find_origin();
    return unordered_get();
}

void unordered_go_on(const struct unordered_piece *piece)
{
    order_go_on(piece->order);
    memcpy(origin_now, piece->origin, sizeof origin_now);
    origin_is_known = piece->origin_is_known;
    is_entered = piece->is_entered;
}

/* ---- sentences ---- */

static void describe_origin(const struct access *access, char *text, size_t text_bytes)
{
    char whole[256] = "";
    *text = '\0';
    for (int i = 0; i < FRAMES && access->origin[i]; i++)
        if (origin_describe_frame(access->origin[i], access->is_kernel ? access->name : NULL, whole, sizeof whole))
            break;
    if (whole[0])
        snprintf(text, text_bytes, ", in %.90s", whole);
}

/* "kernel scale (stream 1, in main+0x2f in program)". */
static const char *describe_work(const struct access *access, char text[WHO_BYTES])
{
    char stream[ORDER_NAME_BYTES], origin[96], node[40] = "";
    describe_origin(access, origin, sizeof origin);
    if (access->graph && access->is_kernel) /* other calls have it in their name */
        snprintf(node, sizeof node, "node %zu of a graph, ", access->place);
    snprintf(text, WHO_BYTES, "%s%s (%s%s%s)", access->is_kernel ? "kernel " : "", access->name, node,
             order_name(access->epoch, stream), origin);
    return text;
}

static const char *verb_of(enum access_manner manner)
{
    static const char *const verbs[] = {[ACCESS_READ] = "reads",
                                        [ACCESS_WRITE] = "writes",
                                        [ACCESS_STRONG] = "uses, atomically or as volatile,",
                                        [ACCESS_ALLOCATE] = "allocates",
                                        [ACCESS_FREE] = "frees"};
    return verbs[manner];
}

static const char *describe_memory(const struct memory_allocation *allocation, char text[96])
{
    if (allocation->name[0])
        snprintf(text, 96, "%s", allocation->name);
    else if (allocation->kind == MEMORY_HOST)
        snprintf(text, 96, "%" PRIu64 " bytes of memory that host and device share", allocation->bytes);
    else if (allocation->kind == MEMORY_DEVICE && allocation->ordinal > 0)
        snprintf(text, 96, "allocation %u of the program (%" PRIu64 " bytes)", allocation->ordinal, allocation->bytes);
    else
        snprintf(text, 96, "a variable of %" PRIu64 " bytes", allocation->bytes);
    return text;
}

/* Two works, or one and a place of the host, are reported once, however often they meet. */
static bool was_told(const struct access *first, const char *second, const void *place)
{
    static uint64_t told[TOLD_LIMIT];
    static size_t told_count;
    uint64_t key = UINT64_C(14695981039346656037);
    for (const char *text = first->name; *text; text++)
        key = (key ^ (uint8_t)*text) * UINT64_C(1099511628211);
    for (const char *text = second; *text; text++)
        key = (key ^ (uint8_t)*text) * UINT64_C(1099511628211);
    key = (key ^ (uintptr_t)first->origin[0]) * UINT64_C(1099511628211);
    key = (key ^ (uintptr_t)first->origin[1]) * UINT64_C(1099511628211);
    key = (key ^ (uintptr_t)place) * UINT64_C(1099511628211);
    for (size_t i = 0; i < told_count; i++)
        if (told[i] == key)
            return true;
    if (told_count == TOLD_LIMIT)
        return true;
    told[told_count++] = key;
    return false;
}

/* Which of two pieces of work was issued first, whichever was done first. */
static void put_in_order(const struct access **first, const struct access **second)
{
    if ((*first)->epoch.serial > (*second)->epoch.serial) {
        const struct access *later = *first;
        *first = *second;
        *second = later;
    }
}

static void report(const struct access *first, const struct access *second, struct extent common)
{
    put_in_order(&first, &second);
    struct finding finding;
    char one[WHO_BYTES], other[WHO_BYTES], memory[96], bytes[64] = "", stream[ORDER_NAME_BYTES], later[ORDER_NAME_BYTES];
    bool frees = second->manner == ACCESS_FREE, allocates = first->manner == ACCESS_ALLOCATE;
    bool nodes = first->graph && first->graph == second->graph;
    uintptr_t pair = nodes ? first->place << 12 ^ second->place : 0;
    if (was_told(first, second->name, (const char *)second->origin[0] + pair))
        return;
    range_describe(&finding, frees ? FINDING_use_after_free : FINDING_stream_race, first->allocation, common.from);
    if (!frees && !allocates)
        snprintf(bytes, sizeof bytes, "bytes %" PRIu64 "..%" PRIu64 " of ", common.from, common.to - 1);
    finding_text(&finding, "%s %s %s%s; %s %s %s, and nothing orders the two.", describe_work(first, one),
                 verb_of(first->manner), bytes, describe_memory(first->allocation, memory), describe_work(second, other),
                 verb_of(second->manner), frees || allocates ? "it" : "them");
    if (nodes) {
        finding.hint = "Which dependency makes one node wait for the other?";
        snprintf(
            finding.remark, sizeof finding.remark,
            "Let the second node depend on the first (cudaGraphAddDependencies), or, while streams are captured, let the "
            "second stream wait for an event that is recorded after the first.");
    } else {
        snprintf(finding.remark, sizeof finding.remark, "Record an event in %s after the first, and let %s wait for it.%s",
                 order_name(first->epoch, stream), order_name(second->epoch, later),
                 order_is_exempt(first->epoch, second->epoch)
                     ? " A non-blocking stream and the default stream do not wait for each other."
                     : "");
    }
    finding_report(&finding);
}

/* ---- conflicts ---- */

/* Do the two lists, each in ascending order, meet? Sets *common to the first bytes in both. */
static bool find_common(const struct access *one, const struct access *other, struct extent *common)
{
    for (size_t i = 0, k = 0; i < one->count && k < other->count;) {
        const struct extent *left = &one->extents[i], *right = &other->extents[k];
        common->from = left->from > right->from ? left->from : right->from;
        common->to = left->to < right->to ? left->to : right->to;
        if (common->from < common->to)
            return true;
        if (left->to < right->to)
            i++;
        else
            k++;
    }
    return false;
}

static bool excludes(enum access_manner one, enum access_manner other)
{
    return one != other || one > ACCESS_STRONG || one == ACCESS_WRITE;
}

/* A copy or a fill of a few bytes that a kernel reads as a flag, perhaps waiting for it, is how another stream releases
 * it. */
static bool is_signal(const struct access *kernel, const struct access *call)
{
    return kernel->waits && kernel->manner == ACCESS_STRONG && !call->is_kernel && call->manner == ACCESS_WRITE
           && call->count == 1 && call->extents[0].to - call->extents[0].from <= sizeof(uint64_t);
}

/* Is everything that `one` uses used by `other`, too? */
static bool is_covered(const struct access *one, const struct access *other)
{
    size_t k = 0;
    for (size_t i = 0; i < one->count; i++) {
        while (k < other->count && other->extents[k].to < one->extents[i].to)
            k++;
        if (k == other->count || other->extents[k].from > one->extents[i].from)
            return false;
    }
    return true;
}

/* Whoever conflicts with the earlier one would conflict with the later one as well. */
static bool is_superseded(const struct access *earlier, const struct access *later)
{
    return earlier->allocation == later->allocation && earlier->host_knows == later->host_knows
           && (earlier->manner == later->manner || later->manner == ACCESS_WRITE) && is_before(earlier)
           && is_covered(earlier, later);
}

static void keep(struct access *access)
{
    for (size_t i = access_count; i-- > 0;)
        if (is_superseded(&accesses[i], access))
            drop(i);
    if (access_count == ACCESS_LIMIT)
        drop(0);
    if (access_count == access_room) {
        size_t room = access_room ? 2 * access_room : 64;
        struct access *grown = realloc(accesses, room * sizeof *grown);
        if (!grown) {
            free(access->extents);
            return;
        }
        accesses = grown;
        access_room = room;
    }
    accesses[access_count++] = *access;
}

/* A kernel that reads what another wrote as a flag may have waited for it. */
static void follow_flags(const struct access *access)
{
    struct extent common;
    for (size_t i = 0; i < access_count && access->waits; i++)
        if (accesses[i].allocation == access->allocation && accesses[i].signals && accesses[i].manner == ACCESS_STRONG
            && find_common(&accesses[i], access, &common))
            order_after(accesses[i].epoch);
}

/* Takes over its extents. */
static void enter(struct access *access)
{
    struct extent common;
    for (size_t i = 0; i < access_count; i++) {
        const struct access *earlier = &accesses[i];
        if (earlier->allocation != access->allocation || !excludes(earlier->manner, access->manner) || is_before(earlier)
            || (is_kept_after && is_kept_after(earlier->epoch, access->epoch)) || is_signal(earlier, access)
            || is_signal(access, earlier) || !find_common(earlier, access, &common))
            continue;
        report(earlier, access, common);
        order_after(earlier->epoch); /* what follows from it need not be reported */
    }
    keep(access);
}

static void fill_in(struct access *access, const char *name, bool is_kernel)
{
    find_origin();
    memcpy(access->origin, origin_now, sizeof access->origin);
    access->epoch = order_now();
    access->graph = graph_now.graph;
    access->place = graph_now.place;
    access->branch = graph_now.branch.branch;
    access->step = graph_now.graph ? graph_branch_step(&graph_now.branch) : 0;
    access->is_kernel = is_kernel;
    snprintf(access->name, sizeof access->name, "%s", name);
}

void unordered_access(const char *call, enum access_manner manner, const struct range *range, uint64_t width, uint64_t pitch,
                      uint64_t height)
{
    if (!unordered_matters() || is_entered || !range->allocation || width == 0 || height == 0)
        return;
    if (pitch == width) {
        width *= height;
        height = 1;
    }
    struct access access = {.allocation = range->allocation, .manner = manner, .count = height};
    if (height <= ROW_LIMIT)
        access.extents = malloc(height * sizeof *access.extents);
    if (!access.extents)
        return;
    for (uint64_t row = 0; row < height; row++) {
        uint64_t from = range->offset + row * pitch;
        access.extents[row] = (struct extent){from, from + width};
    }
    fill_in(&access, call, false);
    enter(&access);
}

static bool whole(struct access *access)
{
    access->count = 1;
    access->extents = malloc(sizeof *access->extents);
    if (access->extents)
        *access->extents = (struct extent){0, access->allocation->bytes};
    return access->extents != NULL;
}

void unordered_memory(const char *call, enum access_manner manner, const struct memory_allocation *allocation)
{
    struct access access = {.allocation = allocation, .manner = manner};
    if (!unordered_matters() || !whole(&access))
        return;
    fill_in(&access, call, false);
    enter(&access);
    if (manner == ACCESS_FREE) /* a later use is a use of freed memory, in whatever order */
        unordered_forget(allocation);
}

static enum access_manner manner_of(enum extents_manner manner)
{
    return manner == EXTENTS_READ ? ACCESS_READ : manner == EXTENTS_WRITTEN ? ACCESS_WRITE : ACCESS_STRONG;
}

static void take_use(void *data, const struct extents_use *use)
{
    stored_by_launch(use);
    for (int manner = EXTENTS_MANNER_COUNT; manner-- > 0;) { /* flags first: they order the rest */
        struct access access = {.allocation = use->allocation,
                                .manner = manner_of((enum extents_manner)manner),
                                .waits = use->waits,
                                .signals = use->signals,
                                .host_knows = use->signals,
                                .extents = use->lists[manner],
                                .count = use->counts[manner]};
        if (access.count == 0 || use->allocation->freed || use->allocation->kind == MEMORY_PARAM) {
            free(access.extents);
            continue;
        }
        fill_in(&access, data, true);
        if (access.manner == ACCESS_STRONG)
            follow_flags(&access);
        enter(&access);
    }
}

void unordered_launched(const char *kernel)
{
    char name[96];
    demangle_function(kernel, name, sizeof name);
    if (!extents_take(take_use, name))
        stored_is_incomplete();
}

void unordered_free_now(const char *call, const struct memory_allocation *allocation)
{
    for (size_t i = 0; i < access_count; i++) {
        struct access *earlier = &accesses[i];
        struct finding finding;
        char who[WHO_BYTES], memory[96];
        if (earlier->allocation != allocation || earlier->manner == ACCESS_ALLOCATE || order_is_done(earlier->epoch))
            continue;
        if (!was_told(earlier, call, NULL)) {
            range_describe(&finding, FINDING_use_after_free, allocation, 0);
            finding.has_index = false;
            finding_text(
                &finding,
                "%s frees %s, and the host has not waited for %s, which uses it. Memory of cuMemAllocAsync is freed "
                "at once: wait for that work before, or free with cuMemFreeAsync in its stream.",
                call, describe_memory(allocation, memory), describe_work(earlier, who));
            snprintf(finding.remark, sizeof finding.remark,
                     "Memory of cuMemAllocAsync is freed at once: wait for that work before, or free with cuMemFreeAsync in "
                     "its stream.");
            finding_report(&finding);
        }
        break;
    }
    unordered_forget(allocation);
}

/* ---- memory that the host shares ---- */

/* Addresses of whole pages: [from, to). */
struct pages {
    uintptr_t from, to;
};

static struct note {
    size_t access;
    uint64_t offset;
    const void *place;
    bool is_write;
} notes[NOTE_LIMIT];
static size_t note_count;

/* The pages of which this work uses every byte that belongs to the allocation: nothing that the host may touch is on them.
 * System calls that are given an address on them would fail, so no page with other bytes is closed. False: there is none. */
static bool find_pages(const struct access *access, size_t at, struct pages *pages)
{
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE), start = (uintptr_t)access->allocation->host;
    uintptr_t from = start + access->extents[at].from, to = start + access->extents[at].to;
    bool owns_last = !access->allocation->borrowed && access->extents[at].to == access->allocation->bytes;
    pages->from = (from + page - 1) / page * page;
    pages->to = owns_last ? (to + page - 1) / page * page : to / page * page;
    return pages->from < pages->to;
}

static void change_pages(struct access *access, int protection)
{
    struct pages pages;
    for (size_t i = 0; i < access->count; i++)
        if (find_pages(access, i, &pages))
            mprotect((void *)pages.from, pages.to - pages.from, protection); /* NOLINT(performance-no-int-to-ptr) */
    access->is_closed = protection != (PROT_READ | PROT_WRITE);
}

/* Does it use the page of any byte of [from, to)? */
static bool has_pages(const struct access *access, uintptr_t from, uintptr_t to)
{
    struct pages pages;
    for (size_t i = 0; i < access->count; i++)
        if (find_pages(access, i, &pages) && pages.from < to && from < pages.to)
            return true;
    return false;
}

/* Opens its pages, and with them all of other works that closed some of these: a closed page always belongs to a work
 * that is marked so. */
static void open_pages(struct access *access)
{
    struct pages pages;
    if (!access->is_closed)
        return;
    change_pages(access, PROT_READ | PROT_WRITE);
    for (size_t i = 0; i < access->count; i++)
        for (size_t k = 0; k < access_count && find_pages(access, i, &pages); k++)
            if (accesses[k].is_closed && accesses[k].allocation == access->allocation
                && has_pages(&accesses[k], pages.from, pages.to))
                change_pages(&accesses[k], PROT_READ | PROT_WRITE);
}

static bool may_close(const struct access *access, enum access_manner manner)
{
    return access->manner == manner && access->allocation->kind == MEMORY_HOST && !access->allocation->freed
           && !access->host_knows && access->count <= PAGES_LIMIT && !order_is_done(access->epoch);
}

/* At the end of a call. What is closed stays closed during calls: where the driver itself touches such a page, take_touch
 * opens it in silence. */
static void close_all(void)
{
    bool may = access_count > 0 && !order_is_lost() && host_fault_is_watched();
    for (size_t i = 0; i < access_count && may; i++)
        if (!accesses[i].is_closed && may_close(&accesses[i], ACCESS_READ))
            change_pages(&accesses[i], PROT_READ);
    for (size_t i = 0; i < access_count && may; i++)
        if (!accesses[i].is_closed && may_close(&accesses[i], ACCESS_WRITE))
            change_pages(&accesses[i], PROT_NONE);
}

/* Notes the latest pending work that uses the byte, if the host may not do what it did. */
static void note_fault(uint64_t address, const void *place, bool is_write)
{
    for (size_t i = access_count; i-- > 0 && note_count < NOTE_LIMIT;) {
        struct access *access = &accesses[i];
        if (!may_close(access, ACCESS_WRITE) && !(is_write && may_close(access, ACCESS_READ)))
            continue;
        uint64_t offset = address - (uintptr_t)access->allocation->host;
        struct extent byte = {offset, offset + 1}, common;
        struct access touch = {.extents = &byte, .count = 1};
        if (address < (uintptr_t)access->allocation->host || !find_common(access, &touch, &common))
            continue;
        access->host_knows = true;
        notes[note_count++] = (struct note){i, offset, place, is_write};
        return;
    }
}

/* Another thread may have opened the page meanwhile. The same fault again and again is another's. */
static bool was_opened(uint64_t address)
{
    static uint64_t last;
    static unsigned times;
    times = address == last ? times + 1 : 0;
    last = address;
    const struct memory_allocation *allocation = memory_find(driver.memory, address);
    return times < 3 && allocation && !allocation->freed && allocation->kind == MEMORY_HOST
           && address - allocation->address < allocation->bytes;
}

/* Opens what is closed of these bytes until the next call ends. Returns whether anything was. */
static bool open_closed(uint64_t address, uint64_t bytes)
{
    bool found = false;
    for (size_t i = 0; i < access_count; i++)
        if (accesses[i].is_closed && has_pages(&accesses[i], address, address + bytes)) {
            open_pages(&accesses[i]);
            found = true;
        }
    return found;
}

/* Opens the page and notes whom to report. Takes the lock if need be. Returns false when the page is not one of these. */
static bool take_touch(uint64_t address, const void *place, bool is_write)
{
    bool is_inside = driver_is_inside();
    if (!shares_memory)
        return false;
    if (!is_inside)
        driver_lock();
    bool found = open_closed(address, 1);
    if (found && !is_inside)
        note_fault(address, place, is_write);
    found = found || was_opened(address);
    if (!is_inside)
        driver_unlock();
    return found;
}

static void report_touches(void)
{
    for (size_t i = 0; i < note_count; i++) {
        const struct note *note = &notes[i];
        const struct access *access = &accesses[note->access];
        const void *place[2] = {(const char *)note->place + 1, NULL};
        struct finding finding;
        char who[WHO_BYTES], where[256], memory[96];
        if (was_told(access, "", note->place))
            continue;
        origin_describe(place, where, sizeof where);
        range_describe(&finding, FINDING_host_race, access->allocation, note->offset);
        finding_text(&finding,
                     "The program itself %s byte %" PRIu64 " of %s, in %.100s, and has not waited for %s, which %s it.",
                     note->is_write ? "writes" : "reads", note->offset, describe_memory(access->allocation, memory), where,
                     describe_work(access, who), verb_of(access->manner));
        finding_report(&finding);
    }
    note_count = 0;
}

bool unordered_shares_memory(void)
{
    return has_shared_memory;
}

void unordered_share_memory(void)
{
    has_shared_memory = true;
    if (shares_memory || driver.settings->checks < CHECKS_ALL)
        return;
    shares_memory = true;
    driver_watch_calls(report_touches, close_all);
    host_fault_ask(take_touch);
    host_memory_ask(open_closed);
}
