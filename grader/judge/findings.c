#include "grader/judge/findings.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/language/source.h"

/* A flood of findings says nothing that its first thousand did not. */
enum { FINDINGS_MAX = 1000 };

static void take_text(const json_t *object, const char *key, char *text, size_t text_bytes)
{
    const char *value = json_string_value(json_object_get(object, key));
    snprintf(text, text_bytes, "%s", value ? value : "");
}

static bool take_triple(const json_t *object, const char *key, uint32_t triple[3])
{
    const json_t *array = json_object_get(object, key);
    if (json_array_size(array) != 3)
        return false;
    for (size_t d = 0; d < 3; d++)
        triple[d] = (uint32_t)json_integer_value(json_array_get(array, d));
    return true;
}

static void take_index(const json_t *object, struct result_finding *finding)
{
    const json_t *index = json_object_get(object, "index");
    if (json_is_integer(index)) {
        finding->index_count = 1;
        finding->index[0] = json_integer_value(index);
    } else if (json_array_size(index) == 2) {
        finding->index_count = 2;
        finding->index[0] = json_integer_value(json_array_get(index, 0));
        finding->index[1] = json_integer_value(json_array_get(index, 1));
    }
}

/* Replaces every `from` in text by `to`. */
static void replace(char *text, size_t text_bytes, const char *from, const char *to)
{
    char copy[1200];
    const char *at = text;
    size_t used = 0;
    for (const char *hit; (hit = strstr(at, from)); at = hit + strlen(from)) {
        int length = snprintf(copy + used, sizeof copy - used, "%.*s%s", (int)(hit - at), at, to);
        used += (size_t)length;
        if (used >= sizeof copy)
            return;
    }
    if (at == text)
        return;
    snprintf(copy + used, sizeof copy - used, "%s", at);
    snprintf(text, text_bytes, "%s", copy);
}

static void use_parameter_names(const struct plan_setup *setup, struct result_finding *finding)
{
    const struct lab *lab = setup->lab;
    for (int i = 0; i < lab->kernel_count && i < LAB_MAX_ALL_KERNELS; i++)
        for (int k = 0; k < LAB_MAX_ARGUMENTS; k++) {
            char given[256];
            const char *written = setup->parameter_names[i][k];
            if (written[0] == '\0' || strcmp(lab->kernels[i].name, finding->kernel) != 0)
                continue;
            /* As in the PTX, and as the emulated driver puts it when it does not know the source. */
            for (int form = 0; form < 2; form++) {
                snprintf(given, sizeof given, form == 0 ? "%s_param_%d" : "%.0sparameter %d", lab->kernels[i].name,
                         form == 0 ? k : k + 1);
                replace(finding->array, sizeof finding->array, given, written);
                replace(finding->message, sizeof finding->message, given, written);
                replace(finding->arithmetic, sizeof finding->arithmetic, given, written);
            }
        }
}

/* Has line `line` of the source this word? Counted from 1. */
static bool line_has_word(const struct plan_setup *setup, int line, const char *word)
{
    const char *at = setup->source, *end = setup->source ? setup->source + setup->source_bytes : NULL;
    for (int i = 1; at && i < line; i++) {
        at = memchr(at, '\n', (size_t)(end - at));
        at = at ? at + 1 : NULL;
    }
    if (!at)
        return false;
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    return memmem(at, (size_t)((stop ? stop : end) - at), word, strlen(word)) != NULL;
}

/* `if (i >= n) return;`, on one line or with the return on one of the next two. */
static bool returns_near(const struct plan_setup *setup, int line)
{
    bool condition = line_has_word(setup, line, "if");
    return line_has_word(setup, line, "return")
           || (condition && (line_has_word(setup, line + 1, "return") || line_has_word(setup, line + 2, "return")));
}

/* What the finding's code leaves open and a hint must know, where the driver did not say it. */
static void name_pattern(const struct plan_setup *setup, struct result_finding *finding)
{
    const char *pattern = "";
    if (strcmp(finding->code, "early_exit") == 0 && finding->line > 0 && !returns_near(setup, finding->line))
        pattern = "passed_by"; /* the kernel's end, by a way around the barrier */
    if (finding->pattern[0] == '\0')
        snprintf(finding->pattern, sizeof finding->pattern, "%s", pattern);
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void use_given_name(char *path, size_t path_bytes, const char *given)
{
    if (path[0] != '\0' && strcmp(base_name(path), base_name(given)) == 0)
        snprintf(path, path_bytes, "%s", given);
}

static void take_frame(const json_t *object, struct result_frame *frame)
{
    take_text(object, "function", frame->function, sizeof frame->function);
    take_text(object, "file", frame->file, sizeof frame->file);
    frame->line = (int)json_integer_value(json_object_get(object, "line"));
}

static void take_places(const json_t *object, struct result_finding *finding)
{
    const json_t *calls = json_object_get(object, "called_from"), *marks = json_object_get(object, "marks");
    take_text(object, "function", finding->function, sizeof finding->function);
    take_frame(json_object_get(object, "inside"), &finding->inside);
    for (size_t i = 0; i < json_array_size(calls) && i < RESULT_MAX_CALLS; i++)
        take_frame(json_array_get(calls, i), &finding->called_from[finding->called_from_count++]);
    for (size_t i = 0; i < json_array_size(marks) && i < RESULT_MAX_MARKS; i++) {
        const json_t *mark = json_array_get(marks, i);
        finding->marks[finding->mark_count++] =
            (struct result_mark){.line = (int)json_integer_value(json_object_get(mark, "line")),
                                 .column = (int)json_integer_value(json_object_get(mark, "column")),
                                 .width = (int)json_integer_value(json_object_get(mark, "width"))};
    }
    finding->index_race = (int)json_integer_value(json_object_get(object, "index_race"));
    finding->ptx_line = (int)json_integer_value(json_object_get(object, "ptx_line"));
    finding->ptx_line2 = (int)json_integer_value(json_object_get(object, "ptx_line2"));
    take_text(object, "arithmetic", finding->arithmetic, sizeof finding->arithmetic);
    take_text(object, "remark", finding->remark, sizeof finding->remark);
}

bool findings_take(const json_t *object, struct result_finding *finding)
{
    char severity[16];
    memset(finding, 0, sizeof *finding);
    take_text(object, "code", finding->code, sizeof finding->code);
    take_text(object, "pattern", finding->pattern, sizeof finding->pattern);
    take_text(object, "severity", severity, sizeof severity);
    take_text(object, "kernel", finding->kernel, sizeof finding->kernel);
    take_text(object, "file", finding->file, sizeof finding->file);
    take_text(object, "file2", finding->file2, sizeof finding->file2);
    take_text(object, "array", finding->array, sizeof finding->array);
    take_text(object, "unwritten", finding->unwritten, sizeof finding->unwritten);
    finding->unwritten_index = json_integer_value(json_object_get(object, "unwritten_index"));
    take_text(object, "message", finding->message, sizeof finding->message);
    take_text(object, "hint", finding->hint, sizeof finding->hint);
    finding->severity = strcmp(severity, "note") == 0      ? LOCKSTEP_NOTE
                        : strcmp(severity, "warning") == 0 ? LOCKSTEP_WARNING
                                                           : LOCKSTEP_ERROR;
    finding->line = (int)json_integer_value(json_object_get(object, "line"));
    finding->line2 = (int)json_integer_value(json_object_get(object, "line2"));
    json_int_t count = json_integer_value(json_object_get(object, "count"));
    finding->count = count > 0 ? (uint64_t)count : 1;
    take_index(object, finding);
    take_places(object, finding);
    finding->has_thread = take_triple(object, "thread", finding->thread) && take_triple(object, "block", finding->block);
    finding->has_thread2 = take_triple(object, "thread2", finding->thread2)
                           && take_triple(object, "block2", finding->block2);
    return finding->code[0] != '\0';
}

/* Is it a division by zero in the head of a loop that divides nothing? To unroll a loop, the compiler divides by its step. */
static bool is_made_by_compiler(const struct plan_setup *setup, const struct result_finding *finding)
{
    static const char *const loops[] = {"for", "while", "do"}, *const divisions[] = {"/", "%", "/=", "%="};
    bool here = strcmp(finding->code, "division_by_zero") == 0 && finding->line > 0 && finding->inside.line == 0;
    struct source *source = here && setup->source ? source_create(setup->source, setup->source_bytes) : NULL;
    bool loop = false, divides = false;
    for (size_t i = 0; source && i < source->token_count; i++) {
        const struct source_token *token = &source->tokens[i];
        bool in_line = token->own && token->line == finding->line;
        loop |= in_line && SOURCE_IS_ANY(token, loops);
        divides |= (in_line || token->defined) && SOURCE_IS_ANY(token, divisions);
    }
    source_destroy(source);
    return loop && !divides;
}

size_t findings_read(const char *text, size_t bytes, const struct plan_setup *setup, const char *file,
                     struct result_findings *findings)
{
    size_t passed_over = 0;
    for (const char *at = text, *end = text + bytes; at < end;) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t length = (size_t)((line_end ? line_end : end) - at);
        json_t *object = length > 0 ? json_loadb(at, length, 0, NULL) : NULL;
        struct result_finding finding;
        if (object && findings_take(object, &finding) && findings->count < FINDINGS_MAX) {
            use_parameter_names(setup, &finding);
            use_given_name(finding.file, sizeof finding.file, file);
            use_given_name(finding.file2, sizeof finding.file2, file);
            for (int i = 0; i < finding.called_from_count; i++)
                use_given_name(finding.called_from[i].file, sizeof finding.called_from[i].file, file);
            name_pattern(setup, &finding);
            if (!is_made_by_compiler(setup, &finding))
                result_findings_add(findings, &finding);
        } else {
            passed_over += length > 0;
        }
        json_decref(object);
        at += length + 1;
    }
    return passed_over;
}
