#include "grader/judge/unwritten.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/launch_lines.h"
#include "grader/judge/repair_source.h"
#include "grader/judge/stores.h"
#include "grader/judge/unwritten_trace.h"
#include "grader/lab/arrays.h"
#include "grader/result/diagnose.h"

#define TRACE_ELEMENTS (1u << 26)
enum { WHOLE_FLOATS = 1 << 24 }; /* a float has 24 bits for the digits */

/* ---- words ------------------------------------------------------------------------------------------------------------- */

static void say(struct result_finding *finding, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct result_finding *finding, const char *format, ...)
{
    size_t used = strlen(finding->message);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(finding->message + used, sizeof finding->message - used, format, arguments);
    va_end(arguments);
}

/* Takes the question off, if the message ends with one. */
static void drop_question(struct result_finding *finding)
{
    size_t length = strlen(finding->message);
    finding->asks = false;
    if (length == 0 || finding->message[length - 1] != '?')
        return;
    while (length > 0 && finding->message[length - 1] != '.')
        length--;
    finding->message[length] = '\0';
}

static void set_thread(const struct unwritten_place *place, unsigned thread, struct result_finding *finding)
{
    const uint32_t *shape = place->launch.block;
    finding->has_thread = true;
    finding->thread[0] = thread % shape[0];
    finding->thread[1] = thread / shape[0] % shape[1];
    finding->thread[2] = thread / shape[0] / shape[1];
    memcpy(finding->block, place->block, sizeof finding->block);
}

static void set_pattern(struct result_finding *finding, const char *pattern)
{
    snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
}

static void set_line(const struct stores_line *store, int line, int line2, struct result_finding *finding)
{
    finding->line = line;
    finding->line2 = line2 == line ? 0 : line2;
    finding->mark_count = 0;
    finding->count = 1;
    if (store && (store->line == line || store->line == line2))
        finding->marks[finding->mark_count++] =
            (struct result_mark){.line = store->line, .column = store->column, .width = store->width};
}

/* "out[0..255]", "bins[0]", "C[16][0] to C[31][15]" */
static void say_range(const struct unwritten_place *place, const struct unwritten_site *site, struct result_finding *finding)
{
    const char *name = place->parameter_name;
    int64_t columns = place->columns, count = site->high - site->low + 1;
    if (columns > 0) {
        say(finding, site->low == site->high ? "%s[row %lld, column %lld]" : "elements from %s[row %lld, column %lld]", name,
            (long long)(site->low / columns), (long long)(site->low % columns));
        if (site->low != site->high)
            say(finding, " to %s[row %lld, column %lld]", name, (long long)(site->high / columns),
                (long long)(site->high % columns));
    } else if (site->low == site->high) {
        say(finding, "%s[%lld]", name, (long long)site->low);
    } else if (count == site->distinct) {
        say(finding, "%s[%lld..%lld]", name, (long long)site->low, (long long)site->high);
    } else if (site->step > 1 && (site->distinct - 1) * site->step == count - 1) {
        say(finding, "every %lld%s element from %s[%lld] to %s[%lld]", (long long)site->step,
            site->step == 2   ? "nd"
            : site->step == 3 ? "rd"
                              : "th",
            name, (long long)site->low, name, (long long)site->high);
    } else {
        say(finding, "some elements from %s[%lld] to %s[%lld]", name, (long long)site->low, name, (long long)site->high);
    }
}

static bool is_alone(const struct unwritten_place *place)
{
    return place->launch.grid[0] == 1 && place->launch.grid[1] == 1 && place->launch.grid[2] == 1;
}

/* "of block (1,0,0) ", or nothing where there is one block. */
static const char *of_block(const struct unwritten_place *place, char text[64])
{
    text[0] = '\0';
    if (!is_alone(place))
        snprintf(text, 64, "of block (%u,%u,%u) ", place->block[0], place->block[1], place->block[2]);
    return text;
}

/* Threads that never came to the store, and the line at which most of them ended. */
struct away {
    unsigned all, most, first; /* how many; of them, with that line; the first of those */
    int line;                  /* 0: no thread ran a line that the compiler knows */
};

static struct away find_away(const struct unwritten_seen *seen)
{
    struct away away = {0};
    for (unsigned t = 0; t < seen->threads; t++) {
        away.all += !seen->came[t];
        if (seen->came[t] || seen->last_line[t] == 0 || seen->last_line[t] == away.line)
            continue;
        unsigned same = 0;
        for (unsigned u = 0; u < seen->threads; u++)
            same += !seen->came[u] && seen->last_line[u] == seen->last_line[t];
        if (same > away.most)
            away = (struct away){.all = away.all, .most = same, .first = t, .line = seen->last_line[t]};
    }
    return away;
}

/* A thread that ended early, although the condition right at the store is true for it: *line is that of the condition, 0 where
 * there is no such thread. */
static unsigned find_chosen(const struct stores *stores, const struct unwritten_place *place,
                            const struct unwritten_seen *seen, const struct away *away, struct result_finding *finding,
                            int *line)
{
    int store = stores->lines[stores->count - 1].line;
    for (*line = store; *line > store - 2 && *line != away->line; --*line)
        for (unsigned t = 0; t < seen->threads; t++) {
            bool is_true = false;
            set_thread(place, t, finding);
            if (!stores_condition(stores, &place->launch, finding, *line, &is_true))
                break;
            if (is_true && !seen->came[t] && seen->last_line[t] == away->line)
                return t;
        }
    *line = 0;
    return away->first;
}

/* The condition that no thread passes is one name: where does that get its value? */
static void tell_asked_name(const struct stores *stores, struct result_finding *finding)
{
    char name[40];
    struct repair_source *own = repair_source_create(stores->setup->source, stores->setup->source_bytes);
    int line = finding->line2 > 0 && finding->arithmetic[0] == '\0' && finding->remark[0] == '\0'
                   ? repair_source_find_asked_name(own, finding->line2, name, sizeof name)
                   : 0;
    if (line > 0)
        snprintf(finding->remark, sizeof finding->remark, "Line %d asks for %s, which line %d sets.", finding->line2, name,
                 line);
    repair_source_destroy(own);
}

/* A thread that came to the store and did not make it: where the condition there chooses one thread, that one. */
static unsigned find_comer(const struct stores *stores, const struct unwritten_place *place,
                           const struct unwritten_seen *seen, struct result_finding *finding)
{
    unsigned first = seen->threads;
    for (unsigned t = 0; t < seen->threads; t++) {
        bool is_true = false;
        if (!seen->came[t])
            continue;
        first = first == seen->threads ? t : first;
        set_thread(place, t, finding);
        if (!stores_choice(stores, &place->launch, finding, stores->lines[stores->count - 1].line, &is_true))
            return first;
        if (is_true)
            return t;
    }
    return first < seen->threads ? first : 0;
}

static void tell_not_reached(const struct stores *stores, const struct unwritten_place *place,
                             const struct unwritten_seen *seen, struct result_finding *finding)
{
    const struct stores_line *store = &stores->lines[stores->count - 1];
    struct away away = find_away(seen);
    unsigned came = seen->threads - away.all, thread = 0;
    int chosen = 0;
    bool left = away.most > 0 && away.line != store->line;
    char where[64];
    of_block(place, where);
    if (came == 0)
        say(finding, " Line %d stores into %s, but no thread %scame to it.", store->line, place->parameter_name, where);
    else if (away.all > 0)
        say(finding, " Line %d stores into %s: %u of the %u threads %scame to it, but %s.", store->line,
            place->parameter_name, came, seen->threads, where, came == 1 ? "did not store" : "none of them stored");
    else
        say(finding, " All %u threads %scame to line %d, which stores into %s, but none of them stored.", seen->threads,
            where, store->line, place->parameter_name);
    if (left && away.most == seen->threads)
        say(finding, " The last line that they ran is line %d.", away.line);
    else if (left)
        say(finding, " The last line of %u %s is line %d.", away.most, came > 0 ? "others" : "of them", away.line);
    if (left) {
        thread = find_chosen(stores, place, seen, &away, finding, &chosen);
        if (chosen > 0)
            say(finding, " One of those is thread (%u,%u,%u), for which the condition at line %d is true.",
                finding->thread[0], finding->thread[1], finding->thread[2], chosen);
    } else {
        thread = find_comer(stores, place, seen, finding);
    }
    set_thread(place, thread, finding);
    set_pattern(finding, "not_reached");
    set_line(store, store->line, left ? away.line : 0, finding);
    stores_explain(stores, &place->launch, finding, left ? away.line : store->line);
    if (came == 0)
        tell_asked_name(stores, finding);
}

static int64_t distance(const struct unwritten_site *site, int64_t element)
{
    return element < site->low ? site->low - element : element > site->high ? element - site->high : 0;
}

/* ---- elements that the block did store --------------------------------------------------------------------------------- */

static void say_sites(const struct unwritten_place *place, const struct unwritten_seen *seen, struct result_finding *finding)
{
    say(finding, " ");
    if (!is_alone(place))
        say(finding, "In block (%u,%u,%u), ", place->block[0], place->block[1], place->block[2]);
    for (int i = 0; i < seen->site_count; i++) {
        const struct unwritten_site *site = &seen->sites[i];
        say(finding,
            i == 0 && is_alone(place) ? "Line %d stores "
            : i == 0                  ? "line %d stores "
                                      : ", line %d stores ",
            site->line);
        say_range(place, site, finding);
        if (site->threads > 1 && site->low == site->high)
            say(finding, " in each of %u threads", site->threads);
    }
    say(finding, seen->site_count == 1 && seen->sites[0].stores == 1 ? ", and nothing else." : ".");
}

/* The thread whose element is the missing one, if it reached the line: by the index, where the source tells; else by what the
 * others stored. -1: not known. */
static int find_own(const struct stores *stores, const struct unwritten_place *place, const struct unwritten_seen *seen,
                    const struct unwritten_site *site, struct result_finding *finding)
{
    int64_t index, wanted = place->element - (site->first_element - (int64_t)site->first_thread);
    bool known = false;
    for (unsigned t = 0; t < seen->threads; t++) {
        set_thread(place, t, finding);
        if (!stores_index(stores, &place->launch, finding, site->line, &index))
            break;
        if (index == place->element)
            return (int)t;
        known = true;
    }
    bool regular = !known && site->regular && site->threads > 1 && wanted >= 0 && wanted < seen->threads;
    return regular && place->columns == 0 ? (int)wanted : -1;
}

/* Are whole groups of elements stored, and those missing behind the last one? */
static bool is_rest(const struct unwritten_place *place, const struct unwritten_site *site)
{
    return site->at_once > 1 && place->columns == 0 && place->element >= place->count / site->at_once * site->at_once;
}

/* The thread whose number is that of the missing element within the block's share, where each thread stores one element, and
 * this one another than that. -1: none. */
static int find_strayed(const struct unwritten_place *place, const struct unwritten_seen *seen)
{
    int64_t items = place->launch.items[0], number = place->element - items * (int64_t)place->block[0];
    if (place->columns > 0 || items != (int64_t)seen->threads || number < 0 || number >= items)
        return -1;
    for (unsigned t = 0; t < seen->threads; t++)
        if (seen->stores[t] > 1)
            return -1;
    return seen->stores[number] == 1 && seen->stored[number] != place->element ? (int)number : -1;
}

/* Do several threads store one element of the array? `index`: of the test. */
static bool has_overlap(const struct cases_work *work, int index, const struct unwritten_place *place,
                        const struct unwritten_seen *seen)
{
    const struct result_findings *findings = &work->result->tests[index].findings;
    for (size_t i = 1; i < findings->count; i++)
        if (strcmp(findings->list[i].code, "race_same_value") == 0
            && (strcmp(findings->list[i].array, place->parameter_name) == 0
                || strcmp(findings->list[i].array, place->array) == 0))
            return true;
    for (int i = 0; i < seen->site_count; i++)
        if (seen->sites[i].stores > seen->sites[i].distinct && seen->sites[i].distinct > 0)
            return true;
    return false;
}

/* The same where that thread stored nothing, and the source tells that its index is another one. -1: none. */
static int find_lost(const struct stores *stores, const struct unwritten_place *place, const struct unwritten_seen *seen,
                     int line, int64_t *index)
{
    int64_t items = place->launch.items[0], number = place->element - items * (int64_t)place->block[0];
    struct result_finding at = {0};
    if (place->columns > 0 || items != (int64_t)seen->threads || number < 0 || number >= items || seen->stores[number] > 0)
        return -1;
    set_thread(place, (unsigned)number, &at);
    return stores_index(stores, &place->launch, &at, line, index) && *index != place->element ? (int)number : -1;
}

/* Another thread with the same index at the line: of the same number in another block, or of the same block. */
static bool find_twin(const struct stores *stores, const struct unwritten_place *place, unsigned thread, unsigned threads,
                      int line, struct result_finding *twin)
{
    enum { MOST_BLOCKS = 1 << 12 };
    struct unwritten_place other = *place;
    int64_t own, index;
    set_thread(place, thread, twin);
    if (place->launch.grid[1] * place->launch.grid[2] != 1 || !stores_index(stores, &place->launch, twin, line, &own))
        return false;
    for (uint32_t b = 0; b < place->launch.grid[0] && b < MOST_BLOCKS; b++) {
        other.block[0] = b;
        set_thread(&other, thread, twin);
        if (b != place->block[0] && stores_index(stores, &place->launch, twin, line, &index) && index == own)
            return true;
    }
    for (unsigned t = 0; t < threads; t++) {
        set_thread(place, t, twin);
        if (t != thread && stores_index(stores, &place->launch, twin, line, &index) && index == own)
            return true;
    }
    return false;
}

static void tell_twin(const struct stores *stores, const struct unwritten_place *place, const struct unwritten_seen *seen,
                      int thread, int line, struct result_finding *finding)
{
    struct result_finding *twin = allocate_zeroed(sizeof *twin);
    if (find_twin(stores, place, (unsigned)thread, seen->threads, line, twin)) {
        bool same = memcmp(twin->block, place->block, sizeof twin->block) == 0;
        say(finding, " Thread (%u,%u,%u) of %s", twin->thread[0], twin->thread[1], twin->thread[2],
            same ? "the same block has this index, too." : "block ");
        if (!same)
            say(finding, "(%u,%u,%u) has this index, too.", twin->block[0], twin->block[1], twin->block[2]);
    }
    free(twin);
}

/* Of a loop that stores: its head, in the thread whose first element lies next before the missing one. */
static void explain_turns(const struct stores *stores, const struct unwritten_place *place,
                          const struct unwritten_seen *seen, int line, struct result_finding *finding)
{
    struct repair_source *own = repair_source_create(stores->setup->source, stores->setup->source_bytes);
    char head[160];
    int loop = repair_source_find_loop(own, line, head, sizeof head);
    int64_t begin, nearest = -1;
    unsigned chosen = 0;
    repair_source_destroy(own);
    struct result_finding *probe = allocate_zeroed(sizeof *probe);
    for (unsigned t = 0; t < seen->threads && loop > 0; t++) {
        set_thread(place, t, probe);
        if (!stores_loop_begin(stores, &place->launch, probe, loop, line, &begin))
            break;
        if (begin <= place->element && begin > nearest) {
            nearest = begin;
            chosen = t;
        }
    }
    if (loop > 0 && nearest >= 0)
        set_thread(place, chosen, finding);
    if (loop > 0 && !stores_explain_head(stores, &place->launch, finding, loop)) {
        int64_t number = place->element - place->launch.items[0] * (int64_t)place->block[0];
        if (place->columns == 0 && number > 0 && number < seen->threads)
            set_thread(place, (unsigned)number, finding);
        stores_explain_turn(stores, &place->launch, finding, loop, line);
    }
    free(probe);
}

static void tell_strayed(const struct unwritten_place *place, const struct unwritten_seen *seen, int thread,
                         struct result_finding *finding)
{
    set_thread(place, (unsigned)thread, finding);
    say(finding, " Thread (%u,%u,%u) %s %s[%lld].", finding->thread[0], finding->thread[1], finding->thread[2],
        is_alone(place) ? "stores" : "of it stores", place->parameter_name, (long long)seen->stored[thread]);
}

/* All threads store one element: what becomes of the number of a thread shows in one whose numbers are not 0. */
static void tell_same_element(const struct stores *stores, const struct unwritten_place *place,
                              const struct unwritten_seen *seen, const struct unwritten_site *site,
                              struct result_finding *finding)
{
    const uint32_t *shape = place->launch.block;
    unsigned own = (shape[0] > 1) + shape[0] * (shape[1] > 1);
    int64_t index;
    set_thread(place, own, finding);
    bool known = site->threads == seen->threads && stores_index(stores, &place->launch, finding, site->line, &index)
                 && index == site->first_element;
    if (!known)
        set_thread(place, site->first_thread, finding);
    stores_explain_index(stores, &place->launch, finding, site->line, site->first_element);
    set_pattern(finding, known && stores_has_thread(stores, site->line) ? "same_index" : "same_element");
}

/* The line to whose elements the missing one belongs: one that stores every `step`-th element in step with it, else the one that
 * comes nearest, of equals the last. */
static const struct unwritten_site *choose_site(const struct unwritten_place *place, const struct unwritten_seen *seen)
{
    const struct unwritten_site *site = &seen->sites[0];
    bool in_step = false;
    for (int i = 0; i < seen->site_count; i++) {
        const struct unwritten_site *other = &seen->sites[i];
        bool fits = place->columns == 0 && other->step > 1 && (place->element - other->low) % other->step == 0;
        if (fits > in_step || (fits == in_step && distance(other, place->element) <= distance(site, place->element)))
            site = other;
        in_step |= fits;
    }
    return site;
}

/* A line that would store the missing element in any thread, in the only block, under a condition that is true for none. Returns
 * whether there is one. */
static bool tell_kept_from_all(const struct stores *stores, const struct unwritten_place *place,
                               const struct unwritten_seen *seen, struct result_finding *finding)
{
    struct result_finding at = {0};
    for (int i = 0; i < stores->count && is_alone(place) && seen->threads > 0; i++) {
        int line = stores->lines[i].line, guard = 0;
        bool stores_here = !stores_at(stores, line), is_true = false;
        for (int s = 0; s < seen->site_count; s++)
            stores_here |= seen->sites[s].line == line;
        for (unsigned t = 0; t < seen->threads && !stores_here; t++) {
            int64_t index;
            set_thread(place, t, &at);
            stores_here = !stores_index(stores, &place->launch, &at, line, &index) || index != place->element;
        }
        for (int k = line; k >= line - 1 && !stores_here && guard == 0; k--)
            guard = stores_condition(stores, &place->launch, &at, k, &is_true) ? k : 0;
        for (unsigned t = 0; t < seen->threads && guard > 0; t++) {
            set_thread(place, t, &at);
            if (!stores_condition(stores, &place->launch, &at, guard, &is_true) || is_true)
                guard = 0;
        }
        if (guard == 0)
            continue;
        say_sites(place, seen, finding);
        say(finding,
            " Line %d would store the missing one, but the condition at line %d is true for none of the %u threads.", line,
            guard, seen->threads);
        set_thread(place, seen->threads - 1, finding);
        set_pattern(finding, "not_reached");
        set_line(stores_at(stores, line), line, guard != line ? guard : 0, finding);
        stores_explain(stores, &place->launch, finding, guard);
        return true;
    }
    return false;
}

static void tell_elsewhere(const struct stores *stores, const struct unwritten_place *place,
                           const struct unwritten_seen *seen, struct result_finding *finding)
{
    const struct unwritten_site *site = choose_site(place, seen);
    if (tell_kept_from_all(stores, place, seen, finding))
        return;
    const struct stores_line *store = stores_at(stores, site->line);
    int own = find_own(stores, place, seen, site, finding);
    bool same = site->threads > 1 && site->low == site->high;
    say_sites(place, seen, finding);
    if (own >= 0 && !same && seen->last_line[own] > 0 && seen->last_line[own] != site->line && !seen->came[own]) {
        int end = seen->last_line[own];
        bool two = place->columns > 0;
        set_thread(place, (unsigned)own, finding);
        say(finding, " The last line that thread (%u,%u,%u) ran, whose element would be %s[", finding->thread[0],
            finding->thread[1], finding->thread[2], place->parameter_name);
        if (two)
            say(finding, "row %lld, column ", (long long)(place->element / place->columns));
        say(finding, "%lld], is line %d.", (long long)(two ? place->element % place->columns : place->element), end);
        set_pattern(finding, "left");
        set_line(store, site->line, end, finding);
        stores_explain(stores, &place->launch, finding, end);
        return;
    }
    int strayed = same || seen->site_count > 1 ? -1 : find_strayed(place, seen);
    set_thread(place, site->first_thread, finding);
    set_pattern(finding, seen->overlaps && !same ? "overlap" : "elsewhere");
    int64_t index = 0;
    int lost = same || seen->site_count > 1 || strayed >= 0 ? -1 : find_lost(stores, place, seen, site->line, &index);
    if (strayed >= 0) {
        tell_strayed(place, seen, strayed, finding);
        if (seen->overlaps)
            tell_twin(stores, place, seen, strayed, site->line, finding);
    } else if (lost >= 0) {
        set_thread(place, (unsigned)lost, finding);
        say(finding, " In thread (%u,%u,%u), the index of line %d is %lld.", finding->thread[0], finding->thread[1],
            finding->thread[2], site->line, (long long)index);
    }
    if (is_rest(place, site)) {
        say(finding, " Each store of line %d covers up to %lld elements.", site->line, (long long)site->at_once);
        set_pattern(finding, "wide");
    }
    int leaves = stores_break(stores, site->line);
    if (leaves > 0)
        say(finding, " Line %d leaves the loop that stores, whatever it has left to do.", leaves);
    set_line(store, site->line, 0, finding);
    if (same)
        tell_same_element(stores, place, seen, site, finding);
    else
        stores_explain_index(stores, &place->launch, finding, site->line,
                             strayed >= 0 ? seen->stored[strayed]
                             : lost >= 0  ? index
                                          : site->first_element);
    if (!same && finding->arithmetic[0] == '\0' && stores_repeats(stores, site->line))
        explain_turns(stores, place, seen, site->line, finding);
}

/* A scratch array of the plan has no name in the source: it is a parameter of that launch. */
static void use_parameter_name(const struct unwritten_place *place, struct result_finding *finding)
{
    char given[PLAN_NAME_BYTES + 2], *at;
    snprintf(given, sizeof given, "%s[", place->array);
    if (strcmp(place->array, place->parameter_name) == 0 || place->parameter_name[0] == '\0'
        || !(at = strstr(finding->message, given)))
        return;
    char *close = strchr(at, ']');
    char *whole = allocate_format("%.*s%s%.*s of its launch %d%s", (int)(at - finding->message), finding->message,
                                  place->parameter_name, (int)(close + 1 - at - (ptrdiff_t)strlen(place->array)),
                                  at + strlen(place->array), place->ordinal + 1, close + 1);
    snprintf(finding->message, sizeof finding->message, "%s", whole);
    snprintf(finding->array, sizeof finding->array, "%s", place->parameter_name);
    free(whole);
}

/* Has the compiled kernel an instruction that stores, of that line? */
static bool is_compiled(const struct cases_work *work, const char *kernel, int line)
{
    char entry[PLAN_NAME_BYTES + 16];
    int at_line = 0;
    bool found = false;
    snprintf(entry, sizeof entry, ".entry %s(", kernel);
    char *ptx = allocate_format("%.*s", (int)work->input->ptx_bytes, work->input->ptx);
    for (const char *at = strstr(ptx, entry); at && *at != '\0' && *at != '}' && !found;
         at += strcspn(at, "\n"), at += *at != '\0') {
        const char *text = at + strspn(at, " \t");
        sscanf(text, ".loc %*d %d", &at_line);
        text += *text == '@' ? strcspn(text, " \t") + 1 : 0; /* a guard */
        bool stores = strncmp(text, "st.", 3) == 0 || strncmp(text, "atom.", 5) == 0 || strncmp(text, "red.", 4) == 0
                      || strncmp(text, "call", 4) == 0;
        found = at_line == line && stores;
    }
    bool has_lines = strstr(ptx, ".loc") != NULL;
    free(ptx);
    return found || !has_lines;
}

static void tell_dropped(const struct stores *stores, struct result_finding *finding)
{
    const struct stores_line *store = &stores->lines[stores->count - 1];
    int cut = stores_cut(stores, store->line);
    if (cut > 0) {
        say(finding, " Line %d stores into %s, but no thread can come to it, because of line %d.", store->line,
            finding->array, cut);
        set_pattern(finding, "unreachable");
        set_line(store, store->line, cut, finding);
        return;
    }
    say(finding,
        " Line %d stores into %s, but the compiler has dropped that store: it would change nothing, cannot be reached, or its "
        "value is undefined.",
        store->line, finding->array);
    set_pattern(finding, "dropped");
    set_line(store, store->line, 0, finding);
}

/* Elements of an array that is changed in place were stored, but with what they held before. */
static void tell_unchanged(struct cases_work *work, const struct unwritten_place *place, const struct unwritten_seen *seen,
                           struct result_finding *finding)
{
    char array[sizeof finding->array];
    int line = 0;
    for (int i = 0; i < seen->site_count; i++)
        if (seen->hit[place->element] >> i & 1)
            line = seen->sites[i].line;
    drop_question(finding);
    say(finding, " Line %d stores into %s, but what it stores is the old value.", line, place->parameter_name);
    set_line(NULL, line, 0, finding);
    memcpy(array, finding->array, sizeof array);
    for (int i = 0; i < work->result->test_count; i++) /* what is so here is not "never written" elsewhere */
        for (size_t k = 0; k < work->result->tests[i].findings.count; k++) {
            struct result_finding *other = &work->result->tests[i].findings.list[k];
            if (strcmp(other->code, "never_written") != 0 || strcmp(other->array, array) != 0)
                continue;
            snprintf(other->code, sizeof other->code, "wrong_value");
            set_pattern(other, "unchanged");
            other->explained = true;
        }
}

/* ---- the launch -------------------------------------------------------------------------------------------------------- */

/* Rows and columns of the elements that the block stored. Returns false where these leave gaps. */
static bool find_rectangle(const struct unwritten_place *place, const struct unwritten_seen *seen, int64_t *columns,
                           int64_t *rows)
{
    int64_t left = INT64_MAX, right = -1, top = INT64_MAX, bottom = -1, stored = 0;
    for (int64_t i = 0; i < place->count; i++) {
        int64_t row = i / place->columns, column = i % place->columns;
        if (!seen->hit[i])
            continue;
        left = column < left ? column : left;
        right = column > right ? column : right;
        top = row < top ? row : top;
        bottom = row;
        stored++;
    }
    *columns = right - left + 1;
    *rows = bottom - top + 1;
    return stored > 0 && stored == *columns * *rows;
}

static int64_t smaller(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* `C[i] = sums[0][0]`: a thread has more numbers than the one that this line stores. */
static bool stores_one_of_several(const struct stores *stores, int line)
{
    bool behind = false;
    for (size_t i = 0; i < stores->source->token_count; i++) {
        const struct source_token *token = &stores->source->tokens[i];
        if (token->line != line)
            continue;
        behind |= source_token_is(token, "=");
        if (behind && source_token_is(token, "["))
            return true;
    }
    return false;
}

/* Of a matrix: does the block store more columns than its share and fewer rows, or the other way round? Or one element for each
 * thread, where its share is more? */
static void tell_launch_of_matrix(const struct stores *stores, const struct unwritten_place *place,
                                  const struct unwritten_seen *seen, int line, struct result_finding *finding)
{
    const struct plan_launch *launch = &place->launch;
    int64_t wide = launch->items[0], high = launch->items[1], columns, rows;
    if (wide <= 0 || high <= 0)
        return;
    say(finding, " Because of line %d, there is a block for every %lld columns and %lld rows of %s.", line, (long long)wide,
        (long long)high, place->parameter_name);
    int64_t columns_left = place->columns - wide * place->block[0];
    int64_t rows_left = place->count / place->columns - high * place->block[1];
    if (!find_rectangle(place, seen, &columns, &rows))
        return;
    bool narrower = columns < smaller(wide, columns_left), lower = rows < smaller(high, rows_left);
    bool exchanged = (columns > wide && lower) || (rows > high && narrower);
    bool one_each = (narrower || lower) && columns <= wide && rows <= high && columns * rows == seen->threads
                    && !stores_repeats(stores, finding->line) && !stores_one_of_several(stores, finding->line)
                    && seen->site_count == 1;
    if (!exchanged && !one_each)
        return;
    set_pattern(finding, "items_xy");
    finding->has_thread = false;
    finding->arithmetic[0] = '\0';
    set_line(NULL, line, 0, finding);
}

/* Without a trace: do the missing elements begin where a grid ends whose blocks have rows for columns? */
static void tell_exchanged_items(const struct stores *stores, const struct unwritten_place *place,
                                 struct result_finding *finding)
{
    const struct plan_launch *launch = &place->launch;
    int64_t wide = launch->items[0], high = launch->items[1];
    int line = place->columns > 0 ? launch_lines_find(stores->source, place->kernel, "items") : 0;
    if (line == 0 || wide == high)
        return;
    int64_t row = place->element / place->columns, column = place->element % place->columns;
    if (!(column == 0 && row == launch->grid[1] * wide) && !(row == 0 && column == launch->grid[0] * high))
        return;
    drop_question(finding);
    say(finding, " Because of line %d, there is a block for every %lld columns and %lld rows of %s.", line, (long long)wide,
        (long long)high, place->parameter_name);
    set_pattern(finding, "items_xy");
    set_line(NULL, line, 0, finding);
}

/* The grid does not follow from the elements, and there are fewer threads than these: each must take several. */
static void tell_given_grid(const struct stores *stores, const struct unwritten_place *place,
                            const struct unwritten_seen *seen, struct result_finding *finding)
{
    const uint32_t *grid = place->launch.grid;
    int64_t threads = (int64_t)grid[0] * grid[1] * grid[2] * seen->threads;
    if (finding->line == 0 || seen->site_count != 1 || threads >= place->count || stores_repeats(stores, finding->line)
        || strcmp(finding->pattern, "not_reached") == 0)
        return;
    say(finding, " The grid has %lld threads for %lld elements, and line %d is in no loop.", (long long)threads,
        (long long)place->count, finding->line);
    set_pattern(finding, "no_loop");
}

/* What the file asks of the launch, which the numbers above follow from. Does the block store a piece without gaps, and is it
 * shorter than the block's share because kernel and file disagree about that, and not because of a condition? */
static void tell_launch(const struct stores *stores, const struct unwritten_place *place, const struct unwritten_seen *seen,
                        struct result_finding *finding)
{
    const struct plan_setup *setup = stores->setup;
    int line = launch_lines_find(stores->source, place->kernel, "items");
    int64_t items = place->launch.items[0], low = -1, high = -1, stored = 0;
    if (place->columns > 0 && line > 0)
        tell_launch_of_matrix(stores, place, seen, line, finding);
    if (place->columns > 0)
        return;
    if (items <= 0) {
        tell_given_grid(stores, place, seen, finding);
        return;
    }
    if (line == 0) {
        line = launch_lines_find(stores->source, place->kernel, "block");
        line = line > 0 ? line : launch_lines_find_bounds(stores->source, place->kernel);
        line = setup->geometry[place->launch.kernel].asked ? line : 0;
        if (line > 0)
            say(finding, " A block has %u threads, as line %d asks.", seen->threads, line);
        return;
    }
    say(finding, " Because of line %d, there is a block for every %lld elements.", line, (long long)items);
    for (int64_t i = 0; i < place->count; i++) {
        low = seen->hit[i] && low < 0 ? i : low;
        high = seen->hit[i] ? i : high;
        stored += seen->hit[i] != 0;
    }
    int64_t start = items * place->block[0], share = place->count - start < items ? place->count - start : items;
    bool piece = stored > 0 && high - low + 1 == stored && stored < share;
    bool repeats = stores_repeats(stores, finding->line);
    if (piece && (repeats ? stored > seen->threads && items % stored == 0 : stored == seen->threads)) {
        set_pattern(finding, "items");
        set_line(NULL, finding->line, line, finding);
    }
}

/* By how much does the index grow from thread to thread of the block, and from block to block? Returns false where it cannot be
 * computed for all, or grows unevenly. */
static bool find_growth(const struct stores *stores, const struct unwritten_place *place, int line, int64_t *by_thread,
                        int64_t *by_block)
{
    const uint32_t *shape = place->launch.block;
    unsigned threads = shape[0] * shape[1] * shape[2];
    int64_t first = 0, index;
    struct result_finding at = {0};
    struct unwritten_place own = *place;
    *by_thread = *by_block = 0;
    for (unsigned t = 0; t < threads; t++) {
        set_thread(place, t, &at);
        if (!stores_index(stores, &place->launch, &at, line, &index))
            return false;
        first = t == 0 ? index : first;
        *by_thread = t == 1 ? index - first : *by_thread;
        if (index != first + t * *by_thread)
            return false;
    }
    uint32_t last = place->launch.grid[0] - 1, blocks[] = {0, last > 0, last};
    for (size_t i = 0; i < sizeof blocks / sizeof *blocks; i++) {
        own.block[0] = blocks[i];
        set_thread(&own, 0, &at);
        if (!stores_index(stores, &place->launch, &at, line, &index))
            return false;
        first = i == 0 ? index : first;
        *by_block = i == 1 ? index - first : *by_block;
        if (index != first + blocks[i] * *by_block)
            return false;
    }
    return true;
}

/* Does the index of the line, as it is computed, give the element that each thread of the block stored first? */
static bool is_index_of(const struct stores *stores, const struct unwritten_place *place, const struct unwritten_seen *seen,
                        int line)
{
    struct result_finding at = {0};
    int64_t index;
    for (unsigned t = 0; t < seen->threads; t++) {
        set_thread(place, t, &at);
        if (seen->stores[t] > 0 && (!stores_index(stores, &place->launch, &at, line, &index) || index != seen->stored[t]))
            return false;
    }
    return true;
}

/* Of an array with an element for each thread: neighbouring threads should have neighbouring elements, and each block should
 * begin where the one before ends. */
static void tell_growth(const struct stores *stores, const struct unwritten_place *place, const struct unwritten_seen *seen,
                        struct result_finding *finding)
{
    static const char *const patterns[] = {"not_reached", "elsewhere", "overlap"};
    const struct plan_launch *launch = &place->launch;
    int64_t by_thread, by_block;
    bool fits = false;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        fits |= strcmp(finding->pattern, patterns[i]) == 0;
    if (!fits || place->columns > 0 || launch->items[0] != (int64_t)seen->threads || launch->grid[1] * launch->grid[2] > 1
        || stores_repeats(stores, finding->line) || !is_index_of(stores, place, seen, finding->line)
        || !find_growth(stores, place, finding->line, &by_thread, &by_block))
        return;
    if (by_thread > 1)
        say(finding, " From one thread to the next, the index of line %d grows by %lld.", finding->line,
            (long long)by_thread);
    if (by_thread != 1 || by_block <= 0 || by_block == (int64_t)seen->threads)
        return;
    say(finding, " From one block to the next, the index of line %d grows by %lld", finding->line, (long long)by_block);
    if (strstr(finding->message, " A block has "))
        say(finding, ".");
    else
        say(finding, ", and a block has %u threads.", seen->threads);
}

/* An index counts from where the pointer points. */
static void tell_move(const struct stores *stores, const struct unwritten_place *place, struct result_finding *finding)
{
    char way[200];
    int line = finding->has_thread ? stores_move(stores, &place->launch, finding, finding->line, way, sizeof way) : 0;
    if (line > 0)
        say(finding, " Line %d moves %s forward by %s.", line, place->parameter_name, way);
}

/* A value on the way to the store, or to the condition that keeps threads from it, loses bits of its number. */
static void ask_for_type(const struct stores *stores, const struct unwritten_place *place, struct result_finding *finding)
{
    static const char *const short_products[] = {"__umul24", "__mul24"};
    const char *function = "";
    bool through = false, number = false;
    int product = place->element >= WHOLE_FLOATS / 4 ? stores_call(stores, short_products, 2, &function) : 0;
    int declared = place->element >= WHOLE_FLOATS ? stores_float(stores, finding->line, &through, &number) : 0;
    if (strstr(finding->arithmetic, " does not fit in "))
        set_pattern(finding, "narrow");
    if (product > 0 && declared == 0) {
        say(finding, " %s in line %d multiplies only the low 24 bits of its factors, which hold numbers %s.", function,
            product, strcmp(function, "__umul24") == 0 ? "up to 16777215" : "from -8388608 to 8388607");
        set_pattern(finding, "low_bits");
    }
    if (declared == 0)
        return;
    say(finding, " The index is %sa float (line %d), which holds each whole number only up to %d.",
        through ? "made of " : "", declared, WHOLE_FLOATS);
    set_pattern(finding, number ? "rounds" : "narrow");
}

static void tell(struct cases_work *work, int index, const struct unwritten_place *place, struct result_finding *finding)
{
    struct stores *stores = stores_find(&work->input->setup, place->kernel, place->parameter_name);
    struct unwritten_seen *seen = allocate_zeroed(sizeof *seen);
    int store_line = stores && stores->count > 0 ? stores->lines[stores->count - 1].line : 0;
    if (finding->before)
        use_parameter_name(place, finding);
    bool first_run = strcmp(finding->pattern, "kept") != 0; /* the one that is traced */
    bool traced = stores && first_run && (stores->count > 0 || stores->has_alias)
                  && unwritten_trace(work, index, place, store_line, stores->end_line, seen);
    seen->overlaps = traced && has_overlap(work, index, place, seen);
    bool dropped = traced && seen->site_count == 0 && store_line > 0 && !stores->has_alias;
    for (int i = 0; dropped && i < stores->count; i++)
        dropped = !is_compiled(work, place->kernel, stores->lines[i].line);
    if (stores && stores->count == 0 && !stores->has_alias) {
        drop_question(finding);
        if (strstr(finding->message, " elements from ")) { /* the others had the value before that is found there now */
            finding->message[0] = '\0';
            say(finding, "No element of %s was ever written.", place->parameter_name);
        }
        say(finding, " No line of %s stores into %s.", place->kernel, place->parameter_name);
        set_pattern(finding, "no_store");
        finding->line = stores->used_line;
        finding->line2 = 0;
    } else if (traced && seen->wrote_missing && strstr(finding->message, "held before")) {
        tell_unchanged(work, place, seen, finding);
    } else if (traced && !seen->wrote_missing && (seen->site_count > 0 || (store_line > 0 && !stores->has_alias))) {
        drop_question(finding);
        if (dropped)
            tell_dropped(stores, finding);
        else if (seen->site_count == 0)
            tell_not_reached(stores, place, seen, finding);
        else
            tell_elsewhere(stores, place, seen, finding);
        if (!dropped) {
            tell_launch(stores, place, seen, finding);
            tell_growth(stores, place, seen, finding);
            tell_move(stores, place, finding);
        }
        ask_for_type(stores, place, finding);
    } else {
        if (stores && store_line > 0 && !stores->has_alias && finding->line == 0) {
            finding->line = store_line;
        }
        if (stores && first_run && !traced)
            tell_exchanged_items(stores, place, finding);
        goto done;
    }
    snprintf(finding->kernel, sizeof finding->kernel, "%s", place->kernel);
done:
    stores_destroy(stores);
    free(seen->hit);
    free(seen);
}

void unwritten_tell(struct cases_work *work)
{
    const struct plan_setup *setup = &work->input->setup;
    int index = diagnose_first_test(work->result);
    struct result_finding *first = index >= 0 && work->result->tests[index].findings.count > 0
                                       ? &work->result->tests[index].findings.list[0]
                                       : NULL;
    struct unwritten_place *place = allocate_zeroed(sizeof *place);
    size_t elements = index >= 0 ? arrays_elements(setup->lab, plan_case(setup, index)) : 0;
    if (first && strcmp(first->code, "never_written") == 0 && !work->result->tests[index].hidden
        && elements <= TRACE_ELEMENTS && unwritten_find_place(setup, plan_case(setup, index), first, place))
        tell(work, index, place, first);
    free(place);
}
