#include "runtime/language/ptx/module.h"

#include <stdlib.h>

static const struct {
    const char *name;
    unsigned bytes;
    enum ptx_special_kind kind;
    unsigned axis;
} specials[SPECIAL_COUNT] = {
#define SPECIAL(id, text, size, kind, axis) [SPECIAL_##id] = {text, size, SPECIAL_##kind, axis},
#include "runtime/language/ptx/specials.def"
#undef SPECIAL
};

unsigned ptx_special_bytes(enum ptx_special special)
{
    return specials[special].bytes;
}

enum ptx_special_kind ptx_special_kind(enum ptx_special special)
{
    return specials[special].kind;
}

unsigned ptx_special_axis(enum ptx_special special)
{
    return specials[special].axis;
}

const char *ptx_special_name(enum ptx_special special)
{
    return specials[special].name;
}

void ptx_module_destroy(struct ptx_module *module)
{
    if (!module)
        return;
    arena_clear(&module->arena);
    free(module);
}

const char *ptx_module_file(const struct ptx_module *module, int number)
{
    for (size_t i = 0; i < module->file_count; i++)
        if (module->files[i].number == number)
            return module->files[i].name;
    return NULL;
}

int ptx_location_outer(const struct ptx_module *module, int index)
{
    const struct ptx_location *inner = &module->locations[index];
    if (!inner->inlined_file)
        return -1;
    for (int i = index - 1; i >= 0; i--)
        if (module->locations[i].file == inner->inlined_file && module->locations[i].line == inner->inlined_line
            && module->locations[i].column == inner->inlined_column)
            return i;
    return -1;
}

bool ptx_operand_names(const struct ptx_operand *operand, int number)
{
    if (operand->kind == OPERAND_VECTOR) {
        for (unsigned i = 0; i < operand->count; i++)
            if (ptx_operand_names(&operand->elements[i], number))
                return true;
        return false;
    }
    bool has_register = operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_ADDRESS;
    return has_register && (operand->index == number || operand->second == number);
}

/* By its guard, or by an operand from `first` on. */
static bool names_from(const struct ptx_instruction *instruction, unsigned first, int number)
{
    for (unsigned i = first; i < instruction->operand_count; i++)
        if (ptx_operand_names(&instruction->operands[i], number))
            return true;
    return instruction->guard == number;
}

bool ptx_instruction_reads(const struct ptx_instruction *instruction, int number)
{
    bool defines = instruction->operand_count > 0 && ptx_form_defines(instruction->opcode.form);
    return names_from(instruction, defines, number);
}

bool ptx_instruction_names(const struct ptx_instruction *instruction, int number)
{
    return names_from(instruction, 0, number);
}
