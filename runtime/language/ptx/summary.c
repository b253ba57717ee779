#include "runtime/language/ptx/summary.h"

#include <string.h>

#include "runtime/language/ptx/type.h"

struct summary_reader {
    struct lexer lexer;
    struct token token; /* the one to look at */
    struct ptx_summary *summary;
    struct diagnostic *diagnostic;
    enum ptx_status status;
};

static bool is(const struct token *token, char punctuation)
{
    return token->kind == TOKEN_PUNCTUATION && token->punctuation == punctuation;
}

static bool is_directive(const struct token *token, const char *name)
{
    return token->kind == TOKEN_DIRECTIVE && token->length == strlen(name) && memcmp(token->text, name, token->length) == 0;
}

static bool is_end(const struct token *token)
{
    return token->kind == TOKEN_END || token->kind == TOKEN_ERROR;
}

/* ---- the instructions of a body ------------------------------------------------------------------------------------- */

static struct token advance(struct ptx_instructions *walk)
{
    struct token token = walk->ahead;
    walk->ahead = lexer_next(&walk->lexer);
    return token;
}

void ptx_instructions_begin(struct ptx_instructions *walk, const struct ptx_body *body)
{
    *walk = (struct ptx_instructions){.depth = 1};
    lexer_init(&walk->lexer, body->text, body->length, NULL);
    walk->lexer.tolerant = true;
    advance(walk);
}

/* `.loc 1 2 3, function_name label+4, inlined_at 1 2 3` and `.file 1 "name", 2, 3` end without a mark. */
static void skip_location(struct ptx_instructions *walk)
{
    bool word_may_follow = false;
    for (;;) {
        const struct token *ahead = &walk->ahead;
        bool word = ahead->kind == TOKEN_IDENTIFIER;
        if (ahead->kind != TOKEN_INTEGER && ahead->kind != TOKEN_STRING && !is(ahead, ',') && !is(ahead, '+')
            && !(word && word_may_follow))
            return;
        word_may_follow = is(ahead, ',') || (word && ahead->length == 13 && memcmp(ahead->text, "function_name", 13) == 0);
        advance(walk);
    }
}

static void skip_directive(struct ptx_instructions *walk, const struct token *directive)
{
    if (is_directive(directive, "loc") || is_directive(directive, "file")) {
        skip_location(walk);
        return;
    }
    while (!is_end(&walk->ahead) && !is(&walk->ahead, ';') && !is(&walk->ahead, '{') && !is(&walk->ahead, '}'))
        advance(walk);
}

/* Takes a brace. Returns whether it belongs to an instruction, as those around a vector's registers do. */
static bool take_brace(struct ptx_instructions *walk, struct token *token)
{
    if (is(token, '{')) {
        walk->depth++;
        walk->operand_depth += walk->within;
        return walk->within;
    }
    if (--walk->depth == 0)
        walk->end = token->text;
    if (!walk->within)
        return false;
    if (walk->operand_depth > 0) {
        walk->operand_depth--;
        return true;
    }
    walk->within = false;
    token->punctuation = ';'; /* the block ends before its last instruction does */
    return true;
}

bool ptx_instructions_next(struct ptx_instructions *walk, struct token *token)
{
    while (walk->depth > 0 && !is_end(&walk->ahead)) {
        *token = advance(walk);
        if (is(token, '{') || is(token, '}')) {
            if (take_brace(walk, token))
                return true;
        } else if (walk->within) {
            walk->within = !is(token, ';');
            return true;
        } else if (token->kind == TOKEN_DIRECTIVE) {
            skip_directive(walk, token);
        } else if (token->kind == TOKEN_IDENTIFIER && is(&walk->ahead, ':')) {
            advance(walk); /* a label */
        } else if (!is(token, ';')) {
            walk->within = true;
            walk->operand_depth = 0;
            return true;
        }
    }
    if (!walk->within)
        return false;
    walk->within = false;
    *token = (struct token){.kind = TOKEN_PUNCTUATION, .punctuation = ';', .text = walk->lexer.end};
    return true;
}

/* ---- the summary's lists -------------------------------------------------------------------------------------------- */

struct ptx_entry *ptx_summary_add_entry(struct ptx_summary *summary, const char *name, size_t name_length)
{
    struct ptx_entry *grown = arena_grow(&summary->arena, summary->entries, summary->entry_count, summary->entry_count + 1,
                                         &summary->entry_capacity, sizeof *grown);
    const char *copy = arena_copy_text(&summary->arena, name, name_length);
    if (!grown || !copy)
        return NULL;
    summary->entries = grown;
    grown[summary->entry_count] = (struct ptx_entry){.name = copy, .parameters_known = true};
    return &grown[summary->entry_count++];
}

bool ptx_summary_add_parameter(struct ptx_summary *summary, struct ptx_entry *entry, size_t *capacity, uint32_t bytes)
{
    uint32_t *grown = arena_grow(&summary->arena, entry->parameter_bytes, entry->parameter_count, entry->parameter_count + 1,
                                 capacity, sizeof *grown);
    if (!grown)
        return false;
    entry->parameter_bytes = grown;
    grown[entry->parameter_count++] = bytes;
    entry->parameters_known &= bytes > 0;
    return true;
}

struct ptx_constant *ptx_summary_add_constant(struct ptx_summary *summary, const char *name, size_t name_length)
{
    struct ptx_constant *grown = arena_grow(&summary->arena, summary->constants, summary->constant_count,
                                            summary->constant_count + 1, &summary->constant_capacity, sizeof *grown);
    const char *copy = arena_copy_text(&summary->arena, name, name_length);
    if (!grown || !copy)
        return NULL;
    summary->constants = grown;
    grown[summary->constant_count] = (struct ptx_constant){.name = copy};
    return &grown[summary->constant_count++];
}

const struct ptx_entry *ptx_summary_entry(const struct ptx_summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->entry_count; i++)
        if (strcmp(summary->entries[i].name, name) == 0)
            return &summary->entries[i];
    return NULL;
}

const struct ptx_constant *ptx_summary_constant(const struct ptx_summary *summary, const char *name)
{
    for (size_t i = 0; i < summary->constant_count; i++)
        if (strcmp(summary->constants[i].name, name) == 0)
            return &summary->constants[i];
    return NULL;
}

void ptx_summary_clear(struct ptx_summary *summary)
{
    arena_clear(&summary->arena);
    *summary = (struct ptx_summary){0};
}

/* ---- the module ------------------------------------------------------------------------------------------------------ */

/* Ends the reading: the next token is an error. */
static void fail(struct summary_reader *reader, const char *message)
{
    if (reader->token.kind != TOKEN_ERROR) /* else the reason is already recorded */
        diagnostic_set_at(reader->diagnostic, reader->token.line, reader->token.column, "%s", message);
    reader->status = PTX_INVALID;
    reader->token.kind = TOKEN_ERROR;
}

static void fail_memory(struct summary_reader *reader)
{
    diagnostic_set(reader->diagnostic, 0, "out of host memory while reading PTX");
    reader->status = PTX_OUT_OF_MEMORY;
    reader->token.kind = TOKEN_ERROR;
}

static void next(struct summary_reader *reader)
{
    if (!is_end(&reader->token))
        reader->token = lexer_next(&reader->lexer);
}

static bool accept(struct summary_reader *reader, char punctuation)
{
    if (!is(&reader->token, punctuation))
        return false;
    next(reader);
    return true;
}

/* Skips the tokens up to and including the closing mark. */
static void skip_behind(struct summary_reader *reader, char closing, const char *message)
{
    while (!is_end(&reader->token) && !is(&reader->token, closing))
        next(reader);
    if (!accept(reader, closing))
        fail(reader, message);
}

static void skip_braces(struct summary_reader *reader)
{
    struct token brace = reader->token;
    if (lexer_skip_braces(&reader->lexer)) {
        next(reader);
    } else {
        reader->token = brace;
        fail(reader, "a brace is not closed");
    }
}

/* What a declaration says before the name: ".align 8 .b8", ".u64 .ptr .global .align 4", ".v2 .f32". */
struct declared_type {
    uint64_t element_bytes; /* 0: of an unknown type */
    uint64_t vector;
};

static void take_directive(const struct token *directive, struct declared_type *declared)
{
    enum ptx_type type = ptx_type_find(directive->text, directive->length);
    if (declared->element_bytes == 0 && type != PTX_NONE)
        declared->element_bytes = ptx_type_bytes(type);
    else if (is_directive(directive, "texref") || is_directive(directive, "samplerref")
             || is_directive(directive, "surfref"))
        declared->element_bytes = 8;
    else if (is_directive(directive, "v2") || is_directive(directive, "v4") || is_directive(directive, "v8"))
        declared->vector = (uint64_t)(directive->text[1] - '0');
}

static uint64_t declared_bytes(const struct declared_type *declared)
{
    return declared->element_bytes * (declared->vector ? declared->vector : 1);
}

/* "[4][3]": returns `bytes` times the lengths; 0 where that exceeds 32 bits or a length is left open. */
static uint64_t read_dimensions(struct summary_reader *reader, uint64_t bytes)
{
    while (accept(reader, '[')) {
        uint64_t length = reader->token.kind == TOKEN_INTEGER ? reader->token.integer : 0;
        bytes = length > 0 && bytes <= UINT32_MAX / length ? bytes * length : 0;
        skip_behind(reader, ']', "a bracket is not closed");
    }
    return bytes;
}

/* One parameter: ".param .align 8 .b8 name[16]" up to ',' or ')'. */
static uint32_t read_parameter(struct summary_reader *reader)
{
    struct declared_type declared = {0};
    uint64_t bytes = 0;
    while (!is_end(&reader->token) && !is(&reader->token, ',') && !is(&reader->token, ')')) {
        struct token token = reader->token;
        if (is(&token, '{') || is(&token, '}') || is(&token, ';')) {
            fail(reader, "the parameters of a kernel are not closed by ')'");
            return 0;
        }
        next(reader);
        if (token.kind == TOKEN_DIRECTIVE)
            take_directive(&token, &declared);
        else if (token.kind == TOKEN_IDENTIFIER)
            bytes = read_dimensions(reader, declared_bytes(&declared));
    }
    return (uint32_t)bytes;
}

static void read_parameters(struct summary_reader *reader, struct ptx_entry *entry)
{
    size_t capacity = 0;
    bool more = !accept(reader, ')');
    while (more && !is_end(&reader->token)) {
        uint32_t bytes = read_parameter(reader);
        if (is_end(&reader->token))
            break;
        if (!ptx_summary_add_parameter(reader->summary, entry, &capacity, bytes)) {
            fail_memory(reader);
            return;
        }
        more = accept(reader, ',');
        if (!more)
            next(reader); /* ) */
    }
    if (more)
        fail(reader, "the parameters of a kernel are not closed by ')'");
}

/* "128, 1, 1" after .maxntid or .reqntid. */
static void read_threads(struct summary_reader *reader, struct ptx_entry *entry)
{
    uint32_t threads[3] = {1, 1, 1};
    int count = 0;
    while (reader->token.kind == TOKEN_INTEGER || is(&reader->token, ',')) {
        uint64_t value = reader->token.integer;
        if (reader->token.kind == TOKEN_INTEGER && count < 3)
            threads[count++] = value < UINT32_MAX ? (uint32_t)value : UINT32_MAX;
        next(reader);
    }
    if (count > 0)
        memcpy(entry->max_threads, threads, sizeof threads);
}

/* The instructions from after the brace to past the one that closes the body. */
static void read_body(struct summary_reader *reader)
{
    struct ptx_summary *summary = reader->summary;
    struct ptx_body *grown = arena_grow(&summary->arena, summary->bodies, summary->body_count, summary->body_count + 1,
                                        &summary->body_capacity, sizeof *grown);
    if (!grown) {
        fail_memory(reader);
        return;
    }
    summary->bodies = grown;
    struct token brace = reader->token, ignored;
    struct ptx_instructions walk = {.lexer = reader->lexer, .depth = 1};
    const char *start = brace.text + 1;
    advance(&walk);
    while (ptx_instructions_next(&walk, &ignored)) {}
    const char *end = walk.end ? walk.end : walk.lexer.end;
    grown[summary->body_count++] = (struct ptx_body){.text = start, .length = (size_t)(end - start)};
    reader->lexer = walk.lexer;
    reader->token = walk.ahead;
    if (walk.depth > 0 && reader->token.kind != TOKEN_ERROR) {
        reader->token = brace;
        fail(reader, "the body of a function is not closed by '}'");
    }
}

/* The head of a function from after its name, then its body. `entry` is NULL for a .func. */
static void read_function(struct summary_reader *reader, struct ptx_entry *entry)
{
    while (!is(&reader->token, '{')) {
        if (is_end(&reader->token) || is(&reader->token, '}') || is_directive(&reader->token, "entry")
            || is_directive(&reader->token, "func")) {
            fail(reader, "a function has neither a body nor a ';' after its head");
            return;
        }
        bool required = is_directive(&reader->token, "reqntid");
        if (accept(reader, ';'))
            return;
        if (is_directive(&reader->token, "pragma")) {
            skip_behind(reader, ';', "a .pragma has no ';'");
        } else if (entry && (required || is_directive(&reader->token, "maxntid"))) {
            next(reader);
            entry->threads_required = required;
            read_threads(reader, entry);
        } else {
            next(reader);
        }
    }
    read_body(reader);
}

static void read_entry(struct summary_reader *reader)
{
    next(reader);
    if (reader->token.kind != TOKEN_IDENTIFIER) {
        fail(reader, "expected a name after .entry");
        return;
    }
    struct ptx_entry *entry = ptx_summary_add_entry(reader->summary, reader->token.text, reader->token.length);
    if (!entry) {
        fail_memory(reader);
        return;
    }
    size_t bodies = reader->summary->body_count;
    next(reader);
    if (accept(reader, '('))
        read_parameters(reader, entry);
    if (reader->status == PTX_OK)
        read_function(reader, entry);
    if (reader->summary->body_count == bodies)
        reader->summary->entry_count--; /* only declared */
}

/* ---- constants ------------------------------------------------------------------------------------------------------- */

/* Initial values as they are read: `words` is what fits, `bytes` counts all. */
struct initial_values {
    uint8_t words[4 * PTX_CONSTANT_WORDS];
    uint64_t bytes;
};

static void store_value(struct initial_values *values, uint64_t element_bytes, uint64_t value)
{
    size_t width = element_bytes < sizeof value ? (size_t)element_bytes : sizeof value;
    if (values->bytes + element_bytes <= sizeof values->words)
        memcpy(values->words + values->bytes, &value, width);
    values->bytes += element_bytes;
}

/* "{16, 0, 0}" or "1024", up to the ',' or ';' after it. Inner braces are ignored: what they separate is larger than the
 * constants that are kept. */
static void read_values(struct summary_reader *reader, uint64_t element_bytes, struct initial_values *values)
{
    size_t depth = 0;
    uint64_t value = 0;
    bool negative = false, any = false;
    while (!is_end(&reader->token) && !is(&reader->token, ';') && (depth > 0 || !is(&reader->token, ','))) {
        const struct token *token = &reader->token;
        if (is(token, ',')) {
            store_value(values, element_bytes, value);
            negative = any = false;
            value = 0;
        } else if (is(token, '{')) {
            depth++;
        } else if (is(token, '}')) {
            depth -= depth > 0;
        } else if (is(token, '-')) {
            negative = true;
        } else {
            if (token->kind == TOKEN_INTEGER)
                value = negative ? 0 - token->integer : token->integer;
            any = true;
        }
        next(reader);
    }
    if (any)
        store_value(values, element_bytes, value);
}

/* "k_block[12] = {16, 0, 0, 0, 16}": bytes that the initialiser leaves out are zero. */
static void read_constant(struct summary_reader *reader, uint64_t element_bytes)
{
    struct token name = reader->token;
    struct initial_values values = {0};
    next(reader);
    bool open = is(&reader->token, '[');
    uint64_t bytes = read_dimensions(reader, element_bytes);
    if (accept(reader, '='))
        read_values(reader, element_bytes, &values);
    if (open && bytes == 0)
        bytes = values.bytes;
    if (is_end(&reader->token) || bytes == 0 || bytes % 4 != 0 || bytes > sizeof values.words)
        return;
    struct ptx_constant *constant = ptx_summary_add_constant(reader->summary, name.text, name.length);
    if (!constant) {
        fail_memory(reader);
        return;
    }
    constant->count = (uint32_t)(bytes / 4);
    memcpy(constant->value, values.words, bytes);
}

/* ".const .align 4 .u32 a = 1, b[2];" */
static void read_constants(struct summary_reader *reader)
{
    struct declared_type declared = {0};
    for (next(reader); !is_end(&reader->token) && !is(&reader->token, ';'); next(reader)) {
        if (reader->token.kind == TOKEN_DIRECTIVE)
            take_directive(&reader->token, &declared);
        if (reader->token.kind != TOKEN_IDENTIFIER)
            continue;
        read_constant(reader, declared_bytes(&declared));
        if (!is(&reader->token, ','))
            break;
    }
    if (reader->status == PTX_OK)
        skip_behind(reader, ';', "a .const has no ';'");
}

/* ---- all of it ------------------------------------------------------------------------------------------------------- */

enum ptx_status ptx_summary_read(const char *text, size_t length, struct ptx_summary *summary, struct diagnostic *diagnostic)
{
    struct summary_reader reader = {.summary = summary, .diagnostic = diagnostic};
    *summary = (struct ptx_summary){0};
    lexer_init(&reader.lexer, text, length, diagnostic);
    reader.lexer.tolerant = true;
    reader.token = lexer_next(&reader.lexer);
    while (!is_end(&reader.token)) {
        if (is_directive(&reader.token, "entry")) {
            read_entry(&reader);
        } else if (is_directive(&reader.token, "func")) {
            next(&reader);
            read_function(&reader, NULL);
        } else if (is_directive(&reader.token, "const")) {
            read_constants(&reader);
        } else if (is(&reader.token, '{')) {
            skip_braces(&reader); /* of a section, or initial values */
        } else {
            next(&reader);
        }
    }
    if (reader.token.kind == TOKEN_ERROR && reader.status == PTX_OK)
        reader.status = PTX_INVALID; /* the lexer's */
    return reader.status;
}
