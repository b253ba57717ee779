#include "grader/base/near.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

enum { LONGEST = 31 };

static int least(int a, int b)
{
    return a < b ? a : b;
}

/* Optimal string alignment: Levenshtein's distance, and exchanged neighbours count once. Both at most LONGEST letters. */
static int distance(const char *a, const char *b)
{
    int rows[LONGEST + 1][LONGEST + 1];
    int height = (int)strlen(a), width = (int)strlen(b);
    for (int i = 0; i <= height; i++)
        for (int k = 0; k <= width; k++) {
            if (i == 0 || k == 0) {
                rows[i][k] = i + k;
                continue;
            }
            int other = tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[k - 1]);
            rows[i][k] = least(rows[i - 1][k - 1] + other, least(rows[i - 1][k], rows[i][k - 1]) + 1);
            if (i > 1 && k > 1 && tolower((unsigned char)a[i - 1]) == tolower((unsigned char)b[k - 2])
                && tolower((unsigned char)a[i - 2]) == tolower((unsigned char)b[k - 1]))
                rows[i][k] = least(rows[i][k], rows[i - 2][k - 2] + 1);
        }
    return rows[height][width];
}

const char *near_find(const char *word, const char *const *names, size_t count)
{
    const char *found = NULL;
    size_t length = strlen(word);
    int fewest = LONGEST;
    for (size_t i = 0; i < count && length <= LONGEST; i++) {
        size_t letters = strlen(names[i]);
        if (letters > LONGEST)
            continue;
        int changes = distance(word, names[i]);
        if (length >= 3 && strncasecmp(names[i], word, length) == 0)
            changes = least(changes, 1);
        if (changes < fewest && changes <= ((int)letters + 1) / 3) {
            fewest = changes;
            found = names[i];
        }
    }
    return found;
}
