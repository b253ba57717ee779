#include "runtime/language/demangle.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names longer than a component, or with more parts, are not understood: the last plain name serves. */
enum { PART_BYTES = 192, MOST_PARTS = 48, MOST_ARGUMENTS = 16, MOST_DEPTH = 24 };

struct demangler {
    const char *at;
    char parts[MOST_PARTS][PART_BYTES]; /* what S_, S0_ … stand for */
    unsigned part_count;
    char arguments[MOST_ARGUMENTS][PART_BYTES]; /* of the innermost template: what T_, T0_ … stand for */
    unsigned argument_count, depth;
    bool failed;
};

static const struct {
    char code;
    const char *text;
} builtins[] = {
    {'v', "void"},        {'w', "wchar_t"},
    {'b', "bool"},        {'c', "char"},
    {'a', "signed char"}, {'h', "unsigned char"},
    {'s', "short"},       {'t', "unsigned short"},
    {'i', "int"},         {'j', "unsigned int"},
    {'l', "long"},        {'m', "unsigned long"},
    {'x', "long long"},   {'y', "unsigned long long"},
    {'n', "__int128"},    {'f', "float"},
    {'d', "double"},      {'e', "long double"},
    {'z', "..."},
};

static const struct {
    const char *code, *text;
} operators[] = {
    {"cl", "operator()"}, {"ix", "operator[]"}, {"pl", "operator+"},  {"mi", "operator-"},  {"ml", "operator*"},
    {"dv", "operator/"},  {"rm", "operator%"},  {"pL", "operator+="}, {"mI", "operator-="}, {"mL", "operator*="},
    {"dV", "operator/="}, {"aS", "operator="},  {"eq", "operator=="}, {"ne", "operator!="}, {"lt", "operator<"},
    {"gt", "operator>"},  {"le", "operator<="}, {"ge", "operator>="}, {"pp", "operator++"}, {"mm", "operator--"},
    {"pt", "operator->"}, {"de", "operator*"},  {"ls", "operator<<"}, {"rs", "operator>>"}, {"ng", "operator-"},
    {"an", "operator&"},  {"or", "operator|"},  {"eo", "operator^"},  {"co", "operator~"},  {"nt", "operator!"},
};

static void parse_type(struct demangler *d, char out[PART_BYTES]);
static void parse_encoding(struct demangler *d, char out[PART_BYTES]);

static void fail(struct demangler *d)
{
    d->failed = true;
    d->at = "";
}

static bool accept(struct demangler *d, const char *text)
{
    size_t length = strlen(text);
    if (strncmp(d->at, text, length) != 0)
        return false;
    d->at += length;
    return true;
}

static void append(struct demangler *d, char out[PART_BYTES], const char *text)
{
    size_t length = strlen(out), more = strlen(text);
    if (length + more >= PART_BYTES) {
        fail(d);
        return;
    }
    memcpy(out + length, text, more + 1);
}

/* Remembers what a later S… may stand for. */
static void remember(struct demangler *d, const char *text)
{
    if (d->part_count == MOST_PARTS || strlen(text) >= PART_BYTES) {
        fail(d);
        return;
    }
    snprintf(d->parts[d->part_count++], PART_BYTES, "%s", text);
}

/* The number of `_`, `0_`, `1_` … in base `base`: 0, 1, 2. */
static unsigned parse_sequence(struct demangler *d, unsigned base)
{
    unsigned value = 0;
    if (accept(d, "_"))
        return 0;
    for (; *d->at && *d->at != '_' && value < 1000; d->at++) {
        if (!isdigit((unsigned char)*d->at) && !(base == 36 && isupper((unsigned char)*d->at))) {
            fail(d);
            return 0;
        }
        value = value * base + (unsigned)(isdigit((unsigned char)*d->at) ? *d->at - '0' : *d->at - 'A' + 10);
    }
    if (!accept(d, "_"))
        fail(d);
    return value + 1;
}

static void parse_substitution(struct demangler *d, char out[PART_BYTES])
{
    static const struct {
        char code;
        const char *text;
    } standard[] = {{'t', "std"}, {'a', "std::allocator"}, {'b', "std::basic_string"}, {'s', "std::string"}};
    for (unsigned i = 0; i < sizeof standard / sizeof *standard; i++)
        if (*d->at == standard[i].code) {
            d->at++;
            append(d, out, standard[i].text);
            return;
        }
    unsigned number = parse_sequence(d, 36);
    if (number >= d->part_count) {
        fail(d);
        return;
    }
    append(d, out, d->parts[number]);
}

/* ---- templates ---- */

static void parse_literal(struct demangler *d, char out[PART_BYTES])
{
    char type[PART_BYTES] = "", number[32];
    if (accept(d, "_Z")) {
        parse_encoding(d, out);
    } else {
        bool plain = strchr("iljmxyhatsc", *d->at) != NULL, truth = *d->at == 'b';
        parse_type(d, type);
        bool negative = accept(d, "n");
        size_t digits = strspn(d->at, "0123456789");
        if (digits >= sizeof number) {
            fail(d);
            return;
        }
        snprintf(number, sizeof number, "%.*s", (int)digits, d->at);
        d->at += digits;
        if (!plain && !truth) {
            append(d, out, "(");
            append(d, out, type);
            append(d, out, ")");
        }
        append(d, out, negative ? "-" : "");
        append(d, out, truth ? (number[0] == '0' ? "false" : "true") : number);
    }
    if (!accept(d, "E"))
        fail(d);
}

/* What stands between I and E, or J and E; `argument` counts the template's arguments. */
static void parse_arguments(struct demangler *d, char out[PART_BYTES], unsigned *argument)
{
    bool first = true;
    while (!d->failed && !accept(d, "E")) {
        char text[PART_BYTES] = "";
        if (accept(d, "L")) {
            parse_literal(d, text);
        } else if (accept(d, "J")) {
            parse_arguments(d, text, argument);
            append(d, out, first || !*text ? "" : ", ");
            append(d, out, text);
            first &= !*text;
            continue;
        } else if (*d->at == 'X' || !*d->at) {
            fail(d);
        } else {
            parse_type(d, text);
        }
        if (*argument < MOST_ARGUMENTS)
            snprintf(d->arguments[(*argument)++], PART_BYTES, "%s", text);
        append(d, out, first ? "" : ", ");
        append(d, out, text);
        first = false;
    }
}

static void parse_template(struct demangler *d, char out[PART_BYTES])
{
    unsigned count = 0;
    char text[PART_BYTES] = "";
    parse_arguments(d, text, &count);
    d->argument_count = count;
    append(d, out, "<");
    append(d, out, text);
    append(d, out, ">");
}

/* ---- names ---- */

static void parse_source_name(struct demangler *d, char out[PART_BYTES])
{
    char *end;
    unsigned long length = strtoul(d->at, &end, 10);
    if (length == 0 || length >= PART_BYTES || length > strlen(end)) {
        fail(d);
        return;
    }
    char text[PART_BYTES];
    snprintf(text, sizeof text, "%.*s", (int)length, end);
    d->at = end + length;
    append(d, out, text);
}

/* `Ul types E_`, `Ut_`: a lambda, a type without a name. */
static void parse_nameless(struct demangler *d, char out[PART_BYTES])
{
    bool lambda = accept(d, "l");
    if (!lambda && !accept(d, "t")) {
        fail(d);
        return;
    }
    while (lambda && !d->failed && !accept(d, "E")) {
        char ignored[PART_BYTES] = "";
        parse_type(d, ignored);
    }
    parse_sequence(d, 10);
    append(d, out, lambda ? "lambda" : "nameless");
}

static void parse_unqualified(struct demangler *d, char out[PART_BYTES], const char *enclosing)
{
    accept(d, "L"); /* internal linkage */
    if (isdigit((unsigned char)*d->at)) {
        parse_source_name(d, out);
    } else if (accept(d, "U")) {
        parse_nameless(d, out);
    } else if ((*d->at == 'C' || *d->at == 'D') && isdigit((unsigned char)d->at[1])) {
        append(d, out, *d->at == 'D' ? "~" : "");
        append(d, out, enclosing);
        d->at += 2;
    } else {
        for (unsigned i = 0; i < sizeof operators / sizeof *operators; i++)
            if (accept(d, operators[i].code)) {
                append(d, out, operators[i].text);
                return;
            }
        fail(d);
    }
}

/* Namespaces that nobody wrote, and those that are inline by custom. */
static bool is_hidden(const char *name)
{
    return strncmp(name, "_GLOBAL__N_", 11) == 0 || strncmp(name, "_INTERNAL_", 10) == 0 || strncmp(name, "__", 2) == 0;
}

/* Between N and E: `name` is what is shown, `known` what a substitution may repeat. */
static void parse_nested(struct demangler *d, char out[PART_BYTES])
{
    char last[PART_BYTES] = "";
    bool pending = false; /* the component so far is a prefix: remembered when another one follows */
    while (accept(d, "K") || accept(d, "V") || accept(d, "r") || accept(d, "R") || accept(d, "O")) {}
    while (!d->failed && !accept(d, "E")) {
        if (accept(d, "S")) {
            parse_substitution(d, out);
            pending = false;
            continue;
        }
        if (pending)
            remember(d, out);
        if (accept(d, "I")) {
            parse_template(d, out);
        } else {
            char component[PART_BYTES] = "";
            parse_unqualified(d, component, last);
            bool hidden = is_hidden(component) && *d->at != 'E';
            append(d, out, hidden || !*out ? "" : "::");
            append(d, out, hidden ? "" : component);
            snprintf(last, sizeof last, "%s", component);
        }
        pending = true;
    }
}

/* `Z encoding E name`: what is declared inside a function. */
static void parse_local(struct demangler *d, char out[PART_BYTES])
{
    char function[PART_BYTES] = "";
    parse_encoding(d, function);
    if (!accept(d, "E"))
        fail(d);
    if (accept(d, "s"))
        append(d, out, "string");
    else if (accept(d, "N"))
        parse_nested(d, out);
    else
        parse_unqualified(d, out, "");
    if (accept(d, "_")) /* which of several */
        d->at += strspn(d->at, "_0123456789");
}

static void parse_name(struct demangler *d, char out[PART_BYTES])
{
    bool substituted = false;
    if (accept(d, "N")) {
        parse_nested(d, out);
        return;
    }
    if (accept(d, "Z")) {
        parse_local(d, out);
        return;
    }
    if (accept(d, "S")) {
        bool standard = *d->at == 't';
        parse_substitution(d, out);
        substituted = !standard;
        if (standard) {
            append(d, out, "::");
            parse_unqualified(d, out, "");
        }
    } else {
        parse_unqualified(d, out, "");
    }
    if (*d->at == 'I') {
        d->at++;
        if (!substituted)
            remember(d, out);
        parse_template(d, out);
    }
}

/* A function's name; its parameters are read only where something follows them. */
static void parse_encoding(struct demangler *d, char out[PART_BYTES])
{
    if (++d->depth > MOST_DEPTH)
        fail(d);
    parse_name(d, out);
    while (!d->failed && *d->at && *d->at != 'E' && *d->at != '.') {
        char ignored[PART_BYTES] = "";
        parse_type(d, ignored);
    }
    d->depth--;
}

/* ---- types ---- */

static void parse_compound(struct demangler *d, char out[PART_BYTES], const char *before, const char *after)
{
    append(d, out, before);
    parse_type(d, out);
    append(d, out, after);
    remember(d, out);
}

static void parse_parameter(struct demangler *d, char out[PART_BYTES])
{
    unsigned number = parse_sequence(d, 10);
    append(d, out, number < d->argument_count ? d->arguments[number] : "T");
    remember(d, out);
    if (accept(d, "I"))
        parse_template(d, out);
}

static void parse_array(struct demangler *d, char out[PART_BYTES])
{
    char extent[24];
    size_t digits = strspn(d->at, "0123456789");
    snprintf(extent, sizeof extent, "[%.*s]", digits < 20 ? (int)digits : 0, d->at);
    d->at += digits;
    if (!accept(d, "_"))
        fail(d);
    parse_compound(d, out, "", extent);
}

static void parse_function_type(struct demangler *d, char out[PART_BYTES])
{
    parse_type(d, out);
    append(d, out, "(");
    for (bool first = true; !d->failed && !accept(d, "E"); first = false) {
        append(d, out, first ? "" : ", ");
        parse_type(d, out);
    }
    append(d, out, ")");
    remember(d, out);
}

static void parse_type_here(struct demangler *d, char out[PART_BYTES])
{
    for (unsigned i = 0; i < sizeof builtins / sizeof *builtins; i++)
        if (*d->at == builtins[i].code) {
            d->at++;
            append(d, out, builtins[i].text);
            return;
        }
    if (accept(d, "P"))
        parse_compound(d, out, "", "*");
    else if (accept(d, "R"))
        parse_compound(d, out, "", "&");
    else if (accept(d, "O"))
        parse_compound(d, out, "", "&&");
    else if (accept(d, "K"))
        parse_compound(d, out, "const ", "");
    else if (accept(d, "V"))
        parse_compound(d, out, "volatile ", "");
    else if (accept(d, "T"))
        parse_parameter(d, out);
    else if (accept(d, "A"))
        parse_array(d, out);
    else if (accept(d, "F"))
        parse_function_type(d, out);
    else if (accept(d, "Dp"))
        parse_type(d, out);
    else if (accept(d, "Dn"))
        append(d, out, "nullptr_t");
    else if (accept(d, "u"))
        parse_source_name(d, out);
    else if (*d->at == 'S' && d->at[1] != 't') {
        d->at++;
        parse_substitution(d, out);
        if (accept(d, "I")) {
            parse_template(d, out);
            remember(d, out);
        }
    } else if (isdigit((unsigned char)*d->at) || *d->at == 'N' || *d->at == 'Z' || *d->at == 'S') {
        parse_name(d, out);
        remember(d, out);
    } else {
        fail(d);
    }
}

static void parse_type(struct demangler *d, char out[PART_BYTES])
{
    if (++d->depth > MOST_DEPTH)
        fail(d);
    char text[PART_BYTES] = "";
    if (!d->failed)
        parse_type_here(d, text);
    append(d, out, text);
    d->depth--;
}

/* ---- the last plain name ---- */

static void take_last_name(const char *name, char *text, size_t bytes)
{
    const char *best = name;
    size_t length = strlen(name);
    if (strncmp(name, "_Z", 2) == 0) {
        bool local = name[2] == 'Z';
        for (const char *at = name + 2; *at; at++) {
            if (!isdigit((unsigned char)*at) || (at > name && isdigit((unsigned char)at[-1])))
                continue;
            char *end;
            unsigned long count = strtoul(at, &end, 10);
            if (!count || count > strlen(end))
                continue;
            best = end;
            length = count;
            at = end + count - 1;
            if (!local && at[1] != '_' && name[2] != 'N')
                break; /* a function: its own name comes first, then its parameters' types */
        }
    }
    snprintf(text, bytes, "%.*s", (int)length, best);
}

void demangle_function(const char *name, char *text, size_t bytes)
{
    struct demangler *d = strncmp(name, "_Z", 2) == 0 ? calloc(1, sizeof *d) : NULL;
    char out[PART_BYTES] = "";
    if (d) {
        d->at = name + 2;
        parse_name(d, out);
    }
    if (d && !d->failed && *out)
        snprintf(text, bytes, "%s", out);
    else
        take_last_name(name, text, bytes);
    free(d);
}

void demangle_variable(const char *name, char *text, size_t bytes)
{
    take_last_name(name, text, bytes);
}
