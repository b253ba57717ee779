/* The command `batch --engine slurm`: an array of shards, a job that gathers, and a look at both until they have ended. */
#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/base/record.h"
#include "grader/class/work.h"
#include "grader/cluster/slurm.h"
#include "grader/options/commands.h"
#include "grader/result/result_json.h"

#define SCHEMA "lockstep/slurm/v1"

enum {
    ROUNDS_MAX = 3, /* how often one command submits what is left */
    TASK_MS = 600000,
    TIMING_MS = 10000, /* about, with the grading before it */
    TASKS_MAX = 64,    /* unless --jobs says so */
    LOOK_MS = 1000,
    SILENT_MAX_S = 900,    /* a controller that is down for longer is somebody's work, not ours */
    VISIBLE_WAIT_MS = 500, /* for a file that a job on another machine has just written */
    VISIBLE_TRIES = 20,
};

/* The jobs of a round. */
struct round {
    slurm_job array, timing, gather; /* "": not submitted; timing: on GPUs, once the array has ended */
    uint32_t tasks, timing_tasks;
    int number; /* of this command, from 1; 0: an earlier command submitted it */
};

static volatile sig_atomic_t interrupted;

static void note_interrupt(int signal)
{
    interrupted = signal;
}

/* ---- DIR/.lockstep/slurm.json: the jobs, for the next command --------------------------------------------------------- */

static bool write_round(const struct batch *batch, const struct round *round, char *message, size_t message_bytes)
{
    char *path = store_path(&batch->store, "slurm.json");
    json_t *document = json_pack("{s:s,s:s,s:s,s:s,s:I,s:I}", "schema", SCHEMA, "array", round->array, "timing",
                                 round->timing, "gather", round->gather, "tasks", (json_int_t)round->tasks, "timing_tasks",
                                 (json_int_t)round->timing_tasks);
    bool good = files_write_json(path, document, message, message_bytes) != FILES_FAILED;
    json_decref(document);
    free(path);
    return good;
}

static void read_job(const json_t *document, const char *name, slurm_job job)
{
    const char *text = json_string_value(json_object_get(document, name));
    if (text && strspn(text, "0123456789") == strlen(text))
        snprintf(job, sizeof(slurm_job), "%.20s", text);
}

static void read_round(const char *folder, struct round *round)
{
    char *path = allocate_format("%s/.lockstep/slurm.json", folder);
    json_t *document = files_read_json(path, 0);
    *round = (struct round){.tasks = (uint32_t)json_integer_value(json_object_get(document, "tasks")),
                            .timing_tasks = (uint32_t)json_integer_value(json_object_get(document, "timing_tasks"))};
    read_job(document, "array", round->array);
    read_job(document, "timing", round->timing);
    read_job(document, "gather", round->gather);
    json_decref(document);
    free(path);
}

/* Its jobs, with this between them; "" when there are none. Owned by the caller. */
static char *list_jobs(const struct round *round, const char *between)
{
    const char *const jobs[] = {round->array, round->timing, round->gather};
    char *list = NULL;
    size_t bytes = 0;
    FILE *text = open_memstream(&list, &bytes);
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (jobs[i][0] != '\0')
            fprintf(text, "%s%s", ftell(text) > 0 ? between : "", jobs[i]);
    fclose(text);
    return list;
}

static void forget_round(const struct batch *batch, struct round *round)
{
    char *path = store_path(&batch->store, "slurm.json");
    unlink(path);
    free(path);
    round->array[0] = round->timing[0] = round->gather[0] = '\0';
}

/* ---- scripts ------------------------------------------------------------------------------------------------------ */

static char *script_path(const struct batch *batch, const char *name)
{
    return allocate_format("%s/slurm/%s", batch->store.folder, name);
}

/* before: what precedes the word, with its blanks */
static void add_word(FILE *file, const char *before, const char *value)
{
    char *quoted = slurm_quoted(value);
    fprintf(file, "%s%s", before, quoted);
    free(quoted);
}

/* The command that a job runs, but for --shard or --gather: paths as they were typed, from the same folder. */
static void write_command(FILE *file, const struct batch *batch, const char *before)
{
    const struct options *options = batch->options;
    char here[4096], program[4096];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = '\0';
    add_word(file, "cd ", getcwd(here, sizeof here) ? here : "/");
    fprintf(file, " || exit 3\n%s", before);
    add_word(file, "", program);
    add_word(file, " batch ", options->arguments[0]);
    add_word(file, " --out ", options->out);
    if (options->course)
        add_word(file, " --course ", options->course);
    if (options->hidden_seed_file)
        add_word(file, " --hidden-seed-file ", options->hidden_seed_file);
    for (int i = 0; i < options->labs_from_count; i++)
        add_word(file, " " OPTIONS_LABS_FROM " ", options->labs_from[i]);
    fputs(options->allow_unconfined ? " --allow-unconfined" : "", file);
}

/* Where a job's output goes; Slurm replaces %. */
static void write_output(FILE *file, const struct batch *batch, const char *name)
{
    char here[4096] = "";
    fputs("#SBATCH --open-mode=append\n#SBATCH --output=\"", file);
    if (batch->store.folder[0] != '/' && getcwd(here, sizeof here - 1))
        strcat(here, "/");
    for (int part = 0; part < 2; part++)
        for (const char *at = part == 0 ? here : batch->store.folder; *at != '\0'; at++)
            fprintf(file, *at == '%' ? "%%%%" : "%c", *at);
    fprintf(file, "/slurm/log/%s.txt\"\n", name);
}

static bool is_timed(const struct batch *batch)
{
    return batch->options->device == LOCKSTEP_GPU;
}

/* gpu: of the tasks that time */
static void write_settings(FILE *file, const struct options *options, const char *name, bool gpu)
{
    const char *memory = options->memory ? options->memory : gpu ? "4G" : "1500M";
    fprintf(file, "#SBATCH --job-name=lockstep-%s\n#SBATCH --ntasks=1\n#SBATCH --cpus-per-task=1\n#SBATCH --mem=%s\n", name,
            memory);
    const char *const settings[][2] = {
        {"partition", gpu && options->gpu_partition ? options->gpu_partition : options->partition},
        {"gres", !gpu            ? NULL
                 : options->gres ? options->gres
                                 : "gpu:1"},
        {"account", options->account},
        {"time", options->time}};
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (settings[i][1])
            fprintf(file, "#SBATCH --%s=%s\n", settings[i][0], settings[i][1]);
}

/* Nodes that refused a shard, with commas between; owned by the caller. */
static char *list_refused(const struct batch *batch, bool gpu, bool tell)
{
    char *folder = store_path(&batch->store, gpu ? "refused_gpu" : "refused"), *names = NULL, message[512];
    size_t bytes = 0;
    FILE *text = open_memstream(&names, &bytes);
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));) {
        char *path = allocate_format("%s/%s", folder, entry->d_name);
        size_t length = 0;
        char *why = entry->d_name[0] != '.' ? files_read(path, 65536, &length, message, sizeof message) : NULL;
        if (why
            && strspn(entry->d_name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.")
                   == strlen(entry->d_name)) {
            fprintf(text, "%s%s", ftell(text) > 0 ? "," : "", entry->d_name);
            if (tell)
                fprintf(stderr, "lockstep: the node %s cannot %s: %s\n", entry->d_name, gpu ? "time" : "grade", why);
        }
        free(why);
        free(path);
    }
    if (list)
        closedir(list);
    fclose(text);
    free(folder);
    return names;
}

static void forget_refused(const struct batch *batch, const char *name)
{
    char *folder = store_path(&batch->store, name);
    DIR *list = opendir(folder);
    for (struct dirent *entry; list && (entry = readdir(list));)
        unlinkat(dirfd(list), entry->d_name, 0);
    if (list)
        closedir(list);
    free(folder);
}

/* gpu: the tasks that time what has passed, each on a GPU of its own */
static char *grade_script(const struct batch *batch, uint32_t tasks, bool gpu)
{
    char *text = NULL, *refused = list_refused(batch, gpu, false);
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    fprintf(file, "#!/bin/sh\n# Each task %s. Written by `lockstep batch --engine slurm`.\n",
            gpu ? "times what passed in one part of the class, one submission at a time, on a GPU that it has for itself"
                : "grades one part of the class");
    write_settings(file, batch->options, gpu ? "time" : "grade", gpu);
    fprintf(file, "#SBATCH --array=1-%u\n#SBATCH --requeue\n", tasks);
    if (refused[0] != '\0')
        fprintf(file, "#SBATCH --exclude=%s\n", refused);
    fputs("# A minute before the time limit: what is being graded is kept, the rest is left.\n#SBATCH --signal=B:USR1@60\n",
          file);
    write_output(file, batch, gpu ? "time-%A_%a" : "grade-%A_%a");
    write_command(file, batch, "exec ");
    fprintf(file, " --jobs \"${SLURM_CPUS_PER_TASK:-1}\" --shard \"$SLURM_ARRAY_TASK_ID/%u\"%s\n", tasks,
            gpu ? " --device gpu" : "");
    fclose(file);
    free(refused);
    return text;
}

static char *gather_script(const struct batch *batch)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    fputs("#!/bin/sh\n# Makes the results once all tasks have ended. Written by `lockstep batch --engine slurm`.\n", file);
    write_settings(file, batch->options, "gather", false);
    write_output(file, batch, "gather-%j");
    write_command(file, batch, "");
    fputs(" --gather", file);
    fputs(is_timed(batch) ? " --device gpu" : "", file);
    fputs(batch->options->no_pages ? " --no-pages" : "", file);
    fputs(batch->options->overwrite ? " --overwrite" : "", file);
    char *status = script_path(batch, "gather.status"), *quoted = slurm_quoted(status);
    fprintf(file, "\nstatus=$?\necho \"$SLURM_JOB_ID $status\" > %s\n", quoted);
    fputs("# 1: a person must look at somebody's work. The job has not failed then.\n"
          "[ $status -le 1 ] || exit $status\n",
          file);
    fclose(file);
    free(status);
    free(quoted);
    return text;
}

static bool write_script(struct batch *batch, const char *name, char *text)
{
    char *path = script_path(batch, name);
    bool good = files_write(path, text, strlen(text), batch->message, sizeof batch->message) != FILES_FAILED;
    free(path);
    free(text);
    return good;
}

static bool make_folder(struct batch *batch, const char *name)
{
    char *path = allocate_format("%s/%s", batch->store.folder, name);
    bool good = mkdir(path, 0777) == 0 || errno == EEXIST;
    if (!good)
        snprintf(batch->message, sizeof batch->message, "%.300s: %s", path, strerror(errno));
    free(path);
    return good;
}

/* ---- submitting --------------------------------------------------------------------------------------------------- */

/* Which shard grades what, in DIR/.lockstep/shares.json. Sets how many tasks there are. */
static bool divide(struct batch *batch, uint32_t limit, uint32_t *tasks)
{
    uint64_t total = 0;
    struct share *shares = shard_divide(batch, batch->waiting, batch->waiting_count, 1, true);
    for (size_t i = 0; i < batch->waiting_count; i++)
        total += shares[i].milliseconds;
    uint64_t wanted = batch->options->job_count > 0     ? (uint64_t)batch->options->job_count
                      : total / TASK_MS + 1 > TASKS_MAX ? TASKS_MAX
                                                        : total / TASK_MS + 1;
    wanted = wanted < batch->waiting_count ? wanted : batch->waiting_count;
    *tasks = wanted < limit ? (uint32_t)wanted : limit;
    shares_divide(shares, batch->waiting_count, *tasks);
    char *path = store_path(&batch->store, "shares.json");
    bool good = shares_write(path, shares, batch->waiting_count, *tasks, batch->message, sizeof batch->message);
    fprintf(batch->out, "%zu gradings, about %.1f core minutes, in %u task%s\n", batch->waiting_count, (double)total / 60000,
            *tasks, *tasks == 1 ? "" : "s");
    fflush(batch->out);
    free(path);
    free(shares);
    return good;
}

/* In how many tasks so many timings are made, at most. */
static uint32_t count_timing_tasks(const struct batch *batch, size_t timings, uint32_t limit)
{
    uint64_t tasks = batch->options->job_count > 0 ? (uint64_t)batch->options->job_count
                                                   : (uint64_t)timings * TIMING_MS / TASK_MS + 1;
    tasks = tasks < TASKS_MAX || batch->options->job_count > 0 ? tasks : TASKS_MAX;
    tasks = tasks < timings ? tasks : timings;
    return tasks < limit ? (uint32_t)tasks : limit;
}

/* Asks Slurm whether there is a GPU for the timings, before anything is submitted. */
static bool try_timing(struct batch *batch)
{
    char *path = script_path(batch, "time.sbatch"), why[700];
    bool good = slurm_try(path, why, sizeof why);
    if (!good)
        snprintf(
            batch->message, sizeof batch->message,
            "Slurm has no GPU for the timings (--gpu-partition, --gres): %s. Nothing was submitted. With --device emulated "
            "the class is graded without times.",
            why);
    free(path);
    return good;
}

static bool submit_one(struct batch *batch, const char *name, const char *after, slurm_job job)
{
    char *path = script_path(batch, name);
    bool good = slurm_submit(path, after, job, batch->message, sizeof batch->message);
    free(path);
    return good;
}

static void tell_jobs(const struct batch *batch, const struct round *round)
{
    fputs("submitted: ", batch->out);
    if (round->array[0] != '\0')
        fprintf(batch->out, "job array %s, ", round->array);
    if (round->timing[0] != '\0')
        fprintf(batch->out, "job array %s that times in %u task%s, ", round->timing, round->timing_tasks,
                round->timing_tasks == 1 ? "" : "s");
    fprintf(batch->out, "gathering job %s; their scripts and output are in %s/slurm\n", round->gather, batch->store.folder);
    fflush(batch->out);
}

/* Submits a round: what is to be graded, what is then to be timed, and the job that gathers. The lock is held.
 *   timings   of what has passed already */
static bool submit(struct batch *batch, size_t timings, struct round *round)
{
    uint32_t limit = slurm_array_limit(batch->message, sizeof batch->message);
    if (limit == 0)
        return false;
    *round = (struct round){.number = round->number};
    char *status = script_path(batch, "gather.status");
    unlink(status);
    free(status);
    bool grades = batch->waiting_count > 0, times = is_timed(batch) && (grades || timings > 0);
    if (times)
        round->timing_tasks = count_timing_tasks(batch, batch->waiting_count + timings, limit);
    if (!make_folder(batch, "slurm") || !make_folder(batch, "slurm/log")
        || (times
            && (!write_script(batch, "time.sbatch", grade_script(batch, round->timing_tasks, true)) || !try_timing(batch)))
        || (grades
            && (!divide(batch, limit, &round->tasks)
                || !write_script(batch, "grade.sbatch", grade_script(batch, round->tasks, false))))
        || !write_script(batch, "gather.sbatch", gather_script(batch)))
        return false;
    bool good = (!grades || submit_one(batch, "grade.sbatch", NULL, round->array))
                && (!times || submit_one(batch, "time.sbatch", grades ? round->array : NULL, round->timing))
                && submit_one(batch, "gather.sbatch", times ? round->timing : round->array, round->gather)
                && write_round(batch, round, batch->message, sizeof batch->message);
    if (good) {
        tell_jobs(batch, round);
        return true;
    }
    const char *const jobs[] = {round->array, round->timing, round->gather};
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++)
        if (jobs[i][0] != '\0')
            slurm_cancel(jobs[i]);
    forget_round(batch, round);
    return false;
}

/* ---- following ---------------------------------------------------------------------------------------------------- */

static void note_tasks(struct show_progress *progress, const struct slurm_look *look)
{
    size_t used = 0;
    if (look->state == SLURM_SILENT) {
        snprintf(progress->note, sizeof progress->note, "Slurm does not answer");
        return;
    }
    progress->note[0] = '\0';
    if (look->running > 0)
        used += (size_t)snprintf(progress->note, sizeof progress->note, "%zu job%s running", look->running,
                                 look->running == 1 ? "" : "s");
    if (look->waiting > 0)
        snprintf(progress->note + used, sizeof progress->note - used, "%s%zu waiting%s%s%s", used > 0 ? ", " : "",
                 look->waiting, look->reason[0] != '\0' ? " (" : "", look->reason, look->reason[0] != '\0' ? ")" : "");
}

/* Shows how far the jobs are until they have left the queue. Returns false when interrupted, or, with batch->message, when
 * Slurm has been silent for too long. */
static bool follow(struct batch *batch, const struct round *round, size_t timings)
{
    size_t before = store_count(&batch->store);
    char *jobs = list_jobs(round, ",");
    struct slurm_look look;
    char message[1024];
    int64_t answered = record_now_ms();
    show_begin(&batch->progress, stderr, batch->waiting_count + (is_timed(batch) ? batch->waiting_count + timings : 0));
    do {
        slurm_look(jobs, &look, message, sizeof message);
        if (look.state != SLURM_SILENT)
            answered = record_now_ms();
        if (record_now_ms() - answered > SILENT_MAX_S * 1000) {
            snprintf(batch->message, sizeof batch->message, "%.500s The jobs may go on; the same command looks again.",
                     message);
            break;
        }
        size_t now = store_count(&batch->store);
        note_tasks(&batch->progress, &look);
        show_at(&batch->progress, now > before ? now - before : 0);
        for (int waited = 0; waited < LOOK_MS && look.state != SLURM_GONE && !interrupted; waited += 50)
            usleep(50000);
    } while (look.state != SLURM_GONE && !interrupted);
    show_end(&batch->progress);
    free(jobs);
    return look.state == SLURM_GONE;
}

static enum exit_status leave(const struct batch *batch, const struct round *round)
{
    char *names = list_jobs(round, ", "), *words = list_jobs(round, " ");
    fprintf(stderr,
            "lockstep: interrupted. The jobs go on without this command: %s. The same command shows their progress again; "
            "`scancel %s` ends them, and keeps what they have graded in %s.\n",
            names, words, batch->store.folder);
    free(names);
    free(words);
    return EXIT_STATUS_HARNESS;
}

/* The exit status that the gathering job left; -1: it left none. */
static int read_status(const struct batch *batch, const struct round *round)
{
    char *path = script_path(batch, "gather.status"), message[512], job[24];
    int status = -1;
    for (int i = 0; i < VISIBLE_TRIES && status < 0; i++) {
        size_t bytes = 0;
        char *text = files_read(path, 100, &bytes, message, sizeof message);
        if (!text || sscanf(text, "%23s %d", job, &status) != 2 || strcmp(job, round->gather) != 0)
            status = -1;
        free(text);
        if (status < 0 && round->gather[0] != '\0')
            usleep(VISIBLE_WAIT_MS * 1000 / VISIBLE_TRIES);
    }
    free(path);
    return status;
}

/* ---- the results -------------------------------------------------------------------------------------------------- */

/* What the gathering job said is what a local run says. */
static bool show_log(const struct batch *batch, const struct round *round)
{
    char *name = allocate_format("log/gather-%s.txt", round->gather), *path = script_path(batch, name), message[512];
    size_t bytes = 0;
    char *text = files_read(path, 64u << 20, &bytes, message, sizeof message);
    if (text)
        fwrite(text, 1, bytes, batch->out);
    free(text);
    free(path);
    free(name);
    return text != NULL;
}

static enum exit_status write_copy(struct batch *batch, enum exit_status status)
{
    if (!batch->options->json)
        return status;
    char *path = allocate_format("%s/class.json", batch->store.folder);
    json_t *document = files_read_json(path, 0);
    bool good = document && result_json_write(document, batch->options->json, batch->message, sizeof batch->message);
    if (!good)
        fprintf(stderr, "lockstep: %s\n", document ? batch->message : "class.json cannot be read");
    json_decref(document);
    free(path);
    return good ? status : EXIT_STATUS_HARNESS;
}

/* The gathering job has made the results of what there is, or this command makes them. */
static enum exit_status conclude(struct batch *batch, const struct round *round)
{
    int status = round->gather[0] != '\0' ? read_status(batch, round) : -1;
    if (status >= 0 && status <= EXIT_STATUS_HARNESS && show_log(batch, round))
        return write_copy(batch, (enum exit_status)status);
    if (round->gather[0] != '\0')
        fprintf(stderr, "lockstep: the gathering job %s did not end; this command gathers.\n", round->gather);
    if (!store_lock(&batch->store, batch->message, sizeof batch->message))
        return batch_give_up(batch, EXIT_STATUS_HARNESS);
    shard_take_failures(batch);
    shard_take_timings(batch);
    return batch_finish(batch);
}

static void print_left(size_t gradings, size_t timings)
{
    fprintf(stderr, "lockstep: ");
    if (gradings > 0)
        fprintf(stderr, "%zu grading%s%s", gradings, gradings == 1 ? "" : "s", timings > 0 ? " and " : "");
    if (timings > 0)
        fprintf(stderr, "%zu timing%s", timings, timings == 1 ? "" : "s");
    fputs(gradings + timings == 1 ? " is left: " : " are left: ", stderr);
}

static enum exit_status give_up_rounds(struct batch *batch, const struct round *round, size_t timings, const char *why)
{
    size_t gradings = batch->waiting_count;
    enum exit_status status = conclude(batch, round);
    print_left(gradings, timings);
    fprintf(stderr, "%s The output of the tasks is in %s/slurm/log; the same command goes on.\n", why, batch->store.folder);
    return status > EXIT_STATUS_HARNESS ? status : EXIT_STATUS_HARNESS;
}

/* ---- the command -------------------------------------------------------------------------------------------------- */

static bool is_active(const struct round *round)
{
    struct slurm_look look;
    char message[1024];
    char *jobs = list_jobs(round, ",");
    look.state = SLURM_GONE;
    if (jobs[0] != '\0')
        slurm_look(jobs, &look, message, sizeof message);
    free(jobs);
    return look.state == SLURM_QUEUED;
}

/* How many gradings neither succeeded nor failed. */
static size_t count_missing(struct batch *batch)
{
    size_t missing = 0;
    for (size_t i = 0; i < batch->waiting_count; i++) {
        json_t *failed = store_find_failed(&batch->store, work_key(batch, work_entry(batch, &batch->waiting[i])));
        missing += failed == NULL;
        json_decref(failed);
    }
    return missing;
}

/* What is left, in batch->waiting the gradings.
 *   timings   out: how many of what has passed are not timed
 *   missing   out: how many of both neither succeeded nor failed */
static void find_left(struct batch *batch, size_t *timings, size_t *missing)
{
    *timings = *missing = 0;
    if (is_timed(batch)) {
        find_timings(batch, NULL);
        *timings = batch->waiting_count;
        *missing = count_missing(batch);
    }
    batch->timing = false;
    find_waiting(batch, NULL);
    *missing += count_missing(batch);
}

/* Submits what is left and follows it, until nothing is, or it has been tried often enough. `round` is one that goes on, or
 * empty. */
static enum exit_status run_rounds(struct batch *batch, size_t timings, struct round *round)
{
    bool first = round->gather[0] == '\0';
    size_t missing;
    for (int number = first ? 1 : 0; number <= ROUNDS_MAX; number++) {
        if (number > 0) {
            if (batch->store.lock < 0 && !store_lock(&batch->store, batch->message, sizeof batch->message))
                return batch_give_up(batch, EXIT_STATUS_HARNESS);
            if (!submit(batch, timings, round))
                return batch_give_up(batch, EXIT_STATUS_HARNESS);
            store_unlock(&batch->store);
        }
        if (!follow(batch, round, timings))
            return batch->message[0] != '\0' ? batch_give_up(batch, EXIT_STATUS_HARNESS) : leave(batch, round);
        struct round ended = *round;
        forget_round(batch, round);
        find_left(batch, &timings, &missing);
        if (missing == 0)
            return conclude(batch, &ended);
        free(list_refused(batch, false, true));
        free(list_refused(batch, true, true));
        if (number == ROUNDS_MAX)
            return give_up_rounds(batch, &ended, timings, "they have been sent three times.");
        print_left(batch->waiting_count, timings);
        fprintf(stderr, "a task was killed, or its time was up. Sent again (%d of %d).\n", number + 1, ROUNDS_MAX);
    }
    return EXIT_STATUS_HARNESS;
}

static bool check_texts(struct batch *batch)
{
    const char *const texts[] = {batch->options->out, batch->options->arguments[0]};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!slurm_is_plain(texts[i])) {
            snprintf(batch->message, sizeof batch->message,
                     "%.200s: --engine slurm needs a name without quotes, backslashes and control characters.", texts[i]);
            return false;
        }
    return true;
}

enum exit_status slurm_run(struct batch *batch)
{
    struct round round;
    struct sigaction action = {.sa_handler = note_interrupt, .sa_flags = (int)SA_RESETHAND};
    if (!check_texts(batch))
        return batch_give_up(batch, EXIT_STATUS_USAGE);
    read_round(batch->options->out, &round);
    bool active = is_active(&round);
    enum exit_status status = batch_prepare(batch, active ? STORE_WATCH : STORE_ALONE,
                                            batch->options->has_seed ? &batch->options->seed : NULL);
    if (status != EXIT_STATUS_FULL_SCORE)
        return status;
    read_round(batch->options->out, &round);
    if (!active && is_active(&round)) { /* another command submitted while this one waited for the lock */
        active = true;
        store_unlock(&batch->store);
    }
    if (!active)
        round = (struct round){0};
    batch->forgets_nothing = active; /* --regrade was the earlier command's */
    if (!find_class(batch) || !find_units(batch))
        return batch_give_up(batch, EXIT_STATUS_USAGE);
    size_t timings, missing;
    find_left(batch, &timings, &missing);
    if (!active) {
        forget_refused(batch, "refused");
        forget_refused(batch, "refused_gpu");
    }
    batch_tell_class(batch, active ? "; the jobs of an earlier command go on" : "");
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    if (!active && batch->waiting_count + timings == 0)
        return batch_finish(batch);
    return run_rounds(batch, timings, &round);
}
