#include "runtime/language/ptx/instruction.h"

#include <string.h>

static const char *const modifier_names[MODIFIER_COUNT] = {
#define MODIFIER(id, text) [MOD_##id] = text,
#include "runtime/language/ptx/modifiers.def"
#undef MODIFIER
};

static const struct ptx_form forms[FORM_COUNT] = {
#define INSTRUCTION(id, root, pattern, operands, decoder, family, slots, cycles, role, section) \
    [FORM_##id] = {FORM_##id, root, pattern, operands, #family, section, slots, cycles, role},
#include "runtime/language/ptx/instructions.def"
#undef INSTRUCTION
};

static const struct ptx_refusal refusals[] = {
#define REFUSED(start, subject, reason) {start, subject, reason},
#include "runtime/language/ptx/refused.def"
#undef REFUSED
};

enum { REFUSAL_COUNT = sizeof refusals / sizeof *refusals };

const struct ptx_refusal *ptx_refusal_at(size_t position)
{
    return position < REFUSAL_COUNT ? &refusals[position] : NULL;
}

const struct ptx_refusal *ptx_refusal_find(const char *text, size_t length)
{
    const struct ptx_refusal *found = NULL;
    size_t longest = 0;
    for (size_t i = 0; i < REFUSAL_COUNT; i++)
        for (const char *start = refusals[i].start; *start; start += *start == '|') {
            size_t start_length = strcspn(start, "|");
            if (start_length <= length && start_length > longest && memcmp(start, text, start_length) == 0
                && (start_length == length || text[start_length] == '.')) {
                found = &refusals[i];
                longest = start_length;
            }
            start += start_length;
        }
    return found;
}

const char *ptx_modifier_name(enum ptx_modifier modifier)
{
    return modifier_names[modifier];
}

const struct ptx_form *ptx_form_get(enum ptx_form_id id)
{
    return &forms[id];
}

static bool words_equal(const char *a, size_t a_length, const char *b, size_t b_length)
{
    return a_length == b_length && memcmp(a, b, a_length) == 0;
}

/* Most comparisons end with the first letter: every opcode of a module is compared with all names. */
static bool is_word(const char *name, const char *word, size_t length)
{
    return length && *name == *word && strncmp(name, word, length) == 0 && !name[length];
}

/* Is `word` one of the alternatives "a|b|c" in [group, end)? */
static bool group_contains(const char *group, const char *end, const char *word, size_t length)
{
    while (group < end) {
        const char *bar = memchr(group, '|', (size_t)(end - group));
        const char *stop = bar ? bar : end;
        if (words_equal(group, (size_t)(stop - group), word, length))
            return true;
        group = stop + 1;
    }
    return false;
}

/* Records a matched word. A group of types fills the next type slot. */
static void record(struct ptx_opcode *opcode, const char *word, size_t length, bool type)
{
    if (type) {
        opcode->types[opcode->type_count++] = ptx_type_find(word, length);
        return;
    }
    for (int modifier = 0; modifier < MODIFIER_COUNT; modifier++)
        if (is_word(modifier_names[modifier], word, length)) {
            opcode->modifiers.bits[modifier / 64] |= (uint64_t)1 << (modifier % 64);
            opcode->written[opcode->written_count++] = (uint8_t)modifier; /* at most one per group */
        }
}

struct group {
    const char *begin, *end;
    bool optional, type, used;
};

static unsigned split_pattern(const char *pattern, struct group groups[PTX_MAX_WORDS], bool *any_order)
{
    unsigned count = 0;
    *any_order = false;
    while (*pattern && count < PTX_MAX_WORDS) {
        const char *end = pattern + strcspn(pattern, " ");
        struct group group = {.begin = pattern, .end = end};
        if (*group.begin == '*') {
            *any_order = true;
        } else if (group.begin < end) {
            group.optional = *group.begin == '?';
            group.begin += group.optional;
            group.type = group.begin[0] == 'T' && group.begin[1] == ':';
            group.begin += group.type ? 2 : 0;
            groups[count++] = group;
        }
        pattern = *end ? end + 1 : end;
    }
    return count;
}

/* Matches the words after the root with one pattern, in its order or in any; types keep their order among themselves. */
static bool match_pattern(const char *pattern, const char *words, const char *end, bool as_written,
                          struct ptx_opcode *opcode)
{
    struct group groups[PTX_MAX_WORDS];
    bool any_order;
    unsigned count = split_pattern(pattern, groups, &any_order), next = 0;
    any_order |= !as_written;
    while (words < end) {
        const char *dot = memchr(words, '.', (size_t)(end - words));
        const char *stop = dot ? dot : end;
        size_t length = (size_t)(stop - words);
        unsigned found = any_order ? 0 : next;
        for (; found < count; found++) {
            if (!groups[found].used && group_contains(groups[found].begin, groups[found].end, words, length))
                break;
            if (!any_order && !groups[found].optional)
                return false;
        }
        if (found == count)
            return false;
        groups[found].used = true;
        next = found + 1;
        record(opcode, words, length, groups[found].type);
        words = stop + 1;
    }
    for (unsigned i = 0; i < count; i++)
        if (!groups[i].used && !groups[i].optional)
            return false;
    return true;
}

/* Of these, ptxas takes some words in their place only, or their order has a meaning (.row.col). */
static bool has_fixed_order(const char *root)
{
    static const char *const roots[] = {"mul", "mad",  "mul24", "mad24",    "cvta",
                                        "mma", "wmma", "wgmma", "ldmatrix", "stmatrix"};
    for (size_t i = 0; i < sizeof roots / sizeof *roots; i++)
        if (strcmp(root, roots[i]) == 0)
            return true;
    return false;
}

/* Matches the rows from `id` on. */
static bool match_from(int id, const char *text, size_t length, bool as_written, struct ptx_opcode *opcode, bool *known_root)
{
    const char *dot = memchr(text, '.', length);
    size_t root_length = dot ? (size_t)(dot - text) : length;
    for (; id < FORM_COUNT; id++) {
        if (!is_word(forms[id].root, text, root_length) || (!as_written && has_fixed_order(forms[id].root)))
            continue;
        *known_root = true;
        struct ptx_opcode found = {.form = &forms[id], .vector = 1};
        if (match_pattern(forms[id].pattern, dot ? dot + 1 : text + length, text + length, as_written, &found)) {
            found.vector = ptx_has(&found, MOD_v8) ? 8 : ptx_has(&found, MOD_v4) ? 4 : ptx_has(&found, MOD_v2) ? 2 : 1;
            *opcode = found;
            return true;
        }
    }
    return false;
}

bool ptx_opcode_match(const char *text, size_t length, struct ptx_opcode *opcode, bool *known_root)
{
    *known_root = false;
    /* As the manual has it, else as ptxas takes it: CUB writes vote.ballot.sync.b32. */
    return match_from(0, text, length, true, opcode, known_root)
           || (*known_root && match_from(0, text, length, false, opcode, known_root));
}

bool ptx_opcode_match_next(const char *text, size_t length, struct ptx_opcode *opcode)
{
    bool known_root;
    const int next = (int)opcode->form->id + 1;
    return match_from(next, text, length, true, opcode, &known_root)
           || match_from(next, text, length, false, opcode, &known_root);
}
