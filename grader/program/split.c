#include "grader/program/split.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "runtime/language/demangle.h"
#include "runtime/language/source.h"

/* A range of the text that the host's text has something else for. */
struct edit {
    size_t from, to;
    char *text; /* owned */
};

struct splitter {
    const struct source *source;
    struct split *split;
    bool *skip_on_device; /* [bytes] of the text */
    struct edit *edits;   /* in no order; they do not overlap */
    size_t count, capacity;
};

static const struct source_token *token_at(const struct splitter *splitter, size_t index)
{
    return &splitter->source->tokens[index];
}

static size_t offset_of(const struct splitter *splitter, size_t index)
{
    return (size_t)(token_at(splitter, index)->text - splitter->source->text);
}

static size_t end_of(const struct splitter *splitter, size_t index)
{
    return offset_of(splitter, index) + (size_t)token_at(splitter, index)->length;
}

static bool is(const struct splitter *splitter, size_t index, const char *text)
{
    return index < splitter->source->token_count && source_token_is(token_at(splitter, index), text);
}

__attribute__((format(printf, 3, 4))) static bool refuse(struct splitter *splitter, size_t token, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(splitter->split->message, sizeof splitter->split->message, format, arguments);
    va_end(arguments);
    splitter->split->line = token_at(splitter, token)->line;
    return false;
}

static void hide_from_device(struct splitter *splitter, size_t from, size_t to)
{
    memset(splitter->skip_on_device + from, true, to - from);
}

static void edit_host(struct splitter *splitter, size_t from, size_t to, char *text)
{
    splitter->edits = allocate_grown(splitter->edits, &splitter->capacity, splitter->count + 1, sizeof *splitter->edits);
    splitter->edits[splitter->count++] = (struct edit){from, to, text};
}

static void copy_name(const struct splitter *splitter, size_t token, char name[SPLIT_NAME_BYTES])
{
    const struct source_token *word = token_at(splitter, token);
    snprintf(name, SPLIT_NAME_BYTES, "%.*s", word->length < SPLIT_NAME_BYTES ? word->length : SPLIT_NAME_BYTES - 1,
             word->text);
}

/* ---- directives ---------------------------------------------------------------------------------------------------- */

/* Headers of the toolkit that NVRTC is given. The host's own are not for the device. */
static bool is_for_device(const char *name, size_t length)
{
    static const char *const names[] = {"cuda_fp16.h", "cuda_bf16.h",     "cooperative_groups",
                                        "mma.h",       "curand_kernel.h", "cuda/"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (length >= strlen(names[i]) && strncmp(name, names[i], strlen(names[i])) == 0)
            return true;
    return false;
}

static void hide_includes(struct splitter *splitter)
{
    const char *text = splitter->source->text;
    for (const char *at = text; *at != '\0'; at += strcspn(at, "\n"), at += *at == '\n') {
        const char *word = at + strspn(at, " \t");
        if (*word != '#')
            continue;
        word += 1 + strspn(word + 1, " \t");
        if (strncmp(word, "include", 7) != 0)
            continue;
        word += 7 + strspn(word + 7, " \t");
        if ((*word == '<' || *word == '"') && !is_for_device(word + 1, strcspn(word + 1, ">\"\n")))
            hide_from_device(splitter, (size_t)(at - text), (size_t)(at - text) + strcspn(at, "\n"));
    }
}

/* ---- launches ------------------------------------------------------------------------------------------------------ */

static bool is_run(const struct splitter *splitter, size_t index, const char *run)
{
    return strncmp(token_at(splitter, index)->text, run, strlen(run)) == 0;
}

/* The first token at which the text goes on with `run`, outside of brackets, from `at` on; `end`: none. */
static size_t find_run(const struct splitter *splitter, size_t at, size_t end, const char *run)
{
    for (; at < end; at++) {
        if (is_run(splitter, at, run))
            return at;
        if (is(splitter, at, "(") || is(splitter, at, "[") || is(splitter, at, "{"))
            at = source_closing(splitter->source, at, end);
    }
    return end;
}

/* `add<<<grid, block>>>(a, n)` becomes `(__cudaPushCallConfiguration(grid, block) ? (void)0 : add(a, n))`. */
static bool rewrite_launches(struct splitter *splitter, size_t first, size_t last)
{
    for (size_t i = first + 1; i < last; i++) {
        if (!is_run(splitter, i, "<<<") || token_at(splitter, i)->defined)
            continue;
        size_t name = i - 1, close = find_run(splitter, i, last, ">>>"), open = close;
        if (token_at(splitter, name)->kind != SOURCE_WORD || close == last)
            return refuse(splitter, i, "This launch can be built by nvcc alone, which is not there.");
        size_t arguments = offset_of(splitter, i) + 3, end = offset_of(splitter, close);
        while (open < last && offset_of(splitter, open) < end + 3)
            open++;
        size_t behind = is(splitter, open, "(") ? source_closing(splitter->source, open, last) : last;
        if (behind >= last)
            return refuse(splitter, i, "This launch can be built by nvcc alone, which is not there.");
        char word[SPLIT_NAME_BYTES];
        copy_name(splitter, name, word);
        edit_host(splitter, offset_of(splitter, name), end + 3,
                  allocate_format("(__cudaPushCallConfiguration(%.*s) ? (void)0 : %s", (int)(end - arguments),
                                  splitter->source->text + arguments, word));
        edit_host(splitter, end_of(splitter, behind), end_of(splitter, behind), allocate_text(")", 1));
        i = open;
    }
    return true;
}

/* ---- declarations -------------------------------------------------------------------------------------------------- */

/* A part at the outermost level, from its first token to its last. */
struct item {
    size_t first, last;
    size_t body; /* token of the { of a function's body; 0: none */
    bool global, device, host, constant, managed, is_template, is_type, is_const, has_parentheses, has_value;
    size_t name; /* of a function or a variable: the word before ( [ = ; */
};

static void note_word(const struct splitter *splitter, size_t at, struct item *item)
{
    static const char *const types[] = {"struct", "class", "enum", "union", "typedef", "using", "static_assert"};
    static const char *const constants[] = {"const", "constexpr"};
    item->global |= is(splitter, at, "__global__");
    item->device |= is(splitter, at, "__device__") || is(splitter, at, "__constant__");
    item->host |= is(splitter, at, "__host__");
    item->constant |= is(splitter, at, "__constant__");
    item->managed |= is(splitter, at, "__managed__");
    item->is_template |= is(splitter, at, "template");
    item->is_type |= SOURCE_IS_ANY(token_at(splitter, at), types);
    item->is_const |= SOURCE_IS_ANY(token_at(splitter, at), constants);
}

/* Reads the item that begins at a token. */
static struct item read_item(const struct splitter *splitter, size_t first)
{
    size_t count = splitter->source->token_count;
    struct item item = {.first = first, .last = count - 1};
    for (size_t at = first; at < count; at++) {
        if (token_at(splitter, at)->defined)
            continue;
        if (is(splitter, at, ";")) {
            item.last = at;
            break;
        }
        item.has_value |= is(splitter, at, "=");
        bool bracket = is(splitter, at, "(") || is(splitter, at, "["), brace = is(splitter, at, "{");
        if (brace && item.has_parentheses && !item.has_value && !item.is_type) {
            item.body = at;
            item.last = source_closing(splitter->source, at, count);
            break;
        }
        if (!item.has_value && (bracket || brace) && at > first && token_at(splitter, at - 1)->kind == SOURCE_WORD
            && !is(splitter, at - 1, "__launch_bounds__"))
            item.name = at - 1;
        item.has_parentheses |= is(splitter, at, "(") && !item.has_value;
        if (bracket || brace)
            at = source_closing(splitter->source, at, count);
        else if (!item.has_value)
            note_word(splitter, at, &item);
    }
    if (item.last >= count)
        item.last = count - 1;
    if (item.name == 0) /* `float x;`, `float x = 1;` */
        for (size_t at = first; at <= item.last; at++)
            if (token_at(splitter, at)->kind == SOURCE_WORD && !token_at(splitter, at)->defined
                && (is(splitter, at + 1, "=") || at + 1 == item.last))
                item.name = at;
    return item;
}

/* The body of a kernel on the host: it launches the kernel with what the call has left. */
static char *make_stub(const struct splitter *splitter, const struct source_function *function, const char *name)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return allocate_text("", 0);
    fputs("{ void *lockstep_arguments[] = {", file);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        const struct source_token *parameter = token_at(splitter, function->parameters[i]);
        fprintf(file, "(void *)&%.*s, ", parameter->length, parameter->text);
    }
    fprintf(
        file,
        "0}; dim3 lockstep_grid, lockstep_block; size_t lockstep_shared; cudaStream_t lockstep_stream; if "
        "(__cudaPopCallConfiguration(&lockstep_grid, &lockstep_block, &lockstep_shared, &lockstep_stream) == cudaSuccess) "
        "cudaLaunchKernel((const void *)%s, lockstep_grid, lockstep_block, lockstep_arguments, lockstep_shared, "
        "lockstep_stream); }",
        name);
    fclose(file);
    return text;
}

static bool add_kernel(struct splitter *splitter, const struct item *item)
{
    struct split *split = splitter->split;
    struct source_function function;
    char name[SPLIT_NAME_BYTES];
    if (item->is_template)
        return refuse(splitter, item->first, "A template of a kernel can be built by nvcc alone, which is not there.");
    if (!item->body || item->name == 0)
        return true; /* a declaration */
    copy_name(splitter, item->name, name);
    for (int i = 0; i < split->kernel_count; i++)
        if (strcmp(split->kernels[i], name) == 0)
            return refuse(splitter, item->name,
                          "Two kernels with the name %s can be built by nvcc alone, which is not there.", name);
    if (split->kernel_count == SPLIT_NAMES
        || !source_find_function(splitter->source, name, token_at(splitter, item->name)->line, &function))
        return refuse(splitter, item->name, "This kernel can be built by nvcc alone, which is not there.");
    for (unsigned i = 0; i < function.parameter_count; i++)
        if (function.parameters[i] == 0)
            return refuse(splitter, item->name, "Parameter %u of %s has no name; only nvcc builds that, which is not there.",
                          i + 1, name);
    snprintf(split->kernels[split->kernel_count++], SPLIT_NAME_BYTES, "%s", name);
    edit_host(splitter, offset_of(splitter, item->body), end_of(splitter, item->last), make_stub(splitter, &function, name));
    return true;
}

static bool add_variable(struct splitter *splitter, const struct item *item)
{
    struct split *split = splitter->split;
    if (item->managed)
        return refuse(splitter, item->first, "A managed variable can be built by nvcc alone, which is not there.");
    if (item->name == 0 || split->variable_count == SPLIT_NAMES)
        return true;
    copy_name(splitter, item->name, split->variables[split->variable_count]);
    split->constant[split->variable_count++] = item->constant;
    return true;
}

static bool take_item(struct splitter *splitter, const struct item *item, bool in_namespace)
{
    size_t from = offset_of(splitter, item->first), to = end_of(splitter, item->last);
    bool is_function = item->has_parentheses && !item->is_type;
    if (item->global && in_namespace)
        return refuse(splitter, item->first, "A kernel in a namespace can be built by nvcc alone, which is not there.");
    if (item->global)
        return add_kernel(splitter, item);
    if (item->device && !is_function)
        return add_variable(splitter, item);
    if (item->device && !item->host) {
        edit_host(splitter, from, to, allocate_text("", 0));
        return true;
    }
    if (item->device || item->is_type || (item->is_const && !is_function))
        return true; /* for both */
    hide_from_device(splitter, from, to);
    return !item->body || rewrite_launches(splitter, item->body, item->last);
}

/* Goes through the outermost level, and into namespaces and `extern "C" {`. */
static bool take_items(struct splitter *splitter)
{
    size_t count = splitter->source->token_count, namespace_end = 0;
    for (size_t at = 0; at < count;) {
        size_t brace = at;
        if (token_at(splitter, at)->defined || is(splitter, at, ";") || is(splitter, at, "}")) {
            at++;
            continue;
        }
        bool is_namespace = is(splitter, at, "namespace");
        bool is_linkage = is(splitter, at, "extern") && at + 2 < count && token_at(splitter, at + 1)->kind == SOURCE_LITERAL
                          && is(splitter, at + 2, "{");
        while (is_namespace && brace < count && !is(splitter, brace, "{") && !is(splitter, brace, "="))
            brace++;
        if (is_linkage || (is_namespace && is(splitter, brace, "{"))) {
            brace = is_linkage ? at + 2 : brace;
            size_t end = source_closing(splitter->source, brace, count);
            namespace_end = is_namespace && end > namespace_end ? end : namespace_end;
            at = brace + 1;
            continue;
        }
        struct item item = read_item(splitter, at);
        item.is_type |= is_namespace || is(splitter, at, "using");
        if (!take_item(splitter, &item, at < namespace_end))
            return false;
        at = item.last + 1;
    }
    return true;
}

/* ---- the two texts ------------------------------------------------------------------------------------------------- */

static int compare_edits(const void *left, const void *right)
{
    const struct edit *a = left, *b = right;
    return a->from < b->from ? -1 : a->from > b->from ? 1 : a->to < b->to ? -1 : a->to > b->to;
}

/* The text with its edits; what is left out keeps its line ends. */
static char *write_host(struct splitter *splitter, const char *file_name)
{
    const struct source *source = splitter->source;
    char *text = NULL;
    size_t bytes = 0, at = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return NULL;
    if (splitter->count > 0)
        qsort(splitter->edits, splitter->count, sizeof *splitter->edits, compare_edits);
    fprintf(file, "#include <cuda_runtime.h>\n#line 1 \"%s\"\n", file_name);
    for (size_t i = 0; i < splitter->count; i++) {
        const struct edit *edit = &splitter->edits[i];
        if (edit->from < at)
            continue;
        fwrite(source->text + at, 1, edit->from - at, file);
        fputs(edit->text, file);
        size_t had = 0;
        for (const char *end = edit->text; *end != '\0'; end++)
            had += *end == '\n';
        for (at = edit->from; at < edit->to; at++)
            if (source->text[at] == '\n' && (had == 0 || had-- == 0))
                fputc('\n', file);
    }
    fputs(source->text + at, file);
    fclose(file);
    return text;
}

static char *write_device(const struct splitter *splitter)
{
    char *text = allocate_text(splitter->source->text, splitter->source->bytes);
    for (size_t i = 0; i < splitter->source->bytes; i++)
        if (splitter->skip_on_device[i] && text[i] != '\n')
            text[i] = ' ';
    return text;
}

bool split_source(const char *text, size_t bytes, const char *file_name, struct split *split)
{
    struct source *source = source_create(text, bytes);
    memset(split, 0, sizeof *split);
    if (!source) {
        snprintf(split->message, sizeof split->message, "The source could not be read.");
        return false;
    }
    struct splitter splitter = {.source = source, .split = split};
    splitter.skip_on_device = allocate_zeroed(source->bytes + 1);
    hide_includes(&splitter);
    bool good = take_items(&splitter);
    if (good) {
        split->device = write_device(&splitter);
        split->host = write_host(&splitter, file_name);
    }
    for (size_t i = 0; i < splitter.count; i++)
        free(splitter.edits[i].text);
    free(splitter.edits);
    free(splitter.skip_on_device);
    source_destroy(source);
    return good;
}

/* ---- registration -------------------------------------------------------------------------------------------------- */

/* The kernel's name in the PTX; NULL when there is none, or more than one. */
static const char *find_entry(const char *kernel, const char *const *entries, size_t entry_count)
{
    const char *found = NULL;
    size_t length = strlen(kernel);
    for (size_t i = 0; i < entry_count; i++) {
        size_t plain_length;
        const char *plain = demangle_plain(entries[i], &plain_length);
        if (plain_length != length || strncmp(plain, kernel, length) != 0)
            continue;
        if (found)
            return NULL;
        found = entries[i];
    }
    return found;
}

/* Has the PTX a variable of that name? It leaves out those that no kernel uses. */
static bool has_variable(const char *ptx, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(ptx, name); at; at = strstr(at + 1, name))
        if ((at[-1] == ' ' || at[-1] == '\t') && (at[length] == '[' || at[length] == ';' || at[length] == ' '))
            return true;
    return false;
}

bool split_register(struct split *split, const char *ptx, const char *const *entries, size_t entry_count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    bool good = file != NULL;
    if (!file)
        return false;
    fprintf(file, "%s\n#line 1 \"lockstep\"\nstatic const char lockstep_image[] = R\"lockstep_ptx(", split->host);
    fputs(ptx, file);
    fputs(")lockstep_ptx\";\n__attribute__((constructor)) static void lockstep_register(void)\n{\n"
          "    void **lockstep_module = "
          "__cudaRegisterFatBinary((void *)lockstep_image);\n",
          file);
    for (int i = 0; i < split->kernel_count && good; i++) {
        const char *entry = find_entry(split->kernels[i], entries, entry_count);
        good = entry != NULL;
        if (good)
            fprintf(
                file,
                "    __cudaRegisterFunction(lockstep_module, (const char *)(void *)%s, (char *)\"%s\", \"%s\", -1, 0, 0, 0, "
                "0, 0);\n",
                split->kernels[i], split->kernels[i], entry);
        else
            snprintf(split->message, sizeof split->message, "The kernel %s was not found in the compiled module.",
                     split->kernels[i]);
    }
    for (int i = 0; i < split->variable_count && good; i++)
        if (has_variable(ptx, split->variables[i]))
            fprintf(file,
                    "    __cudaRegisterVar(lockstep_module, (char *)&%s, (char *)\"%s\", \"%s\", 0, sizeof %s, %d, 0);\n",
                    split->variables[i], split->variables[i], split->variables[i], split->variables[i], split->constant[i]);
    fputs("    (void)lockstep_module;\n}\n", file);
    fclose(file);
    free(split->host);
    split->host = text;
    return good;
}

void split_clear(struct split *split)
{
    free(split->device);
    free(split->host);
    memset(split, 0, sizeof *split);
}
