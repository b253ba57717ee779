#include "runtime/compile/advice.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "runtime/base/printable.h"
#include "runtime/compile/advice_facts.h"
#include "runtime/compile/headers.h"
#include "runtime/language/text.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

static bool is_among(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(word, list[i]) == 0)
            return true;
    return false;
}

static bool caret(struct facts *facts)
{
    facts_copy(facts_token(facts, facts->at, 0), facts->a);
    return facts->a[0] != '\0';
}

static bool always(struct facts *facts)
{
    (void)facts;
    return true;
}

static bool caret_word(struct facts *facts)
{
    return facts_is_word(facts, 0) && caret(facts);
}

/* ---- characters ---- */

/* The message's line of the source, or `before` lines above it; NULL when it is not known. */
static const char *line_text(const struct facts *facts, int before)
{
    const char *at = facts->source ? facts->source->text : NULL;
    for (int line = 1; at && line < facts->line - before; line++) {
        at = strchr(at, '\n');
        at = at ? at + 1 : NULL;
    }
    return facts->line - before < 1 ? NULL : at;
}

static bool code_fence(struct facts *facts)
{
    for (int before = 0; before < 2; before++) {
        const char *line = line_text(facts, before);
        size_t blanks = line ? strspn(line, " \t") : 0;
        if (!line || (strncmp(line + blanks, "```", 3) != 0 && strncmp(line + blanks, "~~~", 3) != 0))
            continue;
        line += blanks + 3;
        if (before == 0 || strcspn(line, "\r\n") == 0)
            return before == 0;
    }
    return false;
}

/* A word of a sentence, apostrophes included, at the start of the text: its length. 0: there is none, or it is one that
 * declarations are made of. */
static size_t prose_word(const char *text)
{
    static const char *const of_declarations[] = {
        "static", "inline", "extern",   "const",   "constexpr", "volatile",  "unsigned", "signed",   "long",
        "short",  "int",    "float",    "double",  "char",      "bool",      "void",     "struct",   "class",
        "union",  "enum",   "typename", "typedef", "using",     "namespace", "template", "operator", "auto"};
    size_t length = 0;
    while (isalpha((unsigned char)text[length])
           || (length > 0 && text[length] == '\'' && isalpha((unsigned char)text[length + 1])))
        length++;
    for (size_t i = 0; i < sizeof of_declarations / sizeof *of_declarations; i++)
        if (strlen(of_declarations[i]) == length && strncmp(text, of_declarations[i], length) == 0)
            return 0;
    return length;
}

/* Is the line outside of all functions one of a text, as an answer has it around code: four words in a row or more, or three
 * that begin with a capital letter and end as a sentence does, or one that begins with bold text of Markdown? C and C++ have
 * no such row of names, unless types are misspelt: then a bracket or a sign follows the last one. */
static bool prose(struct facts *facts)
{
    const char *line = line_text(facts, 0);
    if (!line || facts->depth > 0)
        return false;
    line += strspn(line, " \t");
    if (*line == '#') /* a directive: what is wrong with it is said below */
        return false;
    if (strncmp(line, "**", 2) == 0 && isalpha((unsigned char)line[2]))
        return true;
    const char *start = line + strspn(line, "*->0123456789.");
    start += start == line ? 0 : strspn(start, " ");
    bool capital = isupper((unsigned char)*start) != 0; /* and nothing but words since */
    for (int row = 0; *start != '\0' && *start != '\n';) {
        size_t length = prose_word(start);
        const char *after = start + length;
        row = length > 0 ? row + 1 : 0;
        capital &= length > 0;
        bool ends = *after != '\0' && strchr(".!?:", *after) && after[1] != ':';
        bool of_code = *after != '\0' && strchr("(=[{_;<,", *after);
        if ((row >= 4 && !of_code) || (row >= 3 && capital && ends))
            return true;
        start = after + (length > 0 ? strspn(after, " ") : 1);
    }
    return false;
}

/* Characters that are not ASCII, outside of comments and literals. */
static int count_strange(const struct source *source)
{
    int count = 0;
    for (size_t i = 0; i < source->token_count; i++)
        for (int k = 0; source->tokens[i].kind != SOURCE_LITERAL && k < source->tokens[i].length; k++)
            count += (unsigned char)source->tokens[i].text[k] >= 0xc0;
    return count;
}

/* The character at the caret, which no name, number or sign of C has. */
static bool strange_character(struct facts *facts)
{
    const char *line = line_text(facts, 0);
    size_t length = line ? strcspn(line, "\n") : 0;
    if (!line || facts->column < 1 || (size_t)facts->column > length)
        return false;
    const char *here = line + facts->column - 1;
    struct text_lookalike found;
    char storage[2], character[8] = "", more[60] = "";
    int32_t point;
    size_t taken = printable_point(here, length - (size_t)(here - line), &point);
    if (taken == 0)
        return false;
    snprintf(character, sizeof character, "%.*s", (int)taken, here);
    int others = point >= 128 ? count_strange(facts->source) - 1 : 0;
    if (others > 0)
        snprintf(more, sizeof more, " The file has %d more such character%s.", others, others == 1 ? "" : "s");
    if (text_find_lookalike(point, &found, storage)) {
        bool invisible = strncmp(found.name, "an invisible", 12) == 0;
        snprintf(facts->text, sizeof facts->text, "%s is %s (U+%04X). %s%s%s%s", invisible ? "Here" : character, found.name,
                 (unsigned)point, found.type[0] ? "Type " : "Delete it.", found.type, found.type[0] ? " instead." : "",
                 more);
    } else if (point == '\\') {
        snprintf(facts->text, sizeof facts->text,
                 "A backslash belongs between quotes, or at the very end of a line. Division is written /.");
    } else if (point < ' ' || point == 127) {
        snprintf(facts->text, sizeof facts->text, "There is an invisible control character here (0x%02x). Delete it.",
                 (unsigned)point);
    } else {
        snprintf(
            facts->text, sizeof facts->text,
            "%s may be used only in comments and between quotes: names are made of the letters A to Z and a to z, digits "
            "and _.%s",
            character, more);
    }
    return true;
}

static bool typographic_end(struct facts *facts)
{
    const struct source_token *literal = facts_token(facts, facts->at, 0);
    static const char *const quotes[] = {"\xe2\x80\x9d", "\xe2\x80\x9c", "\xe2\x80\x9f"};
    for (size_t i = 0; i < COUNT(quotes); i++)
        if (literal->kind == SOURCE_LITERAL && *literal->text == '"'
            && memmem(literal->text, (size_t)literal->length, quotes[i], 3)) {
            snprintf(facts->a, sizeof facts->a, "%s", quotes[i]);
            return true;
        }
    return false;
}

static bool double_quote(struct facts *facts)
{
    return *facts_token(facts, facts->at, 0)->text == '"';
}

/* ---- directives ---- */

static bool near_directive(struct facts *facts)
{
    static const char *const known[] = {"include", "define", "ifdef", "ifndef", "endif", "pragma", "undef", "else"};
    const char *line = line_text(facts, 0);
    char word[FACTS_WORD_BYTES];
    if (!line)
        return false;
    line += strspn(line, " \t#");
    snprintf(word, sizeof word, "%.*s", (int)strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"), line);
    for (size_t i = 0; i < COUNT(known); i++)
        if (facts_is_nearly(word, known[i])) {
            snprintf(facts->a, sizeof facts->a, "%s", known[i]);
            return true;
        }
    return false;
}

static bool header_without_h(struct facts *facts)
{
    char name[FACTS_WORD_BYTES + 3];
    if (!facts_quoted(facts, 0, facts->a))
        return false;
    snprintf(name, sizeof name, "%s.h", facts->a);
    return headers_has(name, strlen(name));
}

static bool header_of_the_host(struct facts *facts)
{
    static const char *const host[] = {"iostream", "vector",        "string",  "map",     "set",           "list",
                                       "deque",    "unordered_map", "fstream", "sstream", "iomanip",       "chrono",
                                       "thread",   "mutex",         "random",  "memory",  "bits/stdc++.h", "ostream"};
    return facts_quoted(facts, 0, facts->a) && is_among(facts->a, host, COUNT(host));
}

static const struct source_macro *macro_at(struct facts *facts, int step)
{
    const struct source_token *token = facts_token(facts, facts->at, step);
    const struct source_macro *macro = token->kind == SOURCE_WORD && token->length > 0
                                           ? source_find_macro(facts->source, token)
                                           : NULL;
    if (!macro || macro->count == 0)
        return NULL;
    facts_copy(token, facts->a);
    facts->n = facts->source->tokens[macro->first].line;
    return macro;
}

/* The macro that is used at the caret, or just before it; also in the parentheses of __launch_bounds__, which is a macro
 * itself, so that the caret is at its name. */
static const struct source_macro *used_macro(struct facts *facts)
{
    bool complains = strncmp(facts->message, "expected", 8) == 0 || strncmp(facts->message, "operand of", 10) == 0;
    bool bounds = source_token_is(facts_token(facts, facts->at, 0), "__launch_bounds__");
    const struct source_macro *macro = NULL;
    for (int step = 0; complains && !macro && step >= -1; step--)
        macro = macro_at(facts, step);
    for (int step = 2;
         complains && bounds && !macro && step <= 4 && !source_token_is(facts_token(facts, facts->at, step), ")"); step++)
        macro = macro_at(facts, step);
    return macro;
}

static bool macro_with_semicolon(struct facts *facts)
{
    const struct source_macro *macro = used_macro(facts);
    return macro && source_token_is(&facts->source->tokens[macro->first + macro->count - 1], ";");
}

static bool macro_with_equals(struct facts *facts)
{
    const struct source_macro *macro = used_macro(facts);
    return macro && source_token_is(&facts->source->tokens[macro->first], "=");
}

/* #define with more ( than ) */
static bool macro_with_open_parenthesis(struct facts *facts)
{
    const struct source_macro *macro = strstr(facts->message, "\")\"") ? used_macro(facts) : NULL;
    int depth = 0;
    for (size_t i = 0; macro && i < macro->count; i++) {
        const struct source_token *token = &facts->source->tokens[macro->first + i];
        depth += source_token_is(token, "(") - source_token_is(token, ")");
    }
    return depth > 0;
}

static bool include_without_hash(struct facts *facts)
{
    return facts_is(facts, 0, "include");
}

/* ---- loops ---- */

/* The semicolons between the parentheses of the for that the caret is in, or closes; -1: there is no such for. */
static int count_semicolons(struct facts *facts, bool *comma)
{
    const struct source *source = facts->source;
    if (!source || facts->open >= source->token_count || facts->open == 0
        || !source_token_is(&source->tokens[facts->open - 1], "for"))
        return -1;
    size_t close = source_closing(source, facts->open, source->token_count);
    int count = 0, depth = 0;
    for (size_t i = facts->open + 1; i < close && close < source->token_count; i++) {
        depth += source_token_is(&source->tokens[i], "(") - source_token_is(&source->tokens[i], ")");
        count += depth == 0 && source_token_is(&source->tokens[i], ";");
        *comma |= depth == 0 && source_token_is(&source->tokens[i], ",");
    }
    return close < source->token_count ? count : -1;
}

static bool for_with_commas(struct facts *facts)
{
    bool comma = false;
    int count = count_semicolons(facts, &comma);
    return count >= 0 && count < 2 && comma;
}

static bool for_with_three_semicolons(struct facts *facts)
{
    bool comma = false;
    return count_semicolons(facts, &comma) > 2;
}

static bool for_with_few_semicolons(struct facts *facts)
{
    bool comma = false;
    int count = facts_is(facts, 0, ")") ? count_semicolons(facts, &comma) : -1;
    return count >= 0 && count < 2;
}

static bool for_in_without_parentheses(struct facts *facts)
{
    return facts_is(facts, -1, "for") && facts_is(facts, 1, "in") && facts_is_word(facts, 0) && caret(facts);
}

static bool for_in(struct facts *facts)
{
    return facts_is(facts, -1, "(") && facts_is(facts, -2, "for") && facts_is(facts, 1, "in") && caret(facts);
}

/* ---- kernels and functions ---- */

static const char *const built_in[] = {"threadIdx", "blockIdx", "blockDim", "gridDim"};

static bool misspelt_bounds(struct facts *facts)
{
    char word[FACTS_WORD_BYTES];
    facts_copy(facts_token(facts, facts->at, 0), word);
    return facts_is(facts, 1, "(") && facts_is_nearly(word, "__launch_bounds__") && strcmp(word, "__launch_bounds__") != 0;
}

/* Is the word at the marked place one of these? The compiler knows none of them. */
static bool is_marked(struct facts *facts, const char *const *words, size_t count)
{
    if (!facts_is_word(facts, 0))
        return false;
    facts_copy(facts_token(facts, facts->at, 0), facts->a);
    for (size_t i = 0; i < count; i++)
        if (strcmp(facts->a, words[i]) == 0)
            return true;
    return false;
}

static bool opencl_kernel(struct facts *facts)
{
    static const char *const words[] = {"__kernel"};
    return is_marked(facts, words, COUNT(words));
}

static bool opencl_parameter(struct facts *facts)
{
    static const char *const words[] = {"__global", "global"};
    for (int step = 1; step < 40; step++) {
        const struct source_token *word = facts_token(facts, facts->at, step);
        const struct source_token *before = facts_token(facts, facts->at, step - 1);
        if (word->length == 0 || source_token_is(word, "{"))
            return false;
        facts_copy(word, facts->a);
        if (SOURCE_IS_ANY(word, words)
            && (source_token_is(before, "(") || source_token_is(before, ",") || source_token_is(before, "const"))
            && facts_token(facts, facts->at, step + 1)->kind == SOURCE_WORD)
            return true;
    }
    return false;
}

static bool opencl_local(struct facts *facts)
{
    static const char *const words[] = {"__local"};
    return is_marked(facts, words, COUNT(words));
}

static bool misspelt_attribute(struct facts *facts)
{
    static const char *const known[] = {"__global__", "__device__", "__shared__", "__constant__", "extern", "template"};
    char word[FACTS_WORD_BYTES];
    bool fits = strstr(facts->message, "explicit type is missing") || strstr(facts->message, "is undefined")
                || strstr(facts->message, "storage class or type specifier");
    const struct source_token *next = facts_token(facts, facts->at, 1);
    if (!fits || !facts_is_word(facts, 0) || (next->kind != SOURCE_WORD && next->kind != SOURCE_LITERAL)
        || next->length == 0)
        return false;
    facts_copy(facts_token(facts, facts->at, 0), word);
    for (size_t i = 0; i < COUNT(known); i++)
        if (strcmp(word, known[i]) != 0 && facts_is_nearly(word, known[i])) {
            snprintf(facts->a, sizeof facts->a, "%s", known[i]);
            return true;
        }
    if (strcmp(word, "kernel") == 0 || strcmp(word, "__kernel__") == 0) {
        snprintf(facts->a, sizeof facts->a, "__global__");
        return true;
    }
    /* external "C" */
    snprintf(facts->a, sizeof facts->a, "extern");
    return next->kind == SOURCE_LITERAL && strncmp(word, "ext", 3) == 0;
}

/* name (...) { */
static bool has_body_behind_parameters(const struct facts *facts)
{
    if (!facts_is(facts, 1, "("))
        return false;
    size_t close = source_closing(facts->source, facts->at + 1, facts->source->token_count);
    return close + 1 < facts->source->token_count && source_token_is(&facts->source->tokens[close + 1], "{");
}

static bool after_global(struct facts *facts)
{
    return facts_is(facts, -1, "__global__") && has_body_behind_parameters(facts) && caret_word(facts);
}

static bool after_device(struct facts *facts)
{
    return facts_is(facts, -1, "__device__") && has_body_behind_parameters(facts) && caret_word(facts);
}

static bool extern_without_quotes(struct facts *facts)
{
    return facts_is(facts, -1, "extern") && facts_is(facts, 0, "C");
}

static bool in_template(struct facts *facts)
{
    return facts_is(facts, 0, "template");
}

static bool in_kernel(struct facts *facts)
{
    return facts->depth > 0 && facts->kernel;
}

static bool in_void_function(struct facts *facts)
{
    return facts->depth > 0 && !facts->kernel && facts->params > facts->head
           && facts_has(facts, facts->head, facts->params, "void");
}

static bool in_parameters(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts->open < facts->source->token_count
           && source_token_is(&facts->source->tokens[facts->open], "(");
}

static bool comma_before_end(struct facts *facts)
{
    return facts_is(facts, 0, ")") && facts_is(facts, -1, ",");
}

static bool attribute_before_extern(struct facts *facts)
{
    return (facts_is(facts, 0, "__global__") || facts_is(facts, 0, "__device__")) && facts_is(facts, 1, "extern")
           && caret(facts);
}

/* template <typename T> extern "C" */
static bool extern_after_template(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts->at < facts->source->token_count && facts_is(facts, -1, ">")
           && source_token_is(&facts->source->tokens[facts_statement(facts, facts->at)], "template");
}

/* void extern "C" */
static bool extern_not_first(struct facts *facts)
{
    return (facts_is(facts, 0, "extern") || facts_is(facts, -1, "extern"))
           && (facts_is(facts, facts_is(facts, 0, "extern") ? -1 : -2, "void") || facts_is(facts, -1, "__global__")
               || facts_is(facts, -2, "__global__"));
}

static bool extern_single_quotes(struct facts *facts)
{
    return facts_is(facts, -1, "extern") && *facts_token(facts, facts->at, 0)->text == '\'';
}

static bool on_the_line(const struct facts *facts, const char *word)
{
    for (size_t i = 0; facts->source && i < facts->source->token_count; i++)
        if (facts->source->tokens[i].line == facts->line && source_token_is(&facts->source->tokens[i], word))
            return true;
    return false;
}

static bool static_on_the_line(struct facts *facts)
{
    return on_the_line(facts, "static");
}

static bool launch_brackets(struct facts *facts)
{
    const char *line = line_text(facts, 0);
    size_t length = line ? strcspn(line, "\n") : 0;
    return line && memmem(line, length, "<<<", 3);
}

static bool vector_on_the_line(struct facts *facts)
{
    return on_the_line(facts, "vector");
}

/* A word of the line that is nearly a type. */
static bool misspelt_type(struct facts *facts)
{
    static const char *const known[] = {"float", "double", "void", "unsigned", "int", "char"};
    for (size_t i = 0; facts->source && i + 1 < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i], *next = token + 1;
        bool before_name = source_token_is(next, "*") || next->kind == SOURCE_WORD;
        if (token->line != facts->line || token->kind != SOURCE_WORD || !before_name)
            continue;
        facts_copy(token, facts->a);
        for (size_t k = 0; k < COUNT(known); k++) {
            snprintf(facts->b, sizeof facts->b, "%s", known[k]);
            bool alike = strlen(known[k]) > 3 ? facts_is_nearly(facts->a, known[k]) : strcasecmp(facts->a, known[k]) == 0;
            if (alike && strcmp(facts->a, known[k]) != 0)
                return true;
        }
    }
    return false;
}

static bool is_main(struct facts *facts)
{
    return facts_is(facts, 0, "main");
}

static bool inside_function(struct facts *facts)
{
    if (facts->depth == 0)
        return false;
    facts->n = facts->source->tokens[facts->body].line;
    return true;
}

/* Does a kernel, or what kernels call, call it? */
static bool called_in_file(struct facts *facts)
{
    if (!caret_word(facts))
        return false;
    for (size_t i = 0; i + 1 < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        if (i == facts->at || !source_token_same(token, &facts->source->tokens[facts->at])
            || !source_token_is(&facts->source->tokens[i + 1], "(") || facts_declares(facts, i))
            continue;
        struct facts there = *facts;
        there.at = i;
        facts_look_around(&there);
        facts->n = token->line;
        if (there.kernel || there.device)
            return true;
    }
    return false;
}

static bool uses_thread_index(struct facts *facts)
{
    static const char *const of_device[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", "__syncthreads", "__shared__"};
    struct source_function function;
    if (!caret_word(facts) || !source_find_function(facts->source, facts->a, facts->line, &function))
        return false;
    for (size_t i = function.first; i < function.last; i++) {
        facts_copy(&facts->source->tokens[i], facts->b);
        if (is_among(facts->b, of_device, COUNT(of_device)))
            return true;
    }
    return false;
}

static bool extern_inside(struct facts *facts)
{
    size_t start = facts->source && facts->depth > 0 ? facts_statement(facts, facts->at) : 0;
    return facts->depth > 0 && facts_has(facts, start, facts->at, "extern");
}

static bool global_variable(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts->at < facts->source->token_count && facts_declares(facts, facts->at)
           && caret_word(facts);
}

static bool outside_functions(struct facts *facts)
{
    static const char *const statements[] = {"if", "for", "while", "return", "else", "do", "switch", "break"};
    static const char *const signs[] = {"=", "[", "(", ".", "++", "+=", "-="};
    char next[FACTS_WORD_BYTES];
    facts_copy(facts_token(facts, facts->at, 1), next);
    return facts->source && facts->depth == 0 && caret_word(facts) && facts_statement(facts, facts->at) == facts->at
           && (is_among(facts->a, statements, COUNT(statements)) || is_among(next, signs, COUNT(signs)));
}

/* > of a mail, line numbers, $, + of a patch. */
static bool foreign_text(struct facts *facts)
{
    const struct source_token *here = facts_token(facts, facts->at, 0);
    return facts->source && facts->depth == 0 && here->length > 0 && here->kind != SOURCE_WORD && !facts_is(facts, 0, "{")
           && !facts_is(facts, 0, "}");
}

/* void f(...); { */
static bool semicolon_before_body(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts_is(facts, 0, "{") && facts_is(facts, -1, ";")
           && facts_is(facts, -2, ")");
}

/* struct s { ... } without a semicolon, just before the caret. */
static bool struct_before(struct facts *facts)
{
    static const char *const words[] = {"struct", "class", "enum", "union"};
    int depth = 0;
    if (facts->depth > 0 || !facts_is(facts, -1, "}"))
        return false;
    for (size_t i = facts->at; i-- > 0;) {
        depth += source_token_is(&facts->source->tokens[i], "}") - source_token_is(&facts->source->tokens[i], "{");
        if (depth > 0)
            continue;
        char word[FACTS_WORD_BYTES];
        facts_copy(&facts->source->tokens[facts_statement(facts, i)], word);
        facts->n = facts->source->tokens[facts->at - 1].line;
        return is_among(word, words, COUNT(words));
    }
    return false;
}

static bool surplus_brace(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts_is(facts, 0, "}");
}

/* ---- names ---- */

/* threadIdx_x */
static bool index_joined(struct facts *facts)
{
    char word[FACTS_WORD_BYTES];
    if (!facts_quoted(facts, 0, word))
        return false;
    for (size_t i = 0; i < COUNT(built_in); i++) {
        size_t length = strlen(built_in[i]);
        snprintf(facts->a, sizeof facts->a, "%s", built_in[i]);
        if (strncmp(word, built_in[i], length) == 0 && strspn(word + length, "_xyzXYZ") == strlen(word + length)
            && word[length] != '\0')
            return true;
    }
    return false;
}

/* blockDim(x) */
static bool part_in_parentheses(struct facts *facts)
{
    if (!facts_is(facts, -1, "(") || !facts_is(facts, 1, ")"))
        return false;
    facts_copy(facts_token(facts, facts->at, -2), facts->a);
    facts_copy(facts_token(facts, facts->at, 0), facts->b);
    return is_among(facts->a, built_in, COUNT(built_in)) && strlen(facts->b) == 1 && strchr("xyz", *facts->b);
}

/* float a[n] among the parameters, before n */
static bool size_of_parameter(struct facts *facts)
{
    const struct source *source = facts->source;
    return source && facts->depth == 0 && facts->open < source->token_count
           && source_token_is(&source->tokens[facts->open], "[");
}

/* Does the file include it, between angles or quotes? */
static bool includes(const struct facts *facts, const char *header)
{
    char angles[FACTS_WORD_BYTES + 2], quotes[FACTS_WORD_BYTES + 2];
    snprintf(angles, sizeof angles, "<%.60s>", header);
    snprintf(quotes, sizeof quotes, "\"%.60s\"", header);
    return facts->source && (strstr(facts->source->text, angles) || strstr(facts->source->text, quotes));
}

/* A name that a header brings, where the file does not include it. */
static bool name_of_header(struct facts *facts)
{
    static const char *const rows_of[][2] = {
        {"M_PI", "math.h"},
        {"M_E", "math.h"},
        {"M_SQRT2", "math.h"},
        {"INFINITY", "math.h"},
        {"NAN", "math.h"},
        {"HUGE_VAL", "math.h"},
        {"HUGE_VALF", "math.h"},
        {"INT_MAX", "limits.h"},
        {"INT_MIN", "limits.h"},
        {"UINT_MAX", "limits.h"},
        {"LONG_MAX", "limits.h"},
        {"CHAR_BIT", "limits.h"},
        {"FLT_MAX", "float.h"},
        {"FLT_MIN", "float.h"},
        {"FLT_EPSILON", "float.h"},
        {"DBL_MAX", "float.h"},
        {"DBL_EPSILON", "float.h"},
        {"uint8_t", "stdint.h"},
        {"uint16_t", "stdint.h"},
        {"uint32_t", "stdint.h"},
        {"uint64_t", "stdint.h"},
        {"int8_t", "stdint.h"},
        {"int16_t", "stdint.h"},
        {"int32_t", "stdint.h"},
        {"int64_t", "stdint.h"},
        {"half", "cuda_fp16.h"},
        {"__half", "cuda_fp16.h"},
        {"half2", "cuda_fp16.h"},
        {"__half2", "cuda_fp16.h"},
        {"__float2half", "cuda_fp16.h"},
        {"__half2float", "cuda_fp16.h"},
        {"curandState", "curand_kernel.h"},
        {"curand_init", "curand_kernel.h"},
        {"curand_uniform", "curand_kernel.h"},
        {"cooperative_groups", "cooperative_groups.h"},
        {"__pipeline_memcpy_async", "cuda_pipeline.h"},
        {"__pipeline_commit", "cuda_pipeline.h"},
        {"__pipeline_wait_prior", "cuda_pipeline.h"},
        {"wmma", "mma.h"},
    };
    if (!facts_quoted(facts, 0, facts->a) || !strstr(facts->message, "is undefined"))
        facts_copy(facts_token(facts, facts->at, 0), facts->a);
    for (size_t i = 0; i < COUNT(rows_of); i++)
        if (strcmp(facts->a, rows_of[i][0]) == 0) {
            snprintf(facts->b, sizeof facts->b, "%s", rows_of[i][1]);
            return !includes(facts, facts->b);
        }
    return false;
}

static bool alias_of_groups(struct facts *facts)
{
    return facts_is(facts, 0, "cg");
}

static bool no_such_atomic(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && strncmp(facts->a, "atomic", 6) == 0 && facts_is(facts, 1, "(");
}

static bool no_such_shuffle(struct facts *facts)
{
    static const char *const old[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor"};
    return facts_quoted(facts, 0, facts->a) && strstr(facts->a, "shfl") && facts_is(facts, 1, "(")
           && !is_among(facts->a, old, COUNT(old));
}

static bool variable_of_another_language(struct facts *facts)
{
    static const char *const words[] = {"let", "var", "val", "dim", "Dim", "my"};
    return facts_quoted(facts, 0, facts->a) && is_among(facts->a, words, COUNT(words)) && facts_is_word(facts, 1);
}

static bool function_of_another_language(struct facts *facts)
{
    static const char *const words[] = {"def", "function", "func", "fn", "fun", "sub"};
    return facts_quoted(facts, 0, facts->a) && is_among(facts->a, words, COUNT(words)) && facts_is_word(facts, 1);
}

static bool index_of_another_language(struct facts *facts)
{
    static const char *const words[] = {"get_global_id", "get_local_id", "get_group_id", "cuda"};
    return facts_quoted(facts, 0, facts->a) && is_among(facts->a, words, COUNT(words))
           && (facts_is(facts, 1, "(") || facts_is(facts, 1, "."));
}

static bool quoted_name(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && facts->a[0] != '\0';
}

static bool unknown_constant(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && strspn(facts->a, "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(facts->a)
           && isupper((unsigned char)facts->a[0]) && !facts_is(facts, 1, "(") && strcmp(facts->a, "FILE") != 0;
}

/* Does the block that token `declared` is in end before the caret? A for's own variable ends with its statement. */
static bool has_ended(const struct facts *facts, size_t declared)
{
    int depth = 0;
    for (size_t i = declared; i < facts->at; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        depth += source_token_is(token, "{") - source_token_is(token, "}");
        if (depth < 0)
            return true;
    }
    size_t start = declared;
    while (start > facts->body && !source_token_is(&facts->source->tokens[start], "(")
           && !source_token_is(&facts->source->tokens[start], ";") && !source_token_is(&facts->source->tokens[start], "{"))
        start--;
    return source_token_is(&facts->source->tokens[start], "(") && start > 0
           && source_token_is(&facts->source->tokens[start - 1], "for");
}

static bool ended_scope(struct facts *facts)
{
    if (facts->depth == 0 || !caret_word(facts))
        return false;
    for (size_t i = facts->body; i < facts->at; i++)
        if (source_token_same(&facts->source->tokens[i], &facts->source->tokens[facts->at]) && facts_declares(facts, i)
            && has_ended(facts, i)) {
            facts->n = facts->source->tokens[i].line;
            return true;
        }
    return false;
}

/* A variable or a parameter of the same function, or a function of the file, above the caret. */
static bool similar_variable(struct facts *facts)
{
    if (facts->depth == 0 || !caret_word(facts) || strlen(facts->a) < 3)
        return false;
    for (size_t i = facts->head; i < facts->at; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        if (!facts_declares(facts, i) || token->length < 3)
            continue;
        facts_copy(token, facts->b);
        facts->n = token->line;
        if (facts_is_nearly(facts->a, facts->b) && strcmp(facts->a, facts->b) != 0 && !has_ended(facts, i))
            return true;
    }
    return false;
}

/* What device code may use without declaring it, and C's own words, as people misspell them. */
static bool known_word(struct facts *facts)
{
    static const char *const known[] = {
        "threadIdx",     "blockIdx",      "blockDim",  "gridDim",        "warpSize",         "__syncthreads",
        "__syncwarp",    "atomicAdd",     "atomicCAS", "atomicMax",      "atomicMin",        "atomicExch",
        "atomicSub",     "__shfl_sync",   "printf",    "__shfl_up_sync", "__shfl_down_sync", "__shfl_xor_sync",
        "__threadfence", "__ballot_sync", "float",     "double",         "unsigned",         "return",
        "while",         "const",         "void",      "sizeof",         "struct",           "sqrtf",
        "fabsf",         "fminf",         "fmaxf",
    };
    static const char *const exact[][2] = {
        {"threadId", "threadIdx"},
        {"blockId", "blockIdx"},
        {"blockSize", "blockDim"},
        {"gridSize", "gridDim"},
        {"null", "NULL"},
        {"Null", "NULL"},
        {"nil", "NULL"},
        {"None", "NULL"},
        {"True", "true"},
        {"TRUE", "true"},
        {"False", "false"},
        {"FALSE", "false"},
        {"boolean", "bool"},
        {"Bool", "bool"},
        {"elif", "else if"},
        {"elseif", "else if"},
        {"If", "if"},
        {"IF", "if"},
        {"Else", "else"},
        {"For", "for"},
        {"Int", "int"},
        {"Char", "char"},
        {"integer", "int"},
        {"MAX", "max"},
        {"Max", "max"},
        {"MIN", "min"},
        {"Min", "min"},
        {"power", "pow"},
        {"atomic_add", "atomicAdd"},
        {"add_atomic", "atomicAdd"},
        {"barrier", "__syncthreads"},
        {"__sync", "__syncthreads"},
        {"syncthread", "__syncthreads"},
        {"__synchthreads", "__syncthreads"},
        {"__sync_threads", "__syncthreads"},
        {"__syncThreads", "__syncthreads"},
        {"fro", "for"},
        {"itn", "int"},
        {"printF", "printf"},
    };
    if (!facts_quoted(facts, 0, facts->a))
        return false;
    for (size_t i = 0; i < COUNT(exact); i++)
        if (strcmp(facts->a, exact[i][0]) == 0) {
            snprintf(facts->b, sizeof facts->b, "%s", exact[i][1]);
            return true;
        }
    for (size_t i = 0; i < COUNT(known) && strlen(facts->a) >= 4; i++)
        if (facts_is_nearly(facts->a, known[i]) && strcmp(facts->a, known[i]) != 0) {
            snprintf(facts->b, sizeof facts->b, "%s", known[i]);
            return true;
        }
    return false;
}

/* The first name that the message quotes, or with `member` the second: is it one of the list? */
static bool quotes_one_of(struct facts *facts, int member, const char *const *list, size_t count)
{
    return facts_quoted(facts, member, facts->a) && is_among(facts->a, list, count);
}

static const char *const streams[] = {"cout", "cin", "cerr", "endl", "clog", "ostream", "std"};
static const char *const containers[] = {"vector", "string", "map",           "set",        "list",       "deque",  "array",
                                         "queue",  "stack",  "unordered_map", "unique_ptr", "shared_ptr", "thread", "mutex"};

static bool host_call(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && strncmp(facts->a, "cuda", 4) == 0 && isupper((unsigned char)facts->a[4]);
}

static bool host_stream(struct facts *facts)
{
    return quotes_one_of(facts, 0, streams, COUNT(streams));
}

static bool host_stream_member(struct facts *facts)
{
    return quotes_one_of(facts, 1, streams, COUNT(streams));
}

static bool host_container(struct facts *facts)
{
    return quotes_one_of(facts, 0, containers, COUNT(containers)) && facts_is(facts, 1, "<");
}

static bool host_container_member(struct facts *facts)
{
    return quotes_one_of(facts, 1, containers, COUNT(containers));
}

static bool std_function(struct facts *facts)
{
    static const char *const names[] = {"min", "max", "abs", "fabs", "sqrt",  "pow",
                                        "exp", "log", "sin", "cos",  "floor", "ceil"};
    return quotes_one_of(facts, 1, names, COUNT(names));
}

static bool std_member(struct facts *facts)
{
    return facts_quoted(facts, 1, facts->a);
}

static bool host_exit(struct facts *facts)
{
    static const char *const names[] = {"exit", "abort", "quit"};
    return quotes_one_of(facts, 0, names, COUNT(names)) && facts_is(facts, 1, "(");
}

static bool host_print(struct facts *facts)
{
    static const char *const names[] = {"print", "println", "puts", "putchar", "fprintf", "sprintf", "stdout", "stderr"};
    return quotes_one_of(facts, 0, names, COUNT(names));
}

static bool host_library(struct facts *facts)
{
    static const char *const names[] = {"rand",   "srand",   "time",   "scanf",  "fopen",  "fclose",      "getchar",
                                        "gets",   "system",  "getenv", "strlen", "strcmp", "atoi",        "atof",
                                        "calloc", "realloc", "sleep",  "usleep", "qsort",  "gettimeofday"};
    return quotes_one_of(facts, 0, names, COUNT(names)) && facts_is(facts, 1, "(");
}

static bool old_shuffle(struct facts *facts)
{
    static const char *const names[] = {"__shfl", "__shfl_up", "__shfl_down", "__shfl_xor", "__any", "__all", "__ballot"};
    return quotes_one_of(facts, 0, names, COUNT(names));
}

static bool clamp(struct facts *facts)
{
    static const char *const names[] = {"clamp"};
    return quotes_one_of(facts, 0, names, COUNT(names)) && facts_is(facts, 1, "(");
}

static bool parameter_without_type(struct facts *facts)
{
    const struct source *source = facts->source;
    if (!source || facts->depth > 0 || facts->open >= source->token_count || facts->open == 0
        || source->tokens[facts->open - 1].kind != SOURCE_WORD)
        return false;
    return (facts_is(facts, -1, ",") || facts_is(facts, -1, "(")) && (facts_is(facts, 1, ",") || facts_is(facts, 1, ")"))
           && caret_word(facts);
}

static bool defined_below(struct facts *facts)
{
    struct source_function function;
    if (!caret_word(facts) || !facts_is(facts, 1, "(") || !source_find_function(facts->source, facts->a, 0, &function)
        || function.name <= facts->at || facts->source->tokens[function.name - 1].kind != SOURCE_WORD)
        return false;
    facts->n = facts->source->tokens[function.name].line;
    return true;
}

static bool unknown_function(struct facts *facts)
{
    return caret_word(facts) && facts_is(facts, 1, "(");
}

static bool unknown_type(struct facts *facts)
{
    return caret_word(facts) && facts_is_word(facts, 1);
}

static bool unknown_variable(struct facts *facts)
{
    return facts->depth > 0 && caret_word(facts);
}

/* ---- declarations ---- */

/* The name at the caret is a parameter of the function around it. */
static bool declared_as_parameter(struct facts *facts)
{
    size_t first, last;
    return facts_quoted(facts, 0, facts->a) && facts_is(facts, 0, facts->a) && caret_word(facts)
           && facts_parameter(facts, facts_token(facts, facts->at, 0), &first, &last);
}

static bool declared_above(struct facts *facts)
{
    if (facts->depth == 0 || !facts_is_word(facts, 0) || !caret(facts))
        return false;
    for (size_t i = facts->at; i-- > facts->body;)
        if (source_token_same(&facts->source->tokens[i], &facts->source->tokens[facts->at]) && facts_declares(facts, i)
            && !has_ended(facts, i)) {
            facts->n = facts->source->tokens[i].line;
            return true;
        }
    return false;
}

static bool is_keyword(struct facts *facts)
{
    static const char *const words[] = {
        "int",    "float", "double", "char",   "void",   "bool",   "short",   "long",     "signed",   "unsigned", "auto",
        "for",    "while", "if",     "else",   "do",     "switch", "case",    "default",  "break",    "continue", "return",
        "new",    "class", "struct", "union",  "enum",   "this",   "delete",  "template", "typename", "operator", "public",
        "static", "const", "extern", "inline", "sizeof", "goto",   "private", "register", "volatile", "namespace"};
    return caret_word(facts) && is_among(facts->a, words, COUNT(words));
}

/* int x, int y; */
static bool type_after_comma(struct facts *facts)
{
    return facts_is(facts, -1, ",") && facts->depth > 0 && is_keyword(facts) && facts_is_word(facts, 1);
}

/* int float = ... */
static bool is_keyword_name(struct facts *facts)
{
    return is_keyword(facts) && (facts_is(facts, 1, "=") || facts_is(facts, 1, ";") || facts_is(facts, 1, "["))
           && facts_is_word(facts, -1);
}

static bool const_word(struct facts *facts)
{
    return strncmp(facts->message, "const variable", 14) == 0;
}

/* 0,5 */
static bool decimal_comma(struct facts *facts)
{
    const struct source_token *before = facts_token(facts, facts->at, -2), *here = facts_token(facts, facts->at, 0);
    facts_copy(before, facts->a);
    facts_copy(here, facts->b);
    return facts_is(facts, -1, ",") && before->kind == SOURCE_NUMBER && here->kind == SOURCE_NUMBER
           && strspn(facts->a, "0123456789") == strlen(facts->a);
}

/* ---- punctuation ---- */

static bool declaration_before_unfinished(struct facts *facts)
{
    const struct source_token *before = facts_token(facts, facts->at, -1), *here = facts_token(facts, facts->at, 0);
    facts->n = before->line;
    return facts->depth == 0 && before->length > 0 && before->line < here->line
           && (before->kind != SOURCE_SIGN || source_token_is(before, "]")) && !source_token_is(here, "{");
}

static bool before_closing_brace(struct facts *facts)
{
    const struct source_token *before = facts_token(facts, facts->at, -1);
    return facts_is(facts, 0, "}") && before->length > 0 && before->line == facts->line;
}

/* else (...) statement */
static bool else_with_condition(struct facts *facts)
{
    int depth = 0;
    if (!facts_is(facts, -1, ")"))
        return false;
    for (size_t i = facts->at; i-- > 1;) {
        const struct source_token *token = &facts->source->tokens[i];
        depth += source_token_is(token, ")") - source_token_is(token, "(");
        if (depth == 0)
            return source_token_is(token - 1, "else");
    }
    return false;
}

static bool colon_equals(struct facts *facts)
{
    return facts_is(facts, 0, ":") && facts_is(facts, 1, "=");
}

/* a{i} */
static bool index_in_braces(struct facts *facts)
{
    const struct source_token *name = facts_token(facts, facts->at, -1);
    facts_copy(name, facts->a);
    return facts_is(facts, 0, "{") && name->kind == SOURCE_WORD && facts->depth > 0 && facts_is_array(facts, name);
}

static bool two_ampersands(struct facts *facts)
{
    return facts_is(facts, 0, "&&") && (facts_is(facts, -1, "(") || facts_is(facts, -1, ",") || facts_is(facts, -1, "="));
}

static bool arrow_to_the_left(struct facts *facts)
{
    return facts_is(facts, 1, "<") && facts_is(facts, 2, "-");
}

/* ---- punctuation ---- */

static bool line_before_unfinished(struct facts *facts)
{
    const struct source_token *before = facts_token(facts, facts->at, -1), *here = facts_token(facts, facts->at, 0);
    bool ends = before->kind != SOURCE_SIGN || source_token_is(before, ")") || source_token_is(before, "]")
                || source_token_is(before, "++") || source_token_is(before, "--");
    if (facts->depth == 0 || before->length == 0 || before->line >= here->line || !ends || source_token_is(here, "{"))
        return false;
    facts->n = before->line;
    return true;
}

static bool surplus_bracket(struct facts *facts)
{
    int depth = 0;
    if ((!facts_is(facts, 0, ")") && !facts_is(facts, 0, "]")) || facts->open < facts->source->token_count)
        return false;
    const char *opening = facts_is(facts, 0, ")") ? "(" : "[";
    for (size_t i = facts_statement(facts, facts->at); i < facts->at; i++)
        depth += source_token_is(&facts->source->tokens[i], opening)
                 - source_token_same(&facts->source->tokens[i], &facts->source->tokens[facts->at]);
    snprintf(facts->b, sizeof facts->b, "%s", opening);
    return depth <= 0 && caret(facts);
}

static bool nested_function(struct facts *facts)
{
    return facts_is(facts, 0, "{") && facts_is(facts, -1, ")") && inside_function(facts);
}

static bool more_open(struct facts *facts)
{
    int depth = 0;
    for (size_t i = 0; facts->source && i < facts->source->token_count; i++)
        if (!facts->source->tokens[i].defined)
            depth += source_token_is(&facts->source->tokens[i], "{") - source_token_is(&facts->source->tokens[i], "}");
    return facts->at_end && depth > 0;
}

static bool after_parameters(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts_is(facts, -1, ")");
}

static bool brackets_before_name(struct facts *facts)
{
    return facts_is(facts, -1, "]") && facts_is(facts, -2, "[") && facts_is_word(facts, -3) && facts->depth == 0
           && caret_word(facts);
}

static bool open_bracket(struct facts *facts)
{
    const struct source *source = facts->source;
    const char *wanted = strstr(facts->message, "\")\"") ? "(" : "[";
    if (!source || facts->open >= source->token_count || !source_token_is(&source->tokens[facts->open], wanted))
        return false;
    facts->n = source->tokens[facts->open].line;
    return true;
}

static bool is_operand(const struct source_token *token)
{
    return token->length > 0 && (token->kind != SOURCE_SIGN);
}

/* `2 a`, `"text" a`: two operands side by side on one line. */
static bool two_in_a_row(struct facts *facts)
{
    const struct source_token *before = facts_token(facts, facts->at, -1), *here = facts_token(facts, facts->at, 0);
    facts_copy(before, facts->a);
    facts_copy(here, facts->b);
    return facts->depth > 0 && before->line == here->line && is_operand(before) && is_operand(here);
}

static bool restrict_word(struct facts *facts)
{
    return facts_is(facts, -1, "restrict");
}

static bool parameters_with_semicolons(struct facts *facts)
{
    return facts->source && facts->depth == 0 && facts_is(facts, 0, ";") && open_bracket(facts);
}

static bool colon_after_condition(struct facts *facts)
{
    return facts_is(facts, 0, ":") && facts_is(facts, -1, ")");
}

static bool not_equal_sign(struct facts *facts)
{
    return facts_is(facts, 0, ">") && facts_is(facts, -1, "<");
}

static bool three_equal_signs(struct facts *facts)
{
    return facts_is(facts, 0, "=") && facts_is(facts, -1, "==");
}

static bool surplus_comment_end(struct facts *facts)
{
    return facts_is(facts, 0, "/") && facts_is(facts, -1, "*");
}

static bool value_missing(struct facts *facts)
{
    return (facts_is(facts, 0, ")") || facts_is(facts, 0, ";") || facts_is(facts, 0, "]") || facts_is(facts, 0, "}"))
           && caret(facts);
}

static bool html_entity(struct facts *facts)
{
    static const char *const names[][2] = {{"lt", "<"}, {"gt", ">"}, {"amp", "&"}, {"quot", "\""}};
    if (!facts_is(facts, -1, "&") || !facts_is(facts, 1, ";") || !caret_word(facts))
        return false;
    for (size_t i = 0; i < COUNT(names); i++)
        if (strcmp(facts->a, names[i][0]) == 0) {
            snprintf(facts->b, sizeof facts->b, "%s", names[i][1]);
            return true;
        }
    return false;
}

static bool condition_without_parentheses(struct facts *facts)
{
    static const char *const words[] = {"if", "while", "for", "switch"};
    facts_copy(facts_token(facts, facts->at, -1), facts->a);
    return is_among(facts->a, words, COUNT(words));
}

static bool dimensions_with_comma(struct facts *facts)
{
    return facts_is(facts, 0, ",");
}

static bool reversed_comparison(struct facts *facts)
{
    return facts_is(facts, -1, "=") && (facts_is(facts, 0, "<") || facts_is(facts, 0, ">")) && caret(facts);
}

static bool is_else(struct facts *facts)
{
    return facts_is(facts, 0, "else");
}

static bool is_number(struct facts *facts)
{
    const struct source_token *token = facts_token(facts, facts->at, 0);
    char word[FACTS_WORD_BYTES];
    facts_copy(token, word);
    return token->kind == SOURCE_NUMBER && strpbrk(word, "ghijkmnopqrstvwxyzGHIJKMNOPQRSTVWXYZ_")
           && strncmp(word, "0x", 2) != 0;
}

static bool float_without_point(struct facts *facts)
{
    char word[FACTS_WORD_BYTES];
    facts_copy(facts_token(facts, facts->at, 0), word);
    size_t digits = strspn(word, "0123456789");
    return digits > 0 && (strcmp(word + digits, "f") == 0 || strcmp(word + digits, "F") == 0);
}

static bool exponent_missing(struct facts *facts)
{
    char word[FACTS_WORD_BYTES];
    facts_copy(facts_token(facts, facts->at, 0), word);
    size_t digits = strspn(word, "0123456789.");
    return digits > 0 && (word[digits] == 'e' || word[digits] == 'E') && word[digits + 1] == '\0';
}

/* 2x */
static bool number_and_name(struct facts *facts)
{
    char word[FACTS_WORD_BYTES];
    facts_copy(facts_token(facts, facts->at, 0), word);
    size_t digits = strspn(word, "0123456789.");
    snprintf(facts->a, sizeof facts->a, "%.*s", (int)digits, word);
    snprintf(facts->b, sizeof facts->b, "%s", word + digits);
    return digits > 0 && isalpha((unsigned char)word[digits]) && !strchr("eEfFuUlLxX", word[digits]);
}

/* ---- values ---- */

/* Is the caret in the condition of an if, while or for, or of ... ? ... :, with an = behind it there? */
static bool in_condition(struct facts *facts)
{
    const struct source *source = facts->source;
    size_t inside = facts->at;
    for (int level = 0; source && level < 8; level++) {
        int depth = 0;
        size_t open = inside;
        while (open-- > 0 && depth >= 0)
            if (source_token_is(&source->tokens[open], ";") && depth == 0 && level > 0)
                return false;
            else
                depth += source_token_is(&source->tokens[open], ")") - source_token_is(&source->tokens[open], "(");
        open++;
        if (depth >= 0 || open == 0)
            return false;
        size_t close = source_closing(source, open, source->token_count);
        if (close >= source->token_count)
            return false;
        const struct source_token *before = &source->tokens[open - 1], *after = &source->tokens[close + 1];
        bool condition = source_token_is(before, "if") || source_token_is(before, "while")
                         || (close + 1 < source->token_count && source_token_is(after, "?"));
        if (source_token_is(before, "for")) {
            int semicolons = 0;
            for (size_t i = open; i < facts->at; i++)
                semicolons += source_token_is(&source->tokens[i], ";");
            condition = semicolons == 1;
            for (close = facts->at; !source_token_is(&source->tokens[close], ";") && close + 1 < source->token_count;)
                close++;
        }
        for (size_t i = facts->at; condition && i < close; i++)
            if (source_token_is(&source->tokens[i], "="))
                return true;
        if (condition)
            return false;
        inside = open;
    }
    return false;
}

/* `name[x, y]` in the statement around the caret, from the caret's line on: {text} says what the comma does. */
static bool comma_in_brackets(struct facts *facts)
{
    const struct source *source = facts->source;
    if (!source || facts->at >= source->token_count || facts->depth == 0)
        return false;
    for (size_t i = facts_statement(facts, facts->at) + 1; i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (source_token_is(token, ";") || source_token_is(token, "{") || source_token_is(token, "}"))
            return false;
        if (!source_token_is(token, "[") || token[-1].kind != SOURCE_WORD)
            continue;
        int depth = 0;
        size_t comma = 0, close = i + 1;
        for (; close < source->token_count && depth >= 0; close++) {
            const struct source_token *here = &source->tokens[close];
            depth += source_token_is(here, "[") + source_token_is(here, "(") - source_token_is(here, "]")
                     - source_token_is(here, ")");
            if (depth == 0 && source_token_is(here, ","))
                comma = close;
        }
        if (comma == 0 || source->tokens[close - 1].defined || source->tokens[i].line != source->tokens[close - 1].line)
            continue;
        const char *second = source->tokens[comma + 1].text, *end = source->tokens[close - 1].text;
        const char *first = source->tokens[i + 1].text, *middle = source->tokens[comma].text;
        if (end < second || middle < first || end - first > 80)
            return false;
        snprintf(facts->text, sizeof facts->text,
                 "The comma between these brackets is an operator: %.*s[%.*s] means %.*s[%.*s]. Each dimension has brackets "
                 "of its own, and with one dimension there is one index: row * columns + column",
                 token[-1].length, token[-1].text, (int)(end - first), first, token[-1].length, token[-1].text,
                 (int)(end - second), second);
        return true;
    }
    return false;
}

/* ---- values ---- */

/* `a[...]`, `*a`, `++a[...]` at the caret: the name a. */
static const struct source_token *changed_name(const struct facts *facts)
{
    int step = facts_is(facts, 0, "*") || facts_is(facts, 0, "(") ? 1 : 0;
    return facts_token(facts, facts->at, step);
}

static bool const_parameter(struct facts *facts)
{
    size_t first, last;
    const struct source_token *name = changed_name(facts);
    bool element = facts_is(facts, 1, "[") || facts_is(facts, 0, "*") || facts_is(facts, 0, "(");
    facts_copy(name, facts->a);
    return element && name->kind == SOURCE_WORD && facts_parameter(facts, name, &first, &last)
           && facts_has(facts, first, last, "const")
           && (facts_has(facts, first, last, "*") || facts_has(facts, first, last, "["));
}

static bool built_in_variable(struct facts *facts)
{
    return caret(facts) && is_among(facts->a, built_in, COUNT(built_in));
}

static bool whole_array(struct facts *facts)
{
    size_t first, last;
    return facts_is_word(facts, 0) && facts_is(facts, 1, "=") && caret(facts)
           && !facts_parameter(facts, facts_token(facts, facts->at, 0), &first, &last)
           && facts_is_array(facts, facts_token(facts, facts->at, 0));
}

static bool const_variable(struct facts *facts)
{
    if (facts->depth == 0 || !facts_is_word(facts, 0) || facts_is(facts, 1, "[") || facts_is(facts, 1, "."))
        return false;
    for (size_t i = facts->head; i < facts->at; i++) {
        size_t start = i;
        if (!source_token_same(&facts->source->tokens[i], &facts->source->tokens[facts->at]) || !facts_declares(facts, i))
            continue;
        while (start > facts->head && !strchr(";{}(,", *facts->source->tokens[start - 1].text))
            start--;
        facts->n = facts->source->tokens[i].line;
        if (facts_has(facts, start, i, "const") && !facts_has(facts, start, i, "*"))
            return caret(facts);
    }
    return false;
}

/* A number, or a sum or product: tokens up to the = with an operator between operands. */
static bool not_a_place(struct facts *facts)
{
    int depth = 0;
    for (size_t i = facts->at; facts->source && i < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        depth += source_token_is(token, "[") + source_token_is(token, "(") - source_token_is(token, "]")
                 - source_token_is(token, ")");
        if (depth == 0 && source_token_is(token, "="))
            return i == facts->at + 1 && facts->source->tokens[facts->at].kind == SOURCE_NUMBER;
        if (depth < 0 || source_token_is(token, ";"))
            return false;
        if (depth == 0 && i > facts->at && (source_token_is(token, "+") || source_token_is(token, "-"))) {
            size_t end = i;
            while (end < facts->source->token_count && !strchr(";{}", *facts->source->tokens[end].text)
                   && !source_token_is(&facts->source->tokens[end], "="))
                end++;
            return end < facts->source->token_count && source_token_is(&facts->source->tokens[end], "=");
        }
    }
    return false;
}

/* threadIdx and the like on the line, without a part. */
static bool built_in_whole(struct facts *facts)
{
    for (size_t i = 0; facts->source && i < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        if (token->line != facts->line || token->kind != SOURCE_WORD)
            continue;
        facts_copy(token, facts->a);
        const struct source_token *next = facts_token(facts, i, 1);
        if (is_among(facts->a, built_in, COUNT(built_in)) && !source_token_is(next, ".") && !source_token_is(next, "->")
            && !source_token_is(next, "["))
            return true;
    }
    return false;
}

static bool is_pointer_operand(const struct facts *facts, int step)
{
    const struct source_token *after = facts_token(facts, facts->at, step + 1);
    return facts_is_word(facts, step) && facts_is_array(facts, facts_token(facts, facts->at, step))
           && !source_token_is(after, "[") && !source_token_is(after, "(");
}

static bool sum_of_arrays(struct facts *facts)
{
    if (!is_pointer_operand(facts, 0) || !facts_is(facts, -1, "+") || !is_pointer_operand(facts, -2))
        return false;
    facts_copy(facts_token(facts, facts->at, -2), facts->a);
    facts_copy(facts_token(facts, facts->at, 0), facts->b);
    return true;
}

static bool float_index(struct facts *facts)
{
    return facts_is(facts, -1, "[");
}

/* Is the operand at the caret one of this operator's? */
static bool is_operand_of(const struct facts *facts, const char *sign)
{
    int depth = 0;
    if (facts_is(facts, -1, sign))
        return true;
    for (size_t i = facts->at; facts->source && i < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        if (depth == 0 && source_token_is(token, sign))
            return true;
        bool ends = token->kind == SOURCE_SIGN && depth == 0 && i > facts->at && !strchr("[(.", *token->text)
                    && !source_token_is(token, "->");
        depth += source_token_is(token, "[") + source_token_is(token, "(") - source_token_is(token, "]")
                 - source_token_is(token, ")");
        if (ends || depth < 0)
            return false;
    }
    return false;
}

static bool of_remainder(struct facts *facts)
{
    return is_operand_of(facts, "%") || is_operand_of(facts, "%=");
}

/* ^ binds less than arithmetic and comparisons: its operand at the caret may be a sum. */
static bool of_power(struct facts *facts)
{
    int depth = 0;
    if (facts_is(facts, -1, "^"))
        return true;
    for (size_t i = facts->at; facts->source && i < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        depth += facts_bracket_change(token);
        if (depth == 0 && source_token_is(token, "^"))
            return true;
        bool ends = token->kind == SOURCE_SIGN && depth == 0 && !strchr("([])+-*/.<>", *token->text);
        if (depth < 0 || ends)
            return false;
    }
    return false;
}

static bool pointer_parameter(struct facts *facts)
{
    size_t first, last;
    return is_pointer_operand(facts, 0) && facts_parameter(facts, facts_token(facts, facts->at, 0), &first, &last)
           && caret(facts);
}

static bool is_local(const struct facts *facts, const char *after, const char *before)
{
    for (size_t i = facts->depth > 0 ? facts->body : facts->at; i < facts->at; i++)
        if (source_token_same(&facts->source->tokens[i], &facts->source->tokens[facts->at]) && facts_declares(facts, i))
            return (after && source_token_is(facts_token(facts, i, 1), after))
                   || (before && source_token_is(facts_token(facts, i, -1), before));
    return false;
}

static bool local_pointer(struct facts *facts)
{
    size_t first, last;
    return is_pointer_operand(facts, 0) && !facts_parameter(facts, facts_token(facts, facts->at, 0), &first, &last)
           && is_local(facts, NULL, "*") && caret(facts);
}

static bool local_array(struct facts *facts)
{
    size_t first, last;
    return is_pointer_operand(facts, 0) && !facts_parameter(facts, facts_token(facts, facts->at, 0), &first, &last)
           && is_local(facts, "[", NULL) && caret(facts);
}

static bool ends_in_star(const char *type)
{
    size_t length = strlen(type);
    return length > 0 && type[length - 1] == '*';
}

static bool is_arithmetic(const char *type)
{
    static const char *const types[] = {"float", "double", "int",           "unsigned int", "char",   "short",
                                        "long",  "bool",   "unsigned char", "long long",    "size_t", "unsigned long"};
    return is_among(strncmp(type, "const ", 6) == 0 ? type + 6 : type, types, COUNT(types));
}

/* The two types of the message: from {a}, to {b}. */
static bool types(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && facts_quoted(facts, 1, facts->b);
}

static bool element_wanted(struct facts *facts)
{
    return types(facts) && ends_in_star(facts->a) && is_arithmetic(facts->b) && strcmp(facts->a, "void *") != 0;
}

static bool address_taken(struct facts *facts)
{
    return element_wanted(facts) && (facts_is(facts, 0, "&") || (facts_is(facts, 0, "=") && facts_is(facts, 1, "&")));
}

static bool one_pointer(struct facts *facts)
{
    return types(facts) && ends_in_star(facts->a) + ends_in_star(facts->b) == 1
           && is_arithmetic(facts->a) + is_arithmetic(facts->b) == 1;
}

static bool pointer_wanted(struct facts *facts)
{
    return types(facts) && is_arithmetic(facts->a) && ends_in_star(facts->b);
}

static bool from_void(struct facts *facts)
{
    return types(facts) && strcmp(facts->a, "void *") == 0 && ends_in_star(facts->b);
}

static bool from_const(struct facts *facts)
{
    return types(facts) && strncmp(facts->a, "const ", 6) == 0 && strcmp(facts->a + 6, facts->b) == 0
           && ends_in_star(facts->b);
}

/* Two pointers, to elements of different types; const is another matter. */
static bool other_pointer(struct facts *facts)
{
    if (!types(facts) || !ends_in_star(facts->a) || !ends_in_star(facts->b) || strstr(facts->a, "**")
        || strstr(facts->b, "**"))
        return false;
    const char *from = strncmp(facts->a, "const ", 6) == 0 ? facts->a + 6 : facts->a;
    const char *to = strncmp(facts->b, "const ", 6) == 0 ? facts->b + 6 : facts->b;
    return strcmp(from, to) != 0 && strncmp(from, "void", 4) != 0;
}

static bool address_of_pointer(struct facts *facts)
{
    return types(facts) && strstr(facts->a, "**") && !strstr(facts->b, "*)") && ends_in_star(facts->b)
           && !strstr(facts->b, "**") && (facts_is(facts, 0, "&") || (facts_is(facts, 0, "=") && facts_is(facts, 1, "&")));
}

static bool number_called(struct facts *facts)
{
    return facts_token(facts, facts->at, 0)->kind == SOURCE_NUMBER && facts_is(facts, 1, "(") && caret(facts);
}

static bool two_stars(struct facts *facts)
{
    const struct source_token *before = facts_token(facts, facts->at, -2);
    return facts_is(facts, -1, "*") && source_token_is(before, "*")
           && before->text + 1 == facts_token(facts, facts->at, -1)->text;
}

static bool void_parameter(struct facts *facts)
{
    size_t first, last;
    const struct source_token *name = facts_token(facts, facts->at, facts_is(facts, 0, "*") ? 1 : 0);
    facts_copy(name, facts->a);
    return name->kind == SOURCE_WORD && facts_parameter(facts, name, &first, &last) && facts_has(facts, first, last, "void");
}

static bool array_called(struct facts *facts)
{
    return facts_is(facts, 1, "(") && facts_is_word(facts, 0) && facts_is_array(facts, facts_token(facts, facts->at, 0))
           && caret(facts);
}

static bool already_element(struct facts *facts)
{
    return facts_is(facts, 1, "[") && caret_word(facts);
}

static bool second_index(struct facts *facts)
{
    if (!facts_is(facts, 1, "[") || !caret_word(facts))
        return false;
    size_t close = source_closing(facts->source, facts->at + 1, facts->source->token_count);
    return close + 1 < facts->source->token_count && source_token_is(&facts->source->tokens[close + 1], "[");
}

static bool pointer_type(struct facts *facts)
{
    char type[FACTS_WORD_BYTES];
    return facts_quoted(facts, 0, type) && ends_in_star(type) && caret_word(facts);
}

/* ---- calls ---- */

/* Of `no instance of overloaded function "atomicAdd" matches the argument list; argument types are: (int, int)`. */
static const char *atomic_arguments(struct facts *facts)
{
    static const char types_are[] = "argument types are: (";
    const char *arguments = strstr(facts->message, types_are);
    bool fits = facts_quoted(facts, 0, facts->a) && strncmp(facts->a, "atomic", 6) == 0 && arguments;
    return fits ? arguments + sizeof types_are - 1 : NULL;
}

static bool first_argument(struct facts *facts, char type[FACTS_WORD_BYTES], bool *alone)
{
    const char *arguments = atomic_arguments(facts);
    if (!arguments)
        return false;
    size_t length = strcspn(arguments, ",)");
    *alone = arguments[length] == ')';
    snprintf(type, FACTS_WORD_BYTES, "%.*s", (int)length, arguments);
    return true;
}

static bool atomic_value(struct facts *facts)
{
    char type[FACTS_WORD_BYTES];
    bool alone;
    return first_argument(facts, type, &alone) && is_arithmetic(type);
}

static bool atomic_const(struct facts *facts)
{
    char type[FACTS_WORD_BYTES];
    bool alone;
    return first_argument(facts, type, &alone) && strncmp(type, "const ", 6) == 0 && ends_in_star(type);
}

/* How many arguments the message lists, their types between its parentheses. */
static int argument_count(const char *arguments)
{
    int count = 1, depth = 0;
    for (const char *at = arguments; *at != '\0' && depth >= 0; at++) {
        depth += (*at == '(' || *at == '<') - (*at == ')' || *at == '>');
        count += *at == ',' && depth == 0;
    }
    return *arguments == ')' ? 0 : count;
}

static bool is_atomic_cas(const struct facts *facts)
{
    return strcmp(facts->a, "atomicCAS") == 0;
}

static bool atomic_count(struct facts *facts)
{
    const char *arguments = atomic_arguments(facts);
    return arguments && !is_atomic_cas(facts) && argument_count(arguments) != 2;
}

static bool atomic_cas_count(struct facts *facts)
{
    const char *arguments = atomic_arguments(facts);
    return arguments && is_atomic_cas(facts) && argument_count(arguments) != 3;
}

static bool atomic_volatile(struct facts *facts)
{
    char type[FACTS_WORD_BYTES];
    bool alone;
    return first_argument(facts, type, &alone) && strncmp(type, "volatile ", 9) == 0 && ends_in_star(type);
}

/* The type that the first argument points to is none that the function has: {b}. */
static bool atomic_points_to(struct facts *facts, const char *const *list, size_t count)
{
    char type[FACTS_WORD_BYTES];
    bool alone;
    if (!first_argument(facts, type, &alone) || !ends_in_star(type))
        return false;
    type[strlen(type) - 1] = '\0';
    while (type[0] != '\0' && type[strlen(type) - 1] == ' ')
        type[strlen(type) - 1] = '\0';
    snprintf(facts->b, sizeof facts->b, "%s", strcmp(type, "__nv_bool") == 0 ? "bool" : type);
    return is_among(facts->b, list, count);
}

static const char *const atomic_without[] = {"char",   "signed char", "unsigned char", "short",   "unsigned short",
                                             "bool",   "long",        "long long",     "size_t",  "unsigned long",
                                             "int8_t", "uint8_t",     "int16_t",       "int64_t", "uint16_t"};

static bool atomic_add_type(struct facts *facts)
{
    return atomic_points_to(facts, atomic_without, COUNT(atomic_without)) && strcmp(facts->a, "atomicAdd") == 0;
}

static bool atomic_float(struct facts *facts)
{
    static const char *const fractions[] = {"float", "double"};
    static const char *const integers[] = {"atomicMax", "atomicMin", "atomicSub", "atomicInc", "atomicDec",
                                           "atomicAnd", "atomicOr",  "atomicXor", "atomicCAS"};
    return atomic_points_to(facts, fractions, COUNT(fractions)) && is_among(facts->a, integers, COUNT(integers));
}

static bool atomic_other_type(struct facts *facts)
{
    static const char *const small[] = {"char", "signed char", "unsigned char", "short", "bool", "int8_t", "uint8_t"};
    return atomic_points_to(facts, small, COUNT(small));
}

/* {text}: the types of the arguments */
static bool argument_list(struct facts *facts)
{
    static const char types_are[] = "argument types are: (";
    const char *arguments = strncmp(facts->message, "no instance", 11) == 0 ? strstr(facts->message, types_are) : NULL;
    if (!arguments || !facts_quoted(facts, 0, facts->a))
        return false;
    arguments += sizeof types_are - 1;
    const char *end = strrchr(arguments, ')');
    snprintf(facts->text, sizeof facts->text, "%.*s", end ? (int)(end - arguments) : 0, arguments);
    return end && end > arguments && end - arguments < 200;
}

static bool is_shuffle_call(struct facts *facts)
{
    return argument_list(facts) && strncmp(facts->a, "__shfl_", 7) == 0;
}

/* A value that is not a mask comes first, and one argument is missing. */
static bool sync_without_mask(struct facts *facts)
{
    const char *arguments = is_shuffle_call(facts) ? strstr(facts->message, "are: (") + 6 : NULL;
    return arguments && argument_count(arguments) == 2;
}

static bool sync_of_pointer(struct facts *facts)
{
    if (!is_shuffle_call(facts))
        return false;
    const char *comma = strchr(facts->text, ',');
    size_t length = comma ? strcspn(comma + 1, ",") : 0;
    return length > 0 && comma[length] == '*';
}

static bool min_or_max_count(struct facts *facts)
{
    return argument_list(facts) && (strcmp(facts->a, "min") == 0 || strcmp(facts->a, "max") == 0)
           && argument_count(strstr(facts->message, "are: (") + 6) > 2;
}

/* ---- types with parts ---- */

static bool is_vector(const char *type)
{
    static const char *const names[] = {"float", "int", "double", "uint", "short", "char", "long", "uchar"};
    for (size_t i = 0; i < COUNT(names); i++) {
        size_t length = strlen(names[i]);
        if (strncmp(type, names[i], length) == 0 && type[length] >= '2' && type[length] <= '4' && type[length + 1] == '\0')
            return true;
    }
    return false;
}

static bool vector_wanted(struct facts *facts)
{
    return types(facts) && is_vector(facts->b) && is_arithmetic(facts->a);
}

static bool conversion_from(struct facts *facts)
{
    static const char *const whole[] = {"dim3", "uint3"};
    return types(facts) && (is_vector(facts->a) || is_among(facts->a, whole, COUNT(whole))) && is_arithmetic(facts->b);
}

static bool two_names(struct facts *facts)
{
    return types(facts) && is_vector(facts->a);
}

static bool vector_operands(struct facts *facts)
{
    for (size_t i = 0; i + 1 < strlen(facts->message); i++)
        for (size_t length = 4; length < 8 && i + length <= strlen(facts->message); length++) {
            char word[12];
            snprintf(word, sizeof word, "%.*s", (int)length, facts->message + i);
            if (is_vector(word) && !isalnum((unsigned char)facts->message[i + length]))
                return true;
        }
    return false;
}

static bool min_or_max(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && (strcmp(facts->a, "min") == 0 || strcmp(facts->a, "max") == 0);
}

static bool address_wanted(struct facts *facts)
{
    return types(facts) && is_arithmetic(facts->a) && ends_in_star(facts->b);
}

static bool value_wanted(struct facts *facts)
{
    return types(facts) && ends_in_star(facts->a) && is_arithmetic(facts->b);
}

static bool barrier_call(struct facts *facts)
{
    const struct source *source = facts->source;
    if (!source || facts->open >= source->token_count || facts->open == 0)
        return false;
    facts_copy(&source->tokens[facts->open - 1], facts->a);
    return strcmp(facts->a, "__syncthreads") == 0;
}

/* ---- sizes ---- */

static bool size_of_array(struct facts *facts)
{
    const struct source *source = facts->source;
    return source && facts->open < source->token_count && source_token_is(&source->tokens[facts->open], "[")
           && facts->open > 0 && facts_declares(facts, facts->open - 1);
}

/* `float c[i] = a[i] + b[i];`, where c is a parameter: an element was meant. */
static bool element_with_type(struct facts *facts)
{
    size_t first, last,
        close = size_of_array(facts) ? source_closing(facts->source, facts->open, facts->source->token_count) : 0;
    if (close == 0 || !facts_parameter(facts, &facts->source->tokens[facts->open - 1], &first, &last)
        || !facts_has(facts, first, last, "*") || close + 2 >= facts->source->token_count
        || !source_token_is(&facts->source->tokens[close + 1], "=")
        || source_token_is(&facts->source->tokens[close + 2], "{"))
        return false;
    facts_copy(&facts->source->tokens[facts->open - 1], facts->a);
    return true;
}

static bool size_of_shared(struct facts *facts)
{
    return size_of_array(facts) && facts_has(facts, facts_statement(facts, facts->open), facts->open, "__shared__");
}

static bool in_case(struct facts *facts)
{
    return facts_is(facts, -1, "case");
}

static bool empty_brackets(struct facts *facts)
{
    return facts_quoted(facts, 0, facts->a) && strstr(facts->a, "[]");
}

/* ---- warnings ---- */

static bool barrier_without_call(struct facts *facts)
{
    return facts_is(facts, 0, "__syncthreads") && facts_is(facts, 1, ";");
}

static bool comparison_as_statement(struct facts *facts)
{
    int depth = 0;
    for (size_t i = facts->at; facts->source && i < facts->source->token_count; i++) {
        const struct source_token *token = &facts->source->tokens[i];
        depth += source_token_is(token, "(") + source_token_is(token, "[") - source_token_is(token, ")")
                 - source_token_is(token, "]");
        if (depth == 0 && source_token_is(token, "=="))
            return true;
        if (depth < 0 || source_token_is(token, ";") || source_token_is(token, ","))
            return false;
    }
    return false;
}

/* A number as people write it: 0xffffffff and -1 are meant as bits. */
static bool decimal_number(struct facts *facts)
{
    const struct source_token *here = facts_token(facts, facts->at, 0);
    return here->kind == SOURCE_NUMBER && *here->text != '0';
}

static bool array_declared(struct facts *facts)
{
    return facts_is(facts, 1, "[") && quoted_name(facts);
}

/* Another __shared__ array of the name, in another function: {n} is its line. */
static bool array_declared_twice(struct facts *facts)
{
    const struct source *source = facts->source;
    if (!source || facts->depth == 0 || !array_declared(facts))
        return false;
    size_t end = source_closing(source, facts->body, source->token_count);
    for (size_t i = 2; i + 1 < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        bool elsewhere = i < facts->body || i > end;
        size_t first = i;
        if (!elsewhere || !source_token_same(token, &source->tokens[facts->at]) || !source_token_is(token + 1, "["))
            continue;
        while (first > 0 && source->tokens[first - 1].kind == SOURCE_WORD && !source->tokens[first - 1].defined)
            first--;
        if (first < i && source_token_is(&source->tokens[first], "__shared__")) {
            facts->n = token->line;
            return true;
        }
    }
    return false;
}

/* The assignment that changes a variable as the expression `k + 2` would: "+="; "" where it is not that simple. */
static void name_assignment(const struct facts *facts, char text[8])
{
    static const char *const operators[] = {"+", "-", "*", "/", "%", "<<", ">>", "&", "|", "^"};
    const struct source *source = facts->source;
    const struct source_token *sign = NULL;
    size_t last = facts->open + 1;
    text[0] = '\0';
    for (size_t i = facts->open, semicolons = 0; i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (source_token_is(token, ";"))
            last = ++semicolons == 2 ? i + 1 : last;
        if (semicolons == 2 && (source_token_is(token, ")") || source_token_is(token, ",")))
            break;
        if (semicolons == 2 && i > last && token->kind == SOURCE_SIGN) {
            if (sign || i != last + 1)
                return;
            sign = token;
        }
    }
    for (size_t i = 0; sign && i < COUNT(operators); i++)
        if (source->tokens[last].kind == SOURCE_WORD && source_token_is(sign, operators[i]))
            snprintf(text, 8, "%s=", operators[i]);
}

/* The last part of a for: k + 2 */
static bool step_of_for(struct facts *facts)
{
    const struct source *source = facts->source;
    int semicolons = 0;
    if (!source || facts->open >= source->token_count || facts->open == 0
        || !source_token_is(&source->tokens[facts->open - 1], "for"))
        return false;
    for (size_t i = facts->open; i < facts->at; i++)
        semicolons += source_token_is(&source->tokens[i], ";");
    char assignment[8];
    name_assignment(facts, assignment);
    snprintf(facts->text, sizeof facts->text,
             assignment[0]
                 ? "This calculates a value and throws it away, so the loop's variable does not change. To store the "
                   "value in it, write %s."
                 : "This calculates a value and throws it away, so the loop's variable does not change. Only an "
                   "assignment, ++ or -- changes it.",
             assignment);
    return semicolons == 2;
}

/* ---- the table ---- */

static const struct row {
    const char *kind, *part;
    bool (*condition)(struct facts *facts);
    const char *sentence;
} rows[] = {
#define ADVICE(kind, part, condition, sentence) {#kind, part, condition, sentence},
#include "runtime/compile/advice.def"
#undef ADVICE
};

/* Appends the sentence with what was found instead of {a}, {b}, {n}, {text}; all of it made safe to print. */
static void write_sentence(const struct facts *facts, const char *sentence, char *text, size_t text_bytes)
{
    char number[16];
    snprintf(number, sizeof number, "%d", facts->n);
    const struct {
        const char *mark, *value;
    } marks[] = {{"{a}", facts->a}, {"{b}", facts->b}, {"{n}", number}, {"{text}", facts->text}};
    while (*sentence) {
        size_t length = 1, value = COUNT(marks);
        for (size_t i = 0; i < COUNT(marks); i++)
            if (strncmp(sentence, marks[i].mark, strlen(marks[i].mark)) == 0) {
                length = strlen(marks[i].mark);
                value = i;
            }
        if (value < COUNT(marks))
            printable_append(text, text_bytes, marks[value].value, strlen(marks[value].value));
        else
            printable_append(text, text_bytes, sentence, 1);
        sentence += length;
    }
}

static void give(const struct source *source, lockstep_diagnostic *diagnostic, bool at_end)
{
    struct facts facts;
    facts_find(source, diagnostic, at_end, &facts);
    for (size_t i = 0; i < COUNT(rows); i++) {
        struct facts found = facts;
        if (!strstr(diagnostic->message, rows[i].part) || !rows[i].condition(&found))
            continue;
        snprintf(diagnostic->kind, sizeof diagnostic->kind, "%s", rows[i].kind);
        write_sentence(&found, rows[i].sentence, diagnostic->advice, sizeof diagnostic->advice);
        return;
    }
}

void advice_give(const char *text, size_t bytes, const char *file, struct diagnostics *diagnostics)
{
    struct source *source = NULL;
    bool first = true;
    char own[sizeof diagnostics->entries->file] = "";
    printable_append(own, sizeof own, file, strlen(file));
    for (size_t i = 0; i < diagnostics->count; i++) {
        lockstep_diagnostic *diagnostic = &diagnostics->entries[i];
        bool wanted = diagnostic->severity == LOCKSTEP_WARNING || (diagnostic->severity == LOCKSTEP_ERROR && first);
        first &= diagnostic->severity != LOCKSTEP_ERROR;
        bool at_end = diagnostic->line == DIAGNOSTICS_LINE_END;
        if (!wanted || diagnostic->line == 0 || (!at_end && strcmp(diagnostic->file, own) != 0)) /* in a header */
            continue;
        source = source ? source : source_create(text, bytes);
        give(source, diagnostic, at_end);
    }
    source_destroy(source);
}
