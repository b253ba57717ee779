/* Declarations: variables with their initialisers, parameters, registers. */
#include "runtime/language/ptx/parser.h"

#include <stdio.h>
#include <string.h>

/* A register costs about 100 bytes here, even one that the text never names: `.reg .b32 %r<1000000>;`. */
enum { MAX_REGISTERS = 1 << 20, MAX_MODULE_REGISTERS = 1 << 21, MOST_DIMENSIONS = 8 };
static const uint64_t MAX_VARIABLE_BYTES = (uint64_t)1 << 40;
static const uint64_t MAX_INITIALISED_BYTES = (uint64_t)1 << 28;

void parser_declare_variable(struct parser *parser, struct ptx_variable *variable)
{
    struct symbol *known = symbols_find(&parser->symbols, variable->name, strlen(variable->name));
    bool again = known && known->level == parser->symbols.level && strcmp(variable->name, "_") != 0;
    /* Only a declaration may be followed by the definition: `.extern .global .u32 a; .global .u32 a;`. */
    if (again && !(known->kind == SYMBOL_VARIABLE && ((const struct ptx_variable *)known->target)->is_extern))
        parser_fail(parser, "'%s' is declared twice", variable->name);
    struct symbol *symbol = symbols_declare(&parser->symbols, variable->name, strlen(variable->name), SYMBOL_VARIABLE);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->target = variable;
}

/* `.align 4 .b8`, `.u64 .ptr .global .align 4`: any order of attributes around one type. */
static void parse_type(struct parser *parser, struct ptx_variable *variable)
{
    bool typed = false, pointer = false;
    uint64_t vector = 1;
    while (parser->token.kind == TOKEN_DIRECTIVE) {
        enum ptx_type type = ptx_type_find(parser->token.text, parser->token.length);
        if (type != PTX_NONE) {
            variable->type = type;
            typed = true;
            parser_next(parser);
        } else if (parser_is_directive(parser, "align")) {
            parser_next(parser);
            int64_t align = parser_integer(parser);
            if (align < 1 || align > 1 << 20 || (align & (align - 1)))
                parser_fail(parser, "an alignment must be a power of two");
            if (!pointer) /* after .ptr it is the alignment of what the parameter points to */
                variable->align = (uint32_t)align;
        } else if (parser_is_directive(parser, "ptr")) {
            pointer = true;
            parser_next(parser);
        } else if (pointer
                   && (parser_is_directive(parser, "global") || parser_is_directive(parser, "shared")
                       || parser_is_directive(parser, "const") || parser_is_directive(parser, "local"))) {
            parser_next(parser);
        } else if (parser_is_directive(parser, "v2") || parser_is_directive(parser, "v4")) {
            vector = parser->token.text[1] == '2' ? 2 : 4;
            parser_next(parser);
        } else if (parser_is_directive(parser, "attribute")) {
            parser_next(parser);
            parser_expect(parser, '(');
            while (!parser_is(parser, ')') && parser->token.kind != TOKEN_END) {
                variable->is_managed |= parser_is_directive(parser, "managed");
                parser_next(parser);
            }
            parser_expect(parser, ')');
        } else {
            parser_fail(parser, "'.%.*s' is not supported in a declaration", (int)parser->token.length, parser->token.text);
        }
    }
    if (!typed)
        parser_fail(parser, "a declaration has no type");
    if (variable->type == PTX_PRED)
        parser_fail(parser, "only registers can be of type .pred");
    variable->element_bytes = (uint32_t)(ptx_type_bytes(variable->type) * vector);
    if (!variable->align)
        variable->align = variable->element_bytes ? variable->element_bytes : 1;
}

/* What a declaration's brackets say, from the outside in: the sizes of the parts that braces may set apart. */
struct variable_shape {
    uint64_t part_bytes[MOST_DIMENSIONS + 2]; /* of the whole, of a row … of an element, of a vector's component */
    unsigned levels;                          /* of braces: one for each dimension, and for a vector */
    bool open;                                /* `[]` or `[][2]`: as long as the initial values need; empty without any */
};

static void parse_dimensions(struct parser *parser, struct ptx_variable *variable, struct variable_shape *shape)
{
    uint64_t lengths[MOST_DIMENSIONS];
    unsigned count = 0;
    *shape = (struct variable_shape){0};
    variable->bytes = variable->element_bytes;
    while (parser_accept(parser, '[')) {
        uint64_t length = 1;
        if (count == MOST_DIMENSIONS)
            parser_fail(parser, "'%s' has more than %d dimensions", variable->name, MOST_DIMENSIONS);
        if (!parser_is(parser, ']'))
            length = (uint64_t)parser_integer(parser);
        else if (count == 0)
            length = 0;
        if (length == 0 && count > 0)
            parser_fail(parser, "'%s' has a dimension of length 0", variable->name);
        if (length == 0) {
            shape->open = true;
            length = 1;
        }
        parser_expect(parser, ']');
        if (variable->bytes > MAX_VARIABLE_BYTES / length)
            parser_fail(parser, "variable '%s' is larger than any device memory", variable->name);
        variable->bytes *= length;
        lengths[count++] = length;
    }
    shape->part_bytes[0] = variable->bytes;
    for (unsigned i = 0; i < count; i++)
        shape->part_bytes[i + 1] = shape->part_bytes[i] / lengths[i];
    shape->levels = count + (variable->element_bytes > ptx_type_bytes(variable->type));
}

/* Where the value at `at` is to be stored, with room for it. */
static unsigned char *value_place(struct parser *parser, struct ptx_variable *variable, const struct variable_shape *shape,
                                  uint64_t at, size_t *capacity)
{
    uint64_t end = at + ptx_type_bytes(variable->type);
    if (!shape->open && end > variable->bytes)
        parser_fail(parser, "'%s' has more initial values than elements", variable->name);
    if (end > MAX_INITIALISED_BYTES)
        parser_fail(parser, "'%s' has too many initial values", variable->name);
    unsigned char *grown = arena_grow(&parser->module->arena, variable->initial, variable->initial_bytes, end, capacity, 1);
    if (!grown)
        parser_fail_memory(parser);
    variable->initial = grown;
    if (variable->initial_bytes < end)
        variable->initial_bytes = end;
    return grown + at;
}

static uint64_t float_bits_for(enum ptx_type type, const struct parser_constant *value)
{
    uint64_t bits = value->bits;
    if (value->kind == OPERAND_F64 && type == PTX_F32) {
        double wide;
        memcpy(&wide, &bits, sizeof wide);
        float narrow = (float)wide;
        uint32_t narrow_bits;
        memcpy(&narrow_bits, &narrow, sizeof narrow);
        bits = narrow_bits;
    }
    return bits;
}

/* The bits of a number as an element of the type. */
static uint64_t parse_number(struct parser *parser, enum ptx_type type)
{
    bool floating = type == PTX_F32 || type == PTX_F64;
    struct token token = parser->token;
    struct parser_constant value = parser_constant(parser);
    if (value.kind == OPERAND_INTEGER && floating)
        parser_fail(parser, "expected a floating-point constant, not '%.*s'", (int)token.length, token.text);
    if (value.kind == OPERAND_INTEGER)
        return value.bits;
    if (!floating && ptx_type_kind(type) != KIND_BITS)
        parser_fail(parser, "a floating-point constant cannot initialise an element of type .%s", ptx_type_name(type));
    return float_bits_for(type, &value);
}

/* A list of initial values while it is read. */
struct initialiser {
    struct ptx_variable *variable;
    struct variable_shape shape;
    size_t capacity; /* of variable->initial */
    uint64_t at;     /* where the next value goes */
};

/* What the module calls it: a variable of a function has another name there. */
static const char *parse_symbol(struct parser *parser)
{
    const struct symbol *symbol = symbols_find(&parser->symbols, parser->token.text, parser->token.length);
    const char *name = parser_name(parser);
    return symbol && symbol->kind == SYMBOL_VARIABLE ? ((const struct ptx_variable *)symbol->target)->name : name;
}

/* `name`, `generic(name)`, `name + 8`; mask 0: the whole address. */
static void parse_symbol_value(struct parser *parser, struct initialiser *list, uint64_t mask)
{
    struct ptx_variable *variable = list->variable;
    unsigned bytes = mask ? 1 : 8;
    bool generic = parser->token.length == 7 && memcmp(parser->token.text, "generic", 7) == 0;
    const char *name = parse_symbol(parser);
    if (generic && parser_accept(parser, '(')) {
        name = parse_symbol(parser);
        parser_expect(parser, ')');
    }
    struct ptx_relocation *relocation = parser_allocate(parser, sizeof *relocation);
    *relocation = (struct ptx_relocation){
        .offset = list->at, .symbol = name, .mask = mask, .generic = generic, .next = variable->relocations};
    if (parser_accept(parser, '+') || parser_is(parser, '-'))
        relocation->addend = parser_integer(parser);
    if (ptx_type_bytes(variable->type) != bytes)
        parser_fail(parser, "%s of '%s' needs %s-byte element", mask ? "a byte of the address" : "the address", name,
                    mask ? "a 1" : "an 8");
    variable->relocations = relocation;
    value_place(parser, variable, &list->shape, list->at, &list->capacity);
    list->at += bytes;
}

static void parse_value(struct parser *parser, struct initialiser *list)
{
    struct ptx_variable *variable = list->variable;
    unsigned bytes = ptx_type_bytes(variable->type);
    if (bytes > sizeof(uint64_t))
        parser_fail(parser, "initial values of type .%s are not supported", ptx_type_name(variable->type));
    uint64_t bits = parse_number(parser, variable->type);
    if (parser_accept(parser, '(')) { /* 0xFF00(name): the byte of the address that the mask covers */
        if (!bits || (bits >> __builtin_ctzll(bits)) != 0xFF || __builtin_ctzll(bits) % 8)
            parser_fail(parser, "the mask of an address must be 0xFF, shifted by whole bytes");
        parse_symbol_value(parser, list, bits);
        parser_expect(parser, ')');
        return;
    }
    memcpy(value_place(parser, variable, &list->shape, list->at, &list->capacity), &bits, bytes);
    list->at += bytes;
}

/* A part in braces may be incomplete: the next part still begins after it (PTX ISA, Initializers). */
static void parse_initialiser(struct parser *parser, struct initialiser *list, unsigned level)
{
    if (parser_accept(parser, '{')) {
        uint64_t start = list->at, bytes = list->shape.part_bytes[level];
        if (level == list->shape.levels)
            parser_fail(parser, "the initial values of '%s' have more braces than it has dimensions", list->variable->name);
        while (!parser_is(parser, '}')) {
            parse_initialiser(parser, list, level + 1);
            if (!parser_accept(parser, ','))
                break;
        }
        parser_expect(parser, '}');
        if (level > 0 && list->at - start > bytes)
            parser_fail(parser, "a part of '%s' has more initial values than elements", list->variable->name);
        if (level > 0)
            list->at = start + bytes;
    } else if (parser->token.kind == TOKEN_IDENTIFIER && !parser_begins_constant(parser)) {
        parse_symbol_value(parser, list, 0);
    } else {
        parse_value(parser, list);
    }
}

static void parse_initial_values(struct parser *parser, struct ptx_variable *variable, const struct variable_shape *shape)
{
    struct initialiser list = {.variable = variable, .shape = *shape};
    parser_next(parser);
    parse_initialiser(parser, &list, 0);
    if (shape->open && shape->part_bytes[1]) { /* as many rows as all values need, at least one */
        uint64_t row = shape->part_bytes[1];
        variable->bytes = list.at ? (list.at + row - 1) / row * row : row;
    }
}

struct ptx_variable *parser_variable(struct parser *parser, enum ptx_space space, const struct ptx_variable *before,
                                     bool initialiser_allowed)
{
    struct ptx_variable *variable = parser_allocate(parser, sizeof *variable);
    struct variable_shape shape;
    variable->space = space;
    variable->line = parser->token.line;
    if (before && parser->token.kind == TOKEN_IDENTIFIER) {
        variable->type = before->type;
        variable->element_bytes = before->element_bytes;
        variable->align = before->align;
    } else {
        parse_type(parser, variable);
    }
    variable->name = parser_name(parser);
    parse_dimensions(parser, variable, &shape);
    if (parser_is(parser, '=')) {
        if (!initialiser_allowed || (space != SPACE_GLOBAL && space != SPACE_CONST))
            parser_fail(parser, "'%s' may not have initial values", variable->name);
        parse_initial_values(parser, variable, &shape);
    } else if (shape.open) {
        variable->bytes = 0;
    }
    parser_declare_variable(parser, variable);
    return variable;
}

static struct symbol *declare_name(struct parser *parser, const char *name, enum symbol_kind kind)
{
    struct symbol *known = symbols_find(&parser->symbols, name, strlen(name));
    if (known && known->level == parser->symbols.level)
        parser_fail(parser, "'%s' is declared twice", name);
    struct symbol *symbol = symbols_declare(&parser->symbols, name, strlen(name), kind);
    if (!symbol)
        parser_fail_memory(parser);
    return symbol;
}

static int declare_register(struct parser *parser, const char *name, enum ptx_type type)
{
    struct ptx_function *function = parser->function;
    struct symbol *symbol = declare_name(parser, name, SYMBOL_REGISTER);
    symbol->index = (int)function->register_count;
    if (function->register_count >= MAX_REGISTERS)
        parser_fail(parser, "a function declares more than %d registers", MAX_REGISTERS);
    if (parser->register_total++ >= MAX_MODULE_REGISTERS)
        parser_fail(parser, "the functions of a module declare more than %d registers", MAX_MODULE_REGISTERS);
    *PARSER_APPEND(parser, function->registers, function->register_count,
                   function->register_capacity) = (struct ptx_register){.name = name, .type = type};
    return symbol->index;
}

static const char *join_name(struct parser *parser, const char *name, const char *suffix)
{
    char text[128];
    int length = snprintf(text, sizeof text, "%s%s", name, suffix);
    if (length >= (int)sizeof text)
        parser_fail(parser, "the name of a register is too long");
    char *copy = arena_copy_text(&parser->module->arena, text, (size_t)length);
    if (!copy)
        parser_fail_memory(parser);
    return copy;
}

/* A register; or of a vector v one for each component, v.x or v.r, and v for all of them (PTX ISA 5.4.2). */
static void declare_registers(struct parser *parser, const char *name, enum ptx_type type, unsigned elements)
{
    static const char *const suffixes[] = {".x", ".y", ".z", ".w", ".r", ".g", ".b", ".a"};
    if (elements == 1) {
        declare_register(parser, name, type);
        return;
    }
    struct ptx_operand *vector = parser_allocate(parser, sizeof *vector);
    *vector = (struct ptx_operand){.kind = OPERAND_VECTOR, .index = -1, .second = -1, .special = -1, .count = elements};
    vector->elements = parser_allocate(parser, elements * sizeof *vector->elements);
    for (unsigned i = 0; i < elements; i++) {
        int index = declare_register(parser, join_name(parser, name, suffixes[i]), type);
        declare_name(parser, join_name(parser, name, suffixes[4 + i]), SYMBOL_REGISTER)->index = index;
        vector->elements[i] = (struct ptx_operand){.kind = OPERAND_REGISTER, .index = index, .second = -1, .special = -1};
    }
    declare_name(parser, name, SYMBOL_OPERAND)->target = vector;
}

/* `.reg .b32 %r<9>, x;` */
void parser_registers(struct parser *parser)
{
    parser_next(parser);
    enum ptx_type type = PTX_NONE;
    unsigned elements = 1;
    if (parser_is_directive(parser, "v2") || parser_is_directive(parser, "v4")) {
        elements = parser->token.text[1] == '2' ? 2 : 4;
        parser_next(parser);
    }
    while (parser->token.kind == TOKEN_DIRECTIVE) {
        type = ptx_type_find(parser->token.text, parser->token.length);
        if (type == PTX_NONE || type == PTX_B128)
            parser_fail(parser, "registers of type '.%.*s' are not supported", (int)parser->token.length,
                        parser->token.text);
        parser_next(parser);
    }
    if (type == PTX_NONE)
        parser_fail(parser, "a .reg has no type");
    if (elements > 1 && (type == PTX_PRED || elements * ptx_type_bytes(type) > 16))
        parser_fail(parser, "a vector of registers has at most 128 bits, and no predicates");
    do {
        const char *name = parser_name(parser);
        if (!parser_accept(parser, '<')) {
            declare_registers(parser, name, type, elements);
            continue;
        }
        int64_t count = parser_count(parser);
        parser_expect(parser, '>');
        if (count < 0 || count > MAX_REGISTERS)
            parser_fail(parser, "a register family cannot have %lld members", (long long)count);
        for (int64_t i = 0; i < count; i++) {
            char number[24];
            snprintf(number, sizeof number, "%lld", (long long)i);
            declare_registers(parser, join_name(parser, name, number), type, elements);
        }
    } while (parser_accept(parser, ','));
    parser_expect(parser, ';');
}
