#include "grader/student/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <termios.h>
#include <unistd.h>

/* The other screen, no cursor, no wrapping; and back, with the style reset. */
#define ENTER_TEXT "\033[?1049h\033[?25l\033[?7l"
#define LEAVE_TEXT "\033[?7h\033[?25h\033[0m\033[?1049l"

static struct termios saved;
static volatile sig_atomic_t entered;
static int real_errors = -1, kept_errors = -1; /* standard error, and what replaces it while the screen is ours */
static pid_t owner;                            /* children inherit all of this, but the terminal is not theirs to restore */

static volatile sig_atomic_t came_end, came_resize, came_stop, came_continue;

static void write_all(int file, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t written = write(file, text, bytes);
        if (written < 0 && errno != EINTR && errno != EAGAIN)
            return;
        if (written > 0) {
            text += written;
            bytes -= (size_t)written;
        }
    }
}

/* Only what a signal handler may call. */
static void restore(void)
{
    if (!entered || getpid() != owner)
        return;
    entered = 0;
    write_all(STDOUT_FILENO, LEAVE_TEXT, sizeof(LEAVE_TEXT) - 1);
    tcsetattr(STDIN_FILENO, TCSADRAIN, &saved);
    if (real_errors < 0)
        return;
    dup2(real_errors, STDERR_FILENO);
    char text[1024];
    ssize_t bytes;
    lseek(kept_errors, 0, SEEK_SET);
    while ((bytes = read(kept_errors, text, sizeof text)) > 0)
        write_all(STDERR_FILENO, text, (size_t)bytes);
    close(real_errors);
    close(kept_errors);
    real_errors = kept_errors = -1;
}

/* Messages would appear in the middle of the screen: they wait until it is given back. */
static void keep_errors(void)
{
    kept_errors = memfd_create("errors", MFD_CLOEXEC);
    real_errors = kept_errors >= 0 ? fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 3) : -1;
    if (real_errors >= 0) {
        dup2(kept_errors, STDERR_FILENO);
    } else if (kept_errors >= 0) {
        close(kept_errors);
        kept_errors = -1;
    }
}

static void note(int number)
{
    switch (number) {
    case SIGWINCH: came_resize = 1; break;
    case SIGTSTP: came_stop = 1; break;
    case SIGCONT: came_continue = 1; break;
    default: came_end = number; break;
    }
}

/* SA_RESETHAND: the second time the signal ends the process. */
static void crash(int number)
{
    restore();
    raise(number);
}

bool terminal_is_there(void)
{
    const char *kind = getenv("TERM");
    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) && kind && kind[0] != '\0' && strcmp(kind, "dumb") != 0;
}

void terminal_take_signals(sigset_t *open_mask)
{
    static const int noted[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGWINCH, SIGTSTP, SIGCONT};
    static const int crashes[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT};
    struct sigaction action = {.sa_handler = note}, ignored;
    sigset_t blocked;
    sigemptyset(&blocked);
    for (size_t i = 0; i < sizeof noted / sizeof *noted; i++) {
        /* What the caller had ignored (nohup) stays ignored. */
        if (sigaction(noted[i], NULL, &ignored) == 0 && ignored.sa_handler == SIG_IGN)
            continue;
        sigaction(noted[i], &action, NULL);
        sigaddset(&blocked, noted[i]);
    }
    sigprocmask(SIG_BLOCK, &blocked, open_mask);
    action = (struct sigaction){.sa_handler = crash, .sa_flags = (int)(SA_RESETHAND | SA_NODEFER)};
    for (size_t i = 0; i < sizeof crashes / sizeof *crashes; i++)
        sigaction(crashes[i], &action, NULL);
}

bool terminal_enter(void)
{
    static bool registered;
    if (entered)
        return true;
    if (tcgetattr(STDIN_FILENO, &saved) != 0)
        return false;
    struct termios raw = saved;
    raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
    raw.c_iflag &= ~(tcflag_t)IXON;
    raw.c_cc[VMIN] = 0;
    raw.c_cc[VTIME] = 0;
    if (!registered)
        atexit(restore);
    registered = true;
    owner = getpid();
    entered = 1;
    if (tcsetattr(STDIN_FILENO, TCSADRAIN, &raw) != 0) {
        entered = 0;
        return false;
    }
    write_all(STDOUT_FILENO, ENTER_TEXT, sizeof(ENTER_TEXT) - 1);
    keep_errors();
    return true;
}

void terminal_leave(void)
{
    restore();
}

/* Lets one signal act as if nobody had taken it. */
static void act_as_default(int number)
{
    sigset_t only, before;
    struct sigaction standard = {.sa_handler = SIG_DFL}, own;
    sigemptyset(&only);
    sigaddset(&only, number);
    sigaction(number, &standard, &own);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &only, &before); /* it acts here */
    sigprocmask(SIG_SETMASK, &before, NULL);
    sigaction(number, &own, NULL);
}

void terminal_stop(void)
{
    act_as_default(SIGTSTP);
}

void terminal_end_by(int number)
{
    terminal_leave();
    act_as_default(number);
    _exit(128 + number);
}

struct terminal_news terminal_take(void)
{
    struct terminal_news news = {came_end, came_resize != 0, came_stop != 0, came_continue != 0};
    came_end = came_resize = came_stop = came_continue = 0;
    return news;
}

void terminal_size(int *columns, int *rows)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 && size.ws_row > 0;
    *columns = known ? size.ws_col : 80;
    *rows = known ? size.ws_row : 24;
}

void terminal_show(const char *text, size_t bytes)
{
    write_all(STDOUT_FILENO, text, bytes);
}
