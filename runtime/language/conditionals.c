#include "runtime/language/conditionals.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/lexical.h"

#define MARK "lockstep_group"

/* Every directive, in the order of the text. */
enum kind { IF, ELSE, END, KEPT, LINE, DROPPED };
struct directive {
    enum kind kind;
    size_t first, end; /* from the # on; its line's end is not part of it */
    int line;          /* of its end, 1-based, as the text has it */
    /* of IF and ELSE: the group behind it */
    size_t next; /* the directive that ends the group; count: none does */
    bool asked;  /* only the compiler can decide */
    bool seen;   /* the compiler sees the group */
};

struct conditionals {
    const char *text;
    size_t bytes;
    struct directive *list;
    size_t count, capacity;
    bool failed;
};

/* ---- finding directives --------------------------------------------------------------------------------------------- */

/* Past a comment or a continued line; `at` itself where there is neither. Counts lines. */
static const char *skip_comment(const char *at, int *line)
{
    size_t splice = lexical_spliced(at);
    if (splice) {
        ++*line;
        return at + splice;
    }
    if (at[0] == '/' && at[1] == '/') {
        while (*at && *at != '\n') {
            size_t more = lexical_spliced(at);
            *line += more > 0;
            at += more ? more : 1;
        }
    } else if (at[0] == '/' && at[1] == '*') {
        for (at += 2; *at && !(at[0] == '*' && at[1] == '/'); at++)
            *line += *at == '\n';
        at += *at ? 2 : 0;
    }
    return at;
}

/* Past one token; a literal and a number are one, so that no quote or comment begins inside. */
static const char *skip_token(const char *at, int *line)
{
    const char *start = at, *end = at + 1;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        end = lexical_end_of_number(at);
    } else if (lexical_is_word(*at)) {
        while (lexical_is_word(*end))
            end++;
        end = lexical_is_raw(at, end) ? lexical_end_of_raw(end) : end;
    } else if (*at == '"' || *at == '\'') {
        end = lexical_end_of_literal(at);
    }
    for (; start < end; start++)
        *line += *start == '\n';
    return end;
}

static const char *skip_blanks(const char *at, int *line)
{
    for (const char *next = at;; at = next) {
        next = skip_comment(at, line);
        if (next == at && *at != '\n' && isspace((unsigned char)*at))
            next++;
        if (next == at)
            return at;
    }
}

static bool is_word(const char *at, const char *end, const char *word)
{
    return strlen(word) == (size_t)(end - at) && memcmp(at, word, (size_t)(end - at)) == 0;
}

/* What a directive [word, end) does; the rest of its line follows. */
static enum kind kind_of(const char *word, const char *end, const char *line_end)
{
    static const char *const words[] = {"if",    "ifdef",  "ifndef", "elif",    "elifdef",      "elifndef", "else",
                                        "endif", "define", "undef",  "include", "include_next", "line"};
    static const enum kind kinds[] = {IF, IF, IF, ELSE, ELSE, ELSE, ELSE, END, KEPT, KEPT, KEPT, KEPT, LINE};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(word, end, words[i]))
            return kinds[i];
    if (word == end && isdigit((unsigned char)*word))
        return LINE;
    bool macros = is_word(word, end, "pragma") && memmem(end, (size_t)(line_end - end), "_macro", 6);
    return macros ? KEPT : DROPPED; /* push_macro, pop_macro; other pragmas could switch off the warnings that answer */
}

static void add(struct conditionals *conditionals, const struct directive *directive)
{
    if (conditionals->count == conditionals->capacity) {
        size_t capacity = conditionals->capacity ? 2 * conditionals->capacity : 64;
        struct directive *grown = realloc(conditionals->list, capacity * sizeof *grown);
        conditionals->failed |= !grown;
        if (!grown)
            return;
        conditionals->list = grown;
        conditionals->capacity = capacity;
    }
    conditionals->list[conditionals->count++] = *directive;
}

/* The value of a condition that is 0 or 1 as it is written; -1: it is anything else. */
static int literal_value(const char *word, const char *end, const char *line_end)
{
    int line = 0;
    bool is_if = is_word(word, end, "if");
    const char *at = skip_blanks(end, &line);
    if (!is_if || at >= line_end || (*at != '0' && *at != '1') || skip_token(at, &line) != at + 1)
        return -1;
    return skip_blanks(at + 1, &line) >= line_end ? *at - '0' : -1;
}

/* Reads the directive whose # ends before `at`. Returns its end. */
static const char *read_directive(struct conditionals *conditionals, const char *first, const char *at, int *line)
{
    const char *word = skip_blanks(at, line), *end = word, *line_end;
    if (!isdigit((unsigned char)*word))
        while (lexical_is_word(*end))
            end++;
    for (line_end = end; *line_end && *line_end != '\n';) {
        const char *next = skip_comment(line_end, line);
        line_end = next == line_end ? skip_token(line_end, line) : next;
    }
    struct directive directive = {.kind = kind_of(word, end, line_end),
                                  .first = (size_t)(first - conditionals->text),
                                  .end = (size_t)(line_end - conditionals->text),
                                  .line = *line};
    int value = literal_value(word, end, line_end);
    directive.asked = value < 0;
    directive.seen = value != 0;
    add(conditionals, &directive);
    return line_end;
}

static void read_directives(struct conditionals *conditionals)
{
    const char *at = conditionals->text;
    bool begins = true;
    int line = 1;
    if (strncmp(at, "\xEF\xBB\xBF", 3) == 0) /* byte order mark */
        at += 3;
    while (*at && !conditionals->failed) {
        const char *next = skip_comment(at, &line);
        if (next != at) {
            at = next;
        } else if (*at == '\n') {
            line++;
            at++;
            begins = true;
        } else if (isspace((unsigned char)*at)) {
            at++;
        } else if (begins && (*at == '#' || (at[0] == '%' && at[1] == ':'))) {
            at = read_directive(conditionals, at, at + (*at == '#' ? 1 : 2), &line);
        } else {
            at = skip_token(at, &line);
            begins = false;
        }
    }
}

/* Which directive ends which group, and what `#if 0` and `#if 1` say of those behind them. */
static void pair_directives(struct conditionals *conditionals)
{
    size_t count = conditionals->count, depth = 0;
    size_t *open = malloc((count + 1) * sizeof *open); /* of each open conditional, the latest group */
    bool *taken = malloc((count + 1) * sizeof *taken); /* one of its groups is seen for sure */
    conditionals->failed |= !open || !taken;
    for (size_t i = 0; i < count && !conditionals->failed; i++) {
        struct directive *directive = &conditionals->list[i];
        directive->next = count;
        if (directive->kind == IF) {
            taken[depth] = !directive->asked && directive->seen;
            open[depth++] = i;
        } else if (depth > 0 && (directive->kind == ELSE || directive->kind == END)) {
            struct directive *before = &conditionals->list[open[depth - 1]];
            before->next = i;
            open[depth - 1] = i;
            if (directive->kind == END) {
                depth--;
                continue;
            }
            const char *word = conditionals->text + directive->first;
            while (*word == '#' || *word == '%' || *word == ':' || isspace((unsigned char)*word))
                word++;
            bool last = strncmp(word, "else", 4) == 0 && !lexical_is_word(word[4]);
            directive->asked = !taken[depth - 1] && !(last && !before->asked && !before->seen && before->kind == IF);
            directive->seen = !taken[depth - 1];
        }
    }
    free(open);
    free(taken);
}

struct conditionals *conditionals_read(const char *text, size_t bytes)
{
    struct conditionals *conditionals = calloc(1, sizeof *conditionals);
    if (!conditionals)
        return NULL;
    conditionals->text = text;
    conditionals->bytes = bytes;
    read_directives(conditionals);
    if (!conditionals->failed)
        pair_directives(conditionals);
    if (!conditionals->failed)
        return conditionals;
    conditionals_destroy(conditionals);
    return NULL;
}

void conditionals_destroy(struct conditionals *conditionals)
{
    if (conditionals)
        free(conditionals->list);
    free(conditionals);
}

/* ---- asking --------------------------------------------------------------------------------------------------------- */

static bool has_group(const struct directive *directive)
{
    return directive->kind == IF || directive->kind == ELSE;
}

bool conditionals_are_certain(const struct conditionals *conditionals)
{
    for (size_t i = 0; i < conditionals->count; i++) {
        const struct directive *directive = &conditionals->list[i];
        if (has_group(directive) && directive->asked)
            return false;
        if (has_group(directive) && !directive->seen && directive->next > i + 1)
            i = directive->next - 1; /* what is inside is left out, too */
    }
    return true;
}

char *conditionals_ask(const struct conditionals *conditionals)
{
    char *question = NULL;
    size_t bytes = 0, at = 0;
    bool lines = false, renumbered = false, counts = false;
    FILE *file = open_memstream(&question, &bytes);
    if (!file)
        return NULL;
    for (size_t i = 0; i < conditionals->count; i++) {
        const struct directive *directive = &conditionals->list[i];
        const char *first = conditionals->text + directive->first;
        size_t length = directive->end - directive->first;
        renumbered |= directive->kind == LINE;
        bool kept = directive->kind != LINE && directive->kind != DROPPED;
        lines |= kept && memmem(first, length, "__LINE__", 8);
        counts |= kept && memmem(first, length, "__COUNTER__", 11);
        for (; at < directive->first || (!kept && at < directive->end); at++)
            if (conditionals->text[at] == '\n')
                fputc('\n', file);
        if (kept)
            fwrite(first, 1, length, file);
        at = directive->end;
        if (has_group(directive)) /* the line after it keeps its number */
            fprintf(file, "\n#warning " MARK " %zu\n#line %d", i, directive->line + 1);
    }
    fprintf(file, "\n#warning " MARK " %zu\n", conditionals->count);
    bool written = fclose(file) == 0;
    if (written && !counts && !(lines && renumbered))
        return question;
    free(question);
    return NULL;
}

bool conditionals_answer(struct conditionals *conditionals, const char *log)
{
    size_t count = conditionals->count;
    bool *seen = calloc(count + 1, sizeof *seen);
    for (const char *at = log; seen && (at = strstr(at, MARK " ")); at++) {
        char *end;
        unsigned long long group = strtoull(at + sizeof MARK, &end, 10);
        const char *line = at;
        while (line > log && line[-1] != '\n')
            line--;
        if (group <= count && (*end == '\n' || *end == '\0') && memmem(line, (size_t)(at - line), "#warning", 8))
            seen[group] = true;
    }
    bool whole = seen && seen[count];
    for (size_t i = 0; whole && i < count; i++)
        if (has_group(&conditionals->list[i])) {
            conditionals->list[i].seen = seen[i];
            conditionals->list[i].asked = false;
        }
    free(seen);
    return whole;
}

bool conditionals_blank(const struct conditionals *conditionals, char *copy)
{
    bool any = false;
    for (size_t i = 0; i < conditionals->count; i++) {
        const struct directive *directive = &conditionals->list[i];
        if (!has_group(directive) || directive->asked || directive->seen)
            continue;
        size_t next = directive->next,
               end = next < conditionals->count ? conditionals->list[next].first : conditionals->bytes;
        for (size_t at = directive->end; at < end; at++) {
            any |= !isspace((unsigned char)copy[at]);
            copy[at] = copy[at] == '\n' || copy[at] == '\r' ? copy[at] : ' ';
        }
        i = next > i + 1 ? next - 1 : i; /* what is inside is gone already */
    }
    return any;
}
