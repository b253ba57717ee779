/* A terminal of our own for a while: one screen that is drawn as a whole, keys without Return. However the program ends, by
 * itself, by a signal or by a crash, the terminal is as it was.
 */
#ifndef TERMINAL_H
#define TERMINAL_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

/* What came while nobody looked; cleared by terminal_take. */
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

/* Takes the screen: keys at once, the cursor hidden, what stood there kept. terminal_leave gives it back; doing either twice
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
