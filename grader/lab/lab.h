/* What a lab tells the grader: its kernels, launch plans, cases, reference, tolerance and budgets.
 *
 * grader/lab/describe makes one of a lab's folder: lab.yaml and what is compiled of reference.c and hooks.c. Each function gets the
 * lab, and with it lab->description.
 *
 * Who calls what, and where:
 *   plan->launch      in the process that owns the device. It sees sizes, never expected values.
 *   fill, reference   in the grader's own process, which never runs student code.
 */
#ifndef LAB_H
#define LAB_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "grader/lab/types.h"

/* Labs' modules call these. */
#pragma GCC visibility push(default)

enum lab_role {
    LAB_INPUT,    /* filled by `fill`, must be unchanged afterwards */
    LAB_OUTPUT,   /* poisoned with a random pattern before each run */
    LAB_IN_PLACE, /* filled by `fill`, changed by the kernel */
};

#define LAB_MAX_ARRAYS      8
#define LAB_MAX_OUTPUTS     8
#define LAB_MAX_KERNELS     4 /* of a plan; of all plans of a lab: */
#define LAB_MAX_ALL_KERNELS 8
#define LAB_MAX_ARGUMENTS   12
#define LAB_MAX_SCALARS     4
#define LAB_MAX_SIZES       4
#define LAB_MAX_PLANS       3

/* One case: sizes, kind of values, and why it is there. */
struct lab_case {
    const char *name;               /* "n = 257" */
    const char *purpose;            /* shown to the student: "one more than a block" */
    int64_t size[LAB_MAX_SIZES];    /* meaning is the lab's: n; or M, N, K */
    int values;                     /* kind of values; meaning is the lab's */
    bool hidden;                    /* runs only with a hidden seed, which draws values and sizes; comes after the others */
    bool budget;                    /* counters are compared on this case, in both of its runs; the worse one scores */
    uint32_t spread[LAB_MAX_SIZES]; /* hidden: each size is drawn from size[i] .. size[i] + spread[i] */
};

/* A picture is an array of LAB_UINT8 with columns: rows of grey values, or of red, green and blue in turn. Where a test
 * fails, what was expected and what came out are kept as pictures. */
enum lab_picture { LAB_NO_PICTURE, LAB_GREY, LAB_RGB };

/* An array that exists once per run. Scratch arrays are made by the plan (lab_scratch). */
struct lab_array {
    const char *name; /* as in the contract's signature: used in findings */
    enum lab_type type;
    enum lab_role role;
    enum lab_picture picture;
};

/* A number that a kernel takes as an argument and `fill` draws for each run: the `a` of saxpy. */
struct lab_scalar {
    const char *name; /* as in the contract's signature */
    enum lab_type type;
};

/* Its value: `i` of an integer (a uint64 as its bits), `f` of a float. */
union lab_value {
    int64_t i;
    double f;
};

struct lab;

/* How far a float may be from what is expected, where the lab says it by rule: the grader rounds what the reference expects
 * to the output's type, fills in the bounds, and says the rule in words where the reference has none of its own. */
struct lab_tolerance {
    enum {
        LAB_BY_REFERENCE, /* the reference fills expected->bound, or sets it to NULL */
        LAB_EXACT,
        LAB_ULPS,     /* `amount` units in the last place of the output's type */
        LAB_RELATIVE, /* `amount` times |want| */
        LAB_ABSOLUTE, /* `amount` */
        /* A sum of `terms` terms in any order, each of which carries `amount` roundings already (a product: 1). The bound
         * needs the sum of the absolute values: that is what the reference gives for the absolute values of all inputs and
         * scalars. So a reference that subtracts, or has a negative constant, cannot use this rule. */
        LAB_SUM,
        /* A sum of `terms` products of halves that may be added by matrix instructions, which truncate (tolerance.h); the
         * absolute values as of LAB_SUM. */
        LAB_MATRIX_SUM,
    } kind;
    double amount;
    int64_t (*terms)(const struct lab *lab, const struct lab_case *the_case, int plan, int output); /* of the two sums */
    enum lab_type computed_in; /* of LAB_SUM: the type that is added in; LAB_NO_TYPE: the output's own */
};

/* Something that is compared: a range of an array at a point of the plan. */
struct lab_output {
    const char *name; /* "c", "mapped values", "pi" */
    int array;        /* index in lab->arrays */
    bool scalar;      /* shown as one value, not as an array */
    bool added_up;    /* the sum of a scratch array; not handed over where an element of it was never written */
    struct lab_tolerance tolerance;
};

/* Host data of a run: one pointer per array, how many elements each has, and the scalars. */
struct lab_data {
    union {
        int32_t *i; /* of LAB_INT32, and so on; any other type: types_get_integer and its like */
        uint32_t *u;
        float *f;
        void *bytes;
    } array[LAB_MAX_ARRAYS];
    size_t count[LAB_MAX_ARRAYS];
    union lab_value scalar[LAB_MAX_SCALARS]; /* once `fill` has returned, numbers that their types have */
};

/* A bound that no computation of bounds can arrive at: they are at least 0, infinite or NaN. */
#define LAB_NOT_COMPARED (-INFINITY)

/* What is expected of one output. `bound` is the largest accepted |got - want|; NULL means exact. */
struct lab_expected {
    enum lab_type type;         /* of the output's elements */
    size_t count;               /* elements compared */
    size_t columns;             /* row length; 0: one-dimensional */
    int64_t *i;                 /* [count] for integer types (a uint64 as its bits), else NULL */
    double *f;                  /* [count] for float types, else NULL */
    double *bound;              /* [count] for float types or NULL when exact; LAB_NOT_COMPARED: any value is right */
    const char *rule;           /* how the bound was derived, for the student: "4 eps |x|: one division, two roundings" */
    double scale;               /* multiplies the output before it is shown, e.g. 1/n for pi; 0 counts as 1 */
    int64_t elements_per_block; /* set before `reference` is called: of the first kernel of the plan */
};

struct lab_random; /* generator seeded for this case and run */
uint32_t lab_random_bits(struct lab_random *random);
/* Uniform in [0, bound). */
uint32_t lab_random_below(struct lab_random *random, uint32_t bound);
/* Uniform in [low, high), with random low bits ("fractions that are not halves"). */
float lab_random_float(struct lab_random *random, float low, float high);
/* Fast fills of whole arrays, same distributions. */
void lab_random_fill_float(struct lab_random *random, float *array, size_t count, float low, float high);
void lab_random_fill_int(struct lab_random *random, int32_t *array, size_t count, int32_t low, int32_t high_exclusive);

/* ---- launching ---------------------------------------------------------------------------------------------------- */

struct lab_run; /* one run of a plan; owned by the grader */

struct lab_argument {
    enum {
        LAB_END,
        LAB_ARRAY_ARGUMENT,
        LAB_SCRATCH_ARGUMENT,
        LAB_INT_ARGUMENT,
        LAB_SCALAR_ARGUMENT,
        LAB_TEXTURE_ARGUMENT
    } kind;
    int64_t value; /* index of the array, the texture's array or the scalar, handle of the scratch array, or the integer */
    size_t offset; /* elements skipped in the array */
    enum lab_type type; /* of LAB_INT_ARGUMENT; LAB_NO_TYPE counts as LAB_INT32 */
};
#define LAB_ARRAY(index)     ((struct lab_argument){LAB_ARRAY_ARGUMENT, (index), 0, LAB_NO_TYPE})
#define LAB_SCRATCH(handle)  ((struct lab_argument){LAB_SCRATCH_ARGUMENT, (handle), 0, LAB_NO_TYPE})
#define LAB_INT(v)           ((struct lab_argument){LAB_INT_ARGUMENT, (v), 0, LAB_INT32})
#define LAB_INTEGER(type, v) ((struct lab_argument){LAB_INT_ARGUMENT, (v), 0, (type)})
#define LAB_SCALAR(index)    ((struct lab_argument){LAB_SCALAR_ARGUMENT, (index), 0, LAB_NO_TYPE})
/* A cudaTextureObject_t over an input whose elements have at most 4 bytes. With columns it has two dimensions, for
 * tex2D: beyond
 * the edge it reads what is nearest. Without, it has one, for tex1Dfetch: beyond its end it reads 0. */
#define LAB_TEXTURE(index) ((struct lab_argument){LAB_TEXTURE_ARGUMENT, (index), 0, LAB_NO_TYPE})

/* Launches a kernel of the plan so that it covers cover[0] x cover[1] x cover[2] elements with the block and the
 * elements-a-block that
 * the student's module asks for (contract: KERNEL_block, KERNEL_items, __launch_bounds__, else the kernel's default), or
 * with `blocks[0]` x `blocks[1]` x `blocks[2]` blocks when blocks[0] > 0, or with as many as KERNEL_grid says where the
 * kernel may choose its grid.
 * A failure is recorded in the run and makes every later call a no-op: plans need no error handling. */
struct lab_launch {
    const char *kernel;
    int64_t cover[3];                                 /* elements; 0 counts as 1 beyond cover[0] */
    uint32_t blocks[3];                               /* explicit grid; 0 counts as 1 beyond blocks[0] */
    struct lab_argument arguments[LAB_MAX_ARGUMENTS]; /* ends with LAB_END (zero) */
    size_t shared_bytes;                              /* dynamic shared memory of each block */
};
void lab_launch(struct lab_run *run, const struct lab_launch *launch);

/* How many elements one block of the kernel covers in x, and how many blocks cover `n`: for plans that need them. */
int64_t lab_elements_per_block(struct lab_run *run, const char *kernel);
int64_t lab_blocks(struct lab_run *run, const char *kernel, int64_t n);

/* Makes a poisoned scratch array (256-byte aligned) that lives until the end of the run. Returns its handle. */
int lab_scratch(struct lab_run *run, const char *name, enum lab_type type, size_t count);

/* Overwrites the first `count` elements of an array, or of a scratch array, with those of the input `source`, from the
 * grader's own copy: what a kernel is to work on from here on is then not what the kernels before it left. */
void lab_overwrite(struct lab_run *run, int array, int source, size_t count);
void lab_overwrite_scratch(struct lab_run *run, int scratch, int source, size_t count);

/* Copies elements [offset, offset + count) of an array into the module's `__constant__` variable of that name. Refuses the
 * run where the student's file has no such variable, or a smaller one. */
void lab_set_constant(struct lab_run *run, const char *name, int array, size_t offset, size_t count);

/* The threads of a block of the kernel, as it will be launched: for dynamic shared memory. */
int64_t lab_threads_per_block(struct lab_run *run, const char *kernel);

/* Copies an output to the grader for comparison, now: elements [offset, offset + count) of its array, or of a scratch
 * array. */
void lab_check(struct lab_run *run, int output, size_t offset, size_t count);
void lab_check_scratch(struct lab_run *run, int output, int scratch, size_t offset, size_t count);

/* The same with the sum of the first `count` elements of a scratch array of floats, as one value: for kernels that are free in
 * how they share out a sum among the elements. The output must be `added_up`. */
void lab_check_scratch_sum(struct lab_run *run, int output, int scratch, size_t count);

/* Refuses the run with a message for the student ("add_block_sums covers 512 elements per block, scan_blocks 256"). */
void lab_refuse(struct lab_run *run, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The lab, the plan (index in lab->plans) and the case that run. */
const struct lab *lab_run_lab(const struct lab_run *run);
int lab_run_plan(const struct lab_run *run);
const struct lab_case *lab_run_case(const struct lab_run *run);

/* ---- the lab ------------------------------------------------------------------------------------------------------ */

struct lab_kernel {
    const char *name;
    const char *signature; /* "void vector_add(const float *a, const float *b, float *c, int n)" */
    uint32_t block[3];     /* default block */
    int dimensions;   /* 1, 2 or 3 that the grid covers; with 2 and 3, __launch_bounds__(N) means a square block, or a cube,
                     * unless the default block is a row */
    bool fixed_block; /* one block of `block` threads by contract (clear_bins) */
    /* What the student may ask for, in threads of a block; 0: no limit of the lab's. */
    uint32_t least_threads, most_threads, threads_multiple_of;
    bool chooses_grid; /* KERNEL_grid gives the number of blocks: the kernel strides over what they do not cover */
};

struct lab_plan {
    const char *name;             /* "map and reduce", "fused" */
    int kernels[LAB_MAX_KERNELS]; /* indices in lab->kernels */
    int kernel_count;
    void (*launch)(struct lab_run *run);
};

/* Whose work it is to fill an array before another launch of the plan reads it. */
struct lab_producer {
    const char *array; /* an array's or a scratch array's name */
    int kernel;        /* index in lab->kernels */
};

enum lab_budget_base { LAB_BUDGET_IDEAL, LAB_BUDGET_REFERENCE, LAB_BUDGET_ABSOLUTE };

/* A performance threshold on a counter, or on a ratio of counters. value / base is compared; 1.0 is as good as the base. */
struct lab_budget {
    const char *metric; /* a row of runtime/tables/counters.def */
    enum lab_budget_base base;
    /* For LAB_BUDGET_IDEAL; `budget` is a row of lab->budgets. */
    double (*ideal)(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan);
    double full_at, zero_at; /* ratio with full points and with none; linear between; full_at > zero_at for metrics where
                                   more is better */
    int points;
    const char *why;                   /* derivation for the student: "each element must move once: 3 x 4 MB" */
    const char *why_of[LAB_MAX_PLANS]; /* the same of a plan for which it is another one; NULL: `why` */
    /* No right solution that does the lab's work comes below this ratio: it earns nothing, and `too_little` says why. 0: as
     * little as one likes. It is excused where another budget of the lab, `unless`, has full points. */
    double least[LAB_MAX_PLANS]; /* by plan */
    const char *too_little, *unless;
    /* It earns points only where another metric is above `needs_above` in the same run; else `needs_why` says what is
     * missing. Excused by `unless` as well. NULL: it needs nothing. */
    const char *needs;
    double needs_above;
    const char *needs_why;
};

/* Time on a GPU, as a ratio to the reference solution of the same plan, measured in turn with it. No GPU: no points to win
 * or lose. */
struct lab_time {
    double full_at, zero_at; /* ratio with full points and with none; linear between */
    int points;
};

/* Lab-specific look at wrong values. got is what the student's kernels left in `output`, in the output's type. Returns true
 * and fills pattern ("shifted", "transposed", "tail", "block_constant", "doubled", "lost_updates", "period", "other") and
 * message when it recognises the mistake; the grader's general classifier runs when no lab row matches. A "?" before the pattern:
 * the message says what is wrong, not why, and what can be measured (struct lab_weighing) says more. A "!": it is true
 * however few elements there are. */
struct lab_wrong {
    const struct lab_case *the_case;
    const struct lab_data *data; /* inputs of the run */
    const struct lab_expected *expected;
    const void *got; /* [expected->count] */
    size_t first_bad, bad_count;
    int output, plan;
    int64_t elements_per_block;        /* of the first kernel of the plan */
    bool uses_shared;                  /* the source declares a __shared__ variable */
    bool earlier_wrong;                /* an output that was handed over after fewer launches is wrong already */
    bool earlier_right;                /* there are outputs that were handed over after fewer launches, and all are right */
    const char *names[LAB_MAX_ARRAYS]; /* of the arrays, as the student's kernels call them; NULL: as in lab->arrays */
    const char *scalar_names[LAB_MAX_SCALARS]; /* likewise */
};
typedef bool lab_classify_fn(const struct lab *lab, const struct lab_wrong *wrong, const char **pattern, char *message,
                             size_t message_bytes);

/* How it is measured what an output is made of, once it is wrong: by runs with other inputs. */
struct lab_weighing {
    enum {
        LAB_NOT_WEIGHED,
        LAB_SUMS,  /* each output element is a sum in which elements of the arrays count whole numbers of times */
        LAB_COUNTS /* output element v counts how often array 0 holds the value v */
    } kind;
    int arrays[2], array_count;      /* indices in lab->arrays; one is weighed at a time, the other's elements are `other` */
    int other;                       /* 0, or 1 where the arrays are multiplied by each other */
    const char *name[LAB_MAX_PLANS]; /* of the array where the kernels find the elements; NULL: its own */
};

struct lab_program; /* grader/lab/program.h */

struct lab {
    const char *name;            /* what it is known by everywhere, its folder's: "vector_add" */
    int number;                  /* its place among the labs of the map, from 1; 0: the map does not have it */
    const char *title;           /* "Add two vectors" */
    const char *handout;         /* "handouts/vector_add.md"; absolute where the lab is not the kit's */
    const char *folder;          /* absolute: lab.yaml, skeleton, hints.md, wrong/, variants/; NULL: labs/NAME of the kit */
    const char *digest;          /* of what the lab is described by; NULL: of a lab that is made in C */
    const char *needs, *teaches; /* for the map; NULL: it does not say */
    const void *description;     /* what the functions below go by, where they belong to many labs; the lab's own: NULL */
    const char *size_names[LAB_MAX_SIZES]; /* of lab_case.size: "n", or "M", "N", "K"; NULL: no more, or without a name */
    const struct lab_kernel *kernels;
    int kernel_count;
    const struct lab_plan *plans;
    int plan_count; /* at most LAB_MAX_PLANS; the last plan whose kernels are all defined is taken */
    const struct lab_array *arrays;
    int array_count;
    const struct lab_scalar *scalars; /* NULL: none */
    int scalar_count;
    const struct lab_output *outputs;
    int output_count;
    const struct lab_producer *producers; /* NULL: none */
    int producer_count;
    const struct lab_case *cases;
    int case_count;
    int points; /* for correct results, divided among the cases; budgets add their own */
    const struct lab_budget *budgets;
    int budget_count;

    /* Elements of array `index` for the case. */
    size_t (*extent)(const struct lab *lab, const struct lab_case *the_case, int index);
    /* Row length of a two-dimensional array; NULL when the lab has none. */
    size_t (*columns)(const struct lab *lab, const struct lab_case *the_case, int index);
    /* Fills every LAB_INPUT and LAB_IN_PLACE array, and the scalars. */
    void (*fill)(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data);
    /* Computes output `output` of plan `plan`. expected->i / f / bound have room for expected->count elements, which the
     * grader has set to the count that the plan checked; bound may be set to NULL for exact. */
    void (*reference)(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected);
    lab_classify_fn *classify; /* NULL: none */
    bool device_runtime;       /* kernels may launch kernels, and have the device copy and fill */
    bool elementwise;          /* element i of the output is made of element i of the arrays, and of nothing else */
    struct lab_weighing weighing;
    /* Physical floor for timing on a GPU: bytes that must move, and floating-point operations. 0: unknown. */
    void (*work)(const struct lab *lab, const struct lab_case *the_case, double *bytes, double *operations);
    struct lab_case timing_case; /* size at which time is measured on a GPU */
    struct lab_time time;
    const struct lab_program
        *program; /* the learner writes a whole program, kernels are the reference's alone; NULL: kernels */
};

#pragma GCC visibility pop

#endif
