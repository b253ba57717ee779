#include "runtime/emulator/observe/races/race_text.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 12 }; /* of two addresses that are compared, and of copies */

typedef const struct ptx_instruction *instruction;

/* ---- instructions ---- */

unsigned race_text_results(instruction at, int results[8])
{
    unsigned count = 0;
    if (!at->operand_count || !ptx_form_defines(at->opcode.form))
        return 0;
    const struct ptx_operand *target = at->operands;
    if (target->kind == OPERAND_REGISTER) {
        results[count++] = target->index;
        if (target->second >= 0)
            results[count++] = target->second;
    }
    for (unsigned i = 0; target->kind == OPERAND_VECTOR && i < target->count && count < 8; i++)
        if (target->elements[i].kind == OPERAND_REGISTER)
            results[count++] = target->elements[i].index;
    return count;
}

bool race_text_sets(instruction at, int number)
{
    int results[8];
    unsigned count = race_text_results(at, results);
    for (unsigned i = 0; i < count; i++)
        if (results[i] == number)
            return true;
    return false;
}

const struct ptx_operand *race_text_address(instruction at)
{
    for (unsigned i = 0; i < at->operand_count; i++)
        if (at->operands[i].kind == OPERAND_ADDRESS)
            return &at->operands[i];
    return NULL;
}

bool race_text_computes(instruction at)
{
    const struct ptx_form *form = at->opcode.form;
    switch (form->id) {
    case FORM_MEMBAR:
    case FORM_FENCE:
    case FORM_NANOSLEEP: return true;
    case FORM_SHFL_OLD:
    case FORM_VOTE_OLD:
    case FORM_ACTIVEMASK: return false;
    default:
        return ptx_form_defines(form)
               && !(form->role & (PTX_CONVERGES | PTX_LOADS | PTX_STORES | PTX_BARRIER | PTX_SHARED | PTX_TEXELS));
    }
}

/* ---- blocks ---- */

static bool is_branch(instruction at)
{
    enum ptx_form_id form = at->opcode.form->id;
    return form == FORM_BRA || form == FORM_BRX;
}

static bool ends_block(instruction at)
{
    enum ptx_form_id form = at->opcode.form->id;
    return is_branch(at) || form == FORM_RET || form == FORM_EXIT || form == FORM_TRAP;
}

/* The label that the operand leads to, the n-th of a list; NULL: no more. */
static const struct ptx_label *target_of(instruction at, unsigned n)
{
    for (unsigned o = 0; o < at->operand_count; o++) {
        const struct ptx_operand *operand = &at->operands[o];
        if (operand->kind == OPERAND_LABEL)
            return n ? NULL : operand->label;
        if (operand->kind == OPERAND_TARGETS)
            return n < operand->count ? operand->elements[n].label : NULL;
    }
    return NULL;
}

static void find_blocks(struct race_text *text, bool *leads)
{
    const struct ptx_function *function = text->function;
    int count = (int)function->instruction_count;
    for (int i = 0; i < count; i++) {
        instruction at = &function->instructions[i];
        const struct ptx_label *label;
        for (unsigned n = 0; is_branch(at) && (label = target_of(at, n)); n++)
            if (label->instruction >= 0)
                leads[label->instruction] = true;
        if (ends_block(at))
            leads[i + 1] = true;
    }
    leads[0] = true;
    for (int i = 0; i < count; i++) {
        if (leads[i])
            text->first[text->block_count++] = i;
        text->block_of[i] = text->block_count - 1;
    }
    text->first[text->block_count] = count;
}

static void add_edge(struct race_text *text, int from, int to, bool taken)
{
    if (to >= 0 && to < (int)text->function->instruction_count)
        text->edges[text->edge_count++] = (struct race_edge){from, text->block_of[to], taken};
}

static void find_edges(struct race_text *text)
{
    for (int block = 0; block < text->block_count; block++) {
        int last = text->first[block + 1] - 1;
        instruction at = &text->function->instructions[last];
        const struct ptx_label *label;
        text->leaving[block] = text->edge_count;
        for (unsigned n = 0; is_branch(at) && (label = target_of(at, n)); n++)
            add_edge(text, block, label->instruction, true);
        if (!ends_block(at) || at->guard >= 0)
            add_edge(text, block, last + 1, false);
    }
    text->leaving[text->block_count] = text->edge_count;
}

static void find_definitions(struct race_text *text)
{
    for (size_t i = 0; i < text->function->register_count; i++)
        text->set_in[i] = -1;
    for (size_t i = 0; i < text->function->instruction_count; i++) {
        int results[8];
        unsigned count = race_text_results(&text->function->instructions[i], results);
        for (unsigned r = 0; r < count; r++)
            if (results[r] >= 0)
                text->set_in[results[r]] = text->set_in[results[r]] == -1 ? (int)i : -2;
    }
}

bool race_text_init(struct race_text *text, const struct ptx_function *function)
{
    size_t count = function->instruction_count, targets = 0;
    *text = (struct race_text){.function = function};
    for (size_t i = 0; i < count; i++)
        for (unsigned n = 0; is_branch(&function->instructions[i]) && target_of(&function->instructions[i], n); n++)
            targets++;
    bool *leads = calloc(count + 1, sizeof *leads);
    text->first = calloc(count + 2, sizeof *text->first);
    text->block_of = calloc(count + 1, sizeof *text->block_of);
    text->edges = calloc(targets + count + 1, sizeof *text->edges);
    text->leaving = calloc(count + 2, sizeof *text->leaving);
    text->set_in = calloc(function->register_count + 1, sizeof *text->set_in);
    text->visited = calloc(count + 1, sizeof *text->visited);
    text->stack = calloc(targets + count + 2, sizeof *text->stack);
    bool done = leads && text->first && text->block_of && text->edges && text->leaving && text->set_in && text->visited
                && text->stack;
    if (done) {
        find_blocks(text, leads);
        find_edges(text);
        find_definitions(text);
    }
    free(leads);
    return done;
}

void race_text_clear(struct race_text *text)
{
    free(text->first);
    free(text->block_of);
    free(text->edges);
    free(text->leaving);
    free(text->set_in);
    free(text->visited);
    free(text->stack);
}

/* ---- ways ---- */

bool race_text_is_live(struct race_text *text, int number, int block)
{
    int depth = 0;
    memset(text->visited, 0, (size_t)text->block_count * sizeof *text->visited);
    text->stack[depth++] = block;
    text->visited[block] = true;
    while (depth) {
        int at = text->stack[--depth];
        bool passes = true;
        for (int i = text->first[at]; i < text->first[at + 1] && passes; i++) {
            instruction here = &text->function->instructions[i];
            if (ptx_instruction_reads(here, number))
                return true;
            passes = here->guard >= 0 || !race_text_sets(here, number);
        }
        for (int e = text->leaving[at]; passes && e < text->leaving[at + 1]; e++)
            if (!text->visited[text->edges[e].to]) {
                text->visited[text->edges[e].to] = true;
                text->stack[depth++] = text->edges[e].to;
            }
    }
    return false;
}

/* Marks what can be reached from a block without passing `end`. Returns whether a way leads out of the function. */
static bool walk(struct race_text *text, int block, int end, int *order, int *count)
{
    bool leaves = false;
    int done = 0;
    memset(text->visited, 0, (size_t)text->block_count * sizeof *text->visited);
    *count = 0;
    order[(*count)++] = block;
    while (done < *count) {
        int at = order[done++];
        leaves |= text->leaving[at] == text->leaving[at + 1];
        for (int e = text->leaving[at]; e < text->leaving[at + 1]; e++) {
            int to = text->edges[e].to;
            if (to == end || text->visited[to])
                continue;
            text->visited[to] = true;
            order[(*count)++] = to;
        }
    }
    return leaves;
}

int race_text_meeting(struct race_text *text, int block)
{
    int count, other, meeting = -1;
    int *near = calloc((size_t)text->block_count + 2, sizeof *near);
    if (near && walk(text, block, -1, near, &count))
        for (int i = 1; i < count && meeting < 0; i++)
            if (near[i] != block && !walk(text, block, near[i], text->stack, &other))
                meeting = near[i];
    free(near);
    return meeting;
}

void race_text_region(struct race_text *text, int block, int end)
{
    int count;
    walk(text, block, end, text->stack, &count);
}

/* ---- values ---- */

static bool same_operand(const struct race_text *text, const struct ptx_operand *a, const struct ptx_operand *b,
                         unsigned depth);

static int source_of(const struct race_text *text, int number)
{
    return number >= 0 && (size_t)number < text->function->register_count ? text->set_in[number] : -1;
}

/* What a conversion of an address, or a copy, is made of; the register itself when it is set by anything else. */
static int copied_from(const struct race_text *text, int number)
{
    for (unsigned depth = 0; depth < MOST_DEPTH; depth++) {
        int set = source_of(text, number);
        instruction at = set >= 0 ? &text->function->instructions[set] : NULL;
        bool copies = at && (at->opcode.form->id == FORM_MOV || at->opcode.form->id == FORM_CVTA) && at->guard < 0;
        if (!copies || at->operands[0].kind != OPERAND_REGISTER || at->operands[1].kind != OPERAND_REGISTER)
            break;
        number = at->operands[1].index;
    }
    return number;
}

/* Is the register set between two instructions, in the order of the text? */
static bool is_set_between(const struct race_text *text, int number, int a, int b)
{
    for (int i = a < b ? a : b; i < (a < b ? b : a); i++)
        if (race_text_sets(&text->function->instructions[i], number))
            return true;
    return false;
}

static bool same_register(const struct race_text *text, int a, int b, unsigned depth)
{
    a = copied_from(text, a);
    b = copied_from(text, b);
    int set_a = source_of(text, a), set_b = source_of(text, b);
    if (set_a < 0 || set_b < 0 || depth == 0)
        return false;
    if (a == b)
        return true;
    instruction first = &text->function->instructions[set_a], second = &text->function->instructions[set_b];
    bool parameter = first->opcode.form->id == FORM_LD && ptx_has(&first->opcode, MOD_param);
    if ((!race_text_computes(first) && !parameter) || first->guard >= 0 || second->guard >= 0
        || first->opcode.form != second->opcode.form || first->operand_count != second->operand_count)
        return false;
    for (unsigned o = 1; o < first->operand_count; o++) {
        const struct ptx_operand *one = &first->operands[o], *other = &second->operands[o];
        bool same = one->kind == OPERAND_REGISTER && other->kind == OPERAND_REGISTER && one->index == other->index
                    && !is_set_between(text, one->index, set_a, set_b);
        if (!same && !same_operand(text, one, other, depth - 1))
            return false;
    }
    return true;
}

static bool same_operand(const struct race_text *text, const struct ptx_operand *a, const struct ptx_operand *b,
                         unsigned depth)
{
    if (a->kind != b->kind || a->bits != b->bits || a->offset != b->offset || a->variable != b->variable
        || a->special != b->special || a->kind == OPERAND_VECTOR)
        return false;
    return (a->index < 0 && b->index < 0) || same_register(text, a->index, b->index, depth);
}

bool race_text_same_address(const struct race_text *text, instruction a, instruction b)
{
    const struct ptx_operand *first = race_text_address(a), *second = race_text_address(b);
    if (!first || !second || first->indexed || second->indexed)
        return false;
    bool same_name = first->index >= 0 && first->index == second->index && first->offset == second->offset;
    return same_name || same_operand(text, first, second, MOST_DEPTH);
}

const struct ptx_operand *race_text_origin(const struct race_text *text, const struct ptx_operand *operand)
{
    for (unsigned depth = 0; depth < MOST_DEPTH && operand->kind == OPERAND_REGISTER; depth++) {
        int set = source_of(text, operand->index);
        instruction at = set >= 0 ? &text->function->instructions[set] : NULL;
        if (!at || at->opcode.form->id != FORM_MOV || at->guard >= 0 || at->operands[0].kind != OPERAND_REGISTER
            || at->operands[1].kind == OPERAND_VECTOR)
            break;
        operand = &at->operands[1];
    }
    return operand;
}

static bool is_number(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_INTEGER || operand->kind == OPERAND_F32 || operand->kind == OPERAND_F64;
}

bool race_text_same_value(const struct race_text *text, const struct ptx_operand *a, const struct ptx_operand *b)
{
    a = race_text_origin(text, a);
    b = race_text_origin(text, b);
    if (is_number(a) || is_number(b))
        return is_number(a) && is_number(b) && a->bits == b->bits;
    if (a->kind == OPERAND_REGISTER && b->kind == OPERAND_REGISTER && a->index == b->index)
        return true;
    return same_operand(text, a, b, MOST_DEPTH);
}
