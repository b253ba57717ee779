/* The module level of PTX: directives, functions and their headers. */
#include "runtime/language/ptx/parser.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NEWEST_MAJOR_VERSION = 9, MAX_CONST_BYTES = 64 << 10 };

void parser_fail(struct parser *parser, const char *format, ...)
{
    char message[400];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    diagnostic_set_at(parser->diagnostic, parser->token.line, parser->token.column, "%s", message);
    if (parser->status == PTX_OK)
        parser->status = PTX_INVALID;
    longjmp(parser->failed, 1);
}

void parser_fail_memory(struct parser *parser)
{
    parser->status = PTX_OUT_OF_MEMORY;
    diagnostic_set(parser->diagnostic, 0, "out of host memory while parsing PTX");
    longjmp(parser->failed, 1);
}

void parser_next(struct parser *parser)
{
    parser->token = lexer_next(&parser->lexer);
    if (parser->token.kind == TOKEN_ERROR) {
        parser->status = PTX_INVALID;
        longjmp(parser->failed, 1);
    }
}

bool parser_is(const struct parser *parser, char punctuation)
{
    return parser->token.kind == TOKEN_PUNCTUATION && parser->token.punctuation == punctuation;
}

static bool token_is(const struct token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

bool parser_is_directive(const struct parser *parser, const char *name)
{
    return parser->token.kind == TOKEN_DIRECTIVE && token_is(&parser->token, name);
}

bool parser_accept(struct parser *parser, char punctuation)
{
    if (!parser_is(parser, punctuation))
        return false;
    parser_next(parser);
    return true;
}

void parser_expect(struct parser *parser, char punctuation)
{
    if (!parser_accept(parser, punctuation))
        parser_fail(parser, "expected '%c' before '%.*s'", punctuation, (int)parser->token.length, parser->token.text);
}

const char *parser_name(struct parser *parser)
{
    if (parser->token.kind != TOKEN_IDENTIFIER)
        parser_fail(parser, "expected a name before '%.*s'", (int)parser->token.length, parser->token.text);
    char *name = arena_copy_text(&parser->module->arena, parser->token.text, parser->token.length);
    if (!name)
        parser_fail_memory(parser);
    parser_next(parser);
    return name;
}

void *parser_allocate(struct parser *parser, size_t bytes)
{
    void *memory = arena_allocate(&parser->module->arena, bytes);
    if (!memory)
        parser_fail_memory(parser);
    return memory;
}

void parser_grow(struct parser *parser, void **list, size_t count, size_t *capacity, size_t element_bytes)
{
    void *grown = arena_grow(&parser->module->arena, *list, count, count + 1, capacity, element_bytes);
    if (!grown)
        parser_fail_memory(parser);
    *list = grown;
}

static void skip_statement(struct parser *parser)
{
    while (!parser_is(parser, ';') && parser->token.kind != TOKEN_END)
        parser_next(parser);
    parser_accept(parser, ';');
}

static void parse_version(struct parser *parser)
{
    parser_next(parser);
    if (parser->token.kind != TOKEN_F64)
        parser_fail(parser, "expected a version such as 9.0 after .version");
    char text[16] = "";
    snprintf(text, sizeof text, "%.*s", (int)parser->token.length, parser->token.text);
    if (sscanf(text, "%d.%d", &parser->module->version_major, &parser->module->version_minor) != 2)
        parser_fail(parser, "expected a version such as 9.0 after .version");
    if (parser->module->version_major > NEWEST_MAJOR_VERSION) {
        parser->status = PTX_NEWER_VERSION;
        parser_fail(parser, "PTX version %s is newer than the newest supported version (%d.x)", text, NEWEST_MAJOR_VERSION);
    }
    parser_next(parser);
}

static void parse_target(struct parser *parser)
{
    parser_next(parser);
    const char *name = parser_name(parser);
    parser->module->target_text = name;
    if (sscanf(name, "sm_%d", &parser->module->target) != 1)
        parser_fail(parser, "unknown target '%s'", name);
    while (parser_accept(parser, ','))
        parser_name(parser);
}

static struct ptx_function *find_or_add_function(struct parser *parser, const char *name)
{
    struct symbol *symbol = symbols_find(&parser->symbols, name, strlen(name));
    if (symbol && symbol->kind == SYMBOL_FUNCTION)
        return symbol->target;
    if (symbol && symbol->level == 0)
        parser_fail(parser, "'%s' is declared twice", name);
    struct ptx_module *module = parser->module;
    struct ptx_function *function = parser_allocate(parser, sizeof *function);
    function->name = name;
    function->index = (int)module->function_count;
    *PARSER_APPEND(parser, module->functions, module->function_count, module->function_capacity) = function;
    symbol = symbols_declare(&parser->symbols, name, strlen(name), SYMBOL_FUNCTION);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->target = function;
    return function;
}

struct ptx_variable **parser_parameter_list(struct parser *parser, unsigned *count, uint32_t *bytes)
{
    struct ptx_variable **list = NULL;
    size_t length = 0, capacity = 0;
    uint64_t offset = 0;
    parser_expect(parser, '(');
    while (!parser_is(parser, ')')) {
        bool in_register = parser_is_directive(parser, "reg");
        if (!in_register && !parser_is_directive(parser, "param"))
            parser_fail(parser, "expected .param before '%.*s'", (int)parser->token.length, parser->token.text);
        parser_next(parser);
        struct ptx_variable *variable = parser_variable(parser, SPACE_PARAM, NULL, false);
        variable->in_register = in_register;
        offset = (offset + variable->align - 1) / variable->align * variable->align;
        variable->offset = offset;
        offset += variable->bytes;
        if (offset > 1 << 20)
            parser_fail(parser, "the parameters of a function exceed 1 MiB");
        *PARSER_APPEND(parser, list, length, capacity) = variable;
        if (!parser_accept(parser, ','))
            break;
    }
    parser_expect(parser, ')');
    *count = (unsigned)length;
    *bytes = (uint32_t)offset;
    return list;
}

static void parse_limits(struct parser *parser, uint32_t limits[3])
{
    parser_next(parser);
    for (int i = 0; i < 3; i++) {
        limits[i] = 1;
        if (i == 0 || parser_accept(parser, ','))
            limits[i] = (uint32_t)parser_integer(parser);
    }
}

static void parse_attributes(struct parser *parser, struct ptx_function *function)
{
    bool needs_clusters = false;
    while (parser->token.kind == TOKEN_DIRECTIVE) {
        if (parser_is_directive(parser, "maxntid")) {
            parse_limits(parser, function->max_threads);
        } else if (parser_is_directive(parser, "reqntid")) {
            parse_limits(parser, function->required_threads);
        } else if (parser_is_directive(parser, "minnctapersm")) {
            parser_next(parser);
            function->min_blocks = (uint32_t)parser_integer(parser);
        } else if (parser_is_directive(parser, "maxnreg")) {
            parser_next(parser);
            function->max_registers = (uint32_t)parser_integer(parser);
        } else if (parser_is_directive(parser, "noreturn")) {
            function->noreturn = true;
            parser_next(parser);
        } else if (parser_is_directive(parser, "pragma")) {
            skip_statement(parser);
        } else if (parser_is_directive(parser, "reqnctapercluster")) {
            parse_limits(parser, function->required_cluster);
            needs_clusters = true;
        } else if (parser_is_directive(parser, "explicitcluster")) {
            parser_next(parser);
            function->explicit_cluster = needs_clusters = true;
        } else if (parser_is_directive(parser, "maxclusterrank")) {
            parser_next(parser);
            function->max_cluster = (uint32_t)parser_integer(parser);
            needs_clusters = true;
        } else if (parser_is_directive(parser, "maxnctapersm")) {
            parser_next(parser);
            function->max_blocks = (uint32_t)parser_integer(parser);
        } else {
            parser_fail(parser, "'.%.*s' of a function is not supported by the emulated driver", (int)parser->token.length,
                        parser->token.text);
        }
    }
    if (needs_clusters && parser->module->target < 90)
        parser_fail(parser, "clusters need .target sm_90 or newer");
}

struct linkage {
    bool is_extern, is_visible, is_weak;
};

/* PTX ISA 5.2.1 (Kernel Function Parameters): larger ones need PTX 8.1 and sm_70. */
static void check_kernel_parameters(struct parser *parser, const struct ptx_function *function)
{
    const struct ptx_module *module = parser->module;
    bool large = module->target >= 70 && 10 * module->version_major + module->version_minor >= 81;
    uint32_t limit = large ? 32764 : 4352;
    if (function->parameter_bytes > limit)
        parser_fail(parser, "the parameters of kernel '%s' take %u bytes; the limit is %u", function->name,
                    function->parameter_bytes, limit);
    for (unsigned i = 0; i < function->parameter_count; i++) {
        if (!function->parameters[i]->bytes)
            parser_fail(parser, "parameter '%s' of a kernel has no size", function->parameters[i]->name);
        if (function->parameters[i]->in_register)
            parser_fail(parser, "parameter '%s' of a kernel must be .param, not .reg", function->parameters[i]->name);
    }
}

static void parse_function(struct parser *parser, struct linkage linkage, bool is_entry)
{
    struct ptx_variable **results = NULL;
    unsigned result_count = 0;
    uint32_t result_bytes = 0;
    int line = parser->token.line;
    /* The results precede the name: they are declared again inside the function's scope below. */
    parser_next(parser);
    symbols_enter(&parser->symbols);
    if (!is_entry && parser_is(parser, '('))
        results = parser_parameter_list(parser, &result_count, &result_bytes);
    const char *name = parser_name(parser);
    symbols_leave(&parser->symbols);
    struct ptx_function *function = find_or_add_function(parser, name);
    if (function->has_body)
        parser_fail(parser, "'%s' has two bodies", name);
    symbols_enter(&parser->symbols);
    for (unsigned i = 0; i < result_count; i++)
        parser_declare_variable(parser, results[i]);
    function->results = results;
    function->result_count = result_count;
    function->result_bytes = result_bytes;
    function->is_entry = is_entry;
    function->is_extern |= linkage.is_extern;
    function->is_visible |= linkage.is_visible;
    function->is_weak |= linkage.is_weak;
    function->line = line;
    if (parser_is(parser, '('))
        function->parameters = parser_parameter_list(parser, &function->parameter_count, &function->parameter_bytes);
    if (is_entry)
        check_kernel_parameters(parser, function);
    parse_attributes(parser, function);
    parser->function = function;
    if (!parser_accept(parser, ';')) {
        parser->location = -1;
        function->has_body = true;
        parser_body(parser);
    }
    parser->function = NULL;
    symbols_leave(&parser->symbols);
}

void parser_add_variable(struct parser *parser, struct ptx_variable *variable)
{
    struct ptx_module *module = parser->module;
    if (!variable->bytes && !variable->is_extern)
        parser_fail(parser, "'%s' has no size: only .extern variables may omit it", variable->name);
    if (variable->space == SPACE_CONST && !variable->is_extern)
        parser->const_bytes += variable->bytes;
    if (parser->const_bytes > MAX_CONST_BYTES)
        parser_fail(
            parser,
            "with '%s' the constant memory of the module takes %llu bytes, and %d are the most: a large table belongs "
            "in global memory",
            variable->name, (unsigned long long)parser->const_bytes, MAX_CONST_BYTES);
    *PARSER_APPEND(parser, module->variables, module->variable_count, module->variable_capacity) = variable;
}

static void parse_module_variable(struct parser *parser, struct linkage linkage, enum ptx_space space)
{
    parser_next(parser);
    struct ptx_variable *variable = NULL;
    do {
        variable = parser_variable(parser, space, variable, true);
        variable->is_extern = linkage.is_extern;
        variable->is_visible = linkage.is_visible;
        variable->is_weak = linkage.is_weak;
        parser_add_variable(parser, variable);
    } while (parser_accept(parser, ','));
    parser_expect(parser, ';');
}

static void parse_linked(struct parser *parser)
{
    struct linkage linkage = {0};
    for (;; parser_next(parser)) {
        if (parser_is_directive(parser, "extern"))
            linkage.is_extern = true;
        else if (parser_is_directive(parser, "visible"))
            linkage.is_visible = true;
        else if (parser_is_directive(parser, "weak") || parser_is_directive(parser, "common"))
            linkage.is_weak = true;
        else
            break;
    }
    if (parser_is_directive(parser, "entry"))
        parse_function(parser, linkage, true);
    else if (parser_is_directive(parser, "func"))
        parse_function(parser, linkage, false);
    else if (parser_is_directive(parser, "global"))
        parse_module_variable(parser, linkage, SPACE_GLOBAL);
    else if (parser_is_directive(parser, "const"))
        parse_module_variable(parser, linkage, SPACE_CONST);
    else if (parser_is_directive(parser, "shared"))
        parse_module_variable(parser, linkage, SPACE_SHARED);
    else
        parser_fail(parser, "'.%.*s' is not supported by the emulated driver", (int)parser->token.length,
                    parser->token.text);
}

static void parse_alias(struct parser *parser)
{
    parser_next(parser);
    const char *alias = parser_name(parser);
    parser_expect(parser, ',');
    const char *name = parser_name(parser);
    parser_expect(parser, ';');
    struct ptx_function *target = find_or_add_function(parser, name);
    struct symbol *symbol = symbols_find(&parser->symbols, alias, strlen(alias));
    if (!symbol)
        symbol = symbols_declare(&parser->symbols, alias, strlen(alias), SYMBOL_FUNCTION);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->target = target;
}

static void parse_module(struct parser *parser)
{
    parser_next(parser);
    if (!parser_is_directive(parser, "version")) {
        parser->status = PTX_NOT_PTX;
        parser_fail(parser, "PTX must begin with .version");
    }
    parse_version(parser);
    if (!parser_is_directive(parser, "target"))
        parser_fail(parser, "a .target such as sm_80 must follow .version");
    while (parser->token.kind != TOKEN_END) {
        if (parser_is_directive(parser, "version"))
            parse_version(parser);
        else if (parser_is_directive(parser, "target"))
            parse_target(parser);
        else if (parser_is_directive(parser, "address_size")) {
            parser_next(parser);
            if (parser_integer(parser) != 64)
                parser_fail(parser, "only .address_size 64 is supported");
        } else if (parser_is_directive(parser, "file"))
            parser_file(parser);
        else if (parser_is_directive(parser, "section"))
            parser_section(parser);
        else if (parser_is_directive(parser, "pragma"))
            skip_statement(parser);
        else if (parser_is_directive(parser, "alias"))
            parse_alias(parser);
        else if (parser->token.kind == TOKEN_DIRECTIVE)
            parse_linked(parser);
        else
            parser_fail(parser, "'%.*s' is not allowed outside a function", (int)parser->token.length, parser->token.text);
    }
    parser_finish_locations(parser);
}

enum ptx_status ptx_parse(const char *text, size_t length, struct ptx_module **module, struct diagnostic *diagnostic)
{
    /* volatile: read again after the jump that an error makes. */
    struct parser *volatile parser = calloc(1, sizeof *parser);
    *module = NULL;
    if (!parser)
        return PTX_OUT_OF_MEMORY;
    parser->diagnostic = diagnostic;
    parser->location = -1;
    parser->module = calloc(1, sizeof *parser->module);
    if (parser->module) {
        arena_init(&parser->module->arena);
        symbols_init(&parser->symbols, &parser->module->arena);
        lexer_init(&parser->lexer, text, length, diagnostic);
        if (setjmp(parser->failed) == 0)
            parse_module(parser);
    } else {
        parser->status = PTX_OUT_OF_MEMORY;
    }
    enum ptx_status status = parser->status;
    if (status == PTX_OK)
        *module = parser->module;
    else
        ptx_module_destroy(parser->module);
    free(parser);
    return status;
}
