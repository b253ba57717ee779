#include "runtime/language/source.h"

#include <ctype.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "runtime/language/conditionals.h"
#include "runtime/language/lexical.h"
#include "runtime/language/text.h"

enum { MOST_BYTES = 4 << 20 };

struct source_reader {
    struct source *source;
    const char *at;
    int line;
    bool own, failed;
};

/* ---- work ---- */

static _Thread_local uint64_t work, work_end = UINT64_MAX;

void source_limit_work(uint64_t more)
{
    work_end = more ? work + more : UINT64_MAX;
}

bool source_is_spent(void)
{
    return work > work_end;
}

void source_add_work(uint64_t more)
{
    work += more;
}

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

/* The operator that a word of C++ stands for; NULL: none. */
static const char *meant_sign(const char *text, size_t length)
{
    static const char *const words[][2] = {{"and", "&&"},    {"or", "||"},    {"not", "!"},    {"bitand", "&"},
                                           {"bitor", "|"},   {"xor", "^"},    {"compl", "~"},  {"not_eq", "!="},
                                           {"and_eq", "&="}, {"or_eq", "|="}, {"xor_eq", "^="}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i][0]) == length && memcmp(words[i][0], text, length) == 0)
            return words[i][1];
    return NULL;
}

static void add_token(struct source_reader *reader, const char *text, size_t length, enum source_token_kind kind,
                      bool defined)
{
    struct source *source = reader->source;
    if (!grow((void **)&source->tokens, source->token_count, &source->token_capacity, sizeof *source->tokens)) {
        reader->failed = true;
        return;
    }
    source->tokens[source->token_count++] = (struct source_token){
        .text = text, .length = (int)length, .line = reader->line, .own = reader->own, .defined = defined, .kind = kind};
    struct source_token *token = &source->tokens[source->token_count - 1];
    token->sign = kind == SOURCE_WORD ? meant_sign(text, length) : NULL;
    if (token->sign)
        token->kind = SOURCE_SIGN;
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

/* Reads white space or a comment. Returns false where there is none. */
static bool skip_blank(struct source_reader *reader)
{
    const char *at = reader->at;
    size_t splice = lexical_spliced(at);
    if (splice) {
        reader->line++;
        reader->at += splice;
    } else if (at[0] == '/' && at[1] == '/') {
        while (*at && *at != '\n') {
            size_t more = lexical_spliced(at);
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

/* One token that is not the end of a line. */
static void read_token(struct source_reader *reader, bool defined)
{
    const char *at = reader->at, *end = at + 1;
    enum source_token_kind kind = SOURCE_SIGN;
    if (isdigit((unsigned char)*at) || (*at == '.' && isdigit((unsigned char)at[1]))) {
        end = lexical_end_of_number(at);
        kind = SOURCE_NUMBER;
    } else if (lexical_is_word(*at)) {
        while (lexical_is_word(*end))
            end++;
        kind = lexical_is_raw(at, end) ? SOURCE_LITERAL : SOURCE_WORD;
        end = kind == SOURCE_LITERAL ? lexical_end_of_raw(end) : end;
    } else if (*at == '"' || *at == '\'') {
        end = lexical_end_of_literal(at);
        kind = SOURCE_LITERAL;
    } else {
        end = at + sign_length(at);
    }
    add_token(reader, at, (size_t)(end - at), kind, defined);
    for (; kind == SOURCE_LITERAL && at < end; at++)
        reader->line += *at == '\n';
    reader->at = end;
}

/* ---- directives ---- */

static void skip_directive(struct source_reader *reader)
{
    while (*reader->at && *reader->at != '\n')
        if (*reader->at == '"' || *reader->at == '\'') {
            const char *start = reader->at;
            for (reader->at = lexical_end_of_literal(start); start < reader->at; start++)
                reader->line += *start == '\n';
        } else if (!skip_blank(reader)) {
            reader->at++;
        }
}

static void read_define(struct source_reader *reader)
{
    struct source *source = reader->source;
    struct source_macro macro = {0};
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    macro.name = reader->at;
    while (lexical_is_word(*reader->at))
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
static void read_line_directive(struct source_reader *reader)
{
    char *end = (char *)reader->at;
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    int line = isdigit((unsigned char)*reader->at) ? lexical_line(strtol(reader->at, &end, 10)) : 0;
    reader->at = end > reader->at ? end : reader->at;
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    if (*reader->at == '"')
        reader->own = false;
    skip_directive(reader);
    reader->line = line > 0 ? line - 1 : 0; /* its own end counts one */
}

static void read_directive(struct source_reader *reader)
{
    reader->at++;
    while (*reader->at && *reader->at != '\n' && skip_blank(reader)) {}
    if (isdigit((unsigned char)*reader->at)) {
        read_line_directive(reader);
    } else if (strncmp(reader->at, "line", 4) == 0 && !lexical_is_word(reader->at[4])) {
        reader->at += 4;
        read_line_directive(reader);
    } else if (strncmp(reader->at, "define", 6) == 0 && !lexical_is_word(reader->at[6])) {
        reader->at += 6;
        read_define(reader);
    } else {
        skip_directive(reader);
    }
}

static void read_text(struct source_reader *reader)
{
    bool begins = true;
    while (*reader->at && !reader->failed) {
        if (*reader->at == '\n') {
            reader->at++;
            reader->line++;
            begins = true;
        } else if (!skip_blank(reader)) {
            bool digraph = reader->at[0] == '%' && reader->at[1] == ':';
            if (begins && (*reader->at == '#' || digraph)) {
                reader->at += digraph;
                read_directive(reader);
            } else {
                read_token(reader, false);
            }
            begins = false;
        }
    }
}

/* ---- type aliases ---- */

/* `typedef tokens name;` and `using name = tokens;` anywhere in the text. */
static void read_types(struct source_reader *reader)
{
    struct source *source = reader->source;
    for (size_t i = 0; i < source->token_count && !reader->failed; i++) {
        const struct source_token *token = &source->tokens[i], *name = NULL;
        bool is_typedef = source_token_is(token, "typedef");
        struct source_macro type = {0};
        size_t end = i + 1;
        if (token->defined || (!is_typedef && !source_token_is(token, "using")))
            continue;
        while (end < source->token_count && *source->tokens[end].text != ';' && *source->tokens[end].text != '{')
            end++;
        if (end == source->token_count || *source->tokens[end].text != ';')
            continue;
        if (is_typedef && end >= i + 3) {
            name = &source->tokens[end - 1];
            type.first = i + 1;
            type.count = end - i - 2;
        } else if (!is_typedef && end >= i + 4 && source_token_is(&source->tokens[i + 2], "=")) {
            name = &source->tokens[i + 1];
            type.first = i + 3;
            type.count = end - i - 3;
        } else {
            continue;
        }
        type.name = name->text;
        type.length = name->length;
        reader->failed = !grow((void **)&source->types, source->type_count, &source->type_capacity, sizeof type);
        if (!reader->failed)
            source->types[source->type_count++] = type;
        i = end;
    }
}

/* ---- finding names ---- */

/* The slot that holds the name, or is free for it. */
static size_t find_slot(const struct source_index *index, const struct source_macro *list, const char *name, int length)
{
    uint64_t hash = UINT64_C(0xcbf29ce484222325); /* FNV-1a */
    for (int i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * UINT64_C(0x100000001b3);
    size_t slot = (size_t)(hash ^ hash >> 32) & (index->slot_count - 1);
    for (; index->slots[slot]; slot = (slot + 1) & (index->slot_count - 1)) {
        const struct source_macro *known = &list[index->slots[slot] - 1];
        if (known->length == length && memcmp(known->name, name, (size_t)length) == 0)
            break;
    }
    return slot;
}

static bool make_index(struct source_index *index, const struct source_macro *list, size_t count)
{
    for (index->slot_count = 4; index->slot_count < 2 * count; index->slot_count *= 2) {}
    index->slots = calloc(index->slot_count, sizeof *index->slots);
    for (size_t i = 0; index->slots && i < count; i++)
        index->slots[find_slot(index, list, list[i].name, list[i].length)] = i + 1;
    return index->slots;
}

static const struct source_macro *find_name(const struct source_index *index, const struct source_macro *list,
                                            const struct source_token *name)
{
    size_t position = index->slots[find_slot(index, list, name->text, name->length)];
    return position ? &list[position - 1] : NULL;
}

/* ---- sources ---- */

/* What no compiler sees, whatever its macros. Returns false when memory is short. */
static bool leave_out_hidden(struct source *source)
{
    if (!memmem(source->text, source->bytes, "if", 2))
        return true;
    struct conditionals *conditionals = conditionals_read(source->text, source->bytes);
    if (conditionals)
        conditionals_blank(conditionals, source->text);
    conditionals_destroy(conditionals);
    return conditionals != NULL;
}

struct source *source_create(const char *text, size_t bytes)
{
    return source_is_spent() ? NULL : source_create_anyway(text, bytes);
}

struct source *source_create_anyway(const char *text, size_t bytes)
{
    struct source *source = memchr(text, 0, bytes) ? NULL : calloc(1, sizeof *source);
    if (!source)
        return NULL;
    work += bytes / 2;
    source->text = malloc(bytes + 1);
    if (source->text) {
        memcpy(source->text, text, bytes);
        source->text[bytes] = '\0';
        source->bytes = bytes;
    }
    if (source->text && leave_out_hidden(source)) {
        struct source_reader reader = {.source = source, .at = source->text, .line = 1, .own = true};
        if (strncmp(reader.at, "\xEF\xBB\xBF", 3) == 0) /* byte order mark */
            reader.at += 3;
        read_text(&reader);
        read_types(&reader);
        if (!reader.failed && make_index(&source->macro_index, source->macros, source->macro_count)
            && make_index(&source->type_index, source->types, source->type_count))
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
        char *meant = text && read(file, text, bytes) == (ssize_t)bytes ? text_read(text, bytes, &bytes) : NULL;
        if (meant)
            source = source_create(meant, bytes);
        free(meant);
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
    free(source->types);
    free(source->macro_index.slots);
    free(source->type_index.slots);
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
    work++;
    if (token->sign)
        return strcmp(token->sign, text) == 0;
    return token->length == (int)strlen(text) && memcmp(token->text, text, (size_t)token->length) == 0;
}

bool source_token_is_any(const struct source_token *token, const char *const *texts, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (source_token_is(token, texts[i]))
            return true;
    return false;
}

bool source_token_same(const struct source_token *a, const struct source_token *b)
{
    work++;
    return a->length == b->length && memcmp(a->text, b->text, (size_t)a->length) == 0;
}

bool source_same_tokens(const struct source *source, size_t a, size_t b, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!source_token_same(&source->tokens[a + i], &source->tokens[b + i]))
            return false;
    return true;
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

/* `(float *)`, `(volatile unsigned)`: does the bracket that closes at `close` hold a type, and no argument? */
static bool closes_cast(const struct source *source, size_t close)
{
    static const char *const types[] = {"void",     "bool",    "char",     "short",   "int",      "long",     "unsigned",
                                        "signed",   "float",   "double",   "size_t",  "int8_t",   "uint8_t",  "int16_t",
                                        "uint16_t", "int32_t", "uint32_t", "int64_t", "uint64_t", "uintptr_t"};
    static const char *const before_casts[] = {"return", "case", "else", "do"};
    const struct source_token *tokens = source->tokens;
    size_t open = close;
    bool words = true, type = false;
    for (int depth = 1; depth > 0;) {
        if (open-- == 0)
            return false;
        depth += source_token_is(&tokens[open], ")") - source_token_is(&tokens[open], "(");
        if (depth == 0)
            break;
        words = words && (tokens[open].kind == SOURCE_WORD || source_token_is(&tokens[open], "*"));
        type = type || SOURCE_IS_ANY(&tokens[open], types);
    }
    if (open > 0 && tokens[open - 1].kind == SOURCE_WORD && !SOURCE_IS_ANY(&tokens[open - 1], before_casts))
        return false; /* a call, or sizeof */
    return words && (type || (close > open + 2 && source_token_is(&tokens[close - 1], "*")));
}

bool source_ends_operand(const struct source *source, size_t at)
{
    static const char *const keywords[] = {"return", "case", "else", "do"};
    const struct source_token *token = &source->tokens[at];
    if (source_token_is(token, ")"))
        return !closes_cast(source, at);
    return (token->kind == SOURCE_WORD && !SOURCE_IS_ANY(token, keywords)) || token->kind == SOURCE_NUMBER
           || source_token_is(token, "]");
}

const struct source_macro *source_find_macro(const struct source *source, const struct source_token *name)
{
    const struct source_macro *macro = find_name(&source->macro_index, source->macros, name);
    return macro && !macro->has_parameters ? macro : NULL;
}

const struct source_macro *source_find_alias(const struct source *source, const struct source_token *name)
{
    const struct source_macro *macro = source_find_macro(source, name);
    return macro ? macro : find_name(&source->type_index, source->types, name);
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
