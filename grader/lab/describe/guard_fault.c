#include "grader/lab/describe/guard_fault.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/lab/describe/description.h"
#include "grader/lab/kit.h"

#define FAR_BYTES  (UINT64_C(1) << 20) /* from an array: what is further away may be anything */
#define NULL_BYTES 65536               /* no machine maps the first addresses */

/* " (n = 31)"; nothing of a hidden case, whose sizes are nobody's business. */
static void write_sizes(const struct guard_call *call, char *text, size_t text_bytes)
{
    size_t used = 0;
    text[0] = '\0';
    for (int i = 0; i < LAB_MAX_SIZES && !call->the_case->hidden && call->lab->size_names[i] && used < text_bytes; i++)
        used += (size_t)snprintf(text + used, text_bytes - used, "%s%s = %lld", used > 0 ? ", " : " (",
                                 call->lab->size_names[i], (long long)call->the_case->size[i]);
    if (used > 0 && used < text_bytes)
        snprintf(text + used, text_bytes - used, ")");
}

/* "labs/scan/reference.c:8"; without the line where that is not known. */
static void write_place(const struct guard_call *call, uintptr_t place, char *text, size_t text_bytes)
{
    const struct description *description = call->lab->description;
    char file[KIT_PATH_BYTES], shown[KIT_PATH_BYTES];
    int line = module_line(description->module, place, file, sizeof file);
    if (line == 0) {
        kit_lab_part(call->lab, "reference.c", file);
        if (access(file, F_OK) != 0)
            kit_lab_part(call->lab, "hooks.c", file);
    }
    kit_shown_path(file, shown);
    if (line > 0)
        snprintf(text, text_bytes, "%s:%d", shown, line);
    else
        snprintf(text, text_bytes, "%s", shown);
}

/* The array that the address is in, or near to, and the index there. */
static bool find_array(const struct guard_call *call, uintptr_t address, int *array, int64_t *index)
{
    uint64_t nearest = FAR_BYTES;
    for (int i = 0; i < call->array_count; i++) {
        const struct guard_array *one = &call->arrays[i];
        uintptr_t first = (uintptr_t)one->bytes, end = first + one->element_bytes * one->count;
        bool before = address < first;
        uint64_t distance = before ? first - address : address < end ? 0 : address - end;
        if (distance >= nearest)
            continue;
        nearest = distance;
        *array = i;
        *index = before ? -(int64_t)((distance + one->element_bytes - 1) / one->element_bytes)
                        : (int64_t)((address - first) / one->element_bytes);
    }
    return nearest < FAR_BYTES;
}

static void write_access(const struct guard_call *call, const struct guard_trouble *trouble, char *text, size_t text_bytes)
{
    static const char *const verbs[] = {"accesses", "reads", "writes"};
    const char *verb = verbs[trouble->access];
    int array = trouble->array;
    int64_t index = trouble->index;
    if (!trouble->is_beside && trouble->address < NULL_BYTES && trouble->code != SI_KERNEL)
        snprintf(text, text_bytes, "%s through a null pointer", verb);
    else if (!trouble->is_beside && !find_array(call, trouble->address, &array, &index))
        snprintf(text, text_bytes, "%s memory that is none of its arrays", verb);
    else if (call->the_case->hidden)
        snprintf(text, text_bytes, "%s %s the elements of %s", verb, index < 0 ? "before" : "beyond",
                 call->arrays[array].name);
    else
        snprintf(text, text_bytes, "%s %s[%lld] of %zu element%s", verb, call->arrays[array].name, (long long)index,
                 call->arrays[array].count, call->arrays[array].count == 1 ? "" : "s");
}

static void write_what(const struct guard_call *call, const struct guard_trouble *trouble, int limit_seconds,
                       uint64_t memory_mb, char *text, size_t text_bytes)
{
    if (trouble->is_out_of_memory)
        snprintf(text, text_bytes, "allocates more than the %llu MB that a lab's code may have",
                 (unsigned long long)memory_mb);
    else if (trouble->does_not_end)
        snprintf(text, text_bytes, "did not end within %d s", limit_seconds);
    else if (trouble->exits)
        snprintf(text, text_bytes, "calls exit, which a function of a lab must not");
    else if (trouble->has_ended && trouble->signal == 0)
        snprintf(text, text_bytes, "ends its process, with status %d", trouble->code);
    else if (trouble->has_ended)
        snprintf(text, text_bytes, "was ended by signal %d", trouble->signal);
    else if (trouble->stack_is_used_up)
        snprintf(text, text_bytes,
                 "uses up the stack: a function that calls itself without end, or arrays too large for it");
    else if (trouble->signal == SIGFPE)
        snprintf(text, text_bytes, "divides an integer by zero, or the least one by -1");
    else if (trouble->signal == SIGABRT)
        snprintf(text, text_bytes, "calls abort, or the C library does: a failed assertion, or damage to the heap");
    else if (trouble->signal == SIGSEGV || trouble->signal == SIGBUS || trouble->is_beside)
        write_access(call, trouble, text, text_bytes);
    else
        snprintf(text, text_bytes, "comes to a place that cannot be reached by what C defines");
}

char *guard_fault_describe(const struct guard_call *call, const struct guard_trouble *trouble, int limit_seconds,
                           uint64_t memory_mb)
{
    char place[KIT_PATH_BYTES + 16], what[512], sizes[160];
    write_place(call, trouble->place, place, sizeof place);
    write_what(call, trouble, limit_seconds, memory_mb, what, sizeof what);
    write_sizes(call, sizes, sizeof sizes);
    return allocate_format("%s: the lab's own code %s%s", place, what, sizes);
}
