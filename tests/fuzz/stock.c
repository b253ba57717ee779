#include "tests/fuzz/stock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { KNOWN_SLOTS = 1 << 16 };

void stock_init(struct stock *stock)
{
    *stock = (struct stock){.known_slots = KNOWN_SLOTS, .known = calloc(KNOWN_SLOTS, sizeof(uint64_t))};
    arena_init(&stock->arena);
}

void stock_clear(struct stock *stock)
{
    arena_clear(&stock->arena);
    free(stock->known);
    free(stock->items);
}

uint64_t stock_hash(const char *spelling, const char *signature)
{
    uint64_t hash = UINT64_C(0xCBF29CE484222325);
    for (const char *at = spelling; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
    hash = (hash ^ ' ') * UINT64_C(0x100000001B3);
    for (const char *at = signature; *at; at++)
        hash = (hash ^ (unsigned char)*at) * UINT64_C(0x100000001B3);
    return hash | 1;
}

static bool sign(const struct ptx_function *function, const struct ptx_operand *operand, FILE *out)
{
    const struct ptx_register *registers = function->registers;
    switch (operand->kind) {
    case OPERAND_REGISTER: fprintf(out, "%s", ptx_type_name(registers[operand->index].type)); break;
    case OPERAND_INTEGER: fputs("i", out); break;
    case OPERAND_F32:
    case OPERAND_F64: fputs("f", out); break;
    case OPERAND_VARIABLE: fprintf(out, "v%d", (int)operand->variable->space); break;
    case OPERAND_SPECIAL: fprintf(out, "%%%u", ptx_special_bytes((enum ptx_special)operand->special)); break;
    case OPERAND_ADDRESS:
        if (operand->index >= 0)
            fprintf(out, "[%s]", ptx_type_name(registers[operand->index].type));
        else
            fprintf(out, "[%d]", operand->variable ? (int)operand->variable->space : -1);
        break;
    case OPERAND_VECTOR:
        fputs("{", out);
        for (unsigned i = 0; i < operand->count; i++)
            if (!sign(function, &operand->elements[i], out))
                return false;
        fputs("}", out);
        break;
    case OPERAND_SINK: fputs("_", out); break;
    default: return false;
    }
    if (operand->second >= 0)
        fprintf(out, "|%s", ptx_type_name(registers[operand->second].type));
    fputs(",", out);
    return true;
}

bool stock_signature(const struct ptx_function *function, const struct ptx_instruction *instruction,
                     char signature[SIGNATURE_BYTES])
{
    signature[0] = 0; /* what an instruction without operands leaves */
    if (instruction->opcode.form->id == FORM_CALL)
        return false;
    FILE *out = fmemopen(signature, SIGNATURE_BYTES, "w");
    bool good = out != NULL;
    for (unsigned i = 0; good && i < instruction->operand_count; i++)
        good = sign(function, &instruction->operands[i], out);
    if (out && fclose(out) != 0)
        good = false;
    signature[SIGNATURE_BYTES - 1] = 0;
    return good && strlen(signature) < SIGNATURE_BYTES - 1;
}

static bool is_new(struct stock *stock, uint64_t hash)
{
    size_t slot = hash % stock->known_slots;
    for (size_t tried = 0; stock->known[slot] && tried < stock->known_slots; tried++) {
        if (stock->known[slot] == hash)
            return false;
        slot = (slot + 1) % stock->known_slots;
    }
    if (stock->known[slot])
        return false; /* full */
    stock->known[slot] = hash;
    return true;
}

/* The register's number in the item; -1: too many. */
static int number_of(struct stock_item *item, const struct ptx_function *function, int index, int seen[STOCK_REGISTERS])
{
    for (unsigned i = 0; i < item->type_count; i++)
        if (seen[i] == index)
            return (int)i;
    if (item->type_count == STOCK_REGISTERS)
        return -1;
    seen[item->type_count] = index;
    item->types[item->type_count] = function->registers[index].type;
    return (int)item->type_count++;
}

static bool copy_operands(struct stock *stock, struct stock_item *item, const struct ptx_function *function,
                          const struct ptx_operand *from, unsigned count, struct ptx_operand **to, int seen[STOCK_REGISTERS])
{
    struct ptx_operand *copies = arena_allocate(&stock->arena, (count + 1) * sizeof *copies);
    if (!copies)
        return false;
    *to = copies;
    for (unsigned i = 0; i < count; i++) {
        copies[i] = from[i];
        if (from[i].index >= 0 && (copies[i].index = number_of(item, function, from[i].index, seen)) < 0)
            return false;
        if (from[i].second >= 0 && (copies[i].second = number_of(item, function, from[i].second, seen)) < 0)
            return false;
        if (from[i].variable) {
            copies[i].variable = arena_allocate(&stock->arena, sizeof *copies[i].variable);
            if (!copies[i].variable)
                return false;
            copies[i].variable->space = from[i].variable->space;
        }
        if (from[i].count
            && !copy_operands(stock, item, function, from[i].elements, from[i].count, &copies[i].elements, seen))
            return false;
    }
    return true;
}

static bool take(struct stock *stock, const struct ptx_function *function, const struct ptx_instruction *instruction)
{
    char signature[SIGNATURE_BYTES];
    int seen[STOCK_REGISTERS];
    if (!stock_signature(function, instruction, signature) || !is_new(stock, stock_hash(instruction->spelling, signature)))
        return false;
    struct stock_item item = {.instruction = *instruction};
    item.instruction.guard = -1;
    item.instruction.location = -1;
    if (!copy_operands(stock, &item, function, instruction->operands, instruction->operand_count, &item.instruction.operands,
                       seen))
        return false;
    item.instruction.spelling = arena_copy_text(&stock->arena, instruction->spelling, strlen(instruction->spelling));
    item.signature = arena_copy_text(&stock->arena, signature, strlen(signature));
    if (stock->count == stock->capacity) {
        size_t capacity = stock->capacity ? 2 * stock->capacity : 1024;
        struct stock_item *grown = realloc(stock->items, capacity * sizeof *grown);
        if (!grown)
            return false;
        stock->items = grown;
        stock->capacity = capacity;
    }
    stock->items[stock->count++] = item;
    return true;
}

size_t stock_harvest(struct stock *stock, const struct ptx_module *module)
{
    size_t taken = 0;
    for (size_t f = 0; f < module->function_count; f++)
        for (size_t i = 0; i < module->functions[f]->instruction_count; i++)
            taken += take(stock, module->functions[f], &module->functions[f]->instructions[i]);
    return taken;
}

static int by_signature(const void *a, const void *b)
{
    const struct stock_item *first = a, *second = b;
    int order = strcmp(first->signature, second->signature);
    return order ? order : strcmp(first->instruction.spelling, second->instruction.spelling);
}

void stock_sort(struct stock *stock)
{
    if (stock->count)
        qsort(stock->items, stock->count, sizeof *stock->items, by_signature);
}

/* The first item whose signature is not less (or, with `beyond`, greater). */
static size_t bound(const struct stock *stock, const char *signature, bool beyond)
{
    size_t low = 0, high = stock->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        int order = strcmp(stock->items[middle].signature, signature);
        if (order < 0 || (beyond && order == 0))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct stock_item *stock_draw_like(const struct stock *stock, const char *signature, struct draw *draw)
{
    size_t first = bound(stock, signature, false), end = bound(stock, signature, true);
    return first < end ? &stock->items[first + draw_below(draw, end - first)] : NULL;
}
