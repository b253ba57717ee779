/* A driver in front of NVIDIA's that takes the time of a program's work on the device: from the moment before its first
 * copy or kernel is issued until the host knows that the last one has ended. The grader loads it (grader/program), with the
 * path of NVIDIA's driver in LOCKSTEP_METER_DRIVER; every entry point is handed on, those of meter.def with a look at the
 * clock. What was seen goes to the file that LOCKSTEP_METER names, one line of JSON, when the program ends.
 *
 * LOCKSTEP_METER_ROW=1: all work is put into one stream, so nothing runs side by side; what the program does beside that is
 * the same. The ratio of both times is what its streams gain.
 *
 * The work of a captured graph is one piece, when it is launched.
 */
#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Every argument of the calls of meter.def is an integer or a pointer, and no call has more than twelve: on x86-64 they can
 * be handed on without knowing which of them there are. */
#define PARAMETERS                                                                                                  \
    uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4, uintptr_t a5, uintptr_t a6, uintptr_t a7, \
        uintptr_t a8, uintptr_t a9, uintptr_t a10, uintptr_t a11
#define ARGUMENTS a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10, a11
typedef int driver_call(PARAMETERS);

enum { SUCCESS = 0, NOT_INITIALIZED = 3, NOT_FOUND = 500, LEGACY_STREAM = 1, PER_THREAD = 2, MOST_STREAMS = 256 };
enum kind { PIECE, BLOCKING, WAIT, QUERY, ORDER, DROP };
enum { NONE = -1, CONFIG = -2, EVENT = -3 };

/* ---- the calls that are seen --------------------------------------------------------------------------------------- */

#define METER(name, suffix, kind, stream) METER_ONE(name, kind, stream) METER_ONE(name##suffix, kind, stream)

enum seen {
#define METER_ONE(name, kind, stream) SEEN_##name,
#include "runtime/emulator/stand_ins/meter.def"
#undef METER_ONE
    SEEN_COUNT
};

static const struct row {
    const char *name;
    enum kind kind;
    int stream;
} rows[SEEN_COUNT] = {
#define METER_ONE(name, kind, stream) {#name, kind, stream},
#include "runtime/emulator/stand_ins/meter.def"
#undef METER_ONE
};

static driver_call *real[SEEN_COUNT];
static void *library; /* NVIDIA's */
static bool in_a_row; /* LOCKSTEP_METER_ROW */

/* dlsym() returns an object pointer; POSIX promises that its bits are those of the function's. */
static driver_call *find(const char *name)
{
    void *address = library ? dlsym(library, name) : NULL;
    driver_call *call;
    memcpy(&call, &address, sizeof call);
    return call;
}

/* ---- what is known -------------------------------------------------------------------------------------------------- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    uint64_t first_ns, end_ns, returned_ns;
    uint64_t outside_ns, outside_at_end_ns; /* that the host spent between the calls */
    unsigned pieces, kernels;
    unsigned pieces_at_end; /* that had been issued when the last wait returned */
} found;

/* Streams that have work of which the host does not know yet that it has ended, and the streams of events. */
static uintptr_t busy[MOST_STREAMS];
static unsigned busy_count;
static struct {
    uintptr_t event, stream;
    unsigned piece; /* how many had been issued */
} events[MOST_STREAMS];
static unsigned event_count;

static uint64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_busy(uintptr_t stream)
{
    for (unsigned i = 0; i < busy_count; i++)
        if (busy[i] == stream)
            return;
    if (busy_count < MOST_STREAMS)
        busy[busy_count++] = stream;
}

/* Returns whether the stream was busy. */
static bool remove_busy(uintptr_t stream)
{
    for (unsigned i = 0; i < busy_count; i++)
        if (busy[i] == stream) {
            busy[i] = busy[--busy_count];
            return true;
        }
    return false;
}

static void note_event(uintptr_t event, uintptr_t stream)
{
    unsigned at = 0;
    while (at < event_count && events[at].event != event)
        at++;
    if (at == MOST_STREAMS)
        return;
    event_count += at == event_count;
    events[at].event = event;
    events[at].stream = stream;
    events[at].piece = found.pieces;
}

/* ---- the first piece ------------------------------------------------------------------------------------------------ */

/* What a process's first copies and its first kernel take in addition, which says nothing about the program. */
static void warm_up(void)
{
    static const char ptx[] = ".version 7.0\n.target sm_50\n.address_size 64\n.visible .entry warm_up()\n{\nret;\n}\n";
    uintptr_t device = 0, host = 0, module = 0, kernel = 0;
    driver_call *launch = real[SEEN_cuLaunchKernel];
    driver_call *allocate = find("cuMemAlloc_v2"), *pin = find("cuMemAllocHost_v2"), *load = find("cuModuleLoadData"),
                *get = find("cuModuleGetFunction"), *wait = real[SEEN_cuCtxSynchronize];
    if (!launch || !allocate || !pin || !load || !get || !wait)
        return;
    if (allocate((uintptr_t)&device, 4096, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == SUCCESS
        && pin((uintptr_t)&host, 4096, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == SUCCESS) {
        real[SEEN_cuMemcpyHtoDAsync_v2](device, host, 4096, 0, 0, 0, 0, 0, 0, 0, 0, 0);
        real[SEEN_cuMemcpyDtoHAsync_v2](host, device, 4096, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    }
    if (load((uintptr_t)&module, (uintptr_t)ptx, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == SUCCESS
        && get((uintptr_t)&kernel, module, (uintptr_t)"warm_up", 0, 0, 0, 0, 0, 0, 0, 0, 0) == SUCCESS)
        launch(kernel, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0);
    wait(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    driver_call *release = find("cuMemFree_v2"), *unpin = find("cuMemFreeHost"), *unload = find("cuModuleUnload");
    if (device && release)
        release(device, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (host && unpin)
        unpin(host, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    if (module && unload)
        unload(module, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
}

/* Is the work only recorded now, for a graph? */
static bool is_captured(uintptr_t stream)
{
    int status = 0;
    driver_call *ask = find("cuStreamIsCapturing");
    return ask && stream > 2 && ask(stream, (uintptr_t)&status, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == SUCCESS && status != 0;
}

/* ---- a call --------------------------------------------------------------------------------------------------------- */

static bool is_kernel(enum seen seen)
{
    return strncmp(rows[seen].name, "cuLaunchK", 9) == 0 || strncmp(rows[seen].name, "cuLaunchC", 9) == 0
           || strncmp(rows[seen].name, "cuGraphL", 8) == 0;
}

static void before(enum seen seen, bool is_work)
{
    pthread_mutex_lock(&lock);
    bool is_first = is_work && found.pieces == 0;
    found.pieces += is_work;
    found.kernels += is_work && is_kernel(seen);
    if (is_first) {
        warm_up();
        found.first_ns = found.returned_ns = now_ns();
    }
    if (found.first_ns != 0)
        found.outside_ns += now_ns() - found.returned_ns;
    pthread_mutex_unlock(&lock);
}

/* The work of other streams may have ended as well: the one that was waited for may have waited for them. */
static void look_at_others(void)
{
    for (unsigned i = busy_count; i-- > 0;)
        if (busy[i] != LEGACY_STREAM && real[SEEN_cuStreamQuery](busy[i], 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0) == SUCCESS)
            busy[i] = busy[--busy_count];
}

/* Does the host know now that work has ended of which it did not know that before? */
static bool has_ended(enum seen seen, uintptr_t stream, uintptr_t event)
{
    bool known = false;
    if (rows[seen].stream == NONE) {
        known = busy_count > 0 || rows[seen].kind == BLOCKING;
        busy_count = 0;
        return known;
    }
    if (rows[seen].stream != EVENT)
        return remove_busy(stream);
    for (unsigned i = 0; i < event_count; i++)
        if (events[i].event == event)
            return events[i].piece == found.pieces ? remove_busy(events[i].stream) : busy_count > 0;
    return busy_count > 0;
}

static void after(enum seen seen, bool is_work, uintptr_t stream, uintptr_t event, int result)
{
    enum kind kind = rows[seen].kind;
    pthread_mutex_lock(&lock);
    uint64_t now = now_ns();
    if (kind == PIECE && is_work)
        add_busy(stream);
    if (kind == ORDER && strncmp(rows[seen].name, "cuEventRecord", 13) == 0)
        note_event(event, stream);
    if (kind == DROP)
        remove_busy(event);
    bool waited = kind == WAIT || kind == QUERY || (kind == BLOCKING && is_work);
    if (waited && result == SUCCESS && found.pieces > 0 && has_ended(seen, stream, event)) {
        found.end_ns = now;
        found.outside_at_end_ns = found.outside_ns;
        found.pieces_at_end = found.pieces;
        look_at_others();
    }
    found.returned_ns = now_ns();
    pthread_mutex_unlock(&lock);
}

/* The start of CUlaunchConfig, up to its stream. */
struct launch_config {
    unsigned grid[3], block[3], shared_bytes;
    uintptr_t stream;
    void *attributes;
    unsigned attribute_count;
};

static int meter(enum seen seen, PARAMETERS)
{
    uintptr_t given[] = {ARGUMENTS}, stream = LEGACY_STREAM, event = a0;
    struct launch_config config;
    enum kind kind = rows[seen].kind;
    int at = rows[seen].stream;
    if (!real[seen])
        return NOT_INITIALIZED;
    if (at >= 0)
        stream = given[at];
    if (at == CONFIG && a0) {
        memcpy(&config, (const void *)a0, sizeof config);
        stream = config.stream;
    }
    bool is_work = (kind == PIECE || kind == BLOCKING) && !is_captured(stream);
    if (in_a_row && !is_captured(stream)) {
        stream = LEGACY_STREAM;
        config.stream = stream;
        if (at >= 0)
            given[at] = stream;
        else if (at == CONFIG && a0)
            given[0] = (uintptr_t)&config;
    }
    stream = stream == 0 ? LEGACY_STREAM : stream;
    before(seen, is_work);
    int result = real[seen](given[0], given[1], given[2], given[3], given[4], given[5], given[6], given[7], given[8],
                            given[9], given[10], given[11]);
    after(seen, is_work, stream, event, result);
    return result;
}

#define METER_ONE(name, kind, stream)         \
    static int metered_##name(PARAMETERS)     \
    {                                         \
        return meter(SEEN_##name, ARGUMENTS); \
    }
#include "runtime/emulator/stand_ins/meter.def"
#undef METER_ONE

static driver_call *const metered[SEEN_COUNT] = {
#define METER_ONE(name, kind, stream) metered_##name,
#include "runtime/emulator/stand_ins/meter.def"
#undef METER_ONE
};

/* ---- entry points --------------------------------------------------------------------------------------------------- */

/* Each entry point jumps to where its slot points, with all its arguments as they are. */
#define SAME(name, since, target)     ENTRY(name, since, target)
#define ABSENT(name, since)           ENTRY(name, since, 0)
#define ENTRY(name, since, arguments) void *meter_slot_##name __attribute__((visibility("hidden")));
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
#define ENTRY(name, since, arguments)                                                                                     \
    __asm__(".text\n.globl " #name "\n.type " #name ", @function\n" #name ":\nendbr64\njmp *meter_slot_" #name "(%rip)\n" \
            ".size " #name ", . - " #name "\n");
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY

static const struct {
    const char *name;
    void **slot;
} slots[] = {
#define ENTRY(name, since, arguments) {#name, &meter_slot_##name},
#include "runtime/emulator/driver/entry_points.def"
#undef ENTRY
};
enum { SLOTS = sizeof slots / sizeof *slots };

static int absent(void)
{
    return library ? NOT_FOUND : NOT_INITIALIZED;
}

/* The row of a function that the driver has handed out under this name. -1: it is not seen. */
static int find_row(const char *name, driver_call *address, uint64_t flags)
{
    static const char *const endings[] = {"", "_v2"};
    char wanted[128];
    for (int i = 0; i < SEEN_COUNT; i++)
        if (real[i] == address)
            return i;
    for (size_t k = 0; k < sizeof endings / sizeof *endings; k++)
        for (int i = 0; i < SEEN_COUNT; i++) {
            const char *suffix = strstr(rows[i].name, "_pt");
            bool is_per_thread = suffix != NULL;
            snprintf(wanted, sizeof wanted, "%s%s%s", name, endings[k], is_per_thread ? suffix : "");
            if (strcmp(rows[i].name, wanted) == 0 && is_per_thread == ((flags & PER_THREAD) != 0))
                return i;
        }
    return -1;
}

static driver_call *real_get, *real_get_old;

static int hand_out(driver_call *get, uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4)
{
    int result = get ? get(a0, a1, a2, a3, a4, 0, 0, 0, 0, 0, 0, 0) : NOT_INITIALIZED;
    driver_call **function = (driver_call **)a1;
    if (result != SUCCESS || !function || !*function)
        return result;
    const char *name = (const char *)a0;
    if (strcmp(name, "cuGetProcAddress") == 0 || strcmp(name, "cuGetProcAddress_v2") == 0) {
        void *own = dlsym(RTLD_DEFAULT, "cuGetProcAddress_v2");
        for (int i = 0; i < SLOTS; i++)
            if (strcmp(slots[i].name, (int)a2 >= 12000 ? "cuGetProcAddress_v2" : "cuGetProcAddress") == 0)
                own = *slots[i].slot;
        memcpy(function, &own, sizeof own);
        return result;
    }
    int row = find_row(name, *function, a3);
    if (row >= 0) {
        real[row] = *function;
        *function = metered[row];
    }
    return result;
}

static int get_address(uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3, uintptr_t a4)
{
    return hand_out(real_get, a0, a1, a2, a3, a4);
}

static int get_address_old(uintptr_t a0, uintptr_t a1, uintptr_t a2, uintptr_t a3)
{
    return hand_out(real_get_old, a0, a1, a2, a3, 0);
}

__attribute__((constructor)) static void open_real(void)
{
    const char *path = getenv("LOCKSTEP_METER_DRIVER"), *row = getenv("LOCKSTEP_METER_ROW");
    library = path ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : NULL;
    if (!library)
        fprintf(stderr, "lockstep: the meter cannot open the driver: %s\n",
                path ? dlerror() : "LOCKSTEP_METER_DRIVER is not set");
    in_a_row = row && strcmp(row, "1") == 0;
    for (int i = 0; i < SEEN_COUNT; i++)
        real[i] = find(rows[i].name);
    real_get = find("cuGetProcAddress_v2");
    real_get_old = find("cuGetProcAddress");
    for (int i = 0; i < SLOTS; i++) {
        driver_call *own = find(slots[i].name);
        for (int k = 0; k < SEEN_COUNT; k++)
            if (own && strcmp(rows[k].name, slots[i].name) == 0)
                own = metered[k];
        memcpy(slots[i].slot, &own, sizeof own);
        if (own && strcmp(slots[i].name, "cuGetProcAddress_v2") == 0)
            *slots[i].slot = (void *)(uintptr_t)get_address;
        else if (own && strcmp(slots[i].name, "cuGetProcAddress") == 0)
            *slots[i].slot = (void *)(uintptr_t)get_address_old;
        else if (!own)
            *slots[i].slot = (void *)(uintptr_t)absent;
    }
}

/* ---- the end -------------------------------------------------------------------------------------------------------- */

__attribute__((destructor)) static void tell(void)
{
    const char *path = getenv("LOCKSTEP_METER");
    FILE *file = path ? fopen(path, "ae") : NULL;
    if (!file)
        return;
    bool complete = found.pieces > 0 && found.end_ns > 0 && found.pieces_at_end == found.pieces;
    fprintf(file, "{\"pieces\":%u,\"kernels\":%u,\"complete\":%s,\"us\":%.3f,\"outside_us\":%.3f}\n", found.pieces,
            found.kernels, complete ? "true" : "false",
            found.end_ns > found.first_ns ? (double)(found.end_ns - found.first_ns) / 1e3 : 0.0,
            (double)found.outside_at_end_ns / 1e3);
    fclose(file);
}
