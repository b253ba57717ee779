#include "runtime/emulator/driver/call_log.h"

#include <dlfcn.h>
#include <link.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/base/json.h"
#include "runtime/emulator/driver/contents.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/order.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/driver/stored.h"
#include "runtime/emulator/driver/unordered.h"
#include "runtime/language/ptx/foreign.h"

/* A program that calls for ever must not fill the disk. */
enum { LINE_LIMIT = 50000, FRAMES = 8, WORK_LIMIT = 256, BESIDE_LIMIT = 32 };

static const struct {
    const char *word;
    CUresult failure;
} kinds[CALL_KINDS] = {
#define HOST_CALL(kind, failure, name, when) [CALL_##kind] = {#kind, failure},
#include "runtime/tables/host_calls.def"
#undef HOST_CALL
};

static FILE *file; /* NULL: nothing is written */
static uint64_t lines, counts[CALL_KINDS];

/* LOCKSTEP_FAIL: CALL_KINDS: none. */
static enum call_kind fail_kind = CALL_KINDS;
static uint64_t fail_number;
static bool has_failed; /* a kernel, as it is to look */

static struct call {
    bool is_open;
    enum call_kind kind;
    uint64_t number; /* of its kind, from 1 */
    uint64_t address, bytes, to_device, to_host;
    uint64_t target, source;         /* of a copy of one row */
    bool is_work;                    /* it has a place in the order of its stream */
    bool is_waited_for, is_pageable; /* of a copy */
    uint64_t warp_instructions;      /* of a launch */
    char kernel[128];
    uint32_t grid[3], block[3];
    const struct graph_branch *branch; /* of a piece of a graph; NULL: of none */
} now;

/* The latest pieces of work, to find those that nothing orders with the next: copies and kernels that may overlap. */
static struct work {
    bool is_kernel;
    uint64_t number; /* of its kind of call */
    struct order_epoch epoch;
    bool has_branch; /* it is a piece of a graph */
    unsigned branch;
    uint32_t place; /* in the branch, from 1 */
} works[WORK_LIMIT];
static uint64_t work_count;

/* "allocate:2": the second allocation fails. */
static void read_failure(void)
{
    const char *text = getenv("LOCKSTEP_FAIL");
    if (!text || !*text)
        return;
    for (int i = 0; i < CALL_KINDS; i++) {
        size_t length = strlen(kinds[i].word);
        char *end = NULL;
        if (strncmp(text, kinds[i].word, length) != 0 || text[length] != ':' || kinds[i].failure == CUDA_SUCCESS)
            continue;
        fail_number = strtoull(text + length + 1, &end, 10);
        if (*end == '\0' && fail_number > 0)
            fail_kind = (enum call_kind)i;
    }
    if (fail_kind == CALL_KINDS)
        fprintf(stderr,
                "lockstep: LOCKSTEP_FAIL=%s is not allocate:N, copy:N, launch:N or wait:N. No call is made to fail.\n",
                text);
}

CUresult call_log_begin(enum call_kind kind)
{
    if (!file && fail_kind == CALL_KINDS)
        return CUDA_SUCCESS;
    now = (struct call){.is_open = true, .kind = kind, .number = ++counts[kind]};
    bool is_told = kind == fail_kind && now.number == fail_number;
    if (is_told && kind == CALL_wait) /* of a kernel, which every later call reports, too */
        has_failed = true;
    return has_failed ? kinds[CALL_wait].failure : is_told ? kinds[kind].failure : CUDA_SUCCESS;
}

bool call_log_is_open(void)
{
    return file != NULL;
}

CUresult call_log_begin_part(enum call_kind kind, const struct graph_branch *branch)
{
    CUresult result = call_log_begin(kind);
    now.branch = branch;
    return result;
}

void call_log_memory(uint64_t address, uint64_t bytes)
{
    now.address = address;
    now.bytes = bytes;
}

void call_log_moved(uint64_t bytes_to_device, uint64_t bytes_to_host)
{
    now.to_device += bytes_to_device;
    now.to_host += bytes_to_host;
    now.is_work = true;
}

void call_log_ends(uint64_t target, uint64_t source)
{
    now.target = target;
    now.source = source;
}

void call_log_waited(bool is_pageable)
{
    now.is_waited_for = true;
    now.is_pageable |= is_pageable;
}

void call_log_executed(uint64_t warp_instructions)
{
    now.warp_instructions += warp_instructions;
}

void call_log_launched(const char *kernel, const uint32_t grid[3], const uint32_t block[3])
{
    snprintf(now.kernel, sizeof now.kernel, "%s", kernel);
    memcpy(now.grid, grid, sizeof now.grid);
    memcpy(now.block, block, sizeof now.block);
    now.is_work = true;
}

void call_log_module(const struct ptx_module *module)
{
    static bool written[PTX_FOREIGN_KINDS];
    for (int kind = 0; file && kind < PTX_FOREIGN_KINDS; kind++) {
        struct ptx_foreign foreign;
        struct json_line line;
        if (written[kind] || !ptx_foreign_find(module, (enum ptx_foreign_kind)kind, &foreign))
            continue;
        written[kind] = true;
        json_line_begin(&line);
        json_line_text(&line, "call", "module");
        json_line_text(&line, "foreign", ptx_foreign_words[kind]);
        json_line_text(&line, "name", foreign.name);
        json_line_integer(&line, "line", foreign.line);
        json_line_integer(&line, "needed", foreign.needed);
        json_line_integer(&line, "target", module->target);
        json_line_end(&line, file);
    }
}

/* What the program has written to its standard output, where that is a file. */
static int64_t printed_bytes(void)
{
    struct stat facts;
    return fstat(STDOUT_FILENO, &facts) == 0 && S_ISREG(facts.st_mode) ? (int64_t)facts.st_size : 0;
}

/* What lies in the file of findings: those of this call end here. */
static int64_t found_bytes(void)
{
    const char *path = driver.settings->findings_path;
    struct stat facts;
    return path && stat(path, &facts) == 0 ? (int64_t)facts.st_size : 0;
}

/* Writes the addresses of the calls in the program's own file, innermost first, as in that file. */
static void write_places(struct json_line *line)
{
    const void *frames[FRAMES] = {NULL};
    origin_find_frames(frames, FRAMES);
    json_line_open(line, "at", '[');
    for (int i = 0; i < FRAMES && frames[i]; i++) {
        Dl_info info;
        struct link_map *map = NULL;
        /* The call is before the address to which it returns; the program's own file has no name. */
        const char *call = (const char *)frames[i] - 1;
        if (dladdr1(call, &info, (void **)&map, RTLD_DL_LINKMAP) && map && map->l_name[0] == '\0')
            json_line_integer(line, NULL, (int64_t)(call - (const char *)map->l_addr));
    }
    json_line_close(line, ']');
}

/* Is the earlier work ordered before what the call, or the piece of a graph, does? */
static bool is_before(const struct work *earlier)
{
    const struct graph_branch *branch = now.branch;
    if (!branch || !earlier->has_branch || earlier->epoch.serial != order_now().serial)
        return order_is_before(earlier->epoch);
    return graph_branch_is_after(branch, earlier->branch, earlier->place);
}

/* Writes the numbers of earlier work of the other kind, copies beside kernels, that nothing orders before this. */
static void write_beside(struct json_line *line)
{
    bool is_kernel = now.kind == CALL_launch;
    uint64_t first = work_count > WORK_LIMIT ? work_count - WORK_LIMIT : 0, count = 0;
    json_line_open(line, "beside", '[');
    for (uint64_t i = first; i < work_count && count < BESIDE_LIMIT; i++) {
        const struct work *other = &works[i % WORK_LIMIT];
        if (other->is_kernel == is_kernel || is_before(other))
            continue;
        json_line_integer(line, NULL, (int64_t)other->number);
        count++;
    }
    json_line_close(line, ']');
    works[work_count++ % WORK_LIMIT] = (struct work){
        .is_kernel = is_kernel,
        .number = now.number,
        .epoch = order_now(),
        .has_branch = now.branch != NULL,
        .branch = now.branch ? now.branch->branch : 0,
        .place = now.branch ? graph_branch_step(now.branch) : 0,
    };
}

/* Writes the work's stream, its number there, and how many pieces of each stream it comes after, itself among them: the
 * work is ordered after each piece that is counted, and after no other. All of a graph is one piece of its stream: within it,
 * branches say the same. */
static void write_order(struct json_line *line)
{
    struct order_piece piece = order_get();
    char name[ORDER_NAME_BYTES];
    if (!piece.clock || order_is_lost())
        return;
    json_line_text(line, "stream", order_name(piece.epoch, name));
    json_line_pair(line, "piece", piece.epoch.stream, (int64_t)piece.epoch.number);
    json_line_open(line, "after", '[');
    for (unsigned i = 0; i < ORDER_STREAM_LIMIT; i++)
        if (piece.clock->done[i] > 0)
            json_line_pair(line, NULL, i, (int64_t)piece.clock->done[i]);
    json_line_close(line, ']');
    if (!now.branch)
        return;
    json_line_pair(line, "branch", now.branch->branch, graph_branch_step(now.branch));
    json_line_open(line, "branch_after", '[');
    for (unsigned i = 0; i < now.branch->count; i++)
        if (now.branch->done[i] > 0)
            json_line_pair(line, NULL, i, now.branch->done[i]);
    json_line_close(line, ']');
}

static void write_line(CUresult result)
{
    struct json_line line;
    json_line_begin(&line);
    json_line_text(&line, "call", kinds[now.kind].word);
    json_line_integer(&line, "number", (int64_t)now.number);
    json_line_integer(&line, "result", result);
    json_line_integer(&line, "address", (int64_t)now.address);
    json_line_integer(&line, "bytes", (int64_t)now.bytes);
    json_line_integer(&line, "to_device", (int64_t)now.to_device);
    json_line_integer(&line, "to_host", (int64_t)now.to_host);
    json_line_integer(&line, "printed", printed_bytes());
    json_line_integer(&line, "found", found_bytes());
    json_line_integer(&line, "stored", (int64_t)stored_bytes());
    if (stored_shared_bytes() > 0 || stored_fetched_bytes() > 0)
        json_line_pair(&line, "shared", (int64_t)stored_shared_bytes(), (int64_t)stored_fetched_bytes());
    if (now.kernel[0] != '\0') {
        json_line_text(&line, "kernel", now.kernel);
        json_line_triple(&line, "grid", now.grid);
        json_line_triple(&line, "block", now.block);
    }
    if (now.target != 0)
        json_line_pair(&line, "ends", (int64_t)now.target, (int64_t)now.source);
    if (now.is_waited_for)
        json_line_text(&line, "waits", now.is_pageable ? "pageable" : "done");
    if (now.warp_instructions > 0)
        json_line_integer(&line, "instructions", (int64_t)now.warp_instructions);
    if (now.is_work && unordered_matters()) {
        write_beside(&line);
        write_order(&line);
    }
    write_places(&line);
    json_line_end(&line, file);
}

/* The call ends. Without one that has begun, nothing happens. */
static void end_call(CUresult result)
{
    if (!now.is_open)
        return;
    now.is_open = false;
    if (file && lines < LINE_LIMIT)
        write_line(result);
    else if (file && lines == LINE_LIMIT)
        fputs("{\"call\":\"cut\"}\n", file);
    lines++;
}

void call_log_end_part(CUresult result)
{
    end_call(result);
}

void call_log_open(void)
{
    file = settings_open_calls();
    read_failure();
    if (file || fail_kind != CALL_KINDS)
        driver_watch_results(end_call);
    if (file) { /* what is printed is to lie in the file before the next call: printed_bytes */
        stored_want();
        contents_open(file);
        fflush(stdout);
        setvbuf(stdout, NULL, _IOLBF, 0);
    }
}
