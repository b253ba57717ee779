/* A lab's description once it is read from lab.yaml: the struct lab that the grader sees, and what its functions work from.
 * Internal to grader/lab/describe. */
#ifndef DESCRIPTION_H
#define DESCRIPTION_H

#include "grader/lab/describe/formula.h"
#include "grader/lab/describe/module.h"
#include "grader/lab/describe/prototype.h"
#include "grader/lab/lab.h"
#include "grader/lab/program.h"

#define DESCRIPTION_VALUES  12 /* kinds of values */
#define DESCRIPTION_STEPS   24 /* of a plan */
#define DESCRIPTION_SCRATCH 8  /* arrays made by a plan */

/* What formulas may name: the sizes of the case, and in plans also the elements that a block of the plan's first kernel covers how many
 * blocks that makes of the first size, and the threads of a block of the kernel that is launched. */
#define DESCRIPTION_VARIABLES (LAB_MAX_SIZES + 3)
enum { DESCRIPTION_BLOCK_ELEMENTS = LAB_MAX_SIZES, DESCRIPTION_BLOCKS, DESCRIPTION_THREADS };

/* How an array or a scalar is filled: a row of fills.def and the numbers that it takes. */
struct fill_rule {
    const struct fill_kind *kind; /* NULL: this kind of values says nothing about it; the first kind's rule counts */
    struct formula *numbers[3];
};

/* A kind of values: the rules, then a function of hooks.c, which may change what they left. */
struct description_values {
    const char *name;
    struct fill_rule arrays[LAB_MAX_ARRAYS], scalars[LAB_MAX_SCALARS];
    void (*hook)(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data);
};

/* An argument of a launch in a plan. */
struct step_argument {
    enum { STEP_ARRAY, STEP_TEXTURE, STEP_SCRATCH, STEP_SCALAR, STEP_NUMBER } kind;
    int index;              /* of the array, the texture's array, the scratch array, the scalar */
    struct formula *number; /* STEP_NUMBER */
    enum lab_type type;     /* STEP_NUMBER: the parameter's */
};

/* One step of a plan. */
struct plan_step {
    enum { STEP_LAUNCH, STEP_CHECK, STEP_MAKE_SCRATCH, STEP_SET_CONSTANT } kind;
    /* A launch. */
    int kernel, argument_count;
    struct step_argument arguments[LAB_MAX_ARGUMENTS];
    struct formula *cover[3], *blocks[3]; /* blocks[0] NULL: as many as cover asks for */
    struct formula *shared;               /* bytes of dynamic shared memory of a block; NULL: none */
    /* A check: of an array, or of a scratch array. */
    int output, array;
    bool of_scratch;
    struct formula *from, *count; /* NULL: from the first, all */
    /* A scratch array; a constant has its variable's `name` and `array`. */
    int scratch;
    const char *name;
    enum lab_type type;
    struct formula *extent;
};

struct description_plan {
    struct plan_step steps[DESCRIPTION_STEPS]; /* none: the plan is a function of hooks.c */
    int step_count, scratch_count;
};

struct description {
    struct lab lab; /* its pointers lead into this struct, or to memory that lives as long */
    const char *folder;
    struct module *module;
    const char *variables[DESCRIPTION_VARIABLES]; /* names; of the sizes, "" where there are fewer */
    int size_count;
    bool in_double; /* the reference has double where the kernels have float */

    struct lab_kernel kernels[LAB_MAX_ALL_KERNELS];
    struct prototype prototypes[LAB_MAX_ALL_KERNELS];
    struct formula *covers[LAB_MAX_ALL_KERNELS][3];
    void *functions[LAB_MAX_ALL_KERNELS]; /* on the CPU; NULL: reference.c has none */
    /* Functions of hooks.c that `lab` has those of hook_calls.h for, where the module was not built with the kit. */
    struct {
        void (*reference)(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                          const struct lab_data *data, struct lab_expected *expected);
        void (*fill)(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random,
                     struct lab_data *data);
        size_t (*extent)(const struct lab *lab, const struct lab_case *the_case, int index);
        lab_classify_fn *classify;
        double (**ideals)(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan);
    } hooks;

    struct lab_array arrays[LAB_MAX_ARRAYS];
    struct formula *shapes[LAB_MAX_ARRAYS][3]; /* outermost first */
    int ranks[LAB_MAX_ARRAYS];
    struct lab_scalar scalars[LAB_MAX_SCALARS];

    struct description_values values[DESCRIPTION_VALUES];
    int value_count;

    struct lab_plan plans[LAB_MAX_PLANS];
    struct description_plan plan_steps[LAB_MAX_PLANS];
    struct lab_output outputs[LAB_MAX_OUTPUTS];
    struct formula *amounts[LAB_MAX_OUTPUTS]; /* of a rule of compare: ulps, a factor, a distance, terms; NULL: none */
    const char *reasons[LAB_MAX_OUTPUTS];     /* for the student; NULL: the rule says it */
    struct lab_producer producers[8];

    struct lab_case *cases;
    struct lab_budget *budgets;
    struct formula *(*ideals)[LAB_MAX_PLANS]; /* a row a budget; NULL: a function of hooks.c */
    struct formula *bytes, *operations;

    struct lab_program program;
    struct lab_rule demands[LAB_RULES];
    struct formula *needs[LAB_RULES]; /* ideals of the demands, in their order; NULL: 1 */
};

/* The functions of a described struct lab (callbacks.c): they go by lab->description. */
size_t callback_extent(const struct lab *lab, const struct lab_case *the_case, int index);
size_t callback_columns(const struct lab *lab, const struct lab_case *the_case, int index);
void callback_fill(const struct lab *lab, const struct lab_case *the_case, struct lab_random *random, struct lab_data *data);
void callback_launch(struct lab_run *run);
int64_t callback_terms(const struct lab *lab, const struct lab_case *the_case, int plan, int output);
double callback_ideal(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan);
void callback_work(const struct lab *lab, const struct lab_case *the_case, double *bytes, double *operations);

/* Sets what the bytes of an output, or of a scratch array, are before the reference writes them: an element that changes with it
 * was never written. */
void replay_set_unwritten(uint8_t byte);

/* Replays the plan on the CPU, with the functions of reference.c in the place of the kernels (replay.c). */
void replay_reference(const struct lab *lab, const struct lab_case *the_case, int plan, int output,
                      const struct lab_data *data, struct lab_expected *expected);

/* Values of the formulas' variables. block_elements 0: not known here. */
void callback_variables(const struct description *description, const struct lab_case *the_case, int64_t block_elements,
                        double variables[DESCRIPTION_VARIABLES]);

/* Value of a formula as a count: rounded down, never below 0; `fallback` where there is no formula. */
int64_t callback_count(const struct formula *formula, const double *variables, int64_t fallback);

#endif
