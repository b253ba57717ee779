#include "grader/judge/budget.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

int budget_points(double ratio, double full_at, double zero_at, int points)
{
    if (isnan(ratio))
        return 0;
    double share = full_at == zero_at ? (ratio <= full_at ? 1.0 : 0.0) : (zero_at - ratio) / (zero_at - full_at);
    if (share >= 1.0)
        return points;
    /* 1e-9: a share of exactly 3/4 must not lose a point to rounding. */
    return share <= 0.0 ? 0 : (int)floor(share * points + 1e-9);
}

static bool is_too_little(const struct lab_budget *budget, int plan, const struct result_budget *result)
{
    return result->ratio < budget->least[plan];
}

static void show_place(const char *metric, const struct tally *own, const struct tally *reference,
                       struct result_budget *result)
{
    const struct tally_line *place = budget_place(metric, own, reference, &result->pattern, result->message,
                                                  sizeof result->message);
    if (!place)
        return;
    result->line = place->line;
    if (strncmp(metric, place->worst.space, strlen(place->worst.space)) == 0 && !strstr(metric, "atomic"))
        budget_draw(&place->worst, result->picture, sizeof result->picture);
}

void budget_judge(const struct lab *lab, const struct lab_budget *budget, const struct lab_case *the_case, int plan,
                  const struct tally *own, const struct tally *reference, bool earned, bool excused,
                  struct result_budget *result)
{
    *result = (struct result_budget){
        .track = "counters",
        .metric = budget->metric,
        .title = tally_title(budget->metric),
        .value = own->present ? tally_get(own, budget->metric) : NAN,
        .reference = reference->present ? tally_get(reference, budget->metric) : NAN,
        .ideal = budget->base == LAB_BUDGET_IDEAL ? budget->ideal(lab, budget, the_case, plan) : NAN,
        .full_at = budget->full_at,
        .zero_at = budget->zero_at,
        .low = NAN,
        .high = NAN,
        .max_score = budget->points,
        .why = budget->why_of[plan] ? budget->why_of[plan]
               : budget->why        ? budget->why
                                    : "",
    };
    double base = budget->base == LAB_BUDGET_IDEAL       ? result->ideal
                  : budget->base == LAB_BUDGET_REFERENCE ? result->reference
                                                         : 1.0;
    /* Nothing against nothing (global atomics of two kernels that use none) is as good as the base. */
    result->ratio = base == 0.0 && result->value == 0.0 ? 1.0 : result->value / base;
    if (!earned) {
        result->state = RESULT_SKIPPED;
        snprintf(result->message, sizeof result->message, "judged once the results of \"%s\" are right", the_case->name);
    } else if (isnan(result->ratio)) {
        result->state = RESULT_HARNESS_ERROR;
        snprintf(result->message, sizeof result->message, "%s could not be measured%s", budget->metric,
                 budget->base == LAB_BUDGET_REFERENCE && !reference->present ? ": the reference solution did not run" : "");
    } else if (excused && is_too_little(budget, plan, result)) {
        result->score = budget->points;
        result->state = RESULT_PASS;
    } else if (!excused && budget->needs && !(tally_get(own, budget->needs) > budget->needs_above)) {
        result->state = RESULT_FAIL;
        snprintf(result->message, sizeof result->message, "%s", budget->needs_why);
    } else if (is_too_little(budget, plan, result)) {
        result->state = RESULT_FAIL;
        snprintf(result->message, sizeof result->message, "%s", budget->too_little);
    } else {
        result->score = budget_points(result->ratio, budget->full_at, budget->zero_at, budget->points);
        result->state = result->score == budget->points ? RESULT_PASS : RESULT_FAIL;
        if (result->state == RESULT_FAIL)
            show_place(budget->metric, own, reference, result);
    }
}
