#include "grader/class/late.h"

#include <math.h>
#include <stdlib.h>

#include "grader/base/allocate.h"

#define DAY_SECONDS 86400

int64_t late_due(const struct course *course, int lab, const struct class_entry *entry)
{
    return entry->extended != 0 ? entry->extended : course->labs[lab].has_due ? course->labs[lab].due : INT64_MAX;
}

void late_judge(const struct course *course, int lab, int64_t now, struct class_entry *entry)
{
    const struct course_lab *row = &course->labs[lab];
    bool has_due = row->has_due || entry->extended != 0;
    int64_t due = late_due(course, lab, entry);
    entry->late_seconds = entry->late_days = 0;
    entry->penalty = 0;
    if (has_due && entry->has_submitted && entry->submitted > due) {
        int64_t beyond = entry->submitted - due - 60LL * course->grace_minutes;
        entry->late_seconds = entry->submitted - due;
        entry->late_days = beyond > 0 ? (beyond + DAY_SECONDS - 1) / DAY_SECONDS : 0;
        /* More days than this cost everything at the smallest rate: no product overflows. */
        int64_t charged = entry->is_excused ? 0 : entry->late_days - entry->free_days;
        int64_t days = charged < 10000 ? charged : 10000;
        int64_t penalty = days * course->percent_per_day;
        entry->penalty = (int32_t)(penalty < course->cap_percent ? penalty : course->cap_percent);
    }
    if (entry->state == ENTRY_MISSING && has_due && now <= due + 60LL * course->grace_minutes)
        entry->state = ENTRY_NOT_DUE;
    int64_t points = entry->is_decided ? entry->decided_score : entry->score;
    points = points * (10000 - entry->penalty) / 10000;
    points = points < entry->max_score ? points : entry->max_score;
    entry->final_score = (int)points + (entry_has_score(entry) ? entry->bonus : 0);
}

/* The student's labs in the order in which they are due; those without a due date last, in the course's order. */
static void sort_by_due(const struct course *course, const struct student *student, int *order)
{
    for (int i = 0; i < course->lab_count; i++) {
        int at = i;
        int64_t due = late_due(course, i, &student->entries[i]);
        for (; at > 0 && late_due(course, order[at - 1], &student->entries[order[at - 1]]) > due; at--)
            order[at] = order[at - 1];
        order[at] = i;
    }
}

void late_judge_student(const struct course *course, int64_t now, struct student *student)
{
    int *order = allocate_zeroed((size_t)(course->lab_count + 1) * sizeof *order);
    sort_by_due(course, student, order);
    student->late_days_used = 0;
    for (int i = 0; i < course->lab_count; i++) {
        struct class_entry *entry = &student->entries[order[i]];
        entry->free_days = 0;
        late_judge(course, order[i], now, entry);
        int64_t left = student->late_days_all - student->late_days_used;
        if (entry->late_days == 0 || left <= 0 || entry->is_excused || entry->is_exempt)
            continue;
        entry->free_days = entry->late_days < left ? entry->late_days : left;
        student->late_days_used += entry->free_days;
        late_judge(course, order[i], now, entry);
    }
    free(order);
}

/* Is the lab part of the student's percentage, as far as it is due? */
static bool counts(const struct course *course, const struct student *student, int lab)
{
    const struct class_entry *entry = &student->entries[lab];
    return course->labs[lab].weight > 0 && !entry->is_exempt && (entry->state != ENTRY_NOT_DUE || entry->is_decided);
}

/* Compares final / max of two entries without dividing. */
static bool is_lower(const struct class_entry *left, const struct class_entry *right)
{
    return (int64_t)left->final_score * right->max_score < (int64_t)right->final_score * left->max_score;
}

static void drop_one(const struct course *course, struct student *student)
{
    struct class_entry *lowest = NULL;
    for (int i = course->lab_count - 1; i >= 0; i--) { /* of equal ones the last */
        struct class_entry *entry = &student->entries[i];
        if (!entry->dropped && counts(course, student, i) && entry_is_known(entry) && (!lowest || is_lower(entry, lowest)))
            lowest = entry;
    }
    if (lowest)
        lowest->dropped = true;
}

void late_count(const struct course *course, struct student *student)
{
    double points = 0, weights = 0;
    bool known = true;
    for (int i = 0; i < course->lab_count; i++)
        student->entries[i].dropped = false;
    for (int i = 0; i < course->drop_lowest; i++)
        drop_one(course, student);
    for (int i = 0; i < course->lab_count; i++) {
        const struct class_entry *entry = &student->entries[i];
        if (entry->dropped || !counts(course, student, i))
            continue;
        known = known && entry_is_known(entry);
        weights += course->labs[i].weight;
        points += (double)course->labs[i].weight * entry->final_score / (entry->max_score > 0 ? entry->max_score : 1);
    }
    /* A bonus makes up for other labs, up to everything. */
    student->percent = known && weights > 0 ? fmin(round(points / weights * 10000) / 100, 100) : NAN;
}
