#include "grader/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/record.h"
#include "grader/compile/compile_step.h"
#include "grader/judge/budget.h"
#include "grader/judge/cases.h"
#include "grader/judge/cases_trace.h"
#include "grader/judge/hidden.h"
#include "grader/judge/hidden_tests.h"
#include "grader/judge/hints.h"
#include "grader/judge/launch_lines.h"
#include "grader/judge/reference.h"
#include "grader/judge/unoptimized.h"
#include "grader/judge/verdict.h"
#include "grader/result/diagnose.h"
#include "grader/run/plan_choice.h"
#include "runtime/language/source.h"

/* Runs the compile step and takes over its diagnostics. Returns whether there is a module. */
static bool compile(const struct compile_input *input, struct compile_result *compiled, struct result_lab *result)
{
    compile_step(input, compiled);
    result->diagnostics = compiled->diagnostics;
    result->diagnostic_count = compiled->diagnostic_count;
    compiled->diagnostics = NULL;
    switch (compiled->outcome) {
    case COMPILE_DONE: return true;
    case COMPILE_REJECTED: verdict_reject(input->file_name, result); break;
    case COMPILE_LIMITS: verdict_refuse(result, input->file_name, "limits", compiled->message); break;
    case COMPILE_HARNESS: verdict_fail_whole(result, RESULT_HARNESS_ERROR, compiled->message); break;
    }
    return false;
}

static bool has_kernel(const struct lab_plan *plan, int kernel)
{
    for (int i = 0; i < plan->kernel_count; i++)
        if (plan->kernels[i] == kernel)
            return true;
    return false;
}

/* "pi_sum", "a and b": the plan's kernels that are in the file, or not, and that the chosen plan does not launch. */
static int list_kernels(const struct lab *lab, const struct lab_plan *plan, const struct lab_plan *chosen,
                        const struct compile_result *compiled, bool defined, char *text, size_t text_bytes)
{
    int count = 0;
    text[0] = '\0';
    for (int i = 0; i < plan->kernel_count; i++) {
        const char *name = lab->kernels[plan->kernels[i]].name;
        size_t used = strlen(text);
        if (has_kernel(chosen, plan->kernels[i]) || (ptx_summary_entry(&compiled->summary, name) != NULL) != defined)
            continue;
        snprintf(text + used, text_bytes - used, "%s%s", count++ > 0 ? " and " : "", name);
    }
    return count;
}

/* Kernels of another plan, which was begun and not finished: they are never launched, and whoever wrote them must know. */
static void note_begun_plans(const struct lab *lab, const struct compile_result *compiled, const struct plan_setup *setup,
                             const char *file, struct result_lab *result)
{
    const struct lab_plan *chosen = &lab->plans[setup->plan];
    for (int p = 0; p < lab->plan_count; p++) {
        const struct lab_plan *plan = &lab->plans[p];
        char begun[128], missing[128], graded[160] = "", message[800];
        int line = 0;
        if (p == setup->plan || list_kernels(lab, plan, chosen, compiled, true, begun, sizeof begun) == 0
            || list_kernels(lab, plan, chosen, compiled, false, missing, sizeof missing) == 0)
            continue;
        for (int i = 0; i < plan->kernel_count && line == 0; i++)
            if (!has_kernel(chosen, plan->kernels[i]) && compiled->kernels[plan->kernels[i]].found_in_source)
                line = compiled->kernels[plan->kernels[i]].student.line;
        for (int i = 0; i < chosen->kernel_count; i++) {
            size_t used = strlen(graded);
            snprintf(graded + used, sizeof graded - used, "%s%s", i > 0 ? " and " : "",
                     lab->kernels[chosen->kernels[i]].name);
        }
        snprintf(message, sizeof message,
                 "Your file defines %s but not %s. The plan \"%s\" needs all of its kernels, so %s %s launched, and %s %s "
                 "not.",
                 begun, missing, plan->name, graded, chosen->kernel_count == 1 ? "is" : "are", begun,
                 strstr(begun, " and ") ? "are" : "is");
        verdict_note(result, "kernel_missing", LOCKSTEP_WARNING, file, line, "", message);
        snprintf(result->notes.list[result->notes.count - 1].pattern, sizeof result->notes.list->pattern, "plan");
    }
}

static void note_signature(const struct lab *lab, const struct compile_result *compiled, int index, const char *file,
                           lockstep_severity severity, struct result_lab *result)
{
    const struct compile_kernel *kernel = &compiled->kernels[index];
    verdict_note(result, "signature", severity, file, kernel->found_in_source ? kernel->student.line : 0,
                 lab->kernels[index].name, kernel->message);
}

/* Types that could not be read, where the PTX agrees with the lab: worth a word only if something is wrong. */
static void note_doubts(const struct lab *lab, const struct compile_result *compiled, const struct cases_input *cases,
                        struct result_lab *result)
{
    const struct lab_plan *plan = &lab->plans[cases->setup.plan];
    for (int i = 0; i < plan->kernel_count; i++)
        if (compiled->kernels[plan->kernels[i]].verdict == SIGNATURE_DOUBT)
            note_signature(lab, compiled, plan->kernels[i], cases->file, LOCKSTEP_WARNING, result);
}

/* Chooses the plan, checks the signatures of its kernels and decides their geometry. Returns false when nothing can run. */
static bool prepare(const struct judge_input *input, const char *file, const struct compile_result *compiled,
                    struct plan_setup *setup, struct result_lab *result)
{
    struct plan_problem problem;
    const struct lab *lab = input->lab;
    if (!plan_choice_find(lab, compiled, &setup->plan, &problem)) {
        verdict_note(result, "kernel_missing", LOCKSTEP_ERROR, file, 0, problem.kernel, problem.message);
        verdict_fail_whole(result, RESULT_ERROR, problem.message);
        return false;
    }
    result->plan = lab->plans[setup->plan].name;
    note_begun_plans(lab, compiled, setup, file, result);
    for (int i = 0; i < lab->plans[setup->plan].kernel_count; i++) {
        int index = lab->plans[setup->plan].kernels[i];
        const struct compile_kernel *kernel = &compiled->kernels[index];
        if (kernel->verdict != SIGNATURE_MISMATCH)
            continue;
        note_signature(lab, compiled, index, file, LOCKSTEP_ERROR, result);
        if (result->state == RESULT_PASS)
            verdict_fail_whole(result, RESULT_ERROR, kernel->message);
    }
    if (result->state != RESULT_PASS)
        return false;
    if (!plan_choice_prepare(lab, compiled, setup, &problem)) {
        verdict_note(result, "launch", LOCKSTEP_ERROR, file, 0, problem.kernel, problem.message);
        verdict_fail_whole(result, RESULT_ERROR, problem.message);
        return false;
    }
    return true;
}

/* ---- points -------------------------------------------------------------------------------------------------------- */

static bool counts(const struct lab *lab, const char *metric)
{
    bool found = false;
    for (int i = 0; i < lab->budget_count; i++)
        found |= strcmp(lab->budgets[i].metric, metric) == 0;
    return found;
}

static bool needs_reference(const struct lab *lab)
{
    for (int i = 0; i < lab->budget_count; i++)
        if (lab->budgets[i].base == LAB_BUDGET_REFERENCE)
            return true;
    return false;
}

/* Of the two runs the worse one scores. */
static void judge_budget(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan,
                         const struct tally tally[CASES_RUNS], const struct tally reference[CASES_RUNS], bool earned,
                         bool excused, struct result_budget *result)
{
    budget_judge(lab, budget, the_case, plan, &tally[0], &reference[0], earned, excused, result);
    if (!tally[1].present) /* where other cases have failed, a large one runs only once */
        return;
    struct result_budget *second = allocate_zeroed(sizeof *second);
    budget_judge(lab, budget, the_case, plan, &tally[1], &reference[1], earned, excused, second);
    if (second->score < result->score)
        *result = *second;
    free(second);
}

/* Has the budget that this one names as `unless` full points? */
static bool is_excused(const struct lab *lab, int budget, const struct result_lab *result)
{
    for (int k = 0; k < lab->budget_count && lab->budgets[budget].unless; k++)
        if (strcmp(lab->budgets[k].metric, lab->budgets[budget].unless) == 0 && result->budgets[k].state == RESULT_PASS)
            return true;
    return false;
}

/* Where a share was lost by a submission with atomic operations, which may hand out the work: the same with blocks that take
 * turns, and the better share of both, since a GPU has its own order. */
static void share_out(const struct lab *lab, const struct cases_input *cases, struct tally tally[CASES_RUNS],
                      const struct result_lab *result)
{
    bool lost = false;
    for (int i = 0; i < lab->budget_count; i++)
        lost |= result->budgets[i].state == RESULT_FAIL && tally_depends_on_order(lab->budgets[i].metric);
    if (!lost || tally_get(tally, "global_atomic_requests") + tally_get(tally, "shared_atomic_requests") == 0)
        return;
    struct tally *turns = allocate_zeroed(CASES_RUNS * sizeof *turns);
    bool counted = cases_count_in_turns(cases, turns);
    for (int i = 0; i < CASES_RUNS && counted; i++)
        tally_take_better_order(&tally[i], &turns[i]);
    free(turns);
}

static void judge_budgets(const struct judge_input *input, const struct cases_input *cases, struct tally tally[CASES_RUNS],
                          struct result_lab *result)
{
    const struct lab *lab = input->lab;
    struct tally *reference = allocate_zeroed(CASES_RUNS * sizeof *reference);
    char message[sizeof result->budgets->message] = "";
    int index = cases_find_budget(lab);
    bool whole = index >= 0 && result->tests[index].slow_halvings == 0; /* budgets are for the case as the lab has it */
    bool earned = whole && result->tests[index].state == RESULT_PASS;
    if (earned && needs_reference(lab))
        reference_count(cases, tally, reference, message, sizeof message);
    for (int i = 0; i < lab->budget_count; i++)
        judge_budget(lab, &lab->budgets[i], &lab->cases[index], cases->setup.plan, tally, reference, earned, false,
                     &result->budgets[i]);
    if (earned)
        share_out(lab, cases, tally, result);
    for (int i = 0; i < lab->budget_count && earned; i++)
        if (result->budgets[i].state == RESULT_FAIL && tally_depends_on_order(lab->budgets[i].metric))
            judge_budget(lab, &lab->budgets[i], &lab->cases[index], cases->setup.plan, tally, reference, earned, false,
                         &result->budgets[i]);
    for (int i = 0; i < lab->budget_count && earned; i++)
        if (is_excused(lab, i, result))
            judge_budget(lab, &lab->budgets[i], &lab->cases[index], cases->setup.plan, tally, reference, earned, true,
                         &result->budgets[i]);
    for (int i = 0; i < lab->budget_count && !whole; i++)
        snprintf(result->budgets[i].message, sizeof result->budgets[i].message, "judged once \"%s\" is tested whole",
                 lab->cases[index].name);
    for (int i = 0; i < lab->budget_count && message[0] != '\0'; i++)
        if (lab->budgets[i].base == LAB_BUDGET_REFERENCE && result->budgets[i].state == RESULT_HARNESS_ERROR)
            snprintf(result->budgets[i].message, sizeof result->budgets[i].message, "%s", message);
    if (earned) /* what computes something else may take any time */
        result->estimate = (struct result_estimate){tally->estimate, reference->estimate, lab->timing_case.name};
    if (tally->present)
        result->counter_count = tally_list(tally, result->counters, RESULT_COUNTERS_MAX);
    free(reference);
}

static void list_budgets(const struct lab *lab, struct result_lab *result)
{
    result->budgets = allocate_zeroed((size_t)(lab->budget_count + 1) * sizeof *result->budgets);
    result->budget_count = lab->budget_count;
    result->max_score = lab->points;
    for (int i = 0; i < lab->budget_count; i++) {
        result->budgets[i] = (struct result_budget){
            .track = "counters",
            .metric = lab->budgets[i].metric,
            .title = tally_title(lab->budgets[i].metric),
            .value = NAN,
            .reference = NAN,
            .ideal = NAN,
            .ratio = NAN,
            .full_at = lab->budgets[i].full_at,
            .zero_at = lab->budgets[i].zero_at,
            .low = NAN,
            .high = NAN,
            .state = RESULT_SKIPPED,
            .max_score = lab->budgets[i].points,
            .why = lab->budgets[i].why ? lab->budgets[i].why : "",
            .message = "nothing ran",
        };
        result->max_score += lab->budgets[i].points;
    }
}

/* Where the parameters' names are in another order than the lab passes them, any finding in that kernel first asks about
 * that. */
static void ask_for_order(const struct judge_input *input, const struct compile_result *compiled,
                          const struct cases_input *cases, struct result_lab *result)
{
    const struct lab_plan *plan = &input->lab->plans[cases->setup.plan];
    for (int k = 0; k < plan->kernel_count; k++) {
        const struct lab_kernel *kernel = &input->lab->kernels[plan->kernels[k]];
        const struct compile_kernel *own = &compiled->kernels[plan->kernels[k]];
        struct signature contract;
        char question[sizeof(((struct result_finding *)NULL)->hint)];
        if (!own->found_in_source || !signature_parse(kernel->signature, &contract)
            || !signature_is_reordered(&contract, &own->student, question, sizeof question))
            continue;
        for (int i = 0; i < result->test_count; i++) {
            struct result_findings *findings = &result->tests[i].findings;
            if (findings->count > 0 && diagnose_fails(&findings->list[0])
                && (findings->list[0].kernel[0] == '\0' || strcmp(findings->list[0].kernel, kernel->name) == 0))
                judge_ask_instead(&findings->list[0], "signature order", question);
        }
    }
}

static void time_on_gpu(const struct cases_input *cases, struct cases_gpu *gpu)
{
    struct reference reference;
    reference_load(cases->setup.lab, cases->setup.plan, cases->seed, &reference);
    if (reference.present)
        cases_gpu_time(gpu, &reference.cases);
    reference_clear(&reference);
}

/* What the visible tests say is settled before the first hidden one runs; of those, only verdicts come back.
 *   whole   the lab as it is declared; input->lab has its visible cases
 * Returns how long the hidden tests took: a submission can make that depend on them, so it is kept secret. */
static int64_t judge_runs(const struct judge_input *input, const struct lab *whole, const struct compile_result *compiled,
                          const struct cases_input *cases, struct result_lab *result)
{
    int64_t hidden_ms = 0;
    if (input->trace && input->trace->case_name) { /* nothing has to be found out first */
        cases_trace(cases, result, input->trace);
        return hidden_ms;
    }
    struct tally *tally = allocate_zeroed(CASES_RUNS * sizeof *tally);
    struct barriers barriers;
    struct cases_effort effort = {0};
    struct hidden_verdict hidden[HIDDEN_MOST] = {{HIDDEN_PASS, HIDDEN_NO_CAUSE}};
    bool on_gpu = input->gpu && !input->lab->device_runtime; /* NVIDIA's driver would need its device runtime linked in */
    struct cases_gpu *gpu = on_gpu ? cases_gpu_begin(cases, result) : NULL;
    cases_judge(cases, result, &effort, tally, &barriers);
    judge_budgets(input, cases, tally, result);
    free(tally);
    bool safe = gpu && cases_gpu_is_safe(result);
    if (safe)
        cases_gpu_verify(gpu);
    for (int i = 0; i < result->test_count; i++)
        hints_apply(input->lab, result->plan, &result->tests[i].findings);
    ask_for_order(input, compiled, cases, result);
    judge_tell_warnings(input->lab, &cases->setup, result);
    if (!result_all_pass(result))
        note_doubts(input->lab, compiled, cases, result);
    else
        unoptimized_tell(input->submission, cases, result);
    if (input->hidden_key) {
        int64_t start = record_now_ms();
        hidden_tests_judge(cases, whole, input->hidden_key, &effort, safe, hidden);
        hidden_publish(whole, hidden, result);
        hidden_ms = record_now_ms() - start;
    }
    if (safe && result_all_pass(result))
        time_on_gpu(cases, gpu);
    if (gpu)
        cases_gpu_end(gpu);
    /* only a program that is right, as its source has it, can be said to be right without a barrier */
    if (result_all_pass(result) && !result_findings_have(&result->notes, "optimized_away")) {
        const struct barriers_input notes = {.tests = input->hidden_key ? "visible test" : "test",
                                             .file = cases->file,
                                             .source = cases->setup.source,
                                             .source_bytes = cases->setup.source_bytes,
                                             .ptx = cases->ptx,
                                             .ptx_bytes = cases->ptx_bytes,
                                             .counted = counts(cases->setup.lab, "barriers")};
        barriers_report(&barriers, &notes, &result->notes);
    }
    verdict_conclude(result);
    if (input->trace)
        cases_trace(cases, result, input->trace);
    return hidden_ms;
}

static bool uses_shared(const struct plan_setup *setup)
{
    struct source *source = source_create(setup->source, setup->source_bytes);
    bool found = false;
    for (size_t i = 0; source && i < source->token_count && !found; i++)
        found = source_token_is(&source->tokens[i], "__shared__") && !source->tokens[i].defined;
    source_destroy(source);
    return found;
}

static void judge_lab(const struct judge_input *input, const struct lab *whole, struct result_lab *result)
{
    int64_t start = record_now_ms();
    const struct submission *submission = input->submission;
    memset(result, 0, sizeof *result);
    result->lab = input->lab->name;
    result->path = submission->path;
    cases_list(input->lab, input->hidden_key ? whole->case_count : input->lab->case_count, result);
    list_budgets(input->lab, result);
    if (submission->status != SUBMISSION_READ) {
        verdict_refuse(result, submission->path, "file", submission->message);
        return;
    }
    struct compile_result *compiled = allocate_zeroed(sizeof *compiled);
    struct compile_input compile_input = judge_compile_input(submission, input->lab);
    compile_input.cached = input->cached;
    struct cases_input cases = {
        .seed = input->seed,
        .hidden_follow = input->hidden_key,
        .file = compile_input.file_name,
        .show = input->show,
        .estimate_gpu = input->estimate_gpu ? input->estimate_gpu : estimate_find_gpu(NULL),
    };
    bool module = compile(&compile_input, compiled, result);
    result->fingerprint = compiled->fingerprint;
    result->fingerprint_count = compiled->fingerprint_count;
    compiled->fingerprint = NULL;
    source_limit_work(SOURCE_EXPLAIN_WORK);      /* all that is read from here on is read to explain */
    if (verdict_blame_lab(input->lab, result)) { /* known from before */
    } else if (module && prepare(input, compile_input.file_name, compiled, &cases.setup, result)) {
        cases.ptx = compiled->ptx;
        cases.ptx_bytes = compiled->ptx_bytes;
        cases.setup.source = compiled->seen ? compiled->seen : submission->source; /* as long as the source */
        cases.setup.source_bytes = submission->source_bytes;
        size_t before = result->notes.count;
        launch_lines_tell(&cases.setup, &compiled->summary, compile_input.file_name, &result->notes);
        for (size_t i = before; i < result->notes.count; i++) {
            struct result_finding *note = &result->notes.list[i];
            hints_find(input->lab, result->plan, note, note->hint, sizeof note->hint);
        }
        cases.setup.uses_shared = uses_shared(&cases.setup);
        start += judge_runs(input, whole, compiled, &cases, result);
    }
    source_limit_work(0);
    verdict_blame_lab(input->lab, result);
    compile_step_clear(compiled);
    free(compiled);
    result->seconds = (double)(record_now_ms() - start) / 1000.0;
}

void judge_submission(const struct judge_input *input, struct result_lab *result)
{
    struct judge_input chosen = *input;
    struct lab *lab = hidden_lab_visible(input->lab);
    chosen.lab = lab;
    judge_lab(&chosen, input->lab, result);
    hidden_lab_destroy(lab);
    if (input->hidden_key && result->test_count < input->lab->case_count)
        hidden_publish(input->lab, NULL, result); /* nothing ran */
    if (input->hidden_refusal)
        hidden_publish_skipped(input->lab, input->hidden_refusal, result);
}
