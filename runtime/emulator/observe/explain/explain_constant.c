/* Stores to constant memory: the compiler warns, and puts a trap instead of the store, so that only the source shows it. */
#include "runtime/emulator/observe/explain/explain.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"

/* Is the token the name that a declaration with __constant__ gives? */
static bool is_constant_name(const struct source *source, size_t at)
{
    static const char *const ends[] = {"[", "=", ";", "{"};
    if (at + 1 >= source->token_count || source->tokens[at].kind != SOURCE_WORD
        || !SOURCE_IS_ANY(&source->tokens[at + 1], ends))
        return false;
    for (size_t k = at, depth = 0; k-- > 0;) {
        static const char *const stops[] = {";", "{", "=", "]", ")"};
        if (source_token_is(&source->tokens[k], "__constant__"))
            return depth == 0;
        if (depth == 0 && SOURCE_IS_ANY(&source->tokens[k], stops))
            return false;
        if (source_token_is(&source->tokens[k], "}")) /* of `__constant__ struct { … } name` */
            depth++;
        else if (source_token_is(&source->tokens[k], "{"))
            depth--;
    }
    return false;
}

/* The token after name[…][…].member. */
static size_t end_of_place(const struct source *source, size_t at, size_t last)
{
    for (at++; at < last;) {
        if (source_token_is(&source->tokens[at], "["))
            at = source_closing(source, at, last) + 1;
        else if (source_token_is(&source->tokens[at], ".") && at + 1 < last)
            at += 2;
        else
            break;
    }
    return at;
}

/* Does the text change the place whose name is the token? */
static bool is_changed(const struct source *source, size_t name, size_t first, size_t last)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    static const char *const before[] = {"++", "--"};
    size_t after = end_of_place(source, name, last);
    if (after < last && SOURCE_IS_ANY(&source->tokens[after], changes))
        return true;
    if (name > first && SOURCE_IS_ANY(&source->tokens[name - 1], before))
        return true;
    size_t call = name; /* atomicAdd(&name[i], 1) */
    while (call > first
           && (source_token_is(&source->tokens[call - 1], "&") || source_token_is(&source->tokens[call - 1], "(")))
        call--;
    return call > first && call < name && source->tokens[call - 1].length > 6
           && strncmp(source->tokens[call - 1].text, "atomic", 6) == 0;
}

/* Is there a __trap() on the line, or (0) anywhere? Then it is the student's own. */
static bool has_trap(const struct source *source, int line)
{
    for (size_t i = 0; i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if ((token->line == line || line == 0) && memmem(token->text, (size_t)token->length, "trap", 4))
            return true;
    }
    return false;
}

bool explain_constant_write(const struct launch *launch, struct finding *finding)
{
    const struct source *source = explain_source(launch);
    struct source_function kernel;
    if (!source || !explain_kernel(launch, source, &kernel) || (finding->line > 0 && has_trap(source, finding->line)))
        return false;
    for (size_t at = kernel.first; at < kernel.last; at++) {
        const struct source_token *name = &source->tokens[at];
        if (name->kind != SOURCE_WORD || !is_changed(source, at, kernel.first, kernel.last))
            continue;
        for (size_t declared = 0; declared < source->token_count; declared++) {
            if (!source_token_same(&source->tokens[declared], name) || !is_constant_name(source, declared))
                continue;
            const char *path = ptx_module_file(launch->request->function->program->module, launch->student_file);
            finding->line = name->line;
            finding->ptx_line = 0;
            snprintf(finding->file, sizeof finding->file, "%s", path ? path : "");
            snprintf(finding->where, sizeof finding->where, "line %d", name->line);
            snprintf(finding->array, sizeof finding->array, "%.*s", name->length, name->text);
            return true;
        }
    }
    return false;
}

/* Is the pointer itself set there, rather than what it points to (`*p = 1`)? */
static bool is_set(const struct source *source, size_t at)
{
    static const char *const after[] = {"=", "+=", "-=", "++", "--"};
    static const char *const before[] = {"++", "--"};
    const struct source_token *token = &source->tokens[at];
    bool behind_sign = token[-2].kind == SOURCE_SIGN && !source_token_is(token - 2, ")") && !source_token_is(token - 2, "]");
    if (source_token_is(token + 1, "=") && source_token_is(token - 1, "*") && behind_sign)
        return false;
    return SOURCE_IS_ANY(token + 1, after) || SOURCE_IS_ANY(token - 1, before)
           || (source_token_is(token - 1, "&") && behind_sign)
           || source_token_is(token + 1, ")"); /* given to a function, perhaps by reference */
}

/* `int *p;` in the function, which never sets p nor lets anything else do so: the token of the name. */
static bool is_unset_pointer(const struct source *source, const struct source_function *function, size_t at)
{
    const struct source_token *token = &source->tokens[at];
    if (token->kind != SOURCE_WORD || token->defined || !source_token_is(token - 1, "*") || token[-2].kind != SOURCE_WORD
        || source_token_is(token - 2, "return") || !(source_token_is(token + 1, ";") || source_token_is(token + 1, ",")))
        return false;
    for (size_t i = function->first + 1; i < function->last; i++)
        if (source_token_same(&source->tokens[i], token) && is_set(source, i))
            return false;
    size_t start = at;
    while (start > function->first && !source_token_is(&source->tokens[start - 1], ";")
           && !source_token_is(&source->tokens[start - 1], "{") && !source_token_is(&source->tokens[start - 1], "}"))
        start--;
    for (size_t i = start; i < at; i++)
        if (source->tokens[i].kind != SOURCE_WORD && i != at - 1)
            return false; /* an expression */
    return true;
}

int explain_unset_pointer(const struct launch *launch, struct finding *finding)
{
    const struct source *source = explain_source(launch);
    struct source_function kernel;
    if (!source || finding->line <= 0 || !explain_kernel(launch, source, &kernel))
        return 0;
    for (size_t at = kernel.first + 1; at < kernel.last; at++) {
        if (!is_unset_pointer(source, &kernel, at))
            continue;
        for (size_t use = at + 1; use < kernel.last; use++) {
            const struct source_token *token = &source->tokens[use];
            if (token->line != finding->line || !source_token_same(token, &source->tokens[at]))
                continue;
            snprintf(finding->array, sizeof finding->array, "%.*s", token->length, token->text);
            return source->tokens[at].line;
        }
    }
    return 0;
}

/* The name in `atomicAdd(&name`, or the line's `atomicAdd(name +`: the token after the atomic function at `at`. 0: there is no
 * such function. */
static size_t atomic_place(const struct source *source, size_t at, size_t last)
{
    const struct source_token *token = &source->tokens[at];
    if (token->kind != SOURCE_WORD || token->length <= 6 || strncmp(token->text, "atomic", 6) != 0 || at + 3 >= last
        || !source_token_is(token + 1, "("))
        return 0;
    size_t name = at + 2 + source_token_is(token + 2, "&");
    return source->tokens[name].kind == SOURCE_WORD && !source_token_is(&source->tokens[name + 1], "->")
                   && !source_token_is(&source->tokens[name + 1], ".")
               ? name
               : 0;
}

/* `int name[256];` or `int name = 0;` in the function, the only declaration of that name and without a word such as __shared__
 * or static, nor a pointer: the token of the name. 0: there is none. */
static size_t find_local(const struct source *source, const struct source_function *function, size_t use, bool address)
{
    static const char *const types[] = {"int", "unsigned", "float", "double", "long"};
    static const char *const ends[] = {"[", "=", ";", ","};
    static const char *const starts[] = {";", "{", "}"};
    size_t found = 0;
    for (size_t at = function->first + 1; at < function->last; at++) {
        const struct source_token *token = &source->tokens[at];
        size_t start = at;
        if (!source_token_same(token, &source->tokens[use]) || !SOURCE_IS_ANY(token - 1, types)
            || !SOURCE_IS_ANY(token + 1, ends))
            continue;
        while (start > function->first && SOURCE_IS_ANY(&source->tokens[start - 1], types))
            start--;
        if (found || !SOURCE_IS_ANY(&source->tokens[start - 1], starts) || !(address || source_token_is(token + 1, "[")))
            return 0;
        found = at;
    }
    return found;
}

int explain_local_atomic(const struct launch *launch, struct finding *finding)
{
    const struct source *source = explain_source(launch);
    struct source_function kernel;
    if (!source || !explain_kernel(launch, source, &kernel))
        return 0;
    for (size_t at = kernel.first + 1; at < kernel.last; at++) {
        size_t use = atomic_place(source, at, kernel.last);
        size_t declared = use ? find_local(source, &kernel, use, use == at + 3) : 0;
        if (!declared)
            continue;
        const char *path = ptx_module_file(launch->request->function->program->module, launch->student_file);
        finding->line = source->tokens[at].line;
        finding->ptx_line = 0;
        snprintf(finding->file, sizeof finding->file, "%s", path ? path : "");
        snprintf(finding->where, sizeof finding->where, "line %d", finding->line);
        snprintf(finding->array, sizeof finding->array, "%.*s", source->tokens[use].length, source->tokens[use].text);
        return source->tokens[declared].line;
    }
    return 0;
}

bool explain_has_trap(const struct launch *launch)
{
    const struct source *source = explain_source(launch);
    return !source || has_trap(source, 0);
}

/* The bracket that opens what closes at `at` - 1, or what `at` is in; `first`: none. */
static size_t opening(const struct source *source, const char *open, const char *close, size_t first, size_t at)
{
    for (unsigned depth = 0; at > first; at--) {
        const struct source_token *token = &source->tokens[at - 1];
        if (source_token_is(token, open) && depth-- == 0)
            return at - 1;
        depth += source_token_is(token, close);
    }
    return first;
}

/* The token with which the statement begins that decides about a `return`: `if (c) return;`, `if (c) { …; return; }`. The
 * return itself where none does. */
static size_t decided_by(const struct source *source, size_t first, size_t leave)
{
    bool alone = source_token_is(&source->tokens[leave - 1], ")") || source_token_is(&source->tokens[leave - 1], "else");
    size_t begin = alone ? leave : opening(source, "{", "}", first, leave);
    if (begin <= first)
        return leave;
    if (!source_token_is(&source->tokens[begin - 1], ")"))
        return begin - 1;
    size_t condition = opening(source, "(", ")", first, begin - 1);
    return condition > first ? condition - 1 : leave;
}

bool explain_leaves_at(const struct launch *launch, int line)
{
    const struct source *source = explain_source(launch);
    struct source_function kernel;
    if (!source)
        return false;
    bool known = explain_kernel(launch, source, &kernel);
    for (size_t at = known ? kernel.first : 0; at < (known ? kernel.last : source->token_count); at++) {
        if (!source_token_is(&source->tokens[at], "return") || source->tokens[at].line < line)
            continue;
        if (!known || source->tokens[decided_by(source, kernel.first, at)].line <= line)
            return true;
    }
    return false;
}
