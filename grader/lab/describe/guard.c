#include "grader/lab/describe/guard.h"

#include <errno.h>
#include <execinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <ucontext.h>
#include <unistd.h>

#include "grader/base/allocate.h"
#include "grader/base/exit_status.h"
#include "grader/lab/describe/description.h"
#include "grader/lab/describe/guard_fault.h"
#include "grader/sandbox/child.h"

#define MB              (UINT64_C(1) << 20)
#define MEMORY_BYTES    (1024 * MB) /* that the code may allocate */
#define PROBE_BYTES     (64 * MB)   /* none left for this: it has used that up */
#define GAP_BYTES       MB          /* between arrays: what is beyond one is not yet in the next */
#define CONTROL_BYTES   (128u << 10)
#define FRAMES          64
#define PATTERN         0xE7
#define WAITS_PER_LIMIT 6 /* by the clock, where a processor's time does not tell: waiting costs none */

enum { ATTEMPT_TURNED = 1 }; /* with the other ends at the pages that nobody may touch */

/* What both processes see. */
struct control {
    void (*body)(void *context);
    unsigned layout; /* changes with the places of the arrays */
    int array_count;
    struct {
        uint8_t *first, *end; /* whole pages */
    } pages[GUARD_ARRAYS];
    enum { CONTROL_RUNNING, CONTROL_DONE, CONTROL_FAULT } state;
    struct guard_trouble trouble;
    size_t context_bytes;
    _Alignas(16) uint8_t context[];
};

/* The child of this process. */
static struct {
    struct child child;
    pid_t owner; /* the process that started it: a fork has none of its own */
    const struct description *description;
    struct control *control; /* the region begins with it */
    size_t region_bytes;
    unsigned layout;
    long calls;
} guard;

static bool at_beginnings;
static int limit_seconds = 10;

void guard_watch_beginnings(bool beginnings)
{
    at_beginnings = beginnings;
}

void guard_set_limit(int seconds)
{
    limit_seconds = seconds;
}

/* ---- what is wrong with labs ------------------------------------------------------------------------------------------ */

static struct fault {
    const void *description;
    char *message;
    struct fault *next;
} *faults;

const char *guard_fault(const struct lab *lab)
{
    for (const struct fault *fault = faults; fault && lab->description; fault = fault->next)
        if (fault->description == lab->description)
            return fault->message;
    return NULL;
}

void guard_set_fault(const struct lab *lab, const char *message)
{
    if (guard_fault(lab) || !lab->description)
        return;
    struct fault *fault = allocate_zeroed(sizeof *fault);
    *fault = (struct fault){lab->description, allocate_text(message, strlen(message)), faults};
    faults = fault;
}

bool guard_goes_through(const struct lab *lab, int plan)
{
    const struct description *description = lab->description;
    return description && !sandbox_has_begun() && !module_is_built(description->module)
           && description->plans[plan].launch != callback_launch;
}

const struct lab *guard_lab(const struct lab *lab)
{
    const struct description *description = lab->description;
    return &description->lab;
}

/* ---- in the child ----------------------------------------------------------------------------------------------------- */

static uintptr_t stack_top, stack_bytes;

static void answer(void)
{
    ssize_t written = write(CHILD_CHANNEL, "", 1);
    (void)written; /* the parent sees that this process has ended */
}

/* The innermost place in the lab's code, of those on the stack. */
static uintptr_t find_place(uintptr_t pc)
{
    void *frames[FRAMES];
    if (pc != 0 && module_holds(guard.description->module, pc))
        return pc;
    int count = backtrace(frames, FRAMES);
    for (int i = 0; i < count; i++) {
        uintptr_t address = (uintptr_t)frames[i] - 1; /* of the call, not of what follows */
        if (module_holds(guard.description->module, address))
            return address;
    }
    return 0;
}

static bool is_out_of_memory(void)
{
    void *probe = mmap(NULL, PROBE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (probe != MAP_FAILED)
        munmap(probe, PROBE_BYTES);
    return probe == MAP_FAILED;
}

static void take_signal(int number, siginfo_t *info, void *context)
{
    const ucontext_t *user = context;
    struct guard_trouble *trouble = &guard.control->trouble;
    uintptr_t pc = 0, stack = 0;
    if (guard.control->state != CONTROL_RUNNING)
        _exit(1);
    *trouble = (struct guard_trouble){.signal = number, .code = info->si_code};
#if defined(__x86_64__)
    enum { WRITES = 2 };
    pc = (uintptr_t)user->uc_mcontext.gregs[REG_RIP];
    stack = (uintptr_t)user->uc_mcontext.gregs[REG_RSP];
    trouble->access = user->uc_mcontext.gregs[REG_ERR] & WRITES ? GUARD_WRITES : GUARD_READS;
#elif defined(__aarch64__)
    pc = (uintptr_t)user->uc_mcontext.pc;
    stack = (uintptr_t)user->uc_mcontext.sp;
#endif
    trouble->address = (uintptr_t)info->si_addr;
    if (info->si_code == SI_KERNEL) /* the kernel does not say which: no machine has the address */
        trouble->access = GUARD_ACCESSES;
    trouble->stack_is_used_up = number == SIGSEGV && stack != 0 && trouble->address + (MB >> 2) > stack
                                && trouble->address < stack + MB
                                && (stack > stack_top || stack_top - stack > stack_bytes - (MB >> 1));
    trouble->is_out_of_memory = is_out_of_memory();
    trouble->place = find_place(pc);
    guard.control->state = CONTROL_FAULT;
    answer();
    _exit(1);
}

/* The code called exit. */
static void take_exit(void)
{
    if (guard.control->state != CONTROL_RUNNING)
        return;
    guard.control->trouble = (struct guard_trouble){.exits = true, .place = find_place(0)};
    guard.control->state = CONTROL_FAULT;
    answer();
    _exit(1);
}

static bool catch_signals(void)
{
    static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT, SIGXCPU};
    static uint8_t room[256 << 10];
    stack_t stack = {.ss_sp = room, .ss_size = sizeof room};
    struct sigaction action = {.sa_sigaction = take_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    void *frames[FRAMES];
    bool good = sigaltstack(&stack, NULL) == 0;
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        good = good && sigaction(numbers[i], &action, NULL) == 0;
    backtrace(frames, FRAMES); /* loads what it needs, while files can be opened */
    return good && atexit(take_exit) == 0;
}

/* Leaves the code so much memory beyond what is mapped now. */
static bool limit_memory(void)
{
    unsigned long pages = 0;
    FILE *file = fopen("/proc/self/statm", "r");
    bool good = file && fscanf(file, "%lu", &pages) == 1;
    if (file)
        fclose(file);
    struct rlimit limit;
    uint64_t bytes = (uint64_t)pages * (uint64_t)sysconf(_SC_PAGESIZE) + MEMORY_BYTES;
    if (!good || CHILD_SANITIZED || getrlimit(RLIMIT_AS, &limit) != 0)
        return good;
    limit.rlim_cur = limit.rlim_max < bytes ? limit.rlim_max : bytes;
    return setrlimit(RLIMIT_AS, &limit) == 0;
}

static bool protect(const struct control *control)
{
    uint8_t *region = (uint8_t *)guard.control;
    bool good = mprotect(region + CONTROL_BYTES, guard.region_bytes - CONTROL_BYTES, PROT_NONE) == 0;
    for (int i = 0; i < control->array_count; i++)
        if (control->pages[i].end > control->pages[i].first)
            good = good
                   && mprotect(control->pages[i].first, (size_t)(control->pages[i].end - control->pages[i].first),
                               PROT_READ | PROT_WRITE)
                          == 0;
    return good;
}

static void serve(void *unused)
{
    struct control *control = guard.control;
    unsigned layout = 0;
    char byte;
    (void)unused;
    struct rlimit stack;
    stack_top = (uintptr_t)&byte;
    stack_bytes = getrlimit(RLIMIT_STACK, &stack) == 0 ? stack.rlim_cur : RLIM_INFINITY;
    if (!catch_signals() || !limit_memory() || !sandbox_close(SANDBOX_EMULATED, NULL, 0))
        _exit(CHILD_EXIT_UNCONFINED);
    while (read(CHILD_CHANNEL, &byte, 1) == 1) {
        if (layout != control->layout && !protect(control))
            _exit(CHILD_EXIT_UNCONFINED);
        layout = control->layout;
        control->state = CONTROL_RUNNING;
        control->body(control->context);
        control->state = CONTROL_DONE;
        answer();
    }
    _exit(0);
}

/* ---- in the parent ---------------------------------------------------------------------------------------------------- */

static size_t page_bytes(void)
{
    static size_t bytes;
    bytes = bytes > 0 ? bytes : (size_t)sysconf(_SC_PAGESIZE);
    return bytes;
}

static size_t whole_pages(size_t bytes)
{
    return (bytes + page_bytes() - 1) / page_bytes() * page_bytes();
}

static void fail(const char *what)
{
    fprintf(stderr, "lockstep: a process for the code of a lab could not be had: %s: %s\n", what, strerror(errno));
    exit(EXIT_STATUS_HARNESS);
}

static void stop(struct child_end *end)
{
    if (guard.owner == getpid())
        child_stop(&guard.child, end);
    else if (guard.control) /* a fork's copies of the descriptors */
        for (int *own = (int[]){guard.child.channel, guard.child.findings, guard.child.counters, guard.child.output,
                                guard.child.log, -1};
             *own >= 0; own++)
            close(*own);
    if (guard.control && guard.owner == getpid())
        munmap(guard.control, guard.region_bytes);
    memset(&guard, 0, sizeof guard);
}

/* Has this process a child that knows the lab and has room for the arrays? Else it gets one. */
static void start(const struct guard_call *call, size_t bytes)
{
    const struct description *description = call->lab->description;
    bool own = guard.owner == getpid();
    if (own && guard.control && guard.description == description && guard.region_bytes >= bytes)
        return;
    stop(NULL);
    size_t room = 8 * MB;
    while (room < bytes)
        room *= 2;
    guard.control = mmap(NULL, room, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (guard.control == MAP_FAILED)
        fail("memory");
    guard.region_bytes = room;
    guard.owner = getpid();
    guard.description = description;
    if (!child_start(&guard.child, SANDBOX_EMULATED, serve, NULL))
        fail("a process");
    /* Processes that run what a student wrote have no part of it. */
    madvise(guard.control, room, MADV_DONTFORK);
}

int guard_add(struct guard_call *call, const char *name, size_t element_bytes, size_t count)
{
    if (call->array_count >= GUARD_ARRAYS)
        abort(); /* more than a lab can have */
    call->arrays[call->array_count] = (struct guard_array){.name = name, .element_bytes = element_bytes, .count = count};
    return call->array_count++;
}

/* The first page that holds the array, and the one behind it. */
static void find_pages(const struct guard_array *array, uint8_t **first, uint8_t **end)
{
    uintptr_t page = page_bytes(), at = (uintptr_t)array->bytes, after = at + array->element_bytes * array->count;
    *first = (uint8_t *)(at / page * page);
    *end = (uint8_t *)((after + page - 1) / page * page);
}

/* Writes the pattern beside the array, or finds where it is no longer there: the byte nearest to the array, as an index. */
static bool look_beside(const struct guard_array *array, bool write, int64_t *index)
{
    uint8_t *first, *end, *at = array->bytes, *after = at + array->element_bytes * array->count;
    find_pages(array, &first, &end);
    if (write) {
        memset(first, PATTERN, (size_t)(at - first));
        memset(after, PATTERN, (size_t)(end - after));
        return false;
    }
    for (uint8_t *byte = at; byte > first; byte--)
        if (byte[-1] != PATTERN) {
            *index = -(int64_t)((size_t)(at - byte) / array->element_bytes) - 1;
            return true;
        }
    for (uint8_t *byte = after; byte < end; byte++)
        if (*byte != PATTERN) {
            *index = (int64_t)((size_t)(byte - at) / array->element_bytes);
            return true;
        }
    return false;
}

void guard_place(struct guard_call *call)
{
    size_t bytes = CONTROL_BYTES + GAP_BYTES;
    bool beginnings = at_beginnings != (call->attempt & ATTEMPT_TURNED);
    for (int i = 0; i < call->array_count; i++)
        bytes += whole_pages(call->arrays[i].element_bytes * call->arrays[i].count) + GAP_BYTES;
    start(call, bytes);
    uint8_t *at = (uint8_t *)guard.control + CONTROL_BYTES + GAP_BYTES;
    bool same = guard.control->array_count == call->array_count;
    guard.control->array_count = call->array_count;
    for (int i = 0; i < call->array_count; i++) {
        struct guard_array *array = &call->arrays[i];
        size_t own = array->element_bytes * array->count, room = whole_pages(own);
        uint8_t *first, *end;
        array->bytes = beginnings ? at : at + room - own;
        find_pages(array, &first, &end);
        same = same && guard.control->pages[i].first == first && guard.control->pages[i].end == end;
        guard.control->pages[i].first = first;
        guard.control->pages[i].end = end;
        look_beside(array, true, NULL);
        at += room + GAP_BYTES;
    }
    if (!same || guard.layout == 0)
        guard.control->layout = ++guard.layout;
}

/* Waits for the child. Returns false where it took too long: it has been asked where it is, and did or did not answer. */
static bool wait_for_answer(void)
{
    enum { LOOK_MS = 50, PATIENCE_MS = 1000 };
    struct pollfd channel = {guard.child.channel, POLLIN, 0};
    int64_t before = child_processor_ms(&guard.child), limit = (int64_t)limit_seconds * 1000, waited = 0;
    for (; waited < limit * WAITS_PER_LIMIT; waited += LOOK_MS) {
        int ready = poll(&channel, 1, LOOK_MS);
        if (ready > 0)
            return true;
        if (ready == 0 && child_processor_ms(&guard.child) - before > limit)
            break;
    }
    kill(guard.child.pid, SIGXCPU);
    poll(&channel, 1, PATIENCE_MS);
    return false;
}

/* Ends the call with what is wrong. */
static enum guard_status conclude(struct guard_call *call, char *message)
{
    guard_set_fault(call->lab, message);
    free(message);
    free(call->finding);
    call->finding = NULL;
    return GUARD_FAULT;
}

static enum guard_status take_trouble(struct guard_call *call, struct guard_trouble *trouble)
{
    if (trouble->is_out_of_memory && guard.calls > 1) { /* perhaps the calls before it have kept it all */
        stop(NULL);
        return GUARD_AGAIN;
    }
    char *message = guard_fault_describe(call, trouble, limit_seconds, MEMORY_BYTES / MB);
    stop(NULL);
    return conclude(call, message);
}

enum guard_status guard_run(struct guard_call *call)
{
    char byte = 0;
    struct control *control = guard.control;
    if (guard_fault(call->lab))
        return GUARD_FAULT;
    if (CONTROL_BYTES - sizeof *control < call->context_bytes)
        abort(); /* no call has so much */
    control->body = call->body;
    control->state = CONTROL_RUNNING;
    memcpy(control->context, call->context, call->context_bytes);
    guard.calls++;
    bool sent = send(guard.child.channel, &byte, 1, MSG_NOSIGNAL) == 1, in_time = sent && wait_for_answer();
    bool answered = recv(guard.child.channel, &byte, 1, MSG_DONTWAIT) == 1;
    if (!in_time && sent) {
        struct guard_trouble trouble = control->trouble;
        if (!answered || control->state != CONTROL_FAULT)
            trouble = (struct guard_trouble){0};
        trouble.does_not_end = true;
        return take_trouble(call, &trouble);
    }
    if (answered && control->state == CONTROL_FAULT) {
        struct guard_trouble trouble = control->trouble;
        return take_trouble(call, &trouble);
    }
    if (!answered || control->state != CONTROL_DONE) {
        struct child_end end;
        child_kill(&guard.child, &end);
        if (!end.signalled && end.code == CHILD_EXIT_UNCONFINED)
            fail("it could not be confined");
        struct guard_trouble trouble = {.has_ended = true, .signal = end.signalled ? end.code : 0, .code = end.code};
        return take_trouble(call, &trouble);
    }
    for (int i = 0; i < call->array_count; i++) {
        struct guard_trouble trouble = {.access = GUARD_WRITES, .array = i, .is_beside = true};
        if (!look_beside(&call->arrays[i], false, &trouble.index))
            continue;
        char *message = guard_fault_describe(call, &trouble, limit_seconds, 0);
        if (call->attempt & ATTEMPT_TURNED) /* it is no longer what it was at the first attempt, whatever that is */
            return conclude(call, message);
        call->finding = message;
        call->attempt |= ATTEMPT_TURNED;
        return GUARD_AGAIN; /* with the other end at the page that nobody may touch: the access is caught there */
    }
    if (call->finding)
        return conclude(call, allocate_text(call->finding, strlen(call->finding)));
    memcpy(call->context, control->context, call->context_bytes);
    return GUARD_DONE; /* the arrays hold what the code left */
}
