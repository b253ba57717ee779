/* Loads whose value a select drops. The compiler turns `c ? shared : 0` into a load by all threads and a select, so that threads
 * for which c does not hold load what the source does not let them read. Where nothing but the select uses the value, these
 * lanes have not read it: poison_transfer.c sees it the same way. */
#include "runtime/emulator/observe/races/race.h"

#include "runtime/emulator/arithmetic/half_math.h"
#include "runtime/emulator/arithmetic/lane_math.h"
#include "runtime/emulator/machine/operands.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"

static bool sets(const struct ptx_instruction *instruction, int number)
{
    return instruction->operand_count > 0 && ptx_operand_names(&instruction->operands[0], number);
}

/* The first operation of an instruction, after the load. */
static const struct operation *operation_of(const struct operation *load, const struct code *code, size_t instruction)
{
    const struct operation *end = code->operations + code->operation_count;
    for (const struct operation *at = load; at < end && (at->instruction < 0 || (size_t)at->instruction <= instruction);
         at++)
        if (at->instruction >= 0 && (size_t)at->instruction == instruction && !operation_is(at, ROLE_BOOKKEEPING))
            return at;
    return NULL;
}

static bool holds(const struct operation *operation, uint64_t a_bits, uint64_t b_bits);

static bool is_comparison(const struct operation *operation)
{
    switch (operation->handler) {
#define COMPARE(name, ...) case HANDLER_##name:
#define UNARY(name, ...)
#define BINARY(name, ...)
#define TERNARY(name, ...)
#define REGISTERS(name, ...)
#define BY_HAND(name, ...)
#include "runtime/emulator/machine/operations.def"
        return true;
    default: return false;
    }
}

/* Finds the select that alone uses what the load reads, and how its predicate can be known when the load runs: by its register,
 * or by a comparison that comes between the two, of registers that are set by then. */
static void find_select(struct races *races, struct race_site *site)
{
    enum { NEAR = 24 }; /* instructions between the two */
    const struct code *code = program_code_of(races->launch->request->function->program, site->operation);
    const struct ptx_instruction *load = operation_instruction(races->launch, site->operation);
    site->select = site->compare = NULL;
    if (!code || !load || load->guard >= 0 || load->operand_count < 2 || load->operands[0].kind != OPERAND_REGISTER)
        return;
    const struct ptx_function *function = code->function;
    size_t first = (size_t)(load - function->instructions), at = first + 1, last = first + NEAR, compare = 0;
    int value = load->operands[0].index;
    while (at < function->instruction_count && at < last && !ptx_instruction_names(&function->instructions[at], value))
        at++;
    const struct ptx_instruction *select = &function->instructions[at];
    if (at >= function->instruction_count || at >= last || select->opcode.form->id != FORM_SELP || select->guard >= 0
        || code->block_of_instruction[at] != code->block_of_instruction[first] || sets(select, value)
        || select->operand_count < 4 || select->operands[3].kind != OPERAND_REGISTER)
        return;
    for (size_t i = 0; i < function->instruction_count; i++)
        if (i != first && i != at && ptx_instruction_names(&function->instructions[i], value))
            return;
    for (size_t i = first + 1; i < at; i++)
        if (sets(&function->instructions[i], select->operands[3].index)) {
            if (compare || function->instructions[i].guard >= 0)
                return;
            compare = i;
        }
    const struct operation *chooses = operation_of(site->operation, code, at);
    const struct operation *compares = compare ? operation_of(site->operation, code, compare) : NULL;
    if (!chooses || (chooses->handler != HANDLER_select_b32 && chooses->handler != HANDLER_select_b64)
        || (chooses->a == chooses->b) || (compare && (!compares || !is_comparison(compares) || compares->d != chooses->c)))
        return;
    for (size_t i = first; compare && i < compare; i++) /* what it compares is not set in between */
        for (unsigned o = 1; o < function->instructions[compare].operand_count; o++) {
            const struct ptx_operand *operand = &function->instructions[compare].operands[o];
            if (operand->kind == OPERAND_REGISTER && sets(&function->instructions[i], operand->index))
                return;
        }
    uint32_t loaded;
    enum operand_part part = operands_destination(site->operation, 0, &loaded);
    if (part != (chooses->handler == HANDLER_select_b32 ? PART_R : PART_Q) || (chooses->a != loaded && chooses->b != loaded))
        return;
    site->select = chooses;
    site->compare = compares;
    site->selects_first = chooses->a == loaded;
}

uint32_t race_dropped_lanes(struct races *races, const struct warp *warp, const struct operation *operation)
{
    struct race_site *site = &races->sites[operation->site->number];
    if (!site->select_known && !operation->site->strong)
        find_select(races, site);
    site->select_known = true;
    if (!site->select) {
        operation->site->is_used = true;
        return 0;
    }
    uint32_t first = warp->p[site->select->c];
    if (site->compare) {
        const struct operands *operands = &operands_of[site->compare->handler];
        first = 0;
        for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
            unsigned lane = (unsigned)__builtin_ctz(rest);
            uint64_t a = warp_value(warp, site->compare->a, operands->a == PART_Q, lane);
            uint64_t b = warp_value(warp, site->compare->b, operands->b == PART_Q, lane);
            first |= (uint32_t)holds(site->compare, a, b) << lane;
        }
    }
    first ^= site->select->negated ? ALL_LANES : 0;
    return warp->mask & (site->selects_first ? ~first : first);
}

#define FROM_u16(bits) (uint16_t)(bits)
#define FROM_s16(bits) (int16_t)(bits)
#define FROM_u32(bits) (uint32_t)(bits)
#define FROM_s32(bits) (int32_t)(bits)
#define FROM_u64(bits) (bits)
#define FROM_s64(bits) (int64_t)(bits)
#define FROM_f32(bits) float_from_bits((uint32_t)(bits))
#define FROM_f64(bits) double_from_bits(bits)

static bool holds(const struct operation *operation, uint64_t a_bits, uint64_t b_bits)
{
    switch (operation->handler) {
#define COMPARE(name, A, value, poison, affine)                     \
    case HANDLER_##name: {                                          \
        const VALUE_##A a = FROM_##A(a_bits), b = FROM_##A(b_bits); \
        return value;                                               \
    }
#define UNARY(name, ...)
#define BINARY(name, ...)
#define TERNARY(name, ...)
#define REGISTERS(name, ...)
#define BY_HAND(name, ...)
#include "runtime/emulator/machine/operations.def"
    default: return false;
    }
}
