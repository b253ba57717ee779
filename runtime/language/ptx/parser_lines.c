/* Where code comes from: `.file`, `.loc`, and the names of inlined functions, which are in the section .debug_str. */
#include "runtime/language/ptx/parser.h"

#include <string.h>

#include "runtime/language/lexical.h"

enum { MOST_NAME_BYTES = 4096 };

static bool token_is(const struct token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

void parser_file(struct parser *parser)
{
    parser_next(parser);
    int64_t number = parser_integer(parser);
    if (parser->token.kind != TOKEN_STRING)
        parser_fail(parser, "expected a file name after .file");
    char *name = arena_copy_text(&parser->module->arena, parser->token.text, parser->token.length);
    if (!name)
        parser_fail_memory(parser);
    struct ptx_module *module = parser->module;
    *PARSER_APPEND(parser, module->files, module->file_count,
                   module->file_capacity) = (struct ptx_file){.number = (int)number, .name = name};
    parser_next(parser);
    while (parser_accept(parser, ',')) /* timestamp, size */
        parser_integer(parser);
}

/* A number of a file, line or column. */
static int read_number(struct parser *parser)
{
    return lexical_line(parser_number(parser));
}

/* `.loc file line column, function_name label {+ offset}, inlined_at file line column`: the label's text is known at the
 * end of the module. */
void parser_location(struct parser *parser)
{
    parser_next(parser);
    struct ptx_location location = {0};
    location.file = read_number(parser);
    location.line = read_number(parser);
    location.column = read_number(parser);
    while (parser_accept(parser, ',')) {
        bool inlined = token_is(&parser->token, "inlined_at");
        parser_name(parser);
        if (inlined) {
            location.inlined_file = read_number(parser);
            location.inlined_line = read_number(parser);
            location.inlined_column = read_number(parser);
        } else {
            location.function = parser_name(parser);
            if (parser_accept(parser, '+'))
                parser_integer(parser);
        }
    }
    struct ptx_module *module = parser->module;
    *PARSER_APPEND(parser, module->locations, module->location_count, module->location_capacity) = location;
    parser->location = (int)module->location_count - 1;
}

static bool is_name(const char *text)
{
    size_t length = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");
    return length > 0 && !text[length];
}

/* `label:` and `.b8` bytes, the last of them 0. Returns false where the section holds something else. */
static bool parse_string(struct parser *parser)
{
    char text[MOST_NAME_BYTES];
    size_t length = 0;
    if (parser->token.kind != TOKEN_IDENTIFIER)
        return false;
    struct token label = parser->token;
    parser_next(parser);
    if (!parser_accept(parser, ':'))
        return false;
    while (parser_is_directive(parser, "b8")) {
        do {
            parser_next(parser);
            if (parser->token.kind != TOKEN_INTEGER)
                return false;
            if (length + 1 < sizeof text)
                text[length++] = (char)parser->token.integer;
            parser_next(parser);
        } while (parser_is(parser, ','));
    }
    text[length] = '\0';
    if (!is_name(text))
        return true; /* no function: nothing refers to it */
    struct symbol *symbol = symbols_declare(&parser->symbols, label.text, label.length, SYMBOL_LABEL);
    char *copy = arena_copy_text(&parser->module->arena, text, strlen(text));
    if (!symbol || !copy)
        parser_fail_memory(parser);
    symbol->target = copy;
    return true;
}

void parser_section(struct parser *parser)
{
    parser_next(parser);
    bool strings = parser_is_directive(parser, "debug_str");
    parser_next(parser);
    if (strings && parser_is(parser, '{')) {
        struct lexer start = parser->lexer;
        struct token brace = parser->token;
        parser_next(parser);
        while (parse_string(parser)) {}
        if (parser_accept(parser, '}'))
            return;
        parser->lexer = start; /* not what compilers write: skipped like the other sections */
        parser->token = brace;
    }
    if (!parser_is(parser, '{') || !lexer_skip_braces(&parser->lexer))
        parser_fail(parser, "a .section has no body in braces");
    parser_next(parser);
}

void parser_finish_locations(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    for (size_t i = 0; i < module->location_count; i++) {
        const char *label = module->locations[i].function;
        const struct symbol *symbol = label ? symbols_find(&parser->symbols, label, strlen(label)) : NULL;
        module->locations[i].function = symbol && symbol->kind == SYMBOL_LABEL ? symbol->target : NULL;
    }
}
