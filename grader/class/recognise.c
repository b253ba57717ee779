#include "grader/class/recognise.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/allocate.h"
#include "grader/class/kit_files.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"

/* How surely a file is for a lab. A surer one rules the others out: in a lab's folder, notes.cu is less sure than NAME.cu, and
 * labs/NAME/NAME.cu is where a course says that the work belongs. */
enum strength { BY_NOTHING, BY_BEING_ALONE, BY_KERNELS, BY_FOLDER, BY_NUMBERED_NAME, BY_NAME, BY_PLACE };

struct recognise_file {
    char *path;
    char sha256[65];
    int64_t mtime, submitted;
    const struct lab *lab; /* NULL: none */
    enum strength strength;
    bool skeleton;  /* of its lab, as everybody gets it */
    bool solution;  /* the kit's own, byte for byte */
    bool refused;   /* not read */
    bool anything;  /* a folder that was not read: files for any lab may be in it */
    bool offered;   /* refused for its ending alone */
    bool kernels;   /* offered, and the lab's kernels are in it */
    char *includes; /* a line for each header that it includes in quotes, without folders; NULL: none; owned */
};

static bool ends_in(const char *name, const char *ending)
{
    size_t length = strlen(name), end = strlen(ending);
    return length > end && strcasecmp(name + length - end, ending) == 0;
}

static bool is_source(const char *name)
{
    bool wanted = ends_in(name, ".cu");
    for (int i = 0; i < labs_count() && !wanted && ends_in(name, ".c"); i++)
        wanted = strcmp(kit_source_ending(labs_get(i)), ".c") == 0;
    return wanted;
}

enum recognise_kind recognise_kind_of(const char *name)
{
    static const struct {
        const char *ending;
        enum recognise_kind kind;
    } endings[] = {
        {".zip", RECOGNISE_ARCHIVE},      {".tar", RECOGNISE_ARCHIVE},      {".gz", RECOGNISE_ARCHIVE},
        {".tgz", RECOGNISE_ARCHIVE},      {".bz2", RECOGNISE_ARCHIVE},      {".xz", RECOGNISE_ARCHIVE},
        {".zst", RECOGNISE_ARCHIVE},      {".7z", RECOGNISE_ARCHIVE},       {".rar", RECOGNISE_ARCHIVE},
        {".cpp", RECOGNISE_OTHER_ENDING}, {".cc", RECOGNISE_OTHER_ENDING},  {".cxx", RECOGNISE_OTHER_ENDING},
        {".c", RECOGNISE_OTHER_ENDING},   {".cuh", RECOGNISE_OTHER_ENDING}, {".h", RECOGNISE_OTHER_ENDING},
        {".hpp", RECOGNISE_OTHER_ENDING}, {".hip", RECOGNISE_OTHER_ENDING}, {".txt", RECOGNISE_OTHER_ENDING},
        {".ipynb", RECOGNISE_DOCUMENT},   {".rtf", RECOGNISE_DOCUMENT},     {".doc", RECOGNISE_DOCUMENT},
        {".docx", RECOGNISE_DOCUMENT},    {".odt", RECOGNISE_DOCUMENT},     {".pdf", RECOGNISE_DOCUMENT},
    };
    if (is_source(name))
        return RECOGNISE_SOURCE;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (ends_in(name, endings[i].ending))
            return endings[i].kind;
    const char *inside = strcasestr(name, ".cu.");
    bool other = (inside && inside > name) || !strchr(name, '.'); /* "scan.cu.txt", and "scan" */
    return other ? RECOGNISE_OTHER_ENDING : RECOGNISE_OTHER;
}

/* How much of a file's name comes before its ending; of "scan.cu.txt", before ".cu". */
static size_t stem_length(const char *name)
{
    const char *inside = strcasestr(name, ".cu."), *ending = strrchr(name, '.');
    if (recognise_kind_of(name) == RECOGNISE_OTHER || !ending || ending == name)
        return strlen(name);
    return (size_t)((inside && inside > name ? inside : ending) - name);
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

/* Is the file at labs/NAME/NAME.cu, in the submission or in a folder of it? end: where the name of the file begins. */
static bool is_in_place(const char *path, const char *end, const struct lab *lab)
{
    char stem[128];
    const char *labs;
    if (end == path)
        return false;
    const char *start = end - 1;
    while (start > path && start[-1] != '/')
        start--;
    plain_stem(start, (size_t)(end - 1 - start), stem);
    labs = start - strlen("labs/");
    return labs > path && labs[-1] == '/' && strncmp(labs, "labs/", strlen("labs/")) == 0 && labs_find(stem) == lab;
}

/* Canvas calls what is handed in again "scan-1.cu": the lab of the stem without that number. */
static const struct lab *find_without_number(char *stem)
{
    size_t length = strlen(stem), digits = 0;
    while (digits < length && isdigit((unsigned char)stem[length - digits - 1]))
        digits++;
    if (digits < 1 || digits > 2 || length < digits + 2 || stem[length - digits - 1] != '_')
        return NULL;
    stem[length - digits - 1] = '\0';
    return labs_find(stem);
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
        plain_stem(start, *strength == BY_NAME ? stem_length(start) : (size_t)(end - start), stem);
        const struct lab *lab = labs_find(stem);
        if (!lab && *strength == BY_NAME && (lab = find_without_number(stem))) {
            *strength = BY_NUMBERED_NAME;
            return lab;
        }
        if (lab) {
            if (*strength == BY_NAME && is_in_place(path, start, lab))
                *strength = BY_PLACE;
            return lab;
        }
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

/* The names in #include "…", without folders, a line each. Owned by the caller; NULL: there is none. */
static char *quoted_includes(const char *source)
{
    char *list = NULL;
    size_t bytes = 0, count = 0;
    FILE *text = open_memstream(&list, &bytes);
    for (const char *line = source; line && *line != '\0'; line += strcspn(line, "\n"), line += *line == '\n') {
        char name[256];
        if (sscanf(line, " # include \"%255[^\"\n]\"", name) == 1) {
            fprintf(text, "%s\n", class_last_part(name));
            count++;
        }
    }
    fclose(text);
    if (count == 0) {
        free(list);
        return NULL;
    }
    return list;
}

static bool has_line(const char *lines, const char *wanted)
{
    size_t length = strlen(wanted);
    for (const char *line = lines; line && *line != '\0'; line += strcspn(line, "\n") + 1)
        if (strcspn(line, "\n") == length && strncmp(line, wanted, length) == 0)
            return true;
    return false;
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
    file->skeleton = file->lab && kit_files_is_skeleton(file->lab, submission->source);
    file->solution = file->lab && kit_files_is_solution(file->lab, submission->sha256);
    file->includes = quoted_includes(submission->source);
}

void recognise_refuse(struct recognise_list *files, const char *path, enum problem_code why)
{
    struct recognise_file *file = add_file(files, path);
    file->refused = true;
    file->anything = why == PROBLEM_unreadable && recognise_kind_of(path) == RECOGNISE_OTHER;
}

bool recognise_offer(struct recognise_list *files, const char *path, const struct submission *submission)
{
    enum strength strength;
    const char *source = submission ? submission->source : NULL;
    if (ends_in(path, ".h") || ends_in(path, ".cuh") || ends_in(path, ".hpp")) {
        files->headers = allocate_grown(files->headers, &files->header_capacity, files->header_count + 1,
                                        sizeof *files->headers);
        files->headers[files->header_count++] = allocate_text(path, strlen(path));
    }
    const struct lab *by_kernels = find_by_kernels(files->course, source), *by_path = find_by_path(path, &strength);
    if (!by_kernels && (!by_path || strength < BY_NAME))
        return false;
    struct recognise_file *file = add_file(files, path);
    file->refused = file->offered = true;
    file->kernels = by_kernels != NULL;
    file->lab = by_kernels ? by_kernels : by_path;
    return true;
}

void recognise_note(struct recognise_list *files, const char *path)
{
    if (files->other_count < RECOGNISE_NAMED_MAX)
        files->others[files->other_count] = allocate_text(path, strlen(path));
    files->other_count++;
}

/* ---- which one is graded ------------------------------------------------------------------------------------------ */

static bool is_of_kit(const struct recognise_file *file)
{
    return file->skeleton || file->solution;
}

static bool is_skeleton(const struct recognise_file *file)
{
    return file->skeleton;
}

/* Takes those out of candidates[0, count) that are `given`, as long as something remains. Returns how many do. */
static int leave_out(const struct recognise_file **candidates, int count, bool (*given)(const struct recognise_file *file))
{
    int own = 0;
    for (int i = 0; i < count; i++)
        own += !given(candidates[i]);
    if (own == 0)
        return count;
    own = 0;
    for (int i = 0; i < count; i++)
        if (!given(candidates[i]))
            candidates[own++] = candidates[i];
    return own;
}

/* Keeps the surest. Returns how many are; *weaker: how many were not. */
static int leave_out_weaker(const struct recognise_file **candidates, int count, int *weaker)
{
    enum strength best = BY_NOTHING;
    int kept = 0;
    for (int i = 0; i < count; i++)
        best = candidates[i]->strength > best ? candidates[i]->strength : best;
    for (int i = 0; i < count; i++)
        if (candidates[i]->strength == best)
            candidates[kept++] = candidates[i];
    *weaker = best == BY_PLACE ? count - kept : 0;
    return kept;
}

/* One of each content: the surest, or of equally sure ones the first. */
static int leave_out_copies(const struct recognise_file **candidates, int count)
{
    int kept = 0;
    for (int i = 0; i < count; i++) {
        int same = 0;
        while (same < kept
               && (candidates[i]->sha256[0] == '\0' || strcmp(candidates[same]->sha256, candidates[i]->sha256) != 0))
            same++;
        if (same == kept)
            candidates[kept++] = candidates[i];
        else if (candidates[i]->strength > candidates[same]->strength)
            candidates[same] = candidates[i];
    }
    return kept;
}

static int find_candidates(const struct recognise_list *files, const struct lab *lab,
                           const struct recognise_file **candidates, int *weaker)
{
    int count = 0;
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].lab == lab && !files->list[i].refused)
            candidates[count++] = &files->list[i];
    count = leave_out(candidates, count, is_of_kit);
    count = leave_out(candidates, count, is_skeleton);
    count = leave_out_copies(candidates, count);
    return leave_out_weaker(candidates, count, weaker);
}

static void complain_of_several(const struct recognise_list *files, struct student *student, const struct lab *lab,
                                const struct recognise_file **candidates, int count)
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
                 "%d different files are for %s: %s. None is graded. Keep only one of them.", count, lab->name, list);
    problems_set_lab(&student->problems, course_find_lab(files->course, lab));
    free(list);
}

/* A submission is one file: a header that was handed in beside it is not found when it is compiled. */
static void tell_own_header(const struct recognise_list *files, struct problems *problems, const struct recognise_file *file)
{
    for (size_t i = 0; i < files->header_count; i++) {
        const char *name = class_last_part(files->headers[i]);
        if (!has_line(file->includes, name))
            continue;
        problems_add(
            problems, PROBLEM_own_header, file->path,
            "It includes %s, which was handed in as well. A submission is one file, so the compiler finds no header "
            "beside it. If the header counts, put its text in the place of the #include, and run this again.",
            name);
        return;
    }
}

static void take(const struct recognise_list *files, struct student *student, struct class_entry *entry,
                 const struct lab *lab, const struct recognise_file *file, int weaker)
{
    struct problems *problems = &student->problems;
    entry->state = ENTRY_WAITING;
    entry->path = allocate_text(file->path, strlen(file->path));
    memcpy(entry->sha256, file->sha256, sizeof entry->sha256);
    entry->mtime = file->mtime;
    entry->submitted_file = file->submitted;
    if (file->strength == BY_KERNELS)
        problems_add(
            problems, PROBLEM_recognised_by_kernels, file->path,
            "Neither its name nor its folder says so, but its kernels are those of %s, so it was graded for that lab.",
            lab->name);
    if (file->strength == BY_BEING_ALONE)
        problems_add(problems, PROBLEM_recognised_alone, file->path,
                     "Nothing in it says so, but it is the only file here, and %s the only lab: it was graded for that lab.",
                     lab->name);
    if (weaker > 0)
        problems_add(problems, PROBLEM_other_place, file->path,
                     "It is where the work for %s belongs, so it was graded. %d other file%s for the lab %s not.", lab->name,
                     weaker, weaker == 1 ? "" : "s", weaker == 1 ? "was" : "were");
    tell_own_header(files, problems, file);
    if (file->solution)
        problems_add(problems, PROBLEM_the_solution, file->path, "This is the kit's own solution of %s, byte for byte.",
                     lab->name);
}

/* What was not graded for its ending alone. A source that the student handed in besides makes .cpp and .h uninteresting; of
 * .cu.txt, nobody knows which of the two is meant. */
static void tell_offers(const struct recognise_list *files, struct student *student, const struct lab *lab, bool graded)
{
    for (size_t i = 0; i < files->count; i++) {
        const struct recognise_file *file = &files->list[i];
        const char *name = class_last_part(file->path);
        if (!file->offered || file->lab != lab || (graded && !strcasestr(name, ".cu.")))
            continue;
        if (file->kernels)
            problems_add(&student->problems, PROBLEM_other_ending, file->path,
                         "The kernels of %s are in it, but its name does not end in %s, so it is not graded. If it counts, "
                         "rename it to %s%s, and run this again.",
                         lab->name, kit_source_ending(lab), lab->name, kit_source_ending(lab));
        else
            problems_add(&student->problems, PROBLEM_other_ending, file->path,
                         "It has the name of %s, but does not end in %s, and the lab's kernels were not found in it. It is "
                         "not graded.",
                         lab->name, kit_source_ending(lab));
        problems_set_lab(&student->problems, course_find_lab(files->course, lab));
    }
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
    int weaker, count = find_candidates(files, lab, candidates, &weaker);
    entry->untouched = count == 1 && candidates[0]->skeleton;
    tell_offers(files, student, lab, count > 0 && !entry->untouched);
    if (count == 1 && !entry->untouched) {
        take(files, student, entry, lab, candidates[0], weaker);
    } else if (count > 1) {
        entry->state = ENTRY_PROBLEM;
        complain_of_several(files, student, lab, candidates, count);
    } else if (may_be_unread(files, student, lab)) {
        entry->state = ENTRY_PROBLEM;
    }
}

static void tell_untouched(const struct course *course, struct student *student)
{
    char *list = NULL;
    size_t bytes = 0;
    int count = 0;
    FILE *text = open_memstream(&list, &bytes);
    for (int i = 0; i < course->lab_count; i++)
        if (student->entries[i].untouched && student->entries[i].state == ENTRY_MISSING)
            fprintf(text, "%s%s", count++ > 0 ? ", " : "", course->labs[i].lab->name);
    fclose(text);
    if (count > 0)
        problems_add(&student->problems, PROBLEM_untouched, NULL, "Still the skeleton, so nothing was handed in: %s.", list);
    free(list);
}

/* Nothing was found for any lab of the course, and yet there are files. */
static void tell_no_lab_file(const struct recognise_list *files, struct student *student)
{
    char *list = NULL;
    size_t bytes = 0, named = 0;
    for (int i = 0; i < files->course->lab_count; i++)
        if (student->entries[i].state != ENTRY_MISSING || student->entries[i].untouched)
            return;
    for (size_t i = 0; i < files->count; i++)
        if (files->list[i].lab)
            return; /* of another course */
    if (files->count + files->other_count == 0)
        return;
    FILE *text = open_memstream(&list, &bytes);
    for (size_t i = 0; i < files->count && named < RECOGNISE_NAMED_MAX; i++)
        fprintf(text, "%s%s", named++ > 0 ? ", " : "", class_last_part(files->list[i].path));
    for (size_t i = 0; i < files->other_count && named < RECOGNISE_NAMED_MAX; i++)
        fprintf(text, "%s%s", named++ > 0 ? ", " : "", class_last_part(files->others[i]));
    fclose(text);
    problems_add(&student->problems, PROBLEM_no_lab_file, NULL,
                 "Something was handed in, but no file for a lab of this course: %s%s.", list,
                 files->count + files->other_count > named ? " and more" : "");
    student->problems.list[student->problems.count - 1].is_only = files->count + files->other_count == 1;
    free(list);
    for (int i = 0; i < files->course->lab_count; i++)
        student->entries[i].state = ENTRY_PROBLEM;
}

/* Files for no lab of the course: those of the kit's other labs in one sentence, and not at all while they are skeletons. */
static void tell_unknown(const struct recognise_list *files, struct student *student)
{
    char *list = NULL;
    size_t bytes = 0, count = 0;
    const struct lab *last = NULL;
    FILE *text = open_memstream(&list, &bytes);
    for (size_t i = 0; i < files->count; i++) {
        const struct recognise_file *file = &files->list[i];
        if (file->refused || (file->lab && course_find_lab(files->course, file->lab) >= 0))
            continue;
        if (!file->lab)
            problems_add(&student->problems, PROBLEM_lab_unknown, file->path,
                         "Neither its name, its folder nor its kernels match a lab of this course. It is not graded.");
        else if (file->lab != last && !file->skeleton) /* a folder's files come together */
            fprintf(text, "%s%s", count++ > 0 ? ", " : "", (last = file->lab)->name);
    }
    fclose(text);
    if (count > 0)
        problems_add(&student->problems, PROBLEM_lab_unknown, NULL, "%s: not %s of this course, so not graded.", list,
                     count == 1 ? "a lab" : "labs");
    free(list);
}

static void take_the_only_one(struct recognise_list *files)
{
    if (files->any_name && files->course->lab_count == 1 && files->count == 1 && !files->list[0].refused
        && !files->list[0].lab) {
        files->list[0].lab = files->course->labs[0].lab;
        files->list[0].strength = BY_BEING_ALONE;
    }
}

void recognise_settle(struct recognise_list *files, struct student *student)
{
    const struct recognise_file **candidates = allocate_zeroed((files->count + 1) * sizeof *candidates);
    take_the_only_one(files);
    for (int i = 0; i < files->course->lab_count; i++)
        settle_lab(files, student, i, candidates);
    free(candidates);
    tell_no_lab_file(files, student);
    tell_untouched(files->course, student);
    tell_unknown(files, student);
}

void recognise_clear(struct recognise_list *files)
{
    for (size_t i = 0; i < files->count; i++) {
        free(files->list[i].path);
        free(files->list[i].includes);
    }
    free(files->list);
    for (size_t i = 0; i < files->header_count; i++)
        free(files->headers[i]);
    free(files->headers);
    for (size_t i = 0; i < files->other_count && i < RECOGNISE_NAMED_MAX; i++)
        free(files->others[i]);
    memset(files, 0, sizeof *files);
}
