#include "grader/cluster/shares.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"

#define SCHEMA "lockstep/shares/v1"

/* ---- costs -------------------------------------------------------------------------------------------------------- */

static const struct cost {
    const char *lab;
    uint32_t milliseconds;
} costs[] = {
#define COST(lab, milliseconds) {lab, milliseconds},
#include "grader/cluster/costs.def"
#undef COST
};
enum { COST_COUNT = sizeof costs / sizeof *costs };

static int compare_costs(const void *left, const void *right)
{
    const uint32_t *a = left, *b = right;
    return (*a > *b) - (*a < *b);
}

static uint32_t middle_cost(void)
{
    uint32_t sorted[COST_COUNT];
    for (size_t i = 0; i < COST_COUNT; i++)
        sorted[i] = costs[i].milliseconds;
    qsort(sorted, COST_COUNT, sizeof *sorted, compare_costs);
    return sorted[COST_COUNT / 2];
}

uint32_t shares_cost_of_lab(const char *lab)
{
    for (size_t i = 0; i < COST_COUNT; i++)
        if (strcmp(costs[i].lab, lab) == 0)
            return costs[i].milliseconds;
    return middle_cost();
}

/* ---- dividing ----------------------------------------------------------------------------------------------------- */

static int compare_units(const void *left, const void *right)
{
    const struct share *a = left, *b = right;
    if (a->milliseconds != b->milliseconds)
        return a->milliseconds > b->milliseconds ? -1 : 1;
    return strcmp(a->key, b->key);
}

/* A shard among the others: the first of the heap has least to do, of several such the lowest number. */
struct load {
    uint64_t milliseconds;
    uint32_t shard;
};

static bool is_lighter(const struct load *left, const struct load *right)
{
    return left->milliseconds != right->milliseconds ? left->milliseconds < right->milliseconds : left->shard < right->shard;
}

static void sink(struct load *heap, size_t count, size_t at)
{
    for (size_t child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_lighter(&heap[child + 1], &heap[child]))
            child++;
        if (!is_lighter(&heap[child], &heap[at]))
            return;
        struct load other = heap[at];
        heap[at] = heap[child];
        heap[child] = other;
    }
}

/* Gives those without a shard (0) one, beside what the shards have to do already. The units are sorted. */
static void divide_rest(struct share *units, size_t count, uint32_t shards)
{
    struct load *heap = allocate_zeroed(shards * sizeof *heap);
    for (uint32_t i = 0; i < shards; i++)
        heap[i].shard = i + 1;
    for (size_t i = 0; i < count; i++)
        if (units[i].shard != 0)
            heap[units[i].shard - 1].milliseconds += units[i].milliseconds;
    for (size_t i = shards; i-- > 0;)
        sink(heap, shards, i);
    for (size_t i = 0; i < count; i++)
        if (units[i].shard == 0) {
            units[i].shard = heap[0].shard;
            heap[0].milliseconds += units[i].milliseconds;
            sink(heap, shards, 0);
        }
    free(heap);
}

static void sort_units(struct share *units, size_t count)
{
    if (count > 0)
        qsort(units, count, sizeof *units, compare_units);
}

void shares_divide(struct share *units, size_t count, uint32_t shards)
{
    sort_units(units, count);
    for (size_t i = 0; i < count; i++)
        units[i].shard = 0;
    divide_rest(units, count, shards);
}

/* ---- on disk ------------------------------------------------------------------------------------------------------ */

bool shares_write(const char *path, const struct share *units, size_t count, uint32_t shards, char *message,
                  size_t message_bytes)
{
    json_t *keys = json_array();
    for (uint32_t i = 0; i < shards; i++)
        json_array_append_new(keys, json_array());
    for (size_t i = 0; i < count; i++)
        json_array_append_new(json_array_get(keys, units[i].shard - 1), json_string(units[i].key));
    json_t *plan = json_pack("{s:s,s:I,s:o}", "schema", SCHEMA, "shards", (json_int_t)shards, "keys", keys);
    bool good = files_write_json(path, plan, message, message_bytes) != FILES_FAILED;
    json_decref(plan);
    return good;
}

bool shares_read(const char *path, struct share *units, size_t count, uint32_t shards)
{
    json_t *plan = files_read_json(path, 0), *known = json_object(), *keys, *key;
    const char *schema = json_string_value(json_object_get(plan, "schema"));
    json_t *lists = json_object_get(plan, "keys");
    bool good = schema && strcmp(schema, SCHEMA) == 0 && json_array_size(lists) == shards;
    size_t shard, i;
    json_array_foreach(good ? lists : NULL, shard, keys)
    {
        json_array_foreach(keys, i, key)
        {
            if (json_is_string(key))
                json_object_set_new(known, json_string_value(key), json_integer((json_int_t)shard + 1));
        }
    }
    if (good) {
        sort_units(units, count);
        for (i = 0; i < count; i++)
            units[i].shard = (uint32_t)json_integer_value(json_object_get(known, units[i].key));
        divide_rest(units, count, shards);
    }
    json_decref(known);
    json_decref(plan);
    return good;
}
