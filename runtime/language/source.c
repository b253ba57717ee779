#include "runtime/language/source.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_BYTES = 4 << 20 };

struct reader {
    struct source *source;
    const char *at;
    int line;
    bool own, failed;
};

/* ---- tokens ---- */

static bool grow(void **list, size_t count, size_t *capacity, size_t element_bytes)
{
    if (count < *capacity)
        return true;
    size_t wanted = *capacity ? *capacity * 2 : 256;
    void *grown = realloc(*list, wanted * element_bytes);
    if (!grown)
        return false;
    *list = grown;
    *capacity = wanted;
    return true;
}

static void add_token(struct reader *reader, const char *text, size_t length, enum source_token_kind kind, bool defined)
{
    struct source *source = reader->source;
    if (!grow((void **)&source->tokens, source->token_count, &source->token_capacity, sizeof *source->tokens)) {
        reader->failed = true;
        return;
    }
    source->tokens[source->token_count++] = (struct source_token){
        .text = text, .length = (int)length, .line = reader->line, .own = reader->own, .defined = defined, .kind = kind};
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 128;
}

/* A backslash before the end of a line, which may be CR LF. 0: none; else its bytes. */
static size_t spliced(const char *at)
{
    return *at != '\\' ? 0 : at[1] == '\n' ? 2 : at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/* Passes over what stands between quotes; a line's end closes it too. */
static const char *end_of_literal(const char *at)
{
    char quote = *at++;
    while (*at && *at != '\n' && *at != quote)
        at += *at == '\\' && at[1] && at[1] != '\n' ? 2 : 1;
    return *at == quote ? at + 1 : at;
}

static size_t sign_length(const char *at)
{
    static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>", "<=", ">=", "==", "!=",
                                        "&&",  "||",  "+=",  "-=", "*=", "/=", "%=", "&=", "|=", "^=", "::"};
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        if (strncmp(at, signs[i], strlen(signs[i])) == 0)
            return strlen(signs[i]);
    return 1;
}

static const char *end_of_number(const char *at)
{
    for (; is_word(*at) || *at == '.' || (*at == '\'' && is_word(at[1])); at++)
        if (strchr("eEpP", *at) && (at[1] == '+' || at[1] == '-'))
            at++;
    return at;
}

/* Reads white space or a comment. Returns false where there is none. */
static bool skip_blank(struct reader *reader)
{
    const char *at = reader->at;
    size_t splice = spliced(at);
    if (splice) {
        reader->line++;
        reader->at += splice;
    } else if (at[0] == '/' && at[1] == '/') {
        while (*at && *at != '\n') {
            size_t more = spliced(at);
            reader->line += more > 0;
            at += more ? more : 1;
        }
        reader->at = at;
    } else if (at[0] == '/' && at[1] == '*') {
        for (at += 2; *at && !(at[0] == '*' && at[1] == '/'); at++)
            reader->line += *at == '\n';
        reader->at = *at ? at + 2 : at;
    } else if (*at != '\n' && isspace((unsigned char)*at)) {
        reader->at++;
    } else {
        return false;
    }
    return true;
}

/* One token that is no line's end. */
static void read_token(struct reader *reader, bool defined)
{
    const char *at = reader->at, *end = at + 1;
    enum source_token_kind kind = SOURCE_SIGN;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        end = end_of_number(at);
        kind = SOURCE_NUMBER;
    } else if (is_word(*at)) {
        while (is_word(*end))
            end++;
        kind = SOURCE_WORD;
    } else if (*at == '"' || *at == '\'') {
        end = end_of_literal(at);
        kind = SOURCE_LITERAL;
    } else {
        end = at + sign_length(at);
    }
    add_token(reader, at, (size_t)(end - at), kind, defined);
    reader->at = end;
}

/* ---- directives ---- */

static void skip_directive(struct reader *reader)
{
    while (*reader->at && *reader->at != '\n')
        if (!skip_blank(reader))
            reader->at++;
}

static void read_define(struct reader *reader)
{
    struct source *source = reader->source;
    struct source_macro macro = {0};
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    macro.name = reader->at;
    while (is_word(*reader->at))
        reader->at++;
    macro.length = (int)(reader->at - macro.name);
    macro.has_parameters = *reader->at == '(';
    macro.first = source->token_count;
    while (!macro.has_parameters && *reader->at && *reader->at != '\n')
        if (!skip_blank(reader))
            read_token(reader, true);
    macro.count = source->token_count - macro.first;
    if (macro.length && grow((void **)&source->macros, source->macro_count, &source->macro_capacity, sizeof macro))
        source->macros[source->macro_count++] = macro;
    skip_directive(reader);
}

/* `#line 40 "file"`, or `# 40 "file"`: what follows is that line of that file. */
static void read_line_directive(struct reader *reader)
{
    char *end;
    long line = strtol(reader->at, &end, 10);
    reader->at = end;
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    if (*reader->at == '"')
        reader->own = false;
    skip_directive(reader);
    reader->line = (int)line - 1; /* its own end counts one */
}

static void read_directive(struct reader *reader)
{
    reader->at++;
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    if (isdigit((unsigned char)*reader->at)) {
        read_line_directive(reader);
    } else if (strncmp(reader->at, "line", 4) == 0 && !is_word(reader->at[4])) {
        reader->at += 4;
        read_line_directive(reader);
    } else if (strncmp(reader->at, "define", 6) == 0 && !is_word(reader->at[6])) {
        reader->at += 6;
        read_define(reader);
    } else {
        skip_directive(reader);
    }
}

static void read_text(struct reader *reader)
{
    bool begins = true;
    while (*reader->at && !reader->failed) {
        if (*reader->at == '\n') {
            reader->at++;
            reader->line++;
            begins = true;
        } else if (!skip_blank(reader)) {
            if (begins && *reader->at == '#')
                read_directive(reader);
            else
                read_token(reader, false);
            begins = false;
        }
    }
}

/* ---- sources ---- */

struct source *source_create(const char *text, size_t bytes)
{
    struct source *source = memchr(text, 0, bytes) ? NULL : calloc(1, sizeof *source);
    if (!source)
        return NULL;
    source->text = malloc(bytes + 1);
    if (source->text) {
        memcpy(source->text, text, bytes);
        source->text[bytes] = '\0';
        source->bytes = bytes;
        struct reader reader = {.source = source, .at = source->text, .line = 1, .own = true};
        if (strncmp(reader.at, "\xEF\xBB\xBF", 3) == 0) /* byte order mark */
            reader.at += 3;
        read_text(&reader);
        if (!reader.failed)
            return source;
    }
    source_destroy(source);
    return NULL;
}

struct source *source_read(const char *path)
{
    struct stat status;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    struct source *source = NULL;
    if (file >= 0 && fstat(file, &status) == 0 && S_ISREG(status.st_mode) && status.st_size <= MOST_BYTES) {
        size_t bytes = (size_t)status.st_size;
        char *text = malloc(bytes + 1);
        if (text && read(file, text, bytes) == (ssize_t)bytes)
            source = source_create(text, bytes);
        free(text);
    }
    if (file >= 0)
        close(file);
    return source;
}

void source_destroy(struct source *source)
{
    if (!source)
        return;
    free(source->text);
    free(source->tokens);
    free(source->macros);
    free(source);
}

const char *source_line_of(const struct source *source, const struct source_token *token, int *length)
{
    const char *start = token->text;
    while (start > source->text && start[-1] != '\n')
        start--;
    *length = (int)strcspn(start, "\r\n");
    return start;
}

/* ---- looking around ---- */

bool source_token_is(const struct source_token *token, const char *text)
{
    return token->length == (int)strlen(text) && memcmp(token->text, text, (size_t)token->length) == 0;
}

bool source_token_same(const struct source_token *a, const struct source_token *b)
{
    return a->length == b->length && memcmp(a->text, b->text, (size_t)a->length) == 0;
}

size_t source_closing(const struct source *source, size_t open, size_t end)
{
    int depth = 0;
    for (size_t i = open; i < end; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->kind != SOURCE_SIGN || token->defined || token->length != 1)
            continue;
        if (strchr("([{", *token->text))
            depth++;
        else if (strchr(")]}", *token->text) && --depth == 0)
            return i;
    }
    return end;
}

const struct source_macro *source_find_macro(const struct source *source, const struct source_token *name)
{
    for (size_t i = source->macro_count; i-- > 0;) {
        const struct source_macro *macro = &source->macros[i];
        if (macro->length == name->length && memcmp(macro->name, name->text, (size_t)name->length) == 0)
            return macro->has_parameters ? NULL : macro;
    }
    return NULL;
}

/* ---- functions ---- */

/* The parameters between the brackets at `open` and `close`: the name is the last word before a comma, = or [. */
static void read_parameters(const struct source *source, size_t open, size_t close, struct source_function *function)
{
    size_t start = open + 1, name = 0;
    bool ended = false;
    int depth = 0;
    function->parameter_count = 0;
    for (size_t i = open + 1; i <= close; i++) {
        const struct source_token *token = &source->tokens[i];
        if (i == close || (depth == 0 && source_token_is(token, ","))) {
            if (i > start && function->parameter_count < SOURCE_MAX_PARAMETERS) {
                function->types[function->parameter_count] = start;
                function->parameters[function->parameter_count++] = name > start ? name : 0;
            }
            start = i + 1;
            name = 0;
            ended = false;
            continue;
        }
        if (token->kind == SOURCE_SIGN && token->length == 1 && strchr("(<[{", *token->text))
            depth++;
        else if (token->kind == SOURCE_SIGN && token->length == 1 && strchr(")>]}", *token->text))
            depth--;
        ended |= source_token_is(token, "=") || source_token_is(token, "[");
        if (token->kind == SOURCE_WORD && depth == 0 && !ended && !source_token_is(token, "__restrict__"))
            name = i;
    }
}

/* Looks back from a function's name for `template <…>`, across the words of its type. */
static void find_template(const struct source *source, struct source_function *function)
{
    function->template_first = function->template_last = 0;
    for (size_t i = function->name; i-- > 0;) {
        const struct source_token *token = &source->tokens[i];
        if (source_token_is(token, ";") || source_token_is(token, "}") || source_token_is(token, "{"))
            return;
        if (source_token_is(token, "template") && source_token_is(&source->tokens[i + 1], "<")) {
            int depth = 0;
            for (size_t k = i + 1; k < function->name; k++) {
                depth += source_token_is(&source->tokens[k], "<") - source_token_is(&source->tokens[k], ">");
                if (depth == 0) {
                    function->template_first = i + 2;
                    function->template_last = k;
                    return;
                }
            }
            return;
        }
    }
}

bool source_find_function(const struct source *source, const char *name, int line, struct source_function *function)
{
    struct source_function found;
    bool any = false;
    for (size_t i = 0; i + 1 < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        if (token->kind != SOURCE_WORD || token->defined || !source_token_is(token, name)
            || !source_token_is(&source->tokens[i + 1], "("))
            continue;
        size_t close = source_closing(source, i + 1, source->token_count);
        if (close + 1 >= source->token_count || !source_token_is(&source->tokens[close + 1], "{"))
            continue;
        found = (struct source_function){.name = i, .first = close + 2};
        found.last = source_closing(source, close + 1, source->token_count);
        if (found.last >= source->token_count)
            continue;
        bool holds = line >= token->line && line <= source->tokens[found.last].line;
        if (any && !holds)
            continue;
        read_parameters(source, i + 1, close, &found);
        find_template(source, &found);
        *function = found;
        any = true;
        if (holds || !line)
            break;
    }
    return any;
}
