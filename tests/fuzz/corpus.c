#include "tests/fuzz/corpus.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/printer.h"

enum { LONGEST_KERNEL = 400, LARGEST_SEED = 256 << 10, ALIKE = 12 };

#define SEPARATOR "//////// seed "

/* ---- a module of one kernel ---- */

struct needs {
    const struct ptx_module *module;
    bool *functions, *variables;
};

static void need_function(struct needs *needs, const struct ptx_function *function);

static void need_variable(struct needs *needs, const struct ptx_variable *variable)
{
    for (size_t i = 0; i < needs->module->variable_count; i++) {
        if (needs->module->variables[i] != variable || needs->variables[i])
            continue;
        needs->variables[i] = true;
        for (const struct ptx_relocation *r = variable->relocations; r; r = r->next) {
            for (size_t k = 0; k < needs->module->variable_count; k++)
                if (strcmp(needs->module->variables[k]->name, r->symbol) == 0)
                    need_variable(needs, needs->module->variables[k]);
            for (size_t k = 0; k < needs->module->function_count; k++)
                if (strcmp(needs->module->functions[k]->name, r->symbol) == 0)
                    need_function(needs, needs->module->functions[k]);
        }
    }
}

static void need_operands(struct needs *needs, const struct ptx_operand *operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].variable)
            need_variable(needs, operands[i].variable);
        if (operands[i].function)
            need_function(needs, operands[i].function);
        need_operands(needs, operands[i].elements, operands[i].count);
    }
}

static void need_function(struct needs *needs, const struct ptx_function *function)
{
    for (size_t i = 0; i < needs->module->function_count; i++)
        if (needs->module->functions[i] == function && !needs->functions[i]) {
            needs->functions[i] = true;
            for (size_t k = 0; k < function->instruction_count; k++)
                need_operands(needs, function->instructions[k].operands, function->instructions[k].operand_count);
        }
}

/* Prints the kernel and what it needs. Returns NULL when memory ran out or the kernel is too long. */
static char *print_kernel(const struct ptx_module *module, const struct ptx_function *kernel, size_t *length)
{
    struct ptx_module part = *module;
    struct needs needs = {module, calloc(module->function_count + 1, 1), calloc(module->variable_count + 1, 1)};
    part.functions = calloc(module->function_count + 1, sizeof *part.functions);
    part.variables = calloc(module->variable_count + 1, sizeof *part.variables);
    char *text = NULL;
    if (needs.functions && needs.variables && part.functions && part.variables) {
        size_t instructions = 0;
        need_function(&needs, kernel);
        part.function_count = part.variable_count = 0;
        for (size_t i = 0; i < module->function_count; i++)
            if (needs.functions[i]) {
                part.functions[part.function_count++] = module->functions[i];
                instructions += module->functions[i]->instruction_count;
            }
        for (size_t i = 0; i < module->variable_count; i++)
            if (needs.variables[i])
                part.variables[part.variable_count++] = module->variables[i];
        text = instructions <= LONGEST_KERNEL ? ptx_print(&part, length) : NULL;
    }
    free(needs.functions);
    free(needs.variables);
    free(part.functions);
    free(part.variables);
    return text;
}

/* ---- reading ---- */

static char *read_file(const char *path, size_t *length)
{
    char *text = NULL;
    FILE *file = fopen(path, "rb");
    if (file && fseek(file, 0, SEEK_END) == 0) {
        long size = ftell(file);
        rewind(file);
        text = size >= 0 ? calloc(1, (size_t)size + 1) : NULL;
        *length = text ? fread(text, 1, (size_t)size, file) : 0;
    }
    if (file)
        fclose(file);
    return text;
}

static bool add_seed(struct corpus *corpus, char *text, size_t length, unsigned group)
{
    if (corpus->count == corpus->capacity) {
        size_t capacity = corpus->capacity ? 2 * corpus->capacity : 256;
        struct corpus_seed *grown = realloc(corpus->seeds, capacity * sizeof *grown);
        if (!grown)
            return false;
        corpus->seeds = grown;
        corpus->capacity = capacity;
    }
    corpus->seeds[corpus->count++] = (struct corpus_seed){text, length, group};
    return true;
}

/* Prints one kernel twice: the first print leaves out functions and variables, the second the source lines that were only
 * theirs. */
static bool add_kernel(struct corpus *corpus, const struct ptx_module *module, const struct ptx_function *kernel,
                       unsigned group, unsigned *alike)
{
    size_t length;
    char *text = print_kernel(module, kernel, &length);
    struct ptx_module *again = NULL;
    struct diagnostic diagnostic = {0};
    if (!text)
        return true; /* too long */
    bool good = ptx_parse(text, length, &again, &diagnostic) == PTX_OK;
    free(text);
    if (!good)
        return true; /* some fixtures are refused on purpose */
    bool useful = stock_harvest(&corpus->stock, again) > 0 || ++*alike <= ALIKE;
    text = useful ? ptx_print(again, &length) : NULL;
    if (text && length <= LARGEST_SEED)
        good = add_seed(corpus, text, length, group);
    else
        free(text);
    ptx_module_destroy(again);
    return good;
}

static bool add_module(struct corpus *corpus, const char *text, size_t length, unsigned group)
{
    struct ptx_module *module = NULL;
    struct diagnostic diagnostic = {0};
    if (ptx_parse(text, length, &module, &diagnostic) != PTX_OK)
        return true;
    bool good = true;
    unsigned alike = 0;
    for (size_t i = 0; i < module->function_count && good; i++)
        if (module->functions[i]->is_entry && module->functions[i]->has_body)
            good = add_kernel(corpus, module, module->functions[i], group, &alike);
    ptx_module_destroy(module);
    return good;
}

/* A file of corpus_write(): "//////// seed GROUP" before each. */
static bool add_written(struct corpus *corpus, char *text, size_t bytes, unsigned *group)
{
    unsigned before = *group, latest = 0;
    char *end = text + bytes;
    for (char *at = text, *next; at; at = next) {
        latest = (unsigned)strtoul(at + strlen(SEPARATOR), &at, 10);
        next = memmem(at, (size_t)(end - at), SEPARATOR, strlen(SEPARATOR));
        size_t length = (size_t)((next ? next : end) - at);
        struct ptx_module *module = NULL;
        struct diagnostic diagnostic = {0};
        char *copy = strndup(at, length);
        if (!copy)
            return false;
        if (ptx_parse(copy, length, &module, &diagnostic) == PTX_OK) {
            stock_harvest(&corpus->stock, module);
            ptx_module_destroy(module);
            if (!add_seed(corpus, copy, length, before + latest))
                return false;
        } else
            free(copy);
    }
    *group = before + latest + 1;
    return true;
}

static bool index_groups(struct corpus *corpus, unsigned groups)
{
    corpus->group_start = calloc(groups + 1, sizeof *corpus->group_start);
    for (size_t i = 0; i < corpus->count && corpus->group_start; i++)
        if (i == 0 || corpus->seeds[i].group != corpus->seeds[i - 1].group)
            corpus->group_start[corpus->groups++] = i;
    if (corpus->group_start)
        corpus->group_start[corpus->groups] = corpus->count;
    return corpus->group_start != NULL;
}

bool corpus_read(struct corpus *corpus, char *const *paths, size_t count)
{
    unsigned group = 0;
    *corpus = (struct corpus){0};
    stock_init(&corpus->stock);
    for (size_t i = 0; i < count; i++) {
        size_t length;
        char *text = read_file(paths[i], &length);
        bool good = text != NULL;
        if (good && strncmp(text, SEPARATOR, strlen(SEPARATOR)) == 0)
            good = add_written(corpus, text, length, &group);
        else if (good)
            good = add_module(corpus, text, length, group++);
        free(text);
        if (!good) {
            fprintf(stderr, "fuzz: cannot read %s\n", paths[i]);
            return false;
        }
    }
    stock_sort(&corpus->stock);
    return index_groups(corpus, group);
}

bool corpus_write(const struct corpus *corpus, const char *path)
{
    FILE *file = fopen(path, "wb");
    unsigned group = 0;
    for (size_t i = 0; file && i < corpus->count; i++) {
        group += i > 0 && corpus->seeds[i].group != corpus->seeds[i - 1].group;
        fprintf(file, SEPARATOR "%u\n%s\n", group, corpus->seeds[i].text);
    }
    return file && fclose(file) == 0;
}

const struct corpus_seed *corpus_draw(const struct corpus *corpus, struct draw *draw)
{
    size_t group = draw_below(draw, corpus->groups);
    size_t first = corpus->group_start[group], end = corpus->group_start[group + 1];
    return &corpus->seeds[first + draw_below(draw, end - first)];
}

void corpus_clear(struct corpus *corpus)
{
    for (size_t i = 0; i < corpus->count; i++)
        free(corpus->seeds[i].text);
    free(corpus->seeds);
    free(corpus->group_start);
    stock_clear(&corpus->stock);
}
