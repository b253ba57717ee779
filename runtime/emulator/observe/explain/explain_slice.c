/* The index of an access from the program itself, where no source shows it: the address is followed back through the PTX to
 * the thread's numbers, the kernel's parameters and constants, as a sum of products. Anything more complex is not shown. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/explain/explain.h"

enum { MOST_TERMS = 12, MOST_FACTORS = 3, MOST_DEPTH = 24, ATOM_PARAMETER = 1000, ATOM_BASE = 2000 };

/* factor * atom * atom; atoms are atom_of(a special register), or ATOM_PARAMETER + its number, or ATOM_BASE: where the array begins. */
struct term {
    int64_t factor;
    int atoms[MOST_FACTORS]; /* in rising order */
    unsigned count;
};

struct sum {
    struct term terms[MOST_TERMS];
    unsigned count;
};

struct slice {
    const struct launch *launch;
    const struct ptx_function *function;
    unsigned depth;
    bool failed;
};

static void add_term(struct slice *slice, struct sum *sum, const struct term *term, int64_t factor)
{
    int64_t product;
    if (__builtin_mul_overflow(term->factor, factor, &product)) {
        slice->failed = true;
        return;
    }
    for (unsigned i = 0; i < sum->count; i++) {
        struct term *own = &sum->terms[i];
        if (own->count != term->count || memcmp(own->atoms, term->atoms, term->count * sizeof *term->atoms) != 0)
            continue;
        if (__builtin_add_overflow(own->factor, product, &own->factor))
            slice->failed = true;
        if (own->factor == 0)
            *own = sum->terms[--sum->count];
        return;
    }
    if (product == 0)
        return;
    if (sum->count == MOST_TERMS) {
        slice->failed = true;
        return;
    }
    sum->terms[sum->count] = *term;
    sum->terms[sum->count++].factor = product;
}

static void add_sum(struct slice *slice, struct sum *sum, const struct sum *other, int64_t factor)
{
    for (unsigned i = 0; i < other->count; i++)
        add_term(slice, sum, &other->terms[i], factor);
}

static struct sum multiply(struct slice *slice, const struct sum *a, const struct sum *b)
{
    struct sum product = {.count = 0};
    for (unsigned i = 0; i < a->count; i++)
        for (unsigned k = 0; k < b->count; k++) {
            struct term term = a->terms[i];
            if (term.count + b->terms[k].count > MOST_FACTORS) {
                slice->failed = true;
                return product;
            }
            for (unsigned f = 0; f < b->terms[k].count; f++) {
                unsigned at = term.count++;
                for (; at > 0 && term.atoms[at - 1] > b->terms[k].atoms[f]; at--)
                    term.atoms[at] = term.atoms[at - 1];
                term.atoms[at] = b->terms[k].atoms[f];
            }
            add_term(slice, &product, &term, b->terms[k].factor);
        }
    return product;
}

static struct sum constant(int64_t value)
{
    struct sum sum = {.terms = {{.factor = value}}, .count = value != 0};
    return sum;
}

/* Place, size of the block, block, grid: three each. */
static int atom_of(enum ptx_special special)
{
    return 3 * (int)ptx_special_kind(special) + (int)ptx_special_axis(special);
}

static bool is_triple(enum ptx_special special)
{
    enum ptx_special_kind kind = ptx_special_kind(special);
    return kind != SPECIAL_LANE && kind != SPECIAL_OTHER;
}

static struct sum atom(int number)
{
    struct sum sum = {.terms = {{.factor = 1, .atoms = {number}, .count = 1}}, .count = 1};
    return sum;
}

/* ---- following registers ---- */

static struct sum follow(struct slice *slice, const struct ptx_operand *operand);

/* The only instruction that writes the register; NULL when there are several, or one under a condition. */
static const struct ptx_instruction *definition(const struct ptx_function *function, int index)
{
    const struct ptx_instruction *found = NULL;
    source_add_work(function->instruction_count);
    for (size_t i = 0; i < function->instruction_count; i++) {
        const struct ptx_instruction *instruction = &function->instructions[i];
        const struct ptx_operand *target = instruction->operands;
        if (!instruction->operand_count || !ptx_form_defines(instruction->opcode.form))
            continue;
        bool writes = target->kind == OPERAND_REGISTER && (target->index == index || target->second == index);
        for (unsigned k = 0; target->kind == OPERAND_VECTOR && k < target->count; k++)
            writes |= target->elements[k].kind == OPERAND_REGISTER && target->elements[k].index == index;
        if (!writes)
            continue;
        if (found || instruction->guard >= 0 || target->kind != OPERAND_REGISTER)
            return NULL;
        found = instruction;
    }
    return found;
}

/* ld.param of a kernel: a pointer is where its array begins, a whole integer has a name. */
static struct sum follow_parameter(struct slice *slice, const struct ptx_instruction *load)
{
    const struct ptx_operand *address = &load->operands[1];
    if (slice->function->is_entry && ptx_has(&load->opcode, MOD_param) && address->variable && !address->offset
        && address->index < 0)
        for (unsigned i = 0; i < slice->function->parameter_count; i++)
            if (slice->function->parameters[i] == address->variable)
                return atom(address->variable->bytes == 8 ? ATOM_BASE + 1 + (int)i : ATOM_PARAMETER + (int)i);
    slice->failed = true;
    return constant(0);
}

static struct sum follow_definition(struct slice *slice, const struct ptx_instruction *from)
{
    const struct ptx_operand *operands = from->operands;
    struct sum a, b, sum = {.count = 0};
    switch (from->opcode.form->id) {
    case FORM_MOV:
    case FORM_CVTA: return follow(slice, &operands[1]);
    case FORM_CVT:
        if (from->opcode.type_count == 2 && ptx_type_kind(from->opcode.types[0]) != KIND_FLOAT
            && ptx_type_kind(from->opcode.types[1]) != KIND_FLOAT && ptx_type_bytes(from->opcode.types[0]) >= 4)
            return follow(slice, &operands[1]);
        break;
    case FORM_LD: return follow_parameter(slice, from);
    case FORM_ADD:
    case FORM_SUB:
        a = follow(slice, &operands[1]);
        b = follow(slice, &operands[2]);
        add_sum(slice, &sum, &a, 1);
        add_sum(slice, &sum, &b, from->opcode.form->id == FORM_ADD ? 1 : -1);
        return sum;
    case FORM_NEG:
        a = follow(slice, &operands[1]);
        add_sum(slice, &sum, &a, -1);
        return sum;
    case FORM_MUL_LO:
    case FORM_MUL_WIDE:
    case FORM_MAD_LO:
    case FORM_MAD_WIDE:
        a = follow(slice, &operands[1]);
        b = follow(slice, &operands[2]);
        sum = multiply(slice, &a, &b);
        if (from->operand_count == 4) {
            a = follow(slice, &operands[3]);
            add_sum(slice, &sum, &a, 1);
        }
        return sum;
    case FORM_SHL:
        if (operands[2].kind != OPERAND_INTEGER || operands[2].bits > 31)
            break;
        a = follow(slice, &operands[1]);
        add_sum(slice, &sum, &a, (int64_t)1 << operands[2].bits);
        return sum;
    default: break;
    }
    slice->failed = true;
    return sum;
}

static struct sum follow(struct slice *slice, const struct ptx_operand *operand)
{
    struct sum sum = {.count = 0};
    if (slice->failed || slice->depth == MOST_DEPTH) {
        slice->failed = true;
        return sum;
    }
    slice->depth++;
    const struct ptx_instruction *from = NULL;
    switch (operand->kind) {
    case OPERAND_INTEGER: sum = constant((int64_t)operand->bits); break;
    case OPERAND_SPECIAL:
        if (is_triple((enum ptx_special)operand->special))
            sum = atom(atom_of((enum ptx_special)operand->special));
        else
            slice->failed = true;
        break;
    case OPERAND_VARIABLE:
        sum = atom(ATOM_BASE);
        struct sum offset = constant(operand->offset);
        add_sum(slice, &sum, &offset, 1);
        break;
    case OPERAND_REGISTER:
        from = definition(slice->function, operand->index);
        if (from)
            sum = follow_definition(slice, from);
        else
            slice->failed = true;
        break;
    default: slice->failed = true;
    }
    slice->depth--;
    return sum;
}

/* ---- words ---- */

static int64_t value_of(const struct explain_view *view, int number)
{
    const struct launch *launch = view->launch;
    int32_t value = 0;
    if (number >= ATOM_PARAMETER) {
        const struct program_parameter *parameter = &launch->request->function->parameters[number - ATOM_PARAMETER];
        memcpy(&value, launch->parameters + parameter->offset, parameter->bytes < 4 ? parameter->bytes : 4);
        return value;
    }
    const uint32_t *const triples[] = {view->thread, launch->request->block, view->block, launch->request->grid};
    return triples[number / 3 % 4][number % 3];
}

static void write_atom(const struct explain_view *view, int number, char *text, size_t bytes)
{
    static const char *const names[] = {"threadIdx", "blockDim", "blockIdx", "gridDim"};
    if (number >= ATOM_PARAMETER)
        explain_name_parameter(view->launch, (uint32_t)(number - ATOM_PARAMETER), text, bytes);
    else
        snprintf(text, bytes, "%s.%c", names[number / 3 % 4], "xyz"[number % 3]);
}

/* One term, in names or in numbers; its sign precedes it. The block's number precedes its size. */
static void write_term(const struct explain_view *view, const struct term *term, bool numbers, bool first, char *text,
                       size_t bytes)
{
    char piece[96];
    uint64_t factor = term->factor < 0 ? 0 - (uint64_t)term->factor : (uint64_t)term->factor;
    explain_append(text, bytes, first ? (term->factor < 0 ? "-" : "") : term->factor < 0 ? " - " : " + ");
    for (unsigned i = 0; i < term->count; i++) {
        int number = term->atoms[i];
        if (term->count == 2 && term->atoms[0] / 3 == SPECIAL_BLOCK_SIZE && term->atoms[1] / 3 == SPECIAL_BLOCK)
            number = term->atoms[1 - i];
        if (numbers)
            snprintf(piece, sizeof piece, "%lld", (long long)value_of(view, number));
        else
            write_atom(view, number, piece, sizeof piece);
        explain_append(text, bytes, i ? "*" : "");
        explain_append(text, bytes, piece);
    }
    snprintf(piece, sizeof piece, term->count ? "*%llu" : "%llu", (unsigned long long)factor);
    if (factor != 1 || !term->count)
        explain_append(text, bytes, piece);
}

/* Products first, then blocks before threads; a number comes last. */
static int rank(const struct term *term)
{
    bool blocks = false;
    for (unsigned i = 0; i < term->count; i++)
        blocks |= term->atoms[i] / 3 == SPECIAL_BLOCK;
    return term->count == 0 ? 9 : (blocks ? 0 : 4) - (int)term->count + (term->factor < 0 ? 4 : 0);
}

static void sort(struct sum *sum)
{
    for (unsigned i = 1; i < sum->count; i++) {
        struct term moved = sum->terms[i];
        unsigned at = i;
        for (; at > 0 && rank(&sum->terms[at - 1]) > rank(&moved); at--)
            sum->terms[at] = sum->terms[at - 1];
        sum->terms[at] = moved;
    }
}

/* Subtracts the start of the array, and divides by the size of an element. */
static bool make_index(struct slice *slice, struct sum *sum, int64_t element)
{
    unsigned bases = 0;
    for (unsigned i = 0; i < sum->count;) {
        struct term *term = &sum->terms[i];
        bool base = term->count == 1 && term->atoms[0] >= ATOM_BASE;
        if (term->factor % element != 0 && !base)
            return false;
        for (unsigned k = 0; k < term->count && !base; k++)
            if (term->atoms[k] >= ATOM_BASE)
                return false;
        if (base) {
            bases += term->factor == 1 ? 1 : 2;
            *term = sum->terms[--sum->count];
            continue;
        }
        term->factor /= element;
        i++;
    }
    return !slice->failed && bases == 1 && sum->count > 0;
}

void explain_slice(const struct explain_view *view, const struct operation *operation, struct finding *finding)
{
    const struct ptx_instruction *instruction = operation_instruction(view->launch, operation);
    struct slice slice = {.launch = view->launch, .function = view->launch->code->function};
    const struct ptx_function *function = slice.function;
    const struct ptx_operand *address = NULL;
    if (!instruction || instruction < function->instructions
        || instruction >= function->instructions + function->instruction_count || finding->element_bytes == 0)
        return; /* in a function that was called, whose parameters have no names here */
    for (unsigned i = 0; i < instruction->operand_count && !address; i++)
        if (instruction->operands[i].kind == OPERAND_ADDRESS)
            address = &instruction->operands[i];
    if (!address || (address->index < 0 && !address->variable))
        return;
    struct ptx_operand start = {.kind = address->index >= 0 ? OPERAND_REGISTER : OPERAND_VARIABLE,
                                .index = address->index,
                                .variable = address->variable};
    struct sum sum = follow(&slice, &start), offset = constant(address->offset);
    add_sum(&slice, &sum, &offset, 1);
    if (slice.failed || !make_index(&slice, &sum, finding->element_bytes))
        return;
    sort(&sum);
    char text[ARITHMETIC_BYTES] = "", numbers[ARITHMETIC_BYTES] = "", value[32];
    int64_t total = 0;
    for (unsigned i = 0; i < sum.count; i++) {
        int64_t product = sum.terms[i].factor;
        for (unsigned k = 0; k < sum.terms[i].count; k++)
            product = (int64_t)((uint64_t)product * (uint64_t)value_of(view, sum.terms[i].atoms[k]));
        total = (int64_t)((uint64_t)total + (uint64_t)product);
        write_term(view, &sum.terms[i], false, i == 0, text, sizeof text);
        write_term(view, &sum.terms[i], true, i == 0, numbers, sizeof numbers);
    }
    if (total != finding->index || strlen(text) + strlen(numbers) + 40 > ARITHMETIC_BYTES)
        return;
    snprintf(value, sizeof value, "%lld", (long long)total);
    explain_append(finding->arithmetic, sizeof finding->arithmetic, "the index is ");
    explain_append(finding->arithmetic, sizeof finding->arithmetic, text);
    if (strcmp(numbers, value) != 0) {
        explain_append(finding->arithmetic, sizeof finding->arithmetic, " = ");
        explain_append(finding->arithmetic, sizeof finding->arithmetic, numbers);
    }
    explain_append(finding->arithmetic, sizeof finding->arithmetic, " = ");
    explain_append(finding->arithmetic, sizeof finding->arithmetic, value);
}
