#include "grader/student/watch.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "grader/result/diagnose.h"

enum { NAMES_SHOWN = 2 };

struct line {
    char *text;
    size_t bytes, length;
};

/* Adds a part, after a semicolon where it is not the first. */
static void add(struct line *line, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(struct line *line, const char *format, ...)
{
    va_list arguments;
    const char *between = line->length > 0 ? "; " : "";
    if (line->length + 1 >= line->bytes)
        return;
    int used = snprintf(line->text + line->length, line->bytes - line->length, "%s", between);
    line->length += (size_t)used;
    if (line->length + 1 >= line->bytes) {
        line->length = line->bytes - 1;
        return;
    }
    va_start(arguments, format);
    used = vsnprintf(line->text + line->length, line->bytes - line->length, format, arguments);
    va_end(arguments);
    line->length += (size_t)used;
    if (line->length >= line->bytes)
        line->length = line->bytes - 1;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static bool passes(const json_t *test)
{
    return strcmp(text_of(test, "state"), "pass") == 0;
}

/* The element of that name in a list of a grading; NULL when it has none. */
static const json_t *find(const json_t *list, const char *key, const char *name)
{
    size_t i;
    const json_t *item;
    json_array_foreach(list, i, item)
    {
        if (strcmp(text_of(item, key), name) == 0)
            return item;
    }
    return NULL;
}

static const char *code_of_cause(const json_t *latest)
{
    return text_of(json_object_get(latest, "cause"), "code");
}

static bool compiles(const json_t *latest)
{
    return strcmp(code_of_cause(latest), "compile") != 0;
}

/* "2 more cases pass", "1 case fails that passed before: n = 33". */
static void compare_tests(const json_t *before, const json_t *after, struct line *line)
{
    const json_t *old_tests = json_object_get(before, "tests"), *new_tests = json_object_get(after, "tests"), *test;
    int won = 0, lost = 0, passed = 0, count = 0;
    char names[160] = "";
    size_t i;
    json_array_foreach(new_tests, i, test)
    {
        const json_t *old = find(old_tests, "name", text_of(test, "name"));
        count++;
        passed += passes(test);
        if (!old || passes(old) == passes(test))
            continue;
        won += passes(test);
        lost += !passes(test);
        if (!passes(test) && lost <= NAMES_SHOWN)
            snprintf(names + strlen(names), sizeof names - strlen(names), "%s%.60s", lost > 1 ? ", " : "",
                     text_of(test, "name"));
    }
    if (won > 0 && passed == count)
        add(line, "all %d cases pass now", count);
    else if (won > 0)
        add(line, "%d more case%s", won, won == 1 ? " passes" : "s pass");
    if (lost > 0)
        add(line, "%d case%s that passed before: %s%s", lost, lost == 1 ? " fails" : "s fail", names,
            lost > NAMES_SHOWN ? " ..." : "");
}

/* Does a grading have a failing test with this first finding, or the finding as its cause? */
static bool has_code(const json_t *latest, const char *code)
{
    const json_t *test;
    size_t i;
    json_array_foreach(json_object_get(latest, "tests"), i, test)
    {
        if (!passes(test) && strcmp(text_of(test, "code"), code) == 0)
            return true;
    }
    return strcmp(code_of_cause(latest), code) == 0;
}

static json_int_t line_of(const json_t *latest, const char *code)
{
    const json_t *test, *cause = json_object_get(latest, "cause");
    size_t i;
    if (strcmp(text_of(cause, "code"), code) == 0)
        return json_integer_value(json_object_get(cause, "line"));
    json_array_foreach(json_object_get(latest, "tests"), i, test)
    {
        if (strcmp(text_of(test, "code"), code) == 0)
            return json_integer_value(json_object_get(test, "line"));
    }
    return 0;
}

/* Says of a code of one grading that the other has not. */
static void compare_code(const json_t *one, const json_t *other, const char *code, bool gone, struct line *line)
{
    if (code[0] == '\0' || strcmp(code, "budget") == 0 || has_code(other, code))
        return;
    json_int_t number = gone ? 0 : line_of(one, code);
    if (gone)
        add(line, "gone: %s", diagnose_title(code));
    else if (number > 0)
        add(line, "new: %s at line %lld", diagnose_title(code), (long long)number);
    else
        add(line, "new: %s", diagnose_title(code));
}

/* Every code of one grading that the other has not, once. */
static void compare_codes(const json_t *one, const json_t *other, bool gone, struct line *line)
{
    const json_t *test, *tests = json_object_get(one, "tests");
    size_t i, k;
    json_array_foreach(tests, i, test)
    {
        const char *code = text_of(test, "code");
        bool seen = passes(test);
        for (k = 0; k < i && !seen; k++)
            seen = !passes(json_array_get(tests, k)) && strcmp(text_of(json_array_get(tests, k), "code"), code) == 0;
        if (!seen)
            compare_code(one, other, code, gone, line);
    }
    const char *cause = code_of_cause(one);
    if (!find(tests, "code", cause))
        compare_code(one, other, cause, gone, line);
}

static void compare_budgets(const json_t *before, const json_t *after, struct line *line)
{
    const json_t *budget;
    size_t i;
    json_array_foreach(json_object_get(after, "performance"), i, budget)
    {
        const char *metric = text_of(budget, "metric");
        const json_t *old = find(json_object_get(before, "performance"), "metric", metric);
        json_int_t change = json_integer_value(json_object_get(budget, "score"))
                            - json_integer_value(json_object_get(old, "score"));
        if (old && change != 0)
            add(line, "%+lld points for %.40s", (long long)change, metric);
    }
}

void changes_write(const json_t *before, const json_t *after, char *text, size_t text_bytes)
{
    struct line line = {text, text_bytes, 0};
    text[0] = '\0';
    if (!json_is_object(before) || !json_is_object(after))
        return;
    if (!compiles(before) && compiles(after)) {
        add(&line, "it compiles now");
    } else if (compiles(before) && !compiles(after)) {
        add(&line, "it does not compile any more");
    } else {
        compare_tests(before, after, &line);
        compare_codes(before, after, true, &line);
    }
    if (compiles(after)) {
        if (compiles(before))
            compare_codes(after, before, false, &line);
        compare_budgets(before, after, &line);
    }
    if (line.length > 0)
        return;
    json_int_t change = json_integer_value(json_object_get(after, "score"))
                        - json_integer_value(json_object_get(before, "score"));
    if (change != 0)
        add(&line, "%+lld points", (long long)change);
    else
        add(&line, "%s",
            json_is_object(json_object_get(after, "cause")) ? "the verdict has not changed" : "as good as before");
}
