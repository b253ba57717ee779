#include "runtime/language/ptx/printer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/ptx/symbols.h"

/* A name as printed, found by what it belongs to: "param0" of two scopes is param0 and param0$17. */
struct named {
    const void *of; /* struct ptx_register, ptx_variable or ptx_label */
    const char *text;
    struct named *next;
};

enum { NAMED_BUCKETS = 1024 };

struct printer {
    const struct ptx_module *module;
    FILE *out;
    struct arena arena;
    struct symbols symbols; /* names that are taken: of the module, and of the function being printed */
    struct named *named[NAMED_BUCKETS];
    struct ptx_label **labels; /* of the function, by place */
    size_t label_count, label_capacity;
    unsigned renamed, prototypes, targets;
    bool failed; /* out of memory */
};

static size_t bucket_of(const void *of)
{
    return ((uintptr_t)of >> 4) % NAMED_BUCKETS;
}

static const char *name_of(const struct printer *printer, const void *of, const char *otherwise)
{
    for (const struct named *named = printer->named[bucket_of(of)]; named; named = named->next)
        if (named->of == of)
            return named->text;
    return otherwise;
}

/* Gives an object of the function a unique name. */
static void take_name(struct printer *printer, const void *of, const char *name)
{
    char text[256];
    int length = snprintf(text, sizeof text, "%s", name);
    for (char *dot = strchr(text, '.'); dot; dot = strchr(dot, '.')) /* of a vector's component */
        *dot = '$';
    while (length < (int)sizeof text && symbols_find(&printer->symbols, text, (size_t)length))
        length = snprintf(text, sizeof text, "%s$%u", name, ++printer->renamed);
    struct named *named = arena_allocate(&printer->arena, sizeof *named);
    const char *copy = length < (int)sizeof text ? arena_copy_text(&printer->arena, text, (size_t)length) : name;
    if (!named || !copy || !symbols_declare(&printer->symbols, copy, strlen(copy), SYMBOL_VARIABLE)) {
        printer->failed = true;
        return;
    }
    struct named **bucket = &printer->named[bucket_of(of)];
    *named = (struct named){.of = of, .text = copy, .next = *bucket};
    *bucket = named;
}

/* ---- variables ---- */

static void print_element(struct printer *printer, const struct ptx_variable *variable, uint64_t at)
{
    unsigned size = ptx_type_bytes(variable->type);
    for (const struct ptx_relocation *r = variable->relocations; r; r = r->next)
        if (r->offset == at) {
            if (r->mask)
                fprintf(printer->out, "0x%llX(", (unsigned long long)r->mask);
            fprintf(printer->out, r->generic ? "generic(%s)" : "%s", r->symbol);
            if (r->addend)
                fprintf(printer->out, "+%lld", (long long)r->addend);
            fputs(r->mask ? ")" : "", printer->out);
            return;
        }
    uint64_t bits = 0;
    memcpy(&bits, variable->initial + at, size);
    if (variable->type == PTX_F32)
        fprintf(printer->out, "0f%08llX", (unsigned long long)bits);
    else if (variable->type == PTX_F64)
        fprintf(printer->out, "0d%016llX", (unsigned long long)bits);
    else
        fprintf(printer->out, "%llu", (unsigned long long)bits);
}

/* A declaration from its space to its initial values, without the semicolon. */
static void print_variable(struct printer *printer, const struct ptx_variable *variable)
{
    static const char *const spaces[] = {[SPACE_REG] = "reg",       [SPACE_GLOBAL] = "global", [SPACE_CONST] = "const",
                                         [SPACE_SHARED] = "shared", [SPACE_LOCAL] = "local",   [SPACE_PARAM] = "param"};
    unsigned size = ptx_type_bytes(variable->type);
    fprintf(printer->out, ".%s%s .align %u .%s %s", spaces[variable->space],
            variable->is_managed ? " .attribute(.managed)" : "", variable->align, ptx_type_name(variable->type),
            name_of(printer, variable, variable->name));
    if (variable->bytes == 0)
        fputs("[]", printer->out);
    else if (variable->bytes != size)
        fprintf(printer->out, "[%llu]", (unsigned long long)(variable->bytes / size));
    if (!variable->initial)
        return;
    bool scalar = variable->bytes == size;
    fputs(scalar ? " = " : " = {", printer->out);
    for (uint64_t at = 0; at < variable->initial_bytes; at += size) {
        fputs(at ? ", " : "", printer->out);
        print_element(printer, variable, at);
    }
    fputs(scalar ? "" : "}", printer->out);
}

static void print_list(struct printer *printer, struct ptx_variable *const *list, unsigned count)
{
    fputs("(", printer->out);
    for (unsigned i = 0; i < count; i++) {
        fputs(i ? ", " : "", printer->out);
        print_variable(printer, list[i]);
    }
    fputs(")", printer->out);
}

static void print_linkage(struct printer *printer, bool is_extern, bool is_visible, bool is_weak)
{
    fprintf(printer->out, "%s%s%s", is_extern ? ".extern " : "", is_visible ? ".visible " : "", is_weak ? ".weak " : "");
}

/* ---- instructions ---- */

static void print_register(struct printer *printer, const struct ptx_function *function, int index)
{
    const struct ptx_register *reg = &function->registers[index];
    fputs(name_of(printer, reg, reg->name), printer->out);
}

static void print_offset(struct printer *printer, int64_t offset)
{
    if (offset)
        fprintf(printer->out, "+%lld", (long long)offset);
}

static void print_operand(struct printer *printer, const struct ptx_function *function, const struct ptx_operand *operand)
{
    FILE *out = printer->out;
    fputs(operand->negated ? "!" : "", out);
    switch (operand->kind) {
    case OPERAND_REGISTER: print_register(printer, function, operand->index); break;
    case OPERAND_INTEGER: fprintf(out, "%lld", (long long)operand->bits); break;
    case OPERAND_F32: fprintf(out, "0f%08llX", (unsigned long long)operand->bits); break;
    case OPERAND_F64: fprintf(out, "0d%016llX", (unsigned long long)operand->bits); break;
    case OPERAND_VARIABLE:
        fputs(name_of(printer, operand->variable, operand->variable->name), out);
        print_offset(printer, operand->offset);
        break;
    case OPERAND_FUNCTION: fputs(operand->function->name, out); break;
    case OPERAND_SPECIAL: fputs(ptx_special_name((enum ptx_special)operand->special), out); break;
    case OPERAND_ADDRESS:
        fputs("[", out);
        if (operand->index >= 0)
            print_register(printer, function, operand->index);
        else if (operand->variable)
            fputs(name_of(printer, operand->variable, operand->variable->name), out);
        if (operand->index >= 0 || operand->variable)
            print_offset(printer, operand->offset);
        else
            fprintf(out, "%lld", (long long)operand->offset);
        fputs("]", out);
        break;
    case OPERAND_VECTOR:
        for (unsigned i = 0; i < operand->count; i++) {
            fputs(i ? ", " : "{", out);
            print_operand(printer, function, &operand->elements[i]);
        }
        fputs("}", out);
        break;
    case OPERAND_LABEL: fputs(name_of(printer, operand->label, operand->label->name), out); break;
    case OPERAND_TARGETS: fprintf(out, "targets$%u", printer->targets); break;
    case OPERAND_SINK: fputs("_", out); break;
    }
    if (operand->second >= 0) {
        fputs("|", out);
        print_register(printer, function, operand->second);
    }
}

static void print_names(struct printer *printer, struct ptx_variable *const *list, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        fprintf(printer->out, "%s%s", i ? ", " : "(", name_of(printer, list[i], list[i]->name));
    fputs(count ? ")" : "()", printer->out);
}

static void print_call(struct printer *printer, const struct ptx_function *function,
                       const struct ptx_instruction *instruction)
{
    if (instruction->result_count) {
        print_names(printer, instruction->results, instruction->result_count);
        fputs(", ", printer->out);
    }
    print_operand(printer, function, &instruction->operands[0]);
    fputs(", ", printer->out);
    print_names(printer, instruction->arguments, instruction->argument_count);
    if (instruction->prototype)
        fprintf(printer->out, ", prototype$%u", printer->prototypes);
}

static void print_prototype(struct printer *printer, const struct ptx_function *prototype)
{
    fprintf(printer->out, "prototype$%u: .callprototype ", ++printer->prototypes);
    if (prototype->result_count)
        print_list(printer, prototype->results, prototype->result_count);
    fputs(" _ ", printer->out);
    print_list(printer, prototype->parameters, prototype->parameter_count);
    fputs(";\n", printer->out);
}

/* The places of the inlined calls precede it: that is how they are found. */
static void print_location(struct printer *printer, int index)
{
    const struct ptx_location *location = &printer->module->locations[index];
    int outer = ptx_location_outer(printer->module, index);
    if (outer >= 0)
        print_location(printer, outer);
    fprintf(printer->out, "    .loc %d %d %d", location->file, location->line, location->column);
    if (location->inlined_file)
        fprintf(printer->out, ", function_name $%s, inlined_at %d %d %d",
                location->function ? location->function : "inlined", location->inlined_file, location->inlined_line,
                location->inlined_column);
    fputs("\n", printer->out);
}

static void print_targets(struct printer *printer, const struct ptx_function *function, const struct ptx_operand *targets)
{
    fprintf(printer->out, "targets$%u: .branchtargets ", ++printer->targets);
    for (unsigned i = 0; i < targets->count; i++) {
        fputs(i ? ", " : "", printer->out);
        print_operand(printer, function, &targets->elements[i]);
    }
    fputs(";\n", printer->out);
}

/* [a, {x, y}]: two operands, see parser_body.c. Returns how many were printed. */
static unsigned print_texel(struct printer *printer, const struct ptx_function *function,
                            const struct ptx_instruction *instruction, unsigned i)
{
    const struct ptx_operand *handle = &instruction->operands[i];
    bool coordinates = i + 1 < instruction->operand_count && instruction->opcode.form->operands[i + 1] == 'v';
    fputs("[", printer->out);
    if (handle->index >= 0)
        print_register(printer, function, handle->index);
    else if (handle->variable)
        fputs(name_of(printer, handle->variable, handle->variable->name), printer->out);
    else
        fprintf(printer->out, "%lld", (long long)handle->offset);
    if (coordinates) {
        fputs(", ", printer->out);
        print_operand(printer, function, &instruction->operands[i + 1]);
    }
    fputs("]", printer->out);
    return 1 + coordinates;
}

static void print_instruction(struct printer *printer, const struct ptx_function *function,
                              const struct ptx_instruction *instruction)
{
    if (instruction->prototype)
        print_prototype(printer, instruction->prototype);
    if (instruction->opcode.form->id == FORM_BRX)
        print_targets(printer, function, &instruction->operands[1]);
    fputs("    ", printer->out);
    if (instruction->guard >= 0) {
        fputs(instruction->guard_negated ? "@!" : "@", printer->out);
        print_register(printer, function, instruction->guard);
        fputs(" ", printer->out);
    }
    fprintf(printer->out, "%s ", instruction->spelling);
    if (instruction->opcode.form->id == FORM_CALL) {
        print_call(printer, function, instruction);
    } else {
        bool texels = instruction->opcode.form->role & PTX_TEXELS;
        for (unsigned i = 0; i < instruction->operand_count;) {
            fputs(i ? ", " : "", printer->out);
            if (texels && instruction->operands[i].kind == OPERAND_ADDRESS)
                i += print_texel(printer, function, instruction, i);
            else
                print_operand(printer, function, &instruction->operands[i++]);
        }
    }
    fputs(";\n", printer->out);
}

/* ---- functions ---- */

static int by_place(const void *a, const void *b)
{
    const struct ptx_label *first = *(struct ptx_label *const *)a, *second = *(struct ptx_label *const *)b;
    return first->instruction != second->instruction
               ? (first->instruction > second->instruction) - (first->instruction < second->instruction)
               : (first->line > second->line) - (first->line < second->line);
}

static void collect_labels(struct printer *printer, const struct ptx_operand *operands, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        if (operands[i].kind == OPERAND_TARGETS)
            collect_labels(printer, operands[i].elements, operands[i].count);
        struct ptx_label *label = operands[i].kind == OPERAND_LABEL ? operands[i].label : NULL;
        if (!label || name_of(printer, label, NULL))
            continue;
        take_name(printer, label, label->name);
        struct ptx_label **grown = arena_grow(&printer->arena, printer->labels, printer->label_count,
                                              printer->label_count + 1, &printer->label_capacity, sizeof *printer->labels);
        if (!grown) {
            printer->failed = true;
            return;
        }
        printer->labels = grown;
        printer->labels[printer->label_count++] = label;
    }
}

static void print_registers(struct printer *printer, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->register_count; i++) {
        bool goes_on = i > 0 && i % 8 != 0 && function->registers[i].type == function->registers[i - 1].type;
        if (!goes_on)
            fprintf(printer->out, "%s    .reg .%s ", i ? ";\n" : "", ptx_type_name(function->registers[i].type));
        fprintf(printer->out, "%s%s", goes_on ? ", " : "",
                name_of(printer, &function->registers[i], function->registers[i].name));
    }
    fputs(function->register_count ? ";\n" : "", printer->out);
}

static void print_body(struct printer *printer, const struct ptx_function *function)
{
    for (size_t i = 0; i < function->register_count; i++)
        take_name(printer, &function->registers[i], function->registers[i].name);
    for (size_t i = 0; i < function->variable_count; i++)
        take_name(printer, function->variables[i], function->variables[i]->name);
    printer->labels = NULL;
    printer->label_count = printer->label_capacity = 0;
    for (size_t i = 0; i < function->instruction_count; i++)
        collect_labels(printer, function->instructions[i].operands, function->instructions[i].operand_count);
    if (printer->label_count)
        qsort(printer->labels, printer->label_count, sizeof *printer->labels, by_place);
    fputs("{\n", printer->out);
    print_registers(printer, function);
    for (size_t i = 0; i < function->variable_count; i++) {
        fputs("    ", printer->out);
        print_variable(printer, function->variables[i]);
        fputs(";\n", printer->out);
    }
    int location = -1;
    size_t label = 0;
    for (size_t i = 0; i <= function->instruction_count; i++) {
        for (; label < printer->label_count && printer->labels[label]->instruction == (int)i; label++)
            fprintf(printer->out, "%s:\n", name_of(printer, printer->labels[label], printer->labels[label]->name));
        if (i == function->instruction_count)
            break;
        const struct ptx_instruction *instruction = &function->instructions[i];
        if (instruction->location != location && instruction->location >= 0)
            print_location(printer, instruction->location);
        location = instruction->location;
        print_instruction(printer, function, instruction);
    }
    fputs("}\n", printer->out);
}

static void print_dimensions(struct printer *printer, const char *directive, const uint32_t size[3])
{
    if (size[0])
        fprintf(printer->out, "    .%s %u, %u, %u\n", directive, size[0], size[1], size[2]);
}

static void print_function(struct printer *printer, const struct ptx_function *function, bool with_body)
{
    symbols_enter(&printer->symbols);
    for (unsigned i = 0; i < function->result_count; i++)
        take_name(printer, function->results[i], function->results[i]->name);
    for (unsigned i = 0; i < function->parameter_count; i++)
        take_name(printer, function->parameters[i], function->parameters[i]->name);
    print_linkage(printer, function->is_extern, function->is_visible, function->is_weak);
    fputs(function->is_entry ? ".entry " : ".func ", printer->out);
    if (function->result_count) {
        print_list(printer, function->results, function->result_count);
        fputs(" ", printer->out);
    }
    fputs(function->name, printer->out);
    print_list(printer, function->parameters, function->parameter_count);
    fputs("\n", printer->out);
    print_dimensions(printer, "maxntid", function->max_threads);
    print_dimensions(printer, "reqntid", function->required_threads);
    if (function->min_blocks)
        fprintf(printer->out, "    .minnctapersm %u\n", function->min_blocks);
    if (function->max_blocks)
        fprintf(printer->out, "    .maxnctapersm %u\n", function->max_blocks);
    if (function->explicit_cluster)
        fputs("    .explicitcluster\n", printer->out);
    print_dimensions(printer, "reqnctapercluster", function->required_cluster);
    if (function->max_cluster)
        fprintf(printer->out, "    .maxclusterrank %u\n", function->max_cluster);
    if (function->max_registers)
        fprintf(printer->out, "    .maxnreg %u\n", function->max_registers);
    if (function->noreturn)
        fputs("    .noreturn\n", printer->out);
    if (with_body)
        print_body(printer, function);
    else
        fputs(";\n", printer->out);
    symbols_leave(&printer->symbols);
    memset(printer->named, 0, sizeof printer->named);
}

/* The names of inlined functions, which print_location() uses as labels. */
static void print_strings(struct printer *printer)
{
    const struct ptx_module *module = printer->module;
    symbols_enter(&printer->symbols);
    fputs(".section .debug_str\n{\n", printer->out);
    for (size_t i = 0; i < module->location_count; i++) {
        const char *name = module->locations[i].function;
        size_t length = name ? strlen(name) : 0;
        const struct symbol *known = name ? symbols_find(&printer->symbols, name, length) : NULL;
        if (!name || (known && known->kind == SYMBOL_LABEL))
            continue;
        if (!symbols_declare(&printer->symbols, name, length, SYMBOL_LABEL))
            printer->failed = true;
        fprintf(printer->out, "$%s:\n", name);
        for (size_t c = 0; c < length; c++)
            fprintf(printer->out, "%s%u", c % 40 ? "," : c ? "\n.b8 " : ".b8 ", (unsigned char)name[c]);
        fputs(",0\n", printer->out);
    }
    fputs("}\n", printer->out);
    symbols_leave(&printer->symbols);
}

/* Does a function use the address of a kernel, to launch it? */
static bool names_kernels(const struct ptx_module *module)
{
    for (size_t f = 0; f < module->function_count; f++)
        for (size_t i = 0; i < module->functions[f]->instruction_count; i++) {
            const struct ptx_instruction *instruction = &module->functions[f]->instructions[i];
            for (unsigned k = 0; k < instruction->operand_count; k++)
                if (instruction->operands[k].kind == OPERAND_FUNCTION && instruction->operands[k].function->is_entry)
                    return true;
        }
    return false;
}

static void print_declarations(struct printer *printer, bool of_entries)
{
    const struct ptx_module *module = printer->module;
    for (size_t i = 0; i < module->function_count; i++)
        if (module->functions[i]->is_entry == of_entries)
            print_function(printer, module->functions[i], false);
}

static void print_module(struct printer *printer)
{
    const struct ptx_module *module = printer->module;
    for (size_t i = 0; i < module->variable_count; i++)
        if (!symbols_declare(&printer->symbols, module->variables[i]->name, strlen(module->variables[i]->name),
                             SYMBOL_VARIABLE))
            printer->failed = true;
    for (size_t i = 0; i < module->function_count; i++)
        if (!symbols_declare(&printer->symbols, module->functions[i]->name, strlen(module->functions[i]->name),
                             SYMBOL_FUNCTION))
            printer->failed = true;
    fprintf(printer->out, ".version %d.%d\n.target %s\n.address_size 64\n", module->version_major, module->version_minor,
            module->target_text ? module->target_text : "sm_80");
    for (size_t i = 0; i < module->file_count; i++)
        fprintf(printer->out, ".file %d \"%s\"\n", module->files[i].number, module->files[i].name);
    print_declarations(printer, false);
    if (names_kernels(module))
        print_declarations(printer, true);
    for (size_t i = 0; i < module->variable_count; i++) {
        const struct ptx_variable *variable = module->variables[i];
        print_linkage(printer, variable->is_extern, variable->is_visible, variable->is_weak);
        print_variable(printer, variable);
        fputs(";\n", printer->out);
    }
    for (int entries = 0; entries < 2; entries++) /* functions first: they have been declared in this order */
        for (size_t i = 0; i < module->function_count; i++)
            if (module->functions[i]->has_body && module->functions[i]->is_entry == (entries == 1))
                print_function(printer, module->functions[i], true);
    if (module->location_count)
        print_strings(printer);
}

char *ptx_print(const struct ptx_module *module, size_t *length)
{
    char *text = NULL;
    struct printer *printer = calloc(1, sizeof *printer);
    FILE *out = open_memstream(&text, length);
    if (printer && out) {
        *printer = (struct printer){.module = module, .out = out};
        arena_init(&printer->arena);
        symbols_init(&printer->symbols, &printer->arena);
        print_module(printer);
        arena_clear(&printer->arena);
    }
    bool failed = !printer || printer->failed || !out || ferror(out);
    if (out && fclose(out) != 0)
        failed = true;
    free(printer);
    if (!failed)
        return text;
    free(text);
    return NULL;
}
