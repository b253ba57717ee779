/* Which fills are remembered: driver/set.c. A byte counts as the fill left it while its value is that of the fill; so a store
 * before the read ends it. */
#include "runtime/emulator/observe/fills.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/memory.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/machine/warp.h"
#include "runtime/emulator/machine/words.h"

enum whole { WHOLE_UNKNOWN, READS_BYTES, READS_WHOLE };

/* How much the instructions say that take a value: nothing, as when it is only copied; or that it is taken apart; or that it is a
 * number of its own width. */
enum use { USE_NONE, USE_BITS, USE_NUMBER };

static unsigned type_bytes(const char *type)
{
    return type ? (unsigned)atoi(type + strcspn(type, "0123456789")) / 8 : 0;
}

/* Is the instruction one by which programs take bytes out of words, or put words together? `is_left` shifts multiply, too. */
static bool is_of_bits(const struct ptx_instruction *at, bool *is_left)
{
    *is_left = at->opcode.form->id == FORM_SHL;
    switch (at->opcode.form->id) {
    case FORM_AND:
    case FORM_OR:
    case FORM_XOR:
    case FORM_NOT:
    case FORM_LOP3:
    case FORM_LOP3_PREDICATE:
    case FORM_SHF_L_CLAMP:
    case FORM_SHF_L_WRAP:
    case FORM_SHF_R_CLAMP:
    case FORM_SHF_R_WRAP:
    case FORM_SHL:
    case FORM_SHR:
    case FORM_PRMT:
    case FORM_BFE:
    case FORM_BFI:
    case FORM_BREV:
    case FORM_POPC:
    case FORM_DP4A:
    case FORM_DP2A:
    case FORM_MOV_VECTOR: return true;
    default: return false;
    }
}

static enum use use_by(const struct ptx_instruction *at, unsigned bytes)
{
    bool is_left;
    enum ptx_form_id form = at->opcode.form->id;
    if (is_of_bits(at, &is_left))
        return USE_BITS;
    if (form == FORM_ST || form == FORM_MOV || form == FORM_SHFL || form == FORM_SELP)
        return USE_NONE;
    if (form == FORM_CVT && at->opcode.type_count == 2
        && (ptx_type_bytes(at->opcode.types[0]) < bytes || ptx_type_bytes(at->opcode.types[1]) < bytes))
        return USE_BITS;
    return USE_NUMBER;
}

/* What a load's value is used for in its function. */
static enum use use_of(const struct warp *warp, const struct operation *operation)
{
    const struct ptx_function *function = warp->launch->code->function;
    const struct ptx_instruction *load = operation_instruction(warp->launch, operation);
    enum use most = USE_NONE;
    if (!load || load < function->instructions || load >= function->instructions + function->instruction_count)
        return USE_BITS;
    const struct ptx_operand *target = &load->operands[0];
    for (size_t i = 0; i < function->instruction_count && most < USE_NUMBER; i++) {
        const struct ptx_instruction *at = &function->instructions[i];
        unsigned count = target->kind == OPERAND_VECTOR ? target->count : 1;
        for (unsigned k = 0; k < count; k++) {
            const struct ptx_operand *element = target->kind == OPERAND_VECTOR ? &target->elements[k] : target;
            if (element->kind == OPERAND_REGISTER && ptx_instruction_reads(at, element->index)) {
                enum use use = use_by(at, operation->site->bytes);
                most = use > most ? use : most;
            }
        }
    }
    return most;
}

/* Does the program mean elements as wide as the access? Its source says so, or what becomes of the value. A word of an array of
 * bytes may be read at once, and arrays of unsigned words may hold bytes that are taken out of them. */
static bool reads_whole(const struct warp *warp, const struct operation *operation,
                        const struct memory_allocation *allocation)
{
    const struct memory_site *site = operation->site;
    struct finding name = {0};
    if (site->access != SITE_LOAD)
        return site->atomic <= ATOMIC_MAX; /* what follows sets bits, or replaces them */
    access_name_array(warp, allocation, &name);
    const char *array = *name.parameter ? name.parameter : name.array;
    const char *type = *array ? warp->launch->words->element_type(warp->launch, array) : NULL;
    unsigned declared = type_bytes(type);
    if (declared && declared != site->bytes)
        return false;
    if (declared && (*type == 's' || *type == 'f'))
        return true;
    return use_of(warp, operation) == USE_NUMBER;
}

static void write_value(const char *type, uint64_t bits, unsigned bytes, char text[40])
{
    float single;
    double wide;
    uint32_t low = (uint32_t)bits;
    memcpy(&single, &low, sizeof single);
    memcpy(&wide, &bits, sizeof wide);
    if (*type == 'f' && bytes == 4)
        snprintf(text, 40, "%g", (double)single);
    else if (*type == 'f' && bytes == 8)
        snprintf(text, 40, "%g", wide);
    else if (*type == 's' && bits >> (8 * bytes - 1))
        snprintf(text, 40, "%lld", (long long)(bits | (bytes < 8 ? UINT64_MAX << 8 * bytes : 0)));
    else if (*type == 's' || *type == 'u')
        snprintf(text, 40, "%llu", (unsigned long long)bits);
    else
        snprintf(text, 40, "0x%0*llx", (int)(2 * bytes), (unsigned long long)bits);
}

static const char *type_of(const struct warp *warp, const struct operation *operation, const struct finding *finding)
{
    const char *array = *finding->parameter ? finding->parameter : finding->array;
    const char *declared = *array ? warp->launch->words->element_type(warp->launch, array) : NULL;
    return type_bytes(declared) == operation->site->bytes ? declared : ptx_type_name(operation->site->type);
}

static void report(struct warp *warp, const struct operation *operation, unsigned lane,
                   const struct memory_allocation *allocation, uint64_t offset, const struct memory_fill *fill)
{
    const struct memory_site *site = operation->site;
    struct finding_set *findings = warp->launch->findings;
    uint64_t key = finding_key(operation, FINDING_byte_fill, allocation->address), bits = 0;
    struct finding finding;
    char element[ELEMENT_BYTES], value[40];
    if (finding_repeat(findings, key))
        return;
    launch_finding(warp, operation, lane, FINDING_byte_fill, &finding);
    access_name_array(warp, allocation, &finding);
    finding.has_index = true;
    finding.index = (int64_t)(offset / site->bytes);
    finding.columns = allocation->element_bytes == site->bytes ? (int64_t)allocation->columns : 0;
    warp->launch->words->explain(warp, operation, &finding);
    memset(&bits, fill->value, site->bytes);
    write_value(type_of(warp, operation, &finding), bits, site->bytes, value);
    finding.filled_in = fill->place;
    finding_text(&finding, "%s is %s at %s, because each of its %u bytes was set to %u", finding_element(&finding, element),
                 value, finding.where, site->bytes, fill->value);
    finding_collect_as(findings, key, &finding);
}

void fills_request(struct warp *warp, const struct operation *operation, const struct memory_allocation *allocation,
                   const uint64_t address[32], uint32_t valid)
{
    struct memory_site *site = operation->site;
    if (site->bytes < 2 || site->bytes > 8 || site->access == SITE_STORE || site->whole == READS_BYTES)
        return;
    for (uint32_t rest = valid; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        const struct memory_allocation *at = allocation ? allocation
                                                        : memory_find(warp->launch->request->memory, address[lane]);
        if (!at || !at->fill_count)
            continue;
        uint64_t offset = address[lane] - at->address;
        const struct memory_fill *fill = memory_find_fill(at, offset, site->bytes);
        if (!fill)
            continue;
        if (site->whole == WHOLE_UNKNOWN)
            site->whole = reads_whole(warp, operation, at) ? READS_WHOLE : READS_BYTES;
        if (site->whole == READS_WHOLE)
            report(warp, operation, lane, at, offset, fill);
        else
            return;
    }
}
