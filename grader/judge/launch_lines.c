#include "grader/judge/launch_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "grader/base/near.h"
#include "runtime/language/expression.h"

enum { NAME_BYTES = 64, NAMES_MOST = 32 };

/* ---- names ------------------------------------------------------------------------------------------------------------- */

static void copy_name(const struct source_token *token, char name[NAME_BYTES])
{
    snprintf(name, NAME_BYTES, "%.*s", token->length, token->text);
}

/* Where does the first value that begins at a token end: at which , or ; of the declaration? */
static size_t value_end(const struct source *source, size_t at)
{
    while (at < source->token_count && !source_token_is(&source->tokens[at], ",")
           && !source_token_is(&source->tokens[at], ";")) {
        bool opens = source_token_is(&source->tokens[at], "(") || source_token_is(&source->tokens[at], "[")
                     || source_token_is(&source->tokens[at], "{");
        at = opens ? source_closing(source, at, source->token_count) + 1 : at + 1;
    }
    return at;
}

/* Lists the variables that are declared outside of all functions: tokens[count]. */
static size_t list_variables(const struct source *source, size_t tokens[NAMES_MOST])
{
    size_t count = 0;
    for (size_t i = 1; i + 1 < source->token_count && count < NAMES_MOST; i++) {
        const struct source_token *token = &source->tokens[i], *next = token + 1;
        bool linkage = source_token_is(token, "{") && token[-1].kind == SOURCE_LITERAL; /* extern "C" { */
        if (token->defined) /* a macro's body, whose brackets close nothing here */
            continue;
        if (source_token_is(token, "(") || source_token_is(token, "[") || (source_token_is(token, "{") && !linkage)) {
            i = source_closing(source, i, source->token_count);
            continue;
        }
        if (source_token_is(token, "=")) { /* a name in the value is not declared here */
            i = value_end(source, i + 1) - 1;
            continue;
        }
        bool declares = source_token_is(next, "=") || source_token_is(next, "[") || source_token_is(next, ";");
        if (token->kind == SOURCE_WORD && declares && token[-1].kind != SOURCE_LITERAL)
            tokens[count++] = i;
    }
    return count;
}

static bool is_used(const struct source *source, size_t declared)
{
    for (size_t i = 0; i < source->token_count; i++)
        if (i != declared && source_token_same(&source->tokens[i], &source->tokens[declared]))
            return true;
    return false;
}

/* Small letters, without what joins words. */
static void fold(const char *name, char folded[NAME_BYTES])
{
    size_t length = 0;
    for (; *name != '\0' && length + 1 < NAME_BYTES; name++)
        if (*name != '_')
            folded[length++] = (char)tolower((unsigned char)*name);
    folded[length] = '\0';
}

enum ending { OTHER, BLOCK, ITEMS, GRID, RELATED };

/* Takes the ending off that says what a constant is about. */
static enum ending split(char folded[NAME_BYTES])
{
    static const struct {
        const char *text;
        enum ending ending;
    } rows[] = {{"block", BLOCK},     {"items", ITEMS},       {"gridsize", GRID},    {"griddim", GRID},
                {"grid", GRID},       {"blocksize", RELATED}, {"blockdim", RELATED}, {"blocks", RELATED},
                {"threads", RELATED}, {"item", RELATED},      {"launch", RELATED}};
    size_t length = strlen(folded);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t end = strlen(rows[i].text);
        if (length > end && strcmp(folded + length - end, rows[i].text) == 0) {
            folded[length - end] = '\0';
            return rows[i].ending;
        }
    }
    return OTHER;
}

/* The kernel of the lab that a name without its ending means, nearly or letter by letter; NULL: none. */
static const struct lab_kernel *kernel_of(const struct lab *lab, const char *folded)
{
    char names[LAB_MAX_KERNELS][NAME_BYTES];
    const char *list[LAB_MAX_KERNELS];
    for (int i = 0; i < lab->kernel_count; i++) {
        fold(lab->kernels[i].name, names[i]);
        list[i] = names[i];
        if (strcmp(names[i], folded) == 0)
            return &lab->kernels[i];
    }
    const char *near = strlen(folded) > 3 ? near_find(folded, list, (size_t)lab->kernel_count) : NULL;
    for (int i = 0; near && i < lab->kernel_count; i++)
        if (list[i] == near)
            return &lab->kernels[i];
    return NULL;
}

/* Is it KERNEL_block or KERNEL_items of a kernel of the lab? *kernel: of which. */
static bool is_read(const struct lab *lab, const char *name, const struct lab_kernel **kernel)
{
    for (int i = 0; i < lab->kernel_count; i++) {
        size_t length = strlen(lab->kernels[i].name);
        *kernel = &lab->kernels[i];
        if (strncmp(name, lab->kernels[i].name, length) == 0
            && (strcmp(name + length, "_block") == 0 || strcmp(name + length, "_items") == 0))
            return true;
    }
    return false;
}

/* ---- values ------------------------------------------------------------------------------------------------------------ */

static size_t no_value(void *context, size_t at, size_t end, int64_t *value)
{
    (void)context, (void)at, (void)end, (void)value;
    return 0;
}

/* Is what tokens [first, end) say, `256` or `{32, 8, 1}`, what the launch has anyway? */
static bool is_launched(const struct plan_setup *setup, const struct lab_kernel *kernel, bool block,
                        const struct source *source, size_t first, size_t end)
{
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    const struct geometry *geometry = NULL;
    struct expression_names names = {no_value, NULL};
    for (int i = 0; i < plan->kernel_count; i++)
        if (kernel == &setup->lab->kernels[plan->kernels[i]])
            geometry = &setup->geometry[plan->kernels[i]];
    if (first < end && source_token_is(&source->tokens[first], "{"))
        end = source_closing(source, first++, end);
    for (int d = 0; geometry && d < 3; d++) {
        struct expression expression = {.value = 1};
        size_t stop = first;
        while (stop < end && !source_token_is(&source->tokens[stop], ","))
            stop++;
        if (first < end && !expression_evaluate(source, first, stop, &names, &expression))
            return false;
        uint32_t has = block ? geometry->block[d] : geometry->items[d];
        if (expression.value != (int64_t)has)
            return false;
        first = stop + 1;
    }
    return geometry != NULL;
}

/* The same of a variable: of its first value. */
static bool says_nothing_new(const struct plan_setup *setup, const struct lab_kernel *kernel, bool block,
                             const struct source *source, size_t at)
{
    size_t first = at, end;
    while (first < source->token_count && !source_token_is(&source->tokens[first], "=")
           && !source_token_is(&source->tokens[first], ";"))
        first++;
    for (end = first; end < source->token_count && !source_token_is(&source->tokens[end], ";"); end++)
        continue;
    return first < end && is_launched(setup, kernel, block, source, first + 1, end);
}

/* ---- notes ------------------------------------------------------------------------------------------------------------- */

static struct result_finding *add(struct result_findings *notes, const char *file, int line, const char *kernel,
                                  const char *pattern)
{
    struct result_finding finding = {.severity = LOCKSTEP_WARNING, .count = 1, .line = line};
    snprintf(finding.code, sizeof finding.code, "launch_setting");
    snprintf(finding.pattern, sizeof finding.pattern, "%s", pattern);
    snprintf(finding.file, sizeof finding.file, "%s", file);
    snprintf(finding.kernel, sizeof finding.kernel, "%s", kernel);
    result_findings_add(notes, &finding);
    return &notes->list[notes->count - 1];
}

static void tell_variable(const struct plan_setup *setup, const struct ptx_summary *summary, const struct source *source,
                          size_t at, const char *file, struct result_findings *notes)
{
    char name[NAME_BYTES], folded[NAME_BYTES];
    int line = source->tokens[at].line;
    const struct lab_kernel *kernel;
    struct result_finding *note;
    copy_name(&source->tokens[at], name);
    if (!source->tokens[at].own || (size_t)source->tokens[at].length >= NAME_BYTES)
        return;
    if (is_read(setup->lab, name, &kernel)) {
        bool block = strcmp(name + strlen(kernel->name), "_block") == 0;
        if (block && kernel->fixed_block) {
            note = add(notes, file, line, kernel->name, "");
            snprintf(note->message, sizeof note->message,
                     "The lab does not read %s: it always launches %s with blocks of %u threads.", name, kernel->name,
                     kernel->block[0]);
        } else if (!ptx_summary_constant(summary, name) && !says_nothing_new(setup, kernel, block, source, at)) {
            note = add(notes, file, line, kernel->name, "unreadable");
            snprintf(note->message, sizeof note->message,
                     "The lab cannot read this %s. It must be a __constant__ int outside of all functions and namespaces, "
                     "not static, with numbers that the compiler knows: extern \"C\" __constant__ int %s%s",
                     name, name, block ? "[3] = {...};" : " = ...;");
        }
        return;
    }
    fold(name, folded);
    enum ending ending = split(folded);
    bool used = is_used(source, at);
    kernel = ending == OTHER ? NULL : kernel_of(setup->lab, folded);
    if (kernel && used && launch_lines_find(source, kernel->name, ending == ITEMS ? "items" : "block") > 0)
        return; /* a number of the kernel's own, beside the lab's */
    if (kernel && (ending == BLOCK || ending == ITEMS) && says_nothing_new(setup, kernel, ending == BLOCK, source, at))
        return;
    if (kernel && (ending == BLOCK || ending == ITEMS)) {
        note = add(notes, file, line, kernel->name, "ignored");
        snprintf(note->message, sizeof note->message, "The lab does not read %s. Did you mean %s_%s?", name, kernel->name,
                 ending == BLOCK ? "block" : "items");
    } else if (kernel && ending == GRID) {
        note = add(notes, file, line, kernel->name, "ignored");
        snprintf(note->message, sizeof note->message,
                 "The lab does not read %s. It computes the number of blocks itself: as many as it takes for all elements, "
                 "with one for each thread of a block or, where the file has %s_items, that many for each block.",
                 name, kernel->name);
    } else if (!used && (kernel || ending == BLOCK || ending == ITEMS)) {
        kernel = kernel ? kernel : &setup->lab->kernels[setup->lab->plans[setup->plan].kernels[0]];
        note = add(notes, file, line, kernel->name, "ignored");
        snprintf(note->message, sizeof note->message,
                 "Nothing uses %s: no line of the file, and the lab reads only names such as %s_block (the threads of a "
                 "block) and %s_items (the elements that a block covers).",
                 name, kernel->name, kernel->name);
    }
}

/* `#define doublify_block 128`: the lab sees what is in the module only. */
static void tell_macro(const struct plan_setup *setup, const struct ptx_summary *summary, const struct source_macro *macro,
                       const struct source *source, const char *file, struct result_findings *notes)
{
    char name[NAME_BYTES];
    const struct lab_kernel *kernel;
    snprintf(name, sizeof name, "%.*s", macro->length, macro->name);
    if (!is_read(setup->lab, name, &kernel) || ptx_summary_constant(summary, name))
        return;
    if (is_launched(setup, kernel, strcmp(name + strlen(kernel->name), "_block") == 0, source, macro->first,
                    macro->first + macro->count))
        return;
    int line = 1;
    for (const char *at = source->text; at < macro->name; at++)
        line += *at == '\n';
    struct result_finding *note = add(notes, file, line, kernel->name, "unreadable");
    bool block = strcmp(name + strlen(kernel->name), "_block") == 0;
    snprintf(
        note->message, sizeof note->message,
        "The lab cannot read %s, because it is a macro, which exists only in the text. It reads a constant: extern \"C\" "
        "__constant__ int %s%s",
        name, name, block ? "[3] = {...};" : " = ...;");
}

/* ---- the shape of a block ---------------------------------------------------------------------------------------------- */

static bool has_axis(const struct source *source, char axis)
{
    for (size_t i = 0; i + 2 < source->token_count; i++)
        if (source_token_is(&source->tokens[i], "threadIdx") && source->tokens[i + 2].length == 1
            && *source->tokens[i + 2].text == axis)
            return true;
    return false;
}

/* Has the file other ways to tell threads apart? */
static bool has_other_numbers(const struct source *source)
{
    static const char *const words[] = {"asm", "__asm__", "thread_rank", "thread_index", "cooperative_groups"};
    for (size_t i = 0; i < source->token_count; i++)
        if (SOURCE_IS_ANY(&source->tokens[i], words)
            || (source_token_is(&source->tokens[i], "threadIdx") && !source_token_is(&source->tokens[i + 1], ".")))
            return true;
    return false;
}

static void tell_shape(const struct plan_setup *setup, int index, const struct source *source, const char *file,
                       struct result_findings *notes)
{
    const struct lab_kernel *kernel = &setup->lab->kernels[index];
    const uint32_t *block = setup->geometry[index].block;
    char axis = block[1] > 1 && !has_axis(source, 'y') ? 'y' : block[2] > 1 && !has_axis(source, 'z') ? 'z' : '\0';
    if (kernel->dimensions > 1 || kernel->fixed_block || axis == '\0' || has_other_numbers(source))
        return;
    int line = launch_lines_find(source, kernel->name, "block");
    struct result_finding *note = add(notes, file, line, kernel->name, "directions");
    size_t used = (size_t)snprintf(note->message, sizeof note->message, "The blocks of %s have %u x %u", kernel->name,
                                   block[0], block[1]);
    if (block[2] > 1)
        used += (size_t)snprintf(note->message + used, sizeof note->message - used, " x %u", block[2]);
    snprintf(note->message + used, sizeof note->message - used,
             " threads, but no line of the file uses threadIdx.%c, which is all that tells %u of them apart.", axis,
             axis == 'y' ? block[1] : block[2]);
}

/* ---- all --------------------------------------------------------------------------------------------------------------- */

int launch_lines_find_bounds(const struct source *source, const char *kernel)
{
    struct source_function function;
    if (!source_find_function(source, kernel, 0, &function))
        return 0;
    for (size_t i = function.name;
         i > 0 && !source_token_is(&source->tokens[i], ";") && !source_token_is(&source->tokens[i], "}"); i--)
        if (source_token_is(&source->tokens[i], "__launch_bounds__"))
            return source->tokens[i].line;
    return 0;
}

int launch_lines_find(const struct source *source, const char *kernel, const char *what)
{
    char name[NAME_BYTES * 2];
    size_t tokens[NAMES_MOST], count = list_variables(source, tokens);
    snprintf(name, sizeof name, "%s_%s", kernel, what);
    for (size_t i = 0; i < count; i++)
        if (source_token_is(&source->tokens[tokens[i]], name))
            return source->tokens[tokens[i]].line;
    return 0;
}

void launch_lines_tell(const struct plan_setup *setup, const struct ptx_summary *summary, const char *file,
                       struct result_findings *notes)
{
    struct source *source = setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    const struct lab_plan *plan = &setup->lab->plans[setup->plan];
    size_t tokens[NAMES_MOST], count = source ? list_variables(source, tokens) : 0;
    if (!source)
        return;
    for (size_t i = 0; i < count; i++)
        tell_variable(setup, summary, source, tokens[i], file, notes);
    for (size_t i = 0; i < source->macro_count; i++)
        tell_macro(setup, summary, &source->macros[i], source, file, notes);
    for (int i = 0; i < plan->kernel_count; i++)
        tell_shape(setup, plan->kernels[i], source, file, notes);
    source_destroy(source);
}
