#include "grader/class/similar.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"

/* A pair is shown when it shares at least this many fingerprints, and this share of those that either has. */
#define SHARED_MIN     8
#define SIMILARITY_MIN 0.75

/* What more than a quarter of the class has is common knowledge; in small classes 4 may share it, in large ones 20. */
#define COMMON_MIN 4
#define COMMON_MAX 20

struct posting {
    uint64_t print;
    size_t member;
};

struct pair {
    size_t left, right; /* members, left < right */
    double similarity;
};

void similar_add(struct similar_list *list, const char *id, uint64_t *prints, size_t count)
{
    list->members = allocate_grown(list->members, &list->capacity, list->count + 1, sizeof *list->members);
    list->members[list->count++] = (struct similar_member){id, prints, count};
}

static int compare_prints(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return a < b ? -1 : a > b;
}

static int compare_postings(const void *left, const void *right)
{
    const struct posting *a = left, *b = right;
    if (a->print != b->print)
        return a->print < b->print ? -1 : 1;
    return a->member < b->member ? -1 : a->member > b->member;
}

/* ---- members with the very same fingerprints are looked at once ---------------------------------------------------- */

static int compare_members(const struct similar_member *a, const struct similar_member *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    return memcmp(a->prints, b->prints, a->count * sizeof *a->prints);
}

static const struct similar_member *sorted_members; /* of sort_twins, for qsort */

static int compare_twins(const void *left, const void *right)
{
    size_t a = *(const size_t *)left, b = *(const size_t *)right;
    int order = compare_members(&sorted_members[a], &sorted_members[b]);
    return order != 0 ? order : a < b ? -1 : a > b;
}

/* Returns, for each member, the first that has the same fingerprints. Owned by the caller. */
static size_t *find_twins(const struct similar_list *list, size_t *distinct)
{
    size_t *order = allocate_zeroed((list->count + 1) * sizeof *order),
           *first = allocate_zeroed((list->count + 1) * sizeof *first);
    for (size_t i = 0; i < list->count; i++)
        order[i] = i;
    sorted_members = list->members;
    if (list->count > 0)
        qsort(order, list->count, sizeof *order, compare_twins);
    *distinct = 0;
    for (size_t i = 0; i < list->count; i++) {
        bool same = i > 0 && compare_members(&list->members[order[i - 1]], &list->members[order[i]]) == 0;
        first[order[i]] = same ? first[order[i - 1]] : order[i];
        *distinct += !same;
    }
    free(order);
    return first;
}

size_t similar_limit(size_t members)
{
    size_t quarter = members / 4;
    return quarter < COMMON_MIN ? COMMON_MIN : quarter > COMMON_MAX ? COMMON_MAX : quarter;
}

/* ---- pairs -------------------------------------------------------------------------------------------------------- */

/* All fingerprints of all distinct members that are not the kit's, in order. */
static struct posting *list_postings(const struct similar_list *list, const uint64_t *common, size_t common_count,
                                     const size_t *first, size_t *count)
{
    size_t most = 0;
    for (size_t i = 0; i < list->count; i++)
        most += list->members[i].count;
    struct posting *postings = allocate_zeroed((most + 1) * sizeof *postings);
    *count = 0;
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < list->members[i].count && first[i] == i; k++) {
            uint64_t print = list->members[i].prints[k];
            if (common_count == 0 || !bsearch(&print, common, common_count, sizeof print, compare_prints))
                postings[(*count)++] = (struct posting){print, i};
        }
    if (*count > 0)
        qsort(postings, *count, sizeof *postings, compare_postings);
    return postings;
}

static size_t run_length(const struct posting *postings, size_t count, size_t start)
{
    size_t end = start;
    while (end < count && postings[end].print == postings[start].print)
        end++;
    return end - start;
}

/* Drops what many have. Returns how many postings remain. */
static size_t drop_common(struct posting *postings, size_t count, size_t members)
{
    size_t most = similar_limit(members), kept = 0;
    for (size_t start = 0, length; start < count; start += length) {
        length = run_length(postings, count, start);
        if (length <= most) {
            memmove(&postings[kept], &postings[start], length * sizeof *postings);
            kept += length;
        }
    }
    return kept;
}

static int compare_pairs(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->left != b->left)
        return a->left < b->left ? -1 : 1;
    return a->right < b->right ? -1 : a->right > b->right;
}

/* Every pair that shares a fingerprint, once for each that it shares, in order. */
static struct pair *list_shared(const struct posting *postings, size_t count, size_t *pair_count)
{
    struct pair *pairs = NULL;
    size_t capacity = 0;
    *pair_count = 0;
    for (size_t start = 0, length; start < count; start += length) {
        length = run_length(postings, count, start);
        for (size_t i = start; i < start + length; i++)
            for (size_t k = i + 1; k < start + length; k++) {
                pairs = allocate_grown(pairs, &capacity, *pair_count + 1, sizeof *pairs);
                pairs[(*pair_count)++] = (struct pair){postings[i].member, postings[k].member, 0};
            }
    }
    if (*pair_count > 0)
        qsort(pairs, *pair_count, sizeof *pairs, compare_pairs);
    return pairs;
}

/* Keeps the pairs that are alike, with their similarity. Returns how many. */
static size_t judge_pairs(struct pair *pairs, size_t count, const size_t *own)
{
    size_t kept = 0;
    for (size_t start = 0, end; start < count; start = end) {
        for (end = start; end < count && compare_pairs(&pairs[start], &pairs[end]) == 0;)
            end++;
        size_t shared = end - start, all = own[pairs[start].left] + own[pairs[start].right] - shared;
        double similarity = (double)shared / (double)all;
        if (shared >= SHARED_MIN && similarity >= SIMILARITY_MIN)
            pairs[kept++] = (struct pair){pairs[start].left, pairs[start].right, similarity};
    }
    return kept;
}

/* ---- groups ------------------------------------------------------------------------------------------------------- */

struct similar_group {
    size_t first;      /* its first member */
    double similarity; /* of the weakest link */
};

static size_t find_root(size_t *parent, size_t member)
{
    while (parent[member] != member)
        member = parent[member] = parent[parent[member]];
    return member;
}

static int compare_groups(const void *left, const void *right)
{
    const struct similar_group *a = left, *b = right;
    if (a->similarity != b->similarity)
        return a->similarity > b->similarity ? -1 : 1;
    return a->first < b->first ? -1 : a->first > b->first;
}

static int compare_strongest(const void *left, const void *right)
{
    const struct pair *a = left, *b = right;
    if (a->similarity != b->similarity)
        return a->similarity > b->similarity ? -1 : 1;
    return compare_pairs(left, right);
}

/* Joins pairs to groups, the strongest link first, so that a group's similarity is that of the weakest link it needs. */
static void write_groups(const struct similar_list *list, struct pair *pairs, size_t pair_count, const char *lab,
                         json_t *groups)
{
    size_t *parent = allocate_zeroed((list->count + 1) * sizeof *parent), group_count = 0;
    struct similar_group *found = allocate_zeroed((list->count + 1) * sizeof *found);
    for (size_t i = 0; i < list->count; i++) {
        parent[i] = i;
        found[i].similarity = 1;
    }
    if (pair_count > 0)
        qsort(pairs, pair_count, sizeof *pairs, compare_strongest);
    for (size_t i = 0; i < pair_count; i++) {
        size_t left = find_root(parent, pairs[i].left), right = find_root(parent, pairs[i].right);
        size_t low = left < right ? left : right, high = left < right ? right : left;
        parent[high] = low;
        if (low != high)
            found[low].similarity = pairs[i].similarity;
    }
    size_t *size = allocate_zeroed((list->count + 1) * sizeof *size);
    for (size_t i = 0; i < list->count; i++)
        size[find_root(parent, i)]++;
    for (size_t i = 0; i < list->count; i++)
        if (size[i] > 1)
            found[group_count++] = (struct similar_group){i, found[i].similarity};
    free(size);
    if (group_count > 0)
        qsort(found, group_count, sizeof *found, compare_groups);
    for (size_t g = 0; g < group_count; g++) {
        json_t *ids = json_array();
        for (size_t i = 0; i < list->count; i++)
            if (find_root(parent, i) == found[g].first)
                json_array_append_new(ids, json_string(list->members[i].id));
        double rounded = (double)(long)(found[g].similarity * 10000) / 10000;
        json_array_append_new(groups,
                              json_pack("{s:s,s:o,s:o}", "lab", lab, "students", ids, "similarity", json_real(rounded)));
    }
    free(parent);
    free(found);
}

/* Twins are alike, unless so many are that it tells nothing. Adds a pair for each to its first. */
static struct pair *add_twins(const struct similar_list *list, const size_t *first, const size_t *own, struct pair *pairs,
                              size_t *pair_count)
{
    size_t *twins = allocate_zeroed((list->count + 1) * sizeof *twins), capacity = *pair_count,
           most = similar_limit(list->count);
    for (size_t i = 0; i < list->count; i++)
        twins[first[i]]++;
    for (size_t i = 0; i < list->count; i++)
        if (first[i] != i && own[first[i]] >= SHARED_MIN && twins[first[i]] <= most) {
            pairs = allocate_grown(pairs, &capacity, *pair_count + 1, sizeof *pairs);
            pairs[(*pair_count)++] = (struct pair){first[i], i, 1};
        }
    free(twins);
    return pairs;
}

void similar_find(const struct similar_list *list, const uint64_t *common, size_t common_count, const char *lab,
                  json_t *groups)
{
    size_t posting_count, pair_count, distinct;
    size_t *first = find_twins(list, &distinct);
    struct posting *postings = list_postings(list, common, common_count, first, &posting_count);
    posting_count = drop_common(postings, posting_count, distinct);
    size_t *own = allocate_zeroed((list->count + 1) * sizeof *own);
    for (size_t i = 0; i < posting_count; i++)
        own[postings[i].member]++;
    struct pair *pairs = list_shared(postings, posting_count, &pair_count);
    pair_count = judge_pairs(pairs, pair_count, own);
    pairs = add_twins(list, first, own, pairs, &pair_count);
    write_groups(list, pairs, pair_count, lab, groups);
    free(pairs);
    free(own);
    free(first);
    free(postings);
}

void similar_clear(struct similar_list *list)
{
    for (size_t i = 0; i < list->count; i++)
        free(list->members[i].prints);
    free(list->members);
    memset(list, 0, sizeof *list);
}
