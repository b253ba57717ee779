/* Calls, and functions whose parameters and results are registers (PTX ISA 5.1.6, 9.7.12.5). Both are read as what they mean
 * with .param variables: a store before the call for each argument that is a register or a constant, a load after it for each
 * such result, loads where the function begins, and stores before it returns. */
#include "runtime/language/ptx/parser.h"

#include <stdio.h>
#include <string.h>

/* Appends `ld.param.T value, [variable]` or `st.param.T [variable], value`, guarded as `like` is. */
static void append_move(struct parser *parser, bool loads, struct ptx_variable *variable, struct ptx_operand value,
                        const struct ptx_instruction *like)
{
    struct ptx_function *function = parser->function;
    char spelling[32];
    bool known_root;
    int length = snprintf(spelling, sizeof spelling, "%s.param.%s", loads ? "ld" : "st", ptx_type_name(variable->type));
    struct ptx_instruction move = {.guard = like ? like->guard : -1,
                                   .guard_negated = like && like->guard_negated,
                                   .line = like ? like->line : parser->token.line,
                                   .column = like ? like->column : parser->token.column,
                                   .location = parser->location,
                                   .operand_count = 2};
    if (!ptx_opcode_match(spelling, (size_t)length, &move.opcode, &known_root))
        parser_fail(parser, "a .%s cannot be a parameter", ptx_type_name(variable->type));
    move.spelling = arena_copy_text(&parser->module->arena, spelling, (size_t)length);
    if (!move.spelling)
        parser_fail_memory(parser);
    move.operands = parser_allocate(parser, 2 * sizeof *move.operands);
    move.operands[loads ? 1 : 0] =
        (struct ptx_operand){.kind = OPERAND_ADDRESS, .index = -1, .second = -1, .special = -1, .variable = variable};
    move.operands[loads ? 0 : 1] = value;
    *PARSER_APPEND(parser, function->instructions, function->instruction_count, function->instruction_capacity) = move;
}

/* ---- calls ---- */

struct list {
    struct ptx_operand *operands; /* [count] */
    size_t count, capacity;
};

static struct list parse_list(struct parser *parser)
{
    struct list list = {0};
    while (!parser_is(parser, ')')) {
        struct ptx_operand operand;
        parser_operand(parser, &operand);
        bool passes = operand.kind == OPERAND_REGISTER || operand.kind == OPERAND_INTEGER || operand.kind == OPERAND_F32
                      || operand.kind == OPERAND_F64
                      || (operand.kind == OPERAND_VARIABLE && operand.variable->space == SPACE_PARAM && !operand.offset);
        if (!passes || operand.negated || operand.second >= 0)
            parser_fail(parser, "arguments of a call must be .param variables, registers or constants");
        *PARSER_APPEND(parser, list.operands, list.count, list.capacity) = operand;
        if (!parser_accept(parser, ','))
            break;
    }
    parser_expect(parser, ')');
    return list;
}

/* A .param variable of the calling function, like the callee's own. */
static struct ptx_variable *make_variable(struct parser *parser, const struct ptx_variable *formal)
{
    struct ptx_function *function = parser->function;
    struct ptx_variable *variable = parser_allocate(parser, sizeof *variable);
    *variable = *formal;
    variable->name = "passed";
    variable->in_register = false;
    variable->line = parser->token.line;
    *PARSER_APPEND(parser, function->variables, function->variable_count, function->variable_capacity) = variable;
    return variable;
}

/* The variables that a list passes. Where it has a register or a constant there is a new one, and `moved` says so. */
static struct ptx_variable **pass(struct parser *parser, const struct list *list, struct ptx_variable *const *formals,
                                  unsigned formal_count, bool *moved)
{
    struct ptx_variable **variables = parser_allocate(parser, (list->count + 1) * sizeof *variables);
    for (size_t i = 0; i < list->count; i++) {
        moved[i] = list->operands[i].kind != OPERAND_VARIABLE;
        if (!moved[i])
            variables[i] = list->operands[i].variable;
        else if (i < formal_count && formals[i]->bytes == ptx_type_bytes(formals[i]->type))
            variables[i] = make_variable(parser, formals[i]);
        else
            parser_fail(parser,
                        i < formal_count ? "argument %zu of the call must be a .param variable"
                                         : "the call passes more than the function takes: argument %zu",
                        i + 1);
    }
    return variables;
}

/* The function, or the prototype of an indirect call. */
static const struct ptx_function *parse_callee(struct parser *parser, struct ptx_instruction *call, struct list *arguments)
{
    call->operands = parser_allocate(parser, sizeof *call->operands);
    call->operand_count = 1;
    parser_operand(parser, call->operands);
    enum ptx_operand_kind kind = call->operands[0].kind;
    if (kind != OPERAND_FUNCTION && kind != OPERAND_REGISTER)
        parser_fail(parser, "a call needs a function that has been declared, or a register");
    if (!parser_accept(parser, ','))
        return call->operands[0].function;
    if (parser_accept(parser, '(')) {
        *arguments = parse_list(parser);
        if (!parser_accept(parser, ','))
            return call->operands[0].function;
    }
    struct symbol *symbol = symbols_find(&parser->symbols, parser->token.text, parser->token.length);
    if (!symbol || symbol->kind != SYMBOL_PROTOTYPE)
        parser_fail(parser, "an indirect call needs a .callprototype");
    call->prototype = symbol->target;
    parser_next(parser);
    return call->prototype;
}

void parser_call(struct parser *parser, struct ptx_instruction *call)
{
    struct list results = {0}, arguments = {0};
    if (parser_accept(parser, '(')) {
        results = parse_list(parser);
        parser_expect(parser, ',');
    }
    const struct ptx_function *callee = parse_callee(parser, call, &arguments);
    bool *moved = parser_allocate(parser, arguments.count + results.count + 1);
    call->arguments = pass(parser, &arguments, callee ? callee->parameters : NULL, callee ? callee->parameter_count : 0,
                           moved);
    call->argument_count = (unsigned)arguments.count;
    for (size_t i = 0; i < arguments.count; i++)
        if (moved[i])
            append_move(parser, false, call->arguments[i], arguments.operands[i], call);
    call->results = pass(parser, &results, callee ? callee->results : NULL, callee ? callee->result_count : 0, moved);
    call->result_count = (unsigned)results.count;
    for (size_t i = 0; i < results.count; i++)
        if (moved[i] && results.operands[i].kind != OPERAND_REGISTER)
            parser_fail(parser, "the result of a call must be a .param variable or a register");
    parser->result_operands = results.operands;
    parser->result_moved = moved;
}

void parser_load_results(struct parser *parser, const struct ptx_instruction *call)
{
    for (unsigned i = 0; i < call->result_count; i++)
        if (parser->result_moved[i])
            append_move(parser, true, call->results[i], parser->result_operands[i], call);
}

/* ---- functions ---- */

static int declare_register(struct parser *parser, const struct ptx_variable *variable)
{
    struct ptx_function *function = parser->function;
    struct symbol *symbol = symbols_declare(&parser->symbols, variable->name, strlen(variable->name), SYMBOL_REGISTER);
    if (!symbol)
        parser_fail_memory(parser);
    symbol->index = (int)function->register_count;
    *PARSER_APPEND(parser, function->registers, function->register_count,
                   function->register_capacity) = (struct ptx_register){.name = variable->name, .type = variable->type};
    return symbol->index;
}

static struct ptx_operand register_operand(int index)
{
    return (struct ptx_operand){.kind = OPERAND_REGISTER, .index = index, .second = -1, .special = -1};
}

void parser_load_parameters(struct parser *parser)
{
    const struct ptx_function *function = parser->function;
    for (unsigned i = 0; i < function->result_count; i++)
        if (function->results[i]->in_register)
            declare_register(parser, function->results[i]);
    for (unsigned i = 0; i < function->parameter_count; i++)
        if (function->parameters[i]->in_register)
            append_move(parser, true, function->parameters[i],
                        register_operand(declare_register(parser, function->parameters[i])), NULL);
}

void parser_store_results(struct parser *parser, const struct ptx_instruction *before)
{
    const struct ptx_function *function = parser->function;
    int index = 0; /* they are the first registers of the function */
    for (unsigned i = 0; i < function->result_count; i++)
        if (function->results[i]->in_register)
            append_move(parser, false, function->results[i], register_operand(index++), before);
}
