#include "grader/result/result_source.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "grader/result/diagnose.h"
#include "grader/result/excerpt.h"

enum { AROUND = 2, MOST_LINES = 200 };

/* Line numbers, rising, each once. */
struct lines {
    int number[MOST_LINES];
    int count;
};

static void add_line(struct lines *lines, int line)
{
    int at = lines->count;
    while (at > 0 && lines->number[at - 1] >= line)
        at--;
    if (lines->count == MOST_LINES || (at < lines->count && lines->number[at] == line))
        return;
    memmove(&lines->number[at + 1], &lines->number[at], (size_t)(lines->count - at) * sizeof(int));
    lines->number[at] = line;
    lines->count++;
}

static void add_place(struct lines *lines, int place)
{
    /* `#line` can call a line by any number. */
    for (int step = -AROUND; place > 0 && place < INT_MAX - AROUND && step <= AROUND; step++)
        if (place + step > 0)
            add_line(lines, place + step);
}

static void add_findings(struct lines *lines, const struct result_findings *findings, const char *path)
{
    for (size_t i = 0; i < findings->count; i++) {
        const struct result_finding *finding = &findings->list[i];
        if (result_is_own_file(finding->file, path))
            add_place(lines, finding->line);
        if (result_is_own_file(finding->file2[0] != '\0' ? finding->file2 : finding->file, path))
            add_place(lines, finding->line2);
        for (int k = 0; k < finding->called_from_count; k++)
            if (result_is_own_file(finding->called_from[k].file, path))
                add_place(lines, finding->called_from[k].line);
    }
}

json_t *result_source_json(const struct result_lab *lab, const char *source)
{
    struct lines lines = {.count = 0};
    json_t *array = json_array();
    int first = diagnose_first_test(lab);
    add_findings(&lines, &lab->notes, lab->path);
    if (first >= 0)
        add_findings(&lines, &lab->tests[first].findings, lab->path);
    for (int i = 0; i < lab->budget_count; i++)
        add_place(&lines, lab->budgets[i].line);
    for (size_t i = 0; i < lab->diagnostic_count; i++)
        if (result_is_own_file(lab->diagnostics[i].file, lab->path))
            add_place(&lines, lab->diagnostics[i].line);
    for (int i = 0; i < lab->test_count; i++)
        add_findings(&lines, &lab->tests[i].findings, lab->path);
    for (int i = 0; i < lines.count; i++) {
        bool altered = false;
        char *text = excerpt_line(source, lines.number[i], &altered);
        json_t *line = text ? json_pack("{s:i,s:s}", "line", lines.number[i], "text", text) : NULL;
        if (altered)
            json_object_set_new(line, "altered", json_true());
        if (line)
            json_array_append_new(array, line);
        free(text);
    }
    return array;
}
