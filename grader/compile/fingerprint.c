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

static bool is_word(char byte)
{
    return isalnum((unsigned char)byte) || byte == '_' || byte == '$' || byte == '.' || byte == '%';
}

/* Kind of an operand: the letters of a register's type, one letter for a number, a special register, a name. */
static uint64_t add_operand(uint64_t hash, const char *word, size_t length)
{
    if (word[0] == '%') {
        size_t letters = 1;
        while (letters < length && isalpha((unsigned char)word[letters]))
            letters++;
        bool special = letters < length && !isdigit((unsigned char)word[letters]); /* %tid.x, not %r12 */
        for (size_t i = 0; i < (special ? length : letters); i++)
            hash = add_byte(hash, word[i]);
        return hash;
    }
    return add_byte(hash, isdigit((unsigned char)word[0]) ? '0' : 'n');
}

/* Hashes one instruction, [at, end) up to its semicolon: opcode with its modifiers, then the kinds of its operands. */
static uint64_t hash_instruction(const char *at, const char *end)
{
    uint64_t hash = HASH_START;
    bool opcode = true;
    while (at < end) {
        const char *start = at;
        while (at < end && is_word(*at))
            at++;
        if (at == start) {
            hash = isspace((unsigned char)*at) ? hash : add_byte(hash, *at);
            at++;
            continue;
        }
        if (opcode && *start != '%') { /* a predicate, @%p1, stands before the opcode */
            for (const char *byte = start; byte < at; byte++)
                hash = add_byte(hash, *byte);
            opcode = false;
        } else {
            hash = add_operand(hash, start, (size_t)(at - start));
        }
    }
    return hash;
}

/* The statements of a text that are instructions. Lines that begin with a dot are directives (.reg, .loc, .param), a
 * section of debug data holds nothing else, and a word with a colon behind it is a label. */
struct reader {
    const char *at, *end;
};

static void skip_line(struct reader *reader)
{
    const char *line_end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
    reader->at = line_end ? line_end + 1 : reader->end;
}

static bool next_instruction(struct reader *reader, uint64_t *hash)
{
    while (reader->at < reader->end) {
        char byte = *reader->at;
        if (isspace((unsigned char)byte) || strchr("{}();,", byte)) {
            reader->at++;
        } else if (byte == '.' || (byte == '/' && reader->at + 1 < reader->end && reader->at[1] == '/')) {
            skip_line(reader);
        } else if (byte == '\0') {
            reader->at++;
        } else {
            const char *start = reader->at, *stop = start;
            while (stop < reader->end && *stop != ';' && *stop != '\n' && *stop != ':')
                stop++;
            reader->at = stop < reader->end ? stop + 1 : stop;
            if (stop < reader->end && *stop == ';') {
                *hash = hash_instruction(start, stop);
                return true;
            }
        }
    }
    return false;
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

size_t fingerprint_ptx(const char *ptx, size_t bytes, uint64_t *prints)
{
    struct reader reader = {ptx, ptx + bytes};
    uint64_t instructions[FINGERPRINT_GRAM] = {0}, grams[FINGERPRINT_WINDOW] = {0}, hash;
    size_t instruction_count = 0, gram_count = 0, count = 0;
    while (count < FINGERPRINT_MAX && next_instruction(&reader, &hash)) {
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
