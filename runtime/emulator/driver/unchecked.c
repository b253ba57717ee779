#include "runtime/emulator/driver/unchecked.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/call_place.h"
#include "runtime/emulator/driver/context.h"
#include "runtime/emulator/driver/context_stack.h"
#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/entry_points.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/lockstep_driver.h"
#include "runtime/emulator/machine/status_use.h"
#include "runtime/language/demangle.h"

DRIVER_EXPORT lockstep_call_failed_fn lockstepCallFailed;
DRIVER_EXPORT lockstep_error_read_fn lockstepErrorRead;

/* ---- failed calls ---- */

/* The first failed call that nobody has looked at; name "": none. */
static struct {
    struct call_place place;
    char error[64], meaning[160], kernel[128]; /* kernel "": the call launches none */
} unchecked;

static char launching[128]; /* the kernel of the latest launch, as in the source */

void unchecked_launching(const char *kernel)
{
    if (driver.settings->checks >= CHECKS_POISON)
        demangle_function(kernel, launching, sizeof launching);
}

/* A kernel's failure stays with its context, and every later call returns it: the kernel has its own finding. */
static bool is_of_a_kernel(int error)
{
    return error == CUDA_ERROR_ILLEGAL_ADDRESS || error == CUDA_ERROR_LAUNCH_TIMEOUT || error == CUDA_ERROR_ASSERT
           || (error >= 714 && error <= 719);
}

static const char looked[] = "The program has looked at the failure.";

void unchecked_refused(const struct finding *finding)
{
    struct call_place place;
    /* Only our runtime library says what the program looks at; who reads the record of calls knows what becomes of them. */
    if (driver.settings->checks >= CHECKS_POISON && !driver.settings->calls_path && !late_is_on() && call_place_find(&place))
        finding_hold(finding);
    else
        finding_report(finding);
}

void lockstepCallFailed(int error, const char *name, const char *meaning)
{
    struct call_place place;
    bool is_entered = driver_enter_any() == CUDA_SUCCESS;
    if (is_entered && finding_is_held() && call_place_find(&place) && call_place_was_told(&place)
        && status_use_find(place.frames, CALL_FRAMES) == STATUS_READ)
        finding_release(looked);
    if (is_entered && driver.settings->checks >= CHECKS_POISON && !driver.settings->calls_path && !unchecked.place.name[0]
        && !is_of_a_kernel(error) && call_place_find(&place) && !call_place_was_told(&place)
        && status_use_find(place.frames, CALL_FRAMES) == STATUS_IGNORED) {
        unchecked.place = place;
        snprintf(unchecked.kernel, sizeof unchecked.kernel, "%s", call_place_is_launch(&place) ? launching : "");
        snprintf(unchecked.error, sizeof unchecked.error, "%s", name);
        snprintf(unchecked.meaning, sizeof unchecked.meaning, "%s", meaning);
    }
    driver_leave(CUDA_SUCCESS);
}

void lockstepErrorRead(void)
{
    driver_enter_any();
    finding_release(looked);
    unchecked.place.name[0] = '\0';
    driver_leave(CUDA_SUCCESS);
}

static void report_unchecked(void)
{
    struct finding finding = {.code = FINDING_call_unchecked, .count = 1};
    char place[CALL_PLACE_BYTES] = "";
    bool is_launch = *unchecked.kernel;
    snprintf(finding.kernel, sizeof finding.kernel, "%s", unchecked.kernel);
    call_place_describe(&unchecked.place, is_launch ? unchecked.kernel : NULL, place);
    finding_text(&finding, "%s%.80s%s%.160s failed with %s (%s), and the program never looked at that",
                 is_launch ? "the launch of " : "", is_launch ? unchecked.kernel : unchecked.place.name,
                 *place ? " in " : "", place, unchecked.error, unchecked.meaning);
    finding_report(&finding);
}

/* ---- kernels that nobody waits for ---- */

/* The latest kernel of each stream that the program itself has launched. What a package launches for it, the package waits for
 * when somebody looks at the result. */
static struct launched {
    struct order_epoch epoch; /* number 0: none */
    char kernel[128];
    struct call_place place;
} launched[ORDER_STREAM_LIMIT];

void unchecked_launched(const char *kernel)
{
    if (driver.settings->checks < CHECKS_POISON || order_is_lost() || !order_get().clock)
        return;
    struct order_epoch epoch = order_now();
    struct launched *latest = &launched[epoch.stream];
    *latest = (struct launched){.epoch.number = 0};
    if (call_place_find(&latest->place))
        latest->epoch = epoch;
    demangle_function(kernel, latest->kernel, sizeof latest->kernel);
}

static void report_unwaited(void)
{
    const struct launched *last = NULL;
    unsigned count = 0;
    for (unsigned i = 0; i < ORDER_STREAM_LIMIT; i++) {
        if (launched[i].epoch.number == 0 || order_is_done(launched[i].epoch))
            continue;
        count++;
        if (!last || launched[i].epoch.serial > last->epoch.serial)
            last = &launched[i];
    }
    const struct context *current = context_find(context_stack_top());
    if (!last || order_is_lost() || (current && current->failure))
        return;
    struct finding finding = {.code = FINDING_not_waited, .count = count};
    char place[CALL_PLACE_BYTES] = "";
    bool is_placed = last->place.frames[0] && call_place_describe(&last->place, last->kernel, place);
    snprintf(finding.kernel, sizeof finding.kernel, "%s", last->kernel);
    finding_text(&finding,
                 "the program ended without waiting for the kernel %s%s%s: on a GPU it may never have run to its end, "
                 "and what it prints is lost",
                 last->kernel, is_placed ? ", launched in " : "", place);
    finding_report(&finding);
}

void unchecked_report(int status)
{
    finding_release(NULL);
    if (status != 0 || !driver.initialised || driver.settings->checks < CHECKS_POISON)
        return;
    if (unchecked.place.name[0])
        report_unchecked();
    report_unwaited();
}
