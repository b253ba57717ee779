/* Blur a grey picture: pictures and weights. */
#include <stdio.h>
#include <string.h>

#include "grader/lab/hooks.h"

enum { IN, WEIGHTS };
enum { SIDE = 5, TOTAL = 256 };

typedef void fill_fn(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                     struct lab_data *data);

fill_fn fill_binomial, fill_lopsided, fill_scene, fill_point;

/* 1 4 6 4 1, times itself: they add up to 256, and look like the bell of Gauss. */
void fill_binomial(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    static const int row[SIDE] = {1, 4, 6, 4, 1};
    (void)lab, (void)the_case, (void)random;
    for (int i = 0; i < SIDE * SIDE; i++) {
        data->array[WEIGHTS].i[i] = row[i / SIDE] * row[i % SIDE];
    }
}

/* 25 different numbers in a random order, and in the middle what is missing to 256, so that no exchange goes unnoticed. */
void fill_lopsided(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    int32_t *weights = data->array[WEIGHTS].i, rest = TOTAL;
    (void)lab, (void)the_case;
    for (int i = 0; i < SIDE * SIDE; i++) {
        int other = (int)lab_random_below(random, (uint32_t)i + 1);
        weights[i] = weights[other];
        weights[other] = i < 20 ? i : i - 20;
    }
    for (int i = 0; i < SIDE * SIDE; i++) {
        rest -= weights[i];
    }
    weights[SIDE * SIDE / 2] += rest;
}

/* A grey ground that gets lighter, two discs, stripes, and a chessboard whose fields are two pixels wide. */
void fill_scene(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    int64_t height = the_case->size[0], width = the_case->size[1];
    uint8_t *pixels = data->array[IN].bytes;
    for (int64_t y = 0; y < height; y++) {
        for (int64_t x = 0; x < width; x++) {
            int64_t down = y - height / 2, across = x - width / 3, wide = height / 3;
            int64_t value = 60 + 100 * y / height;
            if (down * down + across * across < wide * wide)
                value = down * down + across * across < wide * wide / 4 ? 30 : 230;
            else if (x > width * 3 / 4)
                value = y < height / 2 ? (x % 6 < 3 ? 255 : 0) : ((x / 2 + y / 2) % 2 ? 255 : 0);
            pixels[y * width + x] = (uint8_t)value;
        }
    }
    fill_binomial(lab, the_case, random, data);
}

/* Black, and one white pixel near the middle. */
void fill_point(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data)
{
    int64_t height = the_case->size[0], width = the_case->size[1];
    uint8_t *pixels = data->array[IN].bytes;
    memset(pixels, 0, (size_t)(height * width));
    pixels[height / 2 * width + width / 2] = 255;
    fill_lopsided(lab, the_case, random, data);
}

/* ---- what the student may have computed instead ---------------------------------------------------------------------- */

enum order { AS_GIVEN, MIRRORED, EXCHANGED, UPSIDE_DOWN, LEFT_RIGHT, ALL_ALIKE, THE_USUAL, LAST_LEFT_OUT, INNER_ONLY };
enum beyond { NEAREST, BLACK, OTHER_SIDE, LAST };

struct way {
    const char *words; /* of the sentence "Every element is …" */
    enum order order;
    enum beyond beyond;
    int added, divisor; /* the sum plus `added` is divided by it … */
    int product, row;   /* … or each product, or each row of the window, by these; 1: none of them */
};

static const struct way ways[] = {
    {"what comes out if a pixel beyond an edge counts as 0, which is black. As which pixel should it count?", AS_GIVEN,
     BLACK, 0, TOTAL, 1, 1},
    {"what comes out if the picture begins again on the other side beyond an edge. As which pixel should one beyond the edge count?",
     AS_GIVEN, OTHER_SIDE, 0, TOTAL, 1, 1},
    {"what comes out if a pixel above or to the left of the picture counts as one of the last row or column. Is a row or a column below 0 kept, or compared, as a number without a sign?",
     AS_GIVEN, LAST, 0, TOTAL, 1, 1},
    {"what comes out with weights[4 - v][4 - u]: the last weight for the upper left pixel of the window. Which one belongs there?",
     MIRRORED, NEAREST, 0, TOTAL, 1, 1},
    {"what comes out with weights[u][v]. Which index of the weights goes with the row of the window?", EXCHANGED, NEAREST, 0,
     TOTAL, 1, 1},
    {"what comes out with weights[4 - v][u]: the last row of weights for the upper row of the window. Which one belongs there?",
     UPSIDE_DOWN, NEAREST, 0, TOTAL, 1, 1},
    {"what comes out with weights[v][4 - u]: the last weight of a row for the left pixel of the window. Which one belongs there?",
     LEFT_RIGHT, NEAREST, 0, TOTAL, 1, 1},
    {"the plain mean of the 25 pixels. Where should the weights come in?", ALL_ALIKE, NEAREST, 0, SIDE *SIDE, 1, 1},
    {"what comes out with the weights 1 4 6 4 1, times themselves. This test hands over others: where do yours come from?",
     THE_USUAL, NEAREST, 0, TOTAL, 1, 1},
    {"what comes out without the last row and the last column of the window. How many rows and columns has it?",
     LAST_LEFT_OUT, NEAREST, 0, TOTAL, 1, 1},
    {"what comes out with the inner 3 x 3 pixels of the window only. How many rows and columns has it?", INNER_ONLY, NEAREST,
     0, TOTAL, 1, 1},
    {"the sum divided by 25, as far as that fits into a byte. What do the weights add up to?", AS_GIVEN, NEAREST, 0,
     SIDE *SIDE, 1, 1},
    {"the sum itself, as far as it fits into a byte. By what should it be divided?", AS_GIVEN, NEAREST, 0, 1, 1, 1},
    {"the sum divided by 255. What do the weights add up to?", AS_GIVEN, NEAREST, 0, TOTAL - 1, 1, 1},
    {"the mean rounded to the nearest number. How does the contract round?", AS_GIVEN, NEAREST, TOTAL / 2, TOTAL, 1, 1},
    {"what comes out if each product is divided by 256 and rounded down before it is added. How much can get lost in 25 of them?",
     AS_GIVEN, NEAREST, 0, 1, TOTAL, 1},
    {"what comes out if each row of the window is divided by 256 and rounded down before it is added. How much can get lost in 5 of them?",
     AS_GIVEN, NEAREST, 0, 1, 1, TOTAL},
};

static int weight_of(const int32_t *weights, enum order order, int v, int u)
{
    static const int usual[SIDE] = {1, 4, 6, 4, 1};
    switch (order) {
    case MIRRORED: return weights[(SIDE - 1 - v) * SIDE + SIDE - 1 - u];
    case EXCHANGED: return weights[u * SIDE + v];
    case UPSIDE_DOWN: return weights[(SIDE - 1 - v) * SIDE + u];
    case LEFT_RIGHT: return weights[v * SIDE + SIDE - 1 - u];
    case ALL_ALIKE: return 1;
    case THE_USUAL: return usual[v] * usual[u];
    case LAST_LEFT_OUT: return v == SIDE - 1 || u == SIDE - 1 ? 0 : weights[v * SIDE + u];
    case INNER_ONLY: return v % (SIDE - 1) == 0 || u % (SIDE - 1) == 0 ? 0 : weights[v * SIDE + u];
    default: return weights[v * SIDE + u];
    }
}

/* Which row or column of `count` stands for this one, which may be outside. */
static int64_t move_inside(int64_t at, int64_t count, enum beyond beyond)
{
    if (beyond == OTHER_SIDE)
        return (at % count + count) % count;
    return at < 0 ? (beyond == LAST ? count - 1 : 0) : at < count ? at : count - 1;
}

/* The pixel that `way` makes at place i, with the window moved by (down, across). */
static uint8_t mistaken(const struct lab_wrong *wrong, const struct way *way, int64_t i, int down, int across)
{
    int64_t height = wrong->the_case->size[0], width = wrong->the_case->size[1];
    const uint8_t *in = wrong->data->array[IN].bytes;
    int sum = way->added;
    for (int v = 0; v < SIDE; v++) {
        int row = 0;
        for (int u = 0; u < SIDE; u++) {
            int64_t y = i / width + v - SIDE / 2 + down, x = i % width + u - SIDE / 2 + across;
            bool outside = y < 0 || y >= height || x < 0 || x >= width;
            int64_t at = move_inside(y, height, way->beyond) * width + move_inside(x, width, way->beyond);
            int pixel = outside && way->beyond == BLACK ? 0 : in[at];
            row += weight_of(wrong->data->array[WEIGHTS].i, way->order, v, u) * pixel / way->product;
        }
        sum += row / way->row;
    }
    return (uint8_t)(sum / way->divisor);
}

/* Is every element what this way makes? Of few elements that means nothing. */
static bool is_way(const struct lab_wrong *wrong, const struct way *way, int down, int across)
{
    enum { FEWEST = 4 };
    const uint8_t *got = wrong->got;
    bool same = true; /* one number everywhere comes out of many a mistake */
    for (size_t i = 1; i < wrong->expected->count; i++) {
        same &= got[i] == got[0];
    }
    if (wrong->bad_count < FEWEST || same)
        return false;
    for (size_t i = 0; i < wrong->expected->count; i++) {
        if (got[i] != mistaken(wrong, way, (int64_t)i, down, across))
            return false;
    }
    return true;
}

bool hook_classify(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                   size_t message_bytes)
{
    static const struct way right = {"", AS_GIVEN, NEAREST, 0, TOTAL, 1, 1};
    enum { FARTHEST = 4 };
    size_t zeros = 0;
    (void)lab;
    *pattern = "other";
    for (size_t i = 0; i < wrong->expected->count; i++) {
        zeros += ((const uint8_t *)wrong->got)[i] == 0;
    }
    if (zeros == wrong->expected->count) {
        snprintf(message, message_bytes,
                 "Every element is 0. A sum that is kept in a byte is below 256, and a 256th of it is 0: "
                 "which type has the sum, and what is added to it?");
        return true;
    }
    const struct way *found = NULL;
    for (int i = 0; i < HOOKS_COUNT(ways); i++) {
        if (!is_way(wrong, &ways[i], 0, 0))
            continue;
        if (found)
            return false; /* which of the two it is, this test does not show */
        found = &ways[i];
    }
    if (found) {
        snprintf(message, message_bytes, "Every element is %s", found->words);
        return true;
    }
    for (int down = -FARTHEST; down <= FARTHEST; down++) {
        for (int across = -FARTHEST; across <= FARTHEST; across++) {
            if ((down != 0 || across != 0) && is_way(wrong, &right, down, across)) {
                snprintf(
                    message, message_bytes,
                    "Every element is the mean of a window whose middle is not the pixel itself, but %d row%s %s and %d "
                    "column%s to the %s. Which cell of the tile does the window of thread (0,0,0) begin at?",
                    down < 0 ? -down : down, down == 1 || down == -1 ? "" : "s", down < 0 ? "above" : "below",
                    across < 0 ? -across : across, across == 1 || across == -1 ? "" : "s", across < 0 ? "left" : "right");
                return true;
            }
        }
    }
    return false;
}
