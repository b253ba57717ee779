/* Memory requests of a warp, lane by lane: the path for requests that are new, unusual or wrong. */
#include "runtime/emulator/machine/access.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/arithmetic/half_math.h"
#include "runtime/emulator/machine/cluster.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/host_memory.h"
#include "runtime/emulator/machine/launch_limits.h"
#include "runtime/emulator/machine/mapping.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/roles.h"
#include "runtime/emulator/machine/words.h"
#include "runtime/emulator/machine/work.h"
#include "runtime/language/demangle.h"

void access_addresses(const struct warp *warp, const struct operation *operation, uint64_t address[WARP_LANES])
{
    const struct memory_site *site = operation->site;
    for (unsigned lane = 0; lane < WARP_LANES; lane++)
        address[lane] =
            site->address_in_r
                ? (uint32_t)(((const uint32_t *)((const char *)warp->r + operation->a))[lane] + (uint64_t)site->offset)
                : ((const uint64_t *)((const char *)warp->q + operation->a))[lane] + (uint64_t)site->offset;
}

/* Bytes of one lane's request; a decoded site always has some. */
static uint64_t request_bytes(const struct memory_site *site)
{
    assert(site->request_bytes > 0);
    return site->request_bytes;
}

/* ---- one lane ---- */

static uint64_t get_register(const struct warp *warp, uint32_t offset, bool wide, unsigned lane)
{
    return wide ? ((const uint64_t *)((const char *)warp->q + offset))[lane]
                : ((const uint32_t *)((const char *)warp->r + offset))[lane];
}

static void set_register(struct warp *warp, uint32_t offset, bool wide, unsigned lane, uint64_t value)
{
    if (wide)
        ((uint64_t *)((char *)warp->q + offset))[lane] = value;
    else
        ((uint32_t *)((char *)warp->r + offset))[lane] = (uint32_t)value;
}

#define ATOMIC_INTEGER(type)                                                        \
    {                                                                               \
        type old, b = (type)b_bits, c = (type)c_bits, result;                       \
        memcpy(&old, place, sizeof old);                                            \
        switch (operation) {                                                        \
        case ATOMIC_ADD: result = (type)((uint64_t)old + (uint64_t)b); break;       \
        case ATOMIC_INC: result = old >= b ? 0 : (type)(old + 1); break;            \
        case ATOMIC_DEC: result = old == 0 || old > b ? b : (type)(old - 1); break; \
        case ATOMIC_MIN: result = old < b ? old : b; break;                         \
        case ATOMIC_MAX: result = old > b ? old : b; break;                         \
        case ATOMIC_AND: result = (type)(old & b); break;                           \
        case ATOMIC_OR: result = (type)(old | b); break;                            \
        case ATOMIC_XOR: result = (type)(old ^ b); break;                           \
        case ATOMIC_EXCH: result = b; break;                                        \
        default: result = old == b ? c : old; break;                                \
        }                                                                           \
        memcpy(place, &result, sizeof result);                                      \
        return (uint64_t)old;                                                       \
    }

/* The sum of two f64. A NaN (measured on an H200): of two, global memory takes the second with its bits unchanged, shared
 * memory takes the first and makes it quiet. */
static uint64_t add_doubles(uint64_t a_bits, uint64_t b_bits, bool in_shared)
{
    double a = double_from_bits(a_bits), b = double_from_bits(b_bits);
    if (!in_shared && (a != a || b != b))
        return b != b ? b_bits : a_bits;
    if (in_shared && a != a)
        return bits_of_double(quiet_f64(a));
    return bits_of_double(a + b);
}

/* Bits of the sum of two floats. Global memory flushes subnormal f32, shared memory keeps them (9.7.13.5). */
static uint64_t add_floats(enum ptx_type type, uint64_t a_bits, uint64_t b_bits, bool in_shared)
{
    uint32_t a = (uint32_t)a_bits, b = (uint32_t)b_bits;
    float x = float_from_bits(a), y = float_from_bits(b);
    switch (type) {
    case PTX_F16: return half_add_f16((uint16_t)a, (uint16_t)b, 0);
    case PTX_BF16: return half_add_bf16((uint16_t)a, (uint16_t)b, 0);
    case PTX_F16X2: return HALF_PAIR(half_add_f16, a, b, 0);
    case PTX_BF16X2: return HALF_PAIR(half_add_bf16, a, b, 0);
    case PTX_F32: return bits_of_float(canonical_f32(in_shared ? x + y : flush(flush(x) + flush(y))));
    default: return add_doubles(a_bits, b_bits, in_shared);
    }
}

static uint64_t atomic_add_float(enum ptx_type type, uint8_t *place, uint64_t b_bits, bool in_shared)
{
    uint64_t old = 0;
    memcpy(&old, place, ptx_type_bytes(type));
    uint64_t sum = add_floats(type, old, b_bits, in_shared);
    memcpy(place, &sum, ptx_type_bytes(type));
    return old;
}

uint64_t access_atomic(enum atomic_operation operation, enum ptx_type type, void *place, uint64_t b_bits, uint64_t c_bits)
{
    bool is_signed = ptx_type_kind(type) == KIND_SIGNED;
    switch (ptx_type_bytes(type)) {
    case 2: ATOMIC_INTEGER(uint16_t)
    case 4:
        if (is_signed)
            ATOMIC_INTEGER(int32_t)
        ATOMIC_INTEGER(uint32_t)
    default:
        if (is_signed)
            ATOMIC_INTEGER(int64_t)
        ATOMIC_INTEGER(uint64_t)
    }
}

static bool is_shared(const struct warp *warp, const uint8_t *place)
{
    uintptr_t start = (uintptr_t)warp->shared, address = (uintptr_t)place;
    return address >= start && address < start + warp->launch->shared_room;
}

void access_lane(struct warp *warp, const struct operation *operation, unsigned lane, uint8_t *place)
{
    const struct memory_site *site = operation->site;
    if (site->access == SITE_ATOMIC || site->access == SITE_REDUCTION) {
        uint64_t b = get_register(warp, site->data[0], site->wide[0], lane);
        uint64_t c = site->data[1] == UINT32_MAX ? 0 : get_register(warp, site->data[1], site->wide[0], lane);
        uint64_t old;
        if (ptx_type_kind(site->type) == KIND_FLOAT && site->atomic == ATOMIC_ADD)
            old = atomic_add_float(site->type, place, b, is_shared(warp, place));
        else
            old = access_atomic((enum atomic_operation)site->atomic, site->type, place, b, c);
        if (site->access == SITE_ATOMIC && operation->d != UINT32_MAX)
            set_register(warp, operation->d, site->wide[0], lane, old);
        return;
    }
    for (unsigned i = 0; i < site->vector; i++, place += site->bytes) {
        if (site->data[i] == UINT32_MAX)
            continue;
        uint64_t value = 0;
        if (site->access == SITE_STORE) {
            value = get_register(warp, site->data[i], site->wide[i], lane);
            memcpy(place, &value, site->bytes);
            continue;
        }
        memcpy(&value, place, site->bytes);
        if (site->signed_extend && site->bytes < 8) {
            unsigned shift = 64 - 8u * site->bytes;
            value = (uint64_t)((int64_t)(value << shift) >> shift);
        }
        set_register(warp, site->data[i], site->wide[i], lane, value);
    }
}

/* The result for a suppressed lane: a load gives 0. */
static void suppress_lane(struct warp *warp, const struct operation *operation, unsigned lane)
{
    const struct memory_site *site = operation->site;
    if (site->access == SITE_ATOMIC && operation->d != UINT32_MAX)
        set_register(warp, operation->d, site->wide[0], lane, 0);
    for (unsigned i = 0; site->access == SITE_LOAD && i < site->vector; i++)
        if (site->data[i] != UINT32_MAX)
            set_register(warp, site->data[i], site->wide[i], lane, 0);
}

/* ---- finding the memory of a lane ---- */

static const char *verb(const struct memory_site *site)
{
    return site->access == SITE_LOAD ? "read" : site->access == SITE_STORE ? "write" : "atomic on";
}

/* The structure that the launch was given for a parameter may hold the pointer. */
static void name_field(const struct warp *warp, uint32_t index, const struct memory_allocation *allocation, char *text,
                       size_t bytes)
{
    enum { STRUCTURE_BYTES = 512 }; /* of larger ones, no more is looked at */
    const struct launch *launch = warp->launch;
    const struct program_parameter *parameter = &launch->request->function->parameters[index];
    uint64_t value;
    for (uint32_t at = 0;
         !parameter->pointer_sized && !*text && at < STRUCTURE_BYTES && parameter->bytes >= at + sizeof value;
         at += sizeof value) {
        memcpy(&value, launch->parameters + parameter->offset + at, sizeof value);
        if (memory_find(launch->request->memory, value) == allocation)
            launch->words->name_field(launch, index, at, text, bytes);
    }
}

void access_name_array(const struct warp *warp, const struct memory_allocation *allocation, struct finding *finding)
{
    const struct program_function *function = warp->launch->request->function;
    finding->parameter[0] = '\0';
    for (uint32_t i = 0; !*finding->parameter && i < function->parameter_count; i++) {
        uint64_t value;
        if (!function->parameters[i].pointer_sized || function->parameters[i].bytes != 8)
            continue;
        memcpy(&value, warp->launch->parameters + function->parameters[i].offset, sizeof value);
        if (memory_find(warp->launch->request->memory, value) == allocation)
            warp->launch->words->name_parameter(warp->launch, i, finding->parameter, sizeof finding->parameter);
    }
    snprintf(finding->array, sizeof finding->array, "%s", *allocation->name ? allocation->name : finding->parameter);
    for (uint32_t i = 0; !*finding->array && i < function->parameter_count; i++)
        name_field(warp, i, allocation, finding->array, sizeof finding->array);
}

static void raise_for(struct warp *warp, enum finding_code code)
{
    launch_raise(warp->launch, code == FINDING_misaligned ? LAUNCH_MISALIGNED : LAUNCH_ILLEGAL_ADDRESS);
}

unsigned access_shared_element(const struct launch *launch, const struct shared_array *array, unsigned bytes)
{
    char name[sizeof((struct finding *)0)->array];
    demangle_variable(array->variable->name, name, sizeof name);
    const char *type = launch->words->element_type(launch, name); /* "f16" */
    unsigned declared = type ? (unsigned)atoi(type + 1) / 8 : 0;
    return declared > 0 && bytes % declared == 0 ? declared : bytes;
}

/* What an access was meant to reach. */
struct reached {
    const struct memory_allocation *allocation; /* NULL: another space, or nothing */
    const struct shared_array *shared;          /* NULL: none */
    const char *array;                          /* in words, where neither is; NULL: nothing */
    int64_t offset;                             /* bytes from its start, which may be outside */
    uint64_t bytes;                             /* that it has */
    int64_t from;                               /* where an access begins inside that ends outside; meaningful when wide */
    bool wide;                                  /* offset is the first byte that it lacks */
    uint64_t size;                              /* of an access past the end: its bytes */
    enum mapping_state mapping;                 /* what is wrong with reserved addresses; MAPPING_FINE: nothing */
};

/* Fills array, index, columns and extent. */
static void name_reached(const struct warp *warp, const struct reached *reached, unsigned element, struct finding *finding)
{
    int64_t offset = reached->offset, size = element;
    if (reached->allocation) {
        access_name_array(warp, reached->allocation, finding);
        finding->columns = (int64_t)reached->allocation->columns > 0 ? (int64_t)reached->allocation->columns : 0;
    } else if (reached->shared) {
        warp->launch->words->name_variable(warp->launch, reached->shared->variable, reached->bytes, element, finding);
        finding->in_shared = true;
    } else if (reached->array) {
        snprintf(finding->array, sizeof finding->array, "%s", reached->array);
    }
    finding->index = offset / size - (offset % size < 0); /* rounded down */
    finding->has_index = true;
    finding->elements = (int64_t)(reached->bytes / element);
    finding->element_bytes = element;
}

static void write_access(const struct memory_site *site, const struct reached *reached, uint64_t address,
                         struct finding *finding)
{
    char element[ELEMENT_BYTES];
    const char *name = *finding->array ? finding->array : "the array";
    unsigned long long count = (unsigned long long)finding->elements;
    unsigned request = (unsigned)site->bytes * site->vector;
    finding_element(finding, element);
    switch (finding->code) {
    case FINDING_out_of_bounds:
        if (!reached->allocation && !reached->shared && !reached->array) {
            finding->has_index = false;
            finding_text(finding, "%s at address 0x%llx, which is not device memory", verb(site),
                         (unsigned long long)address);
        } else if (reached->wide && count && finding->element_bytes) {
            struct finding begin = *finding;
            char first[ELEMENT_BYTES];
            begin.index = reached->from / (int64_t)finding->element_bytes;
            finding_text(finding, "%s of %u bytes from %s on: they reach %s, but %s has %llu element%s", verb(site), request,
                         finding_element(&begin, first), element, name, count, count == 1 ? "" : "s");
            finding->pattern = "wide";
        } else if (count && finding->columns > 0)
            finding_text(finding, "%s %s, but %s has %llu row%s of %lld element%s", verb(site), element, name,
                         count / (unsigned long long)finding->columns,
                         count / (unsigned long long)finding->columns == 1 ? "" : "s", (long long)finding->columns,
                         finding->columns == 1 ? "" : "s");
        else if (count)
            finding_text(finding, "%s %s, but %s has %llu element%s (0..%llu)", verb(site), element, name, count,
                         count == 1 ? "" : "s", count - 1);
        else if (reached->bytes > 0)
            finding_text(finding, "%s %s, but %s has only %llu byte%s, too few for one element", verb(site), element, name,
                         (unsigned long long)reached->bytes, reached->bytes == 1 ? "" : "s");
        else
            finding_text(finding, "%s %s, but %s has no element: the launch gave it no bytes", verb(site), element, name);
        break;
    case FINDING_past_end: {
        struct finding begin = *finding;
        char first[ELEMENT_BYTES];
        begin.index = reached->from / (int64_t)finding->element_bytes;
        finding_text(
            finding,
            "%s of %llu bytes from %s on: the launch gave %s only %llu of them. The others are in the rest of the last "
            "%llu bytes of the block's shared memory, which comes in pieces of that size, so that nothing fails",
            verb(site), (unsigned long long)reached->size, finding_element(&begin, first), name,
            (unsigned long long)reached->bytes - (unsigned long long)reached->from,
            (unsigned long long)launch_limits_shared(1));
        break;
    }
    case FINDING_misaligned:
        finding_text(finding, "%s of %u bytes at an address that is not a multiple of %u (byte %lld of %s)",
                     site->access == SITE_ATOMIC ? "atomic operation" : verb(site), request, request,
                     (long long)reached->offset, name);
        break;
    case FINDING_use_after_free:
        if (reached->allocation && reached->allocation->reserved)
            finding_text(finding, "%s %s, but %s is memory of a graph, which is not allocated at this point", verb(site),
                         element, name);
        else
            finding_text(finding, "%s %s, but %s has been freed", verb(site), element, name);
        if (reached->allocation)
            memcpy(finding->freed_in, reached->allocation->freed_in, sizeof finding->freed_in);
        break;
    case FINDING_no_access:
        if (reached->mapping != MAPPING_FINE) {
            finding_text(finding, "%s %s, but %s", verb(site), element, mapping_words(reached->mapping));
            break;
        }
        if (reached->allocation && reached->allocation->open_to) {
            char owner[32] = "the host";
            if (reached->allocation->kind != MEMORY_HOST)
                snprintf(owner, sizeof owner, "device %u", reached->allocation->device);
            finding_text(finding,
                         "%s %s, but %s is from a memory pool of %s, and the pool is not open to the device of this "
                         "kernel (cudaMemPoolSetAccess, cuMemPoolSetAccess; peer access does not count)",
                         verb(site), element, name, owner);
        } else
            finding_text(finding,
                         "%s %s, but %s is memory of device %u, to which the context of this kernel has no peer access "
                         "(cudaDeviceEnablePeerAccess, cuCtxEnablePeerAccess)",
                         verb(site), element, name, reached->allocation ? reached->allocation->device : 0u);
        break;
    case FINDING_const_write: finding_text(finding, "write %s, but %s is constant memory", element, name); break;
    case FINDING_read_only_write: finding_text(finding, "write %s, but %s is an input of this kernel", element, name); break;
    case FINDING_null_pointer:
        finding->has_index = false;
        if (site->space == SITE_SHARED)
            finding_text(
                finding,
                "%s at address %llu of shared memory, where nothing of the block lies: an array that is not declared "
                "with __shared__ has no address there",
                verb(site), (unsigned long long)address);
        else if (address + 4096 < 8192)
            finding_text(finding, "%s through a null pointer (address %llu)", verb(site), (unsigned long long)address);
        else
            finding_text(finding,
                         "%s at address 0x%llx, so near to 0 that nothing lies there: a null pointer with an index "
                         "leads there",
                         verb(site), (unsigned long long)address);
        break;
    default: break;
    }
}

/* Where a null pointer may come from. */
static void tell_refused_malloc(const struct launch *launch, struct finding *finding)
{
    char where[WHERE_BYTES];
    const struct operation *call = launch->refused_malloc;
    size_t used = strlen(finding->message);
    if (!call)
        return;
    snprintf(
        finding->message + used, sizeof finding->message - used,
        ". malloc has returned NULL in this launch, at %s: %llu bytes did not fit into the heap of %u bytes, of which %llu "
        "were in use",
        place_words(launch, call, where), (unsigned long long)launch->refused_bytes, launch->request->heap_bytes,
        (unsigned long long)launch->refused_used);
    finding->hint = "How much do all threads together ask for? Test what malloc returns, and free what is no longer needed.";
}

/* The parameter of the kernel that points into the same piece of the host's memory: the nearest at or below the address. */
static void name_host_parameter(const struct warp *warp, uint64_t address, const struct host_memory *memory,
                                struct finding *finding)
{
    const struct program_function *function = warp->launch->request->function;
    uint64_t nearest = 0;
    for (uint32_t i = 0; i < function->parameter_count; i++) {
        uint64_t value;
        if (!function->parameters[i].pointer_sized || function->parameters[i].bytes != 8)
            continue;
        memcpy(&value, warp->launch->parameters + function->parameters[i].offset, sizeof value);
        if (value < memory->start || value > address || value <= nearest)
            continue;
        nearest = value;
        warp->launch->words->name_parameter(warp->launch, i, finding->parameter, sizeof finding->parameter);
    }
    snprintf(finding->array, sizeof finding->array, "%s", finding->parameter);
}

static void report_host_memory(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t key,
                               uint64_t address, const struct host_memory *memory)
{
    const struct memory_site *site = operation->site;
    struct finding finding;
    launch_finding(warp, operation, lane, FINDING_host_pointer, &finding);
    name_host_parameter(warp, address, memory, &finding);
    if (finding.array[0])
        finding_text(&finding, "%s points to host memory, which a kernel cannot %s. It is %s", finding.array,
                     site->access == SITE_LOAD ? "read" : "change", memory->words);
    else
        finding_text(&finding, "%s at address 0x%llx, which is host memory: a kernel cannot reach it. It is %s", verb(site),
                     (unsigned long long)address, memory->words);
    warp->launch->words->explain(warp, operation, &finding);
    finding_collect_as(warp->launch->findings, key, &finding);
    launch_raise(warp->launch, LAUNCH_ILLEGAL_ADDRESS);
}

/* The index that the source has is that of the first element, also where a later one is the first outside. */
static void explain_access_of(struct warp *warp, const struct operation *operation, const struct reached *reached,
                              struct finding *finding)
{
    int64_t outside = finding->index;
    if (reached->wide && finding->element_bytes)
        finding->index = reached->from / (int64_t)finding->element_bytes;
    warp->launch->words->explain(warp, operation, finding);
    if (!reached->wide)
        return;
    finding->index = outside;
    finding->has_cell = false;
}

static void report_access(struct warp *warp, const struct operation *operation, unsigned lane, enum finding_code code,
                          const struct reached *reached, uint64_t address)
{
    struct memory_site *site = operation->site;
    const struct memory_allocation *allocation = reached->allocation;
    if (site->skips_outside < 0 && code == FINDING_out_of_bounds)
        return;
    if (site->skips_outside > 0 && code == FINDING_out_of_bounds) {
        warp->skipped[lane].line = site->skips_outside;
        warp->skipped[lane].instruction = operation->instruction;
        warp->any_skipped = true;
        return;
    }
    uint64_t what = allocation ? (uint64_t)(uintptr_t)allocation : address >> SHARED_SLOT_BITS;
    uint64_t key = finding_key(site, code, what);
    work_add(WORK_REPORT);
    if (finding_repeat(warp->launch->findings, key))
        return; /* an endless loop gets here often */
    struct finding finding;
    launch_finding(warp, operation, lane, code, &finding);
    unsigned element = allocation && allocation->element_bytes ? allocation->element_bytes
                       : reached->shared ? access_shared_element(warp->launch, reached->shared, site->bytes)
                                         : site->bytes;
    name_reached(warp, reached, element, &finding);
    if (allocation && !allocation->element_bytes)
        warp->launch->words->name_member(warp, operation, &finding);
    write_access(site, reached, address, &finding);
    if (code == FINDING_null_pointer)
        tell_refused_malloc(warp->launch, &finding);
    explain_access_of(warp, operation, reached, &finding);
    if (code == FINDING_out_of_bounds || code == FINDING_past_end) /* in the names that the source has */
        write_access(site, reached, address, &finding);
    finding_collect_as(warp->launch->findings, key, &finding);
    if (code != FINDING_read_only_write && code != FINDING_past_end)
        raise_for(warp, code);
}

const struct shared_array *access_find_shared(const struct launch *launch, uint32_t address)
{
    for (size_t i = 0; i < launch->code->shared_count; i++)
        if (launch->code->shared[i].slot == address >> SHARED_SLOT_BITS)
            return &launch->code->shared[i];
    return NULL;
}

const struct shared_array *access_shared_array(const struct launch *launch, uint64_t offset, uint64_t *base)
{
    for (size_t i = 0; i < launch->code->shared_count; i++) {
        const struct shared_array *array = &launch->code->shared[i];
        *base = access_shared_base(launch, array);
        uint64_t bytes = array->dynamic ? launch->shared_room - *base : array->bytes; /* with the rest of the granule */
        if (offset >= *base && offset - *base < bytes)
            return array;
    }
    *base = 0;
    return NULL;
}

/* Of what begins inside an array and ends beyond it, the part outside is reported. */
static void find_first_outside(const struct memory_site *site, uint64_t size, struct reached *reached)
{
    bool begins_inside = reached->offset >= 0 && (uint64_t)reached->offset < reached->bytes;
    const struct memory_allocation *allocation = reached->allocation;
    unsigned element = allocation && allocation->element_bytes ? allocation->element_bytes : site->bytes;
    if (!begins_inside || (size <= request_bytes(site) && size <= element))
        return;
    reached->wide = size <= request_bytes(site);
    reached->from = reached->offset;
    reached->offset = (int64_t)reached->bytes;
}

/* An address in another block's shared memory, where only that of the thread's block may be. */
static struct access_target refuse_remote(struct warp *warp, const struct operation *operation, unsigned lane)
{
    struct finding finding;
    launch_finding(warp, operation, lane, FINDING_out_of_bounds, &finding);
    finding_text(&finding,
                 "an address in the shared memory of another block of the cluster, which this instruction cannot reach "
                 "in the emulated driver: ld, st, atom and red can");
    finding_collect(warp->launch->findings, &finding);
    raise_for(warp, FINDING_out_of_bounds);
    return (struct access_target){0};
}

/* Does an instruction take the register, other than the load that sets it? */
static bool is_taken(const struct ptx_function *function, const struct ptx_instruction *load, int number)
{
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction != load && ptx_instruction_names(instruction, number))
            return true;
    }
    return false;
}

/* The elements of a load that no instruction takes: a compiler makes one load of four elements out of three. */
static unsigned dropped_elements(const struct launch *launch, const struct operation *operation)
{
    struct memory_site *site = operation->site;
    const struct code *code = program_code_of(launch->request->function->program, operation);
    const struct ptx_instruction *load = operation_instruction(launch, operation);
    if (site->knows_dropped)
        return site->dropped;
    const struct ptx_operand *to = site->access == SITE_LOAD && code && load && load->operand_count ? load->operands : NULL;
    for (unsigned i = 0; to && to->kind == OPERAND_VECTOR && i < to->count && i < site->vector; i++) {
        const struct ptx_operand *element = &to->elements[i];
        if (element->kind == OPERAND_SINK
            || (element->kind == OPERAND_REGISTER && !is_taken(code->function, load, element->index)))
            site->dropped |= (uint8_t)(1u << i);
    }
    site->knows_dropped = true;
    return site->dropped;
}

/* May an access that begins in dynamic shared memory end beyond it? It may in the last granule, of which the hardware gives
 * the block the whole: that is reported, unless it is the compiler that loads more than anyone asked for. */
static bool stays_in_granule(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t size,
                             const struct reached *reached)
{
    struct launch *launch = warp->launch;
    const struct memory_site *site = operation->site;
    uint64_t offset = (uint64_t)reached->offset;
    if (!reached->shared->dynamic || reached->offset < 0 || offset >= reached->bytes
        || size > launch->shared_room - launch->dynamic_offset - offset)
        return false;
    launch->leaves_shared = true;
    warp->reached->shared_full = false; /* nobody has written the rest of the granule */
    unsigned first = (unsigned)((reached->bytes - offset) / site->bytes), outside = (1u << site->vector) - (1u << first);
    if (size > request_bytes(site) || first >= site->vector || outside & ~dropped_elements(launch, operation)) {
        struct reached end = *reached;
        find_first_outside(site, size, &end);
        end.from = reached->offset;
        end.size = size;
        report_access(warp, operation, lane, FINDING_past_end, &end, 0);
    }
    return true;
}

static struct access_target find_shared_target(struct warp *warp, const struct operation *operation, unsigned lane,
                                               uint64_t address, uint64_t size, uint64_t window)
{
    struct access_target target = {0};
    if (cluster_is_remote(warp->launch, address))
        return refuse_remote(warp, operation, lane);
    /* Beyond 4 GiB: an unsigned index below zero, as in tile[threadIdx.y - 1][0], is still an index of that array. */
    const struct shared_array *array = address >> 44 ? NULL : access_find_shared(warp->launch, (uint32_t)address);
    struct reached reached = {.array = "shared memory", .offset = (int64_t)address, .bytes = warp->launch->shared_bytes};
    if (!array) {
        report_access(warp, operation, lane, address < 4096 ? FINDING_null_pointer : FINDING_out_of_bounds, &reached,
                      address);
        return target;
    }
    int64_t offset = (int64_t)(address - ((uint64_t)array->slot << SHARED_SLOT_BITS) - SHARED_SLOT_BASE);
    uint64_t bytes = access_shared_bytes(warp->launch, array);
    reached = (struct reached){.shared = array, .offset = offset, .bytes = bytes};
    uint64_t base = access_shared_base(warp->launch, array);
    if ((base + (uint64_t)offset) % request_bytes(operation->site)) {
        report_access(warp, operation, lane, FINDING_misaligned, &reached, address);
        return target;
    }
    if ((offset < 0 || (uint64_t)offset > bytes || size > bytes - (uint64_t)offset)
        && !stays_in_granule(warp, operation, lane, size, &reached)) {
        find_first_outside(operation->site, size, &reached);
        report_access(warp, operation, lane, FINDING_out_of_bounds, &reached, address);
        return target;
    }
    target.window = window + ((uint64_t)array->slot << SHARED_SLOT_BITS) + SHARED_SLOT_BASE;
    target.window_bytes = bytes;
    target.window_host = (uint8_t *)(uintptr_t)base;
    target.place = warp->shared + base + offset;
    return target;
}

uint64_t access_shared_offset(const struct launch *launch, uint64_t address)
{
    const struct shared_array *array = access_find_shared(launch, (uint32_t)address);
    if (!array)
        return 0;
    return access_shared_base(launch, array) + ((uint32_t)address & ((1u << SHARED_SLOT_BITS) - 1)) - SHARED_SLOT_BASE;
}

static struct access_target find_local_target(struct warp *warp, const struct operation *operation, unsigned lane,
                                              uint64_t address)
{
    struct access_target target = {.local = true};
    uint64_t size = request_bytes(operation->site);
    struct reached reached = {.array = "local memory", .offset = (int64_t)address, .bytes = warp->launch->stack_local};
    if (address % size)
        report_access(warp, operation, lane, FINDING_misaligned, &reached, address);
    else if (address + size > warp->launch->stack_local || address + size < size)
        report_access(warp, operation, lane, FINDING_out_of_bounds, &reached, address);
    else
        target.place = warp->local + (size_t)lane * warp->local_stride + address;
    return target;
}

/* An address that never was the device's. */
static void report_stray(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t address)
{
    enum { LOWEST_MAPPED = 1 << 16, NEAR_NULL = 1 << 26 }; /* vm.mmap_min_addr; the elements that an index may reach */
    struct launch *launch = warp->launch;
    struct host_memory memory;
    bool is_low = address + 4096 < 8192 || address < NEAR_NULL;
    if (address >= LOWEST_MAPPED && address < MEMORY_HOST_END) {
        uint64_t key = finding_key(operation->site, FINDING_host_pointer, address >> 32);
        if (finding_repeat(launch->findings, key))
            return;
        bool is_stray = address - launch->stray_start < launch->stray_end - launch->stray_start;
        if (!is_stray && host_memory_find(address, &memory)) {
            report_host_memory(warp, operation, lane, key, address, &memory);
            return;
        }
        if (!is_stray) {
            launch->stray_start = memory.start;
            launch->stray_end = memory.end;
        }
    }
    report_access(warp, operation, lane, is_low ? FINDING_null_pointer : FINDING_out_of_bounds, &(struct reached){0},
                  address);
}

static struct access_target find_global_target(struct warp *warp, const struct operation *operation, unsigned lane,
                                               uint64_t address, uint64_t size)
{
    struct access_target target = {0};
    const struct memory_site *site = operation->site;
    struct memory_allocation *allocation = memory_find(warp->launch->request->memory, address);
    if (!allocation) {
        report_stray(warp, operation, lane, address);
        return target;
    }
    int64_t offset = (int64_t)(address - allocation->address);
    bool parameters = allocation->kind == MEMORY_PARAM; /* room for the most that any kernel may have */
    uint64_t bytes = parameters ? warp->launch->request->function->parameter_bytes : allocation->bytes;
    enum finding_code code = FINDING_CODE_COUNT;
    enum mapping_state mapping = MAPPING_FINE;
    const bool write = site->access != SITE_LOAD;
    const uint32_t device = 1u << warp->launch->request->device;
    if (allocation->freed)
        code = FINDING_use_after_free;
    else if ((!allocation->pages || allocation->file)
             && !memory_reaches(allocation, warp->launch->request->reach, warp->launch->request->device))
        code = FINDING_no_access;
    else if (address % request_bytes(site)) /* an H200 looks at this before the bounds */
        code = FINDING_misaligned;
    else if (offset < 0 || (uint64_t)offset > bytes || size > bytes - (uint64_t)offset)
        code = FINDING_out_of_bounds;
    else if ((mapping = mapping_look(allocation->pages, (uint64_t)offset, size, device, write)) != MAPPING_FINE)
        code = FINDING_no_access;
    else if (write && allocation->kind == MEMORY_CONST)
        code = FINDING_const_write;
    if (code != FINDING_CODE_COUNT) {
        struct reached reached = {.allocation = parameters ? NULL : allocation,
                                  .array = parameters ? "parameters" : NULL,
                                  .offset = offset,
                                  .bytes = bytes,
                                  .mapping = mapping};
        if (code == FINDING_out_of_bounds)
            find_first_outside(site, size, &reached);
        report_access(warp, operation, lane, code, &reached, address);
        return target;
    }
    target.allocation = allocation;
    target.window = allocation->address;
    target.window_bytes = bytes;
    target.window_host = allocation->host;
    if (allocation->pages) {
        uint64_t first;
        mapping_run(allocation->pages, (uint64_t)offset, device, write, &first, &target.window_bytes);
        target.window += first;
        target.window_host += first;
    }
    target.place = allocation->host + offset;
    return target;
}

struct access_target access_find(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t address,
                                 uint64_t bytes)
{
    switch (operation->site->space) {
    case SITE_SHARED: return find_shared_target(warp, operation, lane, address, bytes, 0);
    case SITE_LOCAL: return find_local_target(warp, operation, lane, address);
    case SITE_GENERIC:
        if ((address & WINDOW_MASK) == SHARED_WINDOW)
            return find_shared_target(warp, operation, lane, address - SHARED_WINDOW, bytes, SHARED_WINDOW);
        if ((address & WINDOW_MASK) == LOCAL_WINDOW)
            return find_local_target(warp, operation, lane, address - LOCAL_WINDOW);
        return find_global_target(warp, operation, lane, address, bytes);
    default: return find_global_target(warp, operation, lane, address, bytes);
    }
}

/* Has the lane left out an access before this one of the same line? An earlier instruction begins the line again. */
static bool is_left_out(struct warp *warp, const struct operation *operation, unsigned lane)
{
    int32_t line = operation->site->skips_outside;
    if (line <= 0 || warp->skipped[lane].line != line)
        return false;
    if (operation->instruction > warp->skipped[lane].instruction)
        return true;
    warp->skipped[lane].line = 0;
    return false;
}

/* The block whose shared memory a lane's address is in: its own, or another of the cluster, whose rank is then taken out of
 * the address. NULL: that block has ended, or there is none of that rank, which is reported. */
static struct block *find_reached(struct warp *warp, const struct operation *operation, unsigned lane, uint64_t *address)
{
    enum site_space space = operation->site->space;
    uint64_t window = space == SITE_GENERIC ? SHARED_WINDOW : 0;
    bool may_be = space == SITE_SHARED || (space == SITE_GENERIC && (*address & WINDOW_MASK) == SHARED_WINDOW);
    if (!may_be || !cluster_is_remote(warp->launch, *address - window))
        return warp->block;
    uint32_t rank = cluster_rank_of(warp, (uint32_t)*address);
    struct block *block = cluster_find(warp->launch, warp->block, rank);
    *address = window + cluster_local_address(*address - window);
    if (block)
        return block;
    bool beyond = rank >= warp->launch->cluster_blocks;
    uint64_t key = finding_key(operation->site, FINDING_out_of_bounds, rank);
    if (!finding_repeat(warp->launch->findings, key)) {
        struct finding finding;
        launch_finding(warp, operation, lane, FINDING_out_of_bounds, &finding);
        if (beyond)
            finding_text(&finding,
                         "%s in the shared memory of a block whose rank is not in the cluster, which has %u block%s",
                         verb(operation->site), warp->launch->cluster_blocks, warp->launch->cluster_blocks == 1 ? "" : "s");
        else
            finding_text(&finding, "%s in the shared memory of the block of rank %u of the cluster, which has ended",
                         verb(operation->site), rank);
        finding.hint = beyond ? "How many blocks has a cluster, and which ranks does the kernel ask for?"
                              : "What makes a block stay until the others no longer need its shared memory?";
        finding_collect_as(warp->launch->findings, key, &finding);
    }
    raise_for(warp, FINDING_out_of_bounds);
    return NULL;
}

static void reach(struct warp *warp, struct block *block)
{
    warp->reached = block;
    warp->shared = block->shared;
}

/* Tells the observers, for each block whose memory is reached. */
static void show_lanes(struct warp *warp, const struct operation *operation, const uint64_t address[WARP_LANES],
                       struct block *const reached[WARP_LANES], uint32_t valid)
{
    while (valid) {
        struct block *block = reached[__builtin_ctz(valid)];
        uint32_t same = 0;
        for (uint32_t rest = valid; rest; rest &= rest - 1)
            same |= reached[__builtin_ctz(rest)] == block ? rest & -rest : 0;
        valid &= ~same;
        reach(warp, block);
        warp->launch->hooks->lanes(warp, operation, address, same);
    }
    reach(warp, warp->block);
}

void access_slow(struct warp *warp, const struct operation *operation)
{
    struct memory_site *site = operation->site;
    uint64_t address[WARP_LANES];
    struct access_target target[WARP_LANES];
    struct block *owner[WARP_LANES];
    uint32_t lanes = warp->mask, valid = 0;
    bool one_window = true;
    access_addresses(warp, operation, address);
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        owner[lane] = is_left_out(warp, operation, lane) ? NULL : find_reached(warp, operation, lane, &address[lane]);
        target[lane] = (struct access_target){0};
        if (owner[lane]) {
            reach(warp, owner[lane]);
            target[lane] = access_find(warp, operation, lane, address[lane], request_bytes(site));
            reach(warp, warp->block);
        }
        if (!target[lane].place) {
            suppress_lane(warp, operation, lane);
            continue;
        }
        const struct access_target *first = valid ? &target[__builtin_ctz(valid)] : &target[lane];
        one_window &= !target[lane].local && owner[lane] == warp->block && first->window == target[lane].window;
        valid |= 1u << lane;
    }
    if (!valid)
        return;
    const struct access_target *first = &target[__builtin_ctz(valid)];
    if (one_window && !site->skips_outside) {
        site->window_address = first->window;
        site->window_bytes = first->window_bytes;
        site->window_host = first->window_host;
        site->allocation = first->allocation;
    }
    if (warp->launch->hooks)
        show_lanes(warp, operation, address, owner, valid);
    bool read_only = false;
    for (unsigned lane = 0; lane < WARP_LANES; lane++) {
        if (!(valid >> lane & 1))
            continue;
        struct memory_allocation *allocation = target[lane].allocation;
        if (site->access != SITE_LOAD && allocation && allocation->read_only) {
            struct reached reached = {.allocation = allocation,
                                      .offset = (int64_t)(address[lane] - allocation->address),
                                      .bytes = allocation->bytes};
            report_access(warp, operation, lane, FINDING_read_only_write, &reached, address[lane]);
            read_only = true; /* no window: the next request takes this path again */
        }
        reach(warp, owner[lane]);
        access_lane(warp, operation, lane, target[lane].place);
    }
    reach(warp, warp->block);
    if (read_only)
        site->window_bytes = 0;
}

bool access_is_request(const struct operation *operation)
{
    return operation_is(operation, ROLE_REQUEST) && operation->site->space != SITE_LOCAL;
}

void access_forget_window(struct memory_site *site)
{
    site->window_address = site->window_bytes = site->other_window.bytes = 0;
    site->allocation = NULL;
    site->window_host = NULL;
    site->known = &lane_shape_unknown;
    site->touched_version = 0;
}

size_t access_forget_windows(const struct program *program)
{
    size_t count = 0;
    for (size_t i = 0; i < program->module->function_count; i++)
        for (size_t s = 0; s < program->code[i].site_count; s++, count++)
            access_forget_window(&program->code[i].sites[s]);
    return count;
}
