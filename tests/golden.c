#include "tests/golden.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *grown(void *list, size_t count, size_t *capacity, size_t size)
{
    if (count < *capacity)
        return list;
    *capacity = *capacity ? 2 * *capacity : 16;
    void *larger = realloc(list, *capacity * size);
    if (!larger) {
        fprintf(stderr, "golden: out of memory\n");
        exit(3);
    }
    return larger;
}

uint64_t golden_hash(uint64_t hash, const void *bytes, size_t count)
{
    const unsigned char *byte = bytes;
    for (size_t i = 0; i < count; i++)
        hash = (hash ^ byte[i]) * UINT64_C(0x100000001B3);
    return hash;
}

struct golden_record *golden_find(struct golden *golden, uint64_t fixture)
{
    for (size_t i = 0; i < golden->count; i++)
        if (golden->records[i].fixture == fixture)
            return &golden->records[i];
    return NULL;
}

void golden_put(struct golden *golden, const struct golden_record *record)
{
    struct golden_record *place = golden_find(golden, record->fixture);
    if (place) {
        free(place->values);
    } else {
        golden->records = grown(golden->records, golden->count, &golden->capacity, sizeof *golden->records);
        place = &golden->records[golden->count++];
    }
    *place = *record;
}

void golden_add_value(struct golden_record *record, uint64_t value)
{
    record->values = grown(record->values, record->value_count, &record->value_capacity, sizeof *record->values);
    record->values[record->value_count++] = value;
}

static bool read_line(struct golden *golden, char *line)
{
    struct golden_record record = {0};
    int length, outcome;
    if (sscanf(line, "%" SCNx64 " %x %" SCNx64 "%n", &record.fixture, (unsigned *)&outcome, &record.exact, &length) != 3)
        return false;
    record.outcome = outcome;
    /* Word by word: for AddressSanitizer a number reaches to the end of its text, and lines are long. */
    bool well = true;
    char *rest = line + length, *end;
    for (char *word; well && (word = strtok_r(rest, " \n", &rest));) {
        golden_add_value(&record, strtoull(word, &end, 16));
        well = *end == '\0';
    }
    golden_put(golden, &record);
    return well;
}

bool golden_read(struct golden *golden, const char *folder, const char *fixture_path)
{
    const char *slash = strrchr(fixture_path, '/');
    *golden = (struct golden){0};
    snprintf(golden->path, sizeof golden->path, "%s/%s.golden", folder, slash ? slash + 1 : fixture_path);
    FILE *file = fopen(golden->path, "r");
    if (!file)
        return true;
    char *line = NULL;
    size_t size = 0;
    unsigned number = 0;
    bool well = true;
    while (well && getline(&line, &size, file) >= 0) {
        number++;
        if (*line == '#') {
            if (number == 1)
                sscanf(line, "# %255[^\n]", golden->source);
        } else {
            well = read_line(golden, line);
        }
    }
    if (!well)
        fprintf(stderr, "%s:%u: is not a record\n", golden->path, number);
    free(line);
    fclose(file);
    return well;
}

static int by_fixture(const void *a, const void *b)
{
    uint64_t left = ((const struct golden_record *)a)->fixture, right = ((const struct golden_record *)b)->fixture;
    return left < right ? -1 : left > right;
}

bool golden_write(struct golden *golden)
{
    FILE *file = fopen(golden->path, "w");
    if (!file) {
        perror(golden->path);
        return false;
    }
    if (golden->count)
        qsort(golden->records, golden->count, sizeof *golden->records, by_fixture);
    fprintf(file, "# %s\n# Written by build/tests/fixtures --record; tests/golden.h says what the columns are.\n",
            golden->source);
    for (size_t i = 0; i < golden->count; i++) {
        const struct golden_record *record = &golden->records[i];
        if (!record->current)
            continue;
        fprintf(file, "%016" PRIx64 " %x %016" PRIx64, record->fixture, (unsigned)record->outcome, record->exact);
        for (size_t v = 0; v < record->value_count; v++)
            fprintf(file, " %" PRIx64, record->values[v]);
        fputc('\n', file);
    }
    if (fclose(file) == 0)
        return true;
    perror(golden->path);
    return false;
}

void golden_clear(struct golden *golden)
{
    for (size_t i = 0; i < golden->count; i++)
        free(golden->records[i].values);
    free(golden->records);
    *golden = (struct golden){0};
}
