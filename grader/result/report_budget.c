/* How the budgets came out: one row each; on a narrow terminal a few lines each. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/allocate.h"
#include "grader/base/paint.h"
#include "grader/estimate/estimate.h"
#include "grader/result/report.h"

/* TABLE_COLUMNS: of a row. TEXT_INDENT, PICTURE_INDENT: of what follows below it. */
enum { TABLE_COLUMNS = 80, TEXT_INDENT = 6, PICTURE_INDENT = 8 };

static void put_number(char text[32], double value)
{
    if (isnan(value))
        snprintf(text, 32, "-");
    else if (value == floor(value) && fabs(value) < 1e9)
        snprintf(text, 32, "%.0f", value);
    else
        snprintf(text, 32, fabs(value) >= 1e3 && fabs(value) < 1e9 ? "%.1f" : "%.4g", value);
}

/* What the ratio is to: the value itself is one, where it is judged as it stands, with the reference's beside it or not. */
static const char *base_name(const struct result_budget *budget)
{
    bool of_reference = !isnan(budget->reference)
                        && (isnan(budget->ratio) || budget->ratio != budget->value || budget->reference == 1);
    return !isnan(budget->ideal) ? "ideal" : of_reference ? "reference" : "";
}

static void print_row(FILE *file, const struct result_budget *budget, bool colour)
{
    char value[32], base[32], bounds[64], ratio[32];
    put_number(value, budget->value);
    if (base_name(budget)[0] == '\0')
        strcpy(base, "-");
    else
        put_number(base, !isnan(budget->ideal) ? budget->ideal : budget->reference);
    if (isnan(budget->full_at))
        strcpy(bounds, "-");
    else
        snprintf(bounds, sizeof bounds, "%.4g..%.4g", budget->full_at, budget->zero_at);
    if (isnan(budget->ratio))
        strcpy(ratio, "-");
    else
        snprintf(ratio, sizeof ratio, budget->ratio > 0 && budget->ratio < 0.1 ? "%.1g" : "%.2f", budget->ratio);
    const char *on = paint_on(colour, budget->state == RESULT_PASS ? PAINT_GREEN : PAINT_YELLOW), *off = paint_off(colour);
    if (paint_width() >= TABLE_COLUMNS) {
        fprintf(file, "  %-24s%10s%10s %-9s %5s %-10s %s%3d/%d%s\n", budget->metric, value, base, base_name(budget), ratio,
                bounds, on, budget->score, budget->max_score, off);
        return;
    }
    fprintf(file, "  %-24s %s%d/%d%s\n", budget->metric, on, budget->score, budget->max_score, off);
    bool has_base = base_name(budget)[0] != '\0';
    char *text = isnan(budget->full_at)
                     ? allocate_format("yours %s", value)
                     : allocate_format("yours %s%s%s%s%s; ratio %s; full points up to %.4g, none from %.4g on", value,
                                       has_base ? "; " : "", base_name(budget), has_base ? " " : "", has_base ? base : "",
                                       ratio, budget->full_at, budget->zero_at);
    paint_wrapped(file, TEXT_INDENT, text, colour, PAINT_PLAIN);
    free(text);
}

static const char *next_line(const char *at)
{
    at += strcspn(at, "\n");
    return at + (*at == '\n');
}

/* Where the lanes went: lines of a fixed width, which no terminal may break. */
static void print_picture(FILE *file, const char *picture, bool colour)
{
    size_t widest = 0;
    for (const char *at = picture; *at != '\0'; at = next_line(at))
        widest = strcspn(at, "\n") > widest ? strcspn(at, "\n") : widest;
    if (widest == 0)
        return;
    if (PICTURE_INDENT + (int)widest > paint_width()) {
        char *text = allocate_format("A terminal at least %zu columns wide shows here where its lanes went.",
                                     PICTURE_INDENT + widest);
        paint_wrapped(file, TEXT_INDENT, text, colour, PAINT_DIM);
        free(text);
        return;
    }
    for (const char *at = picture; *at != '\0'; at = next_line(at))
        fprintf(file, "%*s%.*s\n", PICTURE_INDENT, "", (int)strcspn(at, "\n"), at);
}

static void print_budget(FILE *file, const struct result_budget *budget, bool colour)
{
    print_row(file, budget, colour);
    if (budget->state == RESULT_FAIL && budget->why[0] != '\0')
        paint_wrapped(file, TEXT_INDENT, budget->why, colour, PAINT_DIM);
    if (budget->state == RESULT_INCONCLUSIVE) {
        char *text = allocate_format("the measurement is too noisy for a verdict: %.2f..%.2f", budget->low, budget->high);
        paint_wrapped(file, TEXT_INDENT, text, colour, PAINT_PLAIN);
        free(text);
    }
    if (budget->message[0] != '\0')
        paint_wrapped(file, TEXT_INDENT, budget->message, colour, PAINT_DIM);
    print_picture(file, budget->picture, colour);
}

void report_budgets(FILE *file, const struct result_lab *result, bool colour)
{
    int judged = 0;
    for (int i = 0; i < result->budget_count; i++)
        judged += result->budgets[i].state != RESULT_SKIPPED;
    if (judged == 0)
        return;
    const char *on = paint_on(colour, PAINT_BOLD), *off = paint_off(colour);
    if (paint_width() >= TABLE_COLUMNS)
        fprintf(file, "\n  %s%-24s%10s%10s %-9s %5s %-10s %s%s\n", on, "performance", "yours", "base", "", "ratio",
                "full..zero", "points", off);
    else
        fprintf(file, "\n  %sperformance%s\n", on, off);
    for (int i = 0; i < result->budget_count; i++)
        print_budget(file, &result->budgets[i], colour);
}

/* By so much that nobody would call it as good. */
static bool is_much_slower(const struct result_estimate *estimate)
{
    return estimate->reference.gpu && estimate->own.high_ms == 0 && estimate->own.ms >= 3 * estimate->reference.ms;
}

void report_estimate(FILE *file, const struct result_lab *result, bool colour)
{
    const struct result_estimate *estimate = &result->estimate;
    char text[900], own[384], reference[384];
    for (int i = 0; i < result->budget_count; i++)
        if (strcmp(result->budgets[i].track, "time") == 0 && !isnan(result->budgets[i].value))
            return;
    if (!estimate->own.gpu)
        return;
    estimate_describe(&estimate->own, own, sizeof own);
    size_t used = (size_t)snprintf(text, sizeof text, "Estimated from the counters: on an %s %s would take %s",
                                   estimate->own.gpu->name, estimate->the_case, own);
    if (estimate->reference.gpu && used < sizeof text) {
        estimate_describe(&estimate->reference, reference, sizeof(reference));
        snprintf(text + used, sizeof text - used, ". The reference solution: %s", reference);
    }
    bool all_met = true;
    for (int i = 0; i < result->budget_count; i++)
        all_met &= result->budgets[i].state == RESULT_PASS;
    used = strlen(text);
    if (all_met && used < sizeof text && is_much_slower(estimate))
        snprintf(text + used, sizeof text - used, ". No budget of this lab counts what makes the difference");
    fputc('\n', file);
    paint_wrapped(file, 2, text, colour, PAINT_DIM);
}
