#include "grader/class/recognise.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/allocate.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"

/* How surely a file is for a lab. A surer one rules the others out: in a copy of the kit, wrong/no_guard.cu
 * lies in a lab's folder too. */
enum strength { BY_NOTHING, BY_KERNELS, BY_FOLDER, BY_NAME };

struct recognise_file {
    char *path;
    char sha256[65];
    int64_t mtime, submitted;
    const struct lab *lab; /* NULL: none */
    enum strength strength;
    bool refused;  /* not read */
    bool anything; /* a folder that was not read: files for any lab may be in it */
};

bool recognise_is_source(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && strcasecmp(name + length - 3, ".cu") == 0;
}

bool recognise_is_wrapped(const char *name, bool *archive)
{
    static const char *const endings[] = {".zip", ".tar", ".gz", ".tgz", ".bz2", ".xz", ".zst", ".7z", ".rar"};
    size_t length = strlen(name);
    *archive = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        *archive |= length > strlen(endings[i]) && strcasecmp(name + length - strlen(endings[i]), endings[i]) == 0;
    const char *inside = strcasestr(name, ".cu.");
    return *archive || (inside && inside > name);
}

/* "04-Scan (1)" is "04_scan". */
static void plain_stem(const char *start, size_t length, char stem[128])
{
    size_t used = 0;
    while (length > 0 && start[length - 1] == ' ')
        length--;
    if (length > 3 && start[length - 1] == ')') { /* what browsers add to a second download */
        size_t open = length - 2;
        while (open > 0 && isdigit((unsigned char)start[open]))
            open--;
        if (start[open] == '(' && open + 2 < length)
            length = open;
        while (length > 0 && start[length - 1] == ' ')
            length--;
    }
    for (size_t i = 0; i < length && used < 127; i++)
        stem[used++] = start[i] == '-' || start[i] == ' ' ? '_' : (char)tolower((unsigned char)start[i]);
    stem[used] = '\0';
}

/* The file's name, then the folders, the innermost first. */
static const struct lab *find_by_path(const char *path, enum strength *strength)
{
    char stem[128];
    const char *end = path + strlen(path);
    for (*strength = BY_NAME; end > path; *strength = BY_FOLDER) {
        const char *start = end;
        while (start > path && start[-1] != '/')
            start--;
        /* The outermost folder is the student's: its name says nothing about labs. */
        if (start == path)
            break;
        bool source = *strength == BY_NAME && recognise_is_source(start);
        plain_stem(start, (size_t)(end - start) - (source ? 3 : 0), stem);
        const struct lab *lab = labs_find(stem);
        if (lab)
            return lab;
        end = start - 1;
    }
    *strength = BY_NOTHING;
    return NULL;
}

static bool has_word(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length) {
        bool begins = at == text || (!isalnum((unsigned char)at[-1]) && at[-1] != '_');
        bool ends = !isalnum((unsigned char)at[length]) && at[length] != '_';
        if (begins && ends)
            return true;
    }
    return false;
}

static bool has_plan(const struct lab *lab, const struct lab_plan *plan, const char *source)
{
    for (int i = 0; i < plan->kernel_count; i++)
        if (!has_word(source, lab->kernels[plan->kernels[i]].name))
            return false;
    return plan->kernel_count > 0;
}

/* The only lab of the course whose kernels are in the source. */
static const struct lab *find_by_kernels(const struct course *course, const char *source)
{
    const struct lab *found = NULL;
    if (!source || !has_word(source, "__global__"))
        return NULL;
    for (int i = 0; i < course->lab_count; i++) {
        const struct lab *lab = course->labs[i].lab;
        bool match = false;
        for (int k = 0; k < lab->plan_count; k++)
            match |= has_plan(lab, &lab->plans[k], source);
        if (match && found)
            return NULL;
        found = match ? lab : found;
    }
    return found;
}

static struct recognise_file *add_file(struct recognise_list *files, const char *path)
{
    files->list = allocate_grown(files->list, &files->capacity, files->count + 1, sizeof *files->list);
    struct recognise_file *file = &files->list[files->count++];
    memset(file, 0, sizeof *file);
    file->path = allocate_text(path, strlen(path));
    file->lab = find_by_path(path, &file->strength);
    return file;
}

void recognise_add(struct recognise_list *files, const char *path, const struct submission *submission, int64_t mtime,
                   int64_t submitted)
{
    struct recognise_file *file = add_file(files, path);
    memcpy(file->sha256, submission->sha256, sizeof file->sha256);
    file->mtime = mtime;
    file->submitted = submitted;
    if (!file->lab && (file->lab = find_by_kernels(files->course, submission->source)))
        file->strength = BY_KERNELS;
}

void recognise_refuse(struct recognise_list *files, const char *path, enum problem_code why)
{
    struct recognise_file *file = add_file(files, path);
    file->refused = true;
    file->anything = why == PROBLEM_unreadable && !recognise_is_source(path);
}

/* ---- which one is graded ------------------------------------------------------------------------------------------ */

/* Is the file what the kit gives to everyone: "labs", the skeleton, or "solutions"? */
static bool is_of_kit(const struct recognise_file *file, const struct lab *lab, const char *folder)
{
    static struct {
        const struct lab *lab;
        const char *folder;
        char sha256[65];
    } known[64];
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (!known[i].lab) {
            char path[KIT_PATH_BYTES];
            struct submission submission;
            kit_lab_file(lab, folder, "", path);
            submission_read(path, &submission);
            known[i].lab = lab;
            known[i].folder = folder;
            memcpy(known[i].sha256, submission.sha256, sizeof known[i].sha256);
            submission_clear(&submission);
        }
        if (known[i].lab == lab && strcmp(known[i].folder, folder) == 0)
            return file->sha256[0] != '\0' && strcmp(known[i].sha256, file->sha256) == 0;
    }
    return false;
}

/* Takes out of candidates[0, count) what is not the student's own, as long as something remains. Returns how many do. */
static int leave_out_kit(const struct recognise_file **candidates, int count, const struct lab *lab, const char *folder)
{
    int own = 0;
    for (int i = 0; i < count; i++)
        own += !is_of_kit(candidates[i], lab, folder);
    if (own == 0)
        return count;
    own = 0;
    for (int i = 0; i < count; i++)
        if (!is_of_kit(candidates[i], lab, folder))
            candidates[own++] = candidates[i];
    return own;
}

/* One of each content. */
static int leave_out_copies(const struct recognise_file **candidates, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        bool copy = false;
        for (int k = 0; k < kept && !copy; k++)
            copy = candidates[i]->sha256[0] != '\0' && strcmp(candidates[k]->sha256, candidates[i]->sha256) == 0;
        if (!copy)
            candidates[kept++] = candidates[i];
    }
    return kept;
}

static int find_candidates(const struct recognise_list *files, const struct lab *lab,
                           const struct recognise_file **candidates)
{
    enum strength best = BY_NOTHING;
    int count = 0;
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].lab == lab && !files->list[i].refused && files->list[i].strength > best)
            best = files->list[i].strength;
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].lab == lab && !files->list[i].refused && files->list[i].strength == best)
            candidates[count++] = &files->list[i];
    count = leave_out_kit(candidates, count, lab, "labs");
    count = leave_out_kit(candidates, count, lab, "solutions");
    return leave_out_copies(candidates, count);
}

static void complain_of_several(struct student *student, const struct lab *lab, const struct recognise_file **candidates,
                                int count)
{
    char *list = NULL;
    size_t bytes = 0;
    FILE *text = open_memstream(&list, &bytes);
    for (int i = 0; i < count && i < 5; i++)
        fprintf(text, "%s%s", i == 0 ? "" : i + 1 == count ? " and " : ", ", candidates[i]->path);
    if (count > 5)
        fprintf(text, " and %d more", count - 5);
    fclose(text);
    problems_add(&student->problems, PROBLEM_two_files, candidates[0]->path,
                 "%d different files are for %s: %s. None was graded. Keep only one of them.", count, lab->name, list);
    free(list);
}

static void take(struct student *student, struct class_entry *entry, const struct lab *lab,
                 const struct recognise_file *file)
{
    entry->state = ENTRY_WAITING;
    entry->path = allocate_text(file->path, strlen(file->path));
    memcpy(entry->sha256, file->sha256, sizeof entry->sha256);
    entry->mtime = file->mtime;
    entry->submitted_file = file->submitted;
    if (file->strength == BY_KERNELS)
        problems_add(
            &student->problems, PROBLEM_recognised_by_kernels, file->path,
            "Neither its name nor its folder says so, but its kernels are those of %s, so it was graded for that lab.",
            lab->name);
    if (is_of_kit(file, lab, "solutions"))
        problems_add(&student->problems, PROBLEM_the_solution, file->path,
                     "This is the kit's own solution of %s, byte for byte.", lab->name);
}

/* Could a file for the lab be in what was not read? */
static bool may_be_unread(const struct recognise_list *files, const struct student *student, const struct lab *lab)
{
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].refused && (files->list[i].lab == lab || files->list[i].anything))
            return true;
    for (size_t i = 0; i < student->problems.count; i++)
        if (problem_weight(student->problems.list[i].code) == PROBLEM_WEIGHT_STUDENT)
            return true;
    return false;
}

static void settle_lab(const struct recognise_list *files, struct student *student, int index,
                       const struct recognise_file **candidates)
{
    const struct lab *lab = files->course->labs[index].lab;
    struct class_entry *entry = &student->entries[index];
    int count = find_candidates(files, lab, candidates);
    if (count == 1) {
        take(student, entry, lab, candidates[0]);
    } else if (count > 1) {
        entry->state = ENTRY_PROBLEM;
        complain_of_several(student, lab, candidates, count);
    } else if (may_be_unread(files, student, lab)) {
        entry->state = ENTRY_PROBLEM;
    }
}

void recognise_settle(struct recognise_list *files, struct student *student)
{
    const struct recognise_file **candidates = allocate_zeroed((files->count + 1) * sizeof *candidates);
    for (int i = 0; i < files->course->lab_count; i++)
        settle_lab(files, student, i, candidates);
    free(candidates);
    for (size_t i = 0; i < files->count; i++) {
        const struct recognise_file *file = &files->list[i];
        if (file->refused || (file->lab && course_find_lab(files->course, file->lab) >= 0))
            continue;
        if (file->lab)
            problems_add(&student->problems, PROBLEM_lab_unknown, file->path, "%s is not a lab of this course.",
                         file->lab->name);
        else
            problems_add(&student->problems, PROBLEM_lab_unknown, file->path,
                         "Neither its name, its folder nor its kernels match a lab of this course. It was not graded.");
    }
}

void recognise_clear(struct recognise_list *files)
{
    for (size_t i = 0; i < files->count; i++)
        free(files->list[i].path);
    free(files->list);
    memset(files, 0, sizeof *files);
}
