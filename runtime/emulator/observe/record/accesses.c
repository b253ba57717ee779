#include "runtime/emulator/observe/record/accesses.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "runtime/base/json.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/observe/counters/site.h"
#include "runtime/emulator/settings/settings.h"
#include "runtime/language/demangle.h"

/* Larger arrays are left out. */
enum { MAX_ARRAYS = 32, MAX_ELEMENTS = 110000, WORD_BYTES = 4 };

static FILE *sink;
static pthread_once_t opened = PTHREAD_ONCE_INIT;

/* Of one element: the threads are linear in the grid. */
struct element {
    uint32_t loads, stores; /* an atomic is a store */
    const struct operation *first_load_at, *load_at, *first_at, *last_at;
    uint64_t first_load, last_load, first_store, last_store;
};

struct array {
    const struct memory_allocation *allocation;
    struct element *elements;
    size_t count;
};

struct executed {
    const struct operation *operation;
    bool own; /* of the kernel itself, not of a function */
    uint64_t lanes;
};

struct accesses {
    const struct launch *launch;
    struct array arrays[MAX_ARRAYS];
    size_t array_count;
    struct executed *executed; /* one a memory instruction of the program */
    size_t executed_count;
};

static void open_sink(void)
{
    sink = settings_open_accesses();
}

void accesses_open(void)
{
    pthread_once(&opened, open_sink);
}

/* ---- launches ----------------------------------------------------------------------------------------------------- */

/* Lists the memory instructions of the kernel, and those of the functions that are decoded. Returns how many there are. */
static size_t list_sites(const struct launch *launch, struct executed *list)
{
    const struct program *program = launch->request->function->program;
    size_t count = 0;
    for (size_t k = 0; k < program->module->function_count; k++) {
        const struct code *code = &program->code[k];
        bool own = k == launch->request->function->index;
        for (size_t i = 0; code->operations && i < code->operation_count; i++) {
            const struct operation *operation = &code->operations[i];
            if (!operation_is(operation, ROLE_SITE) || operation->site->space == SITE_LOCAL || operation->site->constant)
                continue;
            if (list)
                list[count] = (struct executed){operation, own, 0};
            count++;
        }
    }
    return count;
}

static void take_arrays(struct accesses *accesses)
{
    struct memory_allocation *allocation;
    for (size_t cursor = 0; (allocation = memory_next_live(accesses->launch->request->memory, &cursor));) {
        size_t count = allocation->bytes / WORD_BYTES;
        if (allocation->kind != MEMORY_DEVICE || allocation->element_bytes != WORD_BYTES || count > MAX_ELEMENTS
            || accesses->array_count == MAX_ARRAYS)
            continue;
        struct element *elements = calloc(count + 1, sizeof *elements);
        if (elements)
            accesses->arrays[accesses->array_count++] = (struct array){allocation, elements, count};
    }
}

struct accesses *accesses_start(const struct launch *launch)
{
    accesses_open();
    struct accesses *accesses = sink ? calloc(1, sizeof *accesses) : NULL;
    if (!accesses)
        return NULL;
    accesses->launch = launch;
    accesses->executed_count = list_sites(launch, NULL);
    accesses->executed = calloc(accesses->executed_count + 1, sizeof *accesses->executed);
    if (accesses->executed)
        list_sites(launch, accesses->executed);
    else
        accesses->executed_count = 0;
    take_arrays(accesses);
    return accesses;
}

/* ---- requests ----------------------------------------------------------------------------------------------------- */

static struct element *find_element(const struct accesses *accesses, uint64_t address)
{
    for (size_t i = 0; i < accesses->array_count; i++) {
        const struct array *array = &accesses->arrays[i];
        if (address - array->allocation->address < array->allocation->bytes)
            return &array->elements[(address - array->allocation->address) / WORD_BYTES];
    }
    return NULL;
}

static void note_element(struct element *element, const struct operation *operation, uint64_t thread)
{
    if (operation->site->access == SITE_LOAD) {
        if (element->loads++ == 0) {
            element->first_load_at = operation;
            element->first_load = thread;
        }
        element->load_at = operation;
        element->last_load = thread;
        return;
    }
    if (element->stores++ == 0) {
        element->first_at = operation;
        element->first_store = thread;
    }
    element->last_at = operation;
    element->last_store = thread;
}

void accesses_note(struct accesses *accesses, const struct warp *warp, const struct operation *operation,
                   const uint64_t address[32], uint32_t lanes)
{
    const struct memory_site *site = operation->site;
    const uint32_t *shape = accesses->launch->request->block;
    uint64_t block_threads = (uint64_t)shape[0] * shape[1] * shape[2];
    for (size_t i = 0; i < accesses->executed_count; i++)
        if (accesses->executed[i].operation == operation)
            accesses->executed[i].lanes += (uint64_t)__builtin_popcount(lanes);
    if (site->space == SITE_SHARED)
        return;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t thread = warp->block->linear * block_threads + (uint64_t)warp->index * WARP_LANES + lane;
        for (unsigned byte = 0; byte < site->request_bytes; byte += WORD_BYTES) {
            struct element *element = find_element(accesses, address[lane] + byte);
            if (element)
                note_element(element, operation, thread);
        }
    }
}

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static int line_of(const struct launch *launch, const struct operation *operation)
{
    return operation ? place_of(launch, operation).line : 0;
}

static void write_sites(const struct accesses *accesses, struct json_line *line)
{
    static const char *const spaces[] = {[SITE_SHARED] = "shared", [SITE_GLOBAL] = "global"};
    json_line_open(line, "sites", '[');
    for (size_t i = 0; i < accesses->executed_count; i++) {
        const struct executed *executed = &accesses->executed[i];
        const struct memory_site *site = executed->operation->site;
        if (!executed->own && executed->lanes == 0) /* perhaps another kernel's */
            continue;
        bool known = site->space == SITE_SHARED || site->space == SITE_GLOBAL;
        json_line_open(line, NULL, '{');
        json_line_integer(line, "line", line_of(accesses->launch, executed->operation));
        json_line_text(line, "space", known ? spaces[site->space] : "generic");
        json_line_text(line, "access", site_is_atomic(site) ? "atomic" : site->access == SITE_LOAD ? "load" : "store");
        json_line_integer(line, "atomic", site_is_atomic(site) ? site->atomic : -1);
        json_line_integer(line, "lanes", (int64_t)executed->lanes);
        json_line_close(line, '}');
    }
    json_line_close(line, ']');
}

/* [loads, stores, line of the last load, of the first store, of the last store, is it atomic?, thread of the first load, of the
 * last load, of the first store, of the last store, line of the first load]; 0: none */
static void write_element(const struct launch *launch, const struct element *element, struct json_line *line)
{
    if (element->loads + element->stores == 0) {
        json_line_integer(line, NULL, 0);
        return;
    }
    json_line_open(line, NULL, '[');
    json_line_integer(line, NULL, element->loads);
    json_line_integer(line, NULL, element->stores);
    json_line_integer(line, NULL, line_of(launch, element->load_at));
    json_line_integer(line, NULL, line_of(launch, element->first_at));
    json_line_integer(line, NULL, line_of(launch, element->last_at));
    json_line_integer(line, NULL, element->last_at && site_is_atomic(element->last_at->site));
    json_line_integer(line, NULL, (int64_t)element->first_load);
    json_line_integer(line, NULL, (int64_t)element->last_load);
    json_line_integer(line, NULL, (int64_t)element->first_store);
    json_line_integer(line, NULL, (int64_t)element->last_store);
    json_line_integer(line, NULL, line_of(launch, element->first_load_at));
    json_line_close(line, ']');
}

void accesses_end(struct accesses *accesses)
{
    struct json_line line;
    char kernel[128];
    if (!accesses)
        return;
    const struct launch *launch = accesses->launch;
    demangle_function(launch->request->function->name, kernel, sizeof kernel);
    json_line_begin(&line);
    json_line_text(&line, "kernel", kernel);
    json_line_triple(&line, "grid", launch->request->grid);
    json_line_triple(&line, "block", launch->request->block);
    write_sites(accesses, &line);
    json_line_open(&line, "arrays", '[');
    for (size_t i = 0; i < accesses->array_count; i++) {
        const struct array *array = &accesses->arrays[i];
        json_line_open(&line, NULL, '{');
        json_line_text(&line, "name", array->allocation->name);
        json_line_open(&line, "elements", '[');
        for (size_t k = 0; k < array->count; k++)
            write_element(launch, &array->elements[k], &line);
        json_line_close(&line, ']');
        json_line_close(&line, '}');
        free(array->elements);
    }
    json_line_close(&line, ']');
    json_line_end(&line, sink);
    free(accesses->executed);
    free(accesses);
}
