#include "grader/run/plan.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/compile/signature.h"
#include "grader/lab/arrays.h"
#include "grader/lab/describe/guard.h"
#include "grader/lab/random.h"

/* Wide enough for what a warp or a small block writes beyond the end. Only on a GPU: the emulated driver's allocations have
 * no neighbours, and a guard zone inside the allocation would hide from it that the access is out of bounds. */
#define GUARD_BYTES 65536
#define GUARD_KEY   UINT64_C(0x6a09e667f3bcc908)

/* Arrays are poisoned and compared in pieces that fit the cache. */
#define PIECE_WORDS (size_t)(128 * 1024)

static void fail(struct lab_run *run, enum plan_state state, const char *kernel, const char *message)
{
    if (run->state != PLAN_RAN)
        return;
    run->state = state;
    snprintf(run->kernel, sizeof run->kernel, "%s", kernel);
    snprintf(run->message, sizeof run->message, "%s", message);
}

/* What a context, its heap and the smallest case need, whatever the submission is. */
#define LEAST_MEMORY (UINT64_C(16) << 20)

/* Sorts a runtime error into fault, refusal, lack of memory and harness failure. The case was made to fit into the device's
 * memory before there was a module, so what is lacking then is what the submission takes. */
static bool check(struct lab_run *run, lockstep_status status, const char *kernel, const lockstep_error *error)
{
    if (status == LOCKSTEP_OK)
        return true;
    bool enough = lockstep_device_get_info(run->device)->free_memory_bytes >= LEAST_MEMORY;
    if (status == LOCKSTEP_OUT_OF_MEMORY && run->module && enough) {
        fail(run, PLAN_NO_MEMORY, kernel,
             "There is not enough memory for what the submission takes itself: its own arrays (global, local, of each "
             "thread), and what its calls pass on. Make them smaller.");
        return false;
    }
    enum plan_state state = status == LOCKSTEP_KERNEL_FAULT     ? PLAN_FAULT
                            : status == LOCKSTEP_LAUNCH_REFUSED ? PLAN_LAUNCH_REFUSED
                                                                : PLAN_HARNESS;
    fail(run, state, kernel, error->message);
    return false;
}

const struct lab_case *plan_case(const struct plan_setup *setup, int index)
{
    return index < setup->lab->case_count ? &setup->lab->cases[index] : &setup->timing_case;
}

static int find_kernel(const struct lab_run *run, const char *name)
{
    for (int i = 0; i < run->setup->lab->kernel_count; i++)
        if (strcmp(run->setup->lab->kernels[i].name, name) == 0)
            return i;
    return -1;
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static bool fill_poison(struct lab_run *run, lockstep_buffer *buffer, size_t offset, size_t bytes, uint64_t key)
{
    lockstep_error error = {0};
    uint32_t *piece = allocate_zeroed(PIECE_WORDS * 4);
    bool good = true;
    for (size_t done = 0; done < bytes && good; done += PIECE_WORDS * 4) {
        size_t now = bytes - done < PIECE_WORDS * 4 ? bytes - done : PIECE_WORDS * 4;
        random_poison_fill(key, done / 4, piece, (now + 3) / 4);
        good = check(run, lockstep_buffer_upload(buffer, offset + done, piece, now, &error), "", &error);
    }
    free(piece);
    return good;
}

static bool make_buffer(struct lab_run *run, struct plan_buffer *made, const char *name, enum lab_type type, size_t count,
                        size_t columns)
{
    lockstep_error error = {0};
    bool emulated = lockstep_device_get_info(run->device)->emulated;
    made->guard_bytes = emulated ? 0 : GUARD_BYTES;
    made->bytes = count * types_get(type)->bytes;
    made->type = type;
    snprintf(made->name, sizeof made->name, "%s", name);
    size_t bytes = made->bytes + 2 * made->guard_bytes;
    if (!check(run, lockstep_buffer_create(run->device, bytes, made->name, &made->buffer, &error), "", &error)
        || !check(run, lockstep_buffer_describe(made->buffer, types_get(type)->bytes, columns, &error), "", &error))
        return false;
    return made->guard_bytes == 0
           || (fill_poison(run, made->buffer, 0, made->guard_bytes, GUARD_KEY)
               && fill_poison(run, made->buffer, made->guard_bytes + made->bytes, made->guard_bytes, GUARD_KEY));
}

static bool fill_zero(struct lab_run *run, lockstep_buffer *buffer, size_t offset, size_t bytes)
{
    lockstep_error error = {0};
    uint32_t *piece = allocate_zeroed(PIECE_WORDS * 4);
    bool good = true;
    for (size_t done = 0; done < bytes && good; done += PIECE_WORDS * 4) {
        size_t now = bytes - done < PIECE_WORDS * 4 ? bytes - done : PIECE_WORDS * 4;
        good = check(run, lockstep_buffer_upload(buffer, offset + done, piece, now, &error), "", &error);
    }
    free(piece);
    return good;
}

static bool poison(struct lab_run *run, struct plan_buffer *buffer, uint64_t key)
{
    lockstep_error error = {0};
    if (run->zeroed[0] != '\0' && strcmp(run->zeroed, buffer->name) == 0)
        return fill_zero(run, buffer->buffer, buffer->guard_bytes, buffer->bytes);
    if (!fill_poison(run, buffer->buffer, buffer->guard_bytes, buffer->bytes, key))
        return false;
    return check(run, lockstep_buffer_poison(buffer->buffer, &error), "", &error);
}

bool plan_reload(struct lab_run *run, const char *ptx, size_t ptx_bytes)
{
    const struct lab *lab = run->setup->lab;
    const struct lab_plan *plan = &lab->plans[run->setup->plan];
    lockstep_error error = {0};
    if (run->module)
        lockstep_module_unload(run->module);
    run->module = NULL;
    if (!check(run, lockstep_module_load(run->device, ptx, ptx_bytes, &run->module, &error), "", &error))
        return false;
    if (run->setup->source)
        lockstep_module_source(run->module, run->setup->source, run->setup->source_bytes);
    for (int i = 0; i < plan->kernel_count; i++) {
        const char *name = lab->kernels[plan->kernels[i]].name;
        lockstep_kernel **kernel = &run->kernels[plan->kernels[i]];
        if (!check(run, lockstep_module_kernel(run->module, name, kernel, &error), name, &error))
            return false;
    }
    return true;
}

bool plan_repair(struct lab_run *run, const char *request)
{
    static const char zero_array[] = "zero_array ";
    lockstep_error error = {0};
    const char *name = strstr(request, zero_array);
    run->state = PLAN_RAN;
    run->zeroed[0] = '\0';
    if (name)
        snprintf(run->zeroed, sizeof run->zeroed, "%.*s", (int)strcspn(name + sizeof zero_array - 1, ";"),
                 name + sizeof zero_array - 1);
    return check(run, lockstep_device_set_repair(run->device, request, &error), "", &error);
}

bool plan_open(struct lab_run *run, const char *ptx, size_t ptx_bytes)
{
    const struct plan_setup *setup = run->setup;
    const struct lab *lab = setup->lab;
    run->state = PLAN_RAN;
    if (!plan_reload(run, ptx, ptx_bytes))
        return false;
    for (int i = 0; i < lab->array_count; i++) {
        size_t columns = lab->columns ? lab->columns(lab, run->the_case, i) : 0;
        /* An array that this case does not use still has an address. */
        size_t count = lab->extent(lab, run->the_case, i);
        if (!make_buffer(run, &run->arrays[i], setup->array_names[i], lab->arrays[i].type, count > 0 ? count : 1, columns))
            return false;
    }
    return true;
}

void plan_close(struct lab_run *run)
{
    for (int i = 0; i < LAB_MAX_ARRAYS; i++)
        lockstep_texture_destroy(run->textures[i]);
    for (int i = 0; i < LAB_MAX_ARRAYS; i++)
        if (run->arrays[i].buffer)
            lockstep_buffer_destroy(run->arrays[i].buffer);
    memset(run->textures, 0, sizeof run->textures);
    for (int i = 0; i < run->scratch_count; i++)
        lockstep_buffer_destroy(run->scratch[i].buffer);
    if (run->module)
        lockstep_module_unload(run->module);
    memset(run->arrays, 0, sizeof run->arrays);
    memset(run->kernels, 0, sizeof run->kernels);
    run->scratch_count = 0;
    run->module = NULL;
}

bool plan_prepare(struct lab_run *run, const struct lab_data *data, uint64_t poison_key)
{
    const struct lab *lab = run->setup->lab;
    lockstep_error error = {0};
    run->state = PLAN_RAN;
    run->message[0] = run->kernel[0] = '\0';
    run->poison_key = poison_key;
    run->data = data;
    memcpy(run->scalars, data->scalar, sizeof run->scalars);
    run->scratch_used = 0;
    run->output_area_used = 0;
    run->max_blocks = run->max_threads = 0;
    run->launched = 0;
    memset(run->outputs, 0, sizeof run->outputs);
    for (int i = 0; i < lab->array_count; i++) {
        struct plan_buffer *buffer = &run->arrays[i];
        bool input = lab->arrays[i].role == LAB_INPUT;
        if (lab->arrays[i].role == LAB_OUTPUT) {
            if (!poison(run, buffer, plan_poison_key(poison_key, &(struct plan_output){.array = i, .scratch = -1})))
                return false;
            continue;
        }
        size_t bytes = data->count[i] * arrays_element_bytes(lab, i);
        if (!check(run, lockstep_buffer_protect(buffer->buffer, false, &error), "", &error)
            || (bytes > 0
                && !check(run,
                          lockstep_buffer_upload(buffer->buffer, buffer->guard_bytes, data->array[i].bytes, bytes, &error),
                          "", &error))
            || !check(run, lockstep_buffer_protect(buffer->buffer, input, &error), "", &error))
            return false;
    }
    return plan_refresh_textures(run);
}

bool plan_refresh_textures(struct lab_run *run)
{
    lockstep_error error = {0};
    bool good = true;
    for (int i = 0; i < LAB_MAX_ARRAYS && good; i++)
        good = !run->textures[i] || check(run, lockstep_texture_refresh(run->textures[i], &error), "", &error);
    return good;
}

/* Makes the texture of an array with its first launch. Returns false with state and message set. */
static bool make_texture(struct lab_run *run, int array)
{
    const struct lab *lab = run->setup->lab;
    const struct types_row *type = types_get(lab->arrays[array].type);
    lockstep_error error = {0};
    size_t count = lab->extent(lab, run->the_case, array);
    size_t columns = lab->columns ? lab->columns(lab, run->the_case, array) : 0;
    lockstep_texture_layout layout = {.kind = type->kind == TYPES_FLOAT      ? LOCKSTEP_TEXEL_FLOAT
                                              : type->kind == TYPES_UNSIGNED ? LOCKSTEP_TEXEL_UNSIGNED
                                                                             : LOCKSTEP_TEXEL_SIGNED,
                                      .element_bytes = type->bytes,
                                      .columns = columns > 0 ? columns : count,
                                      .rows = columns > 0 ? count / columns : 0,
                                      .offset = run->arrays[array].guard_bytes};
    return run->textures[array]
           || check(run, lockstep_texture_create(run->arrays[array].buffer, &layout, &run->textures[array], &error), "",
                    &error);
}

void plan_run(struct lab_run *run)
{
    const struct lab *lab = run->setup->lab;
    lockstep_error error = {0};
    lab->plans[run->setup->plan].launch(run);
    if (run->state == PLAN_RAN && !run->timing)
        check(run, lockstep_device_synchronize(run->device, &error), "", &error);
}

/* A rehearsal that a child does. */
struct rehearsal {
    struct plan_setup setup;
    struct lab_case the_case;
    char name[128];
    struct lab_run run;
};

static void rehearse(void *context)
{
    struct rehearsal *rehearsal = context;
    rehearsal->the_case.name = rehearsal->name;
    rehearsal->the_case.purpose = "";
    rehearsal->run.setup = &rehearsal->setup;
    rehearsal->run.the_case = &rehearsal->the_case;
    rehearsal->setup.lab->plans[rehearsal->setup.plan].launch(&rehearsal->run);
}

static void rehearse_guarded(struct lab_run *run)
{
    struct rehearsal *rehearsal = allocate_zeroed(sizeof *rehearsal);
    struct guard_call call = {.lab = run->setup->lab,
                              .the_case = run->the_case,
                              .body = rehearse,
                              .context = rehearsal,
                              .context_bytes = sizeof *rehearsal};
    const struct lab_run before = *run;
    *rehearsal = (struct rehearsal){.setup = *run->setup, .the_case = *run->the_case, .run = *run};
    rehearsal->setup.lab = guard_lab(run->setup->lab);
    rehearsal->setup.source = NULL; /* younger than the child, and for findings alone */
    snprintf(rehearsal->name, sizeof rehearsal->name, "%s", run->the_case->name);
    enum guard_status status;
    do
        guard_place(&call);
    while ((status = guard_run(&call)) == GUARD_AGAIN);
    if (status == GUARD_DONE) {
        *run = rehearsal->run;
        run->setup = before.setup;
        run->the_case = before.the_case;
    } else {
        run->state = PLAN_HARNESS;
        snprintf(run->message, sizeof run->message, "%s", guard_fault(run->setup->lab));
    }
    free(rehearsal);
}

bool plan_rehearse(struct lab_run *run, const struct plan_setup *setup, const struct lab_case *the_case)
{
    memset(run, 0, sizeof *run);
    run->setup = setup;
    run->the_case = the_case;
    run->rehearsal = true;
    if (guard_goes_through(setup->lab, setup->plan))
        rehearse_guarded(run);
    else
        setup->lab->plans[setup->plan].launch(run);
    return run->state == PLAN_RAN;
}

/* ---- damage ------------------------------------------------------------------------------------------------------- */

/* Index of the first byte of device memory that differs from `want` (NULL: the guard's pattern); `bytes` when none does. */
static size_t find_difference(struct lab_run *run, lockstep_buffer *buffer, size_t offset, size_t bytes, const uint8_t *want)
{
    lockstep_error error = {0};
    uint8_t *got = allocate_zeroed(PIECE_WORDS * 4);
    uint32_t *pattern = allocate_zeroed(PIECE_WORDS * 4);
    size_t found = bytes;
    for (size_t done = 0; done < bytes && found == bytes; done += PIECE_WORDS * 4) {
        size_t now = bytes - done < PIECE_WORDS * 4 ? bytes - done : PIECE_WORDS * 4;
        const uint8_t *expected = want ? want + done : (const uint8_t *)pattern;
        if (!want)
            random_poison_fill(GUARD_KEY, done / 4, pattern, (now + 3) / 4);
        if (!check(run, lockstep_buffer_download(buffer, offset + done, got, now, &error), "", &error))
            break;
        for (size_t i = 0; memcmp(got, expected, now) != 0 && i < now; i++)
            if (got[i] != expected[i]) {
                found = done + i;
                break;
            }
    }
    free(got);
    free(pattern);
    return found;
}

static bool guards_hold(struct lab_run *run, struct plan_buffer *buffer)
{
    size_t guard = buffer->guard_bytes;
    return guard == 0
           || (find_difference(run, buffer->buffer, 0, guard, NULL) == guard
               && find_difference(run, buffer->buffer, guard + buffer->bytes, guard, NULL) == guard);
}

int plan_find_damage(struct lab_run *run, const struct lab_data *data, bool thorough, char name[PLAN_NAME_BYTES],
                     uint64_t *index)
{
    const struct lab *lab = run->setup->lab;
    for (int i = 0; i < lab->array_count + run->scratch_count; i++) {
        struct plan_buffer *buffer = i < lab->array_count ? &run->arrays[i] : &run->scratch[i - lab->array_count];
        strcpy(name, buffer->name);
        *index = 0;
        if (i < lab->array_count && lab->arrays[i].role == LAB_INPUT && (thorough || buffer->guard_bytes > 0)) {
            size_t element = arrays_element_bytes(lab, i), bytes = data->count[i] * element;
            size_t found = find_difference(run, buffer->buffer, buffer->guard_bytes, bytes, data->array[i].bytes);
            *index = found / element;
            if (found < bytes)
                return 1;
        }
        if (!guards_hold(run, buffer))
            return 2;
    }
    return 0;
}

/* ---- what a plan calls -------------------------------------------------------------------------------------------- */

const struct lab *lab_run_lab(const struct lab_run *run)
{
    return run->setup->lab;
}

int lab_run_plan(const struct lab_run *run)
{
    return run->setup->plan;
}

const struct lab_case *lab_run_case(const struct lab_run *run)
{
    return run->the_case;
}

void lab_refuse(struct lab_run *run, const char *format, ...)
{
    char message[1024];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    fail(run, PLAN_REFUSED, "", message);
}

int64_t lab_elements_per_block(struct lab_run *run, const char *kernel)
{
    int index = find_kernel(run, kernel);
    return index < 0 ? 1 : run->setup->geometry[index].items[0];
}

int64_t lab_blocks(struct lab_run *run, const char *kernel, int64_t n)
{
    int64_t elements = lab_elements_per_block(run, kernel);
    return (n + elements - 1) / elements;
}

int64_t lab_threads_per_block(struct lab_run *run, const char *kernel)
{
    int index = find_kernel(run, kernel);
    const uint32_t *block = index < 0 ? NULL : run->setup->geometry[index].block;
    return block ? (int64_t)block[0] * block[1] * block[2] : 1;
}

/* The student's name for a scratch array: that of a parameter which the contract calls `name`. */
static const char *scratch_name(const struct lab_run *run, const char *name)
{
    const struct lab *lab = run->setup->lab;
    const struct lab_plan *plan = &lab->plans[run->setup->plan];
    for (int i = 0; i < plan->kernel_count; i++) {
        struct signature contract;
        int kernel = plan->kernels[i];
        int k = signature_parse(lab->kernels[kernel].signature, &contract) ? signature_find_parameter(&contract, name) : -1;
        if (k >= 0 && k < LAB_MAX_ARGUMENTS && run->setup->parameter_names[kernel][k][0] != '\0')
            return run->setup->parameter_names[kernel][k];
    }
    return name;
}

int lab_scratch(struct lab_run *run, const char *name, enum lab_type type, size_t count)
{
    if (run->state != PLAN_RAN)
        return 0;
    int handle = run->scratch_used;
    if (handle == PLAN_MAX_SCRATCH || count == 0) {
        fail(run, PLAN_HARNESS, "",
             count == 0 ? "the lab asks for an empty scratch array" : "the lab asks for too many scratch arrays");
        return 0;
    }
    struct plan_buffer *buffer = &run->scratch[handle];
    if (run->rehearsal) {
        snprintf(buffer->name, sizeof buffer->name, "%s", scratch_name(run, name));
        buffer->type = type;
        buffer->bytes = count * types_get(type)->bytes;
        return run->scratch_used++;
    }
    if (handle == run->scratch_count) {
        memset(buffer, 0, sizeof *buffer);
        if (!make_buffer(run, buffer, scratch_name(run, name), type, count, 0))
            return 0;
        run->scratch_count++;
    } else if (buffer->bytes != count * types_get(type)->bytes) {
        fail(run, PLAN_HARNESS, "", "the lab asks for other scratch arrays in the second run");
        return 0;
    }
    run->scratch_used++;
    if (!run->timing)
        poison(run, buffer, plan_poison_key(run->poison_key, &(struct plan_output){.array = -1, .scratch = handle}));
    return handle;
}

/* The grid that the plan asks for, or else the student: NULL where it follows from the elements. */
static const uint32_t *asked_grid(const struct lab_launch *launch, const struct geometry *geometry)
{
    return launch->blocks[0] > 0 ? launch->blocks : geometry->grid[0] > 0 ? geometry->grid : NULL;
}

static bool find_grid(struct lab_run *run, const struct lab_launch *launch, const struct lab_kernel *kernel,
                      const struct geometry *geometry, uint32_t grid[3])
{
    const uint32_t *asked = asked_grid(launch, geometry);
    int dimensions = kernel->dimensions < 1 ? 1 : kernel->dimensions;
    for (int d = 0; d < 3; d++) {
        int64_t cover = d == 0 || launch->cover[d] > 0 ? launch->cover[d] : 1;
        int64_t blocks = asked            ? (d == 0 || asked[d] > 0 ? asked[d] : 1)
                         : d < dimensions ? (cover + geometry->items[d] - 1) / geometry->items[d]
                                          : 1;
        if (blocks <= 0 || blocks > UINT32_MAX) {
            fail(run, PLAN_HARNESS, kernel->name, "the lab asks for an empty or an impossible grid");
            return false;
        }
        grid[d] = (uint32_t)blocks;
    }
    return true;
}

/* Turns a lab's arguments into the runtime's. `values` keeps addresses and integers alive. */
static size_t take_arguments(struct lab_run *run, const struct lab_launch *launch, uint64_t values[LAB_MAX_ARGUMENTS],
                             lockstep_argument arguments[LAB_MAX_ARGUMENTS])
{
    size_t count = 0;
    for (; count < LAB_MAX_ARGUMENTS && launch->arguments[count].kind != LAB_END; count++) {
        const struct lab_argument *argument = &launch->arguments[count];
        if (argument->kind == LAB_INT_ARGUMENT) {
            enum lab_type type = argument->type == LAB_NO_TYPE ? LAB_INT32 : argument->type;
            values[count] = 0;
            types_set_integer(type, &values[count], 0, argument->value);
            arguments[count] = (lockstep_argument){LOCKSTEP_ARGUMENT_VALUE, &values[count], types_get(type)->bytes, NULL};
            continue;
        }
        if (argument->kind == LAB_TEXTURE_ARGUMENT) {
            values[count] = make_texture(run, (int)argument->value) ? lockstep_texture_handle(run->textures[argument->value])
                                                                    : 0;
            arguments[count] = (lockstep_argument){LOCKSTEP_ARGUMENT_VALUE, &values[count], sizeof(uint64_t), NULL};
            continue;
        }
        if (argument->kind == LAB_SCALAR_ARGUMENT) {
            enum lab_type type = run->setup->lab->scalars[argument->value].type;
            values[count] = 0;
            if (types_is_float(type))
                types_set_float(type, &values[count], 0, run->scalars[argument->value].f);
            else
                types_set_integer(type, &values[count], 0, run->scalars[argument->value].i);
            arguments[count] = (lockstep_argument){LOCKSTEP_ARGUMENT_VALUE, &values[count], types_get(type)->bytes, NULL};
            continue;
        }
        const struct plan_buffer *buffer = argument->kind == LAB_ARRAY_ARGUMENT ? &run->arrays[argument->value]
                                                                                : &run->scratch[argument->value];
        values[count] = lockstep_buffer_address(buffer->buffer) + buffer->guard_bytes
                        + types_get(buffer->type)->bytes * argument->offset;
        arguments[count] = (lockstep_argument){LOCKSTEP_ARGUMENT_VALUE, &values[count], sizeof(uint64_t), NULL};
    }
    return count;
}

static void note_launch(struct lab_run *run, int kernel, const struct lab_launch *launch)
{
    struct plan_launch *noted = &run->launches[run->launch_count];
    const struct geometry *geometry = &run->setup->geometry[kernel];
    if (run->launch_count++ >= PLAN_MAX_LAUNCHES)
        return;
    noted->kernel = kernel;
    find_grid(run, launch, &run->setup->lab->kernels[kernel], geometry, noted->grid);
    memcpy(noted->block, geometry->block, sizeof noted->block);
    memcpy(noted->arguments, launch->arguments, sizeof noted->arguments);
    for (int d = 0; d < 3; d++) {
        bool covers = d < run->setup->lab->kernels[kernel].dimensions;
        noted->cover[d] = launch->cover[d] > 0 ? launch->cover[d] : 1;
        noted->items[d] = asked_grid(launch, geometry) ? 0 : covers ? geometry->items[d] : 1;
    }
}

void lab_launch(struct lab_run *run, const struct lab_launch *launch)
{
    lockstep_error error = {0};
    uint64_t values[LAB_MAX_ARGUMENTS];
    lockstep_argument arguments[LAB_MAX_ARGUMENTS];
    int index = find_kernel(run, launch->kernel);
    if (run->state != PLAN_RAN)
        return;
    if (run->rehearsal) {
        if (index >= 0)
            note_launch(run, index, launch);
        return;
    }
    if (index < 0 || !run->kernels[index]) {
        fail(run, PLAN_HARNESS, launch->kernel, "the lab launches a kernel that its plan does not name");
        return;
    }
    const struct lab_kernel *kernel = &run->setup->lab->kernels[index];
    const struct geometry *geometry = &run->setup->geometry[index];
    lockstep_shape shape = {.cooperative = false};
    if (!find_grid(run, launch, kernel, geometry, shape.grid))
        return;
    memcpy(shape.block, geometry->block, sizeof shape.block);
    size_t count = take_arguments(run, launch, values, arguments);
    if (run->state != PLAN_RAN)
        return;
    shape.dynamic_shared_bytes = (uint32_t)launch->shared_bytes;
    uint64_t blocks = (uint64_t)shape.grid[0] * shape.grid[1] * shape.grid[2];
    uint64_t threads = blocks * shape.block[0] * shape.block[1] * shape.block[2];
    run->max_blocks = blocks > run->max_blocks ? blocks : run->max_blocks;
    run->max_threads = threads > run->max_threads ? threads : run->max_threads;
    run->launched++;
    if (!check(run, lockstep_launch(run->kernels[index], &shape, arguments, count, NULL, &error), kernel->name, &error))
        return;
    /* Waiting here keeps a fault with the kernel that caused it: later launches of the plan then do not run. */
    if (!run->timing)
        check(run, lockstep_device_synchronize(run->device, &error), kernel->name, &error);
}

void lab_set_constant(struct lab_run *run, const char *name, int array, size_t offset, size_t count)
{
    lockstep_error error = {0};
    const struct plan_buffer *buffer = &run->arrays[array];
    size_t element = arrays_element_bytes(run->setup->lab, array), bytes = count * element, room = 0;
    if (run->state != PLAN_RAN || run->rehearsal)
        return;
    if (lockstep_module_variable(run->module, name, NULL, &room, &error) != LOCKSTEP_OK) {
        lab_refuse(
            run,
            "This lab copies %s into the constant variable %s before the launch, and your file has no such variable, or no "
            "kernel that reads it. Write: __constant__ %s %s[%zu];",
            run->setup->array_names[array], name, types_get(buffer->type)->c, name, count);
        return;
    }
    if (bytes > room) {
        lab_refuse(
            run, "The constant variable %s has %zu bytes, but %zu elements of %s take %zu. Write: __constant__ %s %s[%zu];",
            name, room, count, types_get(buffer->type)->c, bytes, types_get(buffer->type)->c, name, count);
        return;
    }
    check(run,
          lockstep_module_set_variable(run->module, name, 0, buffer->buffer, buffer->guard_bytes + offset * element, bytes,
                                       &error),
          "", &error);
}

static void overwrite(struct lab_run *run, struct plan_buffer *buffer, int source, size_t count)
{
    lockstep_error error = {0};
    size_t bytes = count * types_get(buffer->type)->bytes;
    bool same = arrays_element_bytes(run->setup->lab, source) == types_get(buffer->type)->bytes;
    if (!same || bytes > buffer->bytes || count > run->data->count[source]) {
        fail(run, PLAN_HARNESS, "", "the lab overwrites a range that does not exist, or one of another type");
        return;
    }
    check(run, lockstep_buffer_upload(buffer->buffer, buffer->guard_bytes, run->data->array[source].bytes, bytes, &error),
          "", &error);
}

void lab_overwrite(struct lab_run *run, int array, int source, size_t count)
{
    if (run->state == PLAN_RAN && !run->rehearsal)
        overwrite(run, &run->arrays[array], source, count);
}

void lab_overwrite_scratch(struct lab_run *run, int scratch, int source, size_t count)
{
    if (run->state == PLAN_RAN && !run->rehearsal)
        overwrite(run, &run->scratch[scratch], source, count);
}

struct plan_buffer *plan_output_buffer(struct lab_run *run, const struct plan_output *output)
{
    return output->array >= 0 ? &run->arrays[output->array] : &run->scratch[output->scratch];
}

/* Adds up floats of the device, into an element of their type. Returns false, without a sum, where one of them was
 * never written. */
static bool add_up(struct lab_run *run, const struct plan_output *output, void *sum)
{
    const struct plan_buffer *buffer = plan_output_buffer(run, output);
    lockstep_error error = {0};
    size_t element = types_get(buffer->type)->bytes;
    uint8_t *values = allocate_zeroed(output->added * element);
    bool known =
        check(run, lockstep_buffer_download(buffer->buffer, buffer->guard_bytes, values, output->added * element, &error),
              "", &error);
    double total = 0;
    for (size_t i = 0; i < output->added && known; i++) {
        known = !random_is_poison(plan_poison_key(run->poison_key, output), element, i, values + i * element);
        total += types_get_float(buffer->type, values, i);
    }
    types_set_float(buffer->type, sum, 0, total);
    free(values);
    return known;
}

static bool copy_output(struct lab_run *run, struct plan_output *output)
{
    const struct plan_buffer *buffer = plan_output_buffer(run, output);
    lockstep_error error = {0};
    size_t element = types_get(buffer->type)->bytes, bytes = output->count * element;
    if (bytes > run->output_area_bytes - run->output_area_used) {
        fail(run, PLAN_HARNESS, "", "the lab checks more than it has arrays");
        return false;
    }
    output->offset = run->output_area_used;
    run->output_area_used += (bytes + 63) / 64 * 64;
    if (output->added > 0) {
        output->present = add_up(run, output, run->output_area + output->offset);
        return run->state == PLAN_RAN;
    }
    return check(run,
                 lockstep_buffer_download(buffer->buffer, buffer->guard_bytes + output->first * element,
                                          run->output_area + output->offset, bytes, &error),
                 "", &error);
}

bool plan_collect(struct lab_run *run)
{
    run->output_area_used = 0;
    for (int i = 0; i < LAB_MAX_OUTPUTS; i++)
        if (run->outputs[i].present && !copy_output(run, &run->outputs[i]))
            return false;
    return true;
}

static void take_output(struct lab_run *run, int output, size_t first, size_t count, struct plan_output where)
{
    if (run->state != PLAN_RAN)
        return;
    where.present = true;
    where.count = count;
    where.first = first;
    where.launches = run->rehearsal ? run->launch_count : run->launched;
    size_t end = where.added > 0 ? where.added : first + count;
    const struct plan_buffer *buffer = plan_output_buffer(run, &where);
    enum lab_type type = run->setup->lab->arrays[run->setup->lab->outputs[output].array].type;
    bool same = run->rehearsal
                || (types_is_float(type) == types_is_float(buffer->type)
                    && types_get(type)->bytes == types_get(buffer->type)->bytes);
    if (!run->rehearsal && (count == 0 || !same || end * types_get(type)->bytes > buffer->bytes)) {
        fail(run, PLAN_HARNESS, "", "the lab checks a range that does not exist, or one of another type");
        return;
    }
    run->outputs[output] = where;
    if (!run->rehearsal && !run->timing && !copy_output(run, &run->outputs[output]))
        run->outputs[output].present = false;
}

void lab_check(struct lab_run *run, int output, size_t offset, size_t count)
{
    int array = run->setup->lab->outputs[output].array;
    take_output(run, output, offset, count, (struct plan_output){.array = array, .scratch = -1});
}

void lab_check_scratch(struct lab_run *run, int output, int scratch, size_t offset, size_t count)
{
    take_output(run, output, offset, count, (struct plan_output){.array = -1, .scratch = scratch});
}

void lab_check_scratch_sum(struct lab_run *run, int output, int scratch, size_t count)
{
    take_output(run, output, 0, 1, (struct plan_output){.array = -1, .scratch = scratch, .added = count});
}
