#include "runtime/language/ptx/foreign.h"

#include <string.h>

#include "runtime/language/ptx/targets.h"

const char *const ptx_foreign_words[PTX_FOREIGN_KINDS] = {"device_runtime", "driver", "target"};

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Of the device runtime: since CUDA 12, and before it, which is also how sources spell them. */
static bool is_runtime_name(const char *name)
{
    return begins(name, "__cudaCDP") || (begins(name, "cuda") && !begins(name, "cudaCG"));
}

static bool is_driver_name(const char *name)
{
    return begins(name, "__lockstep_");
}

/* ---- where it is ---------------------------------------------------------------------------------------------------- */

/* The line of the student's file: the innermost place in the file where the chain of inlined calls begins. */
static int line_of(const struct ptx_module *module, int index)
{
    int file = 0, line = 0;
    for (int at = index; at >= 0; at = ptx_location_outer(module, at))
        file = module->locations[at].inlined_file ? module->locations[at].inlined_file : module->locations[at].file;
    for (int at = index; at >= 0 && line == 0; at = ptx_location_outer(module, at)) {
        const struct ptx_location *place = &module->locations[at];
        line = place->file == file ? place->line : place->inlined_file == file ? place->inlined_line : 0;
    }
    return line;
}

static bool operand_names(const struct ptx_operand *operand, const struct ptx_function *function)
{
    if (operand->kind == OPERAND_FUNCTION && operand->function == function)
        return true;
    for (unsigned i = 0; i < operand->count; i++)
        if (operand_names(&operand->elements[i], function))
            return true;
    return false;
}

static bool instruction_names(const struct ptx_instruction *instruction, const struct ptx_function *function)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (operand_names(&instruction->operands[i], function))
            return true;
    return false;
}

/* ---- functions ------------------------------------------------------------------------------------------------------ */

/* Does it do its work by functions of the driver? That is how the emulated driver defines the device runtime, and what a module
 * that it has linked contains. */
static bool asks_driver(const struct ptx_function *function)
{
    for (size_t i = 0; i < function->instruction_count; i++)
        for (unsigned k = 0; k < function->instructions[i].operand_count; k++) {
            const struct ptx_operand *operand = &function->instructions[i].operands[k];
            if (operand->kind == OPERAND_FUNCTION && is_driver_name(operand->function->name))
                return true;
        }
    return false;
}

static bool is_defined_runtime(const struct ptx_function *function)
{
    return function->has_body && is_runtime_name(function->name) && asks_driver(function);
}

/* Who refers to a function. */
struct uses {
    bool by_runtime, by_others; /* functions that the driver has defined; anything else */
    int line;                   /* the first of the others; 0 unknown */
};

static struct uses find_uses(const struct ptx_module *module, const struct ptx_function *called)
{
    struct uses uses = {0};
    for (size_t f = 0; f < module->function_count; f++) {
        const struct ptx_function *function = module->functions[f];
        for (size_t i = 0; i < function->instruction_count; i++) {
            if (!instruction_names(&function->instructions[i], called))
                continue;
            bool by_runtime = is_defined_runtime(function);
            int line = by_runtime ? 0 : line_of(module, function->instructions[i].location);
            uses.by_runtime |= by_runtime;
            uses.by_others |= !by_runtime;
            uses.line = line > 0 && (uses.line == 0 || line < uses.line) ? line : uses.line;
        }
    }
    for (size_t v = 0; v < module->variable_count; v++)
        for (const struct ptx_relocation *r = module->variables[v]->relocations; r; r = r->next)
            uses.by_others |= strcmp(r->symbol, called->name) == 0;
    return uses;
}

static bool is_foreign(const struct ptx_function *function, enum ptx_foreign_kind kind, const struct uses *uses)
{
    if (kind == PTX_FOREIGN_DRIVER)
        return !function->has_body && is_driver_name(function->name) && (uses->by_others || !uses->by_runtime);
    return is_runtime_name(function->name) && (!function->has_body || (is_defined_runtime(function) && uses->by_others));
}

static bool find_function(const struct ptx_module *module, enum ptx_foreign_kind kind, struct ptx_foreign *foreign)
{
    bool found = false;
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        if (!is_runtime_name(function->name) && !is_driver_name(function->name))
            continue;
        const struct uses uses = find_uses(module, function);
        if (!is_foreign(function, kind, &uses))
            continue;
        if (!found || (uses.line > 0 && (foreign->line == 0 || uses.line < foreign->line)))
            *foreign = (struct ptx_foreign){.name = function->name, .line = uses.line};
        found = true;
    }
    return found;
}

/* ---- instructions --------------------------------------------------------------------------------------------------- */

/* The emulated device executes newer instructions, too, so that programs for newer GPUs run. */
static bool find_newer(const struct ptx_module *module, struct ptx_foreign *foreign)
{
    bool found = false;
    for (size_t f = 0; f < module->function_count; f++)
        for (size_t i = 0; i < module->functions[f]->instruction_count; i++) {
            const struct ptx_instruction *one = &module->functions[f]->instructions[i];
            int needed = ptx_target_needed(one);
            if (needed <= module->target)
                continue;
            int line = line_of(module, one->location);
            if (!found || line < foreign->line)
                *foreign = (struct ptx_foreign){.name = one->spelling, .line = line, .needed = needed};
            found = true;
        }
    return found;
}

bool ptx_foreign_find(const struct ptx_module *module, enum ptx_foreign_kind kind, struct ptx_foreign *foreign)
{
    return kind == PTX_FOREIGN_TARGET ? find_newer(module, foreign) : find_function(module, kind, foreign);
}
