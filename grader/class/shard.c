/* A part of a class: `batch --shard I/N` grades it, beside others, and `batch --gather` makes the results of all parts. */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/class/work.h"
#include "grader/grading/workers.h"

enum { WAIT_SECONDS = 2 };

/* ---- told to end -------------------------------------------------------------------------------------------------- */

static volatile sig_atomic_t stopped;

static void note_stop(int signal)
{
    stopped = signal;
}

bool shard_is_stopped(void)
{
    return stopped != 0;
}

/* Schedulers send SIGTERM, or what was asked for, some time before the limit: what is going on is ended and kept. The
 * same signal again ends the process at once. */
static void catch_stops(void)
{
    struct sigaction action = {.sa_handler = note_stop, .sa_flags = (int)SA_RESETHAND | SA_RESTART};
    static const int signals[] = {SIGTERM, SIGINT, SIGUSR1};
    for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
        sigaction(signals[i], &action, NULL);
}

/* ---- parts -------------------------------------------------------------------------------------------------------- */

static uint32_t cost_of(const struct batch *batch, int lab, bool measured)
{
    enum { ENOUGH = 3 };
    if (measured && lab < WORK_LABS_MAX && batch->lab_gradings[lab] >= ENOUGH)
        return (uint32_t)(batch->lab_milliseconds[lab] / batch->lab_gradings[lab]) + 1;
    return shares_cost_of_lab(batch->course.labs[lab].lab->name);
}

struct share *shard_divide(struct batch *batch, const struct waiting *units, size_t count, uint32_t shards, bool measured)
{
    struct share *plan = allocate_zeroed((count + 1) * sizeof *plan);
    for (size_t i = 0; i < count; i++)
        plan[i] = (struct share){work_entry(batch, &units[i])->key, cost_of(batch, units[i].lab, measured), 0, i};
    shares_divide(plan, count, shards);
    return plan;
}

/* Marks the units of this shard. Returns [unit_count], owned by the caller. */
static bool *choose_part(struct batch *batch)
{
    uint32_t shard = (uint32_t)batch->options->shard, shards = (uint32_t)batch->options->shard_count;
    char *path = store_path(&batch->store, "shares.json");
    struct share *plan = shard_divide(batch, batch->units, batch->unit_count, shards, false);
    bool *wanted = allocate_zeroed((batch->unit_count + 1) * sizeof *wanted);
    if (batch->options->device != LOCKSTEP_GPU)
        shares_read(path, plan, batch->unit_count, shards); /* without one, the division stands */
    for (size_t i = 0; i < batch->unit_count; i++)
        wanted[plan[i].number] = plan[i].shard == shard;
    free(plan);
    free(path);
    return wanted;
}

/* ---- a shard ------------------------------------------------------------------------------------------------------ */

/* Leaves word for the machine that waits for the shards. What cannot be written is in the task's own output. */
static void note_refusal(const struct batch *batch)
{
    char message[300];
    char *state = allocate_format("%s/.lockstep", batch->options->out);
    char *folder = allocate_format("%s/%s", state, batch->options->device == LOCKSTEP_GPU ? "refused_gpu" : "refused");
    char *path = allocate_format("%s/%s", folder, claims_machine());
    const char *why = batch->message[0] != '\0' ? batch->message : "see the output of the task";
    if (access(state, F_OK) == 0 && (mkdir(folder, 0777) == 0 || errno == EEXIST))
        files_write(path, why, strlen(why), message, sizeof message);
    free(path);
    free(folder);
    free(state);
}

/* How many of the waiting are left, without those in which the kit failed just now. These go. */
static void drop_failed(struct batch *batch)
{
    size_t kept = 0;
    for (size_t i = 0; i < batch->waiting_count; i++)
        if (!json_object_get(batch->failed, work_key(batch, work_entry(batch, &batch->waiting[i]))))
            batch->waiting[kept++] = batch->waiting[i];
    batch->waiting_count = kept;
}

/* What of this part is left: gradings, or timings. */
static void find_part(struct batch *batch, const bool *wanted)
{
    if (batch->options->device == LOCKSTEP_GPU)
        find_timings(batch, wanted);
    else
        find_waiting(batch, wanted);
}

/* Waits for processes that are grading the same part, such as one that was sent twice: until they have graded what they
 * claimed, or are dead. Returns whether there is something in batch->waiting that is now this process's to grade. */
static bool await_others(struct batch *batch, const bool *wanted)
{
    bool told = false;
    while (!stopped && batch->message[0] == '\0') {
        size_t mine = 0;
        find_part(batch, wanted);
        drop_failed(batch);
        if (batch->waiting_count == 0)
            return false;
        for (size_t i = 0; i < batch->waiting_count; i++) {
            const char *key = work_key(batch, work_entry(batch, &batch->waiting[i]));
            enum claims_answer answer = claims_take(&batch->claims, key, batch->message, sizeof batch->message);
            if (answer == CLAIMS_MINE && !store_has(&batch->store, key))
                batch->waiting[mine++] = batch->waiting[i];
        }
        if (mine > 0) {
            batch->waiting_count = mine;
            return true;
        }
        if (!told)
            fprintf(batch->out, "%zu being graded by another process: waiting for it\n", batch->waiting_count);
        fflush(batch->out);
        told = true;
        sleep(WAIT_SECONDS);
    }
    return false;
}

/* mine, known: the gradings of this part, and how many were there before */
static enum exit_status tell_shard(struct batch *batch, const bool *wanted, size_t mine, size_t known)
{
    size_t failed = json_object_size(batch->failed);
    find_part(batch, wanted);
    drop_failed(batch);
    size_t left = batch->waiting_count, others = mine - known - batch->graded - failed - left;
    fprintf(batch->out, "shard %d/%d on %s: %zu %s, %zu had been %s before", batch->options->shard,
            batch->options->shard_count, claims_machine(), batch->graded, batch->timing ? "timed" : "graded", known,
            batch->timing ? "timed" : "graded");
    if (others > 0)
        fprintf(batch->out, ", %zu by another process meanwhile", others);
    fputc('\n', batch->out);
    if (failed > 0)
        fprintf(stderr, "lockstep: the kit failed for %zu submission%s; the next run of this shard tries again.\n", failed,
                failed == 1 ? "" : "s");
    if (batch->message[0] != '\0')
        fprintf(stderr, "lockstep: %s\nWhat has been graded is kept in %s: fix this and run the same command again.\n",
                batch->message, batch->store.folder);
    else if (stopped)
        fprintf(stderr, "lockstep: stopped by signal %d (%s): %zu grading%s left. The same command goes on.\n", (int)stopped,
                strsignal(stopped), left, left == 1 ? "" : "s");
    else if (left > 0)
        fprintf(stderr, "lockstep: %zu file%s could not be read, or changed meanwhile: run the same command again.\n", left,
                left == 1 ? "" : "s");
    return failed + left > 0 || batch->message[0] != '\0' ? EXIT_STATUS_HARNESS : EXIT_STATUS_FULL_SCORE;
}

static enum exit_status grade_part(struct batch *batch, const bool *wanted)
{
    size_t mine = 0;
    for (size_t i = 0; i < batch->unit_count; i++)
        mine += wanted[i];
    find_part(batch, wanted);
    if (batch->timing)
        mine = batch->timed_count;
    size_t known = mine - batch->waiting_count;
    char *folder = store_path(&batch->store, "claims");
    bool good = claims_open(folder, &batch->claims, batch->message, sizeof batch->message);
    free(folder);
    if (!good)
        return batch_give_up(batch, EXIT_STATUS_HARNESS);
    fprintf(batch->out, "shard %d/%d on %s: %zu of %zu %s, %zu to do, seed %llu\n", batch->options->shard,
            batch->options->shard_count, claims_machine(), mine, batch->unit_count,
            batch->timing ? "gradings are timed" : "gradings", batch->waiting_count, (unsigned long long)batch->store.seed);
    fflush(batch->out);
    do {
        batch->left_to_others = 0;
        batch_grade(batch);
    } while (batch->left_to_others > 0 && await_others(batch, wanted));
    return tell_shard(batch, wanted, mine, known);
}

enum exit_status shard_run(struct batch *batch)
{
    /* The children's too: a scheduler tells all processes of a task, and what they are at is still wanted. */
    catch_stops();
    const struct options *options = batch->options;
    enum exit_status status = batch_prepare(batch, STORE_SHARED, options->has_seed ? &options->seed : NULL);
    if (status != EXIT_STATUS_FULL_SCORE) {
        note_refusal(batch);
        return status;
    }
    if (options->device == LOCKSTEP_GPU && !batch_has_gpu(batch)) {
        note_refusal(batch);
        return batch_give_up(batch, EXIT_STATUS_HARNESS);
    }
    if (!find_class(batch) || !find_units(batch))
        return batch_give_up(batch, EXIT_STATUS_USAGE);
    bool *wanted = choose_part(batch);
    status = grade_part(batch, wanted);
    free(wanted);
    return status;
}

/* ---- the results of all shards ------------------------------------------------------------------------------------ */

/* Is every folder named after SUBMISSIONS one of this class, seed and kit? */
static bool check_sources(struct batch *batch)
{
    char *const *folders = batch->options->arguments + 1;
    for (int i = 0; i + 1 < batch->options->argument_count; i++) {
        uint64_t seed;
        char kit[65], machine[100];
        if (!store_read_facts(folders[i], &seed, kit, machine, batch->message, sizeof batch->message))
            return false;
        if (seed != batch->store.seed)
            snprintf(batch->message, sizeof batch->message,
                     "%.200s was graded with the seed %llu, %.200s with %llu. Give all shards the same --seed.", folders[i],
                     (unsigned long long)seed, i > 0 ? folders[0] : batch->store.folder,
                     (unsigned long long)batch->store.seed);
        else if (strcmp(kit, batch->store.kit) != 0)
            snprintf(
                batch->message, sizeof batch->message,
                "%.200s was graded on %s by another build of the kit (%.12s) than this one (%.12s): use one build for all "
                "shards and for --gather.",
                folders[i], machine, kit, batch->store.kit);
        if (batch->message[0] != '\0')
            return false;
    }
    return true;
}

static bool take_sources(struct batch *batch)
{
    for (int i = 1; i < batch->options->argument_count; i++)
        for (size_t k = 0; k < batch->unit_count; k++) {
            const struct class_entry *entry = work_entry(batch, &batch->units[k]);
            if (!store_take(&batch->store, batch->options->arguments[i], entry->key, batch->message, sizeof batch->message)
                || (batch->options->device == LOCKSTEP_GPU
                    && !store_take(&batch->store, batch->options->arguments[i], entry->timing_key, batch->message,
                                   sizeof batch->message)))
                return false;
        }
    return true;
}

/* Without a --seed, that of the shards. */
static bool find_seed(struct batch *batch, uint64_t *seed)
{
    char kit[65], machine[100];
    const struct options *options = batch->options;
    const char *folder = options->argument_count > 1 ? options->arguments[1] : options->out;
    *seed = options->seed;
    return options->has_seed || store_read_facts(folder, seed, kit, machine, batch->message, sizeof batch->message);
}

void shard_take_failures(struct batch *batch)
{
    for (size_t i = 0; i < batch->waiting_count; i++) {
        const char *key = work_key(batch, work_entry(batch, &batch->waiting[i]));
        json_t *failed = store_find_failed(&batch->store, key);
        if (failed)
            json_object_set_new(batch->failed, key, failed);
        else if (batch->timing)
            batch->untimed++;
        else
            batch->missing++;
    }
}

void shard_take_timings(struct batch *batch)
{
    if (batch->options->device != LOCKSTEP_GPU)
        return;
    find_timings(batch, NULL);
    shard_take_failures(batch);
}

enum exit_status shard_gather(struct batch *batch)
{
    uint64_t seed;
    if (!find_seed(batch, &seed))
        return batch_give_up(batch, EXIT_STATUS_USAGE);
    enum exit_status status = batch_prepare(batch, STORE_GATHER, &seed);
    if (status != EXIT_STATUS_FULL_SCORE)
        return status;
    if (!check_sources(batch) || !find_class(batch) || !find_units(batch))
        return batch_give_up(batch, EXIT_STATUS_USAGE);
    if (!take_sources(batch))
        return batch_give_up(batch, EXIT_STATUS_HARNESS);
    find_missing(batch);
    shard_take_failures(batch);
    char more[64];
    snprintf(more, sizeof more, ": %zu of %zu gradings gathered", batch->unit_count - batch->waiting_count,
             batch->unit_count);
    batch_tell_class(batch, more);
    shard_take_timings(batch);
    status = batch_finish(batch);
    if (batch->missing > 0)
        fprintf(
            stderr,
            "lockstep: %zu of %zu gradings are missing, shown as ? in the results: grade the shards that did not end, then "
            "gather again.\n",
            batch->missing, batch->unit_count);
    if (batch->untimed > 0)
        fprintf(
            stderr,
            "lockstep: %zu of %zu timings are missing, and these scores lack the points for time: run the shards that did "
            "not end with --device gpu, then gather again.\n",
            batch->untimed, batch->timed_count);
    return status;
}
