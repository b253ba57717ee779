/* Calls, special registers, and the device functions that the driver provides. Barriers are in run.c. */
#include "runtime/emulator/machine/library.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/device_calls.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/kernel_memory.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp_flow.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/machine/work.h"

/* What threads have waited in all launches, in warp instructions that nobody executed. */
static uint64_t skipped_ticks;

/* A warp looks at the time, again and again, until enough of it has passed. Each look lets half as much again pass as the
 * wait has lasted, so that a wait takes a few looks however long it is. */
static void let_time_pass(const struct warp *warp)
{
    enum { FEW_INSTRUCTIONS = 256 };
    struct clock_wait *wait = &warp->launch->clock_wait;
    uint64_t executed = warp->launch->warp_instructions + (uint64_t)(warp->slice - warp->budget);
    uint64_t now = executed + warp->launch->skipped_ticks;
    bool goes_on = wait->block == warp->block->linear && wait->warp == warp->index && executed >= wait->looked
                   && executed - wait->looked < FEW_INSTRUCTIONS && wait->looked > 0;
    *wait = (struct clock_wait){warp->block->linear, warp->index, executed, goes_on ? wait->began : now};
    warp->launch->skipped_ticks += (now - wait->began) / 2;
    skipped_ticks += (now - wait->began) / 2;
}

/* Clocks count warp instructions of the launch, and waiting: deterministic and monotonic. */
static uint64_t clock_ticks(const struct warp *warp)
{
    warp->launch->clock_reads++;
    return warp->launch->warp_instructions + (uint64_t)(warp->slice - warp->budget) + warp->launch->skipped_ticks;
}

/* Time of day in a process that has none: it goes on from launch to launch, by the work that they cost. */
static uint64_t nanoseconds(const struct warp *warp)
{
    enum { UNIT_NS = 10 };
    static const uint64_t begin = UINT64_C(1000000000000000);
    warp->launch->clock_reads++;
    return begin + UNIT_NS * (work_done + (uint64_t)(warp->slice - warp->budget) + skipped_ticks);
}

/* 0: an ordinary launch has none. */
static uint64_t grid_barrier_address(struct launch *launch)
{
    launch->misses_grid_barrier |= !launch->grid_barrier;
    return launch->grid_barrier ? launch->grid_barrier->address : 0;
}

uint64_t library_special(const struct warp *warp, uint32_t special, unsigned lane)
{
    const struct launch_request *request = warp->launch->request;
    const struct block *block = warp->block;
    uint32_t bit = 1u << lane;
    if (special & SPECIAL_WAITS)
        let_time_pass(warp);
    special &= ~(uint32_t)SPECIAL_WAITS;
    unsigned axis = ptx_special_axis((enum ptx_special)special);
    switch (special) {
    case SPECIAL_TID_X:
    case SPECIAL_TID_Y:
    case SPECIAL_TID_Z: return warp->tid[axis][lane];
    case SPECIAL_NTID_X:
    case SPECIAL_NTID_Y:
    case SPECIAL_NTID_Z: return request->block[axis];
    case SPECIAL_CTAID_X:
    case SPECIAL_CTAID_Y:
    case SPECIAL_CTAID_Z: return block->index[axis];
    case SPECIAL_NCTAID_X:
    case SPECIAL_NCTAID_Y:
    case SPECIAL_NCTAID_Z: return request->grid[axis];
    case SPECIAL_LANEID: return lane;
    case SPECIAL_WARPID: return warp->index;
    case SPECIAL_NWARPID: return request->profile->max_threads_per_sm / WARP_LANES;
    case SPECIAL_SMID: return block->linear % request->profile->multiprocessors;
    case SPECIAL_NSMID: return request->profile->multiprocessors;
    case SPECIAL_GRIDID: return 1;
    case SPECIAL_LANEMASK_EQ: return bit;
    case SPECIAL_LANEMASK_LT: return bit - 1;
    case SPECIAL_LANEMASK_LE: return bit | (bit - 1);
    case SPECIAL_LANEMASK_GT: return ~(bit | (bit - 1));
    case SPECIAL_LANEMASK_GE: return ~(bit - 1);
    case SPECIAL_CLOCK: return (uint32_t)clock_ticks(warp);
    case SPECIAL_CLOCK_HI: return clock_ticks(warp) >> 32;
    case SPECIAL_CLOCK64: return clock_ticks(warp);
    case SPECIAL_GLOBALTIMER: return nanoseconds(warp);
    case SPECIAL_GLOBALTIMER_LO: return (uint32_t)nanoseconds(warp);
    case SPECIAL_GLOBALTIMER_HI: return nanoseconds(warp) >> 32;
    case SPECIAL_DYNAMIC_SMEM_SIZE: return request->dynamic_shared_bytes;
    case SPECIAL_TOTAL_SMEM_SIZE: return warp->launch->shared_room; /* PTX ISA 10.30: in units of the allocation */
    case SPECIAL_AGGR_SMEM_SIZE: return warp->launch->shared_room + request->profile->shared_reserved_per_block;
    case SPECIAL_CLUSTERID_X:
    case SPECIAL_CLUSTERID_Y:
    case SPECIAL_CLUSTERID_Z: return block->index[axis] / warp->launch->cluster[axis];
    case SPECIAL_NCLUSTERID_X:
    case SPECIAL_NCLUSTERID_Y:
    case SPECIAL_NCLUSTERID_Z: return request->grid[axis] / warp->launch->cluster[axis];
    case SPECIAL_CLUSTER_CTAID_X:
    case SPECIAL_CLUSTER_CTAID_Y:
    case SPECIAL_CLUSTER_CTAID_Z: return block->index[axis] % warp->launch->cluster[axis];
    case SPECIAL_CLUSTER_CTARANK: return block->cluster_rank;
    case SPECIAL_IS_EXPLICIT_CLUSTER: return request->cluster[0] || request->function->required_cluster[0];
    case SPECIAL_CLUSTER_NCTAID_X:
    case SPECIAL_CLUSTER_NCTAID_Y:
    case SPECIAL_CLUSTER_NCTAID_Z: return warp->launch->cluster[axis];
    case SPECIAL_CLUSTER_NCTARANK: return warp->launch->cluster_blocks;
    case SPECIAL_ENVREG1: return grid_barrier_address(warp->launch) >> 32;
    case SPECIAL_ENVREG2: return (uint32_t)grid_barrier_address(warp->launch);
    default: return 0; /* other envreg, performance counters: the driver chooses their values; no graph runs */
    }
}

bool library_is_space(const struct warp *warp, uint64_t address, uint32_t space)
{
    bool shared = (address & WINDOW_MASK) == SHARED_WINDOW, local = (address & WINDOW_MASK) == LOCAL_WINDOW;
    if (space == TEST_SHARED)
        return shared;
    if (space == TEST_LOCAL)
        return local;
    const struct memory_allocation *allocation = shared || local ? NULL
                                                                 : memory_find(warp->launch->request->memory, address);
    enum memory_kind kind = allocation ? allocation->kind : MEMORY_DEVICE;
    switch (space) {
    case TEST_CONST: return allocation && kind == MEMORY_CONST;
    case TEST_PARAM: return allocation && kind == MEMORY_PARAM;
    default: return !shared && !local && kind != MEMORY_CONST && kind != MEMORY_PARAM;
    }
}

/* ---- calls ---- */

static uint64_t *q_at(const struct warp *warp, uint32_t offset)
{
    return (uint64_t *)((char *)warp->q + offset);
}

static void copy_words(uint64_t *to, const uint64_t *from, uint32_t words, uint32_t mask)
{
    for (uint32_t word = 0; word < words; word++, to += WARP_LANES, from += WARP_LANES)
        for (uint32_t rest = mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            to[lane] = from[lane];
        }
}

/* Other lanes of the warp may have live frames at the same place: constants are written for the active lanes only. */
static void set_constants(struct warp *warp, const struct code *code)
{
    for (size_t i = 0; i < code->constant_count; i++) {
        const struct constant *constant = &code->constants[i];
        if (constant->part == CONSTANT_P) {
            uint32_t *p = &warp->p[constant->offset];
            *p = (*p & ~warp->mask) | ((uint32_t)constant->value & warp->mask);
            continue;
        }
        for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            if (constant->part == CONSTANT_Q)
                q_at(warp, constant->offset)[lane] = constant->value;
            else
                ((uint32_t *)((char *)warp->r + constant->offset))[lane] = (uint32_t)constant->value;
        }
    }
}

static bool stack_has_room(const struct warp *warp, const struct code *caller, const struct code *callee)
{
    const struct code *entry = warp->launch->code;
    return (size_t)((char *)warp->r - (char *)warp->r_base) + caller->r_bytes + callee->r_bytes <= entry->stack_r
           && (size_t)((char *)warp->q - (char *)warp->q_base) + caller->q_bytes + callee->q_bytes <= entry->stack_q
           && (size_t)(warp->p - warp->p_base) + caller->p_words + callee->p_words <= entry->stack_p
           && warp->local_base + caller->local_bytes + callee->local_bytes <= warp->launch->stack_local;
}

static const struct operation *overflow(struct warp *warp, const struct operation *operation)
{
    struct finding finding;
    launch_finding(warp, operation, (unsigned)__builtin_ctz(warp->mask), FINDING_stack_overflow, &finding);
    finding_text(&finding, "calls are nested %u deep, and the thread's stack is full", warp->depth + 1);
    finding_collect(warp->launch->findings, &finding);
    launch_abort(warp->launch, LAUNCH_ILLEGAL_ADDRESS);
    return warp_exit(warp, operation);
}

const struct operation *library_call(struct warp *warp, const struct operation *operation, const struct code *callee)
{
    work_add(WORK_CALL);
    const struct call_site *site = operation->call;
    const struct code *caller = site->caller;
    if (!stack_has_room(warp, caller, callee))
        return overflow(warp, operation);
    uint64_t *frame = q_at(warp, caller->q_bytes);
    for (uint32_t i = 0; i < site->argument_count; i++)
        copy_words((uint64_t *)((char *)frame + site->arguments[i].to), q_at(warp, site->arguments[i].from),
                   site->arguments[i].words, warp->mask);
    warp->r = (uint32_t *)((char *)warp->r + caller->r_bytes);
    warp->q = frame;
    warp->p += caller->p_words;
    warp->local_base += caller->local_bytes;
    warp->depth++;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1)
        q_at(warp, callee->return_slot)[__builtin_ctz(rest)] = (uint64_t)(uintptr_t)operation;
    set_constants(warp, callee);
    return callee->operations;
}

const struct operation *library_return(struct warp *warp)
{
    /* The return slot is the first of every frame. */
    const struct operation *call = (const struct operation *)(uintptr_t)warp->q[__builtin_ctz(warp->mask)];
    const struct code *caller = call->call->caller;
    warp->r = (uint32_t *)((char *)warp->r - caller->r_bytes);
    warp->q = (uint64_t *)((char *)warp->q - caller->q_bytes);
    warp->p -= caller->p_words;
    warp->local_base -= caller->local_bytes;
    warp->depth--;
    return call + 1;
}

void library_call_done(struct warp *warp, const struct operation *operation)
{
    const struct call_site *site = operation->call;
    const uint64_t *frame = q_at(warp, site->caller->q_bytes);
    for (uint32_t i = 0; i < site->result_count; i++)
        copy_words(q_at(warp, site->results[i].from), (const uint64_t *)((const char *)frame + site->results[i].to),
                   site->results[i].words, warp->mask);
}

/* Lanes may call different functions: the lanes that call the first lane's function go now, the others run this again. */
const struct operation *library_call_register(struct warp *warp, const struct operation *operation)
{
    const uint64_t *address = q_at(warp, operation->a);
    uint64_t target = address[__builtin_ctz(warp->mask)];
    const struct program *program = operation->call->caller->program;
    uint64_t index = (target - FUNCTION_WINDOW) / 16;
    if (target < FUNCTION_WINDOW || target % 16 || index >= program->module->function_count
        || !program->code[index].operations || program->module->functions[index]->is_entry) {
        struct finding finding;
        launch_finding(warp, operation, (unsigned)__builtin_ctz(warp->mask), FINDING_null_pointer, &finding);
        finding_text(&finding, "call of address 0x%llx, which is not a function", (unsigned long long)target);
        finding_collect(warp->launch->findings, &finding);
        launch_abort(warp->launch, LAUNCH_FAILED);
        return warp_exit(warp, operation);
    }
    uint32_t same = 0;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        same |= (uint32_t)((warp->mask >> lane & 1) && address[lane] == target) << lane;
    if (same != warp->mask) { /* a branch whose taken side is this very call, for the other lanes */
        struct operation split = {.target = operation, .instruction = operation->instruction};
        warp_diverge(warp, &split, warp->mask & ~same);
    }
    return library_call(warp, operation, &program->code[index]);
}

/* ---- vprintf, __assertfail, malloc, free ---- */

/* Copies a string from the device, at most text[size]. */
static void read_text(struct warp *warp, uint64_t address, unsigned lane, char *text, size_t size)
{
    size_t length = 0;
    const uint8_t *byte;
    while (length + 1 < size && (byte = kernel_memory_translate(warp, address + length, 1, lane)) && *byte)
        text[length++] = (char)*byte;
    text[length] = 0;
    work_add(length / WORK_CHARACTERS);
}

static void print_append(struct launch *launch, const char *text, size_t length)
{
    size_t limit = launch->request->printf_bytes;
    if (launch->printf_length + length > limit) {
        launch->printf_dropped++;
        return;
    }
    if (launch->printf_length + length > launch->printf_capacity) {
        size_t capacity = launch->printf_capacity ? launch->printf_capacity * 2 : 4096;
        while (capacity < launch->printf_length + length)
            capacity *= 2;
        char *grown = realloc(launch->printf_text, capacity);
        if (!grown) {
            launch->printf_dropped++;
            return;
        }
        launch->printf_text = grown;
        launch->printf_capacity = capacity;
    }
    if (length)
        memcpy(launch->printf_text + launch->printf_length, text, length);
    launch->printf_length += length;
}

struct print {
    struct warp *warp;
    const struct operation *operation;
    unsigned lane;
    uint64_t arguments; /* address of the packed arguments */
    uint64_t offset;
    char text[2048];
    size_t length;
};

static uint64_t next_argument(struct print *print, unsigned bytes)
{
    uint64_t value = 0;
    print->offset = (print->offset + bytes - 1) / bytes * bytes;
    uint64_t address = print->arguments + print->offset;
    const uint8_t *place = kernel_memory_translate(print->warp, address, bytes, print->lane);
    const struct launch *launch = print->warp->launch;
    if (place && (address & WINDOW_MASK) == LOCAL_WINDOW && launch->watched)
        launch->hooks->print(print->warp, print->operation, print->lane, address - LOCAL_WINDOW, bytes);
    if (place)
        memcpy(&value, place, bytes);
    print->offset += bytes;
    return value;
}

static void print_add(struct print *print, const char *text, int length)
{
    size_t room = sizeof print->text - 1 - print->length;
    size_t count = length < 0 ? 0 : (size_t)length < room ? (size_t)length : room;
    memcpy(print->text + print->length, text, count);
    print->length += count;
}

/* A width or a precision, which begins at *format: as the kernel gives it, or in an argument. Nothing that is printed is longer
 * than `most`, and a C library would take seconds to fill up the widest field. */
static int field_size(struct print *print, const char **format, int most)
{
    int64_t size = 0;
    if (**format == '*') {
        size = (int32_t)next_argument(print, 4);
        ++*format;
    }
    for (; isdigit((unsigned char)**format); ++*format)
        size = size > most ? size : 10 * size + (**format - '0');
    return (int)(size > most ? most : size < -most ? -most : size);
}

/* Formats one conversion; `format` begins after the percent sign. Returns what follows it. */
static const char *print_conversion(struct print *print, const char *format)
{
    char specification[32] = "%", text[1200];
    size_t length = 1;
    bool wide = false, full = print->length == sizeof print->text - 1;
    while (*format && strchr("-+ #0123456789.*hljzt", *format)) {
        wide |= *format == 'l' || *format == 'j' || *format == 'z' || *format == 't';
        bool size = *format == '*' || (*format >= '1' && *format <= '9') || (*format == '0' && format[-1] == '.');
        if (size) {
            length += (size_t)snprintf(specification + length, sizeof specification - length, "%d",
                                       field_size(print, &format, (int)sizeof text));
            format--; /* to its last character */
        } else if (length < sizeof specification - 4 && !strchr("hljzt", *format))
            specification[length++] = *format;
        if (length > sizeof specification - 8)
            length = sizeof specification - 8;
        format++;
    }
    char conversion = *format;
    int written = 0;
    work_add(WORK_CONVERSION);
    if (strchr("diouxXc", conversion) && conversion) {
        specification[length++] = 'l';
        specification[length++] = 'l';
        specification[length++] = conversion;
        specification[length] = 0;
        uint64_t value = next_argument(print, wide ? 8 : 4);
        if (!wide && strchr("di", conversion))
            value = (uint64_t)(int64_t)(int32_t)value;
        if (full)
            written = 0;
        else if (conversion == 'c')
            written = snprintf(text, sizeof text, "%c", (int)value);
        else
            written = snprintf(text, sizeof text, specification, value);
    } else if (strchr("eEfFgGaA", conversion) && conversion) {
        specification[length++] = conversion;
        specification[length] = 0;
        uint64_t bits = next_argument(print, 8);
        double value;
        memcpy(&value, &bits, sizeof value);
        written = full ? 0 : snprintf(text, sizeof text, specification, value);
    } else if (conversion == 's') {
        char string[1024] = "";
        uint64_t address = next_argument(print, 8);
        if (!full)
            read_text(print->warp, address, print->lane, string, sizeof string);
        specification[length++] = 's';
        specification[length] = 0;
        written = full ? 0 : snprintf(text, sizeof text, specification, string);
    } else if (conversion == 'p') {
        written = snprintf(text, sizeof text, "0x%llx", (unsigned long long)next_argument(print, 8));
    } else if (conversion == '%') {
        written = snprintf(text, sizeof text, "%%");
    }
    written = written < (int)sizeof text ? written : (int)sizeof text - 1;
    work_add((uint64_t)(written > 0 ? written : 0) / WORK_CHARACTERS);
    print_add(print, text, written);
    return conversion ? format + 1 : format;
}

static uint32_t device_printf(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t format_address,
                              uint64_t arguments)
{
    struct launch *launch = warp->launch;
    if (launch->printf_dropped && launch->printf_format == format_address) { /* full: nothing more to format */
        launch->printf_dropped++;
        return launch->printf_conversions;
    }
    char format[1024];
    struct print print = {.warp = warp, .operation = operation, .lane = lane, .arguments = arguments};
    read_text(warp, format_address, lane, format, sizeof format);
    uint32_t conversions = 0;
    for (const char *at = format; *at;) {
        if (*at != '%') {
            print_add(&print, at++, 1);
        } else {
            conversions += at[1] != '%';
            at = print_conversion(&print, at + 1);
        }
    }
    if (launch->printf_dropped)
        launch->printf_dropped++;
    else
        print_append(launch, print.text, print.length);
    launch->printf_format = format_address;
    launch->printf_conversions = conversions;
    return conversions;
}

static void device_assert(struct warp *warp, const struct operation *operation, unsigned lane, const uint64_t argument[5])
{
    char message[256], file[256], function[128];
    struct finding finding;
    read_text(warp, argument[0], lane, message, sizeof message);
    read_text(warp, argument[1], lane, file, sizeof file);
    read_text(warp, argument[3], lane, function, sizeof function);
    launch_finding(warp, operation, lane, FINDING_assert, &finding);
    finding_text(&finding, "assert(%s) does not hold in %s, line %u", message, function, (unsigned)argument[2]);
    finding_collect(warp->launch->findings, &finding);
    launch_abort(warp->launch, LAUNCH_ASSERT);
}

static const char *const provided[] = {"vprintf", "__assertfail", "malloc", "free"};
enum provided { PROVIDED_PRINTF, PROVIDED_ASSERT, PROVIDED_MALLOC, PROVIDED_FREE, PROVIDED_COUNT };

int library_find(const char *name)
{
    for (int i = 0; i < PROVIDED_COUNT; i++)
        if (strcmp(provided[i], name) == 0)
            return i;
    int call = device_call_find(name);
    return call < 0 ? -1 : PROVIDED_COUNT + call;
}

bool library_provides(const char *name)
{
    return library_find(name) >= 0;
}

bool library_fits(int number, const struct ptx_function *declared)
{
    return number < PROVIDED_COUNT || device_call_fits(number - PROVIDED_COUNT, declared);
}

const struct operation *library_call_external(struct warp *warp, const struct operation *operation)
{
    const struct call_site *site = operation->call;
    int function = site->provided;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t argument[5] = {0}, result[2] = {0};
        for (uint32_t i = 0; i < site->argument_count && i < 5; i++)
            argument[i] = q_at(warp, site->arguments[i].from)[lane];
        work_add(WORK_LIBRARY);
        switch (function) {
        case PROVIDED_PRINTF: result[0] = device_printf(warp, operation, lane, argument[0], argument[1]); break;
        case PROVIDED_ASSERT: device_assert(warp, operation, lane, argument); break;
        case PROVIDED_MALLOC: result[0] = kernel_memory_allocate(warp, operation, argument[0], "malloc"); break;
        case PROVIDED_FREE: kernel_memory_free_or_report(warp, operation, lane, argument[0]); break;
        default: device_call_run(function - PROVIDED_COUNT, warp, operation, lane, result);
        }
        for (uint32_t word = 0; site->result_count && word < site->results[0].words && word < 2; word++)
            q_at(warp, site->results[0].from + word * 8 * WARP_LANES)[lane] = result[word];
    }
    if (function == PROVIDED_ASSERT)
        return warp_exit(warp, operation);
    /* a call may cost as much as all instructions until the next look */
    return work_is_spent() || warp->launch->fuel <= 0 ? warp_yield(warp, operation + 1) : operation + 1;
}

void library_zero_divisor(const struct warp *warp, const struct operation *operation, unsigned lane, int64_t result)
{
    uint64_t key = finding_key(operation, FINDING_division_by_zero, 0);
    char value[32];
    struct finding finding;
    if (finding_repeat(warp->launch->findings, key))
        return;
    bool unsigned_64 = operation->handler == HANDLER_div_u64 || operation->handler == HANDLER_rem_u64;
    bool quotient = operation->handler == HANDLER_div_u16 || operation->handler == HANDLER_div_s16
                    || operation->handler == HANDLER_div_u32 || operation->handler == HANDLER_div_s32
                    || operation->handler == HANDLER_div_u64 || operation->handler == HANDLER_div_s64;
    snprintf(value, sizeof value, unsigned_64 ? "%llu" : "%lld", (long long)result);
    launch_finding(warp, operation, lane, FINDING_division_by_zero, &finding);
    finding_text(&finding,
                 "the divisor of this %s is 0. A GPU reports no error and goes on with a value that means nothing, here %s",
                 quotient ? "/" : "%", value);
    finding_collect_as(warp->launch->findings, key, &finding);
}

/* grid.sync() and barrier_arrive() stop at a trap where the launch has given the grid no barrier. Without source lines, the trap
 * of a kernel that has asked for one is taken for that. */
static bool lacks_grid_barrier(const struct launch *launch, const struct finding *finding)
{
    static const char toolkit[] = "cooperative_groups::";
    if (!launch->misses_grid_barrier)
        return false;
    return finding->line == 0 || strncmp(finding->inside.function, toolkit, sizeof toolkit - 1) == 0;
}

const struct operation *library_trap(struct warp *warp, const struct operation *operation)
{
    struct finding finding;
    int declared;
    launch_finding(warp, operation, (unsigned)__builtin_ctz(warp->mask), FINDING_assert, &finding);
    if (warp->launch->words->constant_write(warp->launch, &finding)) {
        finding.code = FINDING_const_write;
        finding.severity = finding_code_severity(FINDING_const_write);
        finding_text(&finding, "write %s, but %s is constant memory: the compiler put a trap there", finding.array,
                     finding.array);
    } else if ((declared = warp->launch->words->unset_pointer(warp->launch, &finding))) {
        finding.code = FINDING_null_pointer;
        finding.severity = finding_code_severity(FINDING_null_pointer);
        finding.pattern = "unset";
        finding_text(
            &finding,
            "%s is a pointer (line %d) that is never set, so it points to nothing: the compiler put a trap where it is used",
            finding.array, declared);
    } else if (strcmp(finding.inside.function, "__pipeline_memcpy_async") == 0) { /* its only trap: headers.c */
        finding_text(&finding, "an asynchronous copy of a thread has 4, 8 or 16 bytes, and this one has another size");
        finding.pattern = "copy_size";
    } else if (lacks_grid_barrier(warp->launch, &finding)) {
        finding_text(&finding,
                     "grid.sync() needs a cooperative launch, which runs all blocks of the grid at the same time, and "
                     "this launch is an ordinary one: start the kernel by cudaLaunchCooperativeKernel");
        finding.hint = "Which call launches this kernel, and do all its blocks fit on the device at once?";
        finding.pattern = "not_cooperative";
    } else if (warp->launch->words->has_trap(warp->launch)) {
        finding_text(&finding, "the kernel stopped itself (trap)");
        finding.pattern = "trap";
    } else if ((declared = warp->launch->words->local_atomic(warp->launch, &finding))) {
        finding_text(
            &finding,
            "an atomic function changes %s, which line %d declares without __shared__: each thread has its own, and "
            "for that an atomic operation has no meaning. So the compiler put a trap into the kernel",
            finding.array, declared);
        finding.pattern = "atomic_local";
    } else {
        finding_text(
            &finding,
            "the kernel stops at a trap. The source has none, so the compiler put it there: what is asked for has "
            "no defined meaning, such as the use of a pointer that was never set, a store to a __constant__ variable, or "
            "an atomic operation on a variable that is neither global nor __shared__");
        finding.pattern = "compiler";
    }
    finding_collect(warp->launch->findings, &finding);
    launch_abort(warp->launch, LAUNCH_FAILED); /* 719 on an H200 */
    return warp_exit(warp, operation);
}
