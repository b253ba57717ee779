/* How an index was computed, in the words of the source. */
#include "runtime/emulator/observe/explain/explain.h"

#include <stdio.h>
#include <string.h>

void explain_append(char *text, size_t bytes, const char *more)
{
    size_t used = strlen(text);
    snprintf(text + used, bytes - used, "%s", more);
}

/* " = 3*256 + 232 = 1000", without repetitions. */
static void write_values(const struct expression *expression, char *text, size_t bytes)
{
    char value[32];
    snprintf(value, sizeof value, "%lld", (long long)expression->value);
    if (strcmp(expression->text, value) == 0)
        return;
    if (strcmp(expression->numbers, expression->text) != 0 && strcmp(expression->numbers, value) != 0) {
        explain_append(text, bytes, " = ");
        explain_append(text, bytes, expression->numbers);
    }
    explain_append(text, bytes, " = ");
    explain_append(text, bytes, value);
}

static bool ends_with_colon(const char *text)
{
    size_t length = strlen(text);
    return length >= 2 && text[length - 2] == ':';
}

/* "i = blockIdx.x*blockDim.x + threadIdx.x = 3*256 + 232 = 1000". */
static bool write_declared(struct explain_access *view, const struct source_token *name, char *text, size_t bytes)
{
    size_t first, end;
    struct expression expression;
    if (!explain_declaration(view->names.source, &view->names.function, name, &first, &end)
        || !explain_evaluate(&view->names, first, end, &expression))
        return false;
    const char *type;
    int64_t left = expression.value;
    if (!explain_narrow(view->names.source, first, &left, &type))
        return false;
    char start[80];
    snprintf(start, sizeof start, "%s%.*s = ", *text && !ends_with_colon(text) ? "; " : "",
             name->length < 40 ? name->length : 40, name->text);
    explain_append(text, bytes, start);
    explain_append(text, bytes, expression.text);
    write_values(&expression, text, bytes);
    if (left != expression.value) {
        char more[96];
        snprintf(more, sizeof more, ", which does not fit in %s: it becomes %lld", type, (long long)left);
        explain_append(text, bytes, more);
    }
    return true;
}

/* What a declared name is made of, in its turn: "in_block = threadIdx.y*blockDim.y + threadIdx.x = 1*8 + 0 = 8". Formulas
 * only. */
static void write_parts(struct explain_access *view, const struct source_token *name, char *text, size_t bytes)
{
    const struct source *source = view->names.source;
    size_t first, end, from, to;
    if (!explain_declaration(source, &view->names.function, name, &first, &end))
        return;
    for (size_t i = first; i < end; i++) {
        struct expression expression;
        if (source->tokens[i].kind == SOURCE_WORD && !source_token_is(&source->tokens[i - 1], ".")
            && explain_declaration(source, &view->names.function, &source->tokens[i], &from, &to)
            && explain_evaluate(&view->names, from, to, &expression)
            && (expression.names > 1 || (expression.names == 1 && strpbrk(expression.text, "%/&>"))))
            write_declared(view, &source->tokens[i], text, bytes);
    }
}

/* Variables that a formula, tokens [first, end), names, by their declarations. */
static void write_variables(struct explain_access *view, size_t first, size_t end, char *text, size_t bytes)
{
    const struct source *source = view->names.source;
    unsigned told = 0;
    for (size_t i = first; i < end && told < 2; i++) {
        bool seen = source->tokens[i].kind != SOURCE_WORD || source_token_is(&source->tokens[i - 1], ".");
        for (size_t k = first; k < i && !seen; k++)
            seen = source_token_same(&source->tokens[k], &source->tokens[i]);
        if (!seen)
            told += write_declared(view, &source->tokens[i], text, bytes);
    }
}

static void write_overflow(const struct explain_access *view, const struct expression *expression, bool single,
                           char text[ARITHMETIC_BYTES])
{
    char more[96];
    if (!single || expression->value == view->finding->index)
        return;
    if (expression->value < 0)
        snprintf(more, sizeof more, ", which is %lld as an unsigned value", (long long)view->finding->index);
    else
        snprintf(more, sizeof more, ", which does not fit in %s: it becomes %lld",
                 view->finding->index < 0 ? "an int" : "32 bits", (long long)view->finding->index);
    explain_append(text, ARITHMETIC_BYTES, more);
}

/* "Bs[15][16]: ", where the subscripts as written are not the row and column that were accessed. */
static void write_element(struct explain_access *view, const struct explain_candidate *candidate,
                          char text[ARITHMETIC_BYTES])
{
    struct expression row, column;
    int64_t columns = view->finding->columns;
    if (explain_evaluate(&view->names, candidate->first[0], candidate->end[0], &row)
        && explain_evaluate(&view->names, candidate->first[1], candidate->end[1], &column)
        && (column.value < 0 || column.value >= columns))
        snprintf(text, ARITHMETIC_BYTES, "%s[%lld][%lld]: ", view->finding->array, (long long)row.value,
                 (long long)column.value);
}

void explain_arithmetic(struct explain_access *view, const struct explain_candidate *candidate, char text[ARITHMETIC_BYTES])
{
    const struct source *source = view->names.source;
    text[0] = '\0';
    if (candidate->dimensions == 2)
        write_element(view, candidate, text);
    for (unsigned d = 0; d < candidate->dimensions; d++) {
        struct expression expression;
        if (!explain_evaluate(&view->names, candidate->first[d], candidate->end[d], &expression))
            return;
        bool single = candidate->dimensions == 1, whole = single && candidate->offset_end == candidate->offset_first;
        if (candidate->end[d] == candidate->first[d] + 1
            && write_declared(view, &source->tokens[candidate->first[d]], text, ARITHMETIC_BYTES)) {
            write_overflow(view, &expression, whole, text);
            if (single)
                write_parts(view, &source->tokens[candidate->first[d]], text, ARITHMETIC_BYTES);
            continue;
        }
        if ((expression.is_name && single) || !expression.names)
            continue;
        explain_append(text, ARITHMETIC_BYTES, *text && !ends_with_colon(text) ? "; " : "");
        explain_append(text, ARITHMETIC_BYTES, expression.text);
        write_values(&expression, text, ARITHMETIC_BYTES);
        write_overflow(view, &expression, whole, text);
        if (!expression.is_name)
            write_variables(view, candidate->first[d], candidate->end[d], text, ARITHMETIC_BYTES);
    }
    struct expression offset;
    if (candidate->offset_end > candidate->offset_first
        && explain_evaluate(&view->names, candidate->offset_first, candidate->offset_end, &offset)) {
        char more[EXPRESSION_BYTES + 96];
        const struct source_token *base = &source->tokens[candidate->offset_first - 2],
                                  *name = &source->tokens[candidate->name];
        snprintf(more, sizeof more, "%s%.*s = %.*s + %s", *text ? "; " : "", name->length < 24 ? name->length : 24,
                 name->text, base->length < 24 ? base->length : 24, base->text, offset.text);
        explain_append(text, ARITHMETIC_BYTES, more);
        snprintf(more, sizeof more, " = %.*s + %lld", base->length < 24 ? base->length : 24, base->text,
                 (long long)offset.value);
        if (!offset.names)
            more[0] = '\0';
        explain_append(text, ARITHMETIC_BYTES, more);
        size_t used = strlen(text);
        write_variables(view, candidate->offset_first, candidate->offset_end, text, ARITHMETIC_BYTES);
        if (strlen(text) + 1 == ARITHMETIC_BYTES)
            text[used] = '\0'; /* what the pointer is made of helps, too */
    }
    if (strlen(text) + 1 == ARITHMETIC_BYTES)
        text[0] = '\0'; /* too long to help */
}

void explain_threads(const struct explain_access *view, const struct finding *finding, char *text, size_t bytes)
{
    const uint32_t *grid = view->names.launch->request->grid, *block = view->names.launch->request->block;
    uint64_t threads = (uint64_t)grid[0] * block[0];
    int64_t number = (int64_t)view->names.block[0] * block[0] + view->names.thread[0], count = finding->elements;
    *text = '\0';
    if (strcmp(finding->array, "local memory") == 0) /* every thread has its own */
        return;
    if (count <= 0 || finding->index < count || grid[1] * grid[2] != 1 || block[1] * block[2] != 1)
        return;
    if (finding->in_shared && finding->index == view->names.thread[0] && block[0] > count)
        snprintf(text, bytes, "The block has %u threads for %lld element%s.", block[0], (long long)count,
                 count == 1 ? "" : "s");
    else if (!finding->in_shared && finding->index == number && threads > (uint64_t)count)
        snprintf(text, bytes, "The grid has %llu threads for %lld element%s.", (unsigned long long)threads, (long long)count,
                 count == 1 ? "" : "s");
}
