#include "grader/lab/describe/formula.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

/* Postfix: operands first. The depth is bounded when it is compiled, so that evaluation needs no check. */
#define DEPTH_MAX 64
#define SECTOR    32.0
#define WARP      32.0
#define ELEMENT   4.0

static double add(const double *x)
{
    return x[0] + x[1];
}

static double subtract(const double *x)
{
    return x[0] - x[1];
}

static double multiply(const double *x)
{
    return x[0] * x[1];
}

static double divide(const double *x)
{
    return x[0] / x[1];
}

static double power(const double *x)
{
    return pow(x[0], x[1]);
}

static double negate(const double *x)
{
    return -x[0];
}

static double round_up(const double *x)
{
    return ceil(x[0]);
}

static double round_down(const double *x)
{
    return floor(x[0]);
}

static double smaller(const double *x)
{
    return fmin(x[0], x[1]);
}

static double larger(const double *x)
{
    return fmax(x[0], x[1]);
}

static double logarithm(const double *x)
{
    return log2(x[0]);
}

static double root(const double *x)
{
    return sqrt(x[0]);
}

static double warps(const double *x)
{
    return ceil(x[0] / WARP);
}

static double sectors(const double *x)
{
    return ceil(x[0] * ELEMENT / SECTOR);
}

static double sectors_of(const double *x)
{
    return ceil(x[0] * x[1] / SECTOR);
}

struct function {
    const char *name;
    int arguments;
    double (*apply)(const double *arguments);
};

static const struct function functions[] = {
    {"ceil", 1, round_up}, {"floor", 1, round_down}, {"min", 2, smaller},
    {"max", 2, larger},    {"log2", 1, logarithm},   {"sqrt", 1, root},
    {"warps", 1, warps},   {"sectors", 1, sectors},  {"sectors", 2, sectors_of},
};
enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

static const struct function plus = {"+", 2, add}, minus = {"-", 2, subtract}, times = {"*", 2, multiply},
                             over = {"/", 2, divide}, to_the = {"^", 2, power}, negative = {"-", 1, negate};

struct step {
    enum { NUMBER, VARIABLE, FUNCTION } kind;
    double number;
    int variable;
    const struct function *function;
};

struct formula {
    struct step *steps;
    size_t count, capacity;
};

/* An formula while it is compiled. */
struct reader {
    const char *text;
    const char *at;
    const char *const *names;
    int name_count;
    struct formula *formula;
    int depth; /* of the stack of values, after the steps so far */
    int nested;
    bool failed;
    char *message;
    size_t message_bytes;
};

static void fail(struct reader *reader, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void fail(struct reader *reader, const char *format, ...)
{
    va_list arguments;
    if (reader->failed)
        return;
    reader->failed = true;
    snprintf(reader->message, reader->message_bytes, "column %zu: ", (size_t)(reader->at - reader->text) + 1);
    size_t used = strlen(reader->message);
    va_start(arguments, format);
    vsnprintf(reader->message + used, reader->message_bytes - used, format, arguments);
    va_end(arguments);
}

static void emit(struct reader *reader, struct step step)
{
    struct formula *formula = reader->formula;
    reader->depth += step.kind == FUNCTION ? 1 - step.function->arguments : 1;
    if (reader->depth > DEPTH_MAX) {
        fail(reader, "more than %d values at once", DEPTH_MAX);
        return;
    }
    formula->steps = allocate_grown(formula->steps, &formula->capacity, formula->count + 1, sizeof(struct step));
    formula->steps[formula->count++] = step;
}

static void emit_function(struct reader *reader, const struct function *function)
{
    if (!reader->failed)
        emit(reader, (struct step){.kind = FUNCTION, .function = function});
}

static void skip_blanks(struct reader *reader)
{
    while (isspace((unsigned char)*reader->at))
        reader->at++;
}

static bool take(struct reader *reader, char wanted)
{
    skip_blanks(reader);
    if (*reader->at != wanted)
        return false;
    reader->at++;
    return true;
}

static void read_sum(struct reader *reader);

static void read_call(struct reader *reader, const char *name, size_t length)
{
    const char *start = name;
    int count = 0;
    bool known = false;
    do {
        read_sum(reader);
        count++;
    } while (!reader->failed && take(reader, ','));
    if (!reader->failed && !take(reader, ')'))
        fail(reader, "expected , or ) in the arguments of %.*s", (int)length, name);
    for (int i = 0; i < FUNCTION_COUNT && !reader->failed; i++) {
        bool named = strlen(functions[i].name) == length && memcmp(functions[i].name, name, length) == 0;
        known = known || named;
        if (named && functions[i].arguments == count) {
            emit_function(reader, &functions[i]);
            return;
        }
    }
    if (reader->failed)
        return;
    reader->at = start;
    if (known)
        fail(reader, "%.*s does not take %d argument%s", (int)length, name, count, count == 1 ? "" : "s");
    else
        fail(reader, "unknown function %.*s; there are ceil, floor, min, max, log2, sqrt, warps, sectors", (int)length,
             name);
}

static void read_name(struct reader *reader)
{
    const char *name = reader->at;
    size_t length = 0;
    while (isalnum((unsigned char)name[length]) || name[length] == '_')
        length++;
    reader->at += length;
    if (take(reader, '(')) {
        read_call(reader, name, length);
        return;
    }
    for (int i = 0; i < reader->name_count; i++)
        if (strlen(reader->names[i]) == length && memcmp(reader->names[i], name, length) == 0) {
            emit(reader, (struct step){.kind = VARIABLE, .variable = i});
            return;
        }
    char known[256] = "";
    for (int i = 0; i < reader->name_count; i++) {
        size_t used = strlen(known);
        if (reader->names[i][0] != '\0')
            snprintf(known + used, sizeof known - used, "%s%s", used > 0 ? ", " : "", reader->names[i]);
    }
    reader->at = name;
    fail(reader, "unknown name %.*s; known are %s", (int)length, name, known[0] != '\0' ? known : "none");
}

static void read_value(struct reader *reader)
{
    skip_blanks(reader);
    if (++reader->nested > DEPTH_MAX) {
        fail(reader, "more than %d brackets", DEPTH_MAX);
    } else if (take(reader, '(')) {
        read_sum(reader);
        if (!reader->failed && !take(reader, ')'))
            fail(reader, "expected )");
    } else if (take(reader, '-')) {
        read_value(reader);
        emit_function(reader, &negative);
    } else if (isdigit((unsigned char)*reader->at) || *reader->at == '.') {
        char *end;
        double number = strtod(reader->at, &end);
        if (end == reader->at)
            fail(reader, "a point alone is not a number");
        else
            emit(reader, (struct step){.kind = NUMBER, .number = number});
        reader->at = end;
    } else if (isalpha((unsigned char)*reader->at) || *reader->at == '_') {
        read_name(reader);
    } else {
        fail(reader, *reader->at != '\0' ? "expected a number, a name or a bracket" : "the formula ends too early");
    }
    if (!reader->failed && take(reader, '^')) {
        read_value(reader);
        emit_function(reader, &to_the);
    }
    reader->nested--;
}

static void read_product(struct reader *reader)
{
    read_value(reader);
    while (!reader->failed) {
        const struct function *function = take(reader, '*') ? &times : take(reader, '/') ? &over : NULL;
        if (!function)
            return;
        read_value(reader);
        emit_function(reader, function);
    }
}

static void read_sum(struct reader *reader)
{
    read_product(reader);
    while (!reader->failed) {
        const struct function *function = take(reader, '+') ? &plus : take(reader, '-') ? &minus : NULL;
        if (!function)
            return;
        read_product(reader);
        emit_function(reader, function);
    }
}

struct formula *formula_create(const char *text, const char *const *names, int name_count, char *message,
                               size_t message_bytes)
{
    struct reader reader = {.text = text,
                            .at = text,
                            .names = names,
                            .name_count = name_count,
                            .formula = allocate_zeroed(sizeof *reader.formula),
                            .message = message,
                            .message_bytes = message_bytes};
    read_sum(&reader);
    skip_blanks(&reader);
    if (!reader.failed && *reader.at != '\0')
        fail(&reader, "%.20s is left over", reader.at);
    if (reader.failed) {
        formula_destroy(reader.formula);
        return NULL;
    }
    return reader.formula;
}

double formula_value(const struct formula *formula, const double *variables)
{
    double stack[DEPTH_MAX];
    int depth = 0;
    for (size_t i = 0; i < formula->count; i++) {
        const struct step *step = &formula->steps[i];
        if (step->kind == FUNCTION) {
            depth -= step->function->arguments;
            stack[depth] = step->function->apply(&stack[depth]);
            depth++;
        } else {
            stack[depth++] = step->kind == NUMBER ? step->number : variables[step->variable];
        }
    }
    return stack[0];
}

bool formula_is_constant(const struct formula *formula)
{
    for (size_t i = 0; i < formula->count; i++)
        if (formula->steps[i].kind == VARIABLE)
            return false;
    return true;
}

void formula_destroy(struct formula *formula)
{
    if (formula) {
        free(formula->steps);
        free(formula);
    }
}
