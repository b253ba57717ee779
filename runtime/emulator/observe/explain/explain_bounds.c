/* Why an index is outside: what the source and the launch show, each with its values. A fact that the run contradicts is left
 * out: a condition that the thread passed must come out as passed. */
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/explain/explain.h"
#include "runtime/emulator/observe/explain/explain_guard.h"

enum { NAMES_MOST = 24, NAME_DEPTH = 4, TOLD_MOST = 2 };

/* The names that an expression's value depends on, declarations followed: variables of the function, threadIdx.x and the
 * like. */
struct name_set {
    size_t tokens[NAMES_MOST];
    unsigned count;
};

struct bounds {
    struct explain_access *view;
    const struct source *source;
    struct finding *finding;
    const struct explain_candidate *place; /* the access in the source; NULL: only its line is known */
    bool verified;                         /* its subscripts give the index */
    struct name_set names;                 /* of its subscripts */
    bool understood;                       /* guards are all that there are */
    struct guards guards;
    unsigned told;     /* conditions in the remark */
    int told_line;     /* of the last one */
    bool asked;        /* a condition precedes the access that has to do with its index */
    bool only_loops;   /* each of them is a loop's */
    bool after, empty; /* a do … while asks after the access; an if before it controls nothing */
    bool changed;      /* a condition names a parameter that the function sets */
    bool inverted;     /* a condition lets only indices pass that are beyond the end */
    bool wrapped;      /* a difference below 0, as an unsigned value, holds a comparison */
    bool asks_eagerly; /* & or | evaluates the access whatever the comparison gives */
    bool unequal;      /* a loop goes on as long as two numbers differ */
};

static const struct source_token *token_at(const struct bounds *b, size_t at)
{
    return &b->source->tokens[at];
}

static void tell(struct bounds *b, const char *text)
{
    if (!*text || strlen(b->finding->remark) + strlen(text) + 2 > sizeof b->finding->remark)
        return;
    explain_append(b->finding->remark, sizeof b->finding->remark, *b->finding->remark ? " " : "");
    explain_append(b->finding->remark, sizeof b->finding->remark, text);
}

/* ---- names ---- */

static bool is_parameter(const struct bounds *b, const struct source_token *token)
{
    const struct source_function *function = &b->view->names.function;
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (function->parameters[i] && source_token_same(token_at(b, function->parameters[i]), token))
            return true;
    return false;
}

/* A parameter that is declared with a `*`. */
static bool is_pointer(const struct bounds *b, const struct source_token *token)
{
    const struct source_function *function = &b->view->names.function;
    for (unsigned i = 0; i < function->parameter_count; i++) {
        size_t at = function->parameters[i];
        if (!at || !source_token_same(token_at(b, at), token))
            continue;
        while (source_token_is(token_at(b, at - 1), "__restrict__") || source_token_is(token_at(b, at - 1), "const"))
            at--;
        return source_token_is(token_at(b, at - 1), "*");
    }
    return false;
}

/* A variable of the function, or a number of the thread or the block. */
static bool is_variable(const struct bounds *b, size_t at)
{
    const struct source_token *token = token_at(b, at);
    size_t ignored;
    if (token->kind != SOURCE_WORD || source_token_is(token - 1, ".") || source_token_is(token + 1, "("))
        return false;
    if (source_token_is(token, "threadIdx") || source_token_is(token, "blockIdx"))
        return true;
    return explain_changes(b->source, &b->view->names.function, token, &ignored) > 0;
}

static bool same_name(const struct bounds *b, size_t x, size_t y)
{
    bool axis = source_token_is(token_at(b, x), "threadIdx") || source_token_is(token_at(b, x), "blockIdx");
    return source_token_same(token_at(b, x), token_at(b, y))
           && (!axis || source_token_same(token_at(b, x + 2), token_at(b, y + 2)));
}

static bool contains(const struct bounds *b, const struct name_set *set, size_t at)
{
    for (unsigned i = 0; i < set->count; i++)
        if (same_name(b, set->tokens[i], at))
            return true;
    return false;
}

/* `float x = id / (float)n;`: tokens of what a float is made of that is set once. */
static bool find_float(const struct bounds *b, const struct source_token *name, size_t *first, size_t *end)
{
    const struct source_function *function = &b->view->names.function;
    size_t at = 0;
    if (explain_changes(b->source, function, name, &at) != 1 || !source_token_is(token_at(b, at + 1), "=")
        || !(source_token_is(token_at(b, at - 1), "float") || source_token_is(token_at(b, at - 1), "double")))
        return false;
    *first = *end = at + 2;
    while (*end < function->last && !source_token_is(token_at(b, *end), ";"))
        ++*end;
    return *end < function->last;
}

static void collect(const struct bounds *b, size_t first, size_t end, unsigned depth, struct name_set *set)
{
    size_t from, to;
    for (size_t i = first; i < end; i++) {
        if (source_token_is(token_at(b, i), "[")) /* an element's value does not follow from its index */
            i = source_closing(b->source, i, end);
        if (i >= end || !is_variable(b, i) || contains(b, set, i) || set->count == NAMES_MOST)
            continue;
        set->tokens[set->count++] = i;
        if (depth < NAME_DEPTH
            && (explain_declaration(b->source, &b->view->names.function, token_at(b, i), &from, &to)
                || find_float(b, token_at(b, i), &from, &to)))
            collect(b, from, to, depth + 1, set);
    }
}

static bool is_about_index(const struct bounds *b, size_t first, size_t end)
{
    struct name_set set = {.count = 0};
    collect(b, first, end, 0, &set);
    for (unsigned i = 0; i < set.count; i++)
        if (contains(b, &b->names, set.tokens[i]))
            return true;
    return false;
}

/* ---- values ---- */

/* Does the function change the unknown name between a condition and the access? */
static bool changes_between(const struct bounds *b, unsigned number)
{
    const struct source_token *unknown = b->view->names.unknown;
    const struct guard *guard = &b->guards.list[number];
    struct source_function part = b->view->names.function;
    size_t ignored;
    if (!unknown)
        return false;
    part.first = guard->body;
    part.last = b->place ? b->place->name : guard->body;
    if (part.first < part.last && explain_changes(b->source, &part, unknown, &ignored))
        return true;
    for (unsigned i = number + 1; i < b->guards.count; i++) {
        part.first = b->guards.list[i].first;
        part.last = b->guards.list[i].loop_end;
        if (part.last && explain_changes(b->source, &part, unknown, &ignored))
            return true;
    }
    return false;
}

/* Values are known where a name is used, if only one statement can have set it, and of the one that the index was solved for. */
static bool evaluate(struct bounds *b, size_t first, size_t end, bool solved, struct expression *expression)
{
    static const struct source_token none = {.text = "", .kind = SOURCE_WORD};
    struct explain_view view = b->view->names;
    if (!solved || !b->verified || !view.unknown || view.unknown_count != 1) {
        view.unknown = &none;
        view.unknown_count = 1;
    }
    return explain_evaluate(&view, first, end, expression) && !expression->wide && expression->value >= INT32_MIN
           && expression->value <= INT32_MAX; /* what a larger one comes to depends on its type */
}

/* Is it the loop's turns that lead outside? In its first ones, with 0, the index is inside. */
static bool is_loops_fault(struct bounds *b, size_t first, size_t end)
{
    const struct explain_view *view = &b->view->names;
    const struct source_token *unknown = view->unknown;
    int64_t trial = view->trial, index = -1;
    bool named = false;
    for (size_t i = first; unknown && i < end; i++)
        named |= source_token_same(token_at(b, i), unknown);
    if (!named || !b->verified || view->unknown_count != 1)
        return false;
    bool inside = explain_flat_index(b->view, b->place, 0, &index) && index >= 0 && index < b->finding->elements;
    b->view->names.trial = trial;
    return inside;
}

static bool compare(const struct source_token *sign, int64_t a, int64_t b)
{
    if (sign->length == 1)
        return *sign->text == '<' ? a < b : a > b;
    return *sign->text == '<' ? a <= b : *sign->text == '>' ? a >= b : *sign->text == '=' ? a == b : a != b;
}

/* "sh[tid] + tid >= d", as it is written. */
static void copy_source(const struct bounds *b, size_t first, size_t end, char *text, size_t bytes)
{
    const struct source_token *from = token_at(b, first), *last = token_at(b, end - 1);
    size_t used = 0;
    for (const char *at = from->text; at < last->text + last->length && used + 1 < bytes; at++) {
        bool blank = *at == ' ' || *at == '\n' || *at == '\r' || *at == '\t';
        if (!blank || (used && text[used - 1] != ' '))
            text[used++] = blank ? ' ' : *at;
    }
    text[used] = '\0';
}

/* "Line 5 asks i < length: 1 < 2 is true.", or the next part of such a sentence. */
static void tell_condition(struct bounds *b, size_t first, const char *condition, const char *values)
{
    char text[REMARK_BYTES];
    int line = token_at(b, first)->line;
    size_t used = strlen(b->finding->remark);
    if (b->told && line == b->told_line && used && b->finding->remark[used - 1] == '.') {
        b->finding->remark[used - 1] = ';';
        snprintf(text, sizeof text, "%s%s.", condition, values);
    } else {
        snprintf(text, sizeof text, "Line %d asks %s%s.", line, condition, values);
    }
    tell(b, text);
    b->told_line = line;
    b->told++;
}

/* "length = sizeof(a)/sizeof(a[0]) = 8/4 = 2": what a condition compares with, if the function computes it. */
static void tell_bound(struct bounds *b, size_t first, size_t end)
{
    struct expression expression;
    size_t from, to;
    char text[REMARK_BYTES];
    if (end != first + 1 || contains(b, &b->names, first)
        || !explain_declaration(b->source, &b->view->names.function, token_at(b, first), &from, &to)
        || !evaluate(b, from, to, false, &expression) || !expression.names || strlen(expression.text) > 80)
        return;
    snprintf(text, sizeof text, "%.*s = %s = %lld.", token_at(b, first)->length, token_at(b, first)->text, expression.text,
             (long long)expression.value);
    tell(b, text);
    for (size_t i = from; i + 3 < to; i++)
        if (source_token_is(token_at(b, i), "sizeof") && source_token_is(token_at(b, i + 3), ")")
            && is_pointer(b, token_at(b, i + 2))) {
            snprintf(text, sizeof text, "sizeof(%.*s) is the size of the pointer, 8 bytes, whatever it points to.",
                     token_at(b, i + 2)->length, token_at(b, i + 2)->text);
            tell(b, text);
            return;
        }
}

/* `LENGTH(a)`, a macro with sizeof in it, of a pointer: is that what a condition compares with? */
static void tell_macro_of_sizes(struct bounds *b, size_t first, size_t end)
{
    char text[REMARK_BYTES];
    for (size_t i = first; i + 3 < end; i++) {
        const struct source_token *name = token_at(b, i), *argument = token_at(b, i + 2);
        bool sizes = false;
        for (size_t k = 0; k < b->source->macro_count; k++) {
            const struct source_macro *macro = &b->source->macros[k];
            const char *at = macro->name + macro->length, *end_of_line = at + strcspn(at, "\r\n");
            const char *found = strstr(at, "sizeof");
            sizes |= macro->has_parameters && macro->length == name->length
                     && strncmp(macro->name, name->text, (size_t)name->length) == 0 && found && found < end_of_line;
        }
        if (!sizes || !source_token_is(token_at(b, i + 1), "(") || !source_token_is(token_at(b, i + 3), ")")
            || !is_pointer(b, argument))
            continue;
        snprintf(text, sizeof text, "%.*s takes the size of %.*s, which is a pointer: 8 bytes, whatever it points to.",
                 name->length < 60 ? name->length : 60, name->text, argument->length < 60 ? argument->length : 60,
                 argument->text);
        tell(b, text);
        return;
    }
}

/* "Line 10 sets valid to row < M && col < N.": a condition that is a name alone. */
static void tell_named(struct bounds *b, size_t left, size_t right)
{
    size_t name = source_token_is(token_at(b, left), "!") ? left + 1 : left, from, to;
    char value[96], text[REMARK_BYTES];
    if (right != name + 1 || !explain_declaration(b->source, &b->view->names.function, token_at(b, name), &from, &to)
        || to - from > 40)
        return;
    copy_source(b, from, to, value, sizeof value);
    if (strlen(value) + 1 >= sizeof value || !strpbrk(value, "<>=!"))
        return;
    snprintf(text, sizeof text, "Line %d sets %.*s to %s.", token_at(b, from)->line,
             token_at(b, name)->length < 40 ? token_at(b, name)->length : 40, token_at(b, name)->text, value);
    tell(b, text);
}

/* " = colour + 3*(11*32 + 0)": what an argument such as `colour + 3 * (row * pitch + column)` is in the thread, where the kernel
 * calls the function. */
static void value_of_argument(const struct bounds *b, size_t first, size_t end, int line, char *text, size_t bytes)
{
    struct explain_view caller = b->view->names;
    struct expression expression;
    text[0] = '\0';
    if (end < first + 3 || token_at(b, first)->kind != SOURCE_WORD || !source_token_is(token_at(b, first + 1), "+"))
        return;
    if (!explain_kernel(caller.launch, b->source, &caller.function) || b->source->tokens[caller.function.last].line < line
        || b->source->tokens[caller.function.name].line > line)
        return;
    caller.in_kernel = true;
    caller.unknown = NULL;
    if (!explain_evaluate(&caller, first + 2, end, &expression) || caller.unknown || expression.names == 0
        || strcmp(expression.text, expression.numbers) == 0)
        return;
    snprintf(text, bytes, " = %.*s + %s", token_at(b, first)->length < 40 ? token_at(b, first)->length : 40,
             token_at(b, first)->text, expression.numbers);
}

/* "In the call in line 26, end is begin + share.": parameters of a device function that tokens [left, right) name; of an index, that
 * of its pointer, too. */
static void tell_passed(struct bounds *b, size_t left, size_t right, bool pointer)
{
    const struct source_function *function = &b->view->names.function;
    const struct finding_frame *call = &b->finding->called_from[0];
    if (b->view->names.in_kernel || b->finding->called_from_count == 0 || strcmp(call->file, b->finding->file) != 0)
        return;
    for (size_t i = 0; i + 1 < b->source->token_count; i++) {
        if (token_at(b, i)->line != call->line || !source_token_same(token_at(b, i), token_at(b, function->name))
            || !source_token_is(token_at(b, i + 1), "("))
            continue;
        size_t close = source_closing(b->source, i + 1, b->source->token_count), first = i + 2;
        for (unsigned p = 0; p < function->parameter_count && first < close; p++) {
            size_t end = first;
            int depth = 0;
            bool used = false;
            for (; end < close && (depth > 0 || !source_token_is(token_at(b, end), ",")); end++)
                depth += source_token_is(token_at(b, end), "(") - source_token_is(token_at(b, end), ")");
            for (size_t at = left; at < right && function->parameters[p]; at++)
                used |= source_token_same(token_at(b, at), token_at(b, function->parameters[p]))
                        && (pointer || !contains(b, &b->names, at));
            char value[96], numbers[EXPRESSION_BYTES + 48], text[REMARK_BYTES];
            copy_source(b, first, end, value, sizeof value);
            if (used && end > first + 1 && strlen(value) + 1 < sizeof value) {
                value_of_argument(b, first, end, call->line, numbers, sizeof numbers);
                snprintf(text, sizeof text, "In the call in line %d, %.*s is %s%s.", call->line,
                         token_at(b, function->parameters[p])->length, token_at(b, function->parameters[p])->text, value,
                         numbers);
                tell(b, text);
            }
            first = end + 1;
        }
        return;
    }
}

/* "Line 22 sets bin to (int)(data[i] / 255 * BINS).": a subscript that is one variable, whose value is not known. */
static void tell_variable(struct bounds *b)
{
    char value[96], text[REMARK_BYTES];
    if (!b->place || b->verified || b->place->offset_end > b->place->offset_first)
        return;
    for (unsigned d = 0; d < b->place->dimensions; d++) {
        size_t name = b->place->first[d], from, to;
        if (b->place->end[d] != name + 1 || token_at(b, name)->kind != SOURCE_WORD
            || !explain_declaration(b->source, &b->view->names.function, token_at(b, name), &from, &to))
            continue;
        copy_source(b, from, to, value, sizeof value);
        if (strlen(value) + 1 >= sizeof value)
            continue;
        snprintf(text, sizeof text, "Line %d sets %.*s to %s.", token_at(b, from)->line,
                 token_at(b, name)->length < 40 ? token_at(b, name)->length : 40, token_at(b, name)->text, value);
        tell(b, text);
    }
}

/* "Line 5 changes n; the launch passed 1.": a parameter that the condition names, which the function sets itself. */
static void tell_changed(struct bounds *b, size_t first, size_t end)
{
    const struct launch *launch = b->view->names.launch;
    const struct program_function *kernel = launch->request->function;
    const struct source_function *function = &b->view->names.function;
    for (unsigned i = 0; b->view->names.in_kernel && i < function->parameter_count && i < kernel->parameter_count; i++) {
        size_t change, name = function->parameters[i];
        int32_t value;
        char text[128];
        bool used = false;
        for (size_t at = first; name && at < end; at++)
            used |= source_token_same(token_at(b, at), token_at(b, name)) && !source_token_is(token_at(b, at - 1), ".");
        if (!used || kernel->parameters[i].bytes != 4 || !source_token_is(token_at(b, name - 1), "int")
            || !explain_changes(b->source, function, token_at(b, name), &change))
            continue;
        memcpy(&value, launch->parameters + kernel->parameters[i].offset, sizeof value);
        snprintf(text, sizeof text, "Line %d changes %.*s; the launch passed %d.", token_at(b, change)->line,
                 token_at(b, name)->length < 40 ? token_at(b, name)->length : 40, token_at(b, name)->text, (int)value);
        tell(b, text);
        b->changed = true;
        return;
    }
}

/* The part of a condition that does not name the index: where that is below 0, it may be the part that should have kept the
 * thread away. */
static void tell_other(struct bounds *b, const struct guard *guard, size_t left, size_t sign, size_t right)
{
    struct expression from, to;
    char condition[128], values[160];
    bool negative = b->finding->index < 0 || strstr(b->finding->arithmetic, " as an unsigned value");
    if (!negative || !sign || b->told == TOLD_MOST || (guard->kind != GUARD_IF && guard->kind != GUARD_LEFT)
        || !evaluate(b, left, sign, false, &from) || !evaluate(b, sign + 1, right, false, &to)
        || compare(token_at(b, sign), from.value, to.value) != guard->holds)
        return;
    copy_source(b, left, right, condition, sizeof condition);
    snprintf(values, sizeof values, ": %lld %.*s %lld is %s", (long long)from.value, token_at(b, sign)->length,
             token_at(b, sign)->text, (long long)to.value, guard->holds ? "true" : "false");
    if (strlen(condition) <= 90 && from.names + to.names > 0)
        tell_condition(b, left, condition, values);
}

/* Is a whole condition, such as a || b, known, and is there more to it than a name? */
static bool is_known(struct bounds *b, size_t left, size_t right, bool solved, struct expression *whole)
{
    return evaluate(b, left, right, solved, whole) && !whole->is_name && strpbrk(whole->text, "<>=|&!")
           && strlen(whole->numbers) < 80;
}

/* Does a comparison with a length let only indices pass that are beyond the array's end: `i >= n`, or `i < n` before a return?
 *   from, to   its sides, which compare as `passed` says for this thread */
static bool is_inverted(const struct bounds *b, size_t left, size_t sign, size_t right, bool passed,
                        const struct expression *from, const struct expression *to)
{
    const char *text = token_at(b, sign)->text;
    bool equal = token_at(b, sign)->length == 2, index_left = b->finding->index == from->value && from->is_name;
    const struct expression *limit = index_left ? to : from;
    size_t at = index_left ? sign + 1 : left, end = index_left ? right : sign;
    bool above = (*text == '>') == index_left;
    if (!b->verified || (!index_left && !(b->finding->index == to->value && to->is_name)))
        return false;
    if (!passed) { /* the opposite holds */
        above = !above;
        equal = !equal;
    }
    bool given = false;
    for (; at < end; at++)
        given |= is_parameter(b, token_at(b, at));
    return given && above && limit->value >= b->finding->elements - !equal;
}

/* The same of `!(i < n)`, with the brackets. */
static bool is_negated_inverted(struct bounds *b, size_t left, size_t right, bool solved, bool passed)
{
    size_t at = left + 2, from_at, sign, to_end;
    struct expression from, to;
    if (right < left + 4 || !source_token_is(token_at(b, left), "!") || !source_token_is(token_at(b, left + 1), "(")
        || source_closing(b->source, left + 1, right) != right - 1
        || !guards_comparison(b->source, &at, right - 1, true, &from_at, &sign, &to_end) || !sign || to_end != right - 1)
        return false;
    return evaluate(b, from_at, sign, solved, &from) && evaluate(b, sign + 1, to_end, solved, &to)
           && is_inverted(b, from_at, sign, to_end, !passed, &from, &to);
}

/* Is one of the names an `unsigned int`, and none of a type with more bits? Then the others are converted to it. */
static bool has_unsigned(const struct bounds *b, size_t first, size_t end)
{
    static const char *const unsigned_types[] = {"unsigned", "uint", "uint32_t"}, *const wider[] = {"long",      "size_t",
                                                                                                    "int64_t",   "uint64_t",
                                                                                                    "ptrdiff_t", "float",
                                                                                                    "double",    "short",
                                                                                                    "char",      "auto"};
    bool found = false;
    for (size_t i = first; i < end; i++) {
        size_t from, to;
        if (SOURCE_IS_ANY(token_at(b, i), wider))
            return false;
        if (token_at(b, i)->kind != SOURCE_WORD || source_token_is(token_at(b, i) - 1, ".")
            || !explain_declaration(b->source, &b->view->names.function, token_at(b, i), &from, &to) || from < 3)
            continue;
        for (size_t at = from - 3; at >= b->view->names.function.first && token_at(b, at)->kind == SOURCE_WORD; at--) {
            if (SOURCE_IS_ANY(token_at(b, at), wider))
                return false;
            found |= SOURCE_IS_ANY(token_at(b, at), unsigned_types);
        }
    }
    return found;
}

/* "n - i > 0: 1 - 2 is 4294967295 as an unsigned value, and 4294967295 > 0 is true": a difference below 0 that the comparison
 * never sees as one. Returns false where that is not how it holds. */
static bool is_wrapped(const struct bounds *b, size_t left, size_t sign, size_t right, bool holds,
                       const struct expression *from, const struct expression *to, char *values, size_t bytes)
{
    bool below = from->value < 0;
    const struct expression *side = below ? from : to;
    uint32_t x = (uint32_t)from->value, y = (uint32_t)to->value;
    bool fits = from->value >= INT32_MIN && from->value <= UINT32_MAX && to->value >= INT32_MIN && to->value <= UINT32_MAX;
    if (!fits || below == (to->value < 0) || !strstr(side->text, " - ") || strlen(side->numbers) > 40
        || !has_unsigned(b, below ? left : sign + 1, below ? sign : right) || compare(token_at(b, sign), x, y) != holds)
        return false;
    snprintf(values, bytes, ": %s is %u as an unsigned value, and %u %.*s %u is %s", side->numbers, below ? x : y, x,
             token_at(b, sign)->length, token_at(b, sign)->text, y, holds ? "true" : "false");
    return true;
}

/* Does the function add to a name among tokens [left, right) that the index is made of? */
static bool is_counted_up(const struct bounds *b, size_t left, size_t right)
{
    const struct source_function *function = &b->view->names.function;
    for (size_t at = left; at < right; at++) {
        if (!contains(b, &b->names, at))
            continue;
        for (size_t i = function->first; i < function->last; i++)
            if (source_token_same(token_at(b, i), token_at(b, at))
                && (source_token_is(token_at(b, i + 1), "+=") || source_token_is(token_at(b, i + 1), "++")
                    || source_token_is(token_at(b, i - 1), "++")))
                return true;
    }
    return false;
}

/* A loop that counts up as long as two numbers differ. */
static void tell_unequal(struct bounds *b, size_t left, size_t right)
{
    char condition[96], text[REMARK_BYTES];
    copy_source(b, left, right, condition, sizeof condition);
    snprintf(
        text, sizeof text,
        "The loop in line %d goes on as long as %s: an index that begins beyond the end, or jumps over it, does not stop "
        "there.",
        token_at(b, left)->line, condition);
    if (!b->unequal && strlen(condition) + 1 < sizeof condition)
        tell(b, text);
    b->unequal = true;
}

static void judge_comparison(struct bounds *b, unsigned number, size_t left, size_t sign, size_t right)
{
    const struct guard *guard = &b->guards.list[number];
    struct expression from, to;
    char condition[128], values[128] = "";
    if (right - left > 40 || (guard->kind == GUARD_LOOP && !is_loops_fault(b, left, right)))
        return;
    if (!is_about_index(b, left, right)) {
        tell_other(b, guard, left, sign, right);
        return;
    }
    if (sign && (source_token_is(token_at(b, sign), "==") || source_token_is(token_at(b, sign), "!="))) {
        if (guard->kind == GUARD_LOOP && guard->holds && source_token_is(token_at(b, sign), "!=")
            && is_counted_up(b, left, right))
            tell_unequal(b, left, right);
        return; /* no limit */
    }
    bool solved = !changes_between(b, number);
    bool known = sign && evaluate(b, left, sign, solved, &from) && evaluate(b, sign + 1, right, solved, &to);
    bool result = known && compare(token_at(b, sign), from.value, to.value);
    copy_source(b, left, right, condition, sizeof condition);
    bool whole = !sign && guard->kind != GUARD_EAGER && is_known(b, left, right, solved, &from);
    if (whole) {
        known = true;
        result = from.value != 0;
        snprintf(values, sizeof values, ": %s is %s", from.numbers, result ? "true" : "false");
    } else if (known) {
        snprintf(values, sizeof values, ": %lld %.*s %lld is %s", (long long)from.value, token_at(b, sign)->length,
                 token_at(b, sign)->text, (long long)to.value, result ? "true" : "false");
    }
    if (guard->kind == GUARD_EAGER) {
        if (!known || result == guard->holds || b->asks_eagerly)
            return;
        char text[REMARK_BYTES];
        snprintf(text, sizeof text, "Line %d does ask %s%s. But %s evaluates both sides.", token_at(b, left)->line,
                 condition, values, guard->holds ? "&" : "|");
        tell(b, text);
        b->asks_eagerly = true;
        return;
    }
    if (guard->kind == GUARD_AFTER || guard->kind == GUARD_EMPTY) {
        char text[256];
        snprintf(text, sizeof text,
                 guard->kind == GUARD_AFTER ? "Line %d asks %s only after it."
                                            : "The if in line %d asks %s, and ends at the ; behind it.",
                 token_at(b, left)->line, condition);
        tell(b, text);
        b->after |= guard->kind == GUARD_AFTER;
        b->empty |= guard->kind == GUARD_EMPTY;
        return;
    }
    bool wrapped = known && !whole && result != guard->holds
                   && is_wrapped(b, left, sign, right, guard->holds, &from, &to, values, sizeof values);
    if (known && result != guard->holds && !wrapped) { /* not what this thread found */
        b->understood = false;
        return;
    }
    b->asked = true;
    b->wrapped |= wrapped;
    b->inverted |= whole               ? is_negated_inverted(b, left, right, solved, result)
                   : known && !wrapped ? is_inverted(b, left, sign, right, result, &from, &to)
                                       : false;
    b->only_loops &= guard->kind == GUARD_LOOP;
    if (b->told == TOLD_MOST || strlen(condition) > 90)
        return;
    tell_condition(b, left, condition, known ? values : " before it");
    if (known && !whole && !wrapped)
        tell_bound(b, sign + 1, right);
    else if (!known)
        tell_changed(b, left, right);
    if (!known) {
        tell_macro_of_sizes(b, left, right + 1);
        tell_named(b, left, right);
        tell_passed(b, left, right, false);
    }
}

/* The conditions before the access, from the inside to the outside. A loop's end matters where nothing else is asked. */
static void judge_guards(struct bounds *b)
{
    b->only_loops = true;
    for (int loops = 0; loops < 2 && !(loops && (b->asked || b->asks_eagerly)); loops++)
        for (unsigned i = b->guards.count; i-- > 0;) {
            const struct guard *guard = &b->guards.list[i];
            size_t at = guard->first, left, sign, right;
            if (guard->kind == GUARD_NOTHING || (guard->kind == GUARD_LOOP) != loops)
                continue;
            while (guards_comparison(b->source, &at, guard->end, guard->holds, &left, &sign, &right))
                judge_comparison(b, i, left, sign, right);
        }
}

/* ---- the place ---- */

/* Which of the line's expressions it is, if only one can be. */
static void find_place(struct bounds *b, const struct explain_candidate *chosen)
{
    unsigned named = 0;
    b->place = chosen;
    b->verified = chosen != NULL;
    for (unsigned i = 0; i < b->view->count; i++) {
        named += b->view->list[i].named;
        if (!chosen && b->view->list[i].named)
            b->place = &b->view->list[i];
    }
    if (!chosen && named > 1)
        b->place = NULL;
    if (!chosen && named == 0 && b->view->count == 1)
        b->place = &b->view->list[0]; /* under another name */
    for (unsigned d = 0; b->place && d < b->place->dimensions; d++)
        collect(b, b->place->first[d], b->place->end[d], 0, &b->names);
    if (b->place)
        collect(b, b->place->offset_first, b->place->offset_end, 0, &b->names);
    if (b->place)
        collect(b, b->place->name, b->place->name + 1, 0, &b->names); /* a pointer may begin inside the array */
}

/* Does the index change with the number of the block? */
static bool depends_on_block(struct bounds *b)
{
    uint32_t moved[3];
    const uint32_t *block = b->view->names.block;
    int64_t here, there;
    if (!b->verified || !block)
        return false;
    memcpy(moved, block, sizeof moved);
    moved[0]++;
    bool known = explain_flat_index(b->view, b->place, b->view->names.trial, &here);
    b->view->names.block = moved;
    known = known && explain_flat_index(b->view, b->place, b->view->names.trial, &there);
    b->view->names.block = block;
    return known && here != there;
}

/* Is the array's length one of the kernel's numbers, or a product of two? Of a kernel without numbers, who knows. */
static bool is_length_given(const struct bounds *b)
{
    const struct launch *launch = b->view->names.launch;
    const struct program_function *kernel = launch->request->function;
    int64_t values[16];
    unsigned count = 0, numbers = 0;
    for (unsigned i = 0; i < kernel->parameter_count && count < 16; i++) {
        numbers += kernel->parameters[i].bytes == 4;
        int32_t value = 0;
        int64_t wide = 0;
        if (kernel->parameters[i].bytes == 4)
            memcpy(&value, launch->parameters + kernel->parameters[i].offset, 4);
        else if (kernel->parameters[i].bytes == 8)
            memcpy(&wide, launch->parameters + kernel->parameters[i].offset, 8);
        else
            continue;
        values[count++] = kernel->parameters[i].bytes == 4 ? value : wide;
    }
    for (unsigned i = 0; i < count; i++)
        for (unsigned k = 0; k < count; k++)
            if (values[i] == b->finding->elements
                || ((uint64_t)values[i] < (uint64_t)1 << 31 && (uint64_t)values[k] < (uint64_t)1 << 31
                    && values[i] * values[k] == b->finding->elements))
                return true;
    return numbers == 0;
}

/* ---- what else the source shows ---- */

/* "sA is declared in line 17 with TILE^2 = 18 elements.": where an array's extent is computed. Returns whether ^ computes
 * it. */
static bool tell_declaration(struct bounds *b)
{
    char text[REMARK_BYTES], extent[96];
    size_t name = explain_array_declaration(b->view->names.launch, b->source, b->finding->array);
    size_t close = name ? source_closing(b->source, name + 1, b->source->token_count) : 0;
    bool power = false;
    if (!name || close <= name + 2 || close >= b->source->token_count || !b->finding->in_shared
        || source_token_is(token_at(b, close + 1), "["))
        return false;
    int64_t value;
    for (size_t i = name + 2; i < close; i++)
        power |= source_token_is(token_at(b, i), "^");
    if ((close == name + 3 && token_at(b, name + 2)->kind == SOURCE_NUMBER)
        || !explain_constant(b->view->names.launch, b->source, name + 2, close, &value) || value != b->finding->elements)
        return false;
    copy_source(b, name + 2, close, extent, sizeof extent);
    snprintf(text, sizeof text, "%s is declared in line %d with %s = %lld elements%s.", b->finding->array,
             token_at(b, name)->line, extent, (long long)value, power ? ": ^ is exclusive or, not a power" : "");
    tell(b, text);
    return power;
}

/* An index below 0 that is one variable of a small signed type: what does not fit has become negative. */
static bool tell_narrow(struct bounds *b)
{
    const struct source_function *function = &b->view->names.function;
    const struct source_token *name = b->place ? token_at(b, b->place->first[0]) : NULL;
    struct expression_type type = {0};
    char text[REMARK_BYTES];
    if (!name || b->finding->index >= 0 || b->place->dimensions != 1 || b->place->end[0] != b->place->first[0] + 1
        || name->kind != SOURCE_WORD)
        return false;
    for (size_t at = function->first + 1; at < b->place->first[0]; at++) {
        size_t first = at;
        if (!source_token_same(token_at(b, at), name) || !source_token_is(token_at(b, at + 1), "="))
            continue;
        while (first > function->first && token_at(b, first - 1)->kind == SOURCE_WORD)
            first--;
        for (size_t i = at + 2; i < function->last && !source_token_is(token_at(b, i), ";"); i++)
            if (source_token_is(token_at(b, i), "-") || source_token_is(token_at(b, i), "~"))
                return false; /* it may be negative before it is stored */
        if (first == at || expression_read_type(b->source, first, at, &type) != at - first || type.is_unsigned
            || (type.bits != 8 && type.bits != 16) || b->finding->index < -(INT64_C(1) << (type.bits - 1)))
            return false;
        snprintf(
            text, sizeof text,
            "%.*s is declared in line %d with %u bits and holds -%d to %d: a number above that does not fit, and can become a negative one.",
            name->length, name->text, token_at(b, at)->line, type.bits, 1 << (type.bits - 1), (1 << (type.bits - 1)) - 1);
        tell(b, text);
        return true;
    }
    return false;
}

/* "x is set in lines 37 and 38.": the names in tokens [first, end) that the function gives a value more than once, before `use`. */
static void tell_set_again(struct bounds *b, size_t first, size_t end, size_t use)
{
    enum { LINES_MOST = 4 };
    const struct source_function *function = &b->view->names.function;
    for (size_t i = first; i < end; i++) {
        const struct source_token *name = token_at(b, i);
        int lines[LINES_MOST], count = 0;
        char text[160];
        if (name->kind != SOURCE_WORD || is_parameter(b, name) || source_token_is(token_at(b, i - 1), "."))
            continue;
        for (size_t k = function->first; k < use && count <= LINES_MOST; k++) {
            bool sets = source_token_same(token_at(b, k), name) && source_token_is(token_at(b, k + 1), "=")
                        && !source_token_is(token_at(b, k - 1), ".") && !token_at(b, k)->defined;
            if (!sets || (count > 0 && lines[count - 1] == token_at(b, k)->line))
                continue;
            if (count < LINES_MOST)
                lines[count] = token_at(b, k)->line;
            count++;
        }
        if (count < 2 || count > LINES_MOST)
            continue;
        snprintf(text, sizeof text, "%.*s is set in line", name->length < 40 ? name->length : 40, name->text);
        for (int k = 0; k < count; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d",
                     k == 0           ? "s "
                     : k + 1 == count ? " and "
                                      : ", ",
                     lines[k]);
        explain_append(text, sizeof text, ".");
        tell(b, text);
    }
}

/* A pointer that the function sets again, or that begins inside the array. */
static bool tell_pointer(struct bounds *b)
{
    const struct source_token *name = b->place ? token_at(b, b->place->name) : NULL;
    char text[REMARK_BYTES], start[96];
    size_t first, end, change;
    if (!name || b->finding->in_shared)
        return false;
    if (explain_pointer(b->source, &b->view->names.function, name, &first, &end)) {
        if (b->verified || end == first + 1)
            return false;
        copy_source(b, first, end, start, sizeof start);
        snprintf(text, sizeof text, "%.*s is %s (line %d): its index counts from there.", name->length, name->text, start,
                 token_at(b, first)->line);
        if (end - first > 1) {
            tell(b, text);
            tell_set_again(b, first, end, first);
            tell_set_again(b, b->place->first[0], b->place->end[0], b->place->name);
        }
        return false;
    }
    unsigned changes = explain_changes(b->source, &b->view->names.function, name, &change);
    struct source_function rest = b->view->names.function;
    if (changes > 1 && source_token_is(token_at(b, change + 1), "=") && !is_parameter(b, name)) {
        rest.first = change + 1; /* its declaration does not move it */
        changes = explain_changes(b->source, &rest, name, &change);
    }
    /* A subscript that is read from memory fits whatever the index was. */
    bool known = b->verified;
    for (unsigned d = 0; d < b->place->dimensions; d++)
        for (size_t i = b->place->first[d]; i < b->place->end[d]; i++)
            known &= !source_token_is(token_at(b, i), "[");
    bool steps = changes == 1 && source_token_is(token_at(b, change + 1), "+=") && change < b->place->name;
    if (!changes || known || (b->verified && !steps))
        return false;
    snprintf(text, sizeof text, "Line %d moves %.*s: an index counts from where it points then.", token_at(b, change)->line,
             name->length, name->text);
    tell(b, text);
    return true;
}

/* The only product among the terms of a sum [first, end), as its two sides around the *. Returns false with other signs. */
static bool find_product(const struct bounds *b, size_t first, size_t end, size_t *left, size_t *sign, size_t *right)
{
    size_t start = first;
    *left = first;
    *sign = 0;
    *right = end;
    for (size_t i = first; i < end; i++) {
        const struct source_token *token = token_at(b, i);
        if (source_token_is(token, "(") || source_token_is(token, "[")) {
            i = source_closing(b->source, i, end);
        } else if (source_token_is(token, "+")) {
            start = i + 1;
            *right = *sign && *right == end ? i : *right;
        } else if (source_token_is(token, "*")) {
            if (*sign)
                return false;
            *sign = i;
            *left = start;
        } else if (token->kind == SOURCE_SIGN) {
            return false;
        }
    }
    return *sign && *left < *sign && *sign + 1 < *right;
}

/* r*K + c in a matrix: which row and column are meant, or a row length that the matrix does not have. */
static bool tell_cell(struct bounds *b)
{
    int64_t columns = b->finding->columns, index;
    size_t left, sign, right;
    struct expression length, number;
    if (!b->verified || columns <= 0 || b->place->dimensions != 1 || b->place->offset_end > b->place->offset_first
        || !explain_flat_index(b->view, b->place, b->view->names.trial, &index)
        || !find_product(b, b->place->first[0], b->place->end[0], &left, &sign, &right))
        return false;
    /* One of its sides is a parameter, the row's length; the other is the row. */
    bool on_right = right == sign + 2 && is_parameter(b, token_at(b, sign + 1));
    bool on_left = sign == left + 1 && is_parameter(b, token_at(b, left));
    size_t first = on_right ? left : sign + 1, end = on_right ? sign : right;
    if (on_right == on_left || !evaluate(b, first, end, true, &number)
        || !evaluate(b, on_right ? sign + 1 : left, on_right ? right : sign, true, &length))
        return false;
    if (length.value != columns) {
        char text[REMARK_BYTES], what[64];
        copy_source(b, first, end, what, sizeof what);
        snprintf(text, sizeof text, "%s is multiplied by %s = %lld, but a row of %s has %lld element%s.", what, length.text,
                 (long long)length.value, b->finding->array, (long long)columns, columns == 1 ? "" : "s");
        tell(b, text);
        return true;
    }
    b->finding->cell[0] = number.value;
    b->finding->cell[1] = index - number.value * columns;
    b->finding->has_cell = index == b->finding->index;
    return false;
}

/* The same of a char that the index is made of: it is negative in this thread, and was given no difference. */
static bool tell_negative_byte(struct bounds *b, size_t name)
{
    static const char *const words[] = {"char", "int8_t", "short", "int16_t"};
    const struct source_function *function = &b->view->names.function;
    struct expression value;
    size_t first, end;
    char text[REMARK_BYTES];
    if (!is_variable(b, name) || !explain_declaration(b->source, function, token_at(b, name), &first, &end)
        || !evaluate(b, name, name + 1, false, &value) || value.value >= 0)
        return false;
    const struct source_token *type = token_at(b, first) - 3; /* type name = */
    if (!SOURCE_IS_ANY(type, words) || source_token_is(type - 1, "unsigned")
        || !source_token_same(type + 1, token_at(b, name)))
        return false;
    for (size_t i = first; i < end; i++)
        if (source_token_is(token_at(b, i), "-") || source_token_is(token_at(b, i), "~"))
            return false;
    bool is_byte = source_token_is(type, words[0]) || source_token_is(type, words[1]);
    snprintf(text, sizeof text, "%.*s is %s %.*s (line %d), which holds no number above %d.", type[1].length, type[1].text,
             type->text[0] == 'i' ? "an" : "a", type->length, type->text, type->line, is_byte ? INT8_MAX : INT16_MAX);
    tell(b, text);
    return true;
}

/* "i is a short (line 3), which holds no number above 32767.": the index is below 0, and a name in it has such a type. */
static bool tell_short(struct bounds *b)
{
    static const char *const words[] = {"short", "int16_t"}, *const bytes[] = {"char", "int8_t"};
    const struct source_function *function = &b->view->names.function;
    const struct explain_candidate *place = b->place ? b->place : b->view->count ? &b->view->list[0] : NULL;
    char text[REMARK_BYTES];
    if (!place || !place->named || b->finding->index >= 0)
        return false;
    for (unsigned i = 0; i < b->names.count; i++)
        if (tell_negative_byte(b, b->names.tokens[i]))
            return true;
    for (size_t i = place->first[0]; i < place->end[0]; i++)
        for (size_t k = function->first + 1; is_variable(b, i) && k < function->last; k++) {
            const struct source_token *type = token_at(b, k - 1);
            bool is_short = SOURCE_IS_ANY(type, words), is_char = SOURCE_IS_ANY(type, bytes);
            int64_t far = is_short ? INT16_MIN / 4 : INT8_MIN / 4; /* nearer to 0, something may have been subtracted */
            if (!source_token_same(token_at(b, k), token_at(b, i)) || (!is_short && !is_char)
                || source_token_is(type - 1, "unsigned") || b->finding->index > far)
                continue;
            snprintf(text, sizeof text, "%.*s is %s %.*s (line %d), which holds no number above %d.", token_at(b, i)->length,
                     token_at(b, i)->text, type->text[0] == 'i' ? "an" : "a", type->length, type->text, type->line,
                     is_short ? INT16_MAX : INT8_MAX);
            tell(b, text);
            return true;
        }
    return false;
}

/* ---- another branch ---- */

/* Does a part of the condition come out otherwise than the place needs? */
static bool contradicts(struct bounds *b, const struct guard *guard)
{
    size_t at = guard->first, left, sign, right;
    struct expression from, to;
    while (guards_comparison(b->source, &at, guard->end, guard->holds, &left, &sign, &right))
        if (sign && evaluate(b, left, sign, false, &from) && evaluate(b, sign + 1, right, false, &to)
            && compare(token_at(b, sign), from.value, to.value) != guard->holds)
            return true;
    return false;
}

bool explain_is_elsewhere(struct explain_access *view, const struct explain_candidate *place, struct guard *decides)
{
    struct bounds b = {.view = view, .source = view->names.source};
    if (!view->names.function.last || !guards_read(b.source, &view->names.function, place->name, &b.guards))
        return false;
    for (unsigned i = 0; i < b.guards.count; i++) {
        *decides = b.guards.list[i];
        if ((decides->kind == GUARD_IF || decides->kind == GUARD_LEFT) && contradicts(&b, decides))
            return true;
    }
    return false;
}

/* ---- which mistake ---- */

/* The name before the brackets, if all expressions of the line that it can be have the same one. */
static size_t find_pointer_name(const struct bounds *b)
{
    size_t name = b->view->count > 0 ? b->view->list[0].name : 0;
    for (unsigned i = 1; i < b->view->count; i++)
        if (!source_token_same(token_at(b, b->view->list[i].name), token_at(b, name)))
            return 0;
    return name;
}

void explain_bounds(struct explain_access *view, const struct explain_candidate *chosen, struct finding *finding)
{
    struct bounds b = {.view = view, .source = view->names.source, .finding = finding};
    char threads[128];
    bool power = false, moved = false, length = false, narrow = false;
    explain_threads(view, finding, threads, sizeof threads);
    if (b.source && view->names.function.last) {
        find_place(&b, chosen);
        if (b.place) {
            b.understood = guards_read(b.source, &view->names.function, b.place->name, &b.guards);
            judge_guards(&b);
        }
        length = tell_cell(&b);
        power = finding->index >= 0 && tell_declaration(&b);
        moved = tell_pointer(&b);
        size_t pointer = find_pointer_name(&b);
        if (pointer > 0 && !finding->in_shared)
            tell_passed(&b, pointer, pointer + 1, true);
        narrow = tell_narrow(&b);
        if (!narrow && *finding->arithmetic == '\0')
            tell_variable(&b);
    }
    bool block = !finding->in_shared && !b.asked && depends_on_block(&b) && !is_length_given(&b)
                 && view->names.launch->request->grid[0] > 1;
    const char *pattern = finding->pattern;
    if (block)
        tell(&b, "The index contains the block's number, but all blocks share these elements.");
    else if (!b.unequal)
        tell(&b, threads);
    bool wrapped = strstr(finding->arithmetic, ", which does not fit in ") != NULL;
    narrow |= !narrow && !wrapped && b.source && view->names.function.last && tell_short(&b);
    bool negative = finding->index < 0 || strstr(finding->arithmetic, " as an unsigned value") != NULL;
    if (!pattern)
        pattern = finding->elements == 0 && finding->in_shared ? "no_bytes"
                  : b.asks_eagerly                             ? "eager"
                  : narrow                                     ? "narrow_index"
                  : wrapped                                    ? "overflow"
                  : power                                      ? "power"
                  : length                                     ? "row_length"
                  : moved                                      ? "moved"
                  : negative                                   ? "negative"
                  : b.inverted                                 ? "inverted"
                  : b.asked && b.only_loops && b.understood    ? "loop"
                  : !b.asked && b.unequal                      ? "differs"
                  : *threads && finding->in_shared             ? "cell"
                  : finding->in_shared                         ? "shared"
                  : b.wrapped                                  ? "unsigned"
                  : b.asked && b.changed                       ? "changed"
                  : b.asked                                    ? "guarded"
                  : b.empty                                    ? "empty"
                  : b.after                                    ? "after"
                  : block                                      ? "blocks"
                  : *threads && b.understood                   ? "guard"
                                                               : NULL;
    finding->pattern = pattern;
}
