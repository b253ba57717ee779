#include "grader/run/plan_choice.h"

#include <stdio.h>
#include <string.h>

#include "grader/base/near.h"
#include "runtime/language/demangle.h"

enum { SHOWN_BYTES = 128 }; /* of a name of the student's */

/* ---- which plan ---------------------------------------------------------------------------------------------------- */

static int count_defined(const struct lab *lab, const struct lab_plan *plan, const struct ptx_summary *summary)
{
    int count = 0;
    for (int i = 0; i < plan->kernel_count; i++)
        count += ptx_summary_entry(summary, lab->kernels[plan->kernels[i]].name) != NULL;
    return count;
}

/* A C++ name contains the plain one with its length: _Z10vector_addPKf... */
static bool is_mangled(const char *entry, const char *kernel)
{
    char mangled[PLAN_NAME_BYTES + 24];
    snprintf(mangled, sizeof mangled, "%zu%s", strlen(kernel), kernel);
    return strncmp(entry, "_Z", 2) == 0 && strstr(entry, mangled);
}

/* "_Z10vector_addPKf" reads as "vector_add (without extern "C")". */
static void readable_entry(const char *entry, char *text, size_t text_bytes)
{
    size_t length;
    const char *plain = demangle_plain(entry, &length);
    snprintf(text, text_bytes, "%.*s%s", length < SHOWN_BYTES ? (int)length : SHOWN_BYTES, plain,
             plain == entry ? "" : " (without extern \"C\")");
}

static bool is_kernel_of(const struct lab *lab, const char *name)
{
    for (int i = 0; i < lab->kernel_count; i++)
        if (strcmp(lab->kernels[i].name, name) == 0)
            return true;
    return false;
}

/* The entry whose name a letter or two make that of the kernel. */
static const char *find_misspelt(const struct lab *lab, const struct ptx_summary *summary, const char *kernel)
{
    for (size_t i = 0; i < summary->entry_count; i++)
        if (!is_kernel_of(lab, summary->entries[i].name) && near_find(summary->entries[i].name, &kernel, 1))
            return summary->entries[i].name;
    return NULL;
}

/* why: the kernel is in the source, and still not in the module; "": nothing is known. */
static void describe_missing(const struct lab *lab, const struct ptx_summary *summary, const char *kernel, const char *why,
                             struct plan_problem *problem)
{
    size_t used = 0, room = sizeof problem->message;
    char *message = problem->message;
    snprintf(problem->kernel, sizeof problem->kernel, "%s", kernel);
    for (size_t i = 0; i < summary->entry_count; i++) {
        if (!is_mangled(summary->entries[i].name, kernel) || strstr(why, "a template"))
            continue;
        if (strstr(summary->entries[i].name, "_GLOBAL__N")) {
            snprintf(message, room,
                     "kernel `%s` not found: in your file it is inside a namespace without a name, which hides it. Take it "
                     "out of the namespace.",
                     kernel);
            return;
        }
        snprintf(message, room,
                 "kernel `%s` not found: your file defines it without extern \"C\", so it got a C++ name (%.*s). "
                 "Write: extern \"C\" __global__ void %s(...)",
                 kernel, SHOWN_BYTES, summary->entries[i].name, kernel);
        return;
    }
    if (why[0] != '\0') {
        snprintf(message, room, "kernel `%s` not found. %.600s", kernel, why);
        return;
    }
    used += (size_t)snprintf(message, room, "kernel `%s` not found; your file defines ", kernel);
    for (size_t i = 0; i < summary->entry_count && i < 8 && used < room; i++) {
        char name[SHOWN_BYTES + 32];
        readable_entry(summary->entries[i].name, name, sizeof name);
        used += (size_t)snprintf(message + used, room - used, "%s%s", i > 0 ? ", " : "", name);
    }
    const char *misspelt = find_misspelt(lab, summary, kernel);
    if (misspelt && used < room)
        used += (size_t)snprintf(message + used, room - used, ". Is %.*s misspelt?", SHOWN_BYTES, misspelt);
    if (summary->entry_count == 0 && used < room)
        used += (size_t)snprintf(message + used, room - used, "no kernel at all");
    for (int i = 0; i < lab->kernel_count && used < room; i++)
        if (strcmp(lab->kernels[i].name, kernel) == 0)
            snprintf(message + used, room - used, "%s\nexpected  extern \"C\" __global__ %s", misspelt ? "" : ".",
                     lab->kernels[i].signature);
}

bool plan_choice_find(const struct lab *lab, const struct compile_result *compiled, int *plan, struct plan_problem *problem)
{
    const struct ptx_summary *summary = &compiled->summary;
    int complete = -1, begun = -1;
    for (int i = 0; i < lab->plan_count; i++) {
        int defined = count_defined(lab, &lab->plans[i], summary);
        if (defined == lab->plans[i].kernel_count)
            complete = i;
        else if (defined > 0)
            begun = i;
    }
    *plan = complete;
    if (complete >= 0)
        return true;
    const struct lab_plan *wanted = &lab->plans[begun >= 0 ? begun : 0];
    for (int i = 0; i < wanted->kernel_count; i++) {
        const char *kernel = lab->kernels[wanted->kernels[i]].name;
        if (!ptx_summary_entry(summary, kernel)) {
            describe_missing(lab, summary, kernel, compiled->kernels[wanted->kernels[i]].message, problem);
            break;
        }
    }
    return false;
}

/* ---- what it needs ------------------------------------------------------------------------------------------------- */

/* The student's names: of every parameter, and of the arrays and scalars that the contract's parameters stand for. */
static void take_names(const struct lab *lab, const struct compile_result *compiled, struct plan_setup *setup)
{
    for (int i = 0; i < lab->array_count; i++)
        snprintf(setup->array_names[i], PLAN_NAME_BYTES, "%s", lab->arrays[i].name);
    for (int i = 0; i < lab->scalar_count; i++)
        snprintf(setup->scalar_names[i], PLAN_NAME_BYTES, "%s", lab->scalars[i].name);
    const struct lab_plan *plan = &lab->plans[setup->plan];
    /* The first kernel of the plan is looked at last, so that its names win. */
    for (int i = plan->kernel_count - 1; i >= 0; i--) {
        int index = plan->kernels[i];
        const struct signature *student = &compiled->kernels[index].student;
        struct signature contract;
        if (!compiled->kernels[index].found_in_source || !signature_parse(lab->kernels[index].signature, &contract)
            || contract.parameter_count != student->parameter_count)
            continue;
        for (int k = 0; k < student->parameter_count && k < LAB_MAX_ARGUMENTS; k++) {
            const char *written = student->parameters[k].name;
            if (written[0] == '\0')
                continue;
            snprintf(setup->parameter_names[index][k], PLAN_NAME_BYTES, "%s", written);
            for (int a = 0; a < lab->array_count; a++)
                if (strcmp(lab->arrays[a].name, contract.parameters[k].name) == 0)
                    snprintf(setup->array_names[a], PLAN_NAME_BYTES, "%s", written);
            for (int s = 0; s < lab->scalar_count; s++)
                if (strcmp(lab->scalars[s].name, contract.parameters[k].name) == 0)
                    snprintf(setup->scalar_names[s], PLAN_NAME_BYTES, "%s", written);
        }
    }
}

bool plan_choice_prepare(const struct lab *lab, const struct compile_result *compiled, struct plan_setup *setup,
                         struct plan_problem *problem)
{
    setup->lab = lab;
    setup->timing_case = lab->timing_case;
    const struct lab_plan *plan = &lab->plans[setup->plan];
    for (int i = 0; i < plan->kernel_count; i++) {
        int index = plan->kernels[i];
        const struct lab_kernel *kernel = &lab->kernels[index];
        const struct ptx_entry *entry = ptx_summary_entry(&compiled->summary, kernel->name);
        snprintf(problem->kernel, sizeof problem->kernel, "%s", kernel->name);
        if (!geometry_decide(kernel, entry, &compiled->summary, &setup->geometry[index], problem->message,
                             sizeof problem->message))
            return false;
    }
    take_names(lab, compiled, setup);
    return true;
}
