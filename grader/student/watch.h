/* The parts of the command watch: the file that is worked on, what has changed between two gradings of it, the screen, and
 * the terminal that the screen is drawn on. */
#ifndef WATCH_H
#define WATCH_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/stat.h>

/* ---- file -------------------------------------------------------------------------------------------------------- */

/* A file that is being worked on: notices each save, however the editor saves, and whether the file is there at all. */

/* How long a file must have been left alone before it is read, and the longest wait; an empty file may be one that is being
 * written. At these intervals it is looked at even where the system tells of no changes (network file systems). */
enum { WATCH_FILE_QUIET_MS = 60, WATCH_FILE_QUIET_EMPTY_MS = 300, WATCH_FILE_LONGEST_MS = 300, WATCH_FILE_TICK_MS = 200 };

struct watch_file {
    char *path;       /* owned */
    int events;       /* inotify; -1: none, then only looking helps. Readable when something happened in the folder */
    int folder;       /* its watch; -1: the folder is not there */
    struct stat seen; /* how the file was when it was last looked at */
    bool there;
    int64_t changed_ms; /* first change that was not taken yet; 0: none */
    int64_t latest_ms;  /* … and the latest one */
};

void watch_file_open(const char *path, struct watch_file *file);
void watch_file_close(struct watch_file *file);

/* Takes the events that wait, and looks at the file. */
void watch_file_look(struct watch_file *file);

/* Milliseconds until it is worth looking again; never more than a tick. */
int watch_file_wait_ms(const struct watch_file *file);

/* Whether the file has changed and was then left alone; true once a change. `there` says whether there is one to read. */
bool watch_file_take(struct watch_file *file);

/* ---- changes ----------------------------------------------------------------------------------------------------- */

/* What is different between two gradings of one file: "2 more cases pass; the race in shared memory is gone". */

/* Writes one line without an end.
 *   before, after   as progress_latest made them; before may be NULL or anything that a progress file holds
 * Nothing is written ("") where there is no grading before.
 */
void changes_write(const json_t *before, const json_t *after, char *text, size_t text_bytes);

/* ---- screen ------------------------------------------------------------------------------------------------------ */

/* One screen of `watch`: a bar, what has changed, as much of the report as fits, the next step, the keys. */

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

/* Draws the screen as one text that replaces what is there, without clearing it first: nothing flickers.
 * Every line is cut at the right edge; where the locale is not UTF-8, other characters become '?'. */
void watch_screen_draw(FILE *file, struct watch_screen *screen);

/* Lines of the body that a screen of this kind shows at once. */
int watch_screen_page(const struct watch_screen *screen);

/* ---- terminal ---------------------------------------------------------------------------------------------------- */

/* A terminal of our own for a while: one screen that is drawn as a whole, keys without Return. However the program ends, by
 * itself, by a signal or by a crash, the terminal is as it was.
 */

/* What came in the meantime; cleared by terminal_take. */
struct terminal_news {
    int end; /* number of a signal that asks to end; 0 none */
    bool resized;
    bool stop;      /* the user wants the shell back for a while */
    bool continued; /* … and has come back */
};

/* Whether standard input and output are a terminal that can be drawn on. */
bool terminal_is_there(void);

/* Takes the signals that matter: from now on they arrive only while `open_mask` is in force (ppoll), and terminal_take tells
 * of them. Without a screen too. */
void terminal_take_signals(sigset_t *open_mask);

/* Takes the screen: keys at once, the cursor hidden, what was there kept. terminal_leave gives it back; doing either twice
 * is harmless. Returns false when the terminal refuses. */
bool terminal_enter(void);
void terminal_leave(void);

/* Lets the shell have the terminal until the user comes back; the screen must have been left. */
void terminal_stop(void);

/* Ends the process as the signal would have. */
void terminal_end_by(int number) __attribute__((noreturn));

struct terminal_news terminal_take(void);

void terminal_size(int *columns, int *rows);

/* Shows text whole, in one piece, so that nothing flickers. */
void terminal_show(const char *text, size_t bytes);

#endif
