#include "grader/judge/barriers.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

/* The entry of a line, made when it is new; NULL when there are too many. */
static struct barriers_line *find_line(struct barriers *barriers, const char *file, int number)
{
    for (int i = 0; i < barriers->count; i++)
        if (barriers->lines[i].line == number && strcmp(barriers->lines[i].file, file) == 0)
            return &barriers->lines[i];
    if (barriers->count == BARRIERS_MOST)
        return NULL;
    struct barriers_line *line = &barriers->lines[barriers->count++];
    *line = (struct barriers_line){.line = number};
    snprintf(line->file, sizeof line->file, "%s", file);
    return line;
}

static void read_launch(const json_t *launch, struct barriers *barriers)
{
    const json_t *list = json_object_get(launch, "barriers");
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        const char *file = json_string_value(json_object_get(entry, "file"));
        const char *verdict = json_string_value(json_object_get(entry, "verdict"));
        int number = (int)json_integer_value(json_object_get(entry, "line"));
        struct barriers_line *line = file && number > 0 ? find_line(barriers, file, number) : NULL;
        if (!line || !verdict)
            continue;
        if (line->kernel[0] == '\0' && kernel)
            snprintf(line->kernel, sizeof line->kernel, "%s", kernel);
        line->needed |= strcmp(verdict, "needed") == 0;
        line->launches += strcmp(verdict, "needless") == 0;
    }
}

void barriers_read(const char *text, size_t bytes, struct barriers *barriers)
{
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *launch = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        read_launch(launch, barriers);
        json_decref(launch);
        at += length + 1;
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

void barriers_report(const struct barriers *barriers, const char *tests, const char *file, struct result_findings *notes)
{
    for (int i = 0; i < barriers->count; i++) {
        const struct barriers_line *line = &barriers->lines[i];
        if (line->needed || line->launches == 0 || strcmp(base_name(line->file), base_name(file)) != 0)
            continue;
        struct result_finding finding = {
            .severity = LOCKSTEP_NOTE, .code = "barrier_needless", .count = 1, .line = line->line};
        snprintf(finding.kernel, sizeof finding.kernel, "%s", line->kernel);
        snprintf(finding.file, sizeof finding.file, "%s", file);
        snprintf(finding.message, sizeof finding.message,
                 "no %s needs the barrier at line %d: whatever two threads share across it, another barrier orders as well; "
                 "this costs no points",
                 tests, line->line);
        result_findings_add(notes, &finding);
    }
}
