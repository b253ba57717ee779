#include "grader/judge/unoptimized.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/compile_step.h"
#include "grader/judge/cases_collect.h"
#include "grader/judge/cases_work.h"
#include "grader/judge/judge_compile.h"
#include "grader/judge/local_arrays.h"
#include "grader/judge/stores.h"
#include "grader/result/diagnose.h"

/* Units of work (cases_work.c): of one run, and after how much no other starts. */
#define RUN_WORK 4000000
#define ALL_WORK 4000000

/* What the driver calls the memory of a thread's own arrays, which it takes for one. */
#define LOCAL_MEMORY "local memory"

/* Is it about a shared variable that the optimized program does not have, because the compiler knows what would be in it? */
static bool is_about_dropped(const struct result_finding *finding, const struct cases_input *optimized)
{
    char *mangled = allocate_format("%zu%s", strlen(finding->array), finding->array);
    bool kept = memmem(optimized->ptx, optimized->ptx_bytes, mangled, strlen(mangled)) != NULL;
    free(mangled);
    return strcmp(finding->code, "race_shared") == 0 && finding->array[0] != '\0' && !kept;
}

/* The finding to tell; NULL: none. Races and barriers are judged by the optimized program, for what a compiler may do with
 * these does not depend on its options; where a shared variable is gone, so is the race over it. */
static const struct result_finding *find_hidden(struct result_findings *findings, const struct cases_input *optimized)
{
    static const char *const codes[] = {"out_of_bounds", "null_pointer", "uninitialized"};
    diagnose_sort(findings);
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *finding = &findings->list[i];
        bool found = is_about_dropped(finding, optimized);
        for (size_t k = 0; k < sizeof codes / sizeof *codes; k++)
            found |= strcmp(finding->code, codes[k]) == 0;
        if (found && finding->severity == LOCKSTEP_ERROR)
            return finding;
    }
    return NULL;
}

/* Without optimization a variable is copied where ways of the program meet; the source does not use it there. */
static void leave_out_copy(struct result_finding *note)
{
    char *place = strcmp(note->pattern, "variable") == 0 ? strstr(note->message, ": it is used at ") : NULL;
    if (!place)
        return;
    *place = '\0';
    note->line2 = 0;
}

/* The driver counts in elements; a variable has no index. */
static void name_variable(const struct plan_setup *setup, struct result_finding *note)
{
    char indexed[sizeof note->unwritten + 8];
    struct stores *stores = note->unwritten[0] != '\0' ? stores_find(setup, note->kernel, note->unwritten) : NULL;
    int length = snprintf(indexed, sizeof indexed, "%s[0]", note->unwritten);
    char *at = stores && stores->is_scalar ? strstr(note->message, indexed) : NULL;
    if (at)
        memmove(at + length - 3, at + length, strlen(at + length) + 1);
    if (stores)
        stores_destroy(stores);
}

static void add_sentence(struct result_finding *note, const char *sentence)
{
    size_t used = strlen(note->message);
    const char *between = used == 0 ? "" : strchr(".?!", note->message[used - 1]) ? " " : ". ";
    snprintf(note->message + used, sizeof note->message - used, "%s%s", between, sentence);
}

/* The array before the [ of the expression that the driver has marked, because its index is the one that was found. */
static void read_marked(const struct plan_setup *setup, const struct result_finding *note, char name[64])
{
    const char *at = setup->source, *end = at ? at + setup->source_bytes : NULL;
    name[0] = '\0';
    if (note->mark_count != 1 || note->marks[0].column < 1)
        return;
    for (int line = 1; at && line < note->marks[0].line; line++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    for (int column = 1; at && at < end && *at != '\n' && column < note->marks[0].column; column++)
        at++;
    size_t length = 0;
    while (at && at + length < end && (isalnum((unsigned char)at[length]) || at[length] == '_'))
        length++;
    if (length > 0 && length < 64 && at + length < end && at[length] == '[')
        snprintf(name, 64, "%.*s", (int)length, at);
    if (!local_arrays_declare(setup, name))
        name[0] = '\0';
}

/* "write local memory[4], but local memory has 4 elements (0..3)" in the words of the source. */
static void name_own_array(const struct plan_setup *setup, struct result_finding *note)
{
    static const char between[] = ", but " LOCAL_MEMORY " has ";
    char name[64];
    const char *has = strcmp(note->array, LOCAL_MEMORY) == 0 ? strstr(note->message, between) : NULL;
    int verb = (int)strcspn(note->message, " ");
    if (!has || note->index_count != 1)
        return;
    read_marked(setup, note, name);
    char *element = name[0] != '\0' ? allocate_format("%s[%lld]", name, (long long)note->index[0])
                                    : allocate_format("element %lld", (long long)note->index[0]);
    char *text = allocate_format("%.*s %s, beyond the memory for each thread's own arrays, which has room for %s", verb,
                                 note->message, element, has + sizeof between - 1);
    free(element);
    snprintf(note->message, sizeof note->message, "%s", text);
    snprintf(note->array, sizeof note->array, "%s", name);
    free(text);
}

/* `bins[t] ^= bins[t]` sets a cell, and what is stored there still comes from a value that was never written. */
static void leave_out_zero(struct result_finding *note)
{
    char *at = strstr(note->message, ": it was never set to zero");
    if (at)
        *at = '\0';
}

static void add_note(const struct result_finding *found, const struct plan_setup *setup, struct result_lab *result)
{
    struct result_finding finding = *found;
    finding.severity = LOCKSTEP_WARNING;
    snprintf(finding.code, sizeof finding.code, "optimized_away");
    snprintf(finding.hint, sizeof finding.hint, "%s", diagnose_hint(found));
    leave_out_copy(&finding);
    leave_out_zero(&finding);
    name_variable(setup, &finding);
    name_own_array(setup, &finding);
    add_sentence(&finding,
                 "Only the program compiled without optimization does this. The optimized one, which the tests run, does "
                 "not, so they pass.");
    result_findings_add(&result->notes, &finding);
}

/* The smallest case that has not been taken yet; -1: none is small. */
static int next_case(const struct cases_work *work, const bool *taken)
{
    int next = -1;
    for (int i = 0; i < work->input->setup.lab->case_count; i++) {
        size_t elements = cases_work_elements(work, i);
        if (!taken[i] && elements <= CASES_SMALL && (next < 0 || elements < cases_work_elements(work, next)))
            next = i;
    }
    return next;
}

static void run_cases(const struct cases_input *cases, const struct cases_input *optimized, struct result_lab *result)
{
    struct cases_work work;
    struct result_lab unused = {0};
    if (!cases_work_begin(&work, cases, &unused))
        return;
    bool *taken = allocate_zeroed((size_t)cases->setup.lab->case_count * sizeof *taken), done = false;
    work.checks = "all";
    work.run_limit = RUN_WORK;
    for (int index; !done && work.effort.work < ALL_WORK && (index = next_case(&work, taken)) >= 0;) {
        struct lab_data data;
        struct verify_run run;
        struct run_reply reply;
        struct result_findings fresh;
        taken[index] = true;
        cases_work_run(&work, index, 0, true, &data, &run, &reply);
        cases_collect(&work, &reply, NULL, NULL, &fresh);
        const struct result_finding *found = find_hidden(&fresh, optimized);
        if (found)
            add_note(found, &cases->setup, result);
        done = found || reply.outcome != RUN_RAN;
        free(fresh.list);
    }
    free(taken);
    cases_work_end(&work);
}

void unoptimized_tell(const struct submission *submission, const struct cases_input *cases, struct result_lab *result)
{
    struct compile_result *compiled = allocate_zeroed(sizeof *compiled);
    struct compile_input input = judge_compile_input(submission, cases->setup.lab);
    struct cases_input again = *cases;
    lockstep_compiled cached;
    input.unoptimized = true;
    bool hit = compile_step_find_cached(&input, &cached);
    input.cached = hit ? &cached : NULL;
    compile_step(&input, compiled);
    if (compiled->outcome == COMPILE_DONE) {
        again.ptx = compiled->ptx;
        again.ptx_bytes = compiled->ptx_bytes;
        run_cases(&again, cases, result);
    }
    if (hit)
        lockstep_compiled_clear(&cached);
    compile_step_clear(compiled);
    free(compiled);
}
