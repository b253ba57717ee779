#include "tests/fuzz/mutate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_PLACES = 8192, MOST_LABELS = 1024, LONGEST_BODY = 800, SPELLING_BYTES = 200 };

/* Every place of one kind in a function, to draw one of. */
struct places {
    void *list[MOST_PLACES];
    size_t count;
};

static void note(struct places *places, void *place)
{
    if (places->count < MOST_PLACES)
        places->list[places->count++] = place;
}

static void *pick(const struct places *places, struct draw *draw)
{
    return places->count ? places->list[draw_below(draw, places->count)] : NULL;
}

static struct ptx_function *draw_function(const struct mutation *mutation)
{
    size_t total = 0;
    for (size_t i = 0; i < mutation->module->function_count; i++)
        total += mutation->module->functions[i]->has_body ? mutation->module->functions[i]->instruction_count + 1 : 0;
    size_t at = draw_below(mutation->draw, total);
    for (size_t i = 0; i < mutation->module->function_count; i++) {
        struct ptx_function *function = mutation->module->functions[i];
        size_t own = function->has_body ? function->instruction_count + 1 : 0;
        if (at < own)
            return function;
        at -= own;
    }
    return NULL;
}

static struct ptx_instruction *draw_instruction(const struct mutation *mutation, const struct ptx_function *function)
{
    return function->instruction_count ? &function->instructions[draw_below(mutation->draw, function->instruction_count)]
                                       : NULL;
}

/* ---- labels ---- */

static void labels_of(struct places *places, struct ptx_operand *operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bool known = !operands[i].label;
        for (size_t k = 0; k < places->count && !known; k++)
            known = places->list[k] == operands[i].label;
        if (!known)
            note(places, operands[i].label);
        labels_of(places, operands[i].elements, operands[i].count);
    }
}

static void find_labels(struct places *places, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++)
        labels_of(places, function->instructions[i].operands, function->instructions[i].operand_count);
}

void mutate_delete(struct ptx_function *function, size_t index, size_t count)
{
    static struct places places;
    places.count = 0;
    find_labels(&places, function);
    for (size_t i = 0; i < places.count; i++) {
        struct ptx_label *label = places.list[i];
        size_t at = (size_t)label->instruction;
        label->instruction = (int)(at <= index ? at : at >= index + count ? at - count : index);
    }
    memmove(function->instructions + index, function->instructions + index + count,
            (function->instruction_count - index - count) * sizeof *function->instructions);
    function->instruction_count -= count;
}

/* Makes room for `count` instructions before `index`; NULL when the body is long enough. */
static struct ptx_instruction *make_room(const struct mutation *mutation, struct ptx_function *function, size_t index,
                                         size_t count)
{
    static struct places places;
    size_t old = function->instruction_count;
    struct ptx_instruction *grown = old + count > LONGEST_BODY
                                        ? NULL
                                        : arena_grow(&mutation->module->arena, function->instructions, old, old + count,
                                                     &function->instruction_capacity, sizeof *function->instructions);
    if (!grown)
        return NULL;
    places.count = 0;
    find_labels(&places, function);
    bool behind = draw_once_in(mutation->draw, 2); /* labels here stay before what is inserted, or come after it */
    for (size_t i = 0; i < places.count; i++) {
        struct ptx_label *label = places.list[i];
        if ((size_t)label->instruction > index || (behind && (size_t)label->instruction == index))
            label->instruction += (int)count;
    }
    function->instructions = grown;
    memmove(grown + index + count, grown + index, (old - index) * sizeof *grown);
    memset(grown + index, 0, count * sizeof *grown);
    function->instruction_count += count;
    return grown + index;
}

/* ---- operands ---- */

enum place_kind { PLACE_REGISTER, PLACE_CONSTANT, PLACE_ADDRESS, PLACE_LABEL, PLACE_SPECIAL, PLACE_SOURCE, PLACE_VARIABLE };

static void note_operand(struct places *places, struct ptx_operand *operand, enum place_kind kind, bool source)
{
    bool is_register = operand->kind == OPERAND_REGISTER;
    switch (kind) {
    case PLACE_REGISTER:
        if (operand->index >= 0)
            note(places, &operand->index);
        if (operand->second >= 0)
            note(places, &operand->second);
        break;
    case PLACE_CONSTANT:
        if (operand->kind == OPERAND_INTEGER || operand->kind == OPERAND_F32 || operand->kind == OPERAND_F64)
            note(places, operand);
        break;
    case PLACE_ADDRESS:
        if (operand->kind == OPERAND_ADDRESS)
            note(places, operand);
        break;
    case PLACE_LABEL:
        if (operand->kind == OPERAND_LABEL)
            note(places, operand);
        break;
    case PLACE_SPECIAL:
        if (operand->kind == OPERAND_SPECIAL)
            note(places, operand);
        break;
    case PLACE_SOURCE:
        if (is_register && source && operand->second < 0 && !operand->negated)
            note(places, operand);
        break;
    case PLACE_VARIABLE:
        if (operand->variable)
            note(places, operand);
        break;
    }
    for (unsigned i = 0; i < operand->count; i++)
        note_operand(places, &operand->elements[i], kind, source);
}

static void note_instruction(struct places *places, struct ptx_instruction *instruction, enum place_kind kind)
{
    if (kind == PLACE_REGISTER && instruction->guard >= 0)
        note(places, &instruction->guard);
    bool writes = ptx_form_defines(instruction->opcode.form);
    for (unsigned i = 0; i < instruction->operand_count; i++)
        note_operand(places, &instruction->operands[i], kind, i > 0 || !writes);
}

/* A place of that kind, of one instruction in two of three draws: operands of long vectors would be drawn too often. */
static void *draw_place(const struct mutation *mutation, const struct ptx_function *function, enum place_kind kind)
{
    static struct places places;
    for (int tries = 0; tries < 3; tries++) {
        places.count = 0;
        struct ptx_instruction *instruction = draw_instruction(mutation, function);
        if (instruction)
            note_instruction(&places, instruction, kind);
        if (places.count)
            return pick(&places, mutation->draw);
    }
    places.count = 0;
    for (size_t i = 0; i < function->instruction_count; i++)
        note_instruction(&places, &function->instructions[i], kind);
    return pick(&places, mutation->draw);
}

static bool fits(enum ptx_type own, enum ptx_type needed)
{
    return own == needed
           || (ptx_type_kind(own) == KIND_BITS && needed != PTX_PRED && ptx_type_bytes(own) == ptx_type_bytes(needed));
}

static int add_register(const struct mutation *mutation, struct ptx_function *function, enum ptx_type type)
{
    struct ptx_register *grown = arena_grow(&mutation->module->arena, function->registers, function->register_count,
                                            function->register_count + 1, &function->register_capacity, sizeof *grown);
    char name[32];
    int length = snprintf(name, sizeof name, "%%new%zu", function->register_count);
    if (!grown)
        return -1;
    function->registers = grown;
    grown[function->register_count] = (struct ptx_register){arena_copy_text(&mutation->module->arena, name, (size_t)length),
                                                            type};
    return (int)function->register_count++;
}

/* A register that fits; now and then, and where there is none, a new one, which has no value. */
static int draw_register(const struct mutation *mutation, struct ptx_function *function, enum ptx_type type)
{
    int found = -1;
    size_t count = 0;
    for (size_t i = 0; i < function->register_count; i++)
        if (fits(function->registers[i].type, type) && draw_once_in(mutation->draw, ++count))
            found = (int)i;
    return found >= 0 && !draw_once_in(mutation->draw, 24) ? found : add_register(mutation, function, type);
}

static struct ptx_variable *draw_variable(const struct mutation *mutation, const struct ptx_function *function,
                                          enum ptx_space space)
{
    static struct places places;
    places.count = 0;
    for (size_t i = 0; i < mutation->module->variable_count; i++)
        if (mutation->module->variables[i]->space == space)
            note(&places, mutation->module->variables[i]);
    for (size_t i = 0; i < function->variable_count && space != SPACE_PARAM; i++)
        if (function->variables[i]->space == space)
            note(&places, function->variables[i]);
    for (unsigned i = 0; i < function->parameter_count && space == SPACE_PARAM; i++)
        note(&places, function->parameters[i]);
    return pick(&places, mutation->draw);
}

static bool change_register(const struct mutation *mutation, struct ptx_function *function)
{
    int *index = draw_place(mutation, function, PLACE_REGISTER);
    if (!index)
        return false;
    int drawn = draw_register(mutation, function, function->registers[*index].type);
    if (drawn >= 0)
        *index = drawn;
    return drawn >= 0;
}

static uint64_t draw_float(struct draw *draw, bool wide)
{
    static const uint32_t narrow[] = {0,          0x80000000, 1,          0x007FFFFF, 0x00800000, 0x3F800000, 0xBF800000,
                                      0x7F7FFFFF, 0x7F800000, 0xFF800000, 0x7FC00000, 0x7FA00000, 0x4F000000, 0x4B800000};
    static const uint64_t doubles[] = {0,
                                       UINT64_C(0x8000000000000000),
                                       1,
                                       UINT64_C(0x0010000000000000),
                                       UINT64_C(0x3FF0000000000000),
                                       UINT64_C(0x7FEFFFFFFFFFFFFF),
                                       UINT64_C(0x7FF0000000000000),
                                       UINT64_C(0xFFF0000000000000),
                                       UINT64_C(0x7FF8000000000000),
                                       UINT64_C(0x43E0000000000000),
                                       UINT64_C(0x41E0000000000000)};
    if (draw_once_in(draw, 3))
        return wide ? draw_bits(draw) : draw_bits(draw) >> 32;
    return wide ? doubles[draw_below(draw, sizeof doubles / sizeof *doubles)]
                : narrow[draw_below(draw, sizeof narrow / sizeof *narrow)];
}

static bool change_constant(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = draw_place(mutation, function, PLACE_CONSTANT);
    if (!operand)
        return false;
    if (operand->kind != OPERAND_INTEGER)
        operand->bits = draw_float(mutation->draw, operand->kind == OPERAND_F64);
    else if (draw_once_in(mutation->draw, 2))
        operand->bits += draw_below(mutation->draw, 3) - 1;
    else
        operand->bits = draw_number(mutation->draw);
    return true;
}

static bool change_address(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = draw_place(mutation, function, PLACE_ADDRESS);
    if (!operand)
        return false;
    switch (draw_below(mutation->draw, 4)) {
    case 0: operand->offset = (int64_t)((uint64_t)operand->offset + draw_below(mutation->draw, 9) - 4); break;
    case 1: operand->offset = (int64_t)(4 * draw_below(mutation->draw, 64)); break;
    case 2: operand->offset = (int64_t)(8 * draw_below(mutation->draw, 64)) - 256; break;
    default: operand->offset = (int64_t)draw_number(mutation->draw); break;
    }
    return true;
}

/* A constant where a register was read. */
static bool make_constant(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = draw_place(mutation, function, PLACE_SOURCE);
    enum ptx_type type = operand ? function->registers[operand->index].type : PTX_PRED;
    if (type == PTX_PRED)
        return false;
    bool is_float = ptx_type_kind(type) == KIND_FLOAT;
    if (is_float && ptx_type_bytes(type) < 4)
        return false;
    operand->kind = !is_float ? OPERAND_INTEGER : ptx_type_bytes(type) == 8 ? OPERAND_F64 : OPERAND_F32;
    operand->index = -1;
    operand->bits = is_float ? draw_float(mutation->draw, operand->kind == OPERAND_F64) : draw_number(mutation->draw);
    return true;
}

static bool change_special(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = draw_place(mutation, function, PLACE_SPECIAL);
    if (!operand)
        return false;
    for (int tries = 0; tries < 20; tries++) {
        enum ptx_special other = (enum ptx_special)draw_below(mutation->draw, SPECIAL_COUNT);
        if (other != SPECIAL_RESERVED_SMEM
            && ptx_special_bytes(other) == ptx_special_bytes((enum ptx_special)operand->special)) {
            operand->special = (int)other;
            return true;
        }
    }
    return false;
}

static bool change_variable(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = draw_place(mutation, function, PLACE_VARIABLE);
    struct ptx_variable *other = operand ? draw_variable(mutation, function, operand->variable->space) : NULL;
    if (!other || (operand->variable->space == SPACE_PARAM && !function->is_entry))
        return false;
    operand->variable = other;
    return true;
}

/* ---- instructions ---- */

static bool put_item(const struct mutation *mutation, struct ptx_function *function, const struct stock_item *item,
                     int registers[STOCK_REGISTERS], struct ptx_operand *operands, unsigned count,
                     struct ptx_operand **copies)
{
    *copies = arena_allocate(&mutation->module->arena, 8 * sizeof **copies);
    if (!*copies)
        return false;
    for (unsigned i = 0; i < count; i++) {
        struct ptx_operand *copy = &(*copies)[i];
        *copy = operands[i];
        for (int *index = &copy->index;; index = &copy->second) {
            if (*index >= 0 && registers[*index] < 0)
                registers[*index] = draw_register(mutation, function, item->types[*index]);
            if (*index >= 0 && (*index = registers[*index]) < 0)
                return false;
            if (index == &copy->second)
                break;
        }
        if (copy->variable && !(copy->variable = draw_variable(mutation, function, copy->variable->space)))
            return false;
        if (copy->count
            && !put_item(mutation, function, item, registers, operands[i].elements, operands[i].count, &copy->elements))
            return false;
    }
    return true;
}

static bool insert_stock(const struct mutation *mutation, struct ptx_function *function)
{
    const struct stock *stock = mutation->stock;
    if (!stock->count)
        return false;
    const struct stock_item *item = &stock->items[draw_below(mutation->draw, stock->count)];
    int registers[STOCK_REGISTERS];
    for (unsigned i = 0; i < STOCK_REGISTERS; i++)
        registers[i] = -1;
    struct ptx_instruction made = item->instruction;
    if (!put_item(mutation, function, item, registers, item->instruction.operands, item->instruction.operand_count,
                  &made.operands))
        return false;
    size_t index = draw_below(mutation->draw, function->instruction_count + 1);
    made.location = index < function->instruction_count ? function->instructions[index].location : -1;
    struct ptx_instruction *room = make_room(mutation, function, index, 1);
    if (room)
        *room = made;
    return room != NULL;
}

/* Another opcode that some seed has with such operands. */
static bool change_opcode(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_instruction *instruction = draw_instruction(mutation, function);
    char signature[SIGNATURE_BYTES];
    if (!instruction || !stock_signature(function, instruction, signature))
        return false;
    const struct stock_item *item = stock_draw_like(mutation->stock, signature, mutation->draw);
    if (!item)
        return false;
    instruction->spelling = item->instruction.spelling;
    instruction->opcode = item->instruction.opcode;
    return true;
}

/* ---- spellings that no seed has ---- */

static bool is_type_group(const char *group, const char *end)
{
    return end - group > 2 && group[0] == 'T' && group[1] == ':';
}

/* A random spelling of the form: one word of each group. `like` keeps its types where that group has them. */
static void draw_spelling(struct draw *draw, const struct ptx_form *form, const struct ptx_opcode *like,
                          char spelling[SPELLING_BYTES])
{
    size_t length = (size_t)snprintf(spelling, SPELLING_BYTES, "%s", form->root);
    unsigned type = 0;
    for (const char *group = form->pattern; *group;) {
        const char *end = group + strcspn(group, " ");
        bool optional = *group == '?', kept = false;
        group += optional || *group == '*';
        bool types = is_type_group(group, end);
        group += types ? 2 : 0;
        size_t words = 1;
        for (const char *at = group; at < end; at++)
            words += *at == '|';
        size_t chosen = draw_below(draw, words);
        const char *word = group;
        while (chosen--)
            word += strcspn(word, "|") + 1;
        size_t word_length = strcspn(word, "| ");
        const char *name = types && type < like->type_count ? ptx_type_name(like->types[type]) : "";
        if (types && *name && !draw_once_in(draw, 3))
            for (const char *at = group; at < end && !kept; at += strcspn(at, "| ") + 1)
                if (strcspn(at, "| ") == strlen(name) && memcmp(at, name, strlen(name)) == 0) {
                    word = at;
                    word_length = strlen(name);
                    kept = true;
                }
        type += types;
        if (group < end && (!optional || draw_once_in(draw, 4)) && length + word_length + 2 < SPELLING_BYTES)
            length += (size_t)snprintf(spelling + length, SPELLING_BYTES - length, ".%.*s", (int)word_length, word);
        group = *end ? end + 1 : end;
    }
}

static void print_plain(FILE *out, const struct ptx_operand *operand)
{
    fputs(operand->negated ? "!" : "", out);
    switch (operand->kind) {
    case OPERAND_REGISTER: fprintf(out, "%%r%d", operand->index); break;
    case OPERAND_INTEGER: fprintf(out, "%lld", (long long)operand->bits); break;
    case OPERAND_F32: fprintf(out, "0f%08llX", (unsigned long long)operand->bits); break;
    case OPERAND_F64: fprintf(out, "0d%016llX", (unsigned long long)operand->bits); break;
    case OPERAND_VARIABLE: fprintf(out, "variable%d", (int)operand->variable->space); break;
    case OPERAND_SPECIAL: fputs(ptx_special_name((enum ptx_special)operand->special), out); break;
    case OPERAND_ADDRESS:
        if (operand->index >= 0)
            fprintf(out, "[%%r%d]", operand->index);
        else if (operand->variable)
            fprintf(out, "[variable%d]", (int)operand->variable->space);
        else
            fputs("[0]", out);
        break;
    case OPERAND_VECTOR:
        for (unsigned i = 0; i < operand->count; i++) {
            fputs(i ? ", " : "{", out);
            print_plain(out, &operand->elements[i]);
        }
        fputs("}", out);
        break;
    default: fputs("_", out); break;
    }
    if (operand->second >= 0)
        fprintf(out, "|%%r%d", operand->second);
}

/* Does a module with this instruction alone load? */
static bool loads_alone(const struct mutation *mutation, const struct ptx_function *function,
                        const struct ptx_instruction *instruction, const char *spelling)
{
    static struct places places;
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return false;
    fputs(".version 9.0\n.target sm_100a\n.address_size 64\n.global .align 16 .b8 variable1[4096];\n"
          ".const .align 16 .b8 variable2[4096];\n.shared .align 16 .b8 variable3[4096];\n"
          ".visible .entry k(.param .align 16 .b8 variable5[256])\n{\n.local .align 16 .b8 variable4[4096];\n",
          out);
    places.count = 0;
    struct ptx_instruction plain = *instruction;
    plain.guard = -1;
    note_instruction(&places, &plain, PLACE_REGISTER);
    for (size_t i = 0; i < places.count; i++) {
        int index = *(const int *)places.list[i];
        bool known = false;
        for (size_t k = 0; k < i && !known; k++)
            known = *(const int *)places.list[k] == index;
        if (!known)
            fprintf(out, ".reg .%s %%r%d;\n", ptx_type_name(function->registers[index].type), index);
    }
    fprintf(out, "%s ", spelling);
    for (unsigned i = 0; i < instruction->operand_count; i++) {
        fputs(i ? ", " : "", out);
        print_plain(out, &instruction->operands[i]);
    }
    fputs(";\nret;\n}\n", out);
    bool loads = fclose(out) == 0 && mutation->loads(text);
    free(text);
    return loads;
}

static bool loads(const struct mutation *mutation, const struct ptx_function *function,
                  const struct ptx_instruction *instruction, const char *signature, const char *spelling)
{
    uint64_t hash = stock_hash(spelling, signature) & ~UINT64_C(1),
             slots = sizeof mutation->memory->known / sizeof(uint64_t);
    uint64_t *slot = &mutation->memory->known[(hash >> 1) % slots];
    if ((*slot & ~UINT64_C(1)) != hash)
        *slot = hash | loads_alone(mutation, function, instruction, spelling);
    return *slot & 1;
}

static bool change_spelling(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_instruction *instruction = draw_instruction(mutation, function);
    char signature[SIGNATURE_BYTES], spelling[SPELLING_BYTES];
    if (!instruction || !stock_signature(function, instruction, signature))
        return false;
    bool same_form = draw_once_in(mutation->draw, 2);
    for (int tries = 0; tries < 10; tries++) {
        const struct ptx_form *form = same_form ? instruction->opcode.form
                                                : ptx_form_get((enum ptx_form_id)draw_below(mutation->draw, FORM_COUNT));
        if (form->id == FORM_CALL || form->id == FORM_BRA || form->id == FORM_BRX)
            continue;
        draw_spelling(mutation->draw, form, &instruction->opcode, spelling);
        struct ptx_opcode opcode;
        bool known_root;
        if (strcmp(spelling, instruction->spelling) == 0
            || !ptx_opcode_match(spelling, strlen(spelling), &opcode, &known_root)
            || !loads(mutation, function, instruction, signature, spelling))
            continue;
        instruction->spelling = arena_copy_text(&mutation->module->arena, spelling, strlen(spelling));
        instruction->opcode = opcode;
        return instruction->spelling != NULL;
    }
    return false;
}

/* ---- order and flow ---- */

static bool delete_instruction(const struct mutation *mutation, struct ptx_function *function)
{
    size_t count = 1 + (draw_once_in(mutation->draw, 4) ? draw_below(mutation->draw, 6) : 0);
    if (function->instruction_count <= count)
        return false;
    mutate_delete(function, draw_below(mutation->draw, function->instruction_count - count), count);
    return true;
}

/* Copies some instructions to another place, operands and all; `moves`: and deletes them here. */
static bool copy_instructions(const struct mutation *mutation, struct ptx_function *function, bool moves)
{
    size_t count = 1 + (draw_once_in(mutation->draw, 3) ? draw_below(mutation->draw, 8) : 0);
    if (function->instruction_count <= count)
        return false;
    size_t from = draw_below(mutation->draw, function->instruction_count - count);
    size_t to = draw_below(mutation->draw, function->instruction_count + 1);
    struct ptx_instruction copies[8];
    memcpy(copies, function->instructions + from, count * sizeof *copies);
    for (size_t i = 0; i < count; i++) {
        struct ptx_operand *operands = arena_allocate(&mutation->module->arena, 8 * sizeof *operands);
        if (!operands)
            return false;
        memcpy(operands, copies[i].operands, copies[i].operand_count * sizeof *operands);
        copies[i].operands = operands; /* vectors stay shared, calls too */
    }
    struct ptx_instruction *room = make_room(mutation, function, to, count);
    if (!room)
        return false;
    memcpy(room, copies, count * sizeof *copies);
    if (moves && (from + count <= to || from >= to))
        mutate_delete(function, from + (from >= to ? count : 0), count);
    return true;
}

static bool move_instructions(const struct mutation *mutation, struct ptx_function *function)
{
    return copy_instructions(mutation, function, true);
}

static bool duplicate_instructions(const struct mutation *mutation, struct ptx_function *function)
{
    return copy_instructions(mutation, function, false);
}

static bool change_guard(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_instruction *instruction = draw_instruction(mutation, function);
    if (!instruction)
        return false;
    if (instruction->guard >= 0 && draw_once_in(mutation->draw, 2)) {
        if (draw_once_in(mutation->draw, 2))
            instruction->guard = -1;
        else
            instruction->guard_negated = !instruction->guard_negated;
        return true;
    }
    int guard = draw_register(mutation, function, PTX_PRED);
    if (guard < 0)
        return false;
    instruction->guard = guard;
    instruction->guard_negated = draw_once_in(mutation->draw, 2);
    return true;
}

static struct ptx_label *new_label(const struct mutation *mutation, const struct ptx_function *function)
{
    struct ptx_label *label = arena_allocate(&mutation->module->arena, sizeof *label);
    if (label)
        *label = (struct ptx_label){.name = "$new",
                                    .instruction = (int)draw_below(mutation->draw, function->instruction_count + 1)};
    return label;
}

static bool change_label(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = draw_place(mutation, function, PLACE_LABEL);
    struct ptx_label *label = operand ? new_label(mutation, function) : NULL;
    if (label)
        operand->label = label;
    return label != NULL;
}

static bool insert_branch(const struct mutation *mutation, struct ptx_function *function)
{
    struct ptx_operand *operand = arena_allocate(&mutation->module->arena, sizeof *operand);
    struct ptx_label *label = new_label(mutation, function);
    struct ptx_instruction made = {.spelling = "bra", .guard = -1, .location = -1};
    bool known_root;
    if (!operand || !label || !ptx_opcode_match("bra", 3, &made.opcode, &known_root))
        return false;
    *operand = (struct ptx_operand){.kind = OPERAND_LABEL, .index = -1, .second = -1, .special = -1, .label = label};
    made.operands = operand;
    made.operand_count = 1;
    made.guard_negated = draw_once_in(mutation->draw, 2);
    if (!draw_once_in(mutation->draw, 8))
        made.guard = draw_register(mutation, function, PTX_PRED);
    size_t index = draw_below(mutation->draw, function->instruction_count + 1);
    made.location = index < function->instruction_count ? function->instructions[index].location : -1;
    struct ptx_instruction *room = make_room(mutation, function, index, 1);
    if (room)
        *room = made;
    return room != NULL;
}

/* ---- declarations ---- */

static bool change_declaration(const struct mutation *mutation, struct ptx_function *function)
{
    static struct places places;
    places.count = 0;
    for (size_t i = 0; i < mutation->module->variable_count; i++)
        note(&places, mutation->module->variables[i]);
    for (size_t i = 0; i < function->variable_count; i++)
        if (function->variables[i]->space != SPACE_PARAM)
            note(&places, function->variables[i]);
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (function->is_entry)
            note(&places, function->parameters[i]);
    struct ptx_variable *variable = pick(&places, mutation->draw);
    if (!variable)
        return false;
    uint32_t size = ptx_type_bytes(variable->type);
    if (draw_once_in(mutation->draw, 3)) {
        uint32_t align = 1u << draw_below(mutation->draw, 8);
        variable->align = align < size ? size : align;
        return true;
    }
    if (!variable->bytes || !size)
        return false;
    uint64_t count = variable->bytes / size, least = (variable->initial_bytes + size - 1) / size;
    switch (draw_below(mutation->draw, 6)) {
    case 0: count++; break;
    case 1: count = count / 2; break;
    case 2: count *= 2; break;
    case 3: count--; break;
    case 4: count = draw_below(mutation->draw, 70); break;
    default: count = variable->space == SPACE_PARAM ? count : draw_below(mutation->draw, 6000); break;
    }
    count = count < least ? least : count;
    variable->bytes = size * (count ? count : 1);
    return true;
}

static bool change_bounds(const struct mutation *mutation, struct ptx_function *function)
{
    static const uint32_t sizes[] = {0, 1, 31, 32, 33, 64, 128, 256, 1024};
    uint32_t *bound = draw_once_in(mutation->draw, 2) ? function->max_threads : function->required_threads;
    if (!function->is_entry)
        return false;
    bound[0] = sizes[draw_below(mutation->draw, sizeof sizes / sizeof *sizes)];
    bound[1] = bound[0] ? 1 + (uint32_t)draw_below(mutation->draw, 2) : 0;
    bound[2] = bound[0] ? 1 : 0;
    return true;
}

static bool change_location(const struct mutation *mutation, struct ptx_function *function)
{
    if (!mutation->module->location_count)
        return false;
    struct ptx_location *location =
        &mutation->module->locations[draw_below(mutation->draw, mutation->module->location_count)];
    struct ptx_instruction *instruction = draw_instruction(mutation, function);
    int number = (int)(draw_number(mutation->draw) & INT32_MAX);
    switch (draw_below(mutation->draw, 5)) {
    case 0: location->line = number; break;
    case 1: location->column = number; break;
    case 2: location->inlined_line = number; break;
    case 3: location->line += location->line < INT32_MAX ? 1 : 0; break;
    default:
        if (instruction)
            instruction->location = (int)draw_below(mutation->draw, mutation->module->location_count);
        break;
    }
    return true;
}

static bool change_register_type(const struct mutation *mutation, struct ptx_function *function)
{
    static const enum ptx_type types[] = {PTX_B16, PTX_B32, PTX_B64, PTX_U32, PTX_S32, PTX_U64, PTX_F32, PTX_F64};
    if (!function->register_count)
        return false;
    struct ptx_register *reg = &function->registers[draw_below(mutation->draw, function->register_count)];
    enum ptx_type type = types[draw_below(mutation->draw, sizeof types / sizeof *types)];
    if (ptx_type_bytes(type) != ptx_type_bytes(reg->type) || ptx_type_kind(type) == KIND_FLOAT)
        return false;
    if (ptx_type_kind(type) != KIND_BITS && ptx_type_kind(reg->type) == KIND_BITS)
        return false; /* may hold a float */
    reg->type = type;
    return true;
}

/* The changes, each as often as its weight says. */
static const struct {
    bool (*change)(const struct mutation *, struct ptx_function *);
    unsigned weight;
} changes[] = {
    {change_register, 16}, {change_constant, 9},    {change_address, 6},       {make_constant, 4},
    {change_special, 2},   {change_variable, 2},    {insert_stock, 14},        {change_opcode, 12},
    {change_spelling, 10}, {delete_instruction, 7}, {move_instructions, 6},    {duplicate_instructions, 6},
    {change_guard, 6},     {change_label, 3},       {insert_branch, 3},        {change_declaration, 4},
    {change_bounds, 1},    {change_location, 2},    {change_register_type, 1},
};

bool mutate(struct mutation *mutation)
{
    unsigned total = 0, at = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        total += changes[i].weight;
    size_t drawn = draw_below(mutation->draw, total);
    while (drawn >= changes[at].weight)
        drawn -= changes[at++].weight;
    struct ptx_function *function = draw_function(mutation);
    return function && changes[at].change(mutation, function);
}
