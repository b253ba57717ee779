#include "runtime/language/ptx/targets.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static const struct target {
    const char *roots, *words;
    int sm;
} targets[] = {
#define TARGET(roots, words, sm) {roots, words, sm},
#include "runtime/language/ptx/targets.def"
#undef TARGET
};

/* The next of the parts of a list, which `separator` keeps apart; it is taken off. Returns false at the end. */
static bool take(const char **list, const char *end, char separator, const char **part, size_t *length)
{
    if (*list >= end)
        return false;
    const char *stop = memchr(*list, separator, (size_t)(end - *list));
    stop = stop ? stop : end;
    *part = *list;
    *length = (size_t)(stop - *list);
    *list = stop < end ? stop + 1 : end;
    return true;
}

/* Does the text begin with the word, which ends with a dot or with the text? */
static bool begins_with(const char *text, const char *word, size_t length)
{
    return strncmp(text, word, length) == 0 && (text[length] == '.' || text[length] == '\0');
}

/* Is the word, or are the words, in the opcode behind its root? */
static bool has_word(const char *opcode, const char *word, size_t length)
{
    for (const char *dot = strchr(opcode, '.'); dot; dot = strchr(dot + 1, '.'))
        if (begins_with(dot + 1, word, length))
            return true;
    return false;
}

static bool takes_special(const struct ptx_instruction *instruction, const char *name, size_t length)
{
    for (unsigned i = 0; i < instruction->operand_count; i++)
        if (instruction->operands[i].kind == OPERAND_SPECIAL
            && begins_with(ptx_special_name((enum ptx_special)instruction->operands[i].special), name, length))
            return true;
    return false;
}

static bool fits_root(const struct ptx_instruction *instruction, const char *roots)
{
    const char *root, *end = roots + strlen(roots);
    size_t length;
    bool any = *roots == '\0';
    while (!any && take(&roots, end, '|', &root, &length))
        any = *root == '%' ? takes_special(instruction, root, length) : begins_with(instruction->spelling, root, length);
    return any;
}

/* One of the words that must all be there. */
static bool fits_word(const struct ptx_instruction *instruction, const char *words, size_t bytes)
{
    const char *word, *end = words + bytes;
    size_t length;
    bool any = false;
    if (*words == '#')
        return instruction->operand_count == (unsigned)atoi(words + 1);
    if (*words == '!')
        return !has_word(instruction->spelling, words + 1, bytes - 1);
    while (!any && take(&words, end, '|', &word, &length))
        any = has_word(instruction->spelling, word, length);
    return any;
}

static bool fits(const struct ptx_instruction *instruction, const struct target *target)
{
    const char *words = target->words, *word, *end = words + strlen(words);
    size_t length;
    bool all = fits_root(instruction, target->roots);
    while (all && take(&words, end, ' ', &word, &length))
        all = fits_word(instruction, word, length);
    return all;
}

int ptx_target_needed(const struct ptx_instruction *instruction)
{
    int needed = 0;
    for (size_t i = 0; i < sizeof targets / sizeof *targets; i++)
        if (targets[i].sm > needed && fits(instruction, &targets[i]))
            needed = targets[i].sm;
    return needed;
}
