#include "grader/judge/origin_route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/block_trace.h"
#include "grader/judge/cases_work.h"
#include "runtime/language/source.h"

enum { ARRAYS_MOST = 16, CELLS_MOST = 1 << 13, READS_KEPT = 8, THREADS_MOST = 1024, FACTORS_MOST = 4096 };
enum { FILLED_MOST = 1 << 15, MIXED = -2 };

/* Of a value: which element of which factor it is. */
struct origin_of {
    enum { NOTHING, ZERO, ELEMENT, CHANGED } kind; /* NOTHING: not known to be set */
    int which;
    int64_t element;
    float value;
};

/* A global read of a thread; it is not a factor when its value goes to shared memory. */
struct read {
    struct origin_of of;
    int line, factor; /* factor: place in the list of the traced thread, -1: none */
};

/* A store to shared memory. */
struct filled {
    struct origin_of of;
    int line, array;
    int64_t cell;
    unsigned thread;
};

struct array {
    char name[64];
    bool shared;
    int64_t columns;      /* 0: one-dimensional */
    int which;            /* global: which factor; shared: which one its cells hold, MIXED: both; -1: none, or not known */
    struct filled *cells; /* the last store to each */
};

/* One factor as the thread read it. */
struct factor {
    struct origin_of of;
    int line;
    bool dropped;         /* goes to shared memory */
    bool through_shared;  /* else read directly */
    struct filled filled; /* the store to the cell that it was read from */
    int order;            /* stores to shared memory before it */
};

struct route {
    const struct origin_route_subject *subject;
    struct array arrays[ARRAYS_MOST];
    struct read *reads; /* [THREADS_MOST][READS_KEPT], the latest first */
    struct factor *factors;
    int factor_count;
    struct filled *filled; /* in order */
    int filled_count;
    uint32_t shape[3];
    unsigned thread; /* traced: in its block */
    int64_t launch;
    int read_line, meant_line; /* the latest factor's: as traced, and as the source shows it */
    char read_name[64];
    bool broken;
};

static float float_of(int64_t bits)
{
    uint32_t word = (uint32_t)bits;
    float value;
    memcpy(&value, &word, sizeof value);
    return value;
}

/* ---- the line of a read ----------------------------------------------------------------------------------------------- */

/* The variable that line `store` stores: `C[i] = sum;`. NULL: something else is stored there. */
static const struct source_token *find_stored(const struct source *source, const struct source_function *function, int store)
{
    for (size_t i = function->first; i + 2 < function->last; i++)
        if (source->tokens[i].line == store && source_token_is(&source->tokens[i], "=")
            && source->tokens[i + 1].kind == SOURCE_WORD && source_token_is(&source->tokens[i + 2], ";"))
            return &source->tokens[i + 1];
    return NULL;
}

/* How many tokens the element at `at` has, with its subscripts. */
static size_t count_element(const struct source *source, size_t at, size_t last)
{
    size_t end = at + 1;
    while (end < last && source_token_is(&source->tokens[end], "["))
        end = source_closing(source, end, last) + 1;
    return end - at;
}

static bool is_same_element(const struct source *source, size_t a, size_t b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!source_token_same(&source->tokens[a + i], &source->tokens[b + i]))
            return false;
    return true;
}

/* Does the statement that holds token `at` change the variable? */
static bool changes(const struct source *source, size_t first, size_t at, const struct source_token *variable)
{
    static const char *const ends[] = {";", "{", "}", ")"}, *const stores[] = {"=", "+="};
    for (size_t i = at; i-- > first;) {
        if (SOURCE_IS_ANY(&source->tokens[i], ends))
            return false;
        if (SOURCE_IS_ANY(&source->tokens[i], stores))
            return source_token_same(&source->tokens[i - 1], variable)
                   && (i - 1 == first || SOURCE_IS_ANY(&source->tokens[i - 2], ends));
    }
    return false;
}

/* Do two tokens belong to statements side by side, which nothing but other statements separates? */
static bool are_neighbours(const struct source *source, size_t a, size_t b)
{
    static const char *const others[] = {"{", "}", "for", "while", "if", "else", "__syncthreads", "sync"};
    for (size_t i = a < b ? a : b; i < a || i < b; i++)
        if (SOURCE_IS_ANY(&source->tokens[i], others))
            return false;
    return true;
}

/* The compiler reads once what two lines read alike, and calls it the first one's. Of those lines, the one that
 * changes what the store line stores is meant; `line`, if that is not clear. */
static int find_meant_line(const struct origin_route_subject *subject, const char *name, int line)
{
    const struct source *source = subject->source;
    struct source_function function = {0};
    const struct source_token *stored = NULL;
    size_t own = 0;
    int meant = 0;
    if (source && source_find_function(source, subject->kernel, line, &function))
        stored = find_stored(source, &function, subject->store_line);
    for (size_t i = function.first; stored && i < function.last; i++)
        if (source->tokens[i].line == line && source_token_is(&source->tokens[i], name)) {
            if (own > 0 || changes(source, function.first, i, stored))
                return line;
            own = i;
        }
    size_t count = own > 0 ? count_element(source, own, function.last) : 0;
    for (size_t i = function.first; count > 1 && i + count < function.last; i++)
        if (i != own && is_same_element(source, i, own, count) && are_neighbours(source, own, i)
            && changes(source, function.first, i, stored)) {
            if (meant > 0 && meant != source->tokens[i].line)
                return line;
            meant = source->tokens[i].line;
        }
    return meant > 0 ? meant : line;
}

/* ---- the trace --------------------------------------------------------------------------------------------------------- */

static void begin_launch(struct route *route, const json_t *record)
{
    const json_t *shape = json_object_get(record, "block_shape");
    if (route->launch >= 0 || block_trace_integer(record, "in_grid") == 0
        || strcmp(block_trace_text(record, "kernel"), route->subject->kernel) != 0)
        return;
    route->launch = block_trace_integer(record, "launch");
    for (size_t d = 0; d < 3; d++)
        route->shape[d] = (uint32_t)json_integer_value(json_array_get(shape, d));
    const uint32_t *thread = route->subject->thread;
    route->thread = thread[0] + route->shape[0] * (thread[1] + route->shape[1] * thread[2]);
    route->broken |= route->shape[0] * route->shape[1] * route->shape[2] > THREADS_MOST;
}

static void add_array(struct route *route, const json_t *record)
{
    int64_t number = block_trace_integer(record, "array"), bytes = block_trace_integer(record, "bytes");
    if (number < 0 || number >= ARRAYS_MOST) {
        route->broken = true;
        return;
    }
    struct array *array = &route->arrays[number];
    snprintf(array->name, sizeof array->name, "%s", block_trace_text(record, "name"));
    array->columns = block_trace_integer(record, "columns");
    array->shared = strcmp(block_trace_text(record, "space"), "shared") == 0;
    array->which = -1;
    for (int which = 0; which < 2 && !array->shared; which++)
        if (strcmp(array->name, route->subject->input[which]) == 0)
            array->which = which;
    if (array->shared && bytes / 4 <= CELLS_MOST)
        array->cells = allocate_zeroed((size_t)CELLS_MOST * sizeof *array->cells);
    route->broken |= array->shared && !array->cells;
}

/* Notes a factor of the traced thread, which reads it from the array at a line. */
static int add_factor(struct route *route, const char *name, const struct factor *factor)
{
    if (route->factor_count == FACTORS_MOST) {
        route->broken = true;
        return -1;
    }
    if (factor->line != route->read_line || strcmp(name, route->read_name) != 0) { /* nearly all come from the same two */
        route->read_line = factor->line;
        snprintf(route->read_name, sizeof route->read_name, "%s", name);
        route->meant_line = find_meant_line(route->subject, name, factor->line);
    }
    route->factors[route->factor_count] = *factor;
    route->factors[route->factor_count].line = route->meant_line;
    return route->factor_count++;
}

static void note_read(struct route *route, struct array *array, int64_t word, float value, unsigned thread, int line)
{
    if (array->shared) {
        const struct filled *cell = &array->cells[word];
        struct factor factor = {cell->of, line, false, true, *cell, route->filled_count};
        factor.filled.array = (int)(array - route->arrays);
        factor.filled.cell = word;
        if (thread == route->thread)
            add_factor(route, array->name, &factor);
        return;
    }
    if (array->which < 0)
        return;
    struct read *own = &route->reads[(size_t)thread * READS_KEPT];
    memmove(own + 1, own, (READS_KEPT - 1) * sizeof *own);
    own[0] = (struct read){{ELEMENT, array->which, word, value}, line, -1};
    if (thread == route->thread)
        own[0].factor = add_factor(route, array->name, &(struct factor){.of = own[0].of, .line = line});
}

/* The read that gave a thread this value; NULL: none, or it has read the same number in several places. */
static const struct read *find_read(const struct read *own, float value)
{
    const struct read *found = NULL;
    for (int i = 0; i < READS_KEPT; i++) {
        if (own[i].of.kind != ELEMENT || memcmp(&own[i].of.value, &value, sizeof value) != 0)
            continue;
        if (found && (found->of.which != own[i].of.which || found->of.element != own[i].of.element))
            return NULL;
        found = found ? found : &own[i];
    }
    return found;
}

/* What a thread stores in a cell is the latest of its reads that has this value. */
static void note_write(struct route *route, struct array *array, int64_t word, float value, unsigned thread, int line)
{
    const struct read *own = &route->reads[(size_t)thread * READS_KEPT];
    if (!array->shared)
        return;
    struct filled cell = {{value == 0 ? ZERO : CHANGED, 0, 0, value}, line, (int)(array - route->arrays), word, thread};
    const struct read *from = cell.of.kind == CHANGED ? find_read(own, value) : NULL;
    if (from) {
        cell.of = from->of;
        if (from->factor >= 0)
            route->factors[from->factor].dropped = true;
    }
    if (cell.of.kind == ELEMENT) {
        bool mixed = array->which == MIXED || (array->which >= 0 && array->which != cell.of.which);
        array->which = mixed ? MIXED : cell.of.which;
    }
    array->cells[word] = cell;
    if (route->filled_count < FILLED_MOST)
        route->filled[route->filled_count++] = cell;
    else
        route->broken = true;
}

static void take_request(struct route *route, const json_t *request, int line, unsigned first_thread)
{
    int64_t number = block_trace_integer(request, "array"), bytes = block_trace_integer(request, "bytes");
    int64_t elements = block_trace_integer(request, "elements");
    uint32_t lanes = (uint32_t)block_trace_integer(request, "lanes");
    const json_t *at = json_object_get(request, "at"), *values = json_object_get(request, "values");
    if (number < 0 || number >= ARRAYS_MOST || bytes != 4 || elements < 1) {
        route->broken = true;
        return;
    }
    struct array *array = &route->arrays[number];
    bool reads = block_trace_is(request, "read"), writes = block_trace_is(request, "write");
    for (size_t i = 0; lanes != 0; lanes &= lanes - 1, i++) {
        unsigned thread = first_thread + (unsigned)__builtin_ctz(lanes);
        int64_t word = json_integer_value(json_array_get(at, i)) / 4;
        for (int64_t k = 0; k < elements; k++, word++) {
            float value = float_of(json_integer_value(json_array_get(values, i * (size_t)elements + (size_t)k)));
            if (word < 0 || thread >= THREADS_MOST || (array->shared && word >= CELLS_MOST) || (!reads && !writes))
                route->broken = true;
            else if (reads)
                note_read(route, array, word, value, thread, line);
            else
                note_write(route, array, word, value, thread, line);
        }
    }
}

static void read_trace(const char *text, struct route *route)
{
    json_t *record;
    while (!route->broken && (record = block_trace_next(&text))) {
        bool here = route->launch >= 0 && block_trace_integer(record, "launch") == route->launch;
        const json_t *request;
        size_t i;
        if (block_trace_is(record, "launch")) {
            begin_launch(route, record);
        } else if (here && block_trace_is(record, "array")) {
            add_array(route, record);
        } else if (here && block_trace_is(record, "cut")) {
            route->broken = true;
        } else if (here && block_trace_is(record, "step")) {
            int line = (int)block_trace_integer(record, "line");
            unsigned first = (unsigned)block_trace_integer(record, "warp") * 32;
            json_array_foreach(json_object_get(record, "requests"), i, request)
            {
                take_request(route, request, line, first);
            }
        }
        json_decref(record);
    }
}

/* ---- products ---------------------------------------------------------------------------------------------------------- */

/* Of factor `which`, the next one after `from`; the count when there is none. */
static int next_factor(const struct route *route, int which, int from)
{
    for (; from < route->factor_count; from++) {
        const struct factor *factor = &route->factors[from];
        bool element = factor->of.kind == ELEMENT || !factor->through_shared;
        int own = element ? factor->of.which : route->arrays[factor->filled.array].which;
        if (!factor->dropped && own == which)
            break;
    }
    return from;
}

/* A 0 in an array that holds elements of both factors? */
static bool is_ambiguous(const struct route *route, const struct factor *factor)
{
    return factor->through_shared && factor->of.kind != ELEMENT && route->arrays[factor->filled.array].which == MIXED;
}

/* The next product: the next factor of either matrix. `at` begins as {-1, -1}. Returns false when one of them has no more. */
static bool next_product(const struct route *route, int at[2], const struct factor *pair[2])
{
    for (int which = 0; which < 2; which++)
        at[which] = next_factor(route, which, at[which] + 1);
    if (at[0] == route->factor_count || at[1] == route->factor_count)
        return false;
    for (int which = 0; which < 2; which++)
        pair[which] = &route->factors[at[which]];
    return true;
}

/* Do the products of first with first, second with second and so on give what was stored? */
static bool adds_up(const struct route *route)
{
    int at[2] = {-1, -1};
    const struct factor *pair[2];
    double sum = 0, absolute = 0;
    while (next_product(route, at, pair)) {
        const struct factor *a = pair[0], *b = pair[1];
        bool known = !is_ambiguous(route, a) && !is_ambiguous(route, b) && (a->of.kind == ELEMENT || a->of.kind == ZERO)
                     && (b->of.kind == ELEMENT || b->of.kind == ZERO);
        if (!known)
            return false;
        sum += (double)a->of.value * (double)b->of.value;
        absolute += fabs((double)a->of.value * (double)b->of.value);
    }
    return at[0] == route->factor_count && at[1] == route->factor_count && absolute > 0
           && fabs(sum - route->subject->got) <= 1e-5 * absolute;
}

/* Is the factor one of those that belong into the element, and for which k? */
static bool belongs(const struct route *route, const struct factor *factor, int64_t *k)
{
    const struct origin_route_subject *subject = route->subject;
    int64_t columns = (int64_t)subject->columns[factor->of.which];
    int64_t row = factor->of.element / columns, column = factor->of.element % columns;
    *k = factor->of.which == 0 ? column : row;
    return factor->of.which == 0 ? row == (int64_t)subject->row : column == (int64_t)subject->column;
}

/* The first product of two elements that does not belong there. */
static bool find_wrong(const struct route *route, const struct factor *pair[2])
{
    int at[2] = {-1, -1};
    while (next_product(route, at, pair)) {
        int64_t k[2];
        bool both = pair[0]->of.kind == ELEMENT && pair[1]->of.kind == ELEMENT;
        bool right = both && belongs(route, pair[0], &k[0]) && belongs(route, pair[1], &k[1]) && k[0] == k[1];
        if (both && !right)
            return true;
    }
    return false;
}

/* ---- words ------------------------------------------------------------------------------------------------------------- */

static void say_element(const struct route *route, int which, int64_t element, char text[96])
{
    int64_t columns = (int64_t)route->subject->columns[which];
    snprintf(text, 96, "%.44s[%lld][%lld]", route->subject->input[which], (long long)(element / columns),
             (long long)(element % columns));
}

static void say_cell(const struct route *route, const struct filled *filled, char text[96])
{
    const struct array *own = &route->arrays[filled->array];
    if (own->columns > 0)
        snprintf(text, 96, "%.40s[%lld][%lld]", own->name, (long long)(filled->cell / own->columns),
                 (long long)(filled->cell % own->columns));
    else
        snprintf(text, 96, "%.40s[%lld]", own->name, (long long)filled->cell);
}

static void say_thread(const struct route *route, unsigned thread, char text[48])
{
    const uint32_t *shape = route->shape;
    snprintf(text, 48, "(%u,%u,%u)", thread % shape[0], thread / shape[0] % shape[1], thread / shape[0] / shape[1]);
}

/* "A[0][1]", or "As[0][1] (it holds A[0][1])" */
static void say_factor(const struct route *route, const struct factor *factor, char *text, size_t text_bytes)
{
    char element[96], cell[96];
    say_element(route, factor->of.which, factor->of.element, element);
    if (!factor->through_shared) {
        snprintf(text, text_bytes, "%s", element);
        return;
    }
    say_cell(route, &factor->filled, cell);
    snprintf(text, text_bytes, "%s (it holds %s)", cell, element);
}

/* The cell of the same array that held the element when the factor was read; NULL: none did. */
static const struct filled *find_filled(const struct route *route, const struct factor *factor, int64_t element)
{
    for (int i = factor->order - 1; i >= 0; i--) {
        const struct filled *one = &route->filled[i];
        bool there = one->array == factor->filled.array && one->of.kind == ELEMENT && one->of.element == element;
        for (int later = i + 1; later < factor->order && there; later++)
            there = route->filled[later].array != one->array || route->filled[later].cell != one->cell;
        if (there)
            return one;
    }
    return NULL;
}

/* Does the cell go by the thread's number, with x and y exchanged? */
static bool is_exchanged(const struct route *route, const struct filled *filled)
{
    int64_t columns = route->arrays[filled->array].columns, x = filled->thread % route->shape[0];
    int64_t y = filled->thread / route->shape[0];
    columns = columns > 0 ? columns : (int64_t)route->shape[0];
    return x != y && filled->cell == x * columns + y;
}

/* How many k the factors of one array have, of those that belong into the element. */
static int count_turns(const struct route *route, int which)
{
    const struct origin_route_subject *subject = route->subject;
    bool *seen = allocate_zeroed(subject->columns[0] + 1);
    int count = 0;
    for (int at = next_factor(route, which, 0); at < route->factor_count; at = next_factor(route, which, at + 1)) {
        const struct factor *factor = &route->factors[at];
        int64_t k = -1;
        bool own = factor->of.kind == ELEMENT && belongs(route, factor, &k) && k < (int64_t)subject->columns[0];
        count += own && !seen[k];
        if (own)
            seen[k] = true;
    }
    free(seen);
    return count;
}

/* Do the k of the factors of one array, of those that belong into the element, grow from product to product? */
static bool is_in_order(const struct route *route, int which)
{
    int64_t last = -1, k;
    for (int at = next_factor(route, which, 0); at < route->factor_count; at = next_factor(route, which, at + 1)) {
        if (route->factors[at].of.kind != ELEMENT)
            continue;
        if (!belongs(route, &route->factors[at], &k) || k <= last)
            return false;
        last = k;
    }
    return true;
}

/* Where both factors belong into the element, but not together: is it A that has the wrong k? That whose k come again, or else
 * that whose k are out of order. */
static bool is_of_a(const struct route *route)
{
    int turns[2] = {count_turns(route, 0), count_turns(route, 1)};
    return turns[0] != turns[1] ? turns[0] < turns[1] : !is_in_order(route, 0) && is_in_order(route, 1);
}

/* Of a wrong pair, the one to name: that which does not belong into the element, or else that whose k come again, beside the k of
 * the other. */
static void say_wrong(const struct route *route, const struct factor *pair[2], char *text, size_t text_bytes, int *line)
{
    int64_t k[2];
    char first[220], second[220], wanted[96], other[96], thread[48], cell[96];
    const struct origin_route_subject *subject = route->subject;
    bool fits[2] = {belongs(route, pair[0], &k[0]), belongs(route, pair[1], &k[1])};
    bool of_a = fits[0] == fits[1] ? is_of_a(route) : !fits[0];
    int wrong = of_a ? 0 : 1;
    const struct factor *factor = pair[wrong];
    int64_t columns = (int64_t)subject->columns[wrong], of_k = k[!wrong];
    int64_t element = wrong == 0 ? (int64_t)subject->row * columns + of_k : of_k * columns + (int64_t)subject->column;
    const struct factor *beside = pair[!wrong];
    const struct filled *place = factor->through_shared ? find_filled(route, factor, element) : NULL;
    say_factor(route, pair[0], first, sizeof first);
    say_factor(route, pair[1], second, sizeof second);
    size_t used = (size_t)snprintf(text, text_bytes, "The thread that stores it multiplies %s", first);
    if (pair[0]->line != pair[1]->line)
        used += (size_t)snprintf(text + used, text_bytes - used, ", read at line %d, by %s, read at line %d. ",
                                 pair[0]->line, second, pair[1]->line);
    else
        used += (size_t)snprintf(text + used, text_bytes - used, " by %s, both read at line %d. ", second, factor->line);
    *line = factor->line;
    if (!fits[0] && !fits[1]) {
        say_element(route, 0, (int64_t)(subject->row * subject->columns[0]), wanted);
        say_element(route, 1, (int64_t)subject->column, other);
        used += (size_t)snprintf(text + used, text_bytes - used, "Neither belongs into %s, which begins with %s times %s. ",
                                 subject->place, wanted, other);
    } else {
        say_element(route, wrong, element, wanted);
        say_element(route, !wrong, beside->of.element, other);
        used += (size_t)snprintf(text + used, text_bytes - used, "What belongs into %s is the product of %s and %s. ",
                                 subject->place, wanted, other);
    }
    if (!factor->through_shared) {
        snprintf(text + used, text_bytes - used, "Which index does line %d compute for %s, and which one should it be?",
                 factor->line, subject->input[wrong]);
        return;
    }
    say_cell(route, &factor->filled, cell);
    say_thread(route, factor->filled.thread, thread);
    used += (size_t)snprintf(text + used, text_bytes - used, "%s was filled at line %d, by thread %s", cell,
                             factor->filled.line, thread);
    if (place && (fits[0] || fits[1])) {
        say_cell(route, place, cell);
        say_thread(route, place->thread, thread);
        snprintf(
            text + used, text_bytes - used,
            "; %s was put in %s, at line %d by thread %s. Which line has the wrong cell, the one that fills it or the one "
            "that reads it?",
            wanted, cell, place->line, thread);
        *line = is_exchanged(route, place) ? place->line : factor->line;
    } else {
        snprintf(text + used, text_bytes - used, ". Which row and column of %s does line %d compute there?",
                 subject->input[wrong], factor->filled.line);
        *line = factor->filled.line;
    }
}

/* A factor that belongs into the element meets a 0 that was stored in shared memory where another factor belongs. Returns false
 * when there is no such place. */
static bool say_zero(const struct route *route, char *text, size_t text_bytes, int *line)
{
    const struct origin_route_subject *subject = route->subject;
    int at[2] = {-1, -1};
    const struct factor *pair[2];
    while (next_product(route, at, pair)) {
        int wrong = pair[0]->of.kind == ZERO ? 0 : 1;
        const struct factor *zero = pair[wrong], *beside = pair[!wrong];
        int64_t k;
        if (zero->of.kind != ZERO || !zero->through_shared || zero->filled.line == 0 || beside->of.kind != ELEMENT
            || !belongs(route, beside, &k) || k >= (int64_t)subject->columns[0])
            continue;
        char first[220], cell[96], wanted[96], thread[48];
        int64_t columns = (int64_t)subject->columns[wrong];
        say_factor(route, beside, first, sizeof first);
        say_cell(route, &zero->filled, cell);
        say_element(route, wrong, wrong == 0 ? (int64_t)subject->row * columns + k : k * columns + (int64_t)subject->column,
                    wanted);
        say_thread(route, zero->filled.thread, thread);
        snprintf(
            text, text_bytes,
            "The thread that stores it multiplies %s by %s, which holds 0, at line %d. Beside it belongs %s. The 0 was stored "
            "at line %d, by thread %s of the same block. Which condition decides about that, and what does it ask?",
            first, cell, zero->line, wanted, zero->filled.line, thread);
        *line = zero->filled.line;
        return true;
    }
    return false;
}

/* Does a later product have the two elements of k? */
static bool comes_later(const struct route *route, const int from[2], int64_t k)
{
    int at[2] = {from[0], from[1]};
    const struct factor *pair[2];
    while (next_product(route, at, pair)) {
        int64_t own[2];
        bool both = pair[0]->of.kind == ELEMENT && pair[1]->of.kind == ELEMENT;
        if (both && belongs(route, pair[0], &own[0]) && belongs(route, pair[1], &own[1]) && own[0] == k && own[1] == k)
            return true;
    }
    return false;
}

/* The first products are right, one k after the other; then two cells are multiplied in which a 0 was stored instead of an
 * element. Returns false when that is not so: also where the element comes after all, and the 0 goes into another sum of the
 * same thread. */
static bool say_both_zero(const struct route *route, char *text, size_t text_bytes, int *line)
{
    const struct origin_route_subject *subject = route->subject;
    int64_t depth = (int64_t)subject->columns[0], turn = 0, k[2];
    int at[2] = {-1, -1};
    const struct factor *pair[2];
    while (next_product(route, at, pair)) {
        bool both = pair[0]->of.kind == ELEMENT && pair[1]->of.kind == ELEMENT;
        if (!both || !belongs(route, pair[0], &k[0]) || !belongs(route, pair[1], &k[1]) || k[0] != turn || k[1] != turn)
            break;
        turn++;
    }
    if (turn == 0 || turn >= depth || at[0] >= route->factor_count || comes_later(route, at, turn))
        return false;
    for (int which = 0; which < 2; which++)
        if (pair[which]->of.kind != ZERO || !pair[which]->through_shared || pair[which]->filled.line == 0)
            return false;
    char cells[2][96], wanted[2][96], threads[2][48], second[120] = "";
    for (int which = 0; which < 2; which++) {
        say_cell(route, &pair[which]->filled, cells[which]);
        say_thread(route, pair[which]->filled.thread, threads[which]);
    }
    say_element(route, 0, (int64_t)subject->row * depth + turn, wanted[0]);
    say_element(route, 1, turn * (int64_t)subject->columns[1] + (int64_t)subject->column, wanted[1]);
    if (pair[0]->filled.line != pair[1]->filled.line || pair[0]->filled.thread != pair[1]->filled.thread)
        snprintf(second, sizeof second, " and at line %d by thread %s", pair[1]->filled.line, threads[1]);
    snprintf(
        text, text_bytes,
        "After k = %lld, the thread that stores it multiplies %s by %s at line %d, and both hold 0. There belong %s and "
        "%s. The zeros were stored at line %d by thread %s%s. Which row and column do the loads compute in that turn of "
        "the loop, and what do their conditions ask?",
        (long long)turn - 1, cells[0], cells[1], pair[0]->line, wanted[0], wanted[1], pair[0]->filled.line, threads[0],
        second);
    *line = pair[0]->filled.line;
    return true;
}

/* Was a cell filled after `order` stores, and before `later` of them? */
static bool is_filled_between(const struct route *route, const struct filled *cell, int order, int later)
{
    for (int i = order; i < later; i++)
        if (route->filled[i].array == cell->array && route->filled[i].cell == cell->cell)
            return true;
    return false;
}

/* All k come, and the thread multiplies two cells once more that nobody has filled again. Returns false when that is not so. */
static bool say_stale(const struct route *route, char *text, size_t text_bytes, int *line)
{
    const struct origin_route_subject *subject = route->subject;
    int64_t depth = (int64_t)subject->columns[0], k = 0, left = depth;
    const struct factor **first = allocate_zeroed(2 * (size_t)(depth + 1) * sizeof *first), *again[2] = {NULL, NULL};
    const struct factor *before[2] = {NULL, NULL};
    int at[2] = {-1, -1};
    const struct factor *pair[2];
    while (next_product(route, at, pair)) {
        if (pair[0]->of.kind != ELEMENT || pair[1]->of.kind != ELEMENT)
            continue;
        belongs(route, pair[0], &k);
        if (!first[2 * k]) {
            first[2 * k] = pair[0];
            first[2 * k + 1] = pair[1];
            left--;
        } else if (!again[0] && left == 0) {
            for (int which = 0; which < 2; which++) {
                again[which] = pair[which];
                before[which] = first[2 * k + which];
            }
        }
    }
    free(first);
    bool found = again[0] && again[0]->order > before[0]->order; /* another turn has begun */
    for (int which = 0; which < 2 && found; which++)
        found = again[which]->through_shared && before[which]->through_shared
                && again[which]->filled.array == before[which]->filled.array
                && again[which]->filled.cell == before[which]->filled.cell
                && !is_filled_between(route, &again[which]->filled, before[which]->order, again[which]->order);
    if (!found)
        return false;
    char cells[2][220];
    for (int which = 0; which < 2; which++)
        say_factor(route, again[which], cells[which], sizeof cells[which]);
    *line = again[0]->filled.line;
    size_t used = (size_t)snprintf(
        text, text_bytes,
        "The thread that stores it multiplies %s by %s a second time, at line %d: no line has stored anything in these cells "
        "since line %d",
        cells[0], cells[1], again[0]->line, *line);
    if (again[1]->filled.line != *line)
        used += (size_t)snprintf(text + used, text_bytes - used, " and line %d", again[1]->filled.line);
    snprintf(text + used, text_bytes - used,
             " filled them. What should these cells hold where the tile reaches beyond the matrix?");
    return true;
}

/* All products belong into the element: which of them come again, and which never? Returns false when each comes once. */
static bool say_turns(const struct route *route, char *text, size_t text_bytes, int *line)
{
    const struct origin_route_subject *subject = route->subject;
    int64_t depth = (int64_t)subject->columns[0], k = 0, missing = -1, again = -1, missing_count = 0;
    uint8_t *times = allocate_zeroed((size_t)depth + 1);
    char a[96], b[96];
    int at[2] = {-1, -1};
    const struct factor *pair[2];
    while (next_product(route, at, pair)) {
        if (pair[0]->of.kind != ELEMENT || pair[1]->of.kind != ELEMENT)
            continue;
        belongs(route, pair[0], &k);
        times[k] += times[k] < 9;
        again = times[k] > 1 && again < 0 ? k : again;
        *line = pair[0]->line;
    }
    for (k = depth - 1; k >= 0; k--) {
        missing = times[k] == 0 ? k : missing;
        missing_count += times[k] == 0;
    }
    free(times);
    if (missing < 0 || missing_count == depth)
        return false;
    say_element(route, 0, (int64_t)subject->row * depth + missing, a);
    say_element(route, 1, missing * (int64_t)subject->columns[1] + (int64_t)subject->column, b);
    size_t used = (size_t)snprintf(text, text_bytes, "The thread that stores it never multiplies %s by %s", a, b);
    if (missing_count > 1)
        used += (size_t)snprintf(text + used, text_bytes - used, ", and leaves out %lld more products",
                                 (long long)missing_count - 1);
    if (again >= 0) {
        say_element(route, 0, (int64_t)subject->row * depth + again, a);
        say_element(route, 1, again * (int64_t)subject->columns[1] + (int64_t)subject->column, b);
        used += (size_t)snprintf(text + used, text_bytes - used, "; it multiplies %s by %s more than once", a, b);
    }
    snprintf(text + used, text_bytes - used, ". Which k does line %d take, from the first to the last?", *line);
    return true;
}

const char *origin_route_find(struct cases_work *work, int index, const struct origin_route_subject *subject, char *text,
                              size_t text_bytes, int *line)
{
    struct route *route = allocate_zeroed(sizeof *route);
    const struct factor *pair[2];
    char *trace = block_trace(work, index, subject->block);
    const char *pattern = NULL;
    route->subject = subject;
    route->launch = -1;
    route->reads = allocate_zeroed((size_t)THREADS_MOST * READS_KEPT * sizeof *route->reads);
    route->factors = allocate_zeroed(FACTORS_MOST * sizeof *route->factors);
    route->filled = allocate_zeroed(FILLED_MOST * sizeof *route->filled);
    text[0] = '\0';
    if (trace)
        read_trace(trace, route);
    if (trace && !route->broken && route->launch >= 0 && adds_up(route)) {
        if (find_wrong(route, pair)) {
            say_wrong(route, pair, text, text_bytes, line);
            pattern = "exchanged";
        } else if (say_zero(route, text, text_bytes, line) || say_both_zero(route, text, text_bytes, line)) {
            pattern = "zeroed";
        } else if (say_stale(route, text, text_bytes, line)) {
            pattern = "edge";
        } else if (say_turns(route, text, text_bytes, line)) {
            pattern = "missing";
        }
    }
    for (int i = 0; i < ARRAYS_MOST; i++)
        free(route->arrays[i].cells);
    free(route->reads);
    free(route->factors);
    free(route->filled);
    free(route);
    free(trace);
    return pattern;
}
