/* Golden records: what a GPU gave for each test of a fixture file, kept in tests/fixtures/golden/NAME.golden, so that the
 * emulated driver can be compared with silicon where there is none.
 *
 * A file is text. Lines that begin with # are comments; the first says which GPU, driver and date. Every other line is one
 * test, in hexadecimal:
 *
 *     FIXTURE OUTCOME EXACT [VALUE]...
 *
 * FIXTURE   hash of the test as it was: its description and its code. A test that changed since has no record.
 * OUTCOME   the CUresult of the launch
 * EXACT     hash of what was printed and of the bytes that the fixture itself states exactly
 * VALUE     bits of each element that the fixture leaves open: `nan`, and those with a bound; in order
 */
#ifndef TESTS_GOLDEN_H
#define TESTS_GOLDEN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct golden_record {
    uint64_t fixture;
    int outcome;
    uint64_t exact;
    uint64_t *values; /* [value_count], owned */
    size_t value_count, value_capacity;
    bool current; /* the fixture file holds this test: the others are left out when written */
};

struct golden {
    char path[512];
    char source[256]; /* of the file's first line: GPU, driver, date */
    struct golden_record *records;
    size_t count, capacity;
};

#define GOLDEN_SEED UINT64_C(0xCBF29CE484222325)

/* FNV-1a over more bytes. */
uint64_t golden_hash(uint64_t hash, const void *bytes, size_t count);

/* Reads FOLDER/<base name of the fixture file>.golden; none is the same as an empty one. Returns false, with a line on
 * stderr, when the file is damaged. */
bool golden_read(struct golden *golden, const char *folder, const char *fixture_path);

/* The record of a test; NULL when it has none. */
struct golden_record *golden_find(struct golden *golden, uint64_t fixture);

/* Adds or replaces a record; takes over its values. */
void golden_put(struct golden *golden, const struct golden_record *record);

void golden_add_value(struct golden_record *record, uint64_t value);

/* Writes the current records, sorted by the hash of their test. Returns false with a line on stderr when that fails. */
bool golden_write(struct golden *golden);

void golden_clear(struct golden *golden);

#endif
