#include "grader/compile/source_tokens.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

/* Where the reader stands. Blanks, comments, literals and continued lines are skipped in one place, so that nothing in them
 * can pass for code. */
struct reader {
    const char *at;
    int line;
    bool line_start; /* nothing but blanks since the last newline */
};

static void skip_literal(struct reader *reader)
{
    char quote = *reader->at++;
    while (*reader->at != '\0' && *reader->at != quote && *reader->at != '\n') {
        if (*reader->at == '\\' && reader->at[1] != '\0')
            reader->at++;
        reader->line += *reader->at == '\n';
        reader->at++;
    }
    if (*reader->at == quote)
        reader->at++;
}

static void skip_comment(struct reader *reader)
{
    if (reader->at[1] == '/') {
        while (*reader->at != '\0' && *reader->at != '\n')
            reader->at++;
        return;
    }
    reader->at += 2;
    while (*reader->at != '\0' && !(reader->at[0] == '*' && reader->at[1] == '/')) {
        reader->line += *reader->at == '\n';
        reader->at++;
    }
    if (*reader->at != '\0')
        reader->at += 2;
}

/* Skips to the next token. With `in_directive`, stops at the end of the line. Returns false there and at the end. */
static bool skip_blank(struct reader *reader, bool in_directive)
{
    for (;;) {
        char c = *reader->at;
        if (c == '\0')
            return false;
        if (c == '\n') {
            if (in_directive)
                return false;
            reader->line++;
            reader->line_start = true;
            reader->at++;
        } else if (c == '\\' && (reader->at[1] == '\n' || (reader->at[1] == '\r' && reader->at[2] == '\n'))) {
            reader->at += reader->at[1] == '\n' ? 2 : 3;
            reader->line++;
        } else if (isspace((unsigned char)c)) {
            reader->at++;
        } else if (c == '/' && (reader->at[1] == '/' || reader->at[1] == '*')) {
            skip_comment(reader);
        } else if (c == '"' || c == '\'') {
            skip_literal(reader);
            reader->line_start = false;
        } else {
            return true;
        }
    }
}

static void append(struct source_tokens *tokens, const char *text, size_t length, int line)
{
    tokens->tokens = allocate_grown(tokens->tokens, &tokens->capacity, tokens->count + 1, sizeof *tokens->tokens);
    struct source_token *token = &tokens->tokens[tokens->count++];
    memset(token, 0, sizeof *token);
    memcpy(token->text, text, length < SOURCE_TOKEN_BYTES - 1 ? length : SOURCE_TOKEN_BYTES - 1);
    token->line = line;
}

static void read_token(struct reader *reader, struct source_tokens *tokens)
{
    const char *start = reader->at++;
    if (isalnum((unsigned char)*start) || *start == '_')
        while (isalnum((unsigned char)*reader->at) || *reader->at == '_')
            reader->at++;
    append(tokens, start, (size_t)(reader->at - start), reader->line);
}

static struct source_alias *add_alias(struct source_tokens *tokens, const char *name, size_t first, size_t count)
{
    tokens->aliases = allocate_grown(tokens->aliases, &tokens->alias_capacity, tokens->alias_count + 1,
                                     sizeof *tokens->aliases);
    struct source_alias *alias = &tokens->aliases[tokens->alias_count++];
    memset(alias, 0, sizeof *alias);
    strncpy(alias->name, name, SOURCE_TOKEN_BYTES - 1);
    alias->first = first;
    alias->count = count;
    return alias;
}

/* Reads a directive into its own list: the words of "#define NAME words" become an alias; the rest is dropped. */
static void read_directive(struct reader *reader, struct source_tokens *tokens, struct source_tokens *bodies)
{
    size_t first = bodies->count;
    reader->at++; /* '#' */
    while (skip_blank(reader, true))
        read_token(reader, bodies);
    struct source_token *words = bodies->tokens + first;
    size_t count = bodies->count - first;
    /* A parenthesis behind the name would be a function-like macro, or a value that no type begins with. */
    if (count >= 2 && strcmp(words[0].text, "define") == 0 && !(count > 2 && words[2].text[0] == '('))
        add_alias(tokens, words[1].text, first + 2, count - 2);
    else
        bodies->count = first;
}

/* typedef words NAME ;   and   using NAME = words ;   anywhere in the text. */
static void read_type_aliases(struct source_tokens *tokens)
{
    for (size_t i = 0; i < tokens->text_count; i++) {
        const char *text = tokens->tokens[i].text;
        bool is_typedef = strcmp(text, "typedef") == 0;
        if (!is_typedef && strcmp(text, "using") != 0)
            continue;
        size_t end = i;
        while (end < tokens->text_count && tokens->tokens[end].text[0] != ';' && tokens->tokens[end].text[0] != '{')
            end++;
        if (end == tokens->text_count || tokens->tokens[end].text[0] != ';')
            continue;
        if (is_typedef && end >= i + 3)
            add_alias(tokens, tokens->tokens[end - 1].text, i + 1, end - i - 2);
        if (!is_typedef && end >= i + 4 && tokens->tokens[i + 2].text[0] == '=')
            add_alias(tokens, tokens->tokens[i + 1].text, i + 3, end - i - 3);
    }
}

void source_tokens_read(const char *text, struct source_tokens *tokens)
{
    struct reader reader = {text, 1, true};
    struct source_tokens bodies = {0};
    memset(tokens, 0, sizeof *tokens);
    while (skip_blank(&reader, false)) {
        if (*reader.at == '#' && reader.line_start)
            read_directive(&reader, tokens, &bodies);
        else
            read_token(&reader, tokens);
        reader.line_start = false;
    }
    tokens->text_count = tokens->count;
    for (size_t i = 0; i < bodies.count; i++)
        append(tokens, bodies.tokens[i].text, strlen(bodies.tokens[i].text), bodies.tokens[i].line);
    for (size_t i = 0; i < tokens->alias_count; i++)
        tokens->aliases[i].first += tokens->text_count;
    free(bodies.tokens);
    read_type_aliases(tokens);
}

void source_tokens_clear(struct source_tokens *tokens)
{
    free(tokens->tokens);
    free(tokens->aliases);
    memset(tokens, 0, sizeof *tokens);
}

const struct source_alias *source_tokens_find_alias(const struct source_tokens *tokens, const char *name)
{
    for (size_t i = tokens->alias_count; i > 0; i--)
        if (strcmp(tokens->aliases[i - 1].name, name) == 0)
            return &tokens->aliases[i - 1];
    return NULL;
}
