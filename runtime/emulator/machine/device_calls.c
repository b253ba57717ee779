#include "runtime/emulator/machine/device_calls.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/device_work.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/kernel_memory.h"
#include "runtime/emulator/machine/launch_limits.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/language/demangle.h"
#include "runtime/language/ptx/module.h"

/* Errors of the runtime API that these functions return, each where an H200 (driver 580) does. */
enum {
    ERROR_NONE = 0,
    ERROR_INVALID_VALUE = 1,
    ERROR_MEMORY_ALLOCATION = 2,
    ERROR_INVALID_CONFIGURATION = 9,
    ERROR_INVALID_PITCH = 12,
    ERROR_INVALID_DIRECTION = 21,
    ERROR_PENDING_COUNT_EXCEEDED = 69,
    ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
};

/* Launches of which each is asked for by the one before: no program needs so many, and one that never ends has to end. */
enum { DEPTH_LIMIT = 1 << 16 };

enum { LIMIT_PENDING_LAUNCH_COUNT = 4 }; /* cudaLimitDevRuntimePendingLaunchCount */

struct call {
    struct warp *warp;
    struct launch *launch;
    const struct operation *operation;
    const struct call_site *site;
    unsigned lane;
    struct device_works *works;
    uint64_t value; /* what is stored, or returned by those that return something else than an error */
};

/* ---- parameters ---- */

static uint64_t word_of(const struct call *call, unsigned parameter, unsigned word)
{
    uint32_t from = call->site->arguments[parameter].from + word * WARP_LANES * 8;
    return ((const uint64_t *)((const char *)call->warp->q + from))[call->lane];
}

static uint64_t wide(const struct call *call, unsigned parameter)
{
    return word_of(call, parameter, 0);
}

static uint32_t narrow(const struct call *call, unsigned parameter)
{
    return (uint32_t)word_of(call, parameter, 0);
}

static void dimensions(const struct call *call, unsigned parameter, uint32_t size[3])
{
    size[0] = (uint32_t)word_of(call, parameter, 0);
    size[1] = (uint32_t)(word_of(call, parameter, 0) >> 32);
    size[2] = (uint32_t)word_of(call, parameter, 1);
}

/* ---- errors: each thread has its own ---- */

static struct device_error *find_error(const struct call *call)
{
    const struct warp *warp = call->warp;
    uint32_t thread = warp->index * WARP_LANES + call->lane;
    for (size_t i = 0; i < call->works->error_count; i++)
        if (call->works->errors[i].block == warp->block->linear && call->works->errors[i].thread == thread)
            return &call->works->errors[i];
    return NULL;
}

/* Room for one element more. */
static bool grow(void **array, size_t count, size_t *room, size_t bytes)
{
    if (count < *room)
        return true;
    size_t larger = *room ? 2 * *room : 16;
    void *grown = realloc(*array, larger * bytes);
    if (!grown)
        return false;
    *array = grown;
    *room = larger;
    return true;
}

static int fail(struct call *call, int error)
{
    struct device_works *works = call->works;
    struct device_error *known = find_error(call);
    if (known)
        known->error = error;
    else if (grow((void **)&works->errors, works->error_count, &works->error_room, sizeof *works->errors))
        works->errors[works->error_count++] = (struct device_error){
            .block = call->warp->block->linear, .thread = call->warp->index * WARP_LANES + call->lane, .error = error};
    return error;
}

/* A finding about the call itself: at the program's own line, since the functions are not the program's. */
static void describe(const struct call *call, enum finding_code code, struct finding *finding)
{
    launch_finding(call->warp, call->operation, call->lane, code, finding);
    finding->inside.line = 0;
}

/* The call is given what does not exist: a GPU ends with an illegal address, or with `status`. */
__attribute__((format(printf, 3, 0))) static int fault(struct call *call, enum launch_status status, const char *text,
                                                       uint64_t given)
{
    struct finding finding;
    describe(call, FINDING_null_pointer, &finding);
    finding_text(&finding, text, (unsigned long long)given);
    finding_collect(call->launch->findings, &finding);
    launch_abort(call->launch, status);
    return ERROR_INVALID_VALUE;
}

static int device_peek_at_last_error(struct call *call)
{
    const struct device_error *known = find_error(call);
    return known ? known->error : ERROR_NONE;
}

static int device_take_last_error(struct call *call)
{
    struct device_error *known = find_error(call);
    int error = known ? known->error : ERROR_NONE;
    if (known)
        *known = call->works->errors[--call->works->error_count];
    return error;
}

static int device_get_error_name(struct call *call)
{
    call->value = call->launch->request->port->error_name((int)narrow(call, 0));
    return ERROR_NONE;
}

static int device_get_error_text(struct call *call)
{
    call->value = call->launch->request->port->error_text((int)narrow(call, 0));
    return ERROR_NONE;
}

/* ---- questions about the device ---- */

/* Ends a call that stores a value: not where there is no place for it. */
static int answer(struct call *call, int error, uint64_t value)
{
    call->value = value;
    if (error == ERROR_NONE && wide(call, 0) == 0)
        error = ERROR_INVALID_VALUE;
    return error == ERROR_NONE ? ERROR_NONE : fail(call, error);
}

static int device_get_device(struct call *call)
{
    return answer(call, ERROR_NONE, call->launch->request->device);
}

static int device_get_device_count(struct call *call)
{
    return answer(call, ERROR_NONE, (uint64_t)call->launch->request->port->device_count());
}

static int device_get_version(struct call *call)
{
    return answer(call, ERROR_NONE, (uint64_t)call->launch->request->port->runtime_version());
}

static int device_get_attribute(struct call *call)
{
    int value = 0;
    int error = call->launch->request->port->attribute((int)narrow(call, 1), (int)narrow(call, 2), &value);
    return answer(call, error, (uint32_t)value);
}

/* An error of this function is not kept as the last one. */
static int device_get_limit(struct call *call)
{
    return wide(call, 0) == 0 ? ERROR_INVALID_VALUE : call->launch->request->port->limit((int)narrow(call, 1), &call->value);
}

static int device_get_preference(struct call *call)
{
    return answer(call, ERROR_NONE, 0);
}

/* The kernel whose address that is; NULL: none. */
static const struct program_function *find_kernel(const struct call *call, uint64_t address)
{
    const struct program *program = call->launch->request->function->program;
    uint64_t index = (address - FUNCTION_WINDOW) / 16;
    if (address < FUNCTION_WINDOW || address % 16 != 0)
        return NULL;
    for (size_t i = 0; i < program->kernel_count; i++)
        if (program->kernels[i].index == index)
            return &program->kernels[i];
    return NULL;
}

#define NO_KERNEL "the address 0x%llx is not that of a kernel"

static int device_get_function_attributes(struct call *call)
{
    uint32_t words[DEVICE_FUNCTION_WORDS] = {0}, word = narrow(call, 2);
    const struct program_function *kernel = find_kernel(call, wide(call, 1));
    if (!kernel || word >= DEVICE_FUNCTION_WORDS)
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_KERNEL, wide(call, 1));
    call->launch->request->port->function_words(kernel, words);
    return answer(call, ERROR_NONE, words[word]);
}

static int device_get_occupancy(struct call *call)
{
    const struct program_function *kernel = find_kernel(call, wide(call, 1));
    if (!kernel)
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_KERNEL, wide(call, 1));
    int threads = (int)narrow(call, 2);
    uint64_t shared_bytes = wide(call, 3);
    if (threads <= 0)
        return answer(call, ERROR_INVALID_VALUE, 0);
    return answer(call, ERROR_NONE,
                  shared_bytes > UINT32_MAX ? 0
                                            : launch_limits_blocks(kernel, call->launch->request->profile, (uint32_t)threads,
                                                                   (uint32_t)shared_bytes));
}

/* ---- streams and events: work is done in the order of the calls, which is an order that they allow ---- */

#define OBJECT_ADDRESS UINT64_C(0x5800000000000000) /* of the first one; no address that a kernel can have */

static int create_object(struct call *call, bool is_event)
{
    struct device_works *works = call->works;
    if (wide(call, 0) == 0)
        return fail(call, ERROR_INVALID_VALUE);
    if (!grow((void **)&works->objects, works->object_count, &works->object_room, sizeof *works->objects))
        return fail(call, ERROR_MEMORY_ALLOCATION);
    works->objects[works->object_count] = (struct device_object){.is_event = is_event};
    return answer(call, ERROR_NONE, OBJECT_ADDRESS + 16 * works->object_count++);
}

/* A destroyed one still counts, as on a GPU. */
static struct device_object *find_object(const struct call *call, uint64_t handle, bool is_event)
{
    uint64_t index = (handle - OBJECT_ADDRESS) / 16;
    if (handle < OBJECT_ADDRESS || handle % 16 != 0 || index >= call->works->object_count)
        return NULL;
    struct device_object *object = &call->works->objects[index];
    return object->is_event == is_event ? object : NULL;
}

static bool stream_exists(const struct call *call, uint64_t stream)
{
    return stream <= DEVICE_STREAM_FIRE_AND_FORGET || find_object(call, stream, false);
}

static int device_create_stream(struct call *call)
{
    enum { NON_BLOCKING = 1 };
    return narrow(call, 1) <= NON_BLOCKING ? create_object(call, false) : fail(call, ERROR_INVALID_VALUE);
}

static int device_destroy_stream(struct call *call)
{
    return find_object(call, wide(call, 0), false) ? ERROR_NONE : fail(call, ERROR_INVALID_VALUE);
}

static int device_create_event(struct call *call)
{
    enum { BLOCKING_SYNC = 1, DISABLE_TIMING = 2 };
    return (narrow(call, 1) & ~BLOCKING_SYNC) == DISABLE_TIMING ? create_object(call, true)
                                                                : fail(call, ERROR_INVALID_VALUE);
}

#define NO_EVENT "0x%llx is not an event that this grid has made"

static int device_destroy_event(struct call *call)
{
    if (wide(call, 0) != 0 && !find_object(call, wide(call, 0), true))
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_EVENT, wide(call, 0));
    return wide(call, 0) == 0 ? fail(call, ERROR_INVALID_VALUE) : ERROR_NONE;
}

/* Of a stream and an event. The tail stream and that of fire and forget have no events. */
static int use_event(struct call *call, uint64_t event, uint64_t stream)
{
    if (!stream_exists(call, stream) || stream == DEVICE_STREAM_TAIL || stream == DEVICE_STREAM_FIRE_AND_FORGET)
        return fail(call, ERROR_INVALID_VALUE);
    return find_object(call, event, true) ? ERROR_NONE : fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_EVENT, event);
}

static int device_record_event(struct call *call)
{
    return use_event(call, wide(call, 0), wide(call, 1));
}

static int device_wait_for_event(struct call *call)
{
    return use_event(call, wide(call, 1), wide(call, 0));
}

/* ---- memory ---- */

static int device_allocate(struct call *call)
{
    uint64_t bytes = wide(call, 1);
    if (wide(call, 0) == 0 || bytes == 0)
        return fail(call, ERROR_INVALID_VALUE);
    uint64_t address = kernel_memory_allocate(call->warp, call->operation, bytes, "cudaMalloc");
    return address != 0 ? answer(call, ERROR_NONE, address) : fail(call, ERROR_MEMORY_ALLOCATION);
}

/* The heap of kernels is not the memory that the host allocates. */
static int device_free(struct call *call)
{
    uint64_t address = wide(call, 0);
    const struct memory_allocation *allocation = address ? memory_find(call->launch->request->memory, address) : NULL;
    if (address == 0)
        return ERROR_NONE;
    if (allocation && allocation->address == address && allocation->freed)
        return fault(call, LAUNCH_FAILED, "cudaFree of 0x%llx, which has been freed before", address);
    if (!kernel_memory_free(call->warp, address))
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, "cudaFree of 0x%llx, which no cudaMalloc or malloc of a kernel returned",
                     address);
    return ERROR_NONE;
}

/* A piece of work. what: "Launched by" for findings of a launch; else the name of the call, which they begin with. */
static struct device_work *create_work(const struct call *call, enum device_work_kind kind, const char *what)
{
    char kernel[128], where[WHERE_BYTES];
    struct device_work *work = calloc(1, sizeof *work);
    if (!work)
        return NULL;
    work->kind = kind;
    work->request = *call->launch->request;
    work->request.past = NULL;
    demangle_function(call->launch->request->function->name, kernel, sizeof kernel);
    place_words(call->launch, call->operation, where);
    if (kind == DEVICE_LAUNCH)
        snprintf(work->origin, sizeof work->origin, "%s kernel %s, %s.", what, kernel, where);
    else
        snprintf(work->origin, sizeof work->origin, "%s (kernel %s, %s)", what, kernel, where);
    return work;
}

/* A launch that is refused is a finding: the program hears of it only where the kernel asks. */
static int refuse_launch(struct call *call, const char *kernel, const char *why, int error)
{
    struct finding finding;
    char name[128];
    demangle_function(kernel, name, sizeof name);
    describe(call, FINDING_launch, &finding);
    finding_text(&finding,
                 "kernel %s is not launched: %.300s. The host hears nothing of it: the error (%d) is what cudaGetLastError "
                 "returns in this thread",
                 name, why, error);
    finding_collect(call->launch->findings, &finding);
    return fail(call, error);
}

/* Queues the work, which it takes over. What is in the tail stream waits for the grid's end, and a grid waits for what is in
 * its other streams, so that there is a limit for both; fire and forget has none. */
static int give(struct call *call, struct device_work *work, uint64_t stream)
{
    uint64_t limit = UINT64_MAX, pending = call->works->tail_count;
    bool in_tail = stream == DEVICE_STREAM_TAIL;
    if (!in_tail && stream != DEVICE_STREAM_FIRE_AND_FORGET)
        pending = work->request.depth++;
    if (stream != DEVICE_STREAM_FIRE_AND_FORGET)
        call->launch->request->port->limit(LIMIT_PENDING_LAUNCH_COUNT, &limit);
    if (pending >= limit) {
        char why[160];
        const char *kernel = work->kind == DEVICE_LAUNCH ? work->request.function->name : work->call;
        snprintf(why, sizeof why, "%llu launches %s, and cudaLimitDevRuntimePendingLaunchCount allows no more",
                 (unsigned long long)pending, in_tail ? "wait for this grid's end" : "contain one another");
        device_work_destroy(work);
        return refuse_launch(call, kernel, why, ERROR_PENDING_COUNT_EXCEEDED);
    }
    if (work->kind == DEVICE_LAUNCH && call->launch->watched)
        work->request.past = call->launch->hooks->launches(call->warp, call->lane, in_tail);
    device_works_add(call->works, work, in_tail);
    return ERROR_NONE;
}

/* Is it memory that all threads can reach? Shared and local memory is not. */
static bool is_global(const struct call *call, uint64_t address)
{
    return memory_find(call->launch->request->memory, address) != NULL;
}

static uint64_t times(uint64_t a, uint64_t b)
{
    return a > 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/* What the device is to do counts as work of the thread that asks for it. A slice that does not fit into the array is
 * refused, and costs no more than one that does. */
static void charge_box(const struct call *call, const struct device_box *box)
{
    uint64_t most = memory_find(call->launch->request->memory, box->to)->bytes, slice = times(box->width, box->height);
    uint64_t rows = box->height < most ? box->height : most;
    uint64_t units = times((slice < most ? slice : most) / WORK_BYTES + WORK_ROW * rows, box->depth);
    units = units < INT32_MAX ? units : INT32_MAX;
    work_add(units);
    call->launch->fuel -= (int64_t)units;
    call->launch->fuel_of_copies |= units > 0;
}

/* Queues a copy or a fill. */
static int give_box(struct call *call, enum device_work_kind kind, const char *name, const struct device_box *box,
                    uint64_t stream)
{
    if (!stream_exists(call, stream))
        return fail(call, ERROR_INVALID_VALUE);
    if (box->width == 0 || box->height == 0 || box->depth == 0)
        return ERROR_NONE;
    bool has_rows = box->height > 1 || box->depth > 1;
    if (has_rows && kind == DEVICE_COPY && (box->width > box->to_pitch || box->width > box->from_pitch))
        return fail(call, ERROR_INVALID_PITCH);
    if ((has_rows && box->width > box->to_pitch) || !is_global(call, box->to)
        || (kind == DEVICE_COPY && !is_global(call, box->from)))
        return fail(call, ERROR_INVALID_VALUE);
    charge_box(call, box);
    struct device_work *work = create_work(call, kind, name);
    if (!work)
        return fail(call, ERROR_MEMORY_ALLOCATION);
    work->call = name;
    work->box = *box;
    return give(call, work, stream);
}

/* Only copies within the device are possible. */
static int give_copy(struct call *call, const char *name, const struct device_box *box, uint32_t direction, uint64_t stream)
{
    enum { DEVICE_TO_DEVICE = 3, DEFAULT = 4 };
    return direction == DEVICE_TO_DEVICE || direction == DEFAULT ? give_box(call, DEVICE_COPY, name, box, stream)
                                                                 : fail(call, ERROR_INVALID_DIRECTION);
}

static int device_copy(struct call *call)
{
    uint64_t bytes = wide(call, 2);
    struct device_box box = {.to = wide(call, 0),
                             .to_pitch = bytes,
                             .to_slice = 1,
                             .from = wide(call, 1),
                             .from_pitch = bytes,
                             .from_slice = 1,
                             .width = bytes,
                             .height = 1,
                             .depth = 1};
    return give_copy(call, "cudaMemcpyAsync", &box, narrow(call, 3), wide(call, 4));
}

static int device_copy_rows(struct call *call)
{
    uint64_t height = wide(call, 5);
    struct device_box box = {.to = wide(call, 0),
                             .to_pitch = wide(call, 1),
                             .to_slice = height,
                             .from = wide(call, 2),
                             .from_pitch = wide(call, 3),
                             .from_slice = height,
                             .width = wide(call, 4),
                             .height = height,
                             .depth = 1};
    return give_copy(call, "cudaMemcpy2DAsync", &box, narrow(call, 6), wide(call, 7));
}

/* cudaMemcpy3DParms, as far as it is about memory: the places of its members, in words of 8 bytes. */
enum {
    PARMS_FROM_ARRAY = 0,
    PARMS_FROM_PLACE = 1,
    PARMS_FROM = 4,
    PARMS_TO_ARRAY = 8,
    PARMS_TO_PLACE = 9,
    PARMS_TO = 12,
    PARMS_EXTENT = 16,
    PARMS_KIND = 19,
    PARMS_WORDS = 20
};

static uint64_t place_in_box(const uint64_t place[3], const uint64_t pointer[4])
{
    return pointer[0] + place[0] + pointer[1] * (place[1] + pointer[3] * place[2]);
}

static int device_copy_box(struct call *call)
{
    uint64_t parms[PARMS_WORDS];
    const uint8_t *at = kernel_memory_translate(call->warp, wide(call, 0), sizeof parms, call->lane);
    if (!at)
        return fail(call, ERROR_INVALID_VALUE);
    memcpy(parms, at, sizeof parms);
    if (parms[PARMS_FROM_ARRAY] != 0 || parms[PARMS_TO_ARRAY] != 0) /* a kernel has no handles of arrays */
        return fail(call, ERROR_INVALID_VALUE);
    struct device_box box = {.to = place_in_box(&parms[PARMS_TO_PLACE], &parms[PARMS_TO]),
                             .to_pitch = parms[PARMS_TO + 1],
                             .to_slice = parms[PARMS_TO + 3],
                             .from = place_in_box(&parms[PARMS_FROM_PLACE], &parms[PARMS_FROM]),
                             .from_pitch = parms[PARMS_FROM + 1],
                             .from_slice = parms[PARMS_FROM + 3],
                             .width = parms[PARMS_EXTENT],
                             .height = parms[PARMS_EXTENT + 1],
                             .depth = parms[PARMS_EXTENT + 2]};
    return give_copy(call, "cudaMemcpy3DAsync", &box, (uint32_t)parms[PARMS_KIND], wide(call, 1));
}

static int device_fill(struct call *call)
{
    uint64_t bytes = wide(call, 2);
    struct device_box box = {.to = wide(call, 0),
                             .to_pitch = bytes,
                             .to_slice = 1,
                             .value = narrow(call, 1) & 0xFF,
                             .width = bytes,
                             .height = 1,
                             .depth = 1};
    return give_box(call, DEVICE_FILL, "cudaMemsetAsync", &box, wide(call, 3));
}

static int device_fill_rows(struct call *call)
{
    uint64_t height = wide(call, 4);
    struct device_box box = {.to = wide(call, 0),
                             .to_pitch = wide(call, 1),
                             .to_slice = height,
                             .value = narrow(call, 2) & 0xFF,
                             .width = wide(call, 3),
                             .height = height,
                             .depth = 1};
    return give_box(call, DEVICE_FILL, "cudaMemset2DAsync", &box, wide(call, 5));
}

static int device_fill_box(struct call *call)
{
    struct device_box box = {.to = word_of(call, 0, 0),
                             .to_pitch = word_of(call, 0, 1),
                             .to_slice = word_of(call, 0, 3),
                             .value = narrow(call, 1) & 0xFF,
                             .width = word_of(call, 2, 0),
                             .height = word_of(call, 2, 1),
                             .depth = word_of(call, 2, 2)};
    return give_box(call, DEVICE_FILL, "cudaMemset3DAsync", &box, wide(call, 3));
}

/* ---- launches ---- */

/* Memory for the parameters, which the calling thread fills next. Its address is the call's value; 0: an error. */
static int create_buffer(struct call *call, const struct device_buffer *wanted, uint64_t bytes)
{
    struct device_works *works = call->works;
    call->value = 0;
    struct memory_allocation *allocation = NULL;
    if (grow((void **)&works->buffers, works->buffer_count, &works->buffer_room, sizeof *works->buffers))
        allocation = memory_allocate(call->launch->request->memory, bytes > 0 ? bytes : 1, MEMORY_DEVICE);
    if (!allocation)
        return fail(call, ERROR_LAUNCH_OUT_OF_RESOURCES);
    snprintf(allocation->name, sizeof allocation->name, "launch parameters");
    works->buffers[works->buffer_count] = *wanted;
    works->buffers[works->buffer_count++].allocation = allocation;
    call->value = allocation->address;
    return ERROR_NONE;
}

static int device_get_buffer(struct call *call)
{
    return create_buffer(call, &(struct device_buffer){0}, wide(call, 1));
}

static struct launch_request request_of(const struct call *call, const struct device_buffer *buffer)
{
    struct launch_request request = *call->launch->request;
    request.function = buffer->kernel;
    memcpy(request.grid, buffer->grid, sizeof request.grid);
    memcpy(request.block, buffer->block, sizeof request.block);
    memset(request.cluster, 0, sizeof request.cluster);
    request.dynamic_shared_bytes = buffer->shared_bytes;
    request.dynamic_shared_limit = request.port->dynamic_shared_limit(buffer->kernel);
    request.parameters = NULL;
    request.past = NULL;
    request.cooperative = false;
    request.chain++;
    return request;
}

static int check_launch(struct call *call, const struct device_buffer *buffer)
{
    struct finding refusal;
    struct launch_request request = request_of(call, buffer);
    request.refusal = &refusal;
    switch (launch_limits_check(&request)) {
    case LAUNCH_OK: return ERROR_NONE;
    case LAUNCH_OUT_OF_RESOURCES:
        return refuse_launch(call, buffer->kernel->name, refusal.message, ERROR_LAUNCH_OUT_OF_RESOURCES);
    default: return refuse_launch(call, buffer->kernel->name, refusal.message, ERROR_INVALID_CONFIGURATION);
    }
}

/* What the launch is, is looked at when it is launched. */
static int device_get_launch_buffer(struct call *call)
{
    struct device_buffer buffer = {.kernel = find_kernel(call, wide(call, 0)), .shared_bytes = narrow(call, 3)};
    call->value = 0;
    if (!buffer.kernel)
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_KERNEL, wide(call, 0));
    dimensions(call, 1, buffer.grid);
    dimensions(call, 2, buffer.block);
    return create_buffer(call, &buffer, buffer.kernel->parameter_bytes);
}

/* A kernel that goes on launching itself. */
static int refuse_depth(struct call *call)
{
    struct finding finding;
    describe(call, FINDING_fuel, &finding);
    finding_text(&finding,
                 "kernels have launched kernels %d times, each from the one before, and go on: nothing seems to end it",
                 DEPTH_LIMIT);
    finding_collect(call->launch->findings, &finding);
    launch_abort(call->launch, LAUNCH_TIMEOUT);
    return ERROR_LAUNCH_OUT_OF_RESOURCES;
}

/* Queues the launch, whose buffer it takes over. */
static int give_launch(struct call *call, const struct device_buffer *buffer, uint64_t stream)
{
    if (call->launch->request->chain >= DEPTH_LIMIT)
        return refuse_depth(call);
    int error = stream_exists(call, stream) ? check_launch(call, buffer) : fail(call, ERROR_INVALID_VALUE);
    struct device_work *work = error == ERROR_NONE ? create_work(call, DEVICE_LAUNCH, "Launched by") : NULL;
    if (!work) {
        if (buffer->allocation)
            memory_free(call->launch->request->memory, buffer->allocation->address);
        return error == ERROR_NONE ? fail(call, ERROR_LAUNCH_OUT_OF_RESOURCES) : error;
    }
    work->request = request_of(call, buffer);
    work->request.origin = work->origin;
    work->buffer = buffer->allocation;
    return give(call, work, stream);
}

/* Takes a buffer off the list; false: there is none at that address. */
static bool take_buffer(const struct call *call, uint64_t address, struct device_buffer *buffer)
{
    struct device_works *works = call->works;
    for (size_t i = works->buffer_count; i-- > 0;)
        if (works->buffers[i].allocation->address == address) {
            *buffer = works->buffers[i];
            works->buffers[i] = works->buffers[--works->buffer_count];
            return true;
        }
    return false;
}

#define NO_BUFFER "the address 0x%llx is not that of a parameter buffer (cudaGetParameterBuffer) which waits for its launch"

static int device_launch_buffer(struct call *call)
{
    struct device_buffer buffer;
    if (!take_buffer(call, wide(call, 0), &buffer) || !buffer.kernel)
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_BUFFER, wide(call, 0));
    return give_launch(call, &buffer, wide(call, 1));
}

static int device_launch(struct call *call)
{
    struct device_buffer buffer = {0};
    const struct program_function *kernel = find_kernel(call, wide(call, 0));
    if (!kernel)
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_KERNEL, wide(call, 0));
    if ((wide(call, 1) != 0 || kernel->parameter_bytes > 0) && !take_buffer(call, wide(call, 1), &buffer))
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, NO_BUFFER, wide(call, 1));
    if (buffer.allocation && kernel->parameter_bytes > buffer.allocation->bytes)
        return fault(call, LAUNCH_ILLEGAL_ADDRESS, "the parameter buffer 0x%llx is smaller than the kernel's parameters",
                     wide(call, 1));
    buffer.kernel = kernel;
    dimensions(call, 2, buffer.grid);
    dimensions(call, 3, buffer.block);
    buffer.shared_bytes = narrow(call, 4);
    return give_launch(call, &buffer, wide(call, 5));
}

/* ---- the table ---- */

static const struct device_call calls[] = {
#define DEVICE_CALL(name, parameters, out_bytes, function) {#name, parameters, out_bytes},
#include "runtime/emulator/machine/device_calls.def"
#undef DEVICE_CALL
};
enum { CALL_COUNT = sizeof calls / sizeof *calls };

static int (*const functions[])(struct call *call) = {
#define DEVICE_CALL(name, parameters, out_bytes, function) device_##function,
#include "runtime/emulator/machine/device_calls.def"
#undef DEVICE_CALL
};

const struct device_call *device_calls_list(unsigned *count)
{
    *count = CALL_COUNT;
    return calls;
}

static const char *after_prefix(const char *name, const char *prefix)
{
    size_t length = strlen(prefix);
    return strncmp(name, prefix, length) == 0 ? name + length : NULL;
}

int device_call_find(const char *name)
{
    static const char *const prefixes[] = {"__cudaCDP2", "cuda"};
    const char *rest = after_prefix(name, DEVICE_ANSWER_PREFIX);
    bool stores = rest != NULL;
    for (size_t i = 0; !rest && i < sizeof prefixes / sizeof *prefixes; i++)
        rest = after_prefix(name, prefixes[i]);
    if (!rest)
        return -1;
    size_t length = strlen(rest);
    if (!stores && length > 5 && strcmp(rest + length - 5, "_ptsz") == 0)
        length -= 5;
    for (int i = 0; i < CALL_COUNT; i++)
        if ((calls[i].out_bytes > 0) == stores && strlen(calls[i].name) == length
            && memcmp(calls[i].name, rest, length) == 0)
            return i;
    return -1;
}

static uint64_t bytes_of(char letter)
{
    switch (letter) {
    case 'w': return 4;
    case 'd': return 8;
    case '3': return 12;
    case 'e': return 24;
    default: return 32;
    }
}

bool device_call_fits(int number, const struct ptx_function *declared)
{
    const struct device_call *row = &calls[number];
    size_t count = strlen(row->parameters), more = row->out_bytes > 8; /* the number of a word */
    if (declared->parameter_count != count + more || declared->result_count != 1)
        return false;
    for (size_t i = 0; i < count; i++)
        if (declared->parameters[i]->bytes != bytes_of(row->parameters[i]))
            return false;
    return (!more || declared->parameters[count]->bytes == 4) && declared->results[0]->bytes <= 16;
}

void device_call_run(int number, struct warp *warp, const struct operation *operation, unsigned lane, uint64_t answer[2])
{
    struct call call = {.warp = warp,
                        .launch = warp->launch,
                        .operation = operation,
                        .site = operation->call,
                        .lane = lane,
                        .works = device_works_of(warp->launch)};
    answer[0] = ERROR_MEMORY_ALLOCATION;
    answer[1] = 0;
    if (!call.works)
        return;
    int error = functions[number](&call);
    bool returns_value = calls[number].out_bytes == 0 && operation->call->external->results[0]->bytes == 8;
    answer[0] = returns_value ? call.value : (uint64_t)error;
    answer[1] = call.value;
}
