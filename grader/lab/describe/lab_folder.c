#include "grader/lab/describe/lab_folder.h"

#include <sha256.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/files.h"
#include "grader/lab/describe/hook_calls.h"
#include "grader/lab/describe/reading.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/lab/types.h"

#define FILE_BYTES_MAX (1u << 20)
#define CORRECT_POINTS 60 /* unless the file says another number; budgets have 40 then */

/* The functions on the CPU: needed for every plan that is a list of steps, unless hooks.c computes what is expected. */
static void find_functions(struct reading *reading)
{
    struct description *description = reading->description;
    void *hook = module_find(description->module, "hook_reference");
    if (hook)
        memcpy(&description->lab.reference, &hook, sizeof hook);
    else
        description->lab.reference = replay_reference;
    for (int i = 0; i < description->lab.kernel_count; i++)
        description->functions[i] = module_find(description->module, description->kernels[i].name);
    for (int plan = 0; plan < description->lab.plan_count && !hook; plan++) {
        if (description->plans[plan].launch != callback_launch) {
            yaml_file_complain(&reading->file, NULL,
                               "plans: %s is a function of hooks.c; then hooks.c needs a function hook_reference as well.",
                               description->plans[plan].name);
            continue;
        }
        for (int k = 0; k < description->plans[plan].kernel_count; k++) {
            int kernel = description->plans[plan].kernels[k];
            if (!description->functions[kernel])
                yaml_file_complain(&reading->file, NULL,
                                   "reference.c has no function %s: the kernel's work on the CPU, with its signature%s.",
                                   description->kernels[kernel].name,
                                   description->in_double ? ", where float is double" : "");
        }
    }
}

static void find_hooks(struct description *description)
{
    void *classify = module_find(description->module, "hook_classify"),
         *fill = module_find(description->module, "hook_fill"), *extent = module_find(description->module, "hook_extent");
    description->lab.fill = callback_fill;
    description->lab.extent = callback_extent;
    if (classify)
        memcpy(&description->lab.classify, &classify, sizeof classify);
    if (fill)
        memcpy(&description->lab.fill, &fill, sizeof fill);
    if (extent)
        memcpy(&description->lab.extent, &extent, sizeof extent);
}

/* Lets a child do the calls. */
static void guard_hooks(struct description *description)
{
    struct lab *lab = &description->lab;
    if (lab->reference != replay_reference) {
        description->hooks.reference = lab->reference;
        lab->reference = hook_calls_reference;
    }
    if (lab->fill != callback_fill) {
        description->hooks.fill = lab->fill;
        lab->fill = hook_calls_fill;
    }
    if (lab->extent != callback_extent) {
        description->hooks.extent = lab->extent;
        lab->extent = hook_calls_extent;
    }
    if (lab->classify) {
        description->hooks.classify = lab->classify;
        lab->classify = hook_calls_classify;
    }
    description->hooks.ideals = allocate_zeroed((size_t)(lab->budget_count + 1) * sizeof *description->hooks.ideals);
    for (int i = 0; i < lab->budget_count; i++)
        if (description->budgets[i].ideal && description->budgets[i].ideal != callback_ideal) {
            description->hooks.ideals[i] = description->budgets[i].ideal;
            description->budgets[i].ideal = hook_calls_ideal;
        }
}

/* What follows from the whole. */
static void complete(struct reading *reading)
{
    struct description *description = reading->description;
    struct lab *lab = &description->lab;
    read_default_plan(reading);
    if (reading->file.error_count > 0)
        return;
    find_functions(reading);
    find_hooks(description);
    lab->work = callback_work;
    if (!module_is_built(description->module))
        guard_hooks(description);
    for (int i = 0; i < lab->array_count; i++)
        lab->columns = description->ranks[i] > 1 ? callback_columns : lab->columns;
    for (int i = 0; i < lab->output_count && lab->reference == replay_reference; i++)
        if (lab->outputs[i].tolerance.kind == LAB_BY_REFERENCE) /* nothing said: the same number */
            description->outputs[i].tolerance.kind = LAB_EXACT;
}

/* Two labs with one digest give one verdict. */
static const char *digest_of(const struct module *module, const char *text, size_t bytes)
{
    SHA256_CTX hash;
    char digest[SHA256_DIGEST_STRING_LENGTH];
    SHA256Init(&hash);
    SHA256Update(&hash, (const uint8_t *)module_digest(module), strlen(module_digest(module)));
    SHA256Update(&hash, (const uint8_t *)text, bytes);
    SHA256End(&hash, digest);
    return allocate_text(digest, strlen(digest));
}

static struct description *begin(const char *folder)
{
    static const char *const plan_variables[] = {"block_elements", "blocks", "threads"};
    struct description *description = allocate_zeroed(sizeof *description);
    const char *slash = strrchr(folder, '/');
    description->folder = allocate_text(folder, strlen(folder));
    for (int i = 0; i < LAB_MAX_SIZES; i++)
        description->variables[i] = "";
    for (int i = LAB_MAX_SIZES; i < DESCRIPTION_VARIABLES; i++)
        description->variables[i] = plan_variables[i - LAB_MAX_SIZES];
    struct lab *lab = &description->lab;
    const char *name = labs_without_number(slash ? slash + 1 : folder);
    lab->name = allocate_text(name, strlen(name));
    lab->title = lab->name;
    lab->folder = description->folder;
    lab->handout = kit_has_lab(lab) ? allocate_format("handouts/%s.md", lab->name)
                                    : allocate_format("%s/handout.md", folder);
    lab->description = description;
    lab->kernels = description->kernels;
    lab->plans = description->plans;
    lab->arrays = description->arrays;
    lab->scalars = description->scalars;
    lab->outputs = description->outputs;
    lab->points = CORRECT_POINTS;
    return description;
}

struct lab *lab_folder_open(const char *folder, const char *built, FILE *errors)
{
    char message[1024];
    size_t bytes;
    char *path = allocate_format("%s/lab.yaml", folder);
    struct reading reading = {.file = {.path = path, .kind = "a lab's file", .errors = errors},
                              .description = begin(folder)};
    char *text = files_read(path, FILE_BYTES_MAX, &bytes, message, sizeof message);
    reading.description->module = text ? module_open(folder, built, message, sizeof message) : NULL;
    if (!text || !reading.description->module) {
        fprintf(errors, "%s\n", message);
        reading.file.error_count++;
    } else {
        const yaml_node_t *root = yaml_file_open(&reading.file, text, bytes);
        reading.description->lab.digest = digest_of(reading.description->module, text, bytes);
        if (root)
            reading_map(&reading, "LAB", "the file", root, NULL);
        else if (reading.file.error_count == 0)
            yaml_file_complain(&reading.file, NULL, "the file is empty.");
        complete(&reading);
        yaml_file_close(&reading.file);
    }
    free(text);
    free(path);
    return reading.file.error_count == 0 ? &reading.description->lab : NULL;
}

void lab_folder_print_keys(FILE *file)
{
    static const struct {
        const char *scope, *shown;
    } scopes[] = {{"LAB", ""},
                  {"KERNEL", "kernels[]."},
                  {"ARRAY", "arrays.NAME."},
                  {"SCALAR", "scalars.NAME."},
                  {"OUTPUT", "outputs[]."},
                  {"PLAN", "plans.PLAN[]."},
                  {"RULE", "compare.OUTPUT."},
                  {"PROGRAM", "program."},
                  {"DEMAND", "program.DEMAND."},
                  {"BUDGET", "budgets[]."},
                  {"TIME", "time."},
                  {"WORK", "work."},
                  {"WEIGH", "weigh."}};
    static const struct {
        const char *scope, *name, *what;
    } rows[] = {
#define KEY(scope, name, need, what) {#scope, #name, what},
#include "grader/lab/describe/lab_keys.def"
#undef KEY
    };
    fprintf(file, "| key | what |\n|---|---|\n");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t k = 0; k < sizeof scopes / sizeof *scopes; k++)
            if (strcmp(rows[i].scope, scopes[k].scope) == 0)
                fprintf(file, "| `%s%s` | %s |\n", scopes[k].shown, rows[i].name, rows[i].what);
    fprintf(file, "\n| values | what |\n|---|---|\n");
#define FILL(name, numbers, what) fprintf(file, "| `%s` | %s |\n", #name, what);
#include "grader/lab/describe/fills.def"
#undef FILL
}
