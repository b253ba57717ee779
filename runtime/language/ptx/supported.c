/* Prints the PTX that the emulated driver executes, and what it refuses on purpose, as Markdown: handouts/supported_ptx.md.
 * All of it comes from instructions.def, specials.def and refused.def. */
#include <stdio.h>
#include <string.h>

#include "runtime/language/ptx/instruction.h"
#include "runtime/language/ptx/module.h"

/* Groups of section 9.7 of the PTX ISA manual. */
static const struct {
    const char *section, *title;
} chapters[] = {
    {"9.7.1", "Integers"},
    {"9.7.2", "Integers of several words"},
    {"9.7.3", "Floating point"},
    {"9.7.4", "Half precision"},
    {"9.7.5", "Mixed precision"},
    {"9.7.6", "Comparison and selection"},
    {"9.7.7", "Comparison of halves"},
    {"9.7.8", "Logic and shifts"},
    {"9.7.9", "Moving and converting data"},
    {"9.7.10", "Textures"},
    {"9.7.11", "Surfaces"},
    {"9.7.12", "Control flow"},
    {"9.7.13", "Synchronisation and communication"},
    {"9.7.14", "Matrices of a warp"},
    {"9.7.15", "Matrices of a warp group"},
    {"9.7.16", "Tensor memory"},
    {"9.7.17", "Stack"},
    {"9.7.18", "Video"},
    {"9.7.19", "Miscellaneous"},
};

enum { CHAPTER_COUNT = sizeof chapters / sizeof *chapters };

static bool in_chapter(const struct ptx_form *form, const char *chapter)
{
    size_t length = strlen(chapter);
    return strncmp(form->section, chapter, length) == 0 && (form->section[length] == '.' || form->section[length] == '\0');
}

/* One group of modifiers: "?sat" as {.sat}, "lo|hi" as .(lo|hi), "T:u32" as .u32. */
static void print_group(const char *group, size_t length)
{
    bool optional = *group == '?';
    group += optional;
    length -= optional;
    if (length > 2 && group[0] == 'T' && group[1] == ':') {
        group += 2;
        length -= 2;
    }
    bool several = memchr(group, '|', length) != NULL;
    printf(several && optional ? "{.(%.*s)}" : several ? ".(%.*s)" : optional ? "{.%.*s}" : ".%.*s", (int)length, group);
}

static void print_form(const struct ptx_form *form)
{
    const char *pattern = form->pattern;
    bool any_order = *pattern == '*';
    printf("* `%s", form->root);
    pattern += any_order;
    while (*pattern) {
        size_t length = strcspn(pattern, " ");
        if (length)
            print_group(pattern, length);
        pattern += length + (pattern[length] == ' ');
    }
    printf("`%s (%s)\n", any_order ? " in any order" : "", form->section);
}

static void print_specials(void)
{
    printf("\n## Special registers\n\n");
    for (int special = 0; special < SPECIAL_COUNT; special++)
        printf("%s`%s`", special ? ", " : "", ptx_special_name((enum ptx_special)special));
    printf("\n");
}

static void print_refusals(void)
{
    printf("\n## Refused\n\n"
           "A module that uses one of these is refused when it is loaded, with the line and the reason.\n\n"
           "| instruction | subject | reason |\n|---|---|---|\n");
    const struct ptx_refusal *refusal;
    for (size_t i = 0; (refusal = ptx_refusal_at(i)); i++) {
        printf("| ");
        for (const char *start = refusal->start; *start; start += strcspn(start, "|"), start += *start == '|')
            printf("%s`%.*s`", start == refusal->start ? "" : ", ", (int)strcspn(start, "|"), start);
        printf(" | %s | %s |\n", refusal->subject, refusal->reason);
    }
    printf("| calls of `cudaDeviceSynchronize` | device-side launch "
           "| a kernel cannot wait for what it launches; `cudaStreamTailLaunch` starts when its grid is complete |\n");
}

int main(void)
{
    printf("# The PTX that the emulated driver executes\n\n"
           "Printed from the driver's own tables: `ninja supported-ptx`. `{.x}` may be left out, `.(x|y)` is one of them;\n"
           "the number is the section of NVIDIA's PTX ISA manual. Anything not listed here is refused when a module is\n"
           "loaded.\n");
    unsigned printed = 0;
    for (unsigned chapter = 0; chapter < CHAPTER_COUNT; chapter++) {
        bool headed = false;
        for (int id = 0; id < FORM_COUNT; id++) {
            const struct ptx_form *form = ptx_form_get((enum ptx_form_id)id);
            if (!in_chapter(form, chapters[chapter].section))
                continue;
            if (!headed)
                printf("\n## %s\n\n", chapters[chapter].title);
            headed = true;
            print_form(form);
            printed++;
        }
    }
    print_specials();
    print_refusals();
    return printed == FORM_COUNT && fflush(stdout) == 0 ? 0 : 1; /* every row has its chapter */
}
