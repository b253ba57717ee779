/* hidden_numbers SEED_FILE LAB: what hidden_test.py looks for: sizes, inputs and expected values of the lab's hidden tests,
 * computed as the grader does. One a line: "size 380", "value 191.147461". */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/judge/expect.h"
#include "grader/judge/hidden.h"
#include "grader/lab/arrays.h"
#include "grader/lab/labs.h"
#include "grader/lab/random.h"
#include "grader/run/run_step.h"

/* The first and the last ones: each is as secret as any other. */
enum { SHOWN = 40 };

static bool is_shown(size_t i, size_t count)
{
    return i < SHOWN || i + SHOWN >= count;
}

static void print_words(enum lab_type type, const uint32_t *words, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        float number;
        memcpy(&number, &words[i], sizeof number);
        if (!is_shown(i, count))
            continue;
        if (type == LAB_FLOAT32)
            printf("value %.9g\n", (double)number);
        printf("value %" PRId32 "\n", (int32_t)words[i]);
    }
}

static void print_expected(const struct lab_expected *expected)
{
    for (size_t i = 0; i < expected->count; i++) {
        if (!is_shown(i, expected->count))
            continue;
        if (expected->f)
            printf("value %.9g\n", expected->f[i]);
        else
            printf("value %" PRId64 "\n", expected->i[i]);
    }
}

static void print_run(const struct plan_setup *setup, const struct lab_case *the_case, uint64_t key, unsigned run,
                      const struct run_memory *memory)
{
    struct lab_random random;
    struct lab_data data;
    struct lab_run rehearsal;
    struct expect expect = {0};
    const struct lab *lab = setup->lab;
    run_memory_data(memory, lab, the_case, &data);
    random_init(&random, key, lab->name, the_case->name, run);
    arrays_fill(lab, the_case, &random, &data);
    for (int i = 0; i < lab->scalar_count; i++)
        if (types_is_float(lab->scalars[i].type))
            printf("value %.9g\n", data.scalar[i].f);
        else
            printf("value %" PRId64 "\n", data.scalar[i].i);
    for (int i = 0; i < lab->array_count; i++)
        if (lab->arrays[i].role != LAB_OUTPUT)
            print_words(lab->arrays[i].type, data.array[i].u, data.count[i]);
    if (!plan_rehearse(&rehearsal, setup, the_case))
        exit(1);
    expect_compute(&expect, setup, the_case, rehearsal.outputs, &data);
    for (int i = 0; i < lab->output_count; i++)
        if (rehearsal.outputs[i].present)
            print_expected(&expect.outputs[i]);
    expect_release(&expect);
}

int main(int count, char **words)
{
    struct hidden_seed seed;
    struct run_memory memory;
    char message[512];
    const struct lab *whole = count == 3 ? labs_find(words[2]) : NULL;
    if (!whole || !hidden_seed_read(words[1], &seed, message, sizeof message))
        return 2;
    struct lab *lab = hidden_lab_create(whole, *seed.key);
    struct plan_setup setup = {.lab = lab};
    for (int k = 0; k < lab->kernel_count; k++)
        for (int d = 0; d < 2; d++)
            setup.geometry[k].items[d] = lab->kernels[k].block[d];
    if (!run_memory_create(lab, &memory))
        return 3;
    for (int i = 0; i < lab->case_count; i++) {
        for (int d = 0; d < 3; d++)
            if (lab->cases[i].size[d] > 0)
                printf("size %" PRId64 "\n", lab->cases[i].size[d]);
        for (unsigned run = 0; run < 2; run++)
            print_run(&setup, &lab->cases[i], *seed.key, run, &memory);
    }
    run_memory_destroy(&memory);
    hidden_lab_destroy(lab);
    hidden_seed_clear(&seed);
    return 0;
}
