#include "grader/judge/barriers.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>

#include "runtime/language/source.h"

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

/* Could a barrier of the launch order what threads share? */
static bool has_orderer(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++) {
        const char *verdict = json_string_value(json_object_get(json_array_get(list, i), "verdict"));
        if (verdict && strcmp(verdict, "needless") != 0 && strcmp(verdict, "absent") != 0)
            return true;
    }
    return false;
}

static void read_launch(const json_t *launch, struct barriers *barriers)
{
    const json_t *list = json_object_get(launch, "barriers");
    const char *kernel = json_string_value(json_object_get(launch, "kernel"));
    bool orderer = has_orderer(list);
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
        line->others |= orderer && strcmp(verdict, "needless") == 0;
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

/* Is there a variable of this name among those that the PTX declares in shared memory? */
static bool is_in_shared(const struct barriers_input *input, const struct source_token *name)
{
    for (const char *at = input->ptx, *end = at + input->ptx_bytes; at < end;) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((stop ? stop : end) - at);
        const char *shared = memmem(at, length, ".shared ", strlen(".shared "));
        if (shared && memmem(shared, length - (size_t)(shared - at), name->text, (size_t)name->length))
            return true;
        at += length + 1;
    }
    return false;
}

/* Does a shared array of the source have no place in the PTX? */
static bool has_dropped(const struct barriers_input *input)
{
    struct source *source = input->source && input->ptx ? source_create(input->source, input->source_bytes) : NULL;
    bool dropped = false;
    for (size_t i = 0; source && i < source->token_count && !dropped; i++) {
        if (!source_token_is(&source->tokens[i], "__shared__") || source->tokens[i].defined)
            continue;
        const struct source_token *name = NULL; /* the word before `[`, `;`, `,` or `=` */
        for (; i < source->token_count && !source_token_is(&source->tokens[i], ";"); i++) {
            const struct source_token *next = i + 1 < source->token_count ? &source->tokens[i + 1] : NULL;
            bool ends = next
                        && (source_token_is(next, "[") || source_token_is(next, ";") || source_token_is(next, ",")
                            || source_token_is(next, "="));
            if (!name && ends && source->tokens[i].kind == SOURCE_WORD) {
                name = &source->tokens[i];
                dropped |= !is_in_shared(input, name);
            } else if (source_token_is(&source->tokens[i], ",")) {
                name = NULL;
            } else if (source_token_is(&source->tokens[i], "[")) {
                i = source_closing(source, i, source->token_count);
            }
        }
    }
    source_destroy(source);
    return dropped;
}

void barriers_report(const struct barriers *barriers, const struct barriers_input *input, struct result_findings *notes)
{
    bool dropped = has_dropped(input);
    for (int i = 0; i < barriers->count; i++) {
        const struct barriers_line *line = &barriers->lines[i];
        if (dropped || line->needed || line->launches == 0 || strcmp(base_name(line->file), base_name(input->file)) != 0)
            continue;
        struct result_finding finding = {
            .severity = LOCKSTEP_NOTE, .code = "barrier_needless", .count = 1, .line = line->line};
        snprintf(finding.kernel, sizeof finding.kernel, "%s", line->kernel);
        snprintf(finding.file, sizeof finding.file, "%s", input->file);
        snprintf(
            finding.message, sizeof finding.message, "no %s needs the barrier at line %d: %s%s", input->tests, line->line,
            line->others ? "without it, the other barriers still order all that two threads share"
                         : "no thread reads after it what another one has written before it, or overwrites what another one "
                           "has used",
            input->counted ? "" : "; this costs no points");
        result_findings_add(notes, &finding);
    }
}
