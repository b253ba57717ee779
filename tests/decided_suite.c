/* Decisions of people: the file is read, its mistakes are named, and each kind does what its row says, in the one order. */
#include "tests/support.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/class/decided.h"
#include "grader/class/decisions.h"
#include "grader/class/late.h"
#include "grader/class/outcome.h"
#include "grader/lab/labs.h"

#define HEADING "student,lab,what,value,by,why\n"

enum { DAY = 86400, DUE = 1000 * DAY };

/* A class of three students and three labs of 100 points: doublify due on day 1000, vector_add ten days later, pi never. */
struct room {
    struct course course;
    struct class class;
    struct decisions decisions;
    char *errors; /* of decisions_read */
    int mistakes;
};

static void open_room(struct room *room, const char *lines)
{
    static const char *const ids[] = {"ada", "bob", "cyd"};
    static const char *const labs[] = {"doublify", "vector_add", "pi"};
    memset(room, 0, sizeof *room);
    course_init(&room->course);
    for (int i = 0; i < 3; i++)
        room->course.labs[i] =
            (struct course_lab){.lab = labs_find(labs[i]), .weight = 100, .has_due = i < 2, .due = DUE + 10 * DAY * i};
    room->course.lab_count = 3;
    room->course.percent_per_day = 1000;
    room->course.time_zone = allocate_text("UTC", 3);
    class_init(&room->class, &room->course, ".");
    for (size_t i = 0; i < SUPPORT_COUNT(ids); i++) {
        struct student *student = class_add(&room->class, ids[i]);
        student->name = allocate_format("Name of %s", ids[i]);
        student->pseudonym = allocate_format("anon-%s", i == 0 ? "x1" : i == 1 ? "x2" : "x3");
        for (int k = 0; k < 3; k++)
            student->entries[k].max_score = 100;
    }
    size_t bytes;
    FILE *errors = open_memstream(&room->errors, &bytes);
    char *text = allocate_format("%s%s", HEADING, lines);
    room->mistakes = decisions_read("d.csv", text, strlen(text), &room->class, false, &room->decisions, errors);
    fclose(errors);
}

static void close_room(struct room *room)
{
    free(room->errors);
    decisions_clear(&room->decisions);
    class_clear(&room->class);
    course_clear(&room->course);
}

/* The student's lab, graded with `score`, handed in so many days after day 1000. */
static struct class_entry *grade(struct room *room, int student, int lab, int score, int days)
{
    struct class_entry *entry = &room->class.students[student].entries[lab];
    entry->state = ENTRY_GRADED;
    strcpy(entry->verdict, "fail");
    entry->score = score;
    entry->has_submitted = true;
    entry->submitted = DUE + (int64_t)DAY * days;
    return entry;
}

static void apply(struct room *room)
{
    CU_ASSERT_EQUAL(room->mistakes, 0);
    if (room->mistakes > 0)
        fprintf(stderr, "%s", room->errors);
    decided_score(&room->class, &room->decisions, DUE + 1000 * (int64_t)DAY);
    for (size_t i = 0; i < room->class.count; i++)
        late_count(&room->course, &room->class.students[i]);
}

/* ---- the file ----------------------------------------------------------------------------------------------------- */

static void mistakes_are_named_with_line_column_and_what_is_allowed(void)
{
    static const struct {
        const char *lines, *error;
    } rows[] = {
        {"eda,pi,score,1,Kim,\n", "d.csv:2: column student: there is no student eda; did you mean ada?"},
        {",pi,score,1,Kim,\n", "d.csv:2: column student: it is empty."},
        {"ada,pi,skore,1,Kim,\n", "d.csv:2: column what: \"skore\" is not a decision. Expected: group, accept, score, add,"},
        {"ada,scan,score,1,Kim,\n",
         "d.csv:2: column lab: scan is not a lab of this course. Its labs: doublify, vector_add, pi."},
        {"ada,,score,1,Kim,\n", "d.csv:2: column lab: it is empty. score needs a lab."},
        {"ada,pi,late_days,1,Kim,\n", "d.csv:2: column lab: late_days is for the whole course."},
        {"ada,pi,score,101,Kim,\n", "column value: \"101\" is not valid. Expected: a whole number of points from 0 to 100."},
        {"ada,pi,score,-1,Kim,\n", "from 0 to 100."},
        {"ada,pi,score,1.5,Kim,\n", "a whole number of points"},
        {"ada,pi,score,,Kim,\n", "column value: it is empty. score needs POINTS."},
        {"ada,pi,add,-101,Kim,\n", "from -100 to 100."},
        {"ada,pi,bonus,-1,Kim,\n", "from 0 to 1000."},
        {"ada,,late_days,0,Kim,\n", "a whole number of days from 1 to 365."},
        {"ada,pi,extension,+3,Kim,\n", "pi has no due date in the course file, so +3 has no meaning. Give a date."},
        {"ada,doublify,extension,+0,Kim,\n", "Expected: +1 to +365 days, or a date."},
        {"ada,doublify,extension,soon,Kim,\n", "column value: \"soon\": not a date;"},
        {"ada,doublify,extension,2026-02-30,Kim,\n", "there is no such day"},
        {"ada,pi,exempt,yes,Kim,\n", "column value: exempt takes no value. Expected: nothing."},
        {"ada,pi,accept,,Kim,\n", "accept needs FILE."},
        {"ada,pi,score,1,,\n", "column by: it is empty. Expected: who decided this."},
        {"ada,pi,bonus,1,Kim,a\nada,pi,bonus,1,Kim,a\n", "d.csv:3: column what: the same decision is on line 2."},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct room room;
        open_room(&room, rows[i].lines);
        CU_ASSERT_EQUAL(room.mistakes, 1);
        SUPPORT_CONTAINS(room.errors, rows[i].error);
        close_room(&room);
    }
}

static void all_mistakes_are_named_at_once(void)
{
    struct room room;
    open_room(&room, "eda,pi,score,1,Kim,\n\nada,scan,score,1,,\nada,pi,score,x,Kim,\n");
    CU_ASSERT_EQUAL(room.mistakes, 4);
    SUPPORT_CONTAINS(room.errors, "d.csv:2: column student");
    SUPPORT_CONTAINS(room.errors, "d.csv:4: column lab");
    SUPPORT_CONTAINS(room.errors, "d.csv:4: column by");
    SUPPORT_CONTAINS(room.errors, "d.csv:5: column value");
    close_room(&room);
}

static void columns_are_checked(void)
{
    static const struct {
        const char *text, *error;
    } rows[] = {
        {"student,lab,what,value\n", "d.csv:1: the first line names no column by."},
        {"student,lab,what,value,by,reason\n", "d.csv:1: unknown column reason. Allowed: student, lab,"},
        {"", "d.csv: the file is empty."},
        {"student,lab,what,value,by,private\nada,pi,exempt,,Kim,maybe\n",
         "d.csv:2: column private: \"maybe\" is not valid."},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct room room;
        struct decisions decisions;
        char *errors = NULL;
        size_t bytes;
        open_room(&room, "");
        FILE *file = open_memstream(&errors, &bytes);
        char *text = allocate_text(rows[i].text, strlen(rows[i].text));
        CU_ASSERT_EQUAL(decisions_read("d.csv", text, strlen(text), &room.class, false, &decisions, file), 1);
        fclose(file);
        SUPPORT_CONTAINS(errors, rows[i].error);
        decisions_clear(&decisions);
        free(errors);
        close_room(&room);
    }
}

static void students_are_found_by_id_pseudonym_and_name(void)
{
    struct room room;
    open_room(&room, "ADA ,pi,score,1,Kim,\nanon-x2,pi,score,2,Kim,\nname of cyd,pi,score,3,Kim,\n");
    apply(&room);
    for (int i = 0; i < 3; i++)
        CU_ASSERT_EQUAL(room.class.students[i].entries[2].final_score, i + 1);
    close_room(&room);
}

/* ---- what they do ------------------------------------------------------------------------------------------------- */

static void points_are_decided_before_lateness_and_capped_after_it(void)
{
    static const struct {
        const char *lines;
        int final;
    } rows[] = {
        {"", 64}, /* 80 graded, two days late */
        {"ada,doublify,score,50,Kim,\n", 40},
        {"ada,doublify,add,-10,Kim,\n", 56},
        {"ada,doublify,add,5,Kim,\nada,doublify,add,6,Kim,\n", 72},
        {"ada,doublify,score,90,Kim,\nada,doublify,score,50,Kim,\n", 40}, /* the last line */
        {"ada,doublify,add,5,Kim,\nada,doublify,score,50,Kim,\n", 44},    /* in the order of the table */
        {"ada,doublify,add,-100,Kim,\n", 0},
        {"ada,doublify,add,90,Kim,\n", 100}, /* 170, less 20 %, is 136 */
        {"ada,doublify,excuse,,Kim,\n", 80},
        {"ada,,excuse,,Kim,\n", 80},
        {"ada,doublify,extension,+1,Kim,\n", 72},
        {"ada,doublify,extension,+2d,Kim,\n", 80},
        {"ada,,extension,+9,Kim,\n", 80},
        {"ada,doublify,bonus,7,Kim,\n", 71},
        {"ada,doublify,score,100,Kim,\nada,doublify,excuse,,Kim,\nada,doublify,bonus,7,Kim,\n", 107},
        {"ada,,late_days,1,Kim,\n", 72},
        {"bob,doublify,score,0,Kim,\nada,doublify,comment,fine,Kim,\n", 64},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct room room;
        open_room(&room, rows[i].lines);
        const struct class_entry *entry = grade(&room, 0, 0, 80, 2);
        apply(&room);
        if (entry->final_score != rows[i].final)
            fprintf(stderr, "%s: %d, not %d\n", rows[i].lines, entry->final_score, rows[i].final);
        CU_ASSERT_EQUAL(entry->final_score, rows[i].final);
        CU_ASSERT_EQUAL(entry->score, 80);
        close_room(&room);
    }
}

static void late_days_are_spent_in_the_order_of_due_dates(void)
{
    struct room room;
    open_room(&room, "ada,,late_days,2,Kim,\nbob,,late_days,2,Kim,\nbob,doublify,extension,+20,Kim,\n");
    room.course.budget_days = 1;
    const struct class_entry *first = grade(&room, 0, 0, 100, 2), *second = grade(&room, 0, 1, 100, 12);
    const struct class_entry *late = grade(&room, 1, 0, 100, 21), *early = grade(&room, 1, 1, 100, 13);
    apply(&room);
    CU_ASSERT_EQUAL(first->free_days, 2);
    CU_ASSERT_EQUAL(first->final_score, 100);
    CU_ASSERT_EQUAL(second->free_days, 1);
    CU_ASSERT_EQUAL(second->final_score, 90);
    CU_ASSERT_EQUAL(room.class.students[0].late_days_used, 3);
    CU_ASSERT_EQUAL(early->free_days, 3); /* the extension makes vector_add the first that is due */
    CU_ASSERT_EQUAL(late->free_days, 0);
    CU_ASSERT_EQUAL(late->final_score, 90);
    close_room(&room);
}

static void what_is_excused_or_exempt_spends_no_late_days(void)
{
    struct room room;
    open_room(&room, "ada,doublify,excuse,,Kim,\nbob,doublify,exempt,,Kim,\n");
    room.course.budget_days = 2;
    for (int i = 0; i < 2; i++) {
        grade(&room, i, 0, 100, 2);
        grade(&room, i, 1, 100, 12);
    }
    apply(&room);
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(room.class.students[i].entries[1].free_days, 2);
        CU_ASSERT_EQUAL(room.class.students[i].entries[1].final_score, 100);
    }
    close_room(&room);
}

static void exempt_leaves_the_percentage_and_bonus_fills_it(void)
{
    struct room room;
    open_room(&room, "ada,pi,exempt,,Kim,\nbob,doublify,bonus,30,Kim,\ncyd,doublify,bonus,1000,Kim,\n");
    for (int i = 0; i < 3; i++) {
        grade(&room, i, 0, 60, 0);
        grade(&room, i, 1, 80, 0);
    }
    apply(&room);
    CU_ASSERT_DOUBLE_EQUAL(room.class.students[0].percent, 70, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(room.class.students[1].percent, 56.67, 1e-9);
    CU_ASSERT_DOUBLE_EQUAL(room.class.students[2].percent, 100, 1e-9); /* never more */
    close_room(&room);
}

static void a_score_makes_known_what_was_not_and_add_does_not(void)
{
    struct room room;
    open_room(&room, "ada,doublify,score,42,Kim,\nbob,doublify,add,42,Kim,\ncyd,pi,score,42,Kim,\n");
    for (int i = 0; i < 2; i++)
        room.class.students[i].entries[0].state = ENTRY_PROBLEM;
    apply(&room);
    CU_ASSERT_EQUAL(room.class.students[0].entries[0].final_score, 42);
    CU_ASSERT_TRUE(entry_is_known(&room.class.students[0].entries[0]));
    CU_ASSERT_FALSE(entry_is_known(&room.class.students[1].entries[0]));
    CU_ASSERT_TRUE(isnan(room.class.students[1].percent));
    CU_ASSERT_EQUAL(room.class.students[2].entries[2].final_score, 42); /* nothing was handed in */
    CU_ASSERT_STRING_EQUAL(outcome_student_state(&room.class.students[0], &room.course), "graded");
    CU_ASSERT_STRING_EQUAL(outcome_student_state(&room.class.students[1], &room.course), "problem");
    close_room(&room);
}

static void an_extension_keeps_a_lab_from_being_missing(void)
{
    struct room room;
    open_room(&room, "ada,doublify,extension,+100,Kim,\n");
    decided_score(&room.class, &room.decisions, DUE + 50 * (int64_t)DAY);
    CU_ASSERT_EQUAL(room.class.students[0].entries[0].state, ENTRY_NOT_DUE);
    CU_ASSERT_EQUAL(room.class.students[1].entries[0].state, ENTRY_MISSING);
    close_room(&room);
}

static void a_request_is_open_until_a_line_below_answers_it(void)
{
    static const struct {
        const char *lines;
        bool open;
    } rows[] = {
        {"ada,pi,request,look,Ada,\n", true},
        {"ada,pi,request,look,Ada,\nada,pi,answer,done,Kim,\n", false},
        {"ada,pi,answer,done,Kim,\nada,pi,request,look,Ada,\n", true},
        {"ada,pi,request,look,Ada,\nada,doublify,answer,done,Kim,\n", true},
        {"ada,pi,request,look,Ada,\nbob,pi,answer,done,Kim,\n", true},
        {"ada,pi,request,look,Ada,\nada,pi,comment,hm,Kim,\n", true},
    };
    for (size_t i = 0; i < SUPPORT_COUNT(rows); i++) {
        struct room room;
        open_room(&room, rows[i].lines);
        apply(&room);
        CU_ASSERT_EQUAL(outcome_needs_a_look(&room.class), rows[i].open);
        close_room(&room);
    }
}

/* ---- groups ------------------------------------------------------------------------------------------------------- */

static void hand_in(struct room *room, int student, int lab, const char *path, const char *sha256, int64_t submitted)
{
    struct class_entry *entry = &room->class.students[student].entries[lab];
    entry->state = ENTRY_WAITING;
    entry->path = allocate_text(path, strlen(path));
    strcpy(entry->sha256, sha256);
    entry->has_submitted = true;
    entry->submitted = submitted;
}

static void a_group_gets_what_one_of_them_handed_in(void)
{
    struct room room;
    open_room(&room, "ada,,group,Team 1,Kim,\nbob,,group,team 1,Kim,\ncyd,pi,group,team 1,Kim,\n");
    hand_in(&room, 1, 0, "bob/d.cu", "1", 5);
    hand_in(&room, 1, 2, "bob/p.cu", "2", 6);
    decided_share(&room.class, &room.decisions, &(struct groups){0});
    const struct class_entry *ada = room.class.students[0].entries, *cyd = room.class.students[2].entries;
    CU_ASSERT_STRING_EQUAL(ada[0].path, "bob/d.cu");
    CU_ASSERT_STRING_EQUAL(ada[0].shared_from, "bob");
    CU_ASSERT_EQUAL(ada[0].submitted, 5);
    CU_ASSERT_STRING_EQUAL(cyd[2].path, "bob/p.cu");
    CU_ASSERT_EQUAL(cyd[0].state, ENTRY_MISSING); /* a member for pi alone */
    CU_ASSERT_PTR_NULL(room.class.students[1].entries[0].shared_from);
    close_room(&room);
}

static void different_files_of_a_group_are_in_doubt_and_equal_ones_are_not(void)
{
    struct room room;
    open_room(&room, "ada,,group,t,Kim,\nbob,,group,t,Kim,\n");
    hand_in(&room, 0, 0, "ada/d.cu", "1", 5);
    hand_in(&room, 1, 0, "bob/d.cu", "2", 4);
    hand_in(&room, 0, 1, "ada/v.cu", "3", 5);
    hand_in(&room, 1, 1, "bob/v.cu", "3", 4);
    decided_share(&room.class, &room.decisions, &(struct groups){0});
    for (int i = 0; i < 2; i++) {
        CU_ASSERT_EQUAL(room.class.students[i].entries[0].state, ENTRY_PROBLEM);
        CU_ASSERT_EQUAL(room.class.students[i].problems.count, 1);
        CU_ASSERT_STRING_EQUAL(room.class.students[i].entries[1].path, "bob/v.cu"); /* the earlier one */
    }
    close_room(&room);
}

static const struct support_test tests[] = {
    SUPPORT_TEST(mistakes_are_named_with_line_column_and_what_is_allowed),
    SUPPORT_TEST(all_mistakes_are_named_at_once),
    SUPPORT_TEST(columns_are_checked),
    SUPPORT_TEST(students_are_found_by_id_pseudonym_and_name),
    SUPPORT_TEST(points_are_decided_before_lateness_and_capped_after_it),
    SUPPORT_TEST(late_days_are_spent_in_the_order_of_due_dates),
    SUPPORT_TEST(what_is_excused_or_exempt_spends_no_late_days),
    SUPPORT_TEST(exempt_leaves_the_percentage_and_bonus_fills_it),
    SUPPORT_TEST(a_score_makes_known_what_was_not_and_add_does_not),
    SUPPORT_TEST(an_extension_keeps_a_lab_from_being_missing),
    SUPPORT_TEST(a_request_is_open_until_a_line_below_answers_it),
    SUPPORT_TEST(a_group_gets_what_one_of_them_handed_in),
    SUPPORT_TEST(different_files_of_a_group_are_in_doubt_and_equal_ones_are_not),
};

int decided_suite_register(void)
{
    return support_register("decided", tests, SUPPORT_COUNT(tests));
}
