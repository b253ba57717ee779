#include "runtime/language/demangle.h"

#include <setjmp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* libiberty's demangler, the one of GCC, binutils and GDB; linked as an archive, so that the driver needs no C++ library.
 * Debian and Arch keep its headers in their own folder, Fedora beside the others. */
#if __has_include(<libiberty/demangle.h>)
#include <libiberty/demangle.h>
#else
#include <demangle.h>
#endif

/* Names may be hostile. The demangler recurses for each letter at worst, and a substitution repeats what came before:
 * longer names are left unchanged, a name's tree is shortened in a limited number of places, and printing stops when the
 * text is full.
 */
enum { MOST_BYTES = 1024, MOST_VISITS = 4096 };

/* ---- the text -------------------------------------------------------------------------------------------------------- */

struct output {
    char *text;
    size_t used, bytes;
    jmp_buf full;
};

static void write_piece(const char *piece, size_t length, void *context)
{
    struct output *output = context;
    size_t room = output->bytes - 1 - output->used;
    memcpy(output->text + output->used, piece, length < room ? length : room);
    output->used += length < room ? length : room;
    if (length > room)
        longjmp(output->full, 1);
}

/* Writes what fits of a name into text[bytes]. Returns false when the tree makes no sense. */
static bool print(struct demangle_component *tree, char *text, size_t bytes)
{
    struct output output = {.text = text, .bytes = bytes};
    volatile bool well = true;
    memset(text, 0, bytes);
    if (setjmp(output.full) == 0)
        well = cplus_demangle_print_callback(DMGL_NO_OPTS, tree, write_piece, &output);
    return well && text[0];
}

/* ---- the tree -------------------------------------------------------------------------------------------------------- */

/* Namespaces that are not in the source, and those that are inline by custom. */
static bool is_hidden(const struct demangle_component *name)
{
    static const char *const starts[] = {"(anonymous namespace)", "_INTERNAL_", "__",
                                         "_3clocals_3e" /* Numba's, of a function in a function */};
    for (size_t i = 0; name && name->type == DEMANGLE_COMPONENT_NAME && i < sizeof starts / sizeof *starts; i++)
        if ((size_t)name->u.s_name.len >= strlen(starts[i]) && memcmp(name->u.s_name.s, starts[i], strlen(starts[i])) == 0)
            return true;
    return false;
}

/* "256u" and "(char)65" read as 256 and 65. */
static void shorten_literal(const struct demangle_component *literal)
{
    static const char *const kept[] = {"bool", "float", "double", "long double", "decltype(nullptr)"};
    char type[32];
    struct demangle_component *left = literal->u.s_binary.left;
    if (!left || left->type != DEMANGLE_COMPONENT_BUILTIN_TYPE || !print(left, type, sizeof type))
        return;
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (strcmp(type, kept[i]) == 0)
            return;
    cplus_demangle_fill_builtin_type(left, "int");
}

/* Leaves out what tells a reader nothing. Returns false for a name with an expression in it. */
static bool shorten(struct demangle_component **place, unsigned *visits)
{
    struct demangle_component *here = *place;
    if (!here || ++*visits > MOST_VISITS)
        return true;
    switch (here->type) {
    case DEMANGLE_COMPONENT_LAMBDA: cplus_demangle_fill_name(here, "lambda", 6); return true;
    case DEMANGLE_COMPONENT_UNNAMED_TYPE: cplus_demangle_fill_name(here, "nameless", 8); return true;
    case DEMANGLE_COMPONENT_LITERAL:
    case DEMANGLE_COMPONENT_LITERAL_NEG: shorten_literal(here); return true;
    case DEMANGLE_COMPONENT_UNARY:
    case DEMANGLE_COMPONENT_BINARY:
    case DEMANGLE_COMPONENT_TRINARY: return false;
    case DEMANGLE_COMPONENT_LOCAL_NAME: /* without the function around it */
        *place = here->u.s_binary.right;
        return shorten(place, visits);
    case DEMANGLE_COMPONENT_TAGGED_NAME: /* Numba's tags, which hold a version and options of the compiler */
        *place = here->u.s_binary.left;
        return shorten(place, visits);
    case DEMANGLE_COMPONENT_QUAL_NAME: /* a::b::c is (a::b)::c */
        while (here->u.s_binary.left && here->u.s_binary.left->type == DEMANGLE_COMPONENT_QUAL_NAME
               && is_hidden(here->u.s_binary.left->u.s_binary.right) && ++*visits < MOST_VISITS)
            here->u.s_binary.left = here->u.s_binary.left->u.s_binary.left;
        if (is_hidden(here->u.s_binary.left)) {
            *place = here->u.s_binary.right;
            return shorten(place, visits);
        }
        break;
    case DEMANGLE_COMPONENT_TYPED_NAME:
    case DEMANGLE_COMPONENT_TEMPLATE:
    case DEMANGLE_COMPONENT_TEMPLATE_ARGLIST:
    case DEMANGLE_COMPONENT_ARGLIST:
    case DEMANGLE_COMPONENT_FUNCTION_TYPE:
    case DEMANGLE_COMPONENT_ARRAY_TYPE:
    case DEMANGLE_COMPONENT_PTRMEM_TYPE:
    case DEMANGLE_COMPONENT_POINTER:
    case DEMANGLE_COMPONENT_REFERENCE:
    case DEMANGLE_COMPONENT_RVALUE_REFERENCE:
    case DEMANGLE_COMPONENT_CONST:
    case DEMANGLE_COMPONENT_VOLATILE:
    case DEMANGLE_COMPONENT_CONST_THIS:
    case DEMANGLE_COMPONENT_VOLATILE_THIS: break;
    default: return true;
    }
    return shorten(&here->u.s_binary.left, visits) && shorten(&here->u.s_binary.right, visits);
}

/* The innermost plain name, of a function or variable without its surroundings; NULL when it has none (an operator). */
static const struct demangle_component *last_name(const struct demangle_component *tree)
{
    for (unsigned steps = 0; tree && steps < MOST_BYTES; steps++)
        switch (tree->type) {
        case DEMANGLE_COMPONENT_NAME: return tree;
        case DEMANGLE_COMPONENT_QUAL_NAME:
        case DEMANGLE_COMPONENT_LOCAL_NAME: tree = tree->u.s_binary.right; break;
        case DEMANGLE_COMPONENT_TEMPLATE:
        case DEMANGLE_COMPONENT_TYPED_NAME:
        case DEMANGLE_COMPONENT_TAGGED_NAME: tree = tree->u.s_binary.left; break;
        default: return NULL;
        }
    return NULL;
}

static bool print_last(const struct demangle_component *tree, char *text, size_t bytes)
{
    const struct demangle_component *name = last_name(tree);
    if (name)
        snprintf(text, bytes, "%.*s", name->u.s_name.len, name->u.s_name.s);
    return name;
}

/* ---- names ----------------------------------------------------------------------------------------------------------- */

static void demangle(const char *name, bool whole, char *text, size_t bytes)
{
    void *memory = NULL;
    struct demangle_component *tree = NULL;
    unsigned visits = 0;
    bool well = false;
    /* Without DMGL_PARAMS the name is read up to its parameters. */
    if (strncmp(name, "_Z", 2) == 0 && strnlen(name, MOST_BYTES + 1) <= MOST_BYTES)
        tree = cplus_demangle_v3_components(name, DMGL_NO_OPTS, &memory);
    if (tree && whole && shorten(&tree, &visits))
        well = print(tree, text, bytes);
    if (tree && !well)
        well = print_last(tree, text, bytes);
    if (!well)
        snprintf(text, bytes, "%s", name);
    free(memory);
}

void demangle_function(const char *name, char *text, size_t bytes)
{
    demangle(name, true, text, bytes);
}

void demangle_variable(const char *name, char *text, size_t bytes)
{
    demangle(name, false, text, bytes);
}

const char *demangle_plain(const char *name, size_t *length)
{
    *length = strlen(name);
    if (strncmp(name, "_Z", 2) != 0 || name[2] < '1' || name[2] > '9')
        return name;
    size_t digits = strspn(name + 2, "0123456789");
    size_t count = digits < 6 ? (size_t)atoi(name + 2) : *length;
    if (2 + digits + count > *length)
        return name;
    *length = count;
    return name + 2 + digits;
}
