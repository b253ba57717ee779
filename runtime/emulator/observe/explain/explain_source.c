/* The source of a launch's kernel. */
#include "runtime/emulator/observe/explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"
#include "runtime/language/demangle.h"

/* Does the kernel's code begin where the source has it? A file that has since changed would explain nothing. */
static bool stands_there(const struct launch *launch, const struct source *source)
{
    struct source_function kernel;
    const struct ptx_function *function = launch->code->function;
    const struct ptx_module *module = launch->request->function->program->module;
    if (!explain_kernel(launch, source, &kernel))
        return true; /* made by a macro, perhaps: no evidence against it */
    int first = source->tokens[kernel.name].line, last = source->tokens[kernel.last].line;
    for (size_t i = 0; i < function->instruction_count; i++) {
        int index = function->instructions[i].location;
        if (index < 0 || module->locations[index].inlined_file || module->locations[index].file != launch->student_file
            || module->locations[index].line <= 0)
            continue;
        if (module->locations[index].line < first - 2 || module->locations[index].line > last)
            return false;
    }
    return true;
}

bool explain_is_spent(void)
{
    static _Thread_local bool limited; /* the budget of this thread's explanations has begun */
    if (!limited)
        source_limit_work(SOURCE_EXPLAIN_WORK);
    limited = true;
    return source_is_spent();
}

const struct source *explain_source(const struct launch *launch)
{
    struct program *program = (struct program *)launch->request->function->program; /* what it keeps for findings */
    const char *path = ptx_module_file(program->module, launch->student_file);
    if (explain_is_spent())
        return NULL;
    if (program->source_text && !program->source)
        program->source = source_create(program->source_text, program->source_bytes);
    if (!program->source_text && program->source_file != launch->student_file) {
        source_destroy(program->source);
        program->source = path ? source_read(path) : NULL;
        program->source_file = launch->student_file;
    }
    if (!program->source || stands_there(launch, program->source))
        return program->source;
    if (!program->source_doubted && !program->source_text)
        fprintf(stderr, "lockstep: %s has changed since it was compiled: findings show no names from it\n", path);
    program->source_doubted = true;
    return NULL;
}

/* "run" of "space::kernel<int>::run<float>". */
void explain_plain_name(const char *readable, char *text, size_t bytes)
{
    const char *start = readable, *end = NULL;
    int depth = 0;
    for (const char *at = readable; *at; at++) {
        if (*at == '<' && depth++ == 0)
            end = at;
        else if (*at == '>')
            depth--;
        else if (depth == 0 && at[0] == ':' && at[1] == ':') {
            start = at + 2;
            end = NULL;
        }
    }
    snprintf(text, bytes, "%.*s", end ? (int)(end - start) : (int)strlen(start), start);
}

bool explain_kernel(const struct launch *launch, const struct source *source, struct source_function *function)
{
    char readable[128], name[128];
    demangle_function(launch->request->function->name, readable, sizeof readable);
    explain_plain_name(readable, name, sizeof name);
    return source_find_function(source, name, 0, function);
}
