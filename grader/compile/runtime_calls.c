#include "grader/compile/runtime_calls.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/printable.h"
#include "runtime/language/ptx/module.h"
#include "runtime/language/ptx/targets.h"

/* Names of the device runtime: since CUDA 12, and before it, which is also how sources spell them. */
#define NEW_NAMES "__cudaCDP2"
#define OLD_NAMES "cuda"
#define OWN_NAMES "__lockstep_"

enum owner { KERNELS_MAY_CALL_IT, DEVICE_RUNTIME, DRIVER };

static bool begins(const char *name, const char *prefix)
{
    return strncmp(name, prefix, strlen(prefix)) == 0;
}

/* Whose function it is that a module declares and does not define. Barriers of a whole grid do no work. */
static enum owner owner_of(const char *name)
{
    if (begins(name, OWN_NAMES))
        return DRIVER;
    if (begins(name, "cudaCG"))
        return KERNELS_MAY_CALL_IT;
    return begins(name, "__cudaCDP") || begins(name, OLD_NAMES) ? DEVICE_RUNTIME : KERNELS_MAY_CALL_IT;
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

/* The first line that calls it or takes its address; 0: none is known. */
static int find_line(const struct ptx_module *module, const struct ptx_function *called)
{
    int first = 0;
    for (size_t f = 0; f < module->function_count; f++)
        for (size_t i = 0; i < module->functions[f]->instruction_count; i++) {
            const struct ptx_instruction *instruction = &module->functions[f]->instructions[i];
            int line = instruction_names(instruction, called) ? line_of(module, instruction->location) : 0;
            first = line > 0 && (first == 0 || line < first) ? line : first;
        }
    return first;
}

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$';
}

/* The line of the first word of that name in the source; 0: there is none. */
static int find_word(const char *source, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = source; (at = strstr(at, name)); at++) {
        int line = 1;
        if ((at > source && is_part_of_name(at[-1])) || is_part_of_name(at[length]))
            continue;
        for (const char *c = source; c < at; c++)
            line += *c == '\n';
        return line;
    }
    return 0;
}

/* ---- what is said --------------------------------------------------------------------------------------------------- */

static void describe(const struct ptx_function *called, enum owner owner, int line, const char *source,
                     lockstep_diagnostic *diagnostic)
{
    char written[128], shown[256] = "";
    snprintf(written, sizeof written, "%s", called->name);
    if (begins(called->name, NEW_NAMES) && find_word(source, written) == 0) /* headers define one name as the other */
        snprintf(written, sizeof written, OLD_NAMES "%s", called->name + strlen(NEW_NAMES));
    if (find_word(source, written) == 0 && strstr(written, "Launch"))
        snprintf(shown, sizeof shown, "the launch of a kernel by a kernel");
    else
        printable_append(shown, sizeof shown, written, strlen(written));
    memset(diagnostic, 0, sizeof *diagnostic);
    diagnostic->severity = LOCKSTEP_ERROR;
    diagnostic->line = line > 0 ? line : find_word(source, written);
    snprintf(diagnostic->kind, sizeof diagnostic->kind, "device_runtime");
    if (owner == DRIVER)
        snprintf(diagnostic->message, sizeof diagnostic->message,
                 "%s is a function of the emulated driver's own. No lab allows a call of it.", shown);
    else
        snprintf(
            diagnostic->message, sizeof diagnostic->message,
            "%s belongs to CUDA's device runtime, with which kernels give work to their device. In this lab the threads "
            "of your kernels do the work themselves. Only labs with \"device_runtime: yes\" in lab.yaml allow it.",
            shown);
}

/* ---- instructions that the module's target does not have ------------------------------------------------------------ */

/* The first one, by line. The emulated driver executes newer instructions, too, so that programs for newer GPUs run. */
static const struct ptx_instruction *find_newer(const struct ptx_module *module, int *first_line)
{
    const struct ptx_instruction *first = NULL;
    for (size_t f = 0; f < module->function_count; f++)
        for (size_t i = 0; i < module->functions[f]->instruction_count; i++) {
            const struct ptx_instruction *one = &module->functions[f]->instructions[i];
            if (ptx_target_needed(one) <= module->target)
                continue;
            int line = line_of(module, one->location);
            if (!first || line < *first_line) {
                first = one;
                *first_line = line;
            }
        }
    return first;
}

static void describe_target(const struct ptx_module *module, const struct ptx_instruction *newer, int line,
                            lockstep_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    diagnostic->severity = LOCKSTEP_ERROR;
    diagnostic->line = line;
    snprintf(diagnostic->kind, sizeof diagnostic->kind, "target");
    snprintf(diagnostic->message, sizeof diagnostic->message,
             "The instruction %.80s needs a GPU of sm_%d or newer, and this file is compiled for sm_%d.", newer->spelling,
             ptx_target_needed(newer), module->target);
}

enum runtime_calls runtime_calls_find(const char *ptx, size_t ptx_bytes, const char *source, bool device_runtime,
                                      lockstep_diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    const struct ptx_function *first = NULL;
    int first_line = 0;
    enum ptx_status status = ptx_parse(ptx, ptx_bytes, &module, NULL);
    if (status == PTX_OUT_OF_MEMORY)
        return RUNTIME_CALLS_OUT_OF_MEMORY;
    for (size_t i = 0; status == PTX_OK && i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        enum owner owner = function->has_body ? KERNELS_MAY_CALL_IT : owner_of(function->name);
        if (owner == KERNELS_MAY_CALL_IT || (owner == DEVICE_RUNTIME && device_runtime))
            continue;
        int line = find_line(module, function);
        if (!first || (line > 0 && (first_line == 0 || line < first_line))) {
            first = function;
            first_line = line;
        }
    }
    int newer_line = 0;
    const struct ptx_instruction *newer = status == PTX_OK && !first ? find_newer(module, &newer_line) : NULL;
    if (first)
        describe(first, owner_of(first->name), first_line, source, diagnostic);
    else if (newer)
        describe_target(module, newer, newer_line, diagnostic);
    if (status == PTX_OK)
        ptx_module_destroy(module);
    return first || newer ? RUNTIME_CALLS_FOUND : RUNTIME_CALLS_NONE;
}
