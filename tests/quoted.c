#include "tests/quoted.h"

#include <stdio.h>
#include <string.h>

/* What handouts/quoted.json says of the file; NULL when nothing. The content is read once and kept. */
static const json_t *find_words(const char *file)
{
    static json_t *content;
    json_error_t error;
    if (!content && !(content = json_load_file("handouts/quoted.json", 0, &error))) {
        fprintf(stderr, "handouts/quoted.json: %s\n", error.text);
        content = json_object();
    }
    return json_object_get(content, file);
}

static void complain(const char *file, const char *what, const json_t *quoted, const json_t *said)
{
    fprintf(stderr,
            "%s: the handouts quote another %s. Bring them up to date with\n"
            "    python3 tests/handout_pages.py --regrade\nquoted: ",
            file, what);
    json_dumpf(quoted, stderr, JSON_ENCODE_ANY);
    fprintf(stderr, "\nsaid:   ");
    if (said)
        json_dumpf(said, stderr, JSON_ENCODE_ANY);
    fprintf(stderr, "\n");
}

/* Every field that is quoted of one object. */
static bool fields_agree(const char *file, json_t *quoted, const json_t *said)
{
    const char *key;
    json_t *value;
    json_object_foreach(quoted, key, value)
    {
        if (!json_equal(value, json_object_get(said, key))) {
            complain(file, key, value, json_object_get(said, key));
            return false;
        }
    }
    return true;
}

bool quoted_agrees(const char *file, const json_t *lab, const json_t *cause)
{
    const json_t *words = find_words(file);
    if (!words)
        return true;
    json_t *quoted_cause = json_object_get(words, "cause");
    const json_t *budgets = json_object_get(words, "performance"), *said = json_object_get(lab, "performance");
    bool agrees = json_equal(json_object_get(words, "score"), json_object_get(lab, "score"))
                  && json_equal(json_object_get(words, "max_score"), json_object_get(lab, "max_score"));
    if (!agrees)
        complain(file, "score", json_object_get(words, "score"), json_object_get(lab, "score"));
    if (json_is_null(quoted_cause) != (!cause) || json_array_size(budgets) != json_array_size(said)) {
        complain(file, "verdict", words, lab);
        return false;
    }
    agrees = agrees && (!cause || fields_agree(file, quoted_cause, cause))
             && fields_agree(file, json_object_get(words, "counters"), json_object_get(lab, "counters"));
    for (size_t i = 0; i < json_array_size(budgets); i++)
        agrees = agrees && fields_agree(file, json_array_get(budgets, i), json_array_get(said, i));
    return agrees;
}
