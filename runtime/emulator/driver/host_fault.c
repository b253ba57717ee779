#include "runtime/emulator/driver/host_fault.h"

#include <dlfcn.h>
#include <execinfo.h>
#include <inttypes.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <ucontext.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/driver/range.h"

#ifdef __x86_64__

/* A device address is not canonical on this processor: it faults without saying where, but the register that holds it is
 * still there. */
static const struct memory_allocation *find_pointer(const ucontext_t *context, uint64_t *address)
{
    static const int registers[] = {REG_RAX, REG_RBX, REG_RCX, REG_RDX, REG_RSI, REG_RDI, REG_RBP, REG_R8,
                                    REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
    for (size_t i = 0; i < sizeof registers / sizeof *registers; i++) {
        *address = (uint64_t)context->uc_mcontext.gregs[registers[i]];
        const struct memory_allocation *allocation = *address >= MEMORY_HOST_END ? memory_find(driver.memory, *address)
                                                                                 : NULL;
        if (allocation)
            return allocation;
    }
    return NULL;
}

/* The file whose code this is; NULL: the program's own, which has no name. */
static const char *find_library(const void *place)
{
    Dl_info information;
    struct link_map *map = NULL;
    if (!dladdr1(place, &information, (void **)&map, RTLD_DL_LINKMAP) || !map || map->l_name[0] == '\0')
        return NULL;
    const char *slash = strrchr(map->l_name, '/');
    return slash ? slash + 1 : map->l_name;
}

/* Where the instruction is. Of a library's, such as free() or memcpy(), where the program calls it. */
static void describe_place(const void *place, char *where, size_t where_bytes)
{
    enum { DEPTH = 24 };
    void *frames[DEPTH];
    const void *origin[2] = {place, NULL};
    const char *library = find_library((const char *)place - 1);
    int count = library ? backtrace(frames, DEPTH) : 0, at = 0;
    while (at < count && frames[at] != (const char *)place - 1) /* the frames before it are ours */
        at++;
    while (at < count && find_library((const char *)frames[at] - 1))
        at++;
    if (at < count) {
        origin[0] = frames[at];
        origin[1] = at + 1 < count ? frames[at + 1] : NULL;
        size_t used = (size_t)snprintf(where, where_bytes, "%s, called in ", library);
        where += used;
        where_bytes -= used;
    }
    origin_describe(origin, where, where_bytes);
}

static void report(const ucontext_t *context)
{
    uint64_t address;
    struct finding finding;
    char where[512] = "", name[128] = "";
    const struct memory_allocation *allocation = find_pointer(context, &address);
    if (!allocation)
        return;
    describe_place((const char *)(uintptr_t)context->uc_mcontext.gregs[REG_RIP] + 1, where, sizeof where);
    range_describe(&finding, FINDING_device_pointer, allocation, address - allocation->address);
    finding.has_index = false;
    snprintf(name, sizeof name, "%s", allocation->name);
    if (!*name)
        snprintf(name, sizeof name, "allocation %u of the program", allocation->ordinal);
    finding_text(
        &finding,
        "The program itself used an address of the device's memory (0x%" PRIx64 ", in %s, %" PRIu64 " byte%s%s), in "
        "%s. Only kernels and copies can reach it.",
        address, name, allocation->bytes, allocation->bytes == 1 ? "" : "s", allocation->freed ? ", freed" : "", where);
    finding_report(&finding);
}

static bool (*touched)(uint64_t address, const void *place, bool is_write); /* NULL: not asked */

void host_fault_ask(bool (*take_touch)(uint64_t address, const void *place, bool is_write))
{
    touched = take_touch;
}

/* Did the instruction want to write? By the error code of the page fault. */
static bool is_write(const ucontext_t *context)
{
    return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0;
}

static void take(int number, siginfo_t *information, void *context)
{
    const ucontext_t *state = context;
    if (information->si_code == SEGV_ACCERR && touched
        && touched((uint64_t)(uintptr_t)information->si_addr,
                   (const void *)(uintptr_t)state->uc_mcontext.gregs[REG_RIP], /* NOLINT */
                   is_write(state)))
        return;              /* the instruction is executed again */
    signal(number, SIG_DFL); /* on return the instruction faults again, and ends the program */
    if (information->si_code == SI_KERNEL)
        report(context);
}

void host_fault_watch(void)
{
    struct sigaction before, action;
    const struct settings *settings = driver.settings;
    if ((!settings->summary_path && !settings->calls_path) || driver.settings->checks == CHECKS_NONE
        || sigaction(SIGSEGV, NULL, &before) != 0 || (before.sa_flags & SA_SIGINFO) || before.sa_handler != SIG_DFL)
        return;
    memset(&action, 0, sizeof action);
    action.sa_sigaction = take;
    action.sa_flags = SA_SIGINFO;
    sigaction(SIGSEGV, &action, NULL);
}

bool host_fault_is_watched(void)
{
    struct sigaction action;
    return sigaction(SIGSEGV, NULL, &action) == 0 && action.sa_flags & SA_SIGINFO && action.sa_sigaction == take;
}

#else

void host_fault_ask(bool (*take_touch)(uint64_t address, const void *place, bool is_write))
{
    (void)take_touch;
}

void host_fault_watch(void)
{
}

bool host_fault_is_watched(void)
{
    return false;
}

#endif
