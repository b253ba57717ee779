#include "grader/class/decided.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/class/late.h"
#include "grader/class/scan.h"
#include "grader/result/result_json.h"

#define DAY_SECONDS 86400

static bool is_for(const struct decision *decision, int lab)
{
    return decision->lab == lab || (decision->lab == DECISIONS_EVERY_LAB && !decision_has_no_lab(decision->what));
}

/* The student's last line of that kind for the lab; NULL. */
static const struct decision *find_last(const struct decisions *decisions, const struct student *student, int lab,
                                        enum decision_what what)
{
    const struct decision *found = NULL;
    for (size_t i = 0; i < student->decision_count; i++) {
        const struct decision *decision = &decisions->list[student->decision_first + i];
        if (decision->what == what && is_for(decision, lab))
            found = decision;
    }
    return found;
}

/* The sum of all lines of that kind for the lab. */
static int64_t add_up(const struct decisions *decisions, const struct student *student, int lab, enum decision_what what)
{
    int64_t sum = 0;
    for (size_t i = 0; i < student->decision_count; i++) {
        const struct decision *decision = &decisions->list[student->decision_first + i];
        if (decision->what == what && (lab == DECISIONS_EVERY_LAB || is_for(decision, lab)))
            sum += decision->number;
    }
    return sum;
}

/* ---- groups ------------------------------------------------------------------------------------------------------- */

/* A student in a group. */
struct member {
    char *group; /* plain name; owned */
    struct student *student;
};

static int compare_members(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int order = strcmp(a->group, b->group);
    return order != 0 ? order : strcmp(a->student->id, b->student->id);
}

/* Everybody who has a group for the lab, by group. Returns [*count]; clear_members. */
static struct member *list_members(struct class *class, const struct decisions *decisions, const struct groups *groups,
                                   int lab, size_t *count)
{
    struct member *members = NULL;
    size_t capacity = 0;
    *count = 0;
    for (size_t i = 0; i < class->count; i++) {
        const struct decision *decision = find_last(decisions, &class->students[i], lab, DECISION_group);
        const struct class_entry *entry = &class->students[i].entries[lab];
        const char *group = decision ? decision->value : entry->path ? groups_find(groups, i, entry->path) : NULL;
        if (!group)
            continue;
        members = allocate_grown(members, &capacity, *count + 1, sizeof *members);
        members[(*count)++] = (struct member){class_plain_name(group), &class->students[i]};
    }
    if (*count > 0)
        qsort(members, *count, sizeof *members, compare_members);
    return members;
}

static void clear_members(struct member *members, size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(members[i].group);
    free(members);
}

/* Where the group of members[first] ends. */
static size_t find_end(const struct member *members, size_t count, size_t first)
{
    size_t end = first;
    while (end < count && strcmp(members[end].group, members[first].group) == 0)
        end++;
    return end;
}

static bool is_about_lab(const struct problem *problem, const void *context)
{
    return problem->lab == *(const int *)context;
}

static bool is_only_file(const struct problem *problem, const void *context)
{
    (void)context;
    return problem->code == PROBLEM_no_lab_file && problem->is_only;
}

/* A file for the lab is settled: what was in doubt about it no longer is. */
static void settle(struct student *student, const struct course *course, int lab)
{
    bool was_nothing = false, in_doubt = false;
    problems_remove(&student->problems, is_about_lab, &lab);
    for (size_t i = 0; i < student->problems.count; i++) {
        const struct problem *problem = &student->problems.list[i];
        enum problem_weight weight = problem_weight(problem->code);
        was_nothing |= is_only_file(problem, NULL);
        in_doubt |= !is_only_file(problem, NULL) && (weight == PROBLEM_WEIGHT_LAB || weight == PROBLEM_WEIGHT_STUDENT);
    }
    /* The only file that was handed in is for this lab: the others are missing. With more files they stay in doubt. */
    problems_remove(&student->problems, is_only_file, NULL);
    for (int i = 0; i < course->lab_count && was_nothing && !in_doubt; i++)
        if (student->entries[i].state == ENTRY_PROBLEM)
            student->entries[i].state = ENTRY_MISSING;
}

static void share(const struct course *course, int lab, struct student *student, const struct student *source)
{
    struct class_entry *to = &student->entries[lab];
    const struct class_entry *from = &source->entries[lab];
    free(to->path);
    settle(student, course, lab);
    *to = (struct class_entry){.state = ENTRY_WAITING,
                               .path = allocate_text(from->path, strlen(from->path)),
                               .mtime = from->mtime,
                               .submitted_file = from->submitted_file,
                               .has_submitted = from->has_submitted,
                               .submitted = from->submitted,
                               .shared_from = source->id};
    memcpy(to->sha256, from->sha256, sizeof to->sha256);
}

static void doubt(struct student *student, int lab, const char *format, const char *name)
{
    struct class_entry *entry = &student->entries[lab];
    free(entry->path);
    entry->path = NULL;
    entry->state = ENTRY_PROBLEM;
    problems_add(&student->problems, PROBLEM_group_in_doubt, NULL, format, name);
    problems_set_lab(&student->problems, lab);
}

/* The member whose file counts: the one whom an `accept` names, else the only one, or the first of those who handed in
 * the same. NULL: nobody, or *in_doubt. */
static struct student *find_source(const struct decisions *decisions, const struct member *members, size_t count, int lab,
                                   bool *in_doubt)
{
    struct student *source = NULL;
    int accepted = 0;
    *in_doubt = false;
    for (size_t i = 0; i < count; i++) {
        const struct decision *decision = find_last(decisions, members[i].student, lab, DECISION_accept);
        if (decision && decision->line > accepted) {
            accepted = decision->line;
            source = members[i].student;
        }
    }
    for (size_t i = 0; i < count && accepted == 0; i++) {
        const struct class_entry *entry = &members[i].student->entries[lab], *other = source ? &source->entries[lab] : NULL;
        *in_doubt |= entry->state == ENTRY_PROBLEM;
        if (entry->state != ENTRY_WAITING)
            continue;
        *in_doubt |= other && (entry->sha256[0] == '\0' || strcmp(entry->sha256, other->sha256) != 0);
        bool earlier = other && entry->has_submitted && other->has_submitted && entry->submitted < other->submitted;
        source = !other || earlier ? members[i].student : source;
    }
    return *in_doubt ? NULL : source;
}

static void share_group(const struct course *course, const struct decisions *decisions, const struct member *members,
                        size_t count, int lab)
{
    bool in_doubt;
    const struct student *source = find_source(decisions, members, count, lab, &in_doubt);
    for (size_t i = 0; i < count; i++)
        if (in_doubt)
            doubt(
                members[i].student, lab,
                "The members of the group handed in different files for %s, or one whose file is in doubt. None is graded: "
                "decide which with `accept`.",
                course->labs[lab].lab->name);
        else if (source && members[i].student != source)
            share(course, lab, members[i].student, source);
}

void decided_share(struct class *class, const struct decisions *decisions, const struct groups *groups)
{
    for (int lab = 0; lab < class->course->lab_count && decisions->count + groups->count > 0; lab++) {
        size_t count;
        struct member *members = list_members(class, decisions, groups, lab, &count);
        for (size_t first = 0, end; first < count; first = end) {
            end = find_end(members, count, first);
            share_group(class->course, decisions, members + first, end - first, lab);
        }
        clear_members(members, count);
    }
}

/* ---- accepted files ----------------------------------------------------------------------------------------------- */

static bool is_folder_of(const struct student *student, const char *path)
{
    for (size_t i = 0; i < student->folder_count; i++) {
        size_t length = strlen(student->folders[i]);
        if (strncmp(path, student->folders[i], length) == 0 && path[length] == '/')
            return true;
    }
    return false;
}

/* Is the path in a folder of the student, or of a member of the student's group? */
static bool is_allowed(struct class *class, const struct decisions *decisions, const struct groups *groups,
                       const struct student *student, int lab, const char *path)
{
    if (is_folder_of(student, path))
        return true;
    const struct decision *mine = find_last(decisions, student, lab, DECISION_group);
    const struct class_entry *entry = &student->entries[lab];
    const char *name = mine          ? mine->value
                       : entry->path ? groups_find(groups, (size_t)(student - class->students), entry->path)
                                     : NULL;
    char *group = name ? class_plain_name(name) : NULL;
    bool allowed = group && groups_has(groups, group, path);
    for (size_t i = 0; i < class->count && group && !allowed; i++) {
        const struct decision *theirs = find_last(decisions, &class->students[i], lab, DECISION_group);
        char *other = theirs ? class_plain_name(theirs->value) : NULL;
        allowed = other && strcmp(other, group) == 0 && is_folder_of(&class->students[i], path);
        free(other);
    }
    free(group);
    return allowed;
}

/* The file as it is meant: from SUBMISSIONS, or from a folder of the student. */
static bool accept_file(struct class *class, const struct decisions *decisions, const struct groups *groups,
                        struct student *student, const struct decision *decision, char *message, size_t message_bytes)
{
    const char *path = decision->value;
    if (is_allowed(class, decisions, groups, student, decision->lab, path))
        return scan_accept(class, student, path, &student->entries[decision->lab], message, message_bytes);
    bool good = false;
    snprintf(message, message_bytes, "%.200s has no folder, so %.300s cannot be there", student->id, path);
    for (size_t i = 0; i < student->folder_count && !good; i++) {
        char *inside = allocate_format("%s/%s", student->folders[i], path);
        good = scan_accept(class, student, inside, &student->entries[decision->lab], message, message_bytes);
        free(inside);
    }
    return good;
}

int decided_accept(struct class *class, const struct decisions *decisions, const struct groups *groups, FILE *errors)
{
    int count = 0;
    char message[1024];
    for (size_t i = 0; i < class->count; i++)
        for (int lab = 0; lab < class->course->lab_count; lab++) {
            struct student *student = &class->students[i];
            const struct decision *decision = find_last(decisions, student, lab, DECISION_accept);
            if (!decision)
                continue;
            if (accept_file(class, decisions, groups, student, decision, message, sizeof message)) {
                settle(student, class->course, lab);
                continue;
            }
            fprintf(errors, "%s:%d: column value: %s. Expected: a file in a folder of the student, as in \"%s/FILE\".\n",
                    decisions->file, decision->line, message, student->folder_count > 0 ? student->folders[0] : student->id);
            count++;
        }
    return count;
}

/* ---- points ------------------------------------------------------------------------------------------------------- */

static json_t *text_or_null(const char *text)
{
    return text[0] != '\0' ? result_json_text(text) : json_null();
}

static json_t *line_json(const struct decision *decision)
{
    char *words = decision_words(decision);
    json_t *line = json_pack("{s:i,s:s,s:o,s:o,s:o,s:o,s:b,s:o}", "line", decision->line, "what",
                             decision_name(decision->what), "value", text_or_null(decision->value), "by",
                             text_or_null(decision->by), "why", text_or_null(decision->why), "date",
                             text_or_null(decision->date), "private", decision->is_private, "words", text_or_null(words));
    free(words);
    return line;
}

static void list_line(json_t **list, const struct decision *decision)
{
    if (!*list)
        *list = json_array();
    json_array_append_new(*list, line_json(decision));
}

/* Every line is shown where it belongs: with its lab, or with the student. */
static void list_lines(const struct decisions *decisions, struct student *student)
{
    for (size_t i = 0; i < student->decision_count; i++) {
        const struct decision *decision = &decisions->list[student->decision_first + i];
        list_line(decision->lab >= 0 ? &student->entries[decision->lab].decisions : &student->decisions, decision);
    }
}

static void extend(const struct course *course, int lab, const struct decision *decision, struct class_entry *entry)
{
    const struct course_lab *row = &course->labs[lab];
    if (decision->is_relative)
        entry->extended = row->has_due ? row->due + DAY_SECONDS * decision->number : 0;
    else if (decision->lab == lab || (row->has_due && decision->number > row->due))
        entry->extended = decision->number; /* for every lab: never earlier than its own */
}

/* Before lateness: due dates, and what lateness may cost. */
static void set_dues(const struct course *course, const struct decisions *decisions, struct student *student)
{
    student->late_days_all = course->budget_days + add_up(decisions, student, DECISIONS_EVERY_LAB, DECISION_late_days);
    for (int lab = 0; lab < course->lab_count; lab++) {
        struct class_entry *entry = &student->entries[lab];
        const struct decision *extension = find_last(decisions, student, lab, DECISION_extension);
        if (extension)
            extend(course, lab, extension, entry);
        entry->is_excused = find_last(decisions, student, lab, DECISION_excuse) != NULL;
        entry->is_exempt = find_last(decisions, student, lab, DECISION_exempt) != NULL;
        entry->bonus = (int)add_up(decisions, student, lab, DECISION_bonus);
    }
}

static void set_points(const struct course *course, const struct decisions *decisions, struct student *student)
{
    for (int lab = 0; lab < course->lab_count; lab++) {
        struct class_entry *entry = &student->entries[lab];
        const struct decision *score = find_last(decisions, student, lab, DECISION_score);
        int64_t added = add_up(decisions, student, lab, DECISION_add);
        int64_t points = score ? score->number : entry->score;
        /* What is not known, or not due, has no points that something could be added to. */
        if (!score && (added == 0 || !entry_has_score(entry)))
            continue;
        entry->is_decided = true;
        entry->decided_score = (int)(points + added > 0 ? points + added : 0);
    }
}

static void list_requests(const struct course *course, const struct decisions *decisions, struct student *student)
{
    for (size_t i = 0; i < student->decision_count; i++) {
        const struct decision *request = &decisions->list[student->decision_first + i];
        bool answered = request->what != DECISION_request;
        for (size_t k = i + 1; k < student->decision_count && !answered; k++) {
            const struct decision *answer = &decisions->list[student->decision_first + k];
            answered = answer->what == DECISION_answer && answer->lab == request->lab;
        }
        if (!answered)
            problems_add(
                &student->problems, PROBLEM_regrade_request, NULL, "A regrade of %s is requested: \"%s\" (line %d).",
                request->lab >= 0 ? course->labs[request->lab].lab->name : "the course", request->value, request->line);
    }
}

void decided_score(struct class *class, const struct decisions *decisions, int64_t now)
{
    for (size_t i = 0; i < class->count; i++) {
        struct student *student = &class->students[i];
        set_dues(class->course, decisions, student);
        late_judge_student(class->course, now, student); /* says what is not due */
        set_points(class->course, decisions, student);
        late_judge_student(class->course, now, student);
        list_lines(decisions, student);
        list_requests(class->course, decisions, student);
    }
}

json_t *decided_json(const struct decisions *decisions)
{
    const char *name = class_last_part(decisions->file);
    return json_pack("{s:o,s:s,s:I}", "file", result_json_text(name), "sha256", decisions->sha256, "lines",
                     (json_int_t)decisions->count);
}
