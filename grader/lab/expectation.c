#include "grader/lab/expectation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool expectation_read(const char *source, struct expectation *expectation)
{
    static const char start[] = "// expect: ";
    char text[512], *rest = NULL;
    memset(expectation, 0, sizeof *expectation);
    if (strncmp(source, start, strlen(start)) != 0)
        return false;
    snprintf(text, sizeof text, "%.*s", (int)strcspn(source, "\n"), source);
    char *why = strstr(text, " - ");
    if (!why)
        return false;
    *why = '\0';
    for (char *word = strtok_r(text + strlen(start), " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
        char *place = expectation->code[0] == '\0' ? expectation->code : expectation->second;
        if (strncmp(word, "line=", 5) == 0)
            expectation->line = atoi(word + 5);
        else
            snprintf(place, sizeof expectation->code, "%s", word);
    }
    return expectation->code[0] != '\0';
}

/* Whether `word` is one of the alternatives "a|b|c". */
static bool is_one_of(const char *alternatives, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = alternatives; length > 0 && (at = strstr(at, word)); at += length)
        if ((at == alternatives || at[-1] == '|') && (at[length] == '\0' || at[length] == '|'))
            return true;
    return false;
}

bool expectation_is_budget(const struct expectation *expectation)
{
    return strcmp(expectation->code, "budget") == 0;
}

bool expectation_fits_cause(const struct expectation *expectation, const char *code, const char *pattern, int line)
{
    return is_one_of(expectation->code, code) && (expectation->second[0] == '\0' || is_one_of(expectation->second, pattern))
           && (expectation->line == 0 || expectation->line == line);
}

bool expectation_fits_metric(const struct expectation *expectation, const char *metric)
{
    return is_one_of(expectation->second, metric);
}
