#include "grader/class/class.h"

#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <utf8proc.h>

#include "grader/base/allocate.h"
#include "runtime/base/printable.h"

#define PROBLEMS_MAX 100

static const struct {
    const char *name, *what;
    enum problem_weight weight;
} codes[] = {
#define PROBLEM(code, weight, what) {#code, what, PROBLEM_WEIGHT_##weight},
#include "grader/class/problems.def"
#undef PROBLEM
};

const char *problem_name(enum problem_code code)
{
    return codes[code].name;
}

const char *problem_meaning(enum problem_code code)
{
    return codes[code].what;
}

enum problem_weight problem_weight(enum problem_code code)
{
    return codes[code].weight;
}

char *class_printable(const char *text)
{
    char shown[1024] = "";
    printable_append(shown, sizeof shown, text, strlen(text));
    return allocate_text(shown, strlen(shown));
}

void problems_add(struct problems *problems, enum problem_code code, const char *file, const char *format, ...)
{
    va_list arguments;
    char *text = NULL;
    if (problems->count >= PROBLEMS_MAX)
        return;
    va_start(arguments, format);
    if (vasprintf(&text, format, arguments) < 0)
        text = NULL;
    va_end(arguments);
    problems->list = allocate_grown(problems->list, &problems->capacity, problems->count + 1, sizeof *problems->list);
    problems->list[problems->count++] = (struct problem){
        .code = code,
        .file = file ? class_printable(file) : NULL,
        .message = class_printable(text ? text : ""),
        .lab = -1,
    };
    free(text);
}

void problems_set_lab(struct problems *problems, int lab)
{
    if (problems->count > 0)
        problems->list[problems->count - 1].lab = lab;
}

void problems_remove(struct problems *problems, bool (*is_wanted)(const struct problem *problem, const void *context),
                     const void *context)
{
    size_t kept = 0;
    for (size_t i = 0; i < problems->count; i++) {
        if (!is_wanted(&problems->list[i], context)) {
            problems->list[kept++] = problems->list[i];
            continue;
        }
        free(problems->list[i].file);
        free(problems->list[i].message);
    }
    problems->count = kept;
}

static void clear_problems(struct problems *problems)
{
    for (size_t i = 0; i < problems->count; i++) {
        free(problems->list[i].file);
        free(problems->list[i].message);
    }
    free(problems->list);
}

void class_init(struct class *class, const struct course *course, const char *submissions)
{
    size_t length = strlen(submissions);
    while (length > 1 && submissions[length - 1] == '/')
        length--;
    memset(class, 0, sizeof *class);
    class->course = course;
    class->submissions = allocate_text(submissions, length);
}

static void clear_entry(struct class_entry *entry)
{
    free(entry->path);
    json_decref(entry->decisions);
}

void class_clear(struct class *class)
{
    for (size_t i = 0; i < class->count; i++) {
        struct student *student = &class->students[i];
        for (int k = 0; k < class->course->lab_count; k++)
            clear_entry(&student->entries[k]);
        for (size_t k = 0; k < student->folder_count; k++)
            free(student->folders[k]);
        free(student->folders);
        free(student->entries);
        free(student->id);
        free(student->name);
        free(student->email);
        free(student->pseudonym);
        json_decref(student->decisions);
        clear_problems(&student->problems);
    }
    free(class->students);
    clear_problems(&class->problems);
    free(class->submissions);
    memset(class, 0, sizeof *class);
}

struct student *class_add(struct class *class, const char *id)
{
    class->students = allocate_grown(class->students, &class->capacity, class->count + 1, sizeof *class->students);
    struct student *student = &class->students[class->count++];
    memset(student, 0, sizeof *student);
    student->id = class_printable(id);
    student->entries = allocate_zeroed((size_t)class->course->lab_count * sizeof *student->entries);
    student->percent = NAN;
    return student;
}

static int compare_ids(const void *left, const void *right)
{
    return strcmp(((const struct student *)left)->id, ((const struct student *)right)->id);
}

void class_sort(struct class *class)
{
    if (class->count > 0)
        qsort(class->students, class->count, sizeof *class->students, compare_ids);
}

const char *class_last_part(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *class_plain_name(const char *name)
{
    utf8proc_uint8_t *folded = NULL;
    utf8proc_ssize_t bytes = utf8proc_map((const utf8proc_uint8_t *)name, 0, &folded,
                                          UTF8PROC_NULLTERM | UTF8PROC_STABLE | UTF8PROC_COMPOSE | UTF8PROC_CASEFOLD);
    /* Not UTF-8: such a name is like no other. */
    char *plain = bytes >= 0 ? allocate_text((const char *)folded, (size_t)bytes) : allocate_text(name, strlen(name));
    free(folded);
    size_t length = strlen(plain), start = 0;
    while (length > 0 && isspace((unsigned char)plain[length - 1]))
        plain[--length] = '\0';
    while (isspace((unsigned char)plain[start]))
        start++;
    memmove(plain, plain + start, length - start + 1);
    return plain;
}

bool entry_is_known(const struct class_entry *entry)
{
    return entry->state == ENTRY_MISSING || entry->state == ENTRY_NOT_DUE
           || (entry->state == ENTRY_GRADED && strcmp(entry->verdict, "harness_error") != 0) || entry->is_decided;
}

bool entry_has_score(const struct class_entry *entry)
{
    return entry_is_known(entry) && (entry->state != ENTRY_NOT_DUE || entry->is_decided);
}

const char *entry_state_name(const struct class_entry *entry)
{
    return entry->state == ENTRY_MISSING   ? "missing"
           : entry->state == ENTRY_NOT_DUE ? "not_due"
           : entry->state == ENTRY_PROBLEM ? "problem"
                                           : entry->verdict;
}
