#include "grader/class/late.h"

#include <math.h>

#define DAY_SECONDS 86400

void late_judge(const struct course *course, int lab, struct class_entry *entry)
{
    const struct course_lab *row = &course->labs[lab];
    entry->late_seconds = entry->late_days = 0;
    entry->penalty = 0;
    if (row->has_due && entry->has_submitted && entry->submitted > row->due) {
        int64_t beyond = entry->submitted - row->due - 60LL * course->grace_minutes;
        entry->late_seconds = entry->submitted - row->due;
        entry->late_days = beyond > 0 ? (beyond + DAY_SECONDS - 1) / DAY_SECONDS : 0;
        /* More days than this cost everything at the smallest rate: no product overflows. */
        int64_t days = entry->late_days < 10000 ? entry->late_days : 10000;
        int64_t penalty = days * course->percent_per_day;
        entry->penalty = (int32_t)(penalty < course->cap_percent ? penalty : course->cap_percent);
    }
    entry->final_score = (int)((int64_t)entry->score * (10000 - entry->penalty) / 10000);
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
        if (!entry->dropped && course->labs[i].weight > 0 && entry_is_known(entry) && (!lowest || is_lower(entry, lowest)))
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
        if (entry->dropped || course->labs[i].weight == 0)
            continue;
        known = known && entry_is_known(entry);
        weights += course->labs[i].weight;
        points += (double)course->labs[i].weight * entry->final_score / (entry->max_score > 0 ? entry->max_score : 1);
    }
    student->percent = known && weights > 0 ? round(points / weights * 10000) / 100 : NAN;
}
