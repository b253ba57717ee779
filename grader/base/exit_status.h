/* The exit statuses of build/lockstep; when several apply, the highest wins. */
#ifndef EXIT_STATUS_H
#define EXIT_STATUS_H

enum exit_status {
    EXIT_STATUS_FULL_SCORE = 0, /* everything at full score */
    EXIT_STATUS_SUBMISSION = 1, /* the file was read and something is wrong with it */
    EXIT_STATUS_USAGE = 2,      /* unknown option or lab, unreadable path */
    EXIT_STATUS_HARNESS = 3,    /* no NVRTC, no driver, disk full, our fault */
};

#endif
