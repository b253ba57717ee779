#include "grader/judge/unset.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/block_trace.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/stores.h"
#include "grader/lab/arrays.h"
#include "grader/result/diagnose.h"

enum { CELLS_MOST = 1 << 16, THREADS_MOST = 1024, LINES_MOST = 4 };
#define TRACE_ELEMENTS (1u << 17)

/* What the block did with the array. */
struct cells {
    bool written[CELLS_MOST];
    int line_of[CELLS_MOST];              /* that wrote a cell last */
    int lines[LINES_MOST], line_count;    /* that wrote cells; more than there is room for: their number alone */
    bool by_line[LINES_MOST][CELLS_MOST]; /* which cells each of them wrote */
    bool came[STORES_MOST][THREADS_MOST]; /* to each line that stores, before the first such read */
    int64_t array, columns;
    int64_t unset; /* the lowest cell that the thread of the finding read too soon; -1: none */
    unsigned threads, thread;
    int read_line;
    bool broken, cut; /* cut: the end of the trace is missing */
    bool other;       /* some accesses do both: the trace does not show what they store */
};

static void note_line(struct cells *cells, int line, int64_t cell)
{
    int at = 0;
    while (at < cells->line_count && at < LINES_MOST && cells->lines[at] != line)
        at++;
    if (at == cells->line_count)
        cells->line_count++;
    if (at >= LINES_MOST)
        return;
    cells->lines[at] = line;
    cells->by_line[at][cell] = true;
}

static void read_request(const json_t *request, int line, unsigned first_thread, struct cells *cells)
{
    const json_t *at = json_object_get(request, "at");
    uint32_t lanes = (uint32_t)block_trace_integer(request, "lanes");
    int64_t words = block_trace_integer(request, "bytes") * block_trace_integer(request, "elements") / 4;
    bool reads = strcmp(block_trace_text(request, "kind"), "write") != 0;
    cells->other |= reads && strcmp(block_trace_text(request, "kind"), "read") != 0;
    if (words < 1)
        cells->broken = true;
    for (size_t i = 0; lanes != 0 && words > 0; lanes &= lanes - 1, i++) {
        int64_t start = json_integer_value(json_array_get(at, i)) / 4;
        unsigned thread = first_thread + (unsigned)__builtin_ctz(lanes);
        for (int64_t k = start; k < start + words; k++) {
            if (k < 0 || k >= CELLS_MOST)
                cells->broken = true;
            else if (!reads) {
                cells->written[k] = true;
                cells->line_of[k] = line;
                note_line(cells, line, k);
            } else if (!cells->written[k] && thread == cells->thread && line == cells->read_line
                       && (cells->unset < 0 || k < cells->unset))
                cells->unset = k;
        }
    }
}

static void read_step(const json_t *step, const struct stores *stores, struct cells *cells)
{
    int line = (int)block_trace_integer(step, "line");
    unsigned first = (unsigned)block_trace_integer(step, "warp") * 32;
    const json_t *request;
    size_t i;
    for (uint32_t rest = (uint32_t)block_trace_integer(step, "mask"); rest != 0 && cells->unset < 0; rest &= rest - 1) {
        unsigned thread = first + (unsigned)__builtin_ctz(rest);
        for (int s = 0; s < stores->count && thread < THREADS_MOST; s++)
            cells->came[s][thread] |= stores->lines[s].line == line;
    }
    json_array_foreach(json_object_get(step, "requests"), i,
                       request) if (block_trace_integer(request, "array") == cells->array)
        read_request(request, line, first, cells);
}

static void read_trace(const char *text, const struct result_finding *finding, const struct stores *stores,
                       struct cells *cells)
{
    int64_t launch = -1;
    json_t *record;
    cells->array = cells->unset = -1;
    while ((record = block_trace_next(&text))) {
        bool here = launch >= 0 && block_trace_integer(record, "launch") == launch;
        if (block_trace_is(record, "launch") && launch < 0 && block_trace_integer(record, "in_grid") != 0
            && strcmp(block_trace_text(record, "kernel"), finding->kernel) == 0) {
            launch = block_trace_integer(record, "launch");
        } else if (here && block_trace_is(record, "array")
                   && strcmp(block_trace_text(record, "name"), finding->unwritten) == 0
                   && strcmp(block_trace_text(record, "space"), "shared") == 0) {
            cells->array = block_trace_integer(record, "array");
            cells->columns = block_trace_integer(record, "columns");
        } else if (here && block_trace_is(record, "step")) {
            read_step(record, stores, cells);
        } else if (here && block_trace_is(record, "cut")) {
            cells->broken |= cells->unset < 0;
            cells->cut = true;
        }
        json_decref(record);
    }
}

/* ---- words ------------------------------------------------------------------------------------------------------------- */

static void append(struct result_finding *finding, const char *more)
{
    size_t used = strlen(finding->message);
    bool ends = used > 0 && finding->message[used - 1] == '.';
    snprintf(finding->message + used, sizeof finding->message - used, "%s%s", ends ? " " : ". ", more);
}

static void name_cell(const char *array, int64_t index, int64_t columns, char text[128])
{
    if (columns > 0)
        snprintf(text, 128, "%s[%lld][%lld]", array, (long long)(index / columns), (long long)(index % columns));
    else
        snprintf(text, 128, "%s[%lld]", array, (long long)index);
}

/* The remark that no thread has the numbers of the cell names the cell of the message. */
static void use_first_thread(const struct cells *cells, struct result_finding *finding)
{
    char *numbers = strstr(finding->remark, "threadIdx.y = ");
    if (!numbers || cells->columns <= 0 || !strstr(finding->remark, "no thread has threadIdx.y = "))
        return;
    snprintf(numbers, sizeof finding->remark - (size_t)(numbers - finding->remark),
             "threadIdx.y = %lld and threadIdx.x = %lld.", (long long)(cells->unset / cells->columns),
             (long long)(cells->unset % cells->columns));
}

/* Puts the first cell where the message names the one that the driver met first. */
static void use_first_cell(const struct stores *stores, const struct cells *cells, struct result_finding *finding)
{
    char given[128], first[128], *at;
    name_cell(finding->unwritten, finding->unwritten_index, cells->columns, given);
    name_cell(finding->unwritten, cells->unset, cells->columns, first);
    if (stores->is_scalar)
        snprintf(first, sizeof first, "%s", finding->unwritten);
    if (!(at = strstr(finding->message, given)))
        return;
    char *whole = allocate_format("%.*s%s%s", (int)(at - finding->message), finding->message, first, at + strlen(given));
    snprintf(finding->message, sizeof finding->message, "%s", whole);
    free(whole);
    use_first_thread(cells, finding);
    finding->unwritten_index = cells->unset;
}

/* Another kernel of the file that declares an array of that name; NULL: none. */
static const char *find_namesake(const struct plan_setup *setup, const struct stores *stores, const char *array)
{
    const struct source *source = stores->source;
    for (int i = 0; i < setup->lab->kernel_count; i++) {
        struct source_function other;
        if (i == stores->kernel || !source_find_function(source, setup->lab->kernels[i].name, 0, &other))
            continue;
        for (size_t k = other.first; k < other.last; k++)
            if (source_token_is(&source->tokens[k], array) && source_token_is(&source->tokens[k + 1], "[")
                && source->tokens[k - 1].kind == SOURCE_WORD)
                return setup->lab->kernels[i].name;
    }
    return NULL;
}

/* The condition that decides about a store: the nearest line above with one, if it is false for the thread. */
static int find_guard(const struct stores *stores, const struct plan_launch *launch, const struct result_finding *thread,
                      int line)
{
    bool is_true;
    for (int at = line; at > 0 && at >= line - 3; at--)
        if (stores_condition(stores, launch, thread, at, &is_true))
            return is_true ? 0 : at;
    return 0;
}

/* A variable that one line sets: was there no thread of the block at that line before? */
static void tell_scalar(const struct stores *stores, const struct cells *cells, int set, int sets,
                        struct result_finding *finding)
{
    char words[400];
    bool came = false;
    for (unsigned i = 0; i < THREADS_MOST; i++)
        came |= cells->came[set][i];
    if (sets > 1 || came || stores->has_alias)
        return;
    snprintf(
        words, sizeof words,
        "Each block has a variable %s of its own: line %d sets it, but no thread of block (%u,%u,%u) came there before.",
        finding->unwritten, stores->lines[set].line, finding->block[0], finding->block[1], finding->block[2]);
    append(finding, words);
}

/* The line of the only `memset(array, …)` of the kernel, which the compiler makes stores of; 0: there is none, or
 * several. */
static int find_memset(const struct stores *stores, const char *array)
{
    const struct source_token *tokens = stores->source->tokens;
    int line = 0;
    for (size_t i = stores->function.first; i + 2 < stores->function.last; i++) {
        if (!source_token_is(&tokens[i], "memset") || !source_token_is(&tokens[i + 2], array))
            continue;
        if (line > 0)
            return 0;
        line = tokens[i].line;
    }
    return line;
}

/* "at line 16": of a store that the source shows there, or of a memset, which counts bytes. Returns whether it is one. */
static bool say_setter(const struct stores *stores, const char *array, int line, char text[100])
{
    bool shown = false;
    for (int i = 0; i < stores->count; i++)
        shown |= stores->lines[i].line == line;
    int by_bytes = shown ? 0 : find_memset(stores, array);
    if (by_bytes > 0)
        snprintf(text, 100, ", by the memset in line %d, which counts bytes", by_bytes);
    else if (shown)
        snprintf(text, 100, ", at line %d", line);
    else
        text[0] = '\0';
    return by_bytes > 0;
}

/* The cells of the unset one's row that the block does set, if one line sets them and they lie side by side. */
static void tell_range(const struct stores *stores, const struct plan_launch *launch, const struct cells *cells,
                       struct result_finding *finding)
{
    int64_t row = cells->columns > 0 ? cells->unset / cells->columns * cells->columns : 0;
    int64_t end = cells->columns > 0 ? row + cells->columns : CELLS_MOST, first = -1, last = -1, count = 0;
    char words[400], array[128], setter[100], range[80], threads[80] = "";
    for (int64_t k = row; k < end && k < CELLS_MOST; k++) {
        if (!cells->written[k])
            continue;
        if (first >= 0 && cells->line_of[k] != cells->line_of[first])
            return;
        first = first < 0 ? k : first;
        last = k;
        count++;
    }
    bool exchanges = strstr(stores->source->text, "atomicExch"); /* which may give a first value, too */
    bool later = cells->written[cells->unset];                   /* than it is read */
    if (cells->cut || exchanges || later || stores->is_scalar || count == 0 || count != last + 1 - first)
        return;
    if (cells->columns > 0)
        snprintf(array, sizeof array, "%.60s[%lld]", finding->unwritten, (long long)(row / cells->columns));
    else
        snprintf(array, sizeof array, "%.60s", finding->unwritten);
    if (count == (int64_t)cells->threads && launch->block[1] == 1 && launch->block[2] == 1)
        snprintf(threads, sizeof threads, " The block has %u threads.", cells->threads);
    if (count == 1)
        snprintf(range, sizeof range, "cell %lld", (long long)(first - row));
    else
        snprintf(range, sizeof range, "the cells %lld to %lld", (long long)(first - row), (long long)(last - row));
    if (say_setter(stores, finding->unwritten, cells->line_of[first], setter))
        snprintf(finding->pattern, sizeof finding->pattern, "bytes");
    snprintf(words, sizeof words, "In this block, only %s of %s %s a first value%s.%s", range, array,
             count == 1 ? "gets" : "get", setter, threads);
    append(finding, words);
}

/* Appends "0 to 3 and 5": which of `count` cells, `step` apart, a line wrote. Returns how many ranges there are; 0: none, or too many. */
static int name_ranges(const bool *wrote, int64_t first, int64_t count, int64_t step, char text[120])
{
    enum { RANGES_MOST = 3 };
    int64_t from[RANGES_MOST], to[RANGES_MOST];
    int ranges = 0;
    text[0] = '\0';
    for (int64_t k = 0; k < count; k++) {
        bool any = false;
        for (int64_t i = 0; i < step; i++)
            any |= wrote[first + k * step + i];
        if (any && ranges > 0 && to[ranges - 1] == k - 1) {
            to[ranges - 1] = k;
        } else if (any) {
            if (ranges == RANGES_MOST)
                return 0;
            from[ranges] = to[ranges] = k;
            ranges++;
        }
    }
    for (int r = 0; r < ranges; r++) {
        size_t used = strlen(text);
        const char *before = r == 0 ? "" : r + 1 < ranges ? ", " : " and ";
        if (from[r] == to[r])
            snprintf(text + used, 120 - used, "%s%lld", before, (long long)from[r]);
        else
            snprintf(text + used, 120 - used, "%s%lld to %lld", before, (long long)from[r], (long long)to[r]);
    }
    return ranges;
}

/* Which cells each line of the file wrote: those of the unset one's row, or, where that row has none, the rows. */
static void tell_lines(const struct stores *stores, const struct cells *cells, struct result_finding *finding)
{
    bool in_rows = cells->columns > 0, row_has = !in_rows, repeats = false;
    int64_t columns = in_rows ? cells->columns : CELLS_MOST, row = in_rows ? cells->unset / columns * columns : 0;
    char words[400] = "In this block, ", array[100], range[120];
    if (cells->cut || cells->other || stores->is_scalar || cells->unset >= CELLS_MOST || cells->written[cells->unset]
        || cells->line_count == 0 || cells->line_count > LINES_MOST)
        return;
    for (int l = 0; l < cells->line_count; l++)
        for (int64_t k = row; in_rows && k < row + columns && k < CELLS_MOST; k++)
            row_has |= cells->by_line[l][k];
    if (in_rows && row_has)
        snprintf(array, sizeof array, "%.60s[%lld]", finding->unwritten, (long long)(row / columns));
    else
        snprintf(array, sizeof array, "%.60s", finding->unwritten);
    for (int l = 0, told = 0; l < cells->line_count; l++) {
        int64_t first = row_has ? row : 0, step = row_has ? 1 : columns, count = row_has ? columns : CELLS_MOST / columns;
        if (first + count > CELLS_MOST)
            count = CELLS_MOST - first;
        int ranges = name_ranges(cells->by_line[l], first, count, step, range);
        bool none = true;
        for (int64_t k = first; k < first + count * step && none; k++)
            none = !cells->by_line[l][k];
        if (none)
            continue;
        if (ranges == 0 || cells->lines[l] <= 0)
            return;
        bool one = ranges == 1 && !strchr(range, ' ');
        size_t used = strlen(words);
        snprintf(words + used, sizeof words - used, told > 0 ? "; line %d, %s %s%s%s" : "line %d fills %s %s%s%s",
                 cells->lines[l], row_has ? (one ? "cell" : "cells") : (one ? "cells in row" : "cells in rows"), range,
                 told == 0 ? " of " : "", told == 0 ? array : "");
        repeats |= stores_repeats(stores, cells->lines[l]);
        told++;
    }
    snprintf(words + strlen(words), sizeof words - strlen(words), row_has ? ". No other cell of %s is filled." : ".", array);
    append(finding, words);
    if (repeats && strstr(finding->remark, "no thread has threadIdx.y = "))
        finding->remark[0] = '\0'; /* a thread fills more than one cell */
    snprintf(finding->pattern, sizeof finding->pattern, "stored_cells");
}

/* What is written later was not "never written". */
static void say_not_yet(struct result_finding *finding)
{
    static const char never[] = "was never written";
    const char *at = strstr(finding->message, never);
    if (!at)
        return;
    char *whole = allocate_format("%.*swas not written yet%s", (int)(at - finding->message), finding->message,
                                  at + sizeof never - 1);
    snprintf(finding->message, sizeof finding->message, "%s", whole);
    free(whole);
}

static void tell_stores(const struct plan_setup *setup, const struct stores *stores, const struct plan_launch *launch,
                        const struct cells *cells, struct result_finding *finding)
{
    char words[400], cell[128];
    int set = -1, sets = 0;
    for (int i = 0; i < stores->count; i++) {
        sets += stores->lines[i].sets;
        set = stores->lines[i].sets ? i : set;
    }
    const char *namesake = find_namesake(setup, stores, finding->unwritten);
    if (sets == 0 && stores->has_alias) {
        size_t used = strlen(finding->message);
        tell_range(stores, launch, cells, finding);
        if (strlen(finding->message) == used)
            tell_lines(stores, cells, finding);
        return;
    }
    if (sets == 0) {
        snprintf(words, sizeof words, "No line of %s sets %s%s%s%s.", finding->kernel, finding->unwritten,
                 namesake ? "; that of " : "", namesake ? namesake : "", namesake ? " is another array" : "");
        append(finding, words);
        snprintf(finding->pattern, sizeof finding->pattern, "never_set");
        return;
    }
    if (stores->is_scalar) {
        tell_scalar(stores, cells, set, sets, finding);
        return;
    }
    const uint32_t *shape = launch->block;
    bool fits = cells->columns == 0 || cells->columns == (int64_t)shape[0];
    if (sets > 1 || !fits || cells->unset >= (int64_t)cells->threads || cells->came[set][cells->unset]) {
        size_t used = strlen(finding->message);
        tell_range(stores, launch, cells, finding);
        if (strlen(finding->message) == used)
            tell_lines(stores, cells, finding);
        return;
    }
    struct result_finding *other = allocate_zeroed(sizeof *other);
    unsigned thread = (unsigned)cells->unset;
    other->thread[0] = thread % shape[0];
    other->thread[1] = thread / shape[0] % shape[1];
    other->thread[2] = thread / shape[0] / shape[1];
    memcpy(other->block, finding->block, sizeof other->block);
    name_cell(finding->unwritten, cells->unset, cells->columns, cell);
    if (cells->line_of[cells->unset] == stores->lines[set].line) { /* after it was read */
        snprintf(
            words, sizeof words,
            "Thread (%u,%u,%u), which has the number of %s, comes to line %d later, and nothing makes this thread wait for it.",
            other->thread[0], other->thread[1], other->thread[2], cell, cells->line_of[cells->unset]);
        say_not_yet(finding);
        append(finding, words);
        snprintf(finding->pattern, sizeof finding->pattern, "too_soon");
        free(other);
        return;
    }
    snprintf(words, sizeof words, "Line %d sets %s, but thread (%u,%u,%u), which has the number of %s, did not come to it.",
             stores->lines[set].line, finding->unwritten, other->thread[0], other->thread[1], other->thread[2], cell);
    append(finding, words);
    int guard = find_guard(stores, launch, other, stores->lines[set].line);
    if (guard > 0) {
        stores_explain(stores, launch, other, guard);
        snprintf(finding->arithmetic, sizeof finding->arithmetic, "%s", other->arithmetic);
        memcpy(finding->thread, other->thread, sizeof finding->thread);
    }
    snprintf(finding->pattern, sizeof finding->pattern, "passed_cell");
    free(other);
}

/* Is it a function of the file that declares the shared variable, and the kernel's own one of that name is another? */
static bool is_of_a_function(const struct stores *stores, const char *name)
{
    const struct source *source = stores->source;
    bool in_kernel = false, elsewhere = false;
    for (size_t i = 0; i < source->token_count; i++) {
        if (!source_token_is(&source->tokens[i], "__shared__"))
            continue;
        bool inside = i >= stores->function.first && i < stores->function.last;
        for (; i < source->token_count && !source_token_is(&source->tokens[i], ";"); i++)
            *(inside ? &in_kernel : &elsewhere) |= source_token_is(&source->tokens[i], name);
    }
    return elsewhere && !in_kernel;
}

/* Neither the stores in the source nor the trace show what asynchronous copies bring: then the driver's words must do. */
static bool copies_asynchronously(const struct stores *stores)
{
    return strstr(stores->source->text, "async") != NULL;
}

static void tell(struct cases_work *work, int index, struct result_finding *finding)
{
    const struct plan_setup *setup = &work->input->setup;
    struct plan_launch launch;
    struct stores *stores = stores_find(setup, finding->kernel, finding->unwritten);
    if (stores && is_of_a_function(stores, finding->unwritten)) {
        stores_destroy(stores);
        stores = NULL;
    }
    if (stores && stores->is_scalar && strcmp(finding->pattern, "shared") == 0)
        snprintf(finding->pattern, sizeof finding->pattern, "shared_variable");
    char *text = stores && !copies_asynchronously(stores)
                         && stores_find_launch(setup, plan_case(setup, index), finding->kernel, &launch)
                     ? block_trace(work, index, finding->block)
                     : NULL;
    if (text) {
        struct cells *cells = allocate_zeroed(sizeof *cells);
        cells->threads = launch.block[0] * launch.block[1] * launch.block[2];
        cells->thread = finding->thread[0] + launch.block[0] * (finding->thread[1] + launch.block[1] * finding->thread[2]);
        cells->read_line = finding->line2 > 0 ? finding->line2 : finding->line;
        read_trace(text, finding, stores, cells);
        if (cells->array >= 0 && cells->unset >= 0 && !cells->broken) {
            use_first_cell(stores, cells, finding);
            tell_stores(setup, stores, &launch, cells, finding);
        } else if (cells->array >= 0 && !cells->broken && finding->unwritten_index >= 0) { /* read by another thread */
            cells->unset = finding->unwritten_index;
            tell_lines(stores, cells, finding);
        }
        free(cells);
    }
    free(text);
    stores_destroy(stores);
}

void unset_tell(struct cases_work *work)
{
    const struct plan_setup *setup = &work->input->setup;
    int index = diagnose_first_test(work->result);
    struct result_finding *first = index >= 0 && work->result->tests[index].findings.count > 0
                                       ? &work->result->tests[index].findings.list[0]
                                       : NULL;
    size_t elements = index >= 0 ? arrays_elements(setup->lab, plan_case(setup, index)) : 0;
    bool shared = first && (strcmp(first->pattern, "shared") == 0 || strcmp(first->pattern, "atomic_shared") == 0);
    if (shared && strcmp(first->code, "uninitialized") == 0 && first->unwritten[0] != '\0' && first->has_thread
        && !work->result->tests[index].hidden && elements <= TRACE_ELEMENTS)
        tell(work, index, first);
}
