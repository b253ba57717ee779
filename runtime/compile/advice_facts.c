#include "runtime/compile/advice_facts.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* ---- tokens ---- */

const struct source_token *facts_token(const struct facts *facts, size_t at, int step)
{
    static const struct source_token none = {.text = "", .kind = SOURCE_SIGN};
    if (!facts->source || at >= facts->source->token_count)
        return &none;
    while (step != 0) { /* over the replacements of macros */
        if (step < 0 ? at == 0 : at + 1 >= facts->source->token_count)
            return &none;
        at = step < 0 ? at - 1 : at + 1;
        if (!facts->source->tokens[at].defined)
            step += step < 0 ? 1 : -1;
    }
    return &facts->source->tokens[at];
}

bool facts_is(const struct facts *facts, int step, const char *text)
{
    return source_token_is(facts_token(facts, facts->at, step), text);
}

bool facts_is_word(const struct facts *facts, int step)
{
    const struct source_token *token = facts_token(facts, facts->at, step);
    return token->kind == SOURCE_WORD && token->length > 0;
}

void facts_copy(const struct source_token *token, char word[FACTS_WORD_BYTES])
{
    snprintf(word, FACTS_WORD_BYTES, "%.*s", token->length, token->text);
}

bool facts_quoted(const struct facts *facts, int n, char word[FACTS_WORD_BYTES])
{
    const char *at = strchr(facts->message, '"');
    for (int i = 0; at && i < 2 * n; i++)
        at = strchr(at + 1, '"');
    const char *end = at ? strchr(at + 1, '"') : NULL;
    if (!end || end - at > FACTS_WORD_BYTES)
        return false;
    snprintf(word, FACTS_WORD_BYTES, "%.*s", (int)(end - at - 1), at + 1);
    return true;
}

int facts_bracket_change(const struct source_token *token)
{
    return source_token_is(token, "(") + source_token_is(token, "[") - source_token_is(token, ")")
           - source_token_is(token, "]");
}

/* ---- where the caret is ---- */

static bool is_transparent(const struct source *source, size_t brace)
{
    const struct source_token *before = brace > 0 ? &source->tokens[brace - 1] : NULL;
    const struct source_token *earlier = brace > 1 ? &source->tokens[brace - 2] : NULL;
    return before
           && (before->kind == SOURCE_LITERAL || source_token_is(before, "namespace")
               || (earlier && source_token_is(earlier, "namespace")));
}

static void find_braces(struct facts *facts)
{
    enum { DEEPEST = 64 };
    const struct source *source = facts->source;
    bool counts[DEEPEST];
    size_t open[DEEPEST];
    int levels = 0, brackets = 0;
    facts->open = source->token_count;
    for (size_t i = 0; i < facts->at && i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->kind != SOURCE_SIGN || token->defined || token->length != 1)
            continue;
        if (*token->text == '{' && levels < DEEPEST) {
            counts[levels] = !is_transparent(source, i);
            if (counts[levels] && facts->depth++ == 0)
                facts->body = i;
            levels++;
        } else if (*token->text == '}' && levels > 0) {
            facts->depth -= counts[--levels];
        }
        if (strchr("([", *token->text) && brackets < DEEPEST)
            open[brackets++] = i;
        else if (strchr(")]", *token->text) && brackets > 0)
            brackets--;
        else if (strchr("{}", *token->text)
                 || (*token->text == ';' && (brackets == 0 || *source->tokens[open[brackets - 1]].text == '[')))
            brackets = 0;
    }
    if (brackets > 0)
        facts->open = open[brackets - 1];
}

size_t facts_statement(const struct facts *facts, size_t at)
{
    while (at > 0) {
        const struct source_token *before = &facts->source->tokens[at - 1];
        if (before->defined || (before->kind == SOURCE_SIGN && before->length == 1 && strchr(";{}", *before->text)))
            break;
        at--;
    }
    return at;
}

static void find_function(struct facts *facts)
{
    const struct source *source = facts->source;
    facts->head = facts_statement(facts, facts->body);
    for (size_t i = facts->head; i < facts->body; i++) {
        facts->kernel |= source_token_is(&source->tokens[i], "__global__");
        facts->device |= source_token_is(&source->tokens[i], "__device__");
        if (facts->params == 0 && i > 0 && source_token_is(&source->tokens[i], "(")
            && source->tokens[i - 1].kind == SOURCE_WORD && !source_token_is(&source->tokens[i - 1], "__launch_bounds__"))
            facts->params = i;
    }
}

void facts_look_around(struct facts *facts)
{
    facts->depth = 0;
    facts->params = 0;
    facts->kernel = facts->device = false;
    find_braces(facts);
    if (facts->depth > 0)
        find_function(facts);
}

void facts_find(const struct source *source, const lockstep_diagnostic *diagnostic, bool at_end, struct facts *facts)
{
    *facts = (struct facts){.source = source,
                            .message = diagnostic->message,
                            .line = diagnostic->line,
                            .column = diagnostic->column,
                            .at_end = at_end};
    if (!source)
        return;
    facts->at = source->token_count;
    for (size_t i = 0; i < source->token_count && !at_end && diagnostic->column > 0; i++) {
        const struct source_token *token = &source->tokens[i];
        int length;
        if (token->line != diagnostic->line || !token->own || token->defined)
            continue;
        long before = token->text - source_line_of(source, token, &length);
        if (diagnostic->column - 1 >= before && diagnostic->column - 1 < before + token->length) {
            facts->at = i;
            break;
        }
    }
    facts_look_around(facts);
}

/* ---- declarations ---- */

bool facts_parameter(const struct facts *facts, const struct source_token *name, size_t *first, size_t *last)
{
    if (facts->depth == 0 || facts->params == 0)
        return false;
    const struct source *source = facts->source;
    size_t close = source_closing(source, facts->params, facts->body), start = facts->params + 1;
    const struct source_token *word = NULL;
    bool sized = false;
    for (size_t i = start; i <= close && i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (i == close || source_token_is(token, ",")) {
            if (word && source_token_same(word, name)) {
                *first = start;
                *last = i;
                return true;
            }
            start = i + 1;
            word = NULL;
            sized = false;
        } else if (source_token_is(token, "[")) {
            sized = true;
        } else if (token->kind == SOURCE_WORD && !sized && !source_token_is(token, "__restrict__")) {
            word = token;
        }
    }
    return false;
}

bool facts_has(const struct facts *facts, size_t first, size_t last, const char *text)
{
    for (size_t i = first; i < last; i++)
        if (source_token_is(&facts->source->tokens[i], text))
            return true;
    return false;
}

static bool is_type_word(const struct source_token *token)
{
    static const char *const types[] = {"void", "int",    "float",    "double", "char",   "bool",   "short",
                                        "long", "signed", "unsigned", "auto",   "size_t", "float2", "float4",
                                        "int2", "int4",   "uint",     "dim3",   "half"};
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (source_token_is(token, types[i]))
            return true;
    return token->kind == SOURCE_WORD && token->length > 2 && memcmp(token->text + token->length - 2, "_t", 2) == 0;
}

bool facts_declares(const struct facts *facts, size_t at)
{
    const struct source *source = facts->source;
    const struct source_token *token = &source->tokens[at];
    if (token->kind != SOURCE_WORD || token->defined || is_type_word(token))
        return false;
    size_t i = at;
    while (i > 0
           && (source_token_is(&source->tokens[i - 1], "*") || source_token_is(&source->tokens[i - 1], "&")
               || source_token_is(&source->tokens[i - 1], "const")
               || source_token_is(&source->tokens[i - 1], "__restrict__")))
        i--;
    if (i > 0 && is_type_word(&source->tokens[i - 1]))
        return true;
    /* int i = 0, j: back over the declarators before it */
    size_t start = facts_statement(facts, at);
    if (i == 0 || !source_token_is(&source->tokens[i - 1], ","))
        return false;
    for (size_t k = start; k < i; k++)
        if (source_token_is(&source->tokens[k], "("))
            return false;
    while (start < at
           && (source_token_is(&source->tokens[start], "const") || source_token_is(&source->tokens[start], "static")
               || source_token_is(&source->tokens[start], "__shared__")))
        start++;
    return is_type_word(&source->tokens[start]);
}

bool facts_is_array(const struct facts *facts, const struct source_token *name)
{
    size_t first, last;
    if (facts_parameter(facts, name, &first, &last))
        return facts_has(facts, first, last, "*") || facts_has(facts, first, last, "[");
    for (size_t i = facts->depth > 0 ? facts->body : 0; i < facts->at && i < facts->source->token_count; i++)
        if (source_token_same(&facts->source->tokens[i], name) && facts_declares(facts, i))
            return source_token_is(facts_token(facts, i, 1), "[") || source_token_is(facts_token(facts, i, -1), "*");
    return false;
}

/* ---- spelling ---- */

bool facts_is_nearly(const char *word, const char *right)
{
    size_t length, other, same = 0, back = 0;
    word += strspn(word, "_");
    right += strspn(right, "_");
    for (length = strlen(word); length > 0 && word[length - 1] == '_'; length--) {}
    for (other = strlen(right); other > 0 && right[other - 1] == '_'; other--) {}
    while (same < length && same < other && tolower((unsigned char)word[same]) == tolower((unsigned char)right[same]))
        same++;
    while (back < length - same && back < other - same
           && tolower((unsigned char)word[length - 1 - back]) == tolower((unsigned char)right[other - 1 - back]))
        back++;
    size_t left = length - same - back, wanted = other - same - back;
    bool exchanged = left == 2 && wanted == 2 && word[same] == right[same + 1] && word[same + 1] == right[same];
    return exchanged || (left <= 1 && wanted <= 1);
}
