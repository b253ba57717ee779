#include "grader/compile/runtime_calls.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/printable.h"
#include "runtime/language/ptx/module.h"

/* Names of the device runtime: since CUDA 12, and before it, which is also how sources spell them. */
#define NEW_NAMES "__cudaCDP2"
#define OLD_NAMES "cuda"

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

/* ---- what the message says ------------------------------------------------------------------------------------------ */

static void describe_function(const struct ptx_foreign *foreign, enum ptx_foreign_kind kind, const char *source,
                              lockstep_diagnostic *diagnostic)
{
    char written[128], shown[256] = "";
    snprintf(written, sizeof written, "%s", foreign->name);
    if (strncmp(written, NEW_NAMES, strlen(NEW_NAMES)) == 0
        && find_word(source, written) == 0) /* headers define one name as the other */
        snprintf(written, sizeof written, OLD_NAMES "%s", foreign->name + strlen(NEW_NAMES));
    if (find_word(source, written) == 0 && strstr(written, "Launch"))
        snprintf(shown, sizeof shown, "the launch of a kernel by a kernel");
    else
        printable_append(shown, sizeof shown, written, strlen(written));
    diagnostic->line = foreign->line > 0 ? foreign->line : find_word(source, written);
    snprintf(diagnostic->kind, sizeof diagnostic->kind, "device_runtime");
    if (kind == PTX_FOREIGN_DRIVER)
        snprintf(diagnostic->message, sizeof diagnostic->message,
                 "%s is a function of the emulated driver's own. No lab allows a call of it.", shown);
    else
        snprintf(
            diagnostic->message, sizeof diagnostic->message,
            "%s belongs to CUDA's device runtime, with which kernels give work to their device. In this lab the threads "
            "of your kernels do the work themselves. Only labs with \"device_runtime: yes\" in lab.yaml allow it.",
            shown);
}

static void describe_instruction(const struct ptx_foreign *foreign, int target, lockstep_diagnostic *diagnostic)
{
    char shown[128] = "";
    printable_append(shown, sizeof shown, foreign->name, strnlen(foreign->name, 80));
    diagnostic->line = foreign->line;
    snprintf(diagnostic->kind, sizeof diagnostic->kind, "target");
    snprintf(diagnostic->message, sizeof diagnostic->message,
             "The instruction %s needs a GPU of sm_%d or newer, and this file is compiled for sm_%d.", shown,
             foreign->needed, target);
}

void runtime_calls_describe(const struct ptx_foreign *foreign, enum ptx_foreign_kind kind, int target, const char *source,
                            lockstep_diagnostic *diagnostic)
{
    memset(diagnostic, 0, sizeof *diagnostic);
    diagnostic->severity = LOCKSTEP_ERROR;
    if (kind == PTX_FOREIGN_TARGET)
        describe_instruction(foreign, target, diagnostic);
    else
        describe_function(foreign, kind, source, diagnostic);
}

enum runtime_calls runtime_calls_find(const char *ptx, size_t ptx_bytes, const char *source, bool device_runtime,
                                      lockstep_diagnostic *diagnostic)
{
    struct ptx_module *module = NULL;
    struct ptx_foreign first = {0}, other;
    enum ptx_foreign_kind kind = PTX_FOREIGN_KINDS;
    enum ptx_status status = ptx_parse(ptx, ptx_bytes, &module, NULL);
    if (status == PTX_OUT_OF_MEMORY)
        return RUNTIME_CALLS_OUT_OF_MEMORY;
    if (status != PTX_OK)
        return RUNTIME_CALLS_NONE;
    if (!device_runtime && ptx_foreign_find(module, PTX_FOREIGN_RUNTIME, &first))
        kind = PTX_FOREIGN_RUNTIME;
    if (ptx_foreign_find(module, PTX_FOREIGN_DRIVER, &other)
        && (kind == PTX_FOREIGN_KINDS || (other.line > 0 && (first.line == 0 || other.line < first.line)))) {
        kind = PTX_FOREIGN_DRIVER;
        first = other;
    }
    if (kind == PTX_FOREIGN_KINDS && ptx_foreign_find(module, PTX_FOREIGN_TARGET, &first))
        kind = PTX_FOREIGN_TARGET;
    if (kind != PTX_FOREIGN_KINDS)
        runtime_calls_describe(&first, kind, module->target, source, diagnostic);
    ptx_module_destroy(module);
    return kind != PTX_FOREIGN_KINDS ? RUNTIME_CALLS_FOUND : RUNTIME_CALLS_NONE;
}
