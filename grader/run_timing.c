/* The child's half of timing: the student's plan and the reference's, in turn, between two events.
 *
 * Before each run the inputs are copied afresh from arrays that the student never sees, outputs and scratch arrays are
 * overwritten, and so is the level-2 cache. Each timed run follows one on the *other* inputs, so nothing that a kernel keeps
 * in memory from one launch to the next can be the result; a module with variables of its own is loaded anew before each
 * pair. After each run a sum over its outputs, made by a kernel of the kit, is compared with that of the verified run.
 */
#include "grader/run_protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/allocate.h"

/* Larger than any level-2 cache, so that writing it leaves nothing of the arrays there; the first half is copied to the
 * second to see how fast that is. The emulated driver, on which the tests try this, has no cache. */
#define FLUSH_BYTES (UINT64_C(512) << 20)
#define FLUSH_BYTES_EMULATED (UINT64_C(1) << 20)
enum { COPIES = 5, BLOCK = 256 };

static const char kit_source[] =
    "extern \"C\" __global__ void copy_words(const uint4 *from, uint4 *to, unsigned long long words)\n"
    "{\n"
    "    unsigned long long i = blockIdx.x * 256ull + threadIdx.x;\n"
    "    if (4 * i + 4 <= words)\n"
    "        to[i] = from[i];\n"
    "    else\n"
    "        for (unsigned long long k = 4 * i; k < words; k++)\n"
    "            ((unsigned *)to)[k] = ((const unsigned *)from)[k];\n"
    "}\n"
    "extern \"C\" __global__ void sum_words(const unsigned *words, unsigned long long count, unsigned long long *sum)\n"
    "{\n"
    "    unsigned long long own = 0;\n"
    "    for (unsigned long long i = blockIdx.x * 256ull + threadIdx.x; i < count; i += 256ull * gridDim.x)\n"
    "        own += (words[i] + 1ull) * (2 * i + 1);\n"
    "    atomicAdd(sum, own);\n"
    "}\n";

/* The same sum over words in host memory. */
static uint64_t sum_words(const uint32_t *words, uint64_t count)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++)
        sum += (words[i] + UINT64_C(1)) * (2 * i + 1);
    return sum;
}

struct bench {
    lockstep_device *device;
    const struct run_inputs *kept;
    lockstep_event *start, *stop;
    lockstep_buffer *flush, *sums;          /* sums: [LAB_MAX_OUTPUTS] */
    uint64_t flush_bytes;
    lockstep_module *module;
    lockstep_kernel *copy, *sum;
    lockstep_error error;
    struct run_timing *timing;
};

static bool good(struct bench *bench, lockstep_status status)
{
    if (status != LOCKSTEP_OK && bench->timing->message[0] == '\0')
        snprintf(bench->timing->message, sizeof(bench->timing->message), "%.500s", bench->error.message);
    return status == LOCKSTEP_OK;
}

static bool good_run(struct bench *bench, const struct lab_run *run)
{
    if (run->state != PLAN_RAN && bench->timing->message[0] == '\0')
        snprintf(bench->timing->message, sizeof(bench->timing->message), "%.500s", run->message);
    return run->state == PLAN_RAN;
}

void run_timing_keep(struct run_inputs *kept, struct lab_run *run, int set, const struct lab_data *data)
{
    lockstep_error error = {0};
    for (int i = 0; i < run->setup->lab->array_count; i++) {
        lockstep_buffer **copy = &kept->arrays[set][i];
        if (data->array[i].bytes == NULL || data->count[i] == 0 || *copy != NULL)
            continue;
        size_t bytes = data->count[i] * 4;
        if (lockstep_buffer_create(run->device, bytes, "inputs", copy, &error) != LOCKSTEP_OK ||
            lockstep_buffer_upload(*copy, 0, data->array[i].bytes, bytes, &error) != LOCKSTEP_OK) {
            run->state = PLAN_HARNESS;
            snprintf(run->message, sizeof(run->message), "%s", error.message);
            return;
        }
    }
    for (int i = 0; i < LAB_MAX_OUTPUTS; i++)
        if (run->outputs[i].present)
            kept->sums[set][i] = sum_words((const uint32_t *)(run->output_area + run->outputs[i].offset),
                                           run->outputs[i].count);
    kept->present[set] = true;
}

static bool copy_words(struct bench *bench, uint64_t from, uint64_t to, uint64_t words)
{
    const lockstep_argument arguments[] = {LOCKSTEP_VALUE(from), LOCKSTEP_VALUE(to), LOCKSTEP_VALUE(words)};
    lockstep_shape shape = {.grid = {(uint32_t)((words + 4 * BLOCK - 1) / (4 * BLOCK))}, .block = {BLOCK}};
    return good(bench, lockstep_launch(bench->copy, &shape, arguments, 3, NULL, &bench->error));
}

/* Everything as before the first run, but for guard zones; level-2 cache emptied. */
static bool restore(struct bench *bench, struct lab_run *run, int set, uint8_t fill)
{
    const struct lab *lab = run->setup->lab;
    for (int i = 0; i < lab->array_count + run->scratch_count; i++) {
        struct plan_buffer *buffer = i < lab->array_count ? &run->arrays[i] : &run->scratch[i - lab->array_count];
        lockstep_buffer *from = i < lab->array_count ? bench->kept->arrays[set][i] : NULL;
        if (from != NULL ? !copy_words(bench, lockstep_buffer_address(from),
                                       lockstep_buffer_address(buffer->buffer) + buffer->guard_bytes, buffer->bytes / 4)
                         : !good(bench, lockstep_buffer_fill(buffer->buffer, fill, &bench->error)))
            return false;
    }
    return good(bench, lockstep_buffer_fill(bench->flush, fill, &bench->error));
}

/* Are the outputs those of the verified run on the same inputs? */
static bool same_outputs(struct bench *bench, struct lab_run *run, int set, bool *same)
{
    uint64_t sums[LAB_MAX_OUTPUTS];
    *same = true;
    if (!good(bench, lockstep_buffer_fill(bench->sums, 0, &bench->error)))
        return false;
    for (int i = 0; i < LAB_MAX_OUTPUTS; i++) {
        const struct plan_output *output = &run->outputs[i];
        if (!output->present)
            continue;
        const struct plan_buffer *buffer = plan_output_buffer(run, output);
        uint64_t words = lockstep_buffer_address(buffer->buffer) + buffer->guard_bytes + 4 * output->first;
        uint64_t count = output->count, sum = lockstep_buffer_address(bench->sums) + 8 * (uint64_t)i;
        const lockstep_argument arguments[] = {LOCKSTEP_VALUE(words), LOCKSTEP_VALUE(count), LOCKSTEP_VALUE(sum)};
        lockstep_shape shape = {.grid = {count < 1 << 20 ? 64 : 1024}, .block = {BLOCK}};
        if (!good(bench, lockstep_launch(bench->sum, &shape, arguments, 3, NULL, &bench->error)))
            return false;
    }
    if (!good(bench, lockstep_buffer_download(bench->sums, 0, sums, sizeof(sums), &bench->error)))
        return false;
    for (int i = 0; i < LAB_MAX_OUTPUTS; i++)
        *same &= !run->outputs[i].present || sums[i] == bench->kept->sums[set][i];
    return true;
}

static bool time_run(struct bench *bench, struct lab_run *run, int set, uint8_t fill, float *elapsed_ms)
{
    run->scratch_used = 0;
    memset(run->outputs, 0, sizeof(run->outputs));
    if (!restore(bench, run, set, fill) || !good(bench, lockstep_device_synchronize(bench->device, &bench->error)) ||
        !good(bench, lockstep_event_record(bench->start, NULL, &bench->error)))
        return false;
    plan_run(run);
    return good_run(bench, run) && good(bench, lockstep_event_record(bench->stop, NULL, &bench->error)) &&
           good(bench, lockstep_event_elapsed(bench->start, bench->stop, elapsed_ms, &bench->error));
}

/* A run of the student's, and whether what it left is known to be right; else it is collected for the grader to judge. */
static bool time_student(struct bench *bench, struct lab_run *run, int set, uint8_t fill, float *elapsed_ms)
{
    bool same = true;
    if (!time_run(bench, run, set, fill, elapsed_ms) || !same_outputs(bench, run, set, &same))
        return false;
    if (!same && !bench->timing->differs) {
        bench->timing->differs = true;
        bench->timing->set = set;
        plan_collect(run);
        memcpy(bench->timing->outputs, run->outputs, sizeof(run->outputs));
    }
    return good_run(bench, run);
}

/* Does the module have memory that outlives a launch? */
static bool keeps_state(const char *ptx, size_t ptx_bytes)
{
    static const char word[] = ".global .align";
    return memmem(ptx, ptx_bytes, word, sizeof(word) - 1) != NULL;
}

static void measure_pairs(struct bench *bench, struct lab_run *student, struct lab_run *reference,
                          const struct run_settings *settings, int rounds)
{
    struct run_timing *timing = bench->timing;
    bool stateful = keeps_state(settings->ptx, settings->ptx_bytes);
    for (int i = 0; i < rounds && !timing->differs; i++) {
        float warm_ms = 0, student_ms = 0, reference_ms = 0;
        int set = i % 2;
        uint8_t fill = (uint8_t)(0x40 + i);
        if (stateful && !plan_reload(student, settings->ptx, settings->ptx_bytes)) {
            good_run(bench, student);
            return;
        }
        if (!time_student(bench, student, 1 - set, fill, &warm_ms) || timing->differs ||
            !time_student(bench, student, set, fill, &student_ms) ||
            !time_run(bench, reference, 1 - set, fill, &warm_ms) || !time_run(bench, reference, set, fill, &reference_ms))
            return;
        timing->student_ms[timing->pairs] = student_ms;
        timing->reference_ms[timing->pairs++] = reference_ms;
    }
}

static int compare_floats(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* What a copy moves here in a millisecond, reads and writes together: the median of a few. */
static bool measure_copy(struct bench *bench)
{
    float ms[COPIES];
    uint64_t from = lockstep_buffer_address(bench->flush), to = from + bench->flush_bytes / 2;
    for (int i = 0; i < COPIES; i++)
        if (!good(bench, lockstep_event_record(bench->start, NULL, &bench->error)) ||
            !copy_words(bench, from, to, bench->flush_bytes / 8) ||
            !good(bench, lockstep_event_record(bench->stop, NULL, &bench->error)) ||
            !good(bench, lockstep_event_elapsed(bench->start, bench->stop, &ms[i], &bench->error)))
            return false;
    qsort(ms, COPIES, sizeof(*ms), compare_floats);
    bench->timing->copy_bytes_per_ms = (double)bench->flush_bytes / ms[COPIES / 2];
    return true;
}

static bool open_bench(struct bench *bench)
{
    lockstep_error *error = &bench->error;
    return good(bench, lockstep_event_create(bench->device, &bench->start, error)) &&
           good(bench, lockstep_event_create(bench->device, &bench->stop, error)) &&
           good(bench, lockstep_buffer_create(bench->device, bench->flush_bytes, "flush", &bench->flush, error)) &&
           good(bench, lockstep_buffer_create(bench->device, 8 * LAB_MAX_OUTPUTS, "sums", &bench->sums, error)) &&
           good(bench, lockstep_module_compile(bench->device, kit_source, "timing.cu", NULL, &bench->module, error)) &&
           good(bench, lockstep_module_kernel(bench->module, "copy_words", &bench->copy, error)) &&
           good(bench, lockstep_module_kernel(bench->module, "sum_words", &bench->sum, error)) && measure_copy(bench);
}

static void close_bench(struct bench *bench)
{
    if (bench->flush != NULL)
        lockstep_buffer_destroy(bench->flush);
    if (bench->sums != NULL)
        lockstep_buffer_destroy(bench->sums);
    if (bench->module != NULL)
        lockstep_module_unload(bench->module);
    if (bench->start != NULL)
        lockstep_event_destroy(bench->start);
    if (bench->stop != NULL)
        lockstep_event_destroy(bench->stop);
}

static bool open_run(struct bench *bench, struct lab_run *run, const struct run_session *session,
                     const struct plan_setup *setup, const char *ptx, size_t ptx_bytes)
{
    run->setup = setup;
    run->device = bench->device;
    run->the_case = plan_case(setup, setup->lab->case_count);
    run->output_area = session->memory->bytes + session->memory->output_offset;
    run->output_area_bytes = session->memory->total_bytes - session->memory->output_offset;
    run->timing = true;
    return plan_open(run, ptx, ptx_bytes) || good_run(bench, run);
}

void run_timing_measure(lockstep_device *device, const struct run_session *session, const struct run_inputs *kept,
                        const struct run_command *command, const char *reference_ptx, size_t reference_ptx_bytes,
                        struct run_timing *timing)
{
    struct lab_run *runs = allocate_zeroed(2 * sizeof(*runs));
    bool emulated = lockstep_device_get_info(device)->emulated;
    struct bench bench = {.device = device, .kept = kept, .timing = timing,
                          .flush_bytes = emulated ? FLUSH_BYTES_EMULATED : FLUSH_BYTES};
    if (!kept->present[0] || !kept->present[1])
        snprintf(timing->message, sizeof(timing->message), "the inputs of the timed runs are missing");
    else if (open_bench(&bench) &&
             open_run(&bench, &runs[0], session, &session->settings->plan, session->settings->ptx,
                      session->settings->ptx_bytes) &&
             open_run(&bench, &runs[1], session, &command->reference, reference_ptx, reference_ptx_bytes)) {
        measure_pairs(&bench, &runs[0], &runs[1], session->settings, 1);   /* the first of all runs is slower */
        timing->pairs = 0;
        if (!timing->differs && timing->message[0] == '\0')
            measure_pairs(&bench, &runs[0], &runs[1], session->settings, RUN_TIMING_PAIRS);
    }
    timing->measured = timing->message[0] == '\0';
    plan_close(&runs[0]);
    plan_close(&runs[1]);
    close_bench(&bench);
    free(runs);
}
