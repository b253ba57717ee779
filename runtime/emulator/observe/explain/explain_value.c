/* Values of the names in a source, for one thread of a launch. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/program.h"
#include "runtime/emulator/observe/explain/explain.h"
#include "runtime/language/demangle.h"

enum { MOST_DEPTH = 8 };

/* ---- what is built in ---- */

/* threadIdx . x */
static size_t built_in(const struct explain_view *view, size_t at, size_t end, int64_t *value)
{
    const struct source_token *token = &view->source->tokens[at];
    const uint32_t *const triples[] = {view->thread, view->block, view->launch->request->block, view->launch->request->grid};
    static const char *const names[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};
    if (source_token_is(token, "warpSize")) {
        *value = WARP_LANES;
        return 1;
    }
    for (size_t i = 0; i < 4; i++) {
        if (!source_token_is(token, names[i]) || at + 2 >= end || !source_token_is(token + 1, ".") || token[2].length != 1
            || *token[2].text < 'x' || *token[2].text > 'z')
            continue;
        *value = triples[i][*token[2].text - 'x'];
        return 3;
    }
    return 0;
}

/* ---- what the function declares ---- */

/* Does the function change the name at token `at`? */
static bool is_changed(const struct source *source, size_t at)
{
    static const char *const changes[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    static const char *const steps[] = {"++", "--"};
    const struct source_token *token = &source->tokens[at];
    if (SOURCE_IS_ANY(token + 1, changes) || SOURCE_IS_ANY(token - 1, steps))
        return true;
    return source_token_is(token - 1, "&") && !source_ends_operand(source, at - 2) /* its address is taken … */
           && !source_token_is(token + 1, "[");                                    /* … and not that of an element */
}

unsigned explain_changes(const struct source *source, const struct source_function *function,
                         const struct source_token *name, size_t *first)
{
    unsigned count = 0;
    for (size_t i = function->first; i < function->last; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->kind != SOURCE_WORD || !source_token_same(token, name) || source_token_is(token - 1, ".")
            || source_token_is(token - 1, "->") || !is_changed(source, i))
            continue;
        if (!count++)
            *first = i;
    }
    return count;
}

/* The word of a type before the name at token `at`, across other names that are declared with it; 0 when it is only
 * assigned. */
static size_t declared_type(const struct source *source, const struct source_function *function, size_t at)
{
    if (!source_token_is(&source->tokens[at - 1], ","))
        return at - 1;
    size_t start = at - 1;
    int depth = 0;
    for (; start >= function->first; start--) {
        const struct source_token *token = &source->tokens[start];
        depth += source_token_is(token, ")") || source_token_is(token, "]") || source_token_is(token, "}");
        depth -= source_token_is(token, "(") || source_token_is(token, "[") || source_token_is(token, "{");
        if (depth < 0 || (depth == 0 && source_token_is(token, ";")) || (depth > 0 && source_token_is(token, "}")))
            break;
    }
    /* `int a = 1, b = 2`: a word of the type, then a name. */
    bool declares = source->tokens[start + 1].kind == SOURCE_WORD && source->tokens[start + 2].kind == SOURCE_WORD;
    return declares ? start + 1 : 0;
}

/* The end of an initial value that begins at `first`. */
static bool find_end(const struct source *source, const struct source_function *function, size_t first, size_t *end)
{
    int depth = 0;
    for (*end = first; *end < function->last; ++*end) {
        const struct source_token *token = &source->tokens[*end];
        if (depth == 0 && (source_token_is(token, ";") || source_token_is(token, ",")))
            return *end > first;
        depth += source_token_is(token, "(") || source_token_is(token, "[") || source_token_is(token, "{");
        depth -= source_token_is(token, ")") || source_token_is(token, "]") || source_token_is(token, "}");
    }
    return false;
}

/* Is the name at token `at` declared there, with a value of a whole number's type? */
static bool is_declared(const struct source *source, const struct source_function *function, size_t at)
{
    static const char *const no_types[] = {"return", "float", "double", "else", "do", "case"};
    size_t type = source_token_is(&source->tokens[at + 1], "=") ? declared_type(source, function, at) : 0;
    return type && source->tokens[type].kind == SOURCE_WORD && !SOURCE_IS_ANY(&source->tokens[type], no_types);
}

/* Of a name that the function sets several times, the statement that every way to token `use` has come by last: *at. It lies in
 * the same block as the use or in one around it, and no loop between them sets the name again behind the use. */
static bool find_latest(const struct source *source, const struct source_function *function, size_t use, size_t *at)
{
    static const char *const loops[] = {"for", "while", "do"};
    const struct source_token *tokens = source->tokens;
    size_t end;
    bool declared = false, later = false;
    for (size_t i = function->first; i < function->last; i++) {
        if (tokens[i].kind != SOURCE_WORD || !source_token_same(&tokens[i], &tokens[use]) || i == use
            || source_token_is(&tokens[i - 1], ".") || source_token_is(&tokens[i - 1], "->") || !is_changed(source, i))
            continue;
        if (source_token_is(&tokens[i - 1], "&"))
            return false; /* who has its address may set it anywhere */
        if (!declared && !is_declared(source, function, i))
            return false;
        declared = true;
        if (!find_end(source, function, i + 2, &end))
            return false;
        if (end < use)
            *at = i;
        else
            later = true; /* also where the use is in the value that is set: k = 3 * k + 1 */
    }
    if (!declared || *at == 0 || !source_token_is(&tokens[*at + 1], "="))
        return false;
    bool statement = source_token_is(&tokens[*at - 1], ";") || source_token_is(&tokens[*at - 1], "{")
                     || source_token_is(&tokens[*at - 1], "}");
    if (!statement && !is_declared(source, function, *at))
        return false;
    int round = 0, depth = 0;
    for (size_t i = function->first; i < *at; i++)
        round += source_token_is(&tokens[i], "(") - source_token_is(&tokens[i], ")");
    for (size_t i = *at; i < use && depth >= 0; i++) {
        depth += source_token_is(&tokens[i], "{") - source_token_is(&tokens[i], "}");
        if (later && SOURCE_IS_ANY(&tokens[i], loops))
            return false;
    }
    return round == 0 && depth >= 0;
}

bool explain_declaration(const struct source *source, const struct source_function *function,
                         const struct source_token *name, size_t *first, size_t *end)
{
    size_t at = 0, use = (size_t)(name - source->tokens);
    unsigned changes = explain_changes(source, function, name, &at);
    if (changes > 1) {
        at = 0;
        if (use < function->first || use >= function->last || !find_latest(source, function, use, &at))
            return false;
    } else if (changes == 0 || !is_declared(source, function, at)) {
        return false;
    }
    *first = at + 2;
    return find_end(source, function, *first, end);
}

bool explain_pointer(const struct source *source, const struct source_function *function, const struct source_token *name,
                     size_t *first, size_t *end)
{
    static const char *const stars[] = {"*", "__restrict__", "const"};
    size_t at = 0;
    if (explain_changes(source, function, name, &at) != 1 || !source_token_is(&source->tokens[at + 1], "=")
        || !SOURCE_IS_ANY(&source->tokens[at - 1], stars))
        return false;
    const struct source_token *before = &source->tokens[at - 2]; /* `*x = 1` stores through it */
    if (source_token_is(&source->tokens[at - 1], "*") && before->kind != SOURCE_WORD && !source_token_is(before, ","))
        return false;
    *first = at + 2;
    return find_end(source, function, *first, end);
}

/* The first token of the statement that sets the name at token `at`. */
static size_t statement_start(const struct source *source, size_t at)
{
    while (at > 0 && !source_token_is(&source->tokens[at - 1], ";") && !source_token_is(&source->tokens[at - 1], "{")
           && !source_token_is(&source->tokens[at - 1], "}") && !source_token_is(&source->tokens[at - 1], "("))
        at--;
    return at;
}

bool explain_narrow(const struct source *source, size_t first, int64_t *value, const char **type)
{
    struct expression_type known;
    size_t name = first - 2, start = statement_start(source, name);
    for (size_t i = name; start == name && i-- > 0;) /* it is only set here: its declaration has the type */
        if (source_token_same(&source->tokens[i], &source->tokens[first - 2]) && source_token_is(&source->tokens[i + 1], "=")
            && statement_start(source, i) < i) {
            name = i;
            start = statement_start(source, i);
        }
    *type = NULL;
    for (size_t i = start; i < name; i++)
        if (source_token_is(&source->tokens[i], "auto"))
            return true;
    if (!expression_read_type(source, start, name, &known))
        return false;
    if (known.is_unsigned)
        *type = known.bits == 16 ? "16 bits" : known.bits == 8 ? "8 bits" : known.bits == 1 ? "a bool" : NULL;
    else /* 32768 has 16 bits */
        *type = known.bits == 16  ? "16 bits with a sign"
                : known.bits == 8 ? "8 bits with a sign"
                : known.bits == 1 ? "a bool"
                                  : NULL;
    *value = expression_convert(*value, &known);
    if (known.bits == 32 && !known.is_unsigned && (*value < INT32_MIN || *value > INT32_MAX)) {
        *type = "an int";
        *value = (int32_t)*value;
    }
    return true;
}

/* The value of an integer parameter of the kernel, which the function does not change. */
static bool parameter(const struct explain_view *view, const struct source_token *name, int64_t *value)
{
    static const char *const integers[] = {"int",     "unsigned", "long",    "short",    "char", "size_t", "ptrdiff_t",
                                           "int32_t", "uint32_t", "int64_t", "uint64_t", "uint", "bool"};
    static const char *const unsigned_types[] = {"unsigned", "size_t", "uint32_t", "uint64_t", "uint", "bool"};
    const struct program_function *kernel = view->launch->request->function;
    const struct source_function *function = &view->function;
    size_t ignored;
    for (unsigned i = 0; i < function->parameter_count && i < kernel->parameter_count; i++) {
        if (!function->parameters[i] || !source_token_same(&view->source->tokens[function->parameters[i]], name))
            continue;
        bool integer = false, is_unsigned = false;
        for (size_t t = function->types[i]; t < function->parameters[i]; t++) {
            const struct source_token *token = &view->source->tokens[t];
            if (source_token_is(token, "*") || source_token_is(token, "<"))
                return false;
            integer |= SOURCE_IS_ANY(token, integers);
            is_unsigned |= SOURCE_IS_ANY(token, unsigned_types);
        }
        uint32_t bytes = kernel->parameters[i].bytes;
        if (!integer || bytes > 8 || explain_changes(view->source, function, name, &ignored))
            return false;
        uint64_t bits = 0;
        memcpy(&bits, view->launch->parameters + kernel->parameters[i].offset, bytes);
        unsigned shift = 64 - 8 * bytes;
        *value = is_unsigned ? (int64_t)bits : (int64_t)(bits << shift) >> shift;
        return true;
    }
    return false;
}

/* The value of the n-th argument of "scale<float, 256>". */
static bool template_argument(const char *kernel, unsigned number, int64_t *value)
{
    const char *at = strchr(kernel, '<');
    int depth = 0;
    for (; at && *at && number; at++) {
        depth += (*at == '<') - (*at == '>');
        number -= *at == ',' && depth == 1;
    }
    if (!at || !*at)
        return false;
    at += strspn(at, "< ");
    char *end;
    *value = strtoll(at, &end, 10);
    return end > at && (*end == ',' || *end == '>');
}

static bool template_parameter(const struct explain_view *view, const struct source_token *name, int64_t *value)
{
    const struct source_function *function = &view->function;
    unsigned number = 0;
    char kernel[128];
    for (size_t i = function->template_first; i < function->template_last; i++) {
        const struct source_token *token = &view->source->tokens[i];
        number += source_token_is(token, ",");
        if (!source_token_same(token, name))
            continue;
        demangle_function(view->launch->request->function->name, kernel, sizeof kernel);
        return template_argument(kernel, number, value);
    }
    return false;
}

/* ---- constants of the file ---- */

/* `const int N = …`, `constexpr …`, `enum { N = … }` outside functions: tokens after the =. */
static bool find_constant(const struct source *source, const struct source_token *name, size_t *first, size_t *end)
{
    for (size_t i = 1; i + 2 < source->token_count; i++) {
        if (source_token_is(&source->tokens[i], ")") && source_token_is(&source->tokens[i + 1], "{"))
            i = source_closing(source, i + 1, source->token_count);
        if (i + 2 >= source->token_count || !source_token_same(&source->tokens[i], name)
            || !source_token_is(&source->tokens[i + 1], "="))
            continue;
        bool constant = false;
        for (size_t k = i; k-- > 0 && !constant;) {
            const struct source_token *token = &source->tokens[k];
            if (source_token_is(token, ";") || source_token_is(token, "}"))
                break;
            constant = source_token_is(token, "const") || source_token_is(token, "constexpr")
                       || source_token_is(token, "enum");
        }
        if (!constant)
            continue;
        *first = *end = i + 2;
        while (*end < source->token_count && !source_token_is(&source->tokens[*end], ";")
               && !source_token_is(&source->tokens[*end], ",") && !source_token_is(&source->tokens[*end], "}"))
            ++*end;
        return *end > *first;
    }
    return false;
}

/* ---- sizes ---- */

static int64_t bytes_of_type(const char *type)
{
    return !type                         ? 0
           : strcmp(type + 1, "64") == 0 ? 8
           : strcmp(type + 1, "32") == 0 ? 4
           : strcmp(type + 1, "16") == 0 ? 2
                                         : 1;
}

/* sizeof(float), and of what a parameter is: sizeof(a), sizeof(a[0]), sizeof(*a). Returns how many tokens it takes. */
static size_t size_of(const struct explain_view *view, size_t at, size_t end, int64_t *value)
{
    static const struct {
        const char *word;
        int64_t bytes;
    } types[] = {{"char", 1}, {"short", 2}, {"int", 4}, {"unsigned", 4}, {"float", 4}, {"double", 8}, {"size_t", 8}};
    const struct source_token *tokens = view->source->tokens;
    size_t close = at + 1 < end && source_token_is(&tokens[at + 1], "(") ? source_closing(view->source, at + 1, end) : end;
    if (!source_token_is(&tokens[at], "sizeof") || close >= end)
        return 0;
    size_t first = at + 2 + source_token_is(&tokens[at + 2], "*");
    bool element = first > at + 2 || source_token_is(&tokens[first + 1], "[");
    if (!element && first + 1 != close)
        return 0;
    *value = 0;
    for (size_t i = 0; !element && i < sizeof types / sizeof *types; i++)
        if (source_token_is(&tokens[first], types[i].word))
            *value = types[i].bytes;
    for (unsigned i = 0; view->in_kernel && i < view->function.parameter_count; i++) {
        size_t name = view->function.parameters[i];
        char text[64];
        if (!name || !source_token_same(&tokens[name], &tokens[first]))
            continue;
        bool pointer = source_token_is(&tokens[name - 1], "*") || source_token_is(&tokens[name - 1], "__restrict__");
        snprintf(text, sizeof text, "%.*s", tokens[name].length, tokens[name].text);
        *value = !pointer ? 0 : element ? bytes_of_type(explain_element_type(view->launch, text)) : 8;
    }
    return *value ? close + 1 - at : 0;
}

/* ---- names ---- */

/* Are these the same tokens? */
static bool same_tokens(const struct source_token *a, const struct source_token *b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!source_token_same(&a[i], &b[i]))
            return false;
    return true;
}

/* What is read from memory, data[i], is an unknown like a name. */
static size_t unknown_element(struct explain_view *view, size_t at, size_t end, int64_t *value)
{
    const struct source_token *token = &view->source->tokens[at];
    size_t close = source_closing(view->source, at + 1, end);
    if (close >= end
        || (close + 1 < end
            && (token[close + 1 - at].kind == SOURCE_WORD || source_token_is(&token[close + 1 - at], "[")
                || source_token_is(&token[close + 1 - at], "."))))
        return 0;
    if (view->unknown && (view->unknown_count != close + 1 - at || !same_tokens(view->unknown, token, close + 1 - at)))
        return 0;
    view->unknown = token;
    view->unknown_count = close + 1 - at;
    view->uses++;
    *value = view->trial;
    return view->unknown_count;
}

static bool nested(struct explain_view *view, size_t first, size_t end, int64_t *value)
{
    struct expression expression;
    bool known = explain_evaluate(view, first, end, &expression);
    *value = expression.value;
    return known;
}

static size_t value_of(void *context, size_t at, size_t end, int64_t *value)
{
    struct explain_view *view = context;
    const struct source *source = view->source;
    const struct source_token *token = &source->tokens[at];
    size_t first, last, taken = built_in(view, at, end, value);
    if (!taken)
        taken = size_of(view, at, end, value);
    if (taken)
        return taken;
    if (at + 1 < end && source_token_is(token + 1, "["))
        return unknown_element(view, at, end, value);
    if (at + 1 < end
        && (source_token_is(token + 1, "(") || source_token_is(token + 1, ".") || source_token_is(token + 1, "->")
            || source_token_is(token + 1, "::")))
        return 0;
    if (view->function.last && explain_declaration(source, &view->function, token, &first, &last)) {
        const char *type;
        unsigned uses = view->uses;
        bool known = nested(view, first, last, value) && explain_narrow(source, first, value, &type);
        view->narrowed |= known && type && view->uses != uses;
        return known;
    }
    if (view->in_kernel && (parameter(view, token, value) || template_parameter(view, token, value)))
        return 1;
    const struct source_macro *macro = source_find_macro(source, token);
    if (macro)
        return nested(view, macro->first, macro->first + macro->count, value);
    if (find_constant(source, token, &first, &last) && !(at >= first && at < last))
        return nested(view, first, last, value);
    if (view->unknown && (view->unknown_count != 1 || !source_token_same(view->unknown, token)))
        return 0;
    view->unknown = token;
    view->unknown_count = 1;
    view->uses++;
    *value = view->trial;
    return 1;
}

bool explain_evaluate(struct explain_view *view, size_t first, size_t end, struct expression *expression)
{
    struct expression_names names = {.value = value_of, .context = view};
    if (view->depth == MOST_DEPTH) {
        memset(expression, 0, sizeof *expression);
        return false;
    }
    unsigned uses = view->uses;
    view->depth++;
    bool known = expression_evaluate(view->source, first, end, &names, expression);
    view->narrowed |= expression->narrowed && view->uses != uses;
    view->wide |= expression->wide;
    view->depth--;
    return known;
}

/* ---- the value of an unknown ---- */

/* The value of tokens without an unknown name. */
static bool certain(const struct explain_view *view, size_t first, size_t end, int64_t *value)
{
    static const struct source_token none = {.text = "", .kind = SOURCE_WORD};
    struct explain_view own = *view;
    struct expression expression;
    own.unknown = &none;
    own.unknown_count = 1;
    bool known = first < end && explain_evaluate(&own, first, end, &expression);
    *value = expression.value;
    return known;
}

/* The parts of `for (…; …; …)`: the two semicolons and the bracket behind them. */
static bool find_parts(const struct source *source, size_t loop, size_t end, size_t parts[3])
{
    size_t close = source_closing(source, loop + 1, end);
    unsigned count = 0;
    for (size_t i = loop + 2; i < close; i++) {
        if (source_token_is(&source->tokens[i], "(") || source_token_is(&source->tokens[i], "["))
            i = source_closing(source, i, close);
        else if (source_token_is(&source->tokens[i], ";") && count < 2)
            parts[count++] = i;
    }
    parts[2] = close;
    return close < end && count == 2;
}

/* Can the variable have the value in a loop that steps upwards from a start that is known? *judged: it is such a loop. */
static bool fits_loop(const struct explain_view *view, size_t loop, const struct source_token *name, int64_t value,
                      bool *judged)
{
    const struct source_token *tokens = view->source->tokens;
    size_t parts[3], start = loop + 2;
    int64_t from, step = 1, limit;
    if (!find_parts(view->source, loop, view->function.last, parts))
        return true;
    while (start < parts[0] && !(source_token_same(&tokens[start], name) && source_token_is(&tokens[start + 1], "=")))
        start++;
    size_t end = start;
    while (end < parts[0] && !source_token_is(&tokens[end], ","))
        end++;
    size_t at = parts[1] + 1;
    bool one = (source_token_same(&tokens[at], name) && source_token_is(&tokens[at + 1], "++") && at + 2 == parts[2])
               || (source_token_is(&tokens[at], "++") && source_token_same(&tokens[at + 1], name) && at + 2 == parts[2]);
    bool more = source_token_same(&tokens[at], name) && source_token_is(&tokens[at + 1], "+=")
                && certain(view, at + 2, parts[2], &step) && step > 0;
    if (start == parts[0] || !certain(view, start + 2, end, &from) || !(one || more))
        return true;
    *judged = true;
    at = parts[0] + 1;
    bool limited = source_token_same(&tokens[at], name)
                   && (source_token_is(&tokens[at + 1], "<") || source_token_is(&tokens[at + 1], "<="))
                   && certain(view, at + 2, parts[1], &limit);
    return value >= from && (value - from) % step == 0 && (!limited || value < limit + step || value == from);
}

static bool fits_type(const struct explain_view *view, int64_t value)
{
    char name[64];
    snprintf(name, sizeof name, "%.*s", view->unknown->length, view->unknown->text);
    const char *type = explain_element_type(view->launch, name);
    if (!type)
        return true;
    int64_t bytes = bytes_of_type(type), most = bytes >= 4 ? INT32_MAX : ((int64_t)1 << 8 * bytes) - 1;
    return *type == 'u'   ? value >= 0 && value <= (bytes >= 4 ? UINT32_MAX : most)
           : *type == 's' ? bytes >= 4 || (value >= -(most / 2) - 1 && value <= most / 2)
                          : false;
}

bool explain_fits(const struct explain_view *view, int64_t value)
{
    bool fits = true, judged = false, good = false;
    size_t ignored;
    if (view->unknown_count > 1)
        return fits_type(view, value);
    if (explain_changes(view->source, &view->function, view->unknown, &ignored) > 2)
        return true; /* its loop's head is not all that changes it */
    for (size_t i = view->function.first; i + 1 < view->function.last; i++) {
        if (!source_token_is(&view->source->tokens[i], "for") || !source_token_is(&view->source->tokens[i + 1], "("))
            continue;
        judged = false;
        bool one = fits_loop(view, i, view->unknown, value, &judged);
        fits &= !judged || one;
        good |= judged && one;
    }
    return fits || good;
}

bool explain_constant(const struct launch *launch, const struct source *source, size_t first, size_t end, int64_t *value)
{
    static const uint32_t nowhere[3];
    struct explain_view view = {.launch = launch, .source = source, .thread = nowhere, .block = nowhere};
    view.in_kernel = explain_kernel(launch, source, &view.function);
    for (size_t i = first; i < end; i++)
        if (source_token_is(&source->tokens[i], "threadIdx") || source_token_is(&source->tokens[i], "blockIdx"))
            return false;
    return nested(&view, first, end, value) && !view.unknown;
}
