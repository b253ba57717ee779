#include "grader/program/exchange.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/classify.h"
#include "grader/lab/random.h"
#include "runtime/base/printable.h"

/* What six significant digits can be off by. */
#define DIGITS_RELATIVE 5e-6

static size_t bytes_of(const struct lab *lab, int array)
{
    return types_get(lab->arrays[array].type)->bytes;
}

void exchange_create(const struct lab *lab, const struct lab_case *the_case, uint64_t seed, struct exchange *exchange)
{
    struct lab_random random;
    *exchange = (struct exchange){.lab = lab, .the_case = the_case};
    random_init(&random, seed, lab->name, the_case->name, 0);
    for (int i = 0; i < lab->array_count; i++) {
        size_t count = lab->extent(lab, the_case, i);
        exchange->data.count[i] = count;
        exchange->data.array[i].bytes = allocate_zeroed(count * bytes_of(lab, i));
        exchange->input_bytes += lab->arrays[i].role == LAB_OUTPUT ? 0 : count * bytes_of(lab, i);
    }
    lab->fill(lab, the_case, &random, &exchange->data);
    for (int i = 0; i < lab->output_count; i++) {
        struct lab_expected *expected = &exchange->expected[i];
        int array = lab->outputs[i].array;
        size_t count = lab->outputs[i].scalar ? 1 : lab->extent(lab, the_case, array);
        double *bound = allocate_zeroed(count * sizeof *bound);
        *expected =
            (struct lab_expected){.type = lab->arrays[array].type, .count = count, .bound = bound, .elements_per_block = 1};
        if (types_is_float(expected->type))
            expected->f = allocate_zeroed(count * sizeof *expected->f);
        else
            expected->i = allocate_zeroed(count * sizeof *expected->i);
        lab->reference(lab, the_case, 0, i, &exchange->data, expected);
        for (size_t k = 0; k < count && expected->f; k++) {
            double digits = isfinite(expected->f[k]) ? fabs(expected->f[k]) * DIGITS_RELATIVE : 0,
                   own = expected->bound ? expected->bound[k] : 0;
            bound[k] = own == LAB_NOT_COMPARED || own > digits ? own : digits;
        }
        expected->bound = bound;
        exchange->numbers += count;
        exchange->output_bytes += count * bytes_of(lab, array);
    }
}

void exchange_clear(struct exchange *exchange)
{
    for (int i = 0; exchange->lab && i < exchange->lab->array_count; i++)
        free(exchange->data.array[i].bytes);
    for (int i = 0; exchange->lab && i < exchange->lab->output_count; i++) {
        free(exchange->expected[i].i);
        free(exchange->expected[i].f);
        free(exchange->expected[i].bound);
    }
    memset(exchange, 0, sizeof *exchange);
}

char *exchange_write(const struct exchange *exchange)
{
    const struct lab *lab = exchange->lab;
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    if (!file)
        return allocate_text("", 0);
    for (int i = 0; i < lab->program->size_count; i++)
        fprintf(file, "%lld%c", (long long)exchange->the_case->size[i], i + 1 < lab->program->size_count ? ' ' : '\n');
    for (int i = 0; i < lab->array_count; i++) {
        const struct lab_data *data = &exchange->data;
        if (lab->arrays[i].role == LAB_OUTPUT)
            continue;
        for (size_t k = 0; k < data->count[i]; k++) {
            char end = k + 1 < data->count[i] ? ' ' : '\n';
            char number[64];
            enum lab_type type = lab->arrays[i].type;
            if (types_is_float(type))
                types_format_float(type, types_get_float(type, data->array[i].bytes, k), number, sizeof number);
            else
                types_format_integer(type, types_get_integer(type, data->array[i].bytes, k), number, sizeof number);
            fprintf(file, "%s%c", number, end);
        }
    }
    fclose(file);
    return text;
}

/* Takes the next word. Returns false at the end of the text. */
static bool next_word(const char **at, const char *end, char word[64])
{
    while (*at < end && isspace((unsigned char)**at))
        ++*at;
    const char *start = *at;
    while (*at < end && !isspace((unsigned char)**at))
        ++*at;
    size_t length = (size_t)(*at - start);
    snprintf(word, 64, "%.*s", (int)(length < 63 ? length : 63), start);
    return length > 0;
}

/* Puts the number that the word is into element `index`. Returns false when it is none, or has a rest. */
static bool put_number(const char *word, enum lab_type type, void *elements, size_t index)
{
    char *end;
    if (types_is_float(type))
        types_set_float(type, elements, index, strtod(word, &end));
    else
        types_set_integer(type, elements, index, (int64_t)strtoull(word, &end, 10)); /* a minus sign wraps round */
    return end != word && *end == '\0';
}

/* Reads the numbers of all outputs. Returns false when they are not there, or there is more. */
static bool read_numbers(const struct exchange *exchange, const char *at, const char *end,
                         void *const elements[LAB_MAX_OUTPUTS], struct exchange_answer *answer)
{
    const struct lab *lab = exchange->lab;
    char word[64];
    for (int i = 0; i < lab->output_count; i++)
        for (size_t k = 0; k < exchange->expected[i].count; k++) {
            bool there = next_word(&at, end, word);
            if (there && put_number(word, exchange->expected[i].type, elements[i], k)) {
                answer->count++;
                continue;
            }
            answer->kind = there ? EXCHANGE_NO_NUMBER : EXCHANGE_TOO_FEW;
            printable_append(answer->word, sizeof answer->word, word, strlen(word));
            return false;
        }
    if (!next_word(&at, end, word))
        return true;
    answer->kind = EXCHANGE_TOO_MANY;
    printable_append(answer->word, sizeof answer->word, word, strlen(word));
    return false;
}

/* Is each wrong number the right one without its fraction, and is there more than one? */
static bool is_whole(const struct lab_expected *expected, const void *elements, size_t bad)
{
    size_t whole = 0;
    for (size_t i = 0; types_is_float(expected->type) && expected->f && i < expected->count; i++) {
        double got = types_get_float(expected->type, elements, i);
        if (got != trunc(expected->f[i]) && fabs(got - expected->f[i]) > 1e-4 * fabs(expected->f[i]))
            return false;
        whole += got == trunc(expected->f[i]);
    }
    return bad > 1 && whole >= bad;
}

static void compare_all(const struct exchange *exchange, void *const elements[LAB_MAX_OUTPUTS],
                        struct exchange_answer *answer)
{
    for (int i = 0; i < exchange->lab->output_count; i++) {
        const struct lab_expected *expected = &exchange->expected[i];
        struct compare_result result;
        if (compare_output(expected, elements[i], &result) == 0)
            continue;
        answer->kind = EXCHANGE_WRONG;
        answer->output = i;
        answer->index = result.first_bad;
        answer->bad = result.bad_count;
        answer->whole = is_whole(expected, elements[i], result.bad_count);
        if (expected->f)
            types_format_float(expected->type, expected->f[result.first_bad], answer->expected, sizeof answer->expected);
        else
            types_format_integer(expected->type, expected->i[result.first_bad], answer->expected, sizeof answer->expected);
        classify_format_value(expected, elements[i], result.first_bad, answer->actual, sizeof answer->actual);
        return;
    }
}

void exchange_read(const struct exchange *exchange, const char *text, uint64_t bytes, struct exchange_answer *answer)
{
    void *elements[LAB_MAX_OUTPUTS] = {NULL};
    memset(answer, 0, sizeof *answer);
    for (int i = 0; i < exchange->lab->output_count; i++)
        elements[i] = allocate_zeroed(exchange->expected[i].count * types_get(exchange->expected[i].type)->bytes);
    if (read_numbers(exchange, text, text + bytes, elements, answer))
        compare_all(exchange, elements, answer);
    for (int i = 0; i < exchange->lab->output_count; i++)
        free(elements[i]);
}
