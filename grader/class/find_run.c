/* The command find: which file of a folder counts for which lab, by the rules of `batch` (grader/class/recognise.h), without
 * grading anything. ci/grade-here asks it, so that CI and a class decide the same. */
#include <ctype.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/class/outcome.h"
#include "grader/class/scan.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/options/commands.h"
#include "grader/result/result_json.h"

/* A repository may hold more than a submission does. */
#define FILES_MAX 20000

/* The labs that are asked for, of all; all when none is named. Returns false with the message printed. */
static bool choose_labs(const struct options *options, struct course *course)
{
    bool *wanted = allocate_zeroed((size_t)(course->lab_count + 1) * sizeof *wanted);
    bool good = true;
    for (int i = 1; i < options->argument_count; i++) {
        const struct lab *lab = labs_find(options->arguments[i]);
        int at = lab ? course_find_lab(course, lab) : -1;
        if (at >= 0) {
            wanted[at] = true;
            continue;
        }
        char near[200];
        labs_suggest(options->arguments[i], near, sizeof near);
        fprintf(stderr, "lockstep: there is no lab %s%s\n", options->arguments[i], near[0] != '\0' ? near : ".");
        good = false;
    }
    int count = 0;
    for (int i = 0; i < course->lab_count; i++)
        if (options->argument_count < 2 || wanted[i])
            course->labs[count++] = course->labs[i];
    course->lab_count = count;
    free(wanted);
    return good;
}

static const char *state_of(const struct class_entry *entry)
{
    return entry->state == ENTRY_WAITING   ? "found"
           : entry->state == ENTRY_PROBLEM ? "problem"
           : entry->untouched              ? "untouched"
                                           : "missing";
}

/* Why a lab's state is `problem`. */
static const struct problem *reason_of(const struct student *student, const struct lab *lab)
{
    const struct problem *general = NULL;
    for (size_t i = 0; i < student->problems.count; i++) {
        const struct problem *problem = &student->problems.list[i];
        enum problem_weight weight = problem_weight(problem->code);
        if (weight == PROBLEM_WEIGHT_LAB && problem->file && labs_find_for_path(problem->file) == lab)
            return problem;
        if (!general && (weight == PROBLEM_WEIGHT_STUDENT || weight == PROBLEM_WEIGHT_LAB))
            general = problem;
    }
    return general;
}

/* One sentence for the student where there is nothing to grade; the caller frees it. NULL: there is something. */
static char *message_of(const struct student *student, const struct class_entry *entry, const struct lab *lab)
{
    const char *ending = kit_source_ending(lab);
    if (entry->state == ENTRY_WAITING)
        return NULL;
    const struct problem *reason = entry->state == ENTRY_PROBLEM ? reason_of(student, lab) : NULL;
    if (reason && reason->code == PROBLEM_no_lab_file)
        return allocate_format("%s%s is missing. Hand in a file of that name. %s", lab->name, ending, reason->message);
    if (reason && reason->code == PROBLEM_two_files)
        return allocate_format("%s", reason->message);
    if (reason)
        return allocate_format("%s%s%s", reason->file ? reason->file : "", reason->file ? ": " : "", reason->message);
    if (entry->untouched)
        return allocate_format("%s%s is still the skeleton.", lab->name, ending);
    return allocate_format("%s%s is missing. Hand in a file of that name.", lab->name, ending);
}

/* A path from the folder, not from its parent. */
static const char *inside(const char *path)
{
    return strncmp(path, "./", 2) == 0 ? path + 2 : path;
}

/* A path that keeps every byte, as in an address: what is not a plain character becomes %XX. */
static char *address_of(const char *path)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    for (const unsigned char *at = (const unsigned char *)path; *at != '\0'; at++)
        if (strchr("/._-", *at) || (*at < 0x80 && (isalnum(*at))))
            fputc(*at, file);
        else
            fprintf(file, "%%%02X", *at);
    fclose(file);
    return text;
}

static bool write_json(const struct options *options, const struct course *course, const struct student *student)
{
    json_t *labs = json_array();
    char message[512];
    for (int i = 0; i < course->lab_count; i++) {
        const struct class_entry *entry = &student->entries[i];
        char *said = message_of(student, entry, course->labs[i].lab);
        char *address = entry->path ? address_of(inside(entry->path)) : NULL;
        json_array_append_new(labs, json_pack("{s:s,s:s,s:o,s:s?,s:s?}", "lab", course->labs[i].lab->name, "state",
                                              state_of(entry), "path",
                                              entry->path ? result_json_text(inside(entry->path)) : json_null(), "address",
                                              address, "message", said));
        free(said);
        free(address);
    }
    json_t *document = json_pack("{s:s,s:o,s:o}", "schema", "lockstep/find/v1", "labs", labs, "problems",
                                 outcome_problems_json(&student->problems));
    bool good = result_json_write(document, options->json, message, sizeof message);
    if (!good)
        fprintf(stderr, "lockstep: %s\n", message);
    json_decref(document);
    return good;
}

static void print(const struct course *course, const struct student *student)
{
    bool colour = paint_wanted(stdout);
    for (int i = 0; i < course->lab_count; i++) {
        const struct class_entry *entry = &student->entries[i];
        char *said = message_of(student, entry, course->labs[i].lab);
        printf("%-16s %s%s%s\n", course->labs[i].lab->name,
               paint_on(colour, entry->state == ENTRY_WAITING   ? PAINT_PLAIN
                                : entry->state == ENTRY_PROBLEM ? PAINT_YELLOW
                                                                : PAINT_DIM),
               entry->path ? inside(entry->path) : said, paint_off(colour));
        free(said);
    }
    for (size_t i = 0; i < student->problems.count; i++) {
        const struct problem *problem = &student->problems.list[i];
        if (problem_weight(problem->code) == PROBLEM_WEIGHT_NOTE || problem_weight(problem->code) == PROBLEM_WEIGHT_LOOK)
            printf("note: %s%s%s\n", problem->file ? problem->file : "", problem->file ? ": " : "", problem->message);
    }
}

/* Exit status: 0 every lab that is there can be graded, and one is; 1 something is in doubt, or there is nothing; 2 bad usage. */
int find_run(const struct options *options)
{
    const char *folder = options->argument_count > 0 ? options->arguments[0] : ".";
    struct course course;
    struct class class;
    struct stat facts;
    if (kit_root()[0] == '\0') {
        fprintf(stderr, "lockstep: %s\n", kit_missing());
        return EXIT_STATUS_HARNESS;
    }
    if (stat(folder, &facts) != 0 || !S_ISDIR(facts.st_mode)) {
        fprintf(stderr, "lockstep: %s: this is not a folder.\n", folder);
        return EXIT_STATUS_USAGE;
    }
    course_init(&course);
    course.limit_files = FILES_MAX;
    if (!choose_labs(options, &course)) {
        course_clear(&course);
        return EXIT_STATUS_USAGE;
    }
    class_init(&class, &course, folder);
    struct student *student = class_add(&class, folder);
    scan_folder(&class, student);
    int found = 0, doubtful = 0;
    for (int i = 0; i < course.lab_count; i++) {
        found += student->entries[i].state == ENTRY_WAITING;
        doubtful += student->entries[i].state == ENTRY_PROBLEM;
    }
    bool written = true;
    if (options->json)
        written = write_json(options, &course, student);
    else
        print(&course, student);
    class_clear(&class);
    course_clear(&course);
    return !written ? EXIT_STATUS_HARNESS : found > 0 && doubtful == 0 ? EXIT_STATUS_FULL_SCORE : EXIT_STATUS_SUBMISSION;
}
