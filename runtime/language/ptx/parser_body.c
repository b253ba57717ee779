/* Function bodies: statements, operands, labels, calls. */
#include "runtime/language/ptx/parser.h"

#include <stdio.h>
#include <string.h>

enum { MOST_SCOPES = 256 };
enum { MOST_TARGETS = 1 << 16 }; /* of all brx.idx of a function: each is compared with the index */

static bool word_is(const struct token *token, const char *text)
{
    return token->length == strlen(text) && memcmp(token->text, text, token->length) == 0;
}

/* ---- labels ---- */

static void add_reference(struct parser *parser, struct ptx_operand *operand, const struct token *name)
{
    *PARSER_APPEND(parser, parser->references, parser->reference_count,
                   parser->reference_capacity) = (struct parser_reference){.operand = operand,
                                                                           .name = name->text,
                                                                           .length = name->length,
                                                                           .level = parser->symbols.level,
                                                                           .line = name->line,
                                                                           .column = name->column};
}

/* Binds the references of the closing scope to the labels it declares; the rest moves one scope out. Scopes are closed from
 * the inside, so those of the closing one are the last in the list. */
static void bind_references(struct parser *parser, bool outermost)
{
    size_t first = parser->reference_count;
    while (first > 0 && parser->references[first - 1].level == parser->symbols.level)
        first--;
    size_t kept = first;
    for (size_t i = first; i < parser->reference_count; i++) {
        struct parser_reference reference = parser->references[i];
        struct symbol *symbol = symbols_find(&parser->symbols, reference.name, reference.length);
        if (symbol && symbol->kind == SYMBOL_LABEL) {
            reference.operand->label = symbol->target;
            continue;
        }
        if (outermost) {
            parser->token.line = reference.line;
            parser->token.column = reference.column;
            parser_fail(parser, "'%.*s' is not defined", (int)reference.length, reference.name);
        }
        reference.level--;
        parser->references[kept++] = reference;
    }
    parser->reference_count = kept;
}

static void declare_label(struct parser *parser, const struct token *name)
{
    struct symbol *known = symbols_find(&parser->symbols, name->text, name->length);
    if (known && known->level == parser->symbols.level) {
        parser->token = *name;
        parser_fail(parser, "'%.*s' is declared twice", (int)name->length, name->text);
    }
    struct ptx_label *label = parser_allocate(parser, sizeof *label);
    label->name = arena_copy_text(&parser->module->arena, name->text, name->length);
    label->instruction = (int)parser->function->instruction_count;
    label->line = name->line;
    struct symbol *symbol = symbols_declare(&parser->symbols, name->text, name->length, SYMBOL_LABEL);
    if (!symbol || !label->name)
        parser_fail_memory(parser);
    symbol->target = label;
}

/* ---- operands ---- */

static int find_special(const struct token *token)
{
    for (int i = 0; i < SPECIAL_COUNT; i++)
        if (word_is(token, ptx_special_name((enum ptx_special)i)))
            return i;
    return -1;
}

/* Shared memory that the system reserves for libraries: cooperative groups keep 288 bytes there. */
static struct ptx_variable *reserved_memory(struct parser *parser)
{
    struct ptx_module *module = parser->module;
    if (!module->reserved) {
        module->reserved = parser_allocate(parser, sizeof *module->reserved);
        *module->reserved = (struct ptx_variable){.name = ptx_special_name(SPECIAL_RESERVED_SMEM),
                                                  .space = SPACE_SHARED,
                                                  .type = PTX_B8,
                                                  .bytes = 512,
                                                  .element_bytes = 1,
                                                  .align = 16,
                                                  .starts_zeroed = true};
    }
    return module->reserved;
}

/* %tid, which is {%tid.x, %tid.y, %tid.z, 0}. Returns false when it is not a vector. */
static bool find_special_vector(struct parser *parser, const struct token *name, struct ptx_operand *operand)
{
    char text[32];
    int first = -1;
    if (snprintf(text, sizeof text, "%.*s.x", (int)name->length, name->text) < (int)sizeof text)
        first = find_special(&(struct token){.text = text, .length = strlen(text)});
    if (first < 0)
        return false;
    *operand = (struct ptx_operand){.kind = OPERAND_VECTOR, .index = -1, .second = -1, .special = -1, .count = 4};
    operand->elements = parser_allocate(parser, 4 * sizeof *operand->elements);
    for (unsigned i = 0; i < 4; i++)
        operand->elements[i] = (struct ptx_operand){.kind = i < 3 ? OPERAND_SPECIAL : OPERAND_INTEGER,
                                                    .index = -1,
                                                    .second = -1,
                                                    .special = i < 3 ? first + (int)i : -1};
    return true;
}

static void parse_named(struct parser *parser, struct ptx_operand *operand)
{
    struct token name = parser->token;
    if (name.kind != TOKEN_IDENTIFIER)
        parser_fail(parser, "expected a name before '%.*s'", (int)name.length, name.text);
    struct symbol *symbol = symbols_find(&parser->symbols, name.text, name.length);
    parser_next(parser);
    if (symbol && symbol->kind == SYMBOL_REGISTER) {
        operand->kind = OPERAND_REGISTER;
        operand->index = symbol->index;
    } else if (symbol && symbol->kind == SYMBOL_VARIABLE) {
        operand->kind = OPERAND_VARIABLE;
        operand->variable = symbol->target;
    } else if (symbol && symbol->kind == SYMBOL_FUNCTION) {
        operand->kind = OPERAND_FUNCTION;
        operand->function = symbol->target;
    } else if (symbol && symbol->kind == SYMBOL_OPERAND) {
        *operand = *(const struct ptx_operand *)symbol->target;
    } else if (name.length == 1 && *name.text == '_') {
        operand->kind = OPERAND_SINK;
    } else if (*name.text == '%' && !find_special_vector(parser, &name, operand)) {
        operand->kind = OPERAND_SPECIAL;
        operand->special = find_special(&name);
        if (operand->special == SPECIAL_RESERVED_SMEM) {
            operand->kind = OPERAND_VARIABLE;
            operand->variable = reserved_memory(parser);
        }
        if (operand->special < 0)
            parser_fail(parser, "register '%.*s' is not declared, nor is it a supported special register", (int)name.length,
                        name.text);
    } else if (*name.text != '%') {
        operand->kind = OPERAND_LABEL;
        add_reference(parser, operand, &name);
    }
}

static void parse_place(struct parser *parser, struct ptx_operand *operand)
{
    operand->kind = OPERAND_ADDRESS;
    if (parser_begins_constant(parser)) {
        operand->offset = parser_integer(parser);
    } else {
        struct ptx_operand base = {.index = -1, .second = -1};
        parse_named(parser, &base);
        if (base.kind != OPERAND_REGISTER && base.kind != OPERAND_VARIABLE)
            parser_fail(parser, "an address must begin with a register or a variable");
        operand->index = base.index;
        operand->variable = base.variable;
        if (parser_accept(parser, '+'))
            operand->offset = parser_integer(parser);
        else if (parser_is(parser, '-'))
            operand->offset = parser_integer(parser);
    }
}

static void parse_address(struct parser *parser, struct ptx_operand *operand)
{
    parse_place(parser, operand);
    parser_expect(parser, ']');
}

static void parse_vector(struct parser *parser, struct ptx_operand *operand)
{
    operand->kind = OPERAND_VECTOR;
    operand->elements = parser_allocate(parser, 8 * sizeof *operand->elements);
    do {
        if (operand->count == 8)
            parser_fail(parser, "a vector operand has more than 8 elements");
        if (parser_is(parser, '{') || parser_is(parser, '['))
            parser_fail(parser, "an element of a vector operand must be a register or a constant");
        struct ptx_operand *element = &operand->elements[operand->count++];
        parser_operand(parser, element);
    } while (parser_accept(parser, ','));
    parser_expect(parser, '}');
}

static void set_constant(struct parser *parser, struct ptx_operand *operand)
{
    struct parser_constant value = parser_constant(parser);
    operand->kind = value.kind;
    operand->bits = value.bits;
}

/* `!`: of a predicate, or of a constant, which it makes 0 or 1. Returns true where the operand is the latter. */
static bool parse_not(struct parser *parser, struct ptx_operand *operand)
{
    struct lexer before = parser->lexer;
    struct token token = parser->token;
    parser_next(parser);
    operand->negated = !parser_begins_constant(parser);
    if (operand->negated)
        return false;
    parser->lexer = before;
    parser->token = token;
    set_constant(parser, operand);
    return true;
}

/* name[2], name + 8 */
static void parse_offset(struct parser *parser, struct ptx_operand *operand)
{
    if (parser_accept(parser, '+')) {
        operand->offset = parser_integer(parser);
    } else if (parser_accept(parser, '[')) {
        operand->indexed = true;
        if (parser->token.kind == TOKEN_IDENTIFIER)
            parser_fail(parser,
                        "the index of '%s[%.*s]' must be a number: an element that a register chooses is not supported",
                        operand->variable->name, (int)parser->token.length, parser->token.text);
        operand->offset = parser_integer(parser) * (int64_t)operand->variable->element_bytes;
        parser_expect(parser, ']');
    }
}

void parser_operand(struct parser *parser, struct ptx_operand *operand)
{
    *operand = (struct ptx_operand){.index = -1, .second = -1, .special = -1};
    if (parser_accept(parser, '[')) {
        parse_address(parser, operand);
        return;
    }
    if (parser_accept(parser, '{')) {
        parse_vector(parser, operand);
        return;
    }
    if (parser_is(parser, '!') && parse_not(parser, operand))
        return;
    if (parser_begins_constant(parser))
        set_constant(parser, operand);
    else if (parser->token.kind == TOKEN_IDENTIFIER)
        parse_named(parser, operand);
    else
        parser_fail(parser, "expected an operand before '%.*s'", (int)parser->token.length, parser->token.text);
    if (operand->kind == OPERAND_VARIABLE)
        parse_offset(parser, operand);
    if ((operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_SINK) && parser_accept(parser, '|')) {
        struct ptx_operand second = {.index = -1, .second = -1};
        parse_named(parser, &second);
        if (second.kind != OPERAND_REGISTER && second.kind != OPERAND_SINK)
            parser_fail(parser, "expected a register after '|'");
        operand->second = second.index;
    }
}

/* ---- prototypes ---- */

static void parse_prototype(struct parser *parser, const struct token *name)
{
    struct ptx_function *prototype = parser_allocate(parser, sizeof *prototype);
    parser_next(parser);
    symbols_enter(&parser->symbols);
    if (parser_is(parser, '('))
        prototype->results = parser_parameter_list(parser, &prototype->result_count, &prototype->result_bytes);
    parser_name(parser);
    if (parser_is(parser, '('))
        prototype->parameters = parser_parameter_list(parser, &prototype->parameter_count, &prototype->parameter_bytes);
    while (!parser_is(parser, ';') && parser->token.kind == TOKEN_DIRECTIVE)
        parser_next(parser);
    parser_expect(parser, ';');
    symbols_leave(&parser->symbols);
    struct symbol *symbol = symbols_declare(&parser->symbols, name->text, name->length, SYMBOL_PROTOTYPE);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->target = prototype;
}

/* name: .calltargets f, g; The functions are alike: the call is read by the first. */
static void parse_callees(struct parser *parser, const struct token *name)
{
    struct ptx_function *first = NULL;
    do {
        parser_next(parser);
        struct token callee = parser->token;
        const struct symbol *symbol = symbols_find(&parser->symbols, callee.text, callee.length);
        if (callee.kind != TOKEN_IDENTIFIER || !symbol || symbol->kind != SYMBOL_FUNCTION)
            parser_fail(parser, "a .calltargets lists functions that have been declared, and '%.*s' is none",
                        (int)callee.length, callee.text);
        if (!first)
            first = symbol->target;
        parser_next(parser);
    } while (parser_is(parser, ','));
    parser_expect(parser, ';');
    struct symbol *symbol = symbols_declare(&parser->symbols, name->text, name->length, SYMBOL_PROTOTYPE);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->target = first;
}

/* ---- lists of labels ---- */

/* References keep the places of their operands, so that the list is counted before it is read. */
static unsigned count_targets(struct parser *parser)
{
    struct lexer before = parser->lexer;
    struct token token = parser->token;
    unsigned count = 1;
    while (!parser_is(parser, ';') && parser->token.kind != TOKEN_END) {
        count += parser_is(parser, ',');
        parser_next(parser);
    }
    parser->lexer = before;
    parser->token = token;
    return count;
}

/* name: .branchtargets a, b, c; */
static void parse_targets(struct parser *parser, const struct token *name)
{
    parser_next(parser);
    struct ptx_operand *targets = parser_allocate(parser, sizeof *targets);
    *targets = (struct ptx_operand){
        .kind = OPERAND_TARGETS, .index = -1, .second = -1, .special = -1, .count = count_targets(parser)};
    targets->elements = parser_allocate(parser, targets->count * sizeof *targets->elements);
    for (unsigned i = 0; i < targets->count; i++) {
        struct token label = parser->token;
        if (label.kind != TOKEN_IDENTIFIER)
            parser_fail(parser, "expected a label before '%.*s'", (int)label.length, label.text);
        targets->elements[i] = (struct ptx_operand){.kind = OPERAND_LABEL, .index = -1, .second = -1, .special = -1};
        add_reference(parser, &targets->elements[i], &label);
        parser_next(parser);
        if (i + 1 < targets->count)
            parser_expect(parser, ',');
    }
    parser_expect(parser, ';');
    struct symbol *symbol = symbols_declare(&parser->symbols, name->text, name->length, SYMBOL_OPERAND);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->target = targets;
}

/* ---- instructions ---- */

static bool is_place(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_LABEL || operand->kind == OPERAND_TARGETS;
}

static bool operand_fits(char letter, const struct ptx_operand *operand)
{
    switch (letter) {
    case 'n':
    case 'w':
    case 'd': return operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_SINK;
    case 'a': return operand->kind == OPERAND_ADDRESS;
    case 'p': return operand->kind == OPERAND_REGISTER || operand->kind == OPERAND_INTEGER;
    case 'l': return operand->kind == OPERAND_LABEL;
    case 't': return operand->kind == OPERAND_TARGETS;
    case 'u':
    case 's': return operand->kind != OPERAND_ADDRESS && operand->kind != OPERAND_VECTOR && !is_place(operand);
    case 'v': return operand->kind != OPERAND_ADDRESS && !is_place(operand);
    default: return false;
    }
}

/* Only in mov and cvta may names stand for addresses, and only in mov and cvt special registers for values, the latter
 * since they had 16 bits before PTX 2.0; `!` is for predicates that are read. */
static void check_operand(struct parser *parser, const struct ptx_instruction *instruction, unsigned index, char letter)
{
    const struct ptx_operand *operand = &instruction->operands[index];
    enum ptx_form_id form = instruction->opcode.form->id;
    if (!operand_fits(letter, operand))
        parser_fail(parser, "operand %u of '%s' is of the wrong kind", index + 1, instruction->spelling);
    bool symbol = operand->kind == OPERAND_VARIABLE || operand->kind == OPERAND_FUNCTION;
    bool moves = form == FORM_MOV || form == FORM_MOV_VECTOR || (form == FORM_MAPA && symbol)
                 || (form == FORM_CVTA && symbol && !ptx_has(&instruction->opcode, MOD_to)) || (form == FORM_CVT && !symbol);
    if ((symbol || operand->kind == OPERAND_SPECIAL) && letter != 'l' && (!moves || index == 0))
        parser_fail(parser, "operand %u of '%s' must be a register: move the named value into one first", index + 1,
                    instruction->spelling);
    for (unsigned i = 0; operand->kind == OPERAND_VECTOR && i < operand->count; i++)
        if (operand->elements[i].kind == OPERAND_VARIABLE || operand->elements[i].kind == OPERAND_FUNCTION)
            parser_fail(parser, "element %u of operand %u of '%s' must be a register: move the address into one first",
                        i + 1, index + 1, instruction->spelling);
    bool predicate = operand->kind == OPERAND_REGISTER && parser->function->registers[operand->index].type == PTX_PRED;
    if (operand->negated && (!predicate || letter == 'd'))
        parser_fail(parser, "operand %u of '%s' cannot be negated with '!'", index + 1, instruction->spelling);
}

/* Each check on the shape of an instruction lives here, driven by the table's operand letters. */
static void check_operands(struct parser *parser, const struct ptx_instruction *instruction)
{
    const char *letters = instruction->opcode.form->operands;
    bool optional = false;
    unsigned i = 0;
    for (; *letters; letters++) {
        struct ptx_operand *operand = i < instruction->operand_count ? &instruction->operands[i] : NULL;
        if (operand && operand->indexed && *letters == 'a') /* ld.global.u32 d, name[2] */
            operand->kind = OPERAND_ADDRESS;
        if (*letters == '?') {
            optional = true;
            continue;
        }
        if (i == instruction->operand_count) {
            if (optional)
                return;
            parser_fail(parser, "'%s' has too few operands", instruction->spelling);
        }
        check_operand(parser, instruction, i++, *letters);
    }
    if (i < instruction->operand_count)
        parser_fail(parser, "'%s' has too many operands", instruction->spelling);
}

/* [a, {x, y}] of a texture or surface: two operands, the handle and the coordinates. [a] of a query is one. */
static unsigned parse_texel(struct parser *parser, struct ptx_operand *operands)
{
    operands[0] = (struct ptx_operand){.index = -1, .second = -1, .special = -1};
    parse_place(parser, &operands[0]);
    if (parser_accept(parser, ']'))
        return 1;
    parser_expect(parser, ',');
    parser_operand(parser, &operands[1]);
    if (parser_is(parser, ','))
        parser_fail(parser,
                    "a sampler of its own is not supported by the emulated driver: let the texture object say how it "
                    "is sampled");
    parser_expect(parser, ']');
    return 2;
}

static void parse_operands(struct parser *parser, struct ptx_instruction *instruction)
{
    bool texels = instruction->opcode.form->role & PTX_TEXELS;
    struct ptx_operand *operands = parser_allocate(parser, 8 * sizeof *operands);
    unsigned count = 0;
    while (!parser_is(parser, ';')) {
        if (count + texels >= 8)
            parser_fail(parser, "'%s' has too many operands", instruction->spelling);
        if (texels && parser_accept(parser, '['))
            count += parse_texel(parser, &operands[count]);
        else
            parser_operand(parser, &operands[count++]);
        if (!parser_accept(parser, ','))
            break;
    }
    instruction->operands = operands;
    instruction->operand_count = count;
}

static bool count_fits(const struct ptx_form *form, unsigned count)
{
    const char *optional = strchr(form->operands, '?');
    size_t letters = strlen(form->operands);
    return optional ? count >= (size_t)(optional - form->operands) && count < letters : count == letters;
}

/* Rows that share a spelling differ in the number of their operands: min.f32 of two and of three. */
static void choose_row(const struct token *name, struct ptx_instruction *instruction)
{
    struct ptx_opcode opcode = instruction->opcode;
    while (!count_fits(opcode.form, instruction->operand_count))
        if (!ptx_opcode_match_next(name->text, name->length, &opcode))
            return;
    instruction->opcode = opcode;
}

static void parse_guard(struct parser *parser, struct ptx_instruction *instruction)
{
    if (!parser_accept(parser, '@'))
        return;
    instruction->guard_negated = parser_accept(parser, '!');
    struct ptx_operand guard;
    parser_operand(parser, &guard);
    if (guard.kind != OPERAND_REGISTER || parser->function->registers[guard.index].type != PTX_PRED)
        parser_fail(parser, "a guard must be a predicate register");
    instruction->guard = guard.index;
}

static void match_opcode(struct parser *parser, const struct token *name, struct ptx_opcode *opcode)
{
    bool known_root;
    if (ptx_opcode_match(name->text, name->length, opcode, &known_root))
        return;
    const struct ptx_refusal *refusal = ptx_refusal_find(name->text, name->length);
    parser_fail(parser, "instruction '%.*s' is not supported by the emulated driver%s%s", (int)name->length, name->text,
                refusal      ? ": "
                : known_root ? " in this form"
                             : "",
                refusal ? refusal->reason : "");
}

static void parse_instruction(struct parser *parser)
{
    struct ptx_instruction instruction = {
        .guard = -1, .line = parser->token.line, .column = parser->token.column, .location = parser->location};
    parse_guard(parser, &instruction);
    struct token name = parser->token;
    if (name.kind != TOKEN_IDENTIFIER)
        parser_fail(parser, "expected an instruction before '%.*s'", (int)name.length, name.text);
    match_opcode(parser, &name, &instruction.opcode);
    instruction.spelling = parser_name(parser);
    if (instruction.opcode.form->id == FORM_CALL) {
        parser_call(parser, &instruction);
    } else {
        parse_operands(parser, &instruction);
        choose_row(&name, &instruction);
        check_operands(parser, &instruction);
    }
    parser_expect(parser, ';');
    struct ptx_function *function = parser->function;
    if (instruction.opcode.form->id == FORM_RET)
        parser_store_results(parser, &instruction);
    if (instruction.opcode.form->id == FORM_BRX) {
        function->target_count += instruction.operands[1].count;
        if (function->target_count > MOST_TARGETS)
            parser_fail(parser, "the indexed branches of a function have more than %d targets together", MOST_TARGETS);
    }
    *PARSER_APPEND(parser, function->instructions, function->instruction_count,
                   function->instruction_capacity) = instruction;
    if (instruction.opcode.form->id == FORM_CALL)
        parser_load_results(parser, &instruction);
}

static void parse_declaration(struct parser *parser, enum ptx_space space)
{
    parser_next(parser);
    struct ptx_variable *variable = NULL;
    do {
        variable = parser_variable(parser, space, variable, false);
        struct ptx_function *function = parser->function;
        *PARSER_APPEND(parser, function->variables, function->variable_count, function->variable_capacity) = variable;
    } while (parser_accept(parser, ','));
    parser_expect(parser, ';');
}

/* .global or .const in a function: memory of the module that only the function can name. Its name there is one that no
 * other has. */
static void parse_static(struct parser *parser, enum ptx_space space)
{
    parser_next(parser);
    struct ptx_variable *variable = NULL;
    do {
        char text[160];
        variable = parser_variable(parser, space, variable, true);
        int length = snprintf(text, sizeof text, "%.120s$%u", variable->name, parser->static_count++);
        variable->name = arena_copy_text(&parser->module->arena, text, (size_t)length);
        if (!variable->name)
            parser_fail_memory(parser);
        parser_add_variable(parser, variable);
    } while (parser_accept(parser, ','));
    parser_expect(parser, ';');
}

static void parse_directive(struct parser *parser)
{
    if (parser_is_directive(parser, "reg"))
        parser_registers(parser);
    else if (parser_is_directive(parser, "loc"))
        parser_location(parser);
    else if (parser_is_directive(parser, "param"))
        parse_declaration(parser, SPACE_PARAM);
    else if (parser_is_directive(parser, "local"))
        parse_declaration(parser, SPACE_LOCAL);
    else if (parser_is_directive(parser, "shared"))
        parse_declaration(parser, SPACE_SHARED);
    else if (parser_is_directive(parser, "global"))
        parse_static(parser, SPACE_GLOBAL);
    else if (parser_is_directive(parser, "const"))
        parse_static(parser, SPACE_CONST);
    else if (parser_is_directive(parser, "pragma")) {
        while (!parser_is(parser, ';') && parser->token.kind != TOKEN_END)
            parser_next(parser);
        parser_expect(parser, ';');
    } else
        parser_fail(parser, "'.%.*s' is not supported in a function", (int)parser->token.length, parser->token.text);
}

/* A word may be a label, the name of a prototype, or an instruction: the colon decides. */
static void parse_statement(struct parser *parser)
{
    if (parser->token.kind == TOKEN_IDENTIFIER) {
        struct lexer before = parser->lexer;
        struct token name = parser->token;
        parser_next(parser);
        if (parser_accept(parser, ':')) {
            if (parser_is_directive(parser, "callprototype"))
                parse_prototype(parser, &name);
            else if (parser_is_directive(parser, "calltargets"))
                parse_callees(parser, &name);
            else if (parser_is_directive(parser, "branchtargets"))
                parse_targets(parser, &name);
            else
                declare_label(parser, &name);
            return;
        }
        parser->lexer = before;
        parser->token = name;
    }
    if (parser->token.kind == TOKEN_DIRECTIVE)
        parse_directive(parser);
    else
        parse_instruction(parser);
}

void parser_body(struct parser *parser)
{
    int depth = 1;
    parser_expect(parser, '{');
    symbols_enter(&parser->symbols);
    parser_load_parameters(parser);
    while (depth > 0) {
        if (parser->token.kind == TOKEN_END)
            parser_fail(parser, "the body of '%s' has no closing brace", parser->function->name);
        if (parser_is(parser, '{')) {
            if (depth == MOST_SCOPES)
                parser_fail(parser, "braces are nested more than %d deep", MOST_SCOPES);
            symbols_enter(&parser->symbols);
            depth++;
            parser_next(parser);
        } else if (parser_is(parser, '}')) {
            if (depth == 1)
                parser_store_results(parser, NULL);
            bind_references(parser, --depth == 0);
            symbols_leave(&parser->symbols);
            parser_next(parser);
        } else {
            parse_statement(parser);
        }
    }
}
