/* The child's half of timing: the student's plan and the reference's, in turn, between two events.
 *
 * Before each run the inputs are copied again from arrays that the student never sees, outputs and scratch arrays are
 * overwritten, and so is the level-2 cache. Each timed run follows one on the *other* inputs, so nothing that a kernel keeps
 * in memory from one launch to the next can be the result; a module with variables of its own is loaded again before each
 * pair. After each run a sum over its outputs, made by a kernel of the kit, is compared with that of the verified run.
 */
#include "grader/run/run_protocol.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/lab/arrays.h"
#include "grader/run/run_step.h"

/* Larger than any level-2 cache, so that writing it leaves nothing of the arrays there; the first half is copied to the
 * second to see how fast that is. The emulated driver, on which the tests try this, has no cache. */
#define FLUSH_BYTES          (UINT64_C(512) << 20)
#define FLUSH_BYTES_EMULATED (UINT64_C(1) << 20)

/* A plan that takes this long, and more than twice what gives no points, is not run dozens of times. Up to the second
 * figure it gets another try: something else may have held up the first. The emulated driver's small cases are to see it
 * too. */
#define SLOW_MS          300.0f
#define SLOW_MS_EMULATED 60.0f
#define HOPELESS_MS      5000.0f

/* A time shorter than this is the mean of several runs. */
#define SHORT_MS 0.02f
enum { MOST_REPEATS = 16 };

enum { COPIES = 5, BLOCK = 256, FLUSH_SHARE = 8 /* of a GPU with little memory: whole MB of an eighth */ };

/* The sum of the kit's kernel sum_elements (timing_kernels.c), in host memory. */
static uint64_t sum_elements(const uint8_t *at, uint64_t count, size_t bytes)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < count; i++) {
        uint64_t bits = 0;
        memcpy(&bits, at + i * bytes, bytes);
        sum += (bits + 1) * (2 * i + 1);
    }
    return sum;
}

struct run_bench {
    lockstep_device *device;
    const struct run_session *session;
    bool kept[2];                               /* sets of inputs that are there */
    lockstep_buffer *inputs[2][LAB_MAX_ARRAYS]; /* NULL: an output */
    union lab_value scalars[2][LAB_MAX_SCALARS];
    uint64_t sums_wanted[2][LAB_MAX_OUTPUTS];
    bool changes_later[LAB_MAX_OUTPUTS]; /* after the plan has handed it over */
    bool is_open;
    struct lab_run *student, *reference;
    struct plan_setup reference_setup;
    double copy_bytes_per_ms;
    lockstep_event *start, *stop;
    lockstep_buffer *flush, *sums; /* sums: [LAB_MAX_OUTPUTS] */
    uint64_t flush_bytes;
    float slow_ms;
    int repeats; /* 0: not known yet */
    lockstep_module *module;
    lockstep_kernel *copy, *sum;
    lockstep_error error;
    struct run_timing *timing; /* of the command at hand */
};

static bool good(struct run_bench *bench, lockstep_status status)
{
    if (status != LOCKSTEP_OK && bench->timing->message[0] == '\0')
        snprintf(bench->timing->message, sizeof(bench->timing->message), "%.500s", bench->error.message);
    return status == LOCKSTEP_OK;
}

static bool good_run(struct run_bench *bench, const struct lab_run *run)
{
    if (run->state != PLAN_RAN && bench->timing->message[0] == '\0')
        snprintf(bench->timing->message, sizeof(bench->timing->message), "%.500s", run->message);
    return run->state == PLAN_RAN;
}

struct run_bench *run_timing_create(lockstep_device *device, const struct run_session *session)
{
    struct run_bench *bench = allocate_zeroed(sizeof(*bench));
    bench->device = device;
    bench->session = session;
    const lockstep_device_info *info = lockstep_device_get_info(device);
    uint64_t spare = info->free_memory_bytes / FLUSH_SHARE / FLUSH_BYTES_EMULATED * FLUSH_BYTES_EMULATED;
    bench->slow_ms = info->emulated ? SLOW_MS_EMULATED : SLOW_MS;
    bench->flush_bytes = info->emulated ? FLUSH_BYTES_EMULATED : spare < FLUSH_BYTES ? spare : FLUSH_BYTES;
    return bench;
}

/* The sum over what an output holds at the end of the verified run. That need not be what was compared: the plan may have
 * gone on to change the array. */
static bool keep_sum(struct run_bench *bench, struct lab_run *run, int set, int output)
{
    const struct plan_output *where = &run->outputs[output];
    const struct plan_buffer *buffer = plan_output_buffer(run, where);
    lockstep_error error = {0};
    size_t element = types_get(buffer->type)->bytes, bytes = where->count * element;
    uint8_t *values = allocate_zeroed(bytes);
    bool good = lockstep_buffer_download(buffer->buffer, buffer->guard_bytes + element * where->first, values, bytes, &error)
                == LOCKSTEP_OK;
    bench->sums_wanted[set][output] = sum_elements(values, where->count, element);
    bench->changes_later[output] = memcmp(values, run->output_area + where->offset, bytes) != 0;
    free(values);
    return good;
}

void run_timing_keep(struct run_bench *bench, struct lab_run *run, int set, const struct lab_data *data)
{
    lockstep_error error = {0};
    for (int i = 0; i < run->setup->lab->array_count; i++) {
        lockstep_buffer **copy = &bench->inputs[set][i];
        if (!data->array[i].bytes || data->count[i] == 0 || *copy)
            continue;
        size_t bytes = data->count[i] * arrays_element_bytes(run->setup->lab, i);
        if (lockstep_buffer_create(run->device, bytes, "inputs", copy, &error) != LOCKSTEP_OK
            || lockstep_buffer_upload(*copy, 0, data->array[i].bytes, bytes, &error) != LOCKSTEP_OK) {
            run->state = PLAN_HARNESS;
            snprintf(run->message, sizeof run->message, "%s", error.message);
            return;
        }
    }
    memcpy(bench->scalars[set], data->scalar, sizeof bench->scalars[set]);
    bench->kept[set] = true;
    for (int i = 0; i < LAB_MAX_OUTPUTS && run->state == PLAN_RAN; i++)
        if (run->outputs[i].present)
            bench->kept[set] &= keep_sum(bench, run, set, i);
}

static bool copy_bytes(struct run_bench *bench, uint64_t from, uint64_t to, uint64_t bytes)
{
    const lockstep_argument arguments[] = {LOCKSTEP_VALUE(from), LOCKSTEP_VALUE(to), LOCKSTEP_VALUE(bytes)};
    lockstep_shape shape = {.grid = {(uint32_t)((bytes + 16ul * BLOCK - 1) / (16ul * BLOCK))}, .block = {BLOCK}};
    return good(bench, lockstep_launch(bench->copy, &shape, arguments, 3, NULL, &bench->error));
}

/* Everything as before the first run, but for guard zones; level-2 cache emptied. */
static bool restore(struct run_bench *bench, struct lab_run *run, int set, uint8_t fill)
{
    const struct lab *lab = run->setup->lab;
    memcpy(run->scalars, bench->scalars[set], sizeof run->scalars);
    for (int i = 0; i < lab->array_count + run->scratch_count; i++) {
        struct plan_buffer *buffer = i < lab->array_count ? &run->arrays[i] : &run->scratch[i - lab->array_count];
        lockstep_buffer *from = i < lab->array_count ? bench->inputs[set][i] : NULL;
        if (from ? !copy_bytes(bench, lockstep_buffer_address(from),
                               lockstep_buffer_address(buffer->buffer) + buffer->guard_bytes, buffer->bytes)
                 : !good(bench, lockstep_buffer_fill(buffer->buffer, fill, &bench->error)))
            return false;
    }
    return plan_refresh_textures(run) && good(bench, lockstep_buffer_fill(bench->flush, fill, &bench->error));
}

/* Are the outputs those of the verified run on the same inputs? */
static bool same_outputs(struct run_bench *bench, struct lab_run *run, int set, bool *same)
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
        uint64_t element = types_get(buffer->type)->bytes;
        uint64_t at = lockstep_buffer_address(buffer->buffer) + buffer->guard_bytes + element * output->first;
        uint64_t count = output->count, sum = lockstep_buffer_address(bench->sums) + 8 * (uint64_t)i;
        const lockstep_argument arguments[] = {LOCKSTEP_VALUE(at), LOCKSTEP_VALUE(count), LOCKSTEP_VALUE(element),
                                               LOCKSTEP_VALUE(sum)};
        lockstep_shape shape = {.grid = {count < 1 << 20 ? 64 : 1024}, .block = {BLOCK}};
        if (!good(bench, lockstep_launch(bench->sum, &shape, arguments, 4, NULL, &bench->error)))
            return false;
    }
    if (!good(bench, lockstep_buffer_download(bench->sums, 0, sums, sizeof sums, &bench->error)))
        return false;
    for (int i = 0; i < LAB_MAX_OUTPUTS; i++)
        *same &= !run->outputs[i].present || sums[i] == bench->sums_wanted[set][i];
    return true;
}

static bool time_run(struct run_bench *bench, struct lab_run *run, int set, uint8_t fill, float *elapsed_ms)
{
    run->scratch_used = 0;
    memset(run->outputs, 0, sizeof run->outputs);
    if (!restore(bench, run, set, fill) || !good(bench, lockstep_device_synchronize(bench->device, &bench->error))
        || !good(bench, lockstep_event_record(bench->start, NULL, &bench->error)))
        return false;
    plan_run(run);
    return good_run(bench, run) && good(bench, lockstep_event_record(bench->stop, NULL, &bench->error))
           && good(bench, lockstep_event_elapsed(bench->start, bench->stop, elapsed_ms, &bench->error));
}

/* A run of the student's, and whether what it left is known to be right; else it is collected for the grader to judge. */
static bool time_student(struct run_bench *bench, struct lab_run *run, int set, uint8_t fill, float *elapsed_ms)
{
    bool same = true;
    if (!time_run(bench, run, set, fill, elapsed_ms) || !same_outputs(bench, run, set, &same))
        return false;
    if (!same && !bench->timing->differs) {
        bench->timing->differs = true;
        bench->timing->set = set;
        for (int i = 0; i < LAB_MAX_OUTPUTS; i++)
            run->outputs[i].present &= !bench->changes_later[i];
        plan_collect(run);
        memcpy(bench->timing->outputs, run->outputs, sizeof run->outputs);
    }
    return good_run(bench, run);
}

/* Does the module have memory that outlives a launch? */
static bool keeps_state(const char *ptx, size_t ptx_bytes)
{
    static const char word[] = ".global .align";
    return memmem(ptx, ptx_bytes, word, sizeof word - 1) != NULL;
}

/* Did the student's first run show that measuring is a waste of time? The times are then those of one run. */
static bool is_slow(struct run_bench *bench, int set, uint8_t fill, float ms)
{
    struct run_timing *timing = bench->timing;
    double far = 2 * bench->session->settings->plan.lab->time.zero_at;
    float again_ms = 0, reference_ms = 0;
    if (ms < bench->slow_ms || !time_run(bench, bench->reference, set, fill, &reference_ms) || ms < far * reference_ms)
        return false;
    if (ms < HOPELESS_MS
        && (!time_student(bench, bench->student, set, fill, &again_ms) || again_ms < bench->slow_ms
            || again_ms < far * reference_ms))
        return false;
    timing->slow = true;
    timing->pairs = 1;
    timing->student_ms[0] = again_ms > 0 && again_ms < ms ? again_ms : ms;
    timing->reference_ms[0] = reference_ms;
    return true;
}

/* One run of each, both after one on the other inputs. Returns false when there is nothing more to measure. */
static bool time_pair(struct run_bench *bench, int set, uint8_t fill, bool stateful, float *student_ms, float *reference_ms)
{
    struct lab_run *student = bench->student, *reference = bench->reference;
    const struct run_settings *settings = bench->session->settings;
    float warm_ms = 0;
    if (stateful && !plan_reload(student, settings->ptx, settings->ptx_bytes)) {
        good_run(bench, student);
        return false;
    }
    return time_student(bench, student, 1 - set, fill, &warm_ms) && !bench->timing->differs
           && !is_slow(bench, 1 - set, fill, warm_ms) && time_student(bench, student, set, fill, student_ms)
           && time_run(bench, reference, 1 - set, fill, &warm_ms) && time_run(bench, reference, set, fill, reference_ms);
}

int run_timing_repeats(float ms)
{
    int repeats = 1;
    while (repeats < MOST_REPEATS && (float)repeats * ms < SHORT_MS)
        repeats++;
    return repeats;
}

/* Times that are too short are made of several runs, each between events of its own and with everything brought back
 * before it. Several launches between two events would be quicker, but the second would find what the first left: a kernel
 * could see that its work is done. */
static void measure_pairs(struct run_bench *bench, int rounds, int repeats)
{
    struct run_timing *timing = bench->timing;
    const struct run_settings *settings = bench->session->settings;
    bool stateful = keeps_state(settings->ptx, settings->ptx_bytes);
    for (int i = 0; i < rounds && !timing->differs; i++) {
        float student_sum_ms = 0, reference_sum_ms = 0, student_ms = 0, reference_ms = 0;
        for (int k = 0; k < repeats; k++) {
            if (!time_pair(bench, (i + k) % 2, (uint8_t)(0x40 + i), stateful, &student_ms, &reference_ms))
                return;
            student_sum_ms += student_ms;
            reference_sum_ms += reference_ms;
        }
        timing->student_ms[timing->pairs] = student_sum_ms / (float)repeats;
        timing->reference_ms[timing->pairs++] = reference_sum_ms / (float)repeats;
    }
}

static int compare_floats(const void *left, const void *right)
{
    float a = *(const float *)left, b = *(const float *)right;
    return (a > b) - (a < b);
}

/* What a copy moves here in a millisecond, reads and writes together: the median of a few. */
static bool measure_copy(struct run_bench *bench)
{
    float ms[COPIES];
    uint64_t from = lockstep_buffer_address(bench->flush), to = from + bench->flush_bytes / 2;
    for (int i = 0; i < COPIES; i++)
        if (!good(bench, lockstep_event_record(bench->start, NULL, &bench->error))
            || !copy_bytes(bench, from, to, bench->flush_bytes / 2)
            || !good(bench, lockstep_event_record(bench->stop, NULL, &bench->error))
            || !good(bench, lockstep_event_elapsed(bench->start, bench->stop, &ms[i], &bench->error)))
            return false;
    qsort(ms, COPIES, sizeof *ms, compare_floats);
    bench->copy_bytes_per_ms = (double)bench->flush_bytes / ms[COPIES / 2];
    return true;
}

static bool open_run(struct run_bench *bench, struct lab_run *run, const struct plan_setup *setup, const char *ptx,
                     size_t ptx_bytes)
{
    const struct run_memory *memory = bench->session->memory;
    run->setup = setup;
    run->device = bench->device;
    run->the_case = plan_case(setup, setup->lab->case_count);
    run->output_area = memory->bytes + memory->output_offset;
    run->output_area_bytes = memory->total_bytes - memory->output_offset;
    run->timing = true;
    return plan_open(run, ptx, ptx_bytes) || good_run(bench, run);
}

/* Once a child: the end of the process frees it all. The first runs are slower than what follows, and are not counted. */
static bool open_bench(struct run_bench *bench, const struct run_command *command, const char *ptx)
{
    const struct run_settings *settings = bench->session->settings;
    lockstep_error *error = &bench->error;
    if (bench->is_open)
        return true;
    if (!bench->kept[0] || !bench->kept[1]) {
        snprintf(bench->timing->message, sizeof(bench->timing->message), "the inputs of the timed runs are missing");
        return false;
    }
    bench->student = allocate_zeroed(sizeof(*bench->student));
    bench->reference = allocate_zeroed(sizeof(*bench->reference));
    bench->reference_setup = command->reference;
    bench->is_open = good(bench, lockstep_event_create(bench->device, &bench->start, error))
                     && good(bench, lockstep_event_create(bench->device, &bench->stop, error))
                     && good(bench, lockstep_buffer_create(bench->device, bench->flush_bytes, "flush", &bench->flush, error))
                     && good(bench, lockstep_buffer_create(bench->device, sizeof(uint64_t) * LAB_MAX_OUTPUTS, "sums",
                                                           &bench->sums, error))
                     && good(bench, lockstep_module_load(bench->device, ptx + command->reference_ptx_bytes,
                                                         command->kit_ptx_bytes, &bench->module, error))
                     && good(bench, lockstep_module_kernel(bench->module, "copy_bytes", &bench->copy, error))
                     && good(bench, lockstep_module_kernel(bench->module, "sum_elements", &bench->sum, error))
                     && measure_copy(bench)
                     && open_run(bench, bench->student, &settings->plan, settings->ptx, settings->ptx_bytes)
                     && open_run(bench, bench->reference, &bench->reference_setup, ptx, command->reference_ptx_bytes);
    if (bench->is_open)
        measure_pairs(bench, 1, 1);
    if (bench->timing->pairs == 1) /* the reference's time says it: students have no part in how they are measured */
        bench->repeats = run_timing_repeats(bench->timing->reference_ms[0]);
    return bench->is_open && bench->timing->message[0] == '\0' && !bench->timing->differs && !bench->timing->slow;
}

void run_timing_measure(struct run_bench *bench, const struct run_command *command, const char *ptx, size_t ptx_bytes,
                        struct run_timing *timing)
{
    bench->timing = timing;
    if (command->reference_ptx_bytes + command->kit_ptx_bytes == ptx_bytes && open_bench(bench, command, ptx)) {
        timing->pairs = 0;
        measure_pairs(bench, RUN_TIMING_PAIRS, bench->repeats);
    }
    timing->repeats = bench->repeats;
    timing->copy_bytes_per_ms = bench->copy_bytes_per_ms;
    timing->measured = timing->message[0] == '\0';
}
