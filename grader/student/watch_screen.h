/* One screen of `watch`: a bar, what has changed, as much of the report as fits, the next step, the keys. */
#ifndef WATCH_SCREEN_H
#define WATCH_SCREEN_H

#include <stdbool.h>
#include <stdio.h>

struct watch_screen {
    const char *bar;   /* lab, verdict */
    const char *right; /* at the end of the bar: "graded 14:03:22 in 0.2 s" */
    const char *news;  /* what has changed; "" nothing */
    const char *body;  /* report, hint or list: lines with styles (SGR sequences) */
    const char *next;  /* what to do; "" nothing */
    const char *keys;
    int first; /* line of the body to begin with; corrected where it leads too far */
    int columns, rows;
    bool colour;
};

/* Draws the screen as one text that replaces what stands there, without clearing it first: nothing flickers.
 * Every line is cut at the right edge; where the locale is not UTF-8, other characters become '?'. */
void watch_screen_draw(FILE *file, struct watch_screen *screen);

/* Lines of the body that a screen of this kind shows at once. */
int watch_screen_page(const struct watch_screen *screen);

#endif
