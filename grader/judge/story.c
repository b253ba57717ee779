#include "grader/judge/story.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/launch_lines.h"
#include "grader/judge/stores.h"
#include "grader/judge/story_order.h"
#include "grader/judge/story_passing.h"
#include "grader/judge/story_source.h"
#include "grader/judge/story_steps.h"
#include "grader/judge/story_sums.h"
#include "grader/judge/story_types.h"
#include "grader/judge/story_values.h"
#include "grader/result/diagnose.h"
#include "runtime/language/source.h"

static bool is_code(const struct result_finding *finding, const char *code)
{
    return strcmp(finding->code, code) == 0;
}

static bool is_pattern(const struct result_finding *finding, const char *pattern)
{
    return strcmp(finding->pattern, pattern) == 0;
}

static void append(char *text, size_t text_bytes, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, text_bytes - used, "%s", more);
}

/* ---- arrays that an earlier kernel left out --------------------------------------------------------------------------- */

/* The kernel whose work it is to fill an array; NULL: that of no one. name: as findings have it, the student's or the lab's. */
static const char *producer_of(const struct plan_setup *setup, const char *name)
{
    const struct lab *lab = setup->lab;
    const char *own = name;
    for (int i = 0; i < lab->array_count; i++)
        if (strcmp(name, setup->array_names[i]) == 0)
            own = lab->arrays[i].name;
    for (int i = 0; i < lab->producer_count; i++)
        if (strcmp(lab->producers[i].array, own) == 0)
            return lab->kernels[lab->producers[i].kernel].name;
    return NULL;
}

/* Is it no array of the lab, but one that the kernels of a plan use among themselves? */
static bool is_scratch(const struct plan_setup *setup, const char *name)
{
    for (int i = 0; i < setup->lab->array_count; i++)
        if (strcmp(name, setup->array_names[i]) == 0)
            return false;
    return true;
}

static int line_of_kernel(const struct source *source, const char *kernel)
{
    struct source_function function;
    return source && source_find_function(source, kernel, 0, &function) ? source->tokens[function.name].line : 0;
}

/* What the comparison says about the same array is the same mistake, counted after other kernels have changed it. */
static void drop_missing(struct result_findings *findings, const char *array, bool *weak)
{
    size_t kept = 0;
    bool told = false;
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *finding = &findings->list[i];
        bool same = is_code(finding, "never_written") && strcmp(finding->array, array) == 0;
        if (same && !finding->before)
            *weak = finding->weak;
        else if (!same || !told)
            findings->list[kept++] = *finding;
        told |= same && finding->before;
    }
    findings->count = kept;
}

static void tell_left_out(const struct source *source, const char *producer, struct result_finding *finding)
{
    char message[sizeof finding->message], where[48] = "";
    int line = finding->line2 > 0 ? finding->line2 : finding->line;
    if (line > 0)
        snprintf(where, sizeof where, " at line %d", line);
    snprintf(message, sizeof message, "%s, which runs before, leaves %s[%lld] unwritten; it is then read%s.", producer,
             finding->unwritten, (long long)finding->unwritten_index, where);
    snprintf(finding->array, sizeof finding->array, "%s", finding->unwritten);
    snprintf(finding->code, sizeof finding->code, "never_written");
    snprintf(finding->pattern, sizeof finding->pattern, "before");
    finding->before = true;
    finding->spoilt = false;
    snprintf(finding->kernel, sizeof finding->kernel, "%s", producer);
    snprintf(finding->message, sizeof finding->message, "%s", message);
    finding->hint[0] = finding->arithmetic[0] = finding->remark[0] = '\0';
    finding->line = line_of_kernel(source, producer);
    finding->line2 = finding->ptx_line = finding->ptx_line2 = finding->mark_count = finding->called_from_count = 0;
    finding->has_thread = finding->has_thread2 = false;
    finding->index_count = 1;
    finding->index[0] = finding->unwritten_index;
}

/* Does the kernel that should fill the array use what is in it before, or store what it has from elsewhere that no thread
 * wrote? Then it fills the array, but with rubbish. */
static bool stores_rubbish(const struct result_findings *findings, const char *producer, const char *array)
{
    for (size_t i = 0; i < findings->count; i++)
        if (is_code(&findings->list[i], "uninitialized") && strcmp(findings->list[i].kernel, producer) == 0
            && (strcmp(findings->list[i].unwritten, array) == 0 || strcmp(findings->list[i].array, array) == 0))
            return true;
    return false;
}

/* Does the kernel that reads the array use shared memory or a variable without a value? Then what it finds there may be rubbish
 * that another of its blocks has stored. */
static bool hands_on_rubbish(const struct result_findings *findings, const struct result_finding *finding)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *other = &findings->list[i];
        bool own = is_pattern(other, "shared") || is_pattern(other, "local") || is_pattern(other, "variable");
        if (own && is_code(other, "uninitialized") && strcmp(other->kernel, finding->kernel) == 0)
            return true;
    }
    return false;
}

/* Does the finding say that a value was stored which was computed from what no thread wrote? */
static bool is_rubbish(const struct result_finding *finding)
{
    return is_code(finding, "uninitialized") && finding->array[0] != '\0'
           && (is_pattern(finding, "output") || strcmp(finding->array, finding->unwritten) != 0);
}

/* What was stored so is not "never written", even where the value happens to be what was there before: adding a small number
 * to a large one leaves it. */
static bool is_stored_rubbish(const struct plan_setup *setup, const struct result_findings *findings,
                              const struct result_finding *missing)
{
    bool scalar = false, stored = false;
    for (int i = 0; i < setup->lab->output_count; i++)
        scalar |= setup->lab->outputs[i].scalar && strcmp(setup->lab->outputs[i].name, missing->output) == 0;
    for (size_t i = 0; i < findings->count; i++)
        stored |= is_rubbish(&findings->list[i]) && (scalar || strcmp(findings->list[i].array, missing->array) == 0);
    return stored && is_code(missing, "never_written") && !missing->before;
}

static void find_rubbish(const struct plan_setup *setup, struct result_test *test)
{
    struct result_findings *findings = &test->findings;
    bool any = false;
    for (size_t i = 0; i < findings->count; i++) {
        if (!is_stored_rubbish(setup, findings, &findings->list[i]))
            continue;
        memmove(&findings->list[i], &findings->list[i + 1], (--findings->count - i) * sizeof *findings->list);
        any = true;
        i--;
    }
    if (any && test->never_written) {
        test->never_written = false;
        snprintf(test->actual, sizeof test->actual, "an undefined value");
    }
}

static void find_left_out(const struct plan_setup *setup, const struct source *source, struct result_findings *findings)
{
    for (size_t i = 0; i < findings->count; i++) {
        struct result_finding *finding = &findings->list[i];
        const char *producer = is_code(finding, "uninitialized") ? producer_of(setup, finding->unwritten) : NULL;
        bool in_memory = !is_pattern(finding, "shared") && !is_pattern(finding, "local") && !is_pattern(finding, "variable");
        if (!producer || !in_memory || strcmp(producer, finding->kernel) == 0
            || stores_rubbish(findings, producer, finding->unwritten))
            continue;
        if (is_scratch(setup, finding->unwritten) && hands_on_rubbish(findings, finding)) {
            memmove(finding, finding + 1, (--findings->count - i) * sizeof *finding);
            i--;
            continue;
        }
        bool weak = false;
        char array[sizeof finding->array];
        tell_left_out(source, producer, finding);
        memcpy(array, finding->array, sizeof array);
        drop_missing(findings, array, &weak);
        for (size_t k = 0; k < findings->count; k++)
            if (findings->list[k].before && strcmp(findings->list[k].array, array) == 0)
                findings->list[k].weak = weak;
        i = (size_t)-1; /* the list is shorter: what was reported already is skipped */
    }
}

/* ---- loops that end elsewhere ----------------------------------------------------------------------------------------- */

static bool has_run_out(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++)
        if (is_code(&test->findings.list[i], "fuel") || is_code(&test->findings.list[i], "deadlock")
            || is_code(&test->findings.list[i], "barrier_divergent"))
            return true;
    return test->findings.count == 0 && test->state != RESULT_PASS;
}

/* Stores of one value to one place by several threads: no error, but the reason why a loop takes so long. */
static const struct result_finding *find_repeated_work(const struct result_lab *result)
{
    for (int i = 0; i < result->test_count; i++)
        for (size_t k = 0; k < result->tests[i].findings.count; k++) {
            const struct result_finding *finding = &result->tests[i].findings.list[k];
            if (strncmp(finding->code, "race_", 5) == 0
                && (is_pattern(finding, "everybody") || is_pattern(finding, "one_variable")
                    || is_pattern(finding, "no_block") || is_pattern(finding, "one_array")))
                return finding;
        }
    return NULL;
}

/* Proven: the state of all threads has come back. */
static const char never_changes[] = "never ends: it waits for a change, and no thread changes anything any more";

static void tell_slow(const struct result_finding *repeated, struct result_finding *finding)
{
    char text[320] = "";
    bool by_blocks = repeated && (is_pattern(repeated, "no_block") || is_pattern(repeated, "one_array"));
    bool by_all = repeated && is_pattern(repeated, "everybody");
    if (repeated) {
        snprintf(text, sizeof text, " Other cases end, and there line %d stores elements of %s from several %s%s.",
                 repeated->line, repeated->array, by_blocks ? "blocks" : "threads",
                 by_blocks ? ": blockIdx is not in its index"
                 : by_all  ? ": the number of the thread is not in its index"
                           : " each");
        if (finding->line == 0) {
            finding->line = repeated->line;
            snprintf(finding->kernel, sizeof finding->kernel, "%s", repeated->kernel);
        }
    } else {
        snprintf(text, sizeof text, " Other cases end.");
    }
    append(finding->message, sizeof finding->message, finding->message[strlen(finding->message) - 1] == '.' ? "" : ".");
    append(finding->message, sizeof finding->message, text);
    if (!repeated && strstr(finding->message, never_changes)) { /* it is not only long */
        snprintf(finding->pattern, sizeof finding->pattern, "waits");
        return;
    }
    if (!repeated && is_pattern(finding, "not_reached")) /* never ends where its step is left out */
        return;
    snprintf(finding->pattern, sizeof finding->pattern, "%s", by_blocks || by_all ? repeated->pattern : "slow");
    finding->asks = false;
}

static void find_slow(struct result_lab *result)
{
    int ended = 0;
    for (int i = 0; i < result->test_count; i++)
        ended += result->tests[i].state != RESULT_SKIPPED && !has_run_out(&result->tests[i]);
    const struct result_finding *repeated = find_repeated_work(result);
    for (int i = 0; i < result->test_count && ended > 0; i++)
        for (size_t k = 0; k < result->tests[i].findings.count; k++)
            if (is_code(&result->tests[i].findings.list[k], "fuel") && result->tests[i].findings.list[k].message[0] != '\0'
                && !diagnose_explains_loop(&result->tests[i].findings.list[k]))
                tell_slow(repeated, &result->tests[i].findings.list[k]);
}

/* ---- arrays that were meant to be shared ------------------------------------------------------------------------------ */

/* An array that a kernel declares for each thread, although its cells go by the threads' numbers. */
struct private_array {
    const char *name;
    int length, line, column;
};

static bool is_type(const struct source_token *token)
{
    static const char *const words[] = {"float", "int", "unsigned", "double", "char", "short", "long", "float2", "float4"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (source_token_is(token, words[i]))
            return true;
    return false;
}

static bool has_word(const struct source *source, size_t first, size_t end, const char *word)
{
    for (size_t i = first; i < end; i++)
        if (source_token_is(&source->tokens[i], word))
            return true;
    return false;
}

/* Does the name get a value that is made of threadIdx? `t = threadIdx.x`, up to the next comma or semicolon. */
static bool is_thread_number(const struct source *source, const struct source_function *function,
                             const struct source_token *name)
{
    for (size_t i = function->first; i + 1 < function->last; i++) {
        if (!source_token_same(&source->tokens[i], name) || !source_token_is(&source->tokens[i + 1], "="))
            continue;
        size_t end = i + 2;
        while (end < function->last && !source_token_is(&source->tokens[end], ";")
               && !source_token_is(&source->tokens[end], ","))
            end++;
        if (has_word(source, i + 2, end, "threadIdx"))
            return true;
    }
    return false;
}

static bool is_by_thread(const struct source *source, const struct source_function *function, size_t first, size_t end)
{
    for (size_t i = first; i < end; i++)
        if (source_token_is(&source->tokens[i], "threadIdx")
            || (source->tokens[i].kind == SOURCE_WORD && is_thread_number(source, function, &source->tokens[i])))
            return true;
    return false;
}

/* Is the array used with a thread's number, and with another subscript too? One cell for each thread is all right. */
static bool is_meant_for_all(const struct source *source, const struct source_function *function, size_t name)
{
    size_t known = 0, known_count = 0;
    bool by_thread = false, differs = false;
    for (size_t i = name + 1; i + 1 < function->last; i++) {
        if (!source_token_same(&source->tokens[i], &source->tokens[name]) || !source_token_is(&source->tokens[i + 1], "["))
            continue;
        size_t end = i + 1;
        while (source_token_is(&source->tokens[end], "["))
            end = source_closing(source, end, function->last) + 1;
        by_thread |= is_by_thread(source, function, i + 1, end);
        differs |= known != 0 && (known_count != end - i || !source_same_tokens(source, known, i, end - i));
        known = i;
        known_count = end - i;
    }
    return by_thread && differs;
}

/* Looks at the declaration that begins at `at`; goes on behind it. */
static bool find_in_declaration(const struct source *source, const struct source_function *function, size_t *at,
                                struct private_array *found)
{
    for (size_t i = *at; i + 1 < function->last && !source_token_is(&source->tokens[i], ";"); i++) {
        const struct source_token *token = &source->tokens[i];
        *at = i + 1;
        if (source_token_is(token, "=") || source_token_is(token, "("))
            return false;
        if (token->kind != SOURCE_WORD || is_type(token) || !source_token_is(token + 1, "["))
            continue;
        if (is_meant_for_all(source, function, i)) {
            int length;
            const char *line = source_line_of(source, token, &length);
            *found = (struct private_array){token->text, token->length, token->line, (int)(token->text - line) + 1};
            return true;
        }
    }
    return false;
}

static bool find_private_array(const struct source *source, const struct source_function *function,
                               struct private_array *found)
{
    for (size_t i = function->first; i < function->last; i++) {
        bool begins = i == function->first || source_token_is(&source->tokens[i - 1], ";")
                      || source_token_is(&source->tokens[i - 1], "{") || source_token_is(&source->tokens[i - 1], "}");
        if (begins && is_type(&source->tokens[i]) && find_in_declaration(source, function, &i, found))
            return true;
    }
    return false;
}

static void tell_private(const struct private_array *array, const char *kernel, const char *file, struct result_test *test)
{
    struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1, .line = array->line};
    snprintf(finding.code, sizeof finding.code, "not_shared");
    snprintf(finding.kernel, sizeof finding.kernel, "%s", kernel);
    snprintf(finding.file, sizeof finding.file, "%s", file);
    snprintf(finding.array, sizeof finding.array, "%.*s", array->length, array->name);
    snprintf(
        finding.message, sizeof finding.message,
        "%s is declared without __shared__, so each thread has an array of its own, and what one thread stores in its %s no "
        "other thread can read.",
        finding.array, finding.array);
    finding.marks[finding.mark_count++] =
        (struct result_mark){.line = array->line, .column = array->column, .width = array->length};
    result_findings_add(&test->findings, &finding);
}

/* Failed for its values alone (or, with `missing`, for those that are not there): what went wrong before that has other
 * causes. */
static bool has_wrong_values(const struct result_test *test, bool missing)
{
    bool found = false;
    for (size_t i = 0; i < test->findings.count; i++) {
        const struct result_finding *finding = &test->findings.list[i];
        if (diagnose_fails(finding) && diagnose_stage(finding->code) < diagnose_stage("uninitialized"))
            return false;
        found |= is_code(finding, "uninitialized") || is_code(finding, "wrong_value")
                 || (missing && is_code(finding, "never_written"));
    }
    return found && test->state == RESULT_FAIL;
}

/* Does a finding of the driver name it already? */
static bool has_unset(const struct result_test *test)
{
    for (size_t i = 0; i < test->findings.count; i++)
        if (is_code(&test->findings.list[i], "uninitialized") && is_pattern(&test->findings.list[i], "variable"))
            return true;
    return false;
}

static void find_private_arrays(const struct plan_setup *setup, const struct source *source, const char *file,
                                struct result_lab *result)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    for (int k = 0; k < plan->kernel_count; k++) {
        const char *kernel = setup->lab->kernels[plan->kernels[k]].name;
        struct source_function function;
        struct private_array found;
        if (!source_find_function(source, kernel, 0, &function) || !find_private_array(source, &function, &found))
            continue;
        /* Of cells that no thread stores in, the compiler drops all that is made: then nothing is written. */
        for (int i = 0; i < result->test_count; i++)
            if (has_wrong_values(&result->tests[i], true))
                tell_private(&found, kernel, file, &result->tests[i]);
        return;
    }
}

/* ---- variables without a value ---------------------------------------------------------------------------------------- */

/* The compiler drops what is computed from a variable without a value, so no run can show it: its warning does. */
static void find_unset_variables(const char *file, struct result_lab *result)
{
    static const char marker[] = "\" is used before its value is set";
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        const lockstep_diagnostic *diagnostic = &result->diagnostics[i];
        const char *end = strstr(diagnostic->message, marker);
        const char *start = end ? strchr(diagnostic->message, '"') : NULL;
        if (!start || diagnostic->severity == LOCKSTEP_ERROR || start + 1 >= end)
            continue;
        struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1, .line = diagnostic->line};
        snprintf(finding.code, sizeof finding.code, "uninitialized");
        snprintf(finding.pattern, sizeof finding.pattern, "variable");
        snprintf(finding.file, sizeof finding.file, "%s", file);
        snprintf(finding.message, sizeof finding.message, "%.*s is used here, but nothing has been stored in it before.",
                 (int)(end - start - 1), start + 1);
        for (int k = 0; k < result->test_count; k++)
            if (has_wrong_values(&result->tests[k], true) && !has_unset(&result->tests[k]))
                result_findings_add(&result->tests[k].findings, &finding);
        return;
    }
}

/* Is it `__shared__ int sum;`, which is a variable of the whole block? */
static bool is_shared_declaration(const struct source *source, size_t name)
{
    for (size_t i = name; i-- > 0 && !source_token_is(&source->tokens[i], ";") && !source_token_is(&source->tokens[i], "{")
                          && !source_token_is(&source->tokens[i], "}");)
        if (source_token_is(&source->tokens[i], "__shared__") || source_token_is(&source->tokens[i], "static"))
            return true;
    return false;
}

/* Does this token, the name in a declaration without a first value (`int sum;`), stand for a variable that the function changes
 * by `sum += ...` before anything else is done with it? Then *line is that line. */
static bool is_changed_first(const struct source *source, const struct source_function *function, size_t declared, int *line)
{
    static const char *const changes[] = {"+=", "-=", "*=", "|=", "^=", "&=", "++", "--"};
    for (size_t i = declared + 1; i + 1 < function->last; i++) {
        if (!source_token_same(&source->tokens[i], &source->tokens[declared]))
            continue;
        *line = source->tokens[i].line;
        for (size_t k = 0; k < sizeof changes / sizeof *changes; k++)
            if (source_token_is(&source->tokens[i + 1], changes[k]))
                return true;
        return false;
    }
    return false;
}

/* A sum without a first value, changed in a loop: there the compiler does not warn. */
static void find_unset_sums(const struct plan_setup *setup, const struct source *source, const char *file,
                            struct result_lab *result)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    for (int k = 0; k < plan->kernel_count; k++) {
        struct source_function function;
        int line;
        if (!source_find_function(source, setup->lab->kernels[plan->kernels[k]].name, 0, &function))
            continue;
        for (size_t i = function.first + 1; i + 1 < function.last; i++) {
            const struct source_token *token = &source->tokens[i];
            if (!is_type(token - 1) || token->kind != SOURCE_WORD || is_type(token) || !source_token_is(token + 1, ";")
                || is_shared_declaration(source, i) || !is_changed_first(source, &function, i, &line))
                continue;
            struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1, .line = line};
            snprintf(finding.code, sizeof finding.code, "uninitialized");
            snprintf(finding.pattern, sizeof finding.pattern, "variable");
            snprintf(finding.file, sizeof finding.file, "%s", file);
            snprintf(finding.message, sizeof finding.message, "%.*s is used here, but nothing has been stored in it before.",
                     token->length, token->text);
            for (int t = 0; t < result->test_count; t++)
                if (has_wrong_values(&result->tests[t], true) && !has_unset(&result->tests[t]))
                    result_findings_add(&result->tests[t].findings, &finding);
            return;
        }
    }
}

/* How often the source has the name with ( behind it: where it is defined, and where it is called. */
static int count_uses(const struct source *source, const char *name, int length)
{
    int count = 0;
    for (size_t i = 0; i + 1 < source->token_count; i++)
        count += source->tokens[i].length == length && strncmp(source->tokens[i].text, name, (size_t)length) == 0
                 && source_token_is(&source->tokens[i + 1], "(");
    return count;
}

/* A function that ends without `return` gives back anything, and the compiler drops what is computed from it. */
static void find_no_return(const struct source *source, const char *file, struct result_lab *result)
{
    static const char marker[] = "missing return statement at end of non-void function \"";
    for (size_t i = 0; i < result->diagnostic_count; i++) {
        const lockstep_diagnostic *diagnostic = &result->diagnostics[i];
        const char *at = strstr(diagnostic->message, marker), *name = at ? at + strlen(marker) : NULL;
        int length = name ? (int)strcspn(name, "(\"") : 0;
        if (length == 0 || diagnostic->severity == LOCKSTEP_ERROR || count_uses(source, name, length) < 2)
            continue;
        struct result_finding finding = {.severity = LOCKSTEP_ERROR, .count = 1, .line = diagnostic->line};
        snprintf(finding.code, sizeof finding.code, "uninitialized");
        snprintf(finding.pattern, sizeof finding.pattern, "function");
        snprintf(finding.file, sizeof finding.file, "%s", file);
        snprintf(finding.message, sizeof finding.message,
                 "The function %.*s ends here without a return: what it gives back has no value, nor has what is computed "
                 "from it.",
                 length, name);
        for (int k = 0; k < result->test_count; k++)
            if (has_wrong_values(&result->tests[k], true))
                result_findings_add(&result->tests[k].findings, &finding);
        return;
    }
}

/* Is it an array of the kernel's own? */
static bool is_own_array(const struct plan_setup *setup, int kernel, const char *name)
{
    for (int i = 0; i < LAB_MAX_ARGUMENTS; i++)
        if (strcmp(setup->parameter_names[kernel][i], name) == 0)
            return false;
    for (int i = 0; i < setup->lab->array_count; i++)
        if (strcmp(setup->array_names[i], name) == 0 || strcmp(setup->lab->arrays[i].name, name) == 0)
            return false;
    return name[0] != '\0';
}

/* Does the index go by the number of the block times a number that is not the block's? */
static bool counts_other_threads(const char *arithmetic, const struct lab_kernel *kernel, const uint32_t *block)
{
    const char *at = strstr(arithmetic, "blockIdx.x*");
    return at && kernel->dimensions == 1 && block[0] != (uint32_t)kernel->block[0]
           && strncmp(at + strlen("blockIdx.x*"), "blockDim", strlen("blockDim")) != 0;
}

/* Outside of an array of the kernel's own, in a thread that the lab's default block does not have, or in a block with
 * more rows of threads than that: which line asked for the block? */
static void tell_block(const struct plan_setup *setup, const struct source *source, struct result_finding *finding)
{
    const struct lab_kernel *kernel = NULL;
    int index = 0, line;
    for (; index < setup->lab->kernel_count && !kernel; index++)
        if (strcmp(setup->lab->kernels[index].name, finding->kernel) == 0)
            kernel = &setup->lab->kernels[index];
    if (!source || !is_code(finding, "out_of_bounds") || !finding->has_thread || !kernel)
        return;
    const uint32_t *block = setup->geometry[--index].block;
    bool beyond = counts_other_threads(finding->arithmetic, kernel, block);
    if (!beyond && (!strstr(finding->arithmetic, "threadIdx.") || !is_own_array(setup, index, finding->array)))
        return;
    for (int d = 0; d < kernel->dimensions; d++)
        beyond |= finding->thread[d] >= kernel->block[d];
    /* More rows than columns: x and y may be exchanged, and then y goes too far. */
    beyond |= kernel->dimensions > 1 && block[1] > block[0] && block[1] > kernel->block[1]
              && strstr(finding->arithmetic, "threadIdx.y");
    line = launch_lines_find(source, kernel->name, "block");
    line = line > 0 ? line : launch_lines_find_bounds(source, kernel->name);
    if (!beyond || !setup->geometry[index].asked || line == 0)
        return;
    char text[120], wide[40];
    snprintf(wide, sizeof wide, kernel->dimensions > 1 ? "%u x %u" : "%u", block[0], block[1]);
    snprintf(text, sizeof text, "%sA block has %s threads, as line %d asks.", finding->remark[0] != '\0' ? " " : "", wide,
             line);
    append(finding->remark, sizeof finding->remark, text);
    if (kernel->dimensions > 1)
        snprintf(finding->pattern, sizeof finding->pattern, "asked");
}

/* The index comes from a function of the file: what that computes for the two threads. */
static void tell_call(const struct stores *stores, const struct plan_launch *launch, int64_t index,
                      struct result_finding *finding)
{
    struct result_finding other = *finding;
    char one[160], two[160], text[sizeof finding->arithmetic];
    int64_t second;
    memcpy(other.thread, finding->thread2, sizeof other.thread);
    memcpy(other.block, finding->block2, sizeof other.block);
    if (finding->arithmetic[0] != '\0' || !finding->has_thread2
        || !stores_index(stores, launch, &other, finding->line, &second) || second != index
        || !stores_explain_call(stores, launch, &other, finding->line, one, sizeof one)
        || !stores_explain_call(stores, launch, finding, finding->line, two, sizeof two) || strcmp(one, two) == 0)
        return;
    snprintf(text, sizeof text, "%s; %s", one, two);
    memcpy(finding->arithmetic, text, sizeof finding->arithmetic);
}

/* Every thread changes the one element that an index without the thread's number names. Where each element has its own
 * thread, no sum is meant. */
static void tell_everybody(const struct plan_setup *setup, const struct lab_case *the_case, struct result_finding *finding)
{
    static const char old[] = "each thread reads it, changes it and writes it back, so a change can be lost";
    bool fits = setup->lab->elementwise && strncmp(finding->code, "race_", 5) == 0 && is_pattern(finding, "update")
                && (finding->line2 == 0 || finding->line2 == finding->line)
                && memcmp(finding->block, finding->block2, sizeof finding->block) == 0;
    struct stores *stores = fits && setup->source ? stores_find(setup, finding->kernel, finding->array) : NULL;
    struct plan_launch launch;
    int64_t index;
    char *at = strstr(finding->message, old);
    bool known = stores && at && stores_find_launch(setup, the_case, finding->kernel, &launch)
                 && stores_index(stores, &launch, finding, finding->line, &index);
    if (known && stores_has_thread(stores, finding->line)) {
        tell_call(stores, &launch, index, finding);
    } else if (known) {
        char *rest = allocate_format("the number of the thread is not in the index, so every thread that comes here changes "
                                     "the same element%s",
                                     at + sizeof old - 1);
        snprintf(at, sizeof finding->message - (size_t)(at - finding->message), "%s", rest);
        free(rest);
        snprintf(finding->pattern, sizeof finding->pattern, "everybody");
    }
    if (stores)
        stores_destroy(stores);
}

/* A shared array with a cell for each thread of the block, and an index that a parameter of the kernel leads beyond it: what lies
 * there belongs to another block. */
static void tell_next_block(const struct plan_setup *setup, const struct source *source, struct result_finding *finding)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    struct source_function kernel;
    uint32_t threads = 0;
    bool by_parameter = false;
    char words[120], text[240];
    for (int i = 0; i < plan->kernel_count; i++)
        if (strcmp(setup->lab->kernels[plan->kernels[i]].name, finding->kernel) == 0) {
            const uint32_t *block = setup->geometry[plan->kernels[i]].block;
            threads = block[1] == 1 && block[2] == 1 ? block[0] : 0;
        }
    snprintf(words, sizeof words, "but %.60s has %u elements", finding->array, threads);
    if (!source || strcmp(finding->code, "out_of_bounds") != 0 || strcmp(finding->pattern, "shared") != 0 || threads < 2
        || finding->index_count != 1 || finding->index[0] < (int64_t)threads || !strstr(finding->message, words)
        || !source_find_function(source, finding->kernel, 0, &kernel))
        return;
    for (unsigned i = 0; i < kernel.parameter_count && !by_parameter; i++) {
        const struct source_token *name = &source->tokens[kernel.parameters[i]];
        snprintf(text, sizeof text, "threadIdx.x + %.*s = ", name->length < 60 ? name->length : 60, name->text);
        by_parameter = kernel.parameters[i] > 0 && strncmp(finding->arithmetic, text, strlen(text)) == 0;
    }
    if (!by_parameter)
        return;
    snprintf(
        text, sizeof text,
        "%s%.60s has as many elements as a block has threads, %u: what is %lld places to the right of this thread belongs to "
        "another block.",
        finding->remark[0] != '\0' ? " " : "", finding->array, threads,
        (long long)finding->index[0] - (long long)finding->thread[0]);
    append(finding->remark, sizeof finding->remark, text);
}

void story_tell(const struct plan_setup *setup, const char *file, struct result_lab *result)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    find_slow(result);
    find_unset_variables(file, result);
    if (source)
        find_unset_sums(setup, source, file, result);
    if (source)
        find_no_return(source, file, result);
    if (source)
        find_private_arrays(setup, source, file, result);
    struct repair_source *own = repair_source_create(setup->source, setup->source_bytes);
    for (int i = 0; i < result->test_count; i++) {
        story_order_tell(own, &result->tests[i].findings);
        find_left_out(setup, source, &result->tests[i].findings);
        find_rubbish(setup, &result->tests[i]);
        for (size_t k = 0; k < result->tests[i].findings.count; k++) {
            tell_block(setup, source, &result->tests[i].findings.list[k]);
            tell_next_block(setup, source, &result->tests[i].findings.list[k]);
            if (source)
                story_source_tell(source, &result->tests[i].findings.list[k]);
            if (!result->tests[i].hidden)
                tell_everybody(setup, plan_case(setup, i), &result->tests[i].findings.list[k]);
        }
        diagnose_sort(&result->tests[i].findings);
    }
    repair_source_destroy(own);
    if (source)
        source_destroy(source);
}

/* The blocks of the finding's kernel, where they are rows of threads; *items: elements of each. NULL: they are not. */
static const uint32_t *find_row_block(const struct plan_setup *setup, const struct result_finding *finding, long long *items)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    for (int i = 0; i < plan->kernel_count; i++) {
        const struct geometry *geometry = &setup->geometry[plan->kernels[i]];
        *items = geometry->items[0];
        if (strcmp(setup->lab->kernels[plan->kernels[i]].name, finding->kernel) == 0
            && geometry->block[1] * geometry->block[2] == 1 && geometry->items[1] <= 1 && *items > 0)
            return geometry->block;
    }
    return NULL;
}

/* "in[256..287] are missing in out[288]": whole warps of the element's block, where each thread has one element. "out[257]
 * contains in[256..511]": all of its own block. */
static void tell_run(const struct plan_setup *setup, struct result_finding *finding)
{
    enum { WARP = 32 };
    static const char missing[] = "] are missing in ", contains[] = "] contains ";
    bool lacks = strcmp(finding->pattern, "missing") == 0, has = strcmp(finding->pattern, "foreign") == 0;
    const char *at = strstr(finding->message, lacks ? missing : contains), *run = at, *element = at;
    if (!at || !(lacks || has) || finding->remark[0] != '\0')
        return;
    while (lacks && run > finding->message && run[-1] != '[')
        run--;
    while (has && element > finding->message && element[-1] != '[')
        element--;
    const char *open = strchr(at + 1, '[');
    if (!open)
        return;
    run = lacks ? run : open + 1;
    element = has ? element : open + 1;
    char *end;
    long long first = strtoll(run, &end, 10), last = strncmp(end, "..", 2) == 0 ? strtoll(end + 2, &end, 10) : -1;
    long long own = strtoll(element, NULL, 10), items;
    const uint32_t *block = find_row_block(setup, finding, &items);
    if (!block || last < first || first / items != last / items || first / items != own / items
        || (lacks ? end != at : strncmp(end, "].", 2) != 0))
        return;
    long long warp = first % items / WARP, behind = last % items / WARP;
    if (has && first % items == 0 && (last + 1) % items == 0)
        snprintf(finding->remark, sizeof finding->remark, "The elements %lld..%lld are those of its own block, block %lld.",
                 first, last, own / items);
    else if (lacks && items == (long long)block[0] && items > 2 * WARP && first % items % WARP == 0 && (last + 1) % WARP == 0
             && own > last && warp == behind)
        snprintf(finding->remark, sizeof finding->remark, "The elements %lld..%lld are those of warp %lld of the block.",
                 first, last, warp);
    else if (lacks && items == (long long)block[0] && items > 2 * WARP && first % items % WARP == 0 && (last + 1) % WARP == 0
             && own > last)
        snprintf(finding->remark, sizeof finding->remark,
                 "The elements %lld..%lld are those of the warps %lld to %lld of the block.", first, last, warp, behind);
}

/* Is it found in a kernel that others of the plan run before? */
static bool is_later(const struct plan_setup *setup, const struct result_finding *finding)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    return finding->kernel[0] != '\0' && strcmp(setup->lab->kernels[plan->kernels[0]].name, finding->kernel) != 0;
}

void story_tell_measured(const struct plan_setup *setup, struct result_lab *result)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    for (int i = 0; source && i < result->test_count; i++)
        for (size_t k = 0; k < result->tests[i].findings.count; k++) {
            story_source_tell_measured(source, &result->tests[i].findings.list[k]);
            story_steps_tell(source, &result->tests[i].findings.list[k]);
            story_sums_tell(source, &result->tests[i].findings.list[k]);
            story_types_tell(source, &result->tests[i].findings.list[k]);
            story_passing_tell(source, &result->tests[i].findings.list[k]);
            story_values_tell_measured(source, is_later(setup, &result->tests[i].findings.list[k]),
                                       &result->tests[i].findings.list[k]);
            tell_run(setup, &result->tests[i].findings.list[k]);
        }
    if (source)
        source_destroy(source);
}
