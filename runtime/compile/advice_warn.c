#include "runtime/compile/advice_warn.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/compile/advice_calls.h"
#include "runtime/compile/advice_facts.h"
#include "runtime/compile/advice_meant.h"
#include "runtime/language/expression.h"
#include "runtime/language/lexical.h"
#include "runtime/language/source.h"

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* The = between the parentheses [open, close]; NULL where they declare a variable. */
static const struct source_token *find_assignment(const struct source *source, size_t open, size_t close)
{
    const struct source_token *found = NULL;
    int depth = 0;
    for (size_t i = open + 1; i < close; i++) {
        const struct source_token *token = &source->tokens[i];
        depth += source_token_is(token, "(") + source_token_is(token, "[") + source_token_is(token, "{")
                 - source_token_is(token, ")") - source_token_is(token, "]") - source_token_is(token, "}");
        if (depth > 0)
            continue;
        if (source_token_is(token, ";")) /* if (int i = f(); i > 0) */
            return NULL;
        if (source_token_is(token, "=") && !found)
            found = token;
    }
    /* if (int *p = find()) declares it */
    bool declares = source->tokens[open + 1].kind == SOURCE_WORD
                    && (source->tokens[open + 2].kind == SOURCE_WORD || source_token_is(&source->tokens[open + 2], "*"));
    return declares ? NULL : found;
}

static bool is_null(const struct source_token *token)
{
    return source_token_is(token, "0") || source_token_is(token, "NULL") || source_token_is(token, "nullptr");
}

/* `float *p = 0;` in a function, where p is then indexed and nothing else is ever stored in it: the compiler leaves out what
 * goes through it, so no check at run time can see it. Whatever else happens to p counts as storing. */
static bool stays_null(const struct source *source, size_t name)
{
    const struct source_token *token = &source->tokens[name];
    int depth = 0;
    bool indexed = false;
    for (size_t i = name + 3; i + 1 < source->token_count && depth >= 0; i++) {
        const struct source_token *here = &source->tokens[i], *before = here - 1, *after = here + 1;
        depth += source_token_is(here, "{") - source_token_is(here, "}");
        if (here->defined || !source_token_same(here, token))
            continue;
        if (!source_token_is(after, "[") || source_token_is(before, "&"))
            return false;
        indexed = true;
    }
    return indexed;
}

static bool declares_null(const struct source *source, size_t name)
{
    int depth = 0;
    if (name < 2 || name + 3 >= source->token_count || source->tokens[name].kind != SOURCE_WORD
        || source->tokens[name].defined || !source_token_is(&source->tokens[name - 1], "*")
        || source->tokens[name - 2].kind != SOURCE_WORD || !source_token_is(&source->tokens[name + 1], "=")
        || !is_null(&source->tokens[name + 2]) || !source_token_is(&source->tokens[name + 3], ";"))
        return false;
    for (size_t i = 0; i < name; i++)
        depth += source_token_is(&source->tokens[i], "{") - source_token_is(&source->tokens[i], "}");
    return depth > 0 && stays_null(source, name);
}

/* ---- what is legal and hardly ever meant ---- */

static bool is_comparison(const struct source_token *token)
{
    static const char *const signs[] = {"<", ">", "<=", ">=", "==", "!="};
    for (size_t i = 0; i < COUNT(signs); i++)
        if (source_token_is(token, signs[i]))
            return true;
    return false;
}

/* Has the operand on this side of token `at` a comparison outside of brackets? *element: it reads an element of an array. */
static bool compares(const struct source *source, size_t at, int step, bool *element)
{
    int depth = 0;
    bool found = false;
    for (size_t i = at + (size_t)step; i > 0 && i < source->token_count; i += (size_t)step) {
        const struct source_token *token = &source->tokens[i];
        depth += step * facts_bracket_change(token);
        if (depth < 0 || source_token_is(token, ";") || source_token_is(token, "{") || source_token_is(token, "}")
            || (depth == 0
                && (source_token_is(token, "&&") || source_token_is(token, "||") || source_token_is(token, ",")
                    || source_token_is(token, "=") || source_token_is(token, "?") || source_token_is(token, "return"))))
            break;
        *element |= source_token_is(token, "[") || source_token_is(token, "]");
        found |= depth == 0 && is_comparison(token);
    }
    return found;
}

static bool ends_operand(const struct source_token *token)
{
    return token->kind == SOURCE_WORD || token->kind == SOURCE_NUMBER || source_token_is(token, ")")
           || source_token_is(token, "]");
}

/* `i < n & data[i] > 0` and `i & 1 == 0`. */
static const char *judge_ampersand(const struct source *source, size_t at, const char **kind)
{
    bool element = false, other = false;
    if (!source_token_is(&source->tokens[at], "&") || !source_ends_operand(source, at - 1))
        return NULL;
    bool right = compares(source, at, 1, &element), left = compares(source, at, -1, &other);
    *kind = "condition";
    if (right && left && element)
        return "This & evaluates both of its sides, so what is on its right is read even if the left side is false. && "
               "stops there.";
    if (right && !left)
        return "This & comes after the comparison on its right, which binds tighter. Put parentheses around "
               "the & and its two sides.";
    return NULL;
}

/* `0 <= i < n` */
static bool is_chain(const struct source *source, size_t at)
{
    const struct source_token *first = &source->tokens[at];
    if (!source_token_is(first, "<") && !source_token_is(first, "<="))
        return false;
    int depth = 0;
    for (size_t i = at + 1; i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        depth += facts_bracket_change(token);
        if (depth == 0 && (source_token_is(token, "<") || source_token_is(token, "<=")))
            return true;
        bool operand = token->kind == SOURCE_WORD || token->kind == SOURCE_NUMBER || source_token_is(token, ".")
                       || source_token_is(token, "+") || source_token_is(token, "-") || source_token_is(token, "*")
                       || facts_bracket_change(token) != 0 || depth > 0;
        if (depth < 0 || !operand)
            return false;
    }
    return false;
}

/* `i == 1 || 2` */
static bool is_lone_number(const struct source *source, size_t at)
{
    const struct source_token *number = &source->tokens[at + 1], *after = &source->tokens[at + 2];
    return at + 2 < source->token_count && source_token_is(&source->tokens[at], "||") && number->kind == SOURCE_NUMBER
           && !source_token_is(number, "0")
           && (source_token_is(after, ")") || source_token_is(after, "||") || source_token_is(after, "&&"));
}

/* 2 ^ 4, TILE ^ 2, 2 ^ k */
static bool is_power(const struct source *source, size_t at)
{
    const struct source_token *left = &source->tokens[at - 1], *right = &source->tokens[at + 1];
    if (!source_token_is(&source->tokens[at], "^") || at + 1 >= source->token_count)
        return false;
    bool capitals = left->kind == SOURCE_WORD;
    for (int i = 0; i < left->length; i++)
        capitals &= isupper((unsigned char)left->text[i]) || isdigit((unsigned char)left->text[i]) || left->text[i] == '_';
    bool number = right->kind == SOURCE_NUMBER && (right->length < 2 || right->text[1] != 'x');
    bool base = source_token_is(left, "2") || source_token_is(left, "10");
    return (number && (capitals || base)) || (base && right->kind == SOURCE_WORD);
}

/* (float)(id ^ 2): nobody makes a float of an exclusive or. */
static bool is_power_for_float(const struct source *source, size_t at)
{
    const struct source_token *sign = &source->tokens[at];
    if (at < 4 || at + 2 >= source->token_count || !source_token_is(sign, "^") || sign[-1].kind != SOURCE_WORD
        || (!source_token_is(sign + 1, "2") && !source_token_is(sign + 1, "3")) || !source_token_is(sign + 2, ")")
        || !source_token_is(sign - 2, "("))
        return false;
    const struct source_token *type = source_token_is(sign - 3, ")") ? sign - 4 : sign - 3;
    return source_token_is(type, "float") || source_token_is(type, "double");
}

/* threadIdx.y * blockDim.y + threadIdx.x: tokens from `at` on. The x of a thread goes up to blockDim.x. */
static bool is_row_of_rows(const struct source *source, size_t at)
{
    const struct source_token *token = &source->tokens[at], *sum = token + 7;
    if (at + 10 >= source->token_count || !source_token_is(token, "threadIdx") || !source_token_is(token + 3, "*")
        || !source_token_is(token + 4, "blockDim") || !source_token_same(token + 2, token + 6))
        return false;
    bool behind = source_token_is(sum, "+") && source_token_is(sum + 1, "threadIdx")
                  && !source_token_same(sum + 3, token + 2);
    bool before = at >= 4 && source_token_is(token - 1, "+") && source_token_is(token - 4, "threadIdx")
                  && !source_token_same(token - 2, token + 2);
    return behind || before;
}

/* `a[i] = 2, 0 * a[i];`, as a statement of its own: what follows the comma is thrown away. */
static bool is_cut_by_comma(const struct source *source, size_t at)
{
    int depth = 0;
    size_t start = at;
    bool stores = false;
    if (!source_token_is(&source->tokens[at], ","))
        return false;
    while (start > 0 && !strchr(";{}", *source->tokens[start - 1].text) && !source->tokens[start - 1].defined) {
        start--;
        depth -= facts_bracket_change(&source->tokens[start]);
        if (depth < 0)
            return false;
        stores |= depth == 0 && source_token_is(&source->tokens[start], "=");
    }
    const struct source_token *first = &source->tokens[start];
    bool word = first->kind == SOURCE_WORD && !source_token_is(first, "return") && !source_token_is(first, "for")
                && first[1].kind != SOURCE_WORD && !source_token_is(first + 1, "*") && !source_token_is(first + 1, "(");
    bool statement = word || source_token_is(first, "*");
    for (size_t i = at + 1; statement && stores && i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (source_token_is(token, ";"))
            return true;
        if (token->kind == SOURCE_SIGN && strchr("={}", token->text[token->length - 1]))
            return false;
        if (source_token_is(token, "++") || source_token_is(token, "--")
            || (source_token_is(token, "(") && token[-1].kind == SOURCE_WORD))
            return false;
    }
    return false;
}

/* `=+ 1`: written like one sign, with a blank behind it. */
static bool is_reversed_sum(const struct source *source, size_t at)
{
    const struct source_token *sign = &source->tokens[at], *after = sign + 1;
    return at + 2 < source->token_count && source_token_is(sign, "=")
           && (source_token_is(after, "+") || source_token_is(after, "-")) && after->text == sign->text + 1
           && source->tokens[at + 2].text > after->text + 1;
}

static int column_of(const struct source *source, const struct source_token *token)
{
    int length;
    return (int)(token->text - source_line_of(source, token, &length)) + 1;
}

/* `for (...);` where braces or an indented line follow: the ; that ends it. */
static const struct source_token *ends_loop(const struct source *source, size_t at)
{
    if (!source_token_is(&source->tokens[at], "for") || !source_token_is(&source->tokens[at + 1], "("))
        return NULL;
    size_t close = source_closing(source, at + 1, source->token_count);
    if (close + 2 >= source->token_count || !source_token_is(&source->tokens[close + 1], ";"))
        return NULL;
    const struct source_token *after = &source->tokens[close + 2];
    bool indented = after->line == source->tokens[close].line + 1
                    && column_of(source, after) > column_of(source, &source->tokens[at]);
    return source_token_is(after, "{") || indented ? &source->tokens[close + 1] : NULL;
}

/* Something that token `at` begins or is; NULL: nothing. */
static const char *judge_token(const struct source *source, size_t at, const struct source_token **token, const char **kind)
{
    *token = &source->tokens[at];
    const struct source_token *end = ends_loop(source, at);
    if (end) {
        *token = end;
        *kind = "loop_body";
        return "This ; is all that the loop repeats: what follows it runs once.";
    }
    if (is_chain(source, at)) {
        *kind = "condition";
        return "This comparison gives 0 or 1, and that is what the second one compares. Two comparisons are joined with "
               "&&.";
    }
    if (is_lone_number(source, at)) {
        *kind = "condition";
        return "This || always gives true, because the number behind it is not 0. Each side needs a comparison of its own.";
    }
    if (at > 0 && (is_power(source, at) || is_power_for_float(source, at))) {
        *kind = "power";
        return "This ^ is the exclusive or of the bits, not a power.";
    }
    if (is_row_of_rows(source, at)) {
        bool rows = source_token_is(*token + 2, "y");
        *kind = "rows";
        return rows
                   ? "This multiplies threadIdx.y by blockDim.y, the number of rows of a block. The distance from one row to "
                     "the next is the length of a row."
                   : "This multiplies a thread's number in one direction by the size of the block in the same direction. "
                     "What is needed is the size in the other one.";
    }
    if (is_reversed_sum(source, at)) {
        *kind = "reversed";
        return source_token_is(*token + 1, "+") ? "This =+ stores what follows it. To add to the variable, write +=."
                                                : "This =- stores the negative of what follows it. To subtract, write -=.";
    }
    if (is_cut_by_comma(source, at)) {
        bool decimal = source->tokens[at - 1].kind == SOURCE_NUMBER && source->tokens[at + 1].kind == SOURCE_NUMBER;
        *kind = decimal ? "number" : "comma";
        return decimal ? "This comma ends the assignment: only what is before it is stored. A decimal number has a point."
                       : "This comma ends the assignment: only what is before it is stored.";
    }
    return at > 0 ? judge_ampersand(source, at, kind) : NULL;
}

/* ---- what is written with more than one line or name ---- */

/* Is the token the first of its line, with the same blanks before it as the other one has? */
static bool same_indentation(const struct source *source, const struct source_token *a, const struct source_token *b)
{
    int ignored;
    const char *line = source_line_of(source, a, &ignored), *other = source_line_of(source, b, &ignored);
    ptrdiff_t blanks = a->text - line;
    return blanks == b->text - other && strspn(line, " \t") == (size_t)blanks && memcmp(line, other, (size_t)blanks) == 0;
}

/* An if, else or loop without braces, whose body is followed by a statement that is indented like it. Returns that body;
 * *after is the statement. */
static const struct source_token *is_indented(const struct source *source, size_t at, const struct source_token **after)
{
    static const char *const others[] = {"if", "for", "while", "do", "else", "switch", "case", "default", "{", ";", "}"};
    const struct source_token *tokens = source->tokens;
    size_t body = at + 1;
    if (!source_token_is(&tokens[at], "else")) {
        if (!(source_token_is(&tokens[at], "if") || source_token_is(&tokens[at], "for")
              || source_token_is(&tokens[at], "while"))
            || !source_token_is(&tokens[at + 1], "("))
            return NULL;
        body = source_closing(source, at + 1, source->token_count) + 1;
    }
    size_t end = body;
    while (end < source->token_count && !source_token_is(&tokens[end], ";"))
        end += source_token_is(&tokens[end], "{") ? source->token_count : 1;
    if (end + 1 >= source->token_count || tokens[body].line <= tokens[body - 1].line)
        return NULL;
    *after = &tokens[end + 1];
    for (size_t i = 0; i < COUNT(others); i++)
        if (source_token_is(&tokens[body], others[i]) || (i > 3 && source_token_is(*after, others[i])))
            return NULL;
    bool good = !tokens[body].defined && !(*after)->defined && (*after)->line > tokens[end].line
                && same_indentation(source, *after, &tokens[body])
                && column_of(source, &tokens[body]) > column_of(source, &tokens[at]);
    return good ? &tokens[body] : NULL;
}

/* The latest macro of that name, if it has parameters. */
static const struct source_macro *find_function_macro(const struct source *source, const struct source_token *name)
{
    const struct source_macro *found = NULL;
    for (size_t i = 0; i < source->macro_count; i++)
        if (source->macros[i].length == name->length
            && strncmp(source->macros[i].name, name->text, (size_t)name->length) == 0)
            found = &source->macros[i];
    return found && found->has_parameters ? found : NULL;
}

/* The level of the operator outside of all brackets that binds least; 0: there is none, or the tokens are not an expression. */
static int lowest_level(const struct source_token *tokens, size_t count)
{
    int lowest = 0, depth = 0;
    for (size_t i = 0; i < count; i++) {
        int change = facts_bracket_change(&tokens[i]), level = expression_level(&tokens[i]);
        depth += change;
        if (depth > 0 || change || tokens[i].kind != SOURCE_SIGN || source_token_is(&tokens[i], "."))
            continue;
        if (!level || i == 0 || !ends_operand(&tokens[i - 1]) || i + 1 == count)
            return 0; /* a sign, or no expression */
        lowest = !lowest || level < lowest ? level : lowest;
    }
    return lowest;
}

/* The same of the text of a macro with parameters, if it is one line. */
static int lowest_level_of(const struct source_macro *macro)
{
    const char *text = macro->name + macro->length, *close = text + strcspn(text, ")\r\n");
    size_t length = strcspn(close, "\r\n");
    if (*close != ')' || close[length - 1] == '\\')
        return 0;
    struct source *body = source_create(close + 1, length - 1);
    int lowest = body && body->token_count >= 3 ? lowest_level(body->tokens, body->token_count) : 0;
    source_destroy(body);
    return lowest;
}

/* A macro without parentheses around it beside an operator that takes only a part of it: returns that operator. */
static const struct source_token *cuts_macro(const struct source *source, size_t at)
{
    const struct source_token *tokens = source->tokens, *left = &tokens[at - 1], *right = &tokens[at + 1];
    const struct source_macro *macro = at > 2 && tokens[at].kind == SOURCE_WORD ? source_find_macro(source, &tokens[at])
                                                                                : NULL;
    const struct source_macro *call = !macro && at > 2 && tokens[at].kind == SOURCE_WORD && source_token_is(right, "(")
                                          ? find_function_macro(source, &tokens[at])
                                          : NULL;
    size_t close = call ? source_closing(source, at + 1, source->token_count) : at;
    if ((!call && (!macro || macro->count < 3)) || source_token_is(left, ".") || close + 1 >= source->token_count)
        return NULL;
    right = &tokens[close + 1];
    int lowest = call ? lowest_level_of(call) : lowest_level(&tokens[macro->first], macro->count);
    int before = ends_operand(left - 1) ? expression_level(left) : 0;
    bool ordered = source_token_is(left, "-") || source_token_is(left, "/") || source_token_is(left, "%");
    if (!lowest)
        return NULL;
    return before > lowest || (before == lowest && ordered) ? left : expression_level(right) > lowest ? right : NULL;
}

/* ---- an argument that is pasted as text ---- */

static bool is_letter(char sign)
{
    return isalnum((unsigned char)sign) || sign == '_';
}

/* In the text of a macro: the *, / or % beside the name [at, at + length), 0 where there is none. A * that no operand precedes
 * is a pointer's. */
static char operator_beside(const char *start, const char *at, size_t length)
{
    const char *left = at, *right = at + length;
    while (left > start && (left[-1] == ' ' || left[-1] == '\t'))
        left--;
    right += strspn(right, " \t");
    if (strchr("*/%", *right) && *right != '\0' && !strchr("=/*", right[1]))
        return *right;
    if (left == start || !strchr("*/%", left[-1]))
        return 0;
    const char *before = left - 1;
    while (before > start && (before[-1] == ' ' || before[-1] == '\t'))
        before--;
    return before > start && (is_letter(before[-1]) || before[-1] == ')' || before[-1] == ']') ? left[-1] : 0;
}

/* `#define NAME(a, b) …`, in one line: the operator beside its n-th parameter where that has no parentheses. */
static char operator_of(const struct source_macro *macro, unsigned number)
{
    const char *open = macro->name + macro->length, *close = open + strcspn(open, ")\r\n"), *name = open + 1;
    const char *end = close + strcspn(close, "\r\n");
    if (*close != ')' || (end > close && end[-1] == '\\') || memchr(close, '"', (size_t)(end - close)))
        return 0;
    for (; number > 0 && name < close; number--)
        name += strcspn(name, ",)") + 1;
    name += strspn(name, " \t");
    size_t length = 0;
    while (is_letter(name[length]))
        length++;
    for (const char *at = close + 1; length > 0 && name < close && at + length <= end; at++) {
        if (is_letter(at[-1]) || at[-1] == '#' || strncmp(at, name, length) != 0 || is_letter(at[length]))
            continue;
        char sign = operator_beside(close + 1, at, length);
        if (sign)
            return sign;
    }
    return 0;
}

/* An argument with a + or - of its own for a parameter that is next to a *, / or % in the macro's text: tokens
 * [*first, *end). Returns that operator, 0 when there is no such argument. */
static char cuts_argument(const struct source *source, size_t at, size_t *first, size_t *end)
{
    const struct source_token *tokens = source->tokens;
    const struct source_macro *macro = tokens[at].kind == SOURCE_WORD && source_token_is(&tokens[at + 1], "(")
                                           ? find_function_macro(source, &tokens[at])
                                           : NULL;
    size_t close = macro ? source_closing(source, at + 1, source->token_count) : 0;
    unsigned number = 0;
    bool sum = false;
    *first = at + 2;
    for (size_t i = at + 2; i <= close && close < source->token_count; i++) {
        if (i == close || source_token_is(&tokens[i], ",")) {
            char sign = sum ? operator_of(macro, number) : 0;
            *end = i;
            if (sign)
                return sign;
            *first = i + 1;
            number++;
            sum = false;
        } else if (source_token_is(&tokens[i], "(") || source_token_is(&tokens[i], "[")) {
            i = source_closing(source, i, close);
        } else {
            sum |= i > *first && (source_token_is(&tokens[i], "+") || source_token_is(&tokens[i], "-"))
                   && ends_operand(&tokens[i - 1]);
        }
    }
    return 0;
}

static bool add_warning(struct diagnostics *diagnostics, const char *kind, const char *file, const struct source *source,
                        const struct source_token *token, const char *message)
{
    bool good = diagnostics_add(diagnostics, LOCKSTEP_WARNING, file, token->line, column_of(source, token), message);
    if (good)
        snprintf(diagnostics->entries[diagnostics->count - 1].kind, sizeof diagnostics->entries->kind, "%s", kind);
    return good;
}

/* Has the compiler said it? */
static bool is_warned(const struct diagnostics *diagnostics, const char *kind, int line)
{
    for (size_t i = 0; i < diagnostics->count; i++)
        if (diagnostics->entries[i].line == line && strcmp(diagnostics->entries[i].kind, kind) == 0)
            return true;
    return false;
}

/* ---- comments that go on ---- */

/* Behind `//`: the backslash that joins the next line to the comment, where that line has something else than a comment in
 * it. */
static const char *find_joined_line(const char *at)
{
    for (; *at && *at != '\n'; at++) {
        size_t more = lexical_spliced(at);
        const char *next = at + more + strspn(at + more, " \t");
        if (more > 0)
            return *next == '\0' || *next == '\r' || *next == '\n' || (next[0] == '/' && (next[1] == '/' || next[1] == '*'))
                       ? NULL
                       : at;
    }
    return NULL;
}

/* Warns of each such comment; of none where `#line` counts the lines another way. */
static bool warn_of_comments(const char *text, const char *file, struct diagnostics *diagnostics)
{
    int line = 1;
    const char *start = text;
    for (const char *at = text; *at; at++) {
        const char *joined = NULL, *end = at + 1;
        if (*at == '\n') {
            line++;
            start = at + 1;
            if (strncmp(at + 1, "#line", 5) == 0)
                return true;
            continue;
        }
        if (*at == '"' || *at == '\'') {
            end = lexical_end_of_literal(at);
        } else if (at[0] == '/' && at[1] == '*') {
            const char *close = strstr(at + 2, "*/");
            end = close ? close + 2 : at + strlen(at);
        } else if (at[0] == '/' && at[1] == '/') {
            joined = find_joined_line(at);
            while (*end && *end != '\n')
                end += lexical_spliced(end) > 0 ? lexical_spliced(end) : 1;
        } else if (lexical_spliced(at) > 0) {
            end = at + lexical_spliced(at);
        }
        if (joined
            && !diagnostics_add(diagnostics, LOCKSTEP_WARNING, file, line, (int)(joined - start) + 1,
                                "The backslash at the end of this comment joins the next line to it: that line is a "
                                "comment, too."))
            return false;
        if (joined)
            snprintf(diagnostics->entries[diagnostics->count - 1].kind, sizeof diagnostics->entries->kind, "comment");
        for (; at + 1 < end; at++)
            if (at[0] == '\n') {
                line++;
                start = at + 1;
            }
    }
    return true;
}

bool advice_warn(const char *text, size_t bytes, const char *file, struct diagnostics *diagnostics)
{
    struct source *source = source_create(text, bytes);
    char *whole = strndup(text, bytes);
    bool good = whole && (strncmp(whole, "#line", 5) == 0 || warn_of_comments(whole, file, diagnostics));
    free(whole);
    for (size_t i = 0; source && good && i + 1 < source->token_count && !source_is_spent(); i++) {
        const struct source_token *token = &source->tokens[i], *place;
        const char *kind, *words = token->own && !token->defined ? judge_token(source, i, &place, &kind) : NULL;
        if (words && !is_warned(diagnostics, kind, place->line))
            good = add_warning(diagnostics, kind, file, source, place, words);
        if (token->own && source_token_is(token, "*") && declares_null(source, i + 1)) {
            char message[160];
            token++;
            snprintf(message, sizeof message,
                     "%.*s is a null pointer, and nothing else is ever stored in it: it points to no array.",
                     token->length < 60 ? token->length : 60, token->text);
            good = good && add_warning(diagnostics, "pointer", file, source, token, message);
            continue;
        }
        const struct source_token *after_body = NULL, *body = NULL, *sign = NULL;
        char words_made[200];
        if (token->own && !token->defined && (body = is_indented(source, i, &after_body))) {
            snprintf(words_made, sizeof words_made,
                     "Without braces only the statement in line %d belongs to this %.*s; the one in line %d does not.",
                     body->line, token->length, token->text, after_body->line);
            good = good && add_warning(diagnostics, "indent", file, source, token, words_made);
        }
        if (token->own && !token->defined && (sign = cuts_macro(source, i))) {
            snprintf(
                words_made, sizeof words_made,
                "%.*s is replaced by its text, which has no parentheses around it: the %.*s next to it takes only a part "
                "of it.",
                token->length < 60 ? token->length : 60, token->text, sign->length, sign->text);
            good = good && add_warning(diagnostics, "macro", file, source, token, words_made);
        }
        struct advice_remark meant;
        if (token->own && !token->defined && advice_meant(source, i, &meant))
            good = good && add_warning(diagnostics, meant.kind, file, source, meant.token, meant.words);
        char call_words[ADVICE_CALLS_BYTES];
        const char *call = good && token->own && !token->defined ? advice_calls_judge(source, i, call_words) : NULL;
        if (call)
            good = add_warning(diagnostics, call, file, source, token, call_words);
        size_t first, end;
        char cut = token->own && !token->defined ? cuts_argument(source, i, &first, &end) : 0;
        if (cut) {
            const struct source_token *from = &source->tokens[first], *last = &source->tokens[end - 1];
            int length = (int)(last->text + last->length - from->text);
            snprintf(
                words_made, sizeof words_made,
                "%.*s is replaced by its text, with %.*s%s in it as it is written: the %c there takes only a part of it.",
                token->length < 60 ? token->length : 60, token->text, length < 50 ? length : 50, from->text,
                length < 50 ? "" : "...", cut);
            good = good && add_warning(diagnostics, "macro_argument", file, source, token, words_made);
        }
        if (token->defined || !token->own || !source_token_is(token, "if") || !source_token_is(token + 1, "("))
            continue;
        size_t close = source_closing(source, i + 1, source->token_count);
        if (close + 1 >= source->token_count)
            continue;
        const struct source_token *assignment = find_assignment(source, i + 1, close), *after = &source->tokens[close + 1];
        if (assignment && !is_warned(diagnostics, "equals", assignment->line))
            good = good
                   && add_warning(diagnostics, "equals", file, source, assignment,
                                  "This = stores a value, and the if asks whether it is 0. A comparison is written ==, < or "
                                  ">=.");
        bool followed = close + 2 < source->token_count && source_token_is(&source->tokens[close + 2], "else");
        if (good && source_token_is(after, ";") && !followed)
            good = add_warning(diagnostics, "if_body", file, source, after,
                               "This ; ends the if: what follows runs in every case.");
    }
    source_destroy(source);
    return good;
}
