#include "grader/student/standing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/base/paint.h"
#include "grader/compile/submission.h"
#include "grader/grading/progress.h"
#include "grader/lab/kit.h"
#include "grader/lab/labs.h"
#include "grader/lab/map.h"
#include "grader/options/commands.h"
#include "runtime/base/printable.h"

static enum standing_state state_of(const char *state, int score, int max_score)
{
    static const struct {
        const char *name;
        enum standing_state state;
    } rows[] = {
        {"error", STANDING_ERROR},
        {"fail", STANDING_FAIL},
        {"pass", STANDING_PASS},
        {"inconclusive", STANDING_PASS},
    };
    if (!state)
        return STANDING_UNGRADED;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (strcmp(rows[i].name, state) == 0)
            return rows[i].state == STANDING_PASS && score >= max_score ? STANDING_SOLVED : rows[i].state;
    return STANDING_UNJUDGED;
}

void standing_find(const struct workspace *workspace, const json_t *content, const struct lab *lab,
                   struct standing *standing)
{
    memset(standing, 0, sizeof *standing);
    standing->lab = lab;
    standing->max_score = labs_max_score(lab);
    bool exists = workspace_lab_file(workspace, lab, standing->path);
    struct progress_key key;
    progress_key_for(workspace, lab, standing->path, &key);
    key.own = true; /* where the file is gone, what was reached with it still counts */
    standing->entry = progress_entry(content, &key);
    const json_t *latest = json_object_get(standing->entry, "latest");
    standing->best = (int)json_integer_value(json_object_get(json_object_get(standing->entry, "best"), "score"));
    if (!exists)
        return;
    standing->state = STANDING_UNGRADED;
    if (!latest)
        return;
    struct submission submission;
    const char *graded = json_string_value(json_object_get(latest, "sha256"));
    submission_read(standing->path, &submission);
    standing->changed = !graded || strcmp(graded, submission.sha256) != 0;
    submission_clear(&submission);
    standing->score = (int)json_integer_value(json_object_get(latest, "score"));
    /* With a GPU there are more points to win. */
    int max_score = (int)json_integer_value(json_object_get(latest, "max_score"));
    standing->max_score = max_score > 0 ? max_score : standing->max_score;
    standing->state = state_of(json_string_value(json_object_get(latest, "state")), standing->score, standing->max_score);
}

/* Has some version of the file had all points? */
static bool is_done(const struct standing *standing)
{
    const json_t *best = json_object_get(standing->entry, "best");
    json_int_t max_score = json_integer_value(json_object_get(best, "max_score"));
    return max_score > 0 && standing->best >= max_score;
}

const struct lab *standing_next(const struct workspace *workspace, const json_t *content, const struct lab *lab)
{
    int start = -1;
    for (int i = 0; i < labs_count(); i++)
        if (labs_get(i) == lab)
            start = i;
    for (int step = 1; step <= labs_count(); step++) {
        const struct lab *candidate = labs_get((start + step + labs_count()) % labs_count());
        struct standing standing;
        standing_find(workspace, content, candidate, &standing);
        if (candidate != lab && !is_done(&standing))
            return candidate;
    }
    return NULL;
}

/* The lab that was graded last, of all or of those not done, and its state; NULL: none. */
static const struct lab *graded_last(const struct workspace *workspace, const json_t *content, bool done_too,
                                     struct standing *latest)
{
    const struct lab *latest_lab = NULL;
    const char *latest_when = "";
    for (int i = 0; i < labs_count(); i++) {
        struct standing standing;
        standing_find(workspace, content, labs_get(i), &standing);
        const char *when = json_string_value(json_object_get(json_object_get(standing.entry, "latest"), "when"));
        /* Times of this form sort alphabetically. */
        if (!when || standing.state == STANDING_ABSENT || (!done_too && is_done(&standing)) || strcmp(when, latest_when) < 0)
            continue;
        latest_lab = labs_get(i);
        latest_when = when;
        *latest = standing;
    }
    return latest_lab;
}

const struct lab *standing_current(const struct workspace *workspace, const json_t *content)
{
    struct standing latest;
    const struct lab *lab = graded_last(workspace, content, false, &latest);
    return lab ? lab : standing_next(workspace, content, NULL);
}

const struct lab *standing_latest(const struct workspace *workspace, const json_t *content)
{
    struct standing latest;
    const struct lab *lab = graded_last(workspace, content, true, &latest);
    return lab && latest.state != STANDING_SOLVED ? lab : standing_current(workspace, content);
}

/* ---- lockstep list ------------------------------------------------------------------------------------------------ */

enum { STATE_COLUMNS = 10, LEAST_NAME_COLUMNS = 14, REMARK_BEHIND_NAME = 30, WIDE_COLUMNS = 60 };

static const struct {
    const char *word;
    enum paint style;
} states[] = {
    [STANDING_ABSENT] = {"not begun", PAINT_DIM},
    [STANDING_UNGRADED] = {"not graded", PAINT_DIM},
    [STANDING_UNJUDGED] = {"NOT GRADED", PAINT_YELLOW},
    [STANDING_ERROR] = {"ERROR", PAINT_RED},
    [STANDING_FAIL] = {"FAIL", PAINT_RED},
    [STANDING_PASS] = {"pass", PAINT_YELLOW},
    [STANDING_SOLVED] = {"solved", PAINT_GREEN},
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

/* "out of bounds, line 17; changed since": what the last grading was about. */
static char *remark_of(const struct standing *standing)
{
    char line[40] = "", best[32] = "";
    const json_t *cause = json_object_get(json_object_get(standing->entry, "latest"), "cause");
    json_int_t number = json_integer_value(json_object_get(cause, "line"));
    if (standing->state == STANDING_ABSENT || standing->state == STANDING_UNGRADED)
        return allocate_format("%s", standing->lab->title);
    if (number > 0)
        snprintf(line, sizeof line, ", line %lld", (long long)number);
    if (standing->best > standing->score)
        snprintf(best, sizeof best, "%sbest %d", text_of(cause, "title")[0] != '\0' ? "; " : "", standing->best);
    bool spoken = text_of(cause, "title")[0] != '\0' || best[0] != '\0';
    return allocate_format("%s%s%s%s", text_of(cause, "title"), line, best,
                           !standing->changed ? ""
                           : spoken           ? "; changed since"
                                              : "changed since");
}

/* Names are typed, so none may be cut. */
static int name_columns(void)
{
    int columns = LEAST_NAME_COLUMNS;
    for (int i = 0; i < labs_count(); i++) {
        int length = (int)strlen(labs_get(i)->name);
        columns = length > columns ? length : columns;
    }
    return columns;
}

static void print_row(FILE *file, const struct standing *standing, bool is_next, bool colour)
{
    char score[24];
    if (standing->state <= STANDING_UNJUDGED)
        snprintf(score, sizeof score, "-/%d", standing->max_score);
    else
        snprintf(score, sizeof score, "%d/%d", standing->score, standing->max_score);
    char number[8] = "  ";
    if (standing->lab->number > 0)
        snprintf(number, sizeof number, "%2d", standing->lab->number % 1000);
    fprintf(file, "%c %s %-*s %s%-*s%s %7s", is_next ? '>' : ' ', number, name_columns(), standing->lab->name,
            paint_on(colour, states[standing->state].style), STATE_COLUMNS, states[standing->state].word, paint_off(colour),
            score);
    char *remark = remark_of(standing), shown[160] = "";
    int room = paint_width() - name_columns() - REMARK_BEHIND_NAME;
    if (paint_width() >= WIDE_COLUMNS && remark[0] != '\0') {
        printable_append(shown, room + 1 < (int)sizeof shown ? (size_t)room + 1 : sizeof shown, remark, strlen(remark));
        fprintf(file, "    %s", shown);
    }
    free(remark);
    fputc('\n', file);
}

static void print_advice(FILE *file, const struct workspace *workspace, const json_t *content, const struct lab *next,
                         bool colour)
{
    struct standing standing = {.state = STANDING_ABSENT};
    char handout[KIT_PATH_BYTES];
    char *text;
    if (!next) {
        text = allocate_format("Every lab is solved. %s the questions at the end of each handout.",
                               kit_has_solutions() ? "Compare with solutions/, and try" : "Try");
    } else {
        standing_find(workspace, content, next, &standing);
        kit_handout(next, handout);
        text = standing.state == STANDING_ABSENT
                   ? allocate_format("Next: %s. Read %s, then put its file into your folder:", next->name, handout)
                   : allocate_format("Next: %s. Read %s, write in %s, and have it graded each time you save:", next->name,
                                     handout, standing.path);
    }
    fputc('\n', file);
    paint_wrapped(file, 0, text, colour, PAINT_PLAIN);
    if (next)
        fprintf(file, "    %s %s %s\n", kit_program(), standing.state == STANDING_ABSENT ? "start" : "watch", next->name);
    free(text);
}

static void print_needs(FILE *file, const char *needs, const char *teaches, bool colour)
{
    if (!needs && !teaches)
        return;
    char *text = allocate_format("%s%s%s%s%s%s", needs ? "needs: " : "", needs ? needs : "", needs && teaches ? ". " : "",
                                 !teaches ? ""
                                 : needs  ? "Teaches: "
                                          : "teaches: ",
                                 teaches ? teaches : "", ".");
    paint_wrapped(file, 6, text, colour, PAINT_DIM);
    free(text);
}

/* What the map has before a lab: the part that begins with it, and the pages to read first. */
static const char *print_steps_before(FILE *file, const struct map_step *step, const char *part, bool colour)
{
    for (int i = 0; i < map_count(); i++) {
        const struct map_step *page = map_get(i);
        bool before = page->title && page < step && strcmp(page->part, step->part) == 0;
        for (const struct map_step *between = page; before && between < step; between++)
            before = between->title != NULL; /* it belongs to the lab that comes next */
        if ((before || page == step) && (!part || strcmp(part, step->part) != 0)) {
            fprintf(file, "%s%s%s%s\n", part ? "\n" : "", paint_on(colour, PAINT_BOLD), step->part, paint_off(colour));
            part = step->part;
        }
        if (before) {
            fprintf(file, "  read %s (%s)\n", page->name, page->title);
            print_needs(file, page->needs, page->teaches, colour);
        }
    }
    return part;
}

static void print_map_row(FILE *file, const struct standing *standing, bool is_next, const char **part, bool colour)
{
    static const char others[] = "More labs";
    const struct map_step *step = map_find(standing->lab->name);
    if (step)
        *part = print_steps_before(file, step, *part, colour);
    else if (*part != others) {
        fprintf(file, "%s%s%s%s\n", *part ? "\n" : "", paint_on(colour, PAINT_BOLD), others, paint_off(colour));
        *part = others;
    }
    print_row(file, standing, is_next, colour);
    print_needs(file, standing->lab->needs, standing->lab->teaches, colour);
}

/* How far, in words that say no more than is known. */
static void print_progress(FILE *file, int solved, int begun, int hints, bool colour)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *words = open_memstream(&text, &bytes);
    fprintf(words, "%d of %d labs solved", solved, labs_count());
    if (begun > 0)
        fprintf(words, ", %d more graded", begun);
    if (hints > 0)
        fprintf(words, "; %d hint%s shown", hints, hints == 1 ? "" : "s");
    fprintf(words, ". A lab's points are those of its latest grading.");
    fclose(words);
    paint_wrapped(file, 0, text, colour, PAINT_DIM);
    free(text);
}

void standing_write(FILE *file, const struct workspace *workspace, bool map, bool colour)
{
    json_t *content = progress_read(workspace);
    const struct lab *next = standing_current(workspace, content);
    const char *part = NULL;
    int score = 0, max_score = 0, solved = 0, begun = 0, hints = 0;
    for (int i = 0; i < labs_count(); i++) {
        struct standing standing;
        standing_find(workspace, content, labs_get(i), &standing);
        if (map)
            print_map_row(file, &standing, labs_get(i) == next, &part, colour);
        else
            print_row(file, &standing, labs_get(i) == next, colour);
        score += standing.score;
        max_score += standing.max_score;
        solved += is_done(&standing);
        begun += !is_done(&standing) && json_is_object(json_object_get(standing.entry, "latest"));
        hints += progress_hints_used(standing.entry);
    }
    fprintf(file, "%s     %-*s %s%-*s %3d/%-3d%s\n", map ? "\n" : "", name_columns(), "total", paint_on(colour, PAINT_BOLD),
            STATE_COLUMNS, "", score, max_score, paint_off(colour));
    if (map)
        print_progress(file, solved, begun, hints, colour);
    print_advice(file, workspace, content, next, colour);
    if (map && solved + begun == 0)
        fprintf(file, "\nNot sure where to begin? %s quiz\n", kit_program());
    json_decref(content);
}

int list_run(const struct options *options)
{
    (void)options;
    struct workspace workspace;
    workspace_find(&workspace);
    standing_write(stdout, &workspace, true, paint_wanted(stdout));
    return EXIT_STATUS_FULL_SCORE;
}
