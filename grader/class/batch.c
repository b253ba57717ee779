/* The command `batch`: a folder of submissions in, a gradebook out. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/base/record.h"
#include "grader/class/decided.h"
#include "grader/class/gradebook.h"
#include "grader/class/outcome.h"
#include "grader/class/scan.h"
#include "grader/class/work.h"
#include "grader/collect/forms/forms.h"
#include "grader/compile/compile_server.h"
#include "grader/grading/workers.h"
#include "grader/judge/reference.h"
#include "grader/lab/arrays.h"
#include "grader/lab/kit.h"
#include "grader/options/commands.h"
#include "grader/run/probe.h"

/* A grading is a large one when a case has more elements than this. */
#define LARGE_ELEMENTS (16u << 20)

static enum exit_status give_up(const char *message, enum exit_status status)
{
    fprintf(stderr, "lockstep: %s\n", message);
    return status;
}

enum exit_status batch_give_up(const struct batch *batch, enum exit_status status)
{
    return give_up(batch->message, status);
}

/* ---- grading ------------------------------------------------------------------------------------------------------ */

/* Does a case of the lab have so many elements that the grading takes half a gigabyte? */
static bool is_large(const struct lab *lab)
{
    for (int i = 0; i < lab->case_count; i++) {
        if (arrays_elements(lab, &lab->cases[i]) > LARGE_ELEMENTS)
            return true;
    }
    return false;
}

static void fill_queues(struct batch *batch, size_t most)
{
    batch->large_most = most / 4 > 1 ? most / 4 : 1;
    for (int large = 0; large < 2; large++) {
        free(batch->queues[large]);
        batch->queue_counts[large] = batch->taken[large] = 0;
        batch->queues[large] = allocate_zeroed((batch->waiting_count + 1) * sizeof *batch->queues[large]);
    }
    for (size_t i = 0; i < batch->waiting_count; i++) {
        int large = is_large(batch->course.labs[batch->waiting[i].lab].lab);
        batch->queues[large][batch->queue_counts[large]++] = i;
    }
}

/* Is the grading this process's to make? Not when another one has claimed it, or has made it meanwhile. */
static bool claim(struct batch *batch, const char *key)
{
    if (!batch->claims.folder)
        return true;
    enum claims_answer answer = claims_take(&batch->claims, key, batch->message, sizeof batch->message);
    if (answer == CLAIMS_OTHER)
        batch->left_to_others++;
    return answer == CLAIMS_MINE && !store_has(&batch->store, key);
}

/* Large ones first, as far as memory allows: they take longest. */
static enum workers_next next_job(void *context, struct job *job, size_t *number)
{
    struct batch *batch = context;
    for (;;) {
        if (shard_is_stopped() || batch->message[0] != '\0')
            return WORKERS_NO_MORE;
        bool left[2] = {batch->taken[0] < batch->queue_counts[0], batch->taken[1] < batch->queue_counts[1]};
        bool large = left[1] && batch->large_running < batch->large_most;
        if (!left[large])
            return left[1] ? WORKERS_LATER : WORKERS_NO_MORE;
        *number = batch->queues[large][batch->taken[large]++];
        const struct waiting *waiting = &batch->waiting[*number];
        struct student *student = &batch->class.students[waiting->student];
        struct class_entry *entry = &student->entries[waiting->lab];
        if (!claim(batch, work_key(batch, entry))) {
            show_done(&batch->progress);
            continue;
        }
        scan_read(&batch->class, entry, &job->submission);
        if (job->submission.status != SUBMISSION_UNREADABLE && strcmp(job->submission.sha256, entry->sha256) == 0) {
            job->lab = batch->course.labs[waiting->lab].lab;
            batch->large_running += large;
            return WORKERS_JOB;
        }
        problems_add(&student->problems, PROBLEM_unreadable, entry->path, "%s",
                     job->submission.status == SUBMISSION_UNREADABLE
                         ? job->submission.message
                         : "It changed while the batch ran. Run the batch again.");
        entry->state = ENTRY_PROBLEM;
        submission_clear(&job->submission);
        show_done(&batch->progress);
    }
}

static bool is_harness_error(const json_t *answer)
{
    const char *state = json_string_value(json_object_get(json_object_get(answer, "lab"), "state"));
    return !state || strcmp(state, "harness_error") == 0;
}

static bool take_answer(void *context, size_t number, const struct job *job, const json_t *answer)
{
    struct batch *batch = context;
    const struct class_entry *entry = work_entry(batch, &batch->waiting[number]);
    json_t *grading = json_pack("{s:O,s:O,s:s,s:O?,s:O?,s:O*}", "lab", json_object_get(answer, "lab"), "machine",
                                json_object_get(answer, "machine"), "when", batch->store.begun, "seconds",
                                json_object_get(answer, "seconds"), "fingerprint", json_object_get(answer, "fingerprint"),
                                "lab_fault", json_object_get(answer, "lab_fault"));
    bool good = grading != NULL;
    if (good && batch->timing)
        json_object_set_new(grading, "timed", json_true());
    batch->large_running -= is_large(job->lab);
    batch->seconds += json_number_value(json_object_get(answer, "seconds"));
    if (good && is_harness_error(answer)) {
        /* Who ends this process may end its children first: what failed then is only not graded yet. */
        if (!shard_is_stopped())
            json_object_set(batch->failed, work_key(batch, entry), grading);
        if (!shard_is_stopped() && batch->store.use == STORE_SHARED)
            good = store_keep_failed(&batch->store, work_key(batch, entry), grading, batch->message, sizeof batch->message);
    } else {
        good = good && store_keep(&batch->store, work_key(batch, entry), grading, batch->message, sizeof batch->message);
        batch->graded += good;
    }
    json_decref(grading);
    show_done(&batch->progress);
    return good;
}

void batch_grade(struct batch *batch)
{
    size_t cores = batch->timing                   ? 1 /* or they would slow one another down */
                   : batch->options->job_count > 0 ? (size_t)batch->options->job_count
                                                   : workers_cores();
    struct workers_input input = {
        .seed = batch->store.seed, .hidden_key = batch->hidden.key, .fingerprints = true, .gpu = batch->timing};
    int64_t start = record_now_ms();
    for (int k = 0; k < batch->course.lab_count; k++) {
        bool wanted = false;
        for (size_t i = 0; i < batch->waiting_count && !wanted; i++)
            wanted = batch->waiting[i].lab == k;
        if (wanted)
            reference_prepare(batch->course.labs[k].lab, batch->store.seed);
    }
    fill_queues(batch, cores);
    show_begin(&batch->progress, stderr, batch->waiting_count);
    workers_stream(&input, cores, next_job, take_answer, batch);
    show_end(&batch->progress);
    if (batch->message[0] != '\0' || batch->waiting_count == 0 || batch->store.use == STORE_SHARED)
        return;
    double seconds = (double)(record_now_ms() - start) / 1000;
    if (batch->timing) {
        fprintf(batch->out, "%zu timings in %.1f s, one at a time\n\n", batch->waiting_count, seconds);
        return;
    }
    fprintf(batch->out, "%zu gradings in %.1f s: %.1f a second with %zu at once\n\n", batch->waiting_count, seconds,
            seconds > 0 ? (double)batch->waiting_count / seconds : 0, cores);
    json_t *throughput = json_pack("{s:f,s:I,s:I}", "seconds", seconds, "gradings", (json_int_t)batch->waiting_count,
                                   "cores", (json_int_t)cores);
    store_write_json(&batch->store, ".lockstep/throughput.json", throughput, batch->message, sizeof batch->message);
    json_decref(throughput);
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static enum exit_status judge_class(const struct batch *batch)
{
    return json_object_size(batch->failed) + batch->missing + batch->untimed > 0 ? EXIT_STATUS_HARNESS
           : outcome_needs_a_look(&batch->class)                                 ? EXIT_STATUS_SUBMISSION
                                                                                 : EXIT_STATUS_FULL_SCORE;
}

static enum exit_status stop(struct batch *batch)
{
    fprintf(stderr, "lockstep: %s\nWhat has been graded is kept in %s: fix this and run the same command again.\n",
            batch->message, batch->store.folder);
    return EXIT_STATUS_HARNESS;
}

enum exit_status batch_finish(struct batch *batch)
{
    class_sort(&batch->class);
    json_t *duplicates = results_take(batch);
    json_t *document = outcome_class_json(&batch->class, &batch->store, batch->hidden.key != NULL, duplicates);
    if (batch->decisions.file)
        json_object_set_new(document, "decisions", decided_json(&batch->decisions));
    enum exit_status status = judge_class(batch);
    if (!results_write(batch, document)) {
        status = stop(batch);
    } else {
        show_class(batch->out, &batch->class, duplicates, batch->colour);
        history_show(batch->out, &batch->history);
        enum gradebook_write gradebook = gradebook_write(batch);
        if (gradebook == GRADEBOOK_FAILED)
            status = EXIT_STATUS_HARNESS;
        else if (gradebook == GRADEBOOK_EDITED && status == EXIT_STATUS_FULL_SCORE)
            status = EXIT_STATUS_SUBMISSION;
        fprintf(batch->out, "class      %s/class.json, students/*.json\n", batch->store.folder);
        if (!batch->options->no_pages)
            gradebook_write_pages(batch);
    }
    json_decref(document);
    json_decref(duplicates);
    return status;
}

/* Says where SUBMISSIONS is a download of a learning system that `lockstep collect` makes a class of. Returns whether it can
 * be graded as it is. */
static bool accepts_download(struct batch *batch)
{
    const char *path = batch->class.submissions;
    struct stat facts;
    struct forms_list list;
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool listed = folder >= 0 && forms_list_read(folder, &list);
    bool is_collected = listed && fstatat(folder, ".lockstep/collect.json", &facts, 0) == 0,
         is_interrupted = listed && fstatat(folder, ".lockstep/placing.json", &facts, 0) == 0;
    if (folder >= 0)
        close(folder);
    if (!listed)
        return true; /* find_class says why */
    enum form form = forms_recognise(&list);
    bool is_download = !is_collected && form != FORM_FOLDERS && form != FORM_CLONES && form != FORM_UNKNOWN,
         is_flat = is_download && forms_is_flat(&list);
    forms_list_clear(&list);
    char *command = allocate_format("lockstep collect %s --into class%s%s", path, batch->options->course ? " --course " : "",
                                    batch->options->course ? batch->options->course : "");
    if (is_interrupted)
        snprintf(batch->message, sizeof batch->message,
                 "%.300s: `lockstep collect` was interrupted here. Run that command again: it completes what was begun.",
                 path);
    else if (is_flat)
        snprintf(batch->message, sizeof batch->message,
                 "%.300s: this is %s, in which nobody has a folder. Make a class of it first:\n  %.500s", path,
                 form_title(form), command);
    else if (is_download)
        fprintf(
            stderr,
            "lockstep: %s: this is %s. It is graded as it is, by its folders' names and without its times. For names, times and "
            "archives:\n  %s\n",
            path, form_title(form), command);
    free(command);
    return !is_interrupted && !is_flat;
}

/* Reads what the options name. Returns EXIT_STATUS_FULL_SCORE when all is there. */
enum exit_status batch_prepare(struct batch *batch, enum store_use use, const uint64_t *seed)
{
    const struct options *options = batch->options;
    if (kit_root()[0] == '\0')
        return give_up(kit_missing(), EXIT_STATUS_HARNESS);
    if (!options->course)
        course_init(&batch->course);
    else if (course_read(options->course, &batch->course, stderr) > 0)
        return give_up("the course file has errors; nothing was graded.", EXIT_STATUS_USAGE);
    class_init(&batch->class, &batch->course, options->arguments[0]);
    struct stat facts;
    bool found = stat(batch->class.submissions, &facts) == 0;
    if (!found || !S_ISDIR(facts.st_mode)) {
        size_t stem_bytes;
        bool is_archive = found && forms_is_archive(batch->class.submissions, &stem_bytes);
        snprintf(batch->message, sizeof batch->message, "%.300s: %s%.300s%s", batch->class.submissions,
                 is_archive ? "an archive, not a folder. If it is what you downloaded:\n  lockstep collect "
                 : found    ? "not a folder"
                            : strerror(errno),
                 is_archive ? batch->class.submissions : "", is_archive ? " --into class" : "");
        return give_up(batch->message, EXIT_STATUS_USAGE);
    }
    if (!accepts_download(batch))
        return give_up(batch->message, EXIT_STATUS_USAGE);
    if (!hidden_seed_find(options->hidden_seed_file, batch->course.hidden_seed_file, &batch->hidden, batch->message,
                          sizeof batch->message))
        return give_up(batch->message, EXIT_STATUS_USAGE);
    /* A class is not graded without the hidden tests that were asked for. */
    const char *refusal = hidden_seed_refuse(&batch->hidden);
    if (refusal) {
        snprintf(batch->message, sizeof batch->message, "%s Or leave the hidden seed out.", refusal);
        return give_up(batch->message, EXIT_STATUS_USAGE);
    }
    compile_server_start(); /* before the first submission is read: its children then have none in their memory */
    if (compile_server_version() == 0)
        return give_up("NVRTC, the compiler, is missing: `lockstep doctor` says how to get it. Nothing was graded.",
                       EXIT_STATUS_HARNESS);
    batch->store.own_parts = options->allow_unconfined;
    if (!store_open(options->out, seed, use, &batch->store, batch->message, sizeof batch->message))
        return give_up(batch->message, EXIT_STATUS_HARNESS);
    return EXIT_STATUS_FULL_SCORE;
}

bool batch_has_gpu(struct batch *batch)
{
    lockstep_device_info info;
    char why[900];
    bool found = probe_device(LOCKSTEP_GPU, &info, why, sizeof why);
    if (!found)
        snprintf(batch->message, sizeof batch->message, "%.60s has no GPU for --device gpu: %.900s", claims_machine(), why);
    return found;
}

void batch_tell_class(const struct batch *batch, const char *more)
{
    fprintf(batch->out, "%zu student%s, %d lab%s, seed %llu%s\n", batch->class.count, batch->class.count == 1 ? "" : "s",
            batch->course.lab_count, batch->course.lab_count == 1 ? "" : "s", (unsigned long long)batch->store.seed, more);
    fflush(batch->out);
}

static enum exit_status run_here(struct batch *batch)
{
    const struct options *options = batch->options;
    if (options->device == LOCKSTEP_GPU && !batch_has_gpu(batch))
        return batch_give_up(batch, EXIT_STATUS_HARNESS);
    enum exit_status status = batch_prepare(batch, STORE_ALONE, options->has_seed ? &options->seed : NULL);
    if (status != EXIT_STATUS_FULL_SCORE)
        return status;
    if (!find_class(batch) || !find_units(batch))
        return give_up(batch->message, EXIT_STATUS_USAGE);
    find_waiting(batch, NULL);
    batch_tell_class(batch, batch->store.resumed ? "; resuming where the last run stopped" : "");
    batch_grade(batch);
    if (options->device == LOCKSTEP_GPU && batch->message[0] == '\0') {
        find_timings(batch, NULL);
        batch_grade(batch);
    }
    return batch->message[0] != '\0' ? stop(batch) : batch_finish(batch);
}

static enum exit_status run(struct batch *batch)
{
    if (batch->options->shard_count > 0)
        return shard_run(batch);
    if (batch->options->gather)
        return shard_gather(batch);
    return batch->options->engine == ENGINE_SLURM ? slurm_run(batch) : run_here(batch);
}

/* Exit status: 0 every file of every student was graded, whatever the scores; 1 a person must look: somebody's work
 * could not be graded, or is not their own; 2 bad usage, course file or roster; 3 the kit failed for a submission, or the results could not be
 * written. */
int batch_run(const struct options *options)
{
    struct batch *batch = allocate_zeroed(sizeof *batch);
    batch->options = options;
    batch->out = options->json && strcmp(options->json, "-") == 0 ? stderr : stdout;
    batch->colour = paint_wanted(batch->out);
    batch->failed = json_object();
    batch->store.lock = batch->store.descriptor = -1;
    enum exit_status status = run(batch);
    compile_server_stop();
    if (batch->ids)
        names_destroy(batch->ids);
    claims_close(&batch->claims);
    free(batch->units);
    free(batch->waiting);
    free(batch->queues[0]);
    free(batch->queues[1]);
    json_decref(batch->failed);
    if (batch->class.course)
        class_clear(&batch->class);
    decisions_clear(&batch->decisions);
    store_close(&batch->store);
    hidden_seed_clear(&batch->hidden);
    course_clear(&batch->course);
    free(batch);
    return status;
}
