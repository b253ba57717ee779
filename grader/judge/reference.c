#include "grader/judge/reference.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/judge_compile.h"
#include "grader/judge/seal.h"
#include "grader/lab/kit.h"
#include "grader/run/plan_choice.h"

/* What was compiled becomes the reference if it has the plan. */
static bool take_compiled(const struct lab *lab, int plan, uint64_t seed, struct reference *reference)
{
    struct plan_problem problem;
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

/* Returns whether there is such a file. */
static bool load_file(const struct lab *lab, int plan, uint64_t seed, const char *suffix, struct reference *reference)
{
    char path[KIT_PATH_BYTES];
    lockstep_compiled cached;
    kit_lab_file(lab, "solutions", suffix, path);
    submission_read(path, &reference->submission);
    if (reference->submission.status != SUBMISSION_READ)
        return reference->submission.status != SUBMISSION_UNREADABLE;
    struct compile_input compile = judge_compile_input(&reference->submission, lab);
    bool hit = judge_find_cached(&reference->submission, lab, &cached);
    compile.cached = hit ? &cached : NULL;
    compile_step(&compile, &reference->compiled);
    if (hit)
        lockstep_compiled_clear(&cached);
    take_compiled(lab, plan, seed, reference);
    return true;
}

/* The same of a kit without solutions: the modules themselves are there. */
static void load_sealed(const struct lab *lab, int plan, uint64_t seed, struct reference *reference)
{
    struct seal seal;
    char message[sizeof reference->message];
    enum seal_status status = seal_open(lab, &seal, message, sizeof message);
    for (size_t i = 0; i < seal.count && !reference->present; i++) {
        const struct seal_file *file = &seal.files[i];
        if (!file->ptx)
            continue;
        const lockstep_compiled compiled = {.ptx = file->ptx, .ptx_bytes = file->ptx_bytes};
        struct compile_input compile = {.source = "", .file_name = file->path, .lab = lab, .cached = &compiled};
        reference_clear(reference);
        snprintf(reference->submission.path, sizeof reference->submission.path, "%s", file->path);
        compile_step(&compile, &reference->compiled);
        take_compiled(lab, plan, seed, reference);
    }
    if (status == SEAL_ABSENT)
        snprintf(
            message, sizeof message,
            "this kit has neither the solution of %s nor a seal in its place. Make a kit without solutions with ci/package.",
            lab->name);
    if (status != SEAL_OPENED)
        snprintf(reference->message, sizeof reference->message, "%s", message);
    seal_clear(&seal);
}

void reference_load(const struct lab *lab, int plan, uint64_t seed, struct reference *reference)
{
    static const char *const suffixes[] = {"", "_fast"};
    bool any = false;
    memset(reference, 0, sizeof(*reference));
    for (size_t i = 0; i < sizeof suffixes / sizeof *suffixes; i++) {
        any |= load_file(lab, plan, seed, suffixes[i], reference);
        if (reference->present)
            return;
        reference_clear(reference);
    }
    if (!any)
        load_sealed(lab, plan, seed, reference);
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

void reference_count(const struct cases_input *cases, const struct tally own[CASES_RUNS], struct tally tally[CASES_RUNS],
                     char *message, size_t message_bytes)
{
    const struct lab *lab = cases->setup.lab;
    const struct known *before = find_known(lab->name, cases->setup.plan, cases->seed);
    struct reference reference;
    memset(tally, 0, CASES_RUNS * sizeof *tally);
    message[0] = '\0';
    if (before) {
        memcpy(tally, before->tally, CASES_RUNS * sizeof *tally);
        return;
    }
    reference_load(lab, cases->setup.plan, cases->seed, &reference);
    reference.cases.estimate_gpu = cases->estimate_gpu;
    snprintf(message, message_bytes, "%s", reference.message);
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
        if ((!reference.present && reference.message[0] == '\0')
            || tally->present) /* what only failed is tried again beside each submission */
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

static void add_file(const struct lab *lab, const char *path, struct reference_prints *prints)
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
        prints->files = allocate_grown(prints->files, &prints->file_capacity, prints->file_count + 1, sizeof *prints->files);
        struct reference_file *file = &prints->files[prints->file_count++];
        size_t root = strlen(kit_root());
        bool inside = strncmp(submission.path, kit_root(), root) == 0 && submission.path[root] == '/';
        const char *of_kit = inside ? submission.path + root + 1 : submission.path;
        *file = (struct reference_file){.path = allocate_text(of_kit, strlen(of_kit)), .count = compiled->fingerprint_count};
        file->prints = allocate_zeroed((file->count + 1) * sizeof *file->prints);
        if (file->count > 0)
            memcpy(file->prints, compiled->fingerprint, file->count * sizeof *file->prints);
        compile_step_clear(compiled);
        if (hit)
            lockstep_compiled_clear(&cached);
    }
    submission_clear(&submission);
    free(compiled);
}

/* Of a kit without solutions: the same files, as far as they are not there. Returns whether there are any. */
static bool add_sealed(const struct lab *lab, struct reference_prints *prints)
{
    struct seal seal;
    char message[512];
    enum seal_status status = seal_open(lab, &seal, message, sizeof message);
    for (size_t i = 0; i < seal.count; i++) {
        const struct seal_file *file = &seal.files[i];
        prints->files = allocate_grown(prints->files, &prints->file_capacity, prints->file_count + 1, sizeof *prints->files);
        struct reference_file *own = &prints->files[prints->file_count++];
        *own = (struct reference_file){.path = allocate_text(file->path, strlen(file->path)), .count = file->print_count};
        own->prints = allocate_zeroed((own->count + 1) * sizeof *own->prints);
        if (own->count > 0)
            memcpy(own->prints, file->prints, own->count * sizeof *own->prints);
    }
    seal_clear(&seal);
    return status == SEAL_OPENED;
}

static void add_variants(const struct lab *lab, struct reference_prints *prints)
{
    char folder[KIT_PATH_BYTES];
    struct dirent **entries;
    kit_lab_part(lab, "variants", folder);
    int count = scandir(folder, &entries, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        size_t length = strlen(entries[i]->d_name);
        char *path = allocate_format("%s/%s", folder, entries[i]->d_name);
        if (length > 3 && strcmp(entries[i]->d_name + length - 3, ".cu") == 0)
            add_file(lab, path, prints);
        free(path);
        free(entries[i]);
    }
    if (count >= 0)
        free(entries);
}

void reference_prints_read(const struct lab *lab, struct reference_prints *prints)
{
    static const char *const files[][2] = {{"labs", ""}, {"solutions", ""}, {"solutions", "_fast"}};
    char path[KIT_PATH_BYTES];
    size_t capacity = 0;
    memset(prints, 0, sizeof *prints);
    bool sealed = add_sealed(lab, prints);
    for (size_t i = 0; i < sizeof files / sizeof *files && !sealed; i++) {
        kit_lab_file(lab, files[i][0], files[i][1], path);
        add_file(lab, path, prints);
    }
    if (!sealed)
        add_variants(lab, prints);
    for (size_t i = 0; i < prints->file_count; i++) {
        const struct reference_file *file = &prints->files[i];
        prints->common = allocate_grown(prints->common, &capacity, prints->common_count + file->count,
                                        sizeof *prints->common);
        if (file->count > 0)
            memcpy(prints->common + prints->common_count, file->prints, file->count * sizeof *file->prints);
        prints->common_count += file->count;
    }
    if (prints->common_count > 0)
        qsort(prints->common, prints->common_count, sizeof *prints->common, compare_prints);
}

void reference_prints_clear(struct reference_prints *prints)
{
    for (size_t i = 0; i < prints->file_count; i++) {
        free(prints->files[i].path);
        free(prints->files[i].prints);
    }
    free(prints->files);
    free(prints->common);
    memset(prints, 0, sizeof *prints);
}

const char *reference_prints_find(const struct reference_prints *kit, const uint64_t *prints, size_t count)
{
    for (size_t i = 0; i < kit->file_count; i++)
        if (kit->files[i].count == count && memcmp(kit->files[i].prints, prints, count * sizeof *prints) == 0)
            return kit->files[i].path;
    return NULL;
}
