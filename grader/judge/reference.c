#include "grader/judge/reference.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/judge_compile.h"
#include "grader/lab/kit.h"
#include "grader/run/plan_choice.h"

static bool load_file(const struct lab *lab, int plan, uint64_t seed, const char *suffix, struct reference *reference)
{
    char path[KIT_PATH_BYTES];
    lockstep_compiled cached;
    struct plan_problem problem;
    kit_lab_file(lab, "solutions", suffix, path);
    submission_read(path, &reference->submission);
    if (reference->submission.status != SUBMISSION_READ)
        return false;
    struct compile_input compile = judge_compile_input(&reference->submission, lab);
    bool hit = judge_find_cached(&reference->submission, lab, &cached);
    compile.cached = hit ? &cached : NULL;
    compile_step(&compile, &reference->compiled);
    if (hit)
        lockstep_compiled_clear(&cached);
    struct plan_setup *setup = &reference->cases.setup;
    reference->present = reference->compiled.outcome == COMPILE_DONE
                         && plan_choice_find(lab, &reference->compiled, &setup->plan, &problem) && setup->plan == plan
                         && plan_choice_prepare(lab, &reference->compiled, setup, &problem);
    reference->cases.ptx = reference->compiled.ptx;
    reference->cases.ptx_bytes = reference->compiled.ptx_bytes;
    reference->cases.seed = seed;
    reference->cases.estimate_gpu = estimate_find_gpu(NULL);
    reference->cases.file = reference->submission.path;
    return reference->present;
}

void reference_load(const struct lab *lab, int plan, uint64_t seed, struct reference *reference)
{
    static const char *const suffixes[] = {"", "_fast"};
    memset(reference, 0, sizeof(*reference));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        if (load_file(lab, plan, seed, suffixes[i], reference))
            return;
        reference_clear(reference);
    }
}

void reference_clear(struct reference *reference)
{
    compile_step_clear(&reference->compiled);
    submission_clear(&reference->submission);
    memset(reference, 0, sizeof(*reference));
}

/* ---- counted once ------------------------------------------------------------------------------------------------- */

struct known {
    const char *lab; /* name; NULL: a free place */
    int plan;
    uint64_t seed;       /* of the budget case's inputs */
    struct tally *tally; /* [CASES_RUNS] */
};
static struct known known[64];
enum { KNOWN_COUNT = sizeof known / sizeof *known };

static const struct known *find_known(const char *lab, int plan, uint64_t seed)
{
    for (int i = 0; i < KNOWN_COUNT && known[i].lab; i++)
        if (strcmp(known[i].lab, lab) == 0 && known[i].plan == plan && known[i].seed == seed)
            return &known[i];
    return NULL;
}

static void run(const struct reference *reference, struct tally tally[CASES_RUNS])
{
    char message[256];
    cases_count(&reference->cases, tally, message, sizeof message);
}

void reference_count(const struct cases_input *cases, const struct tally own[CASES_RUNS], struct tally tally[CASES_RUNS])
{
    const struct lab *lab = cases->setup.lab;
    const struct known *before = find_known(lab->name, cases->setup.plan, cases->seed);
    struct reference reference;
    memset(tally, 0, CASES_RUNS * sizeof *tally);
    if (before) {
        memcpy(tally, before->tally, CASES_RUNS * sizeof *tally);
        return;
    }
    reference_load(lab, cases->setup.plan, cases->seed, &reference);
    reference.cases.estimate_gpu = cases->estimate_gpu;
    if (reference.present && reference.cases.ptx_bytes == cases->ptx_bytes
        && memcmp(reference.cases.ptx, cases->ptx, cases->ptx_bytes) == 0)
        memcpy(tally, own,
               CASES_RUNS
                   * sizeof *tally); /* the same module on the same inputs: counters are exact and would only be the same */
    else if (reference.present)
        run(&reference, tally);
    reference_clear(&reference);
}

void reference_prepare(const struct lab *lab, uint64_t seed)
{
    for (int plan = 0; plan < lab->plan_count; plan++) {
        struct reference reference;
        int place = 0;
        while (place < KNOWN_COUNT && known[place].lab)
            place++;
        if (place == KNOWN_COUNT || find_known(lab->name, plan, seed))
            continue;
        reference_load(lab, plan, seed, &reference);
        struct tally *tally = allocate_zeroed(CASES_RUNS * sizeof *tally);
        if (reference.present)
            run(&reference, tally);
        if (!reference.present || tally->present) /* what only failed is tried again beside each submission */
            known[place] = (struct known){lab->name, plan, seed, tally};
        else
            free(tally);
        reference_clear(&reference);
    }
}

/* ---- what everyone was given ---------------------------------------------------------------------------------------- */

static int compare_prints(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static void add_fingerprints(const struct lab *lab, const char *path, uint64_t **prints, size_t *count, size_t *capacity)
{
    struct submission submission;
    struct compile_result *compiled = allocate_zeroed(sizeof *compiled);
    lockstep_compiled cached;
    submission_read(path, &submission);
    if (submission.status == SUBMISSION_READ) {
        struct compile_input input = judge_compile_input(&submission, lab);
        bool hit = judge_find_cached(&submission, lab, &cached);
        input.cached = hit ? &cached : NULL;
        compile_step(&input, compiled);
        *prints = allocate_grown(*prints, capacity, *count + compiled->fingerprint_count, sizeof(**prints));
        if (compiled->fingerprint_count > 0)
            memcpy(*prints + *count, compiled->fingerprint, compiled->fingerprint_count * sizeof(**prints));
        *count += compiled->fingerprint_count;
        compile_step_clear(compiled);
        if (hit)
            lockstep_compiled_clear(&cached);
    }
    submission_clear(&submission);
    free(compiled);
}

static void add_variants(const struct lab *lab, uint64_t **prints, size_t *count, size_t *capacity)
{
    char folder[KIT_PATH_BYTES];
    kit_lab_part(lab, "variants", folder);
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".cu") != 0)
            continue;
        char *path = allocate_format("%s/%s", folder, entry->d_name);
        add_fingerprints(lab, path, prints, count, capacity);
        free(path);
    }
    if (list)
        closedir(list);
}

void reference_fingerprints(const struct lab *lab, uint64_t **prints, size_t *count)
{
    static const char *const files[][2] = {{"labs", ""}, {"solutions", ""}, {"solutions", "_fast"}};
    char path[KIT_PATH_BYTES];
    size_t capacity = 0;
    *prints = NULL;
    *count = 0;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        kit_lab_file(lab, files[i][0], files[i][1], path);
        add_fingerprints(lab, path, prints, count, &capacity);
    }
    add_variants(lab, prints, count, &capacity);
    if (*count > 0)
        qsort(*prints, *count, sizeof(**prints), compare_prints);
}
