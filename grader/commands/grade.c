#include "grader/commands/grade.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/seed.h"
#include "grader/compile/compile_server.h"
#include "grader/grading/jobs.h"
#include "grader/grading/progress.h"
#include "grader/grading/workers.h"
#include "grader/grading/workspace.h"
#include "grader/judge/hidden.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "grader/result/json_text.h"
#include "grader/result/report.h"
#include "grader/result/result_json.h"
#include "grader/run/probe.h"
#include "grader/sandbox/sandbox.h"

/* What is collected while the answers come in. */
struct grading {
    FILE *out; /* for people */
    bool colour;
    json_t *labs;        /* the result file's `labs` */
    json_t *machine;     /* of the first lab that had a device; NULL: none */
    double seconds[256]; /* by lab, for the table */
    int score, max_score;
    enum exit_status status;
    uint64_t seed;
    bool single;      /* one file is graded … */
    char *stuck_path; /* … which is not the student's own and has not all points: what `hint` needs to find it; owned */
    const struct lab *stuck; /* the first lab of the student's own that has not all points; NULL: none */
};

static void worsen(enum exit_status *status, enum exit_status other)
{
    *status = other > *status ? other : *status;
}

/* Keeps the verdict on a file of the student's own. */
static void keep_progress(struct grading *grading, const struct job *job, const json_t *answer)
{
    struct workspace workspace;
    struct progress_key key;
    const struct progress_view view = {paint_width(), grading->colour, grading->seed};
    json_t *lab = json_object_get(answer, "lab");
    workspace_find_for(job->submission.path, &workspace);
    progress_key_for(&workspace, job->lab, job->submission.path, &key);
    if (workspace.keeps_progress && !key.own && grading->single && json_is_object(json_object_get(lab, "cause")))
        grading->stuck_path = kit_file_words(job->lab, job->submission.path);
    if (!workspace.keeps_progress || !key.own)
        return;
    json_t *latest = progress_latest(answer, job->submission.sha256, &view);
    bool kept = progress_record(&workspace, &key, latest);
    json_decref(latest);
    if (kept && !grading->stuck && json_is_object(json_object_get(lab, "cause")))
        grading->stuck = job->lab;
}

static void take_answer(void *context, const struct job *job, const json_t *answer)
{
    struct grading *grading = context;
    json_t *lab = json_object_get(answer, "lab");
    const json_t *report = json_object_get(answer, "report");
    keep_progress(grading, job, answer);
    paint_finished(grading->out, json_string_value(report), json_string_length(report));
    fflush(grading->out);
    size_t index = json_array_size(grading->labs);
    if (index < sizeof grading->seconds / sizeof *grading->seconds)
        grading->seconds[index] = json_real_value(json_object_get(answer, "seconds"));
    json_array_append(grading->labs, lab);
    if (!grading->machine && json_is_object(json_object_get(answer, "machine")))
        grading->machine = json_incref(json_object_get(answer, "machine"));
    int score = (int)json_integer_value(json_object_get(lab, "score"));
    int max_score = (int)json_integer_value(json_object_get(lab, "max_score"));
    grading->score += score;
    grading->max_score += max_score;
    if (strcmp(json_string_value(json_object_get(lab, "state")), result_state_name(RESULT_HARNESS_ERROR)) == 0)
        worsen(&grading->status, EXIT_STATUS_HARNESS);
    else if (score < max_score)
        worsen(&grading->status, EXIT_STATUS_SUBMISSION);
}

static enum result_state state_of(const json_t *lab)
{
    const char *name = json_string_value(json_object_get(lab, "state"));
    for (int i = RESULT_PASS; i <= RESULT_INCONCLUSIVE; i++)
        if (strcmp(result_state_name((enum result_state)i), name) == 0)
            return (enum result_state)i;
    return RESULT_HARNESS_ERROR;
}

static void print_table(const struct grading *grading, uint64_t seed)
{
    FILE *out = grading->out;
    size_t i;
    json_t *lab;
    /* Name, verdict, score; the time where there is room for it. */
    bool wide = paint_width() >= 56;
    int name = wide ? 24 : 17, verdict = wide ? 12 : 10;
    fprintf(out, "%s%-*s %-*s %9s%s%s\n", paint_on(grading->colour, PAINT_BOLD), name, "lab", verdict, "verdict", "score",
            wide ? "     time" : "", paint_off(grading->colour));
    json_array_foreach(grading->labs, i, lab)
    {
        enum result_state state = state_of(lab);
        fprintf(out, "%-*s ", name, json_string_value(json_object_get(lab, "lab")));
        report_state(out, state, grading->colour);
        fprintf(out, "%*s ", verdict - (int)strlen(report_state_word(state)), "");
        if (state == RESULT_HARNESS_ERROR) /* not a zero */
            fprintf(out, "%5s/%-3lld", "-", (long long)json_integer_value(json_object_get(lab, "max_score")));
        else
            fprintf(out, "%5lld/%-3lld", (long long)json_integer_value(json_object_get(lab, "score")),
                    (long long)json_integer_value(json_object_get(lab, "max_score")));
        if (wide && i < sizeof grading->seconds / sizeof *grading->seconds && grading->seconds[i] > 0)
            fprintf(out, " %6.2f s", grading->seconds[i]);
        else if (wide)
            fprintf(out, " %8s", "-");
        fputc('\n', out);
    }
    fprintf(out, "%-*s %-*s %s%5d/%-3d%s\n", name, "total", verdict, "", paint_on(grading->colour, PAINT_BOLD),
            grading->score, grading->max_score, paint_off(grading->colour));
    if (grading->stuck)
        fprintf(out, "\n%sStuck? %s hint %s%s", paint_on(grading->colour, PAINT_DIM), kit_program(), grading->stuck->name,
                paint_off(grading->colour));
    else if (grading->stuck_path)
        fprintf(out, "\n%sStuck? %s hint %s --seed %llu%s", paint_on(grading->colour, PAINT_DIM), kit_program(),
                grading->stuck_path, (unsigned long long)seed, paint_off(grading->colour));
    fprintf(out, "\n%sSame inputs again: --seed %llu%s\n", paint_on(grading->colour, PAINT_DIM), (unsigned long long)seed,
            paint_off(grading->colour));
}

/* ---- the result file ---------------------------------------------------------------------------------------------- */

static json_t *submission_json(const struct options *options, const struct jobs *jobs)
{
    json_t *files = json_array();
    for (size_t i = 0; i < jobs->count; i++)
        json_array_append_new(files, json_pack("{s:o,s:o}", "path", result_json_text(jobs->list[i].submission.path),
                                               "sha256", result_json_text(jobs->list[i].submission.sha256)));
    const char *id = options->argument_count > 0 ? options->arguments[0] : "labs";
    return json_pack("{s:o,s:o}", "id", result_json_text(id), "files", files);
}

/* The parts in force around the children. */
static json_t *sandbox_json(void)
{
    json_t *words = json_array();
    for (int part = 0; part < SANDBOX_PARTS; part++)
        if (sandbox_parts() >> part & 1)
            json_array_append_new(words, json_string(sandbox_part_in_force((enum sandbox_part)part)));
    return words;
}

static json_t *machine_json(const json_t *device)
{
    json_t *machine = device ? json_copy((json_t *)device) : result_json_machine(NULL);
    int version = compile_server_version();
    char text[32];
    snprintf(text, sizeof text, "%d.%d", version / 100, version % 100);
    json_object_set_new(machine, "nvrtc", version > 0 ? json_string(text) : json_null());
    json_object_set_new(machine, "sandbox", sandbox_json());
    return machine;
}

json_t *grade_document(json_t *submission, json_t *labs, const json_t *device, uint64_t seed, const char *when)
{
    int score = 0, max_score = 0;
    size_t i;
    json_t *lab;
    json_array_foreach(labs, i, lab)
    {
        score += (int)json_integer_value(json_object_get(lab, "score"));
        max_score += (int)json_integer_value(json_object_get(lab, "max_score"));
    }
    return json_pack("{s:s,s:{s:s,s:o},s:s,s:I,s:o,s:o,s:O,s:i,s:i}", "schema", "lockstep/result/v1", "kit", "version",
                     KIT_VERSION, "git", result_json_text(kit_git()), "when", when, "seed", (json_int_t)seed, "machine",
                     machine_json(device), "submission", submission, "labs", labs, "score", score, "max_score", max_score);
}

/* Writes base64 text as a file. Returns false with errno set when that fails. */
static bool write_picture(const char *path, const char *text)
{
    size_t bytes = 0;
    uint8_t *png = json_text_decode(text, &bytes);
    FILE *file = png ? fopen(path, "wb") : NULL;
    bool good = file && fwrite(png, 1, bytes, file) == bytes;
    if (file && fclose(file) != 0)
        good = false;
    free(png);
    return good;
}

/* Of a test that failed with a wrong picture: result.json gets result_LAB_expected.png and so on beside it. */
static bool write_pictures(const struct options *options, const struct grading *grading)
{
    static const char *const parts[] = {"expected", "got", "difference"};
    size_t i, k, length = strlen(options->json);
    int stem = (int)(length > 5 && strcmp(options->json + length - 5, ".json") == 0 ? length - 5 : length);
    const json_t *lab, *test;
    bool good = true;
    json_array_foreach(grading->labs, i, lab)
    {
        json_array_foreach(json_object_get(lab, "tests"), k, test)
        {
            const json_t *picture = json_object_get(test, "picture");
            for (size_t p = 0; picture && p < sizeof parts / sizeof *parts; p++) {
                const char *text = json_string_value(json_object_get(picture, parts[p]));
                char *path = allocate_format("%.*s_%s_%s.png", stem, options->json,
                                             json_string_value(json_object_get(lab, "lab")), parts[p]);
                bool written = text && write_picture(path, text);
                if (written)
                    fprintf(grading->out, "Test \"%s\", picture %s: %s\n", json_string_value(json_object_get(test, "name")),
                            parts[p], path);
                else
                    fprintf(stderr, "lockstep: %s: %s\n", path, strerror(errno));
                good &= written;
                free(path);
            }
        }
    }
    return good;
}

static enum exit_status write_result(const struct options *options, const struct jobs *jobs, const struct grading *grading,
                                     uint64_t seed)
{
    char when[32], message[512];
    time_t now = time(NULL);
    struct tm utc;
    strftime(when, sizeof when, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&now, &utc));
    json_t *result = grade_document(submission_json(options, jobs), grading->labs, grading->machine, seed, when);
    bool good = result && result_json_write(result, options->json, message, sizeof message);
    if (!good)
        fprintf(stderr, "lockstep: %s\n", result ? message : "the result could not be encoded as JSON");
    if (good && strcmp(options->json, "-") != 0)
        good = write_pictures(options, grading);
    json_decref(result);
    return good ? EXIT_STATUS_FULL_SCORE : EXIT_STATUS_HARNESS;
}

/* ---- grade -------------------------------------------------------------------------------------------------------- */

/* Whether the GPU is to be used. Returns false when one was demanded and there is none. */
static bool choose_device(const struct options *options, bool *gpu)
{
    lockstep_device_info info;
    char message[1700];
    *gpu = options->device != LOCKSTEP_EMULATED && probe_device(LOCKSTEP_GPU, &info, message, sizeof message);
    if (*gpu || options->device != LOCKSTEP_GPU)
        return true;
    fprintf(stderr, "lockstep: --device gpu: %s\n", message);
    return false;
}

/* NVRTC starts while the workers do, when one of them is going to need it. */
static void warm_up(const struct jobs *jobs)
{
    for (size_t i = 0; i < jobs->count; i++)
        if (!jobs->list[i].has_cached && jobs->list[i].submission.status == SUBMISSION_READ) {
            compile_server_warm();
            return;
        }
}

int grade_run(const struct options *options)
{
    struct jobs jobs;
    bool gpu = false;
    struct grading grading = {.out = options->json && strcmp(options->json, "-") == 0 ? stderr : stdout};
    if (kit_root()[0] == '\0') {
        fprintf(stderr, "lockstep: %s\n", kit_missing());
        return EXIT_STATUS_HARNESS;
    }
    struct hidden_seed hidden;
    char message[1024];
    if (!hidden_seed_find(options->hidden_seed_file, NULL, &hidden, message, sizeof message)) {
        fprintf(stderr, "lockstep: %s\n", message);
        return EXIT_STATUS_USAGE;
    }
    compile_server_start(); /* a failure shows where it matters: each compile tries again */
    jobs_find(options, &jobs);
    grading.status = jobs.problems > 0 ? EXIT_STATUS_USAGE : EXIT_STATUS_FULL_SCORE;
    if (jobs.count > 0 && !choose_device(options, &gpu)) {
        hidden_seed_clear(&hidden);
        jobs_clear(&jobs);
        return EXIT_STATUS_HARNESS;
    }
    grading.colour = paint_wanted(grading.out);
    grading.labs = json_array();
    uint64_t seed = options->has_seed ? options->seed : seed_draw();
    grading.seed = seed;
    grading.single = jobs.count == 1 && !hidden.key;
    const char *refusal = hidden_seed_refuse(&hidden);
    if (refusal)
        fprintf(stderr, "lockstep: %s\n", refusal);
    struct workers_input input = {
        .jobs = &jobs,
        .seed = seed,
        .hidden_key = hidden.key,
        .gpu = gpu,
        .colour = grading.colour,
        .estimate_gpu = options->gpu,
        .hidden_refusal = refusal,
    };
    warm_up(&jobs);
    workers_run(&input, take_answer, &grading);
    if (jobs.count > 0)
        print_table(&grading, seed);
    if (options->json)
        worsen(&grading.status, write_result(options, &jobs, &grading, seed));
    json_decref(grading.labs);
    json_decref(grading.machine);
    free(grading.stuck_path);
    hidden_seed_clear(&hidden);
    jobs_clear(&jobs);
    compile_server_stop();
    return grading.status;
}
