#include "grader/compile/fingerprint.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

#define HASH_START UINT64_C(0xcbf29ce484222325) /* FNV-1a */
#define HASH_STEP  UINT64_C(0x100000001b3)

static uint64_t add_byte(uint64_t hash, char byte)
{
    return (hash ^ (unsigned char)byte) * HASH_STEP;
}

static uint64_t add_number(uint64_t hash, uint64_t number)
{
    for (int i = 0; i < 8; i++)
        hash = add_byte(hash, (char)(number >> 8 * i));
    return hash;
}

/* FNV's high bits are weak on short texts; the smallest of several hashes must be a fair draw (SplitMix64's finish). */
static uint64_t finish(uint64_t hash)
{
    hash = (hash ^ hash >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    hash = (hash ^ hash >> 27) * UINT64_C(0x94d049bb133111eb);
    return hash ^ hash >> 31;
}

/* Kind of an operand: the letters of a register's type, one letter for a number, a special register, a name. */
static uint64_t add_operand(uint64_t hash, const struct token *token)
{
    const char *word = token->text;
    if (token->kind == TOKEN_IDENTIFIER && word[0] == '%') {
        size_t letters = 1;
        while (letters < token->length && isalpha((unsigned char)word[letters]))
            letters++;
        bool special = letters < token->length && !isdigit((unsigned char)word[letters]); /* %tid.x, not %r12 */
        for (size_t i = 0; i < (special ? token->length : letters); i++)
            hash = add_byte(hash, word[i]);
        return hash;
    }
    bool number = token->kind == TOKEN_INTEGER || token->kind == TOKEN_F32 || token->kind == TOKEN_F64;
    return add_byte(hash, number || isdigit((unsigned char)word[0]) ? '0' : 'n');
}

/* The instructions of all functions of a module, as hashes: of the opcode with its modifiers, then the kinds of operands. */
struct instruction_stream {
    const struct ptx_summary *summary;
    size_t body; /* the next one */
    struct ptx_instructions walk;
};

static bool next_instruction(struct instruction_stream *stream, uint64_t *hash)
{
    struct token token;
    bool opcode = true;
    *hash = HASH_START;
    for (;;) {
        if (!ptx_instructions_next(&stream->walk, &token)) {
            if (stream->body == stream->summary->body_count)
                return false;
            ptx_instructions_begin(&stream->walk, &stream->summary->bodies[stream->body++]);
            *hash = HASH_START; /* what an unfinished body left */
            opcode = true;
        } else if (token.kind == TOKEN_PUNCTUATION && token.punctuation == ';') {
            return true;
        } else if (token.kind == TOKEN_PUNCTUATION) {
            *hash = add_byte(*hash, token.punctuation);
        } else if (opcode && token.text[0] != '%') { /* a predicate, @%p1, precedes the opcode */
            for (size_t i = 0; i < token.length; i++)
                *hash = add_byte(*hash, token.text[i]);
            opcode = false;
        } else {
            *hash = add_operand(*hash, &token);
        }
    }
}

static int compare(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static size_t sort_once(uint64_t *prints, size_t count)
{
    size_t kept = 0;
    if (count > 0)
        qsort(prints, count, sizeof *prints, compare);
    for (size_t i = 0; i < count; i++)
        if (kept == 0 || prints[kept - 1] != prints[i])
            prints[kept++] = prints[i];
    return kept;
}

size_t fingerprint_ptx(const struct ptx_summary *summary, uint64_t *prints)
{
    struct instruction_stream stream = {.summary = summary};
    uint64_t instructions[FINGERPRINT_GRAM] = {0}, grams[FINGERPRINT_WINDOW] = {0}, hash;
    size_t instruction_count = 0, gram_count = 0, count = 0;
    while (count < FINGERPRINT_MAX && next_instruction(&stream, &hash)) {
        instructions[instruction_count++ % FINGERPRINT_GRAM] = hash;
        if (instruction_count < FINGERPRINT_GRAM)
            continue;
        uint64_t gram = HASH_START;
        for (size_t i = instruction_count; i < instruction_count + FINGERPRINT_GRAM; i++)
            gram = add_number(gram, instructions[i % FINGERPRINT_GRAM]);
        grams[gram_count++ % FINGERPRINT_WINDOW] = finish(gram);
        if (gram_count < FINGERPRINT_WINDOW)
            continue;
        uint64_t smallest = grams[0];
        for (int i = 1; i < FINGERPRINT_WINDOW; i++)
            smallest = grams[i] < smallest ? grams[i] : smallest;
        if (count == 0 || prints[count - 1] != smallest)
            prints[count++] = smallest;
    }
    return sort_once(prints, count);
}

json_t *fingerprint_json(const uint64_t *prints, size_t count)
{
    json_t *array = json_array();
    for (size_t i = 0; i < count; i++) {
        char text[20];
        snprintf(text, sizeof text, "%016llx", (unsigned long long)prints[i]);
        json_array_append_new(array, json_string(text));
    }
    return array;
}

uint64_t *fingerprint_read(const json_t *array, size_t *count)
{
    uint64_t *prints = allocate_zeroed((json_array_size(array) + 1) * sizeof *prints);
    *count = 0;
    for (size_t i = 0; i < json_array_size(array); i++) {
        const char *text = json_string_value(json_array_get(array, i));
        if (text)
            prints[(*count)++] = strtoull(text, NULL, 16);
    }
    return prints;
}
