#include "runtime/emulator/driver/call_place.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "runtime/emulator/driver/driver.h"
#include "runtime/emulator/driver/late.h"
#include "runtime/emulator/driver/origin.h"
#include "runtime/emulator/findings/finding.h"

static struct call_place told; /* the call that the latest finding about a call is about */

bool call_place_is_launch(const struct call_place *place)
{
    return strstr(place->name, "LaunchKernel") || strstr(place->name, "LaunchCooperativeKernel");
}

bool call_place_find(struct call_place *place)
{
    const void *entry;
    memset(place, 0, sizeof *place);
    origin_find_entry(&entry, place->frames, CALL_FRAMES);
    Dl_info info;
    if (!entry || !place->frames[0] || !dladdr((const char *)entry - 1, &info) || !info.dli_sname
        || origin_is_package(place->frames))
        return false;
    if (strncmp(info.dli_sname, "cuda", strlen("cuda")) != 0
        && strncmp(info.dli_sname, "__cudaLaunchKernel", strlen("__cudaLaunchKernel")) != 0)
        return false;
    size_t length = strlen(info.dli_sname);
    static const char *const endings[] = {"_ptsz", "_ptds", "_v2"};
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (length > strlen(endings[i]) && strcmp(info.dli_sname + length - strlen(endings[i]), endings[i]) == 0)
            length -= strlen(endings[i]);
    snprintf(place->name, sizeof place->name, "%.*s", (int)length, info.dli_sname);
    return true;
}

bool call_place_describe(const struct call_place *place, const char *kernel, char text[CALL_PLACE_BYTES])
{
    for (int i = 0; i < CALL_FRAMES && place->frames[i]; i++)
        if (origin_describe_frame(place->frames[i], kernel, text, CALL_PLACE_BYTES))
            break;
    if (!strstr(text, ", line "))
        *text = '\0';
    return *text != '\0';
}

bool call_place_was_told(const struct call_place *place)
{
    return told.frames[0] && told.frames[0] == place->frames[0];
}

/* ---- findings ---- */

/* "cuMemFree was given ..." becomes "cudaFree was given ...". */
static void use_name(struct finding *finding, const struct call_place *place)
{
    char rest[sizeof finding->message];
    size_t length = strcspn(finding->message, " ");
    if (strncmp(finding->message, "cu", 2) != 0 || call_place_is_launch(place))
        return;
    snprintf(rest, sizeof rest, "%s", finding->message + length);
    finding_text(finding, "%s%s", place->name, rest);
}

static void add_remark(struct finding *finding, const char *word, const char *place)
{
    size_t used = strlen(finding->remark);
    if (used + strlen(word) + strlen(place) + 4 <= sizeof finding->remark)
        snprintf(finding->remark + used, sizeof finding->remark - used, "%s%s %s.", used ? " " : "", word, place);
}

static void place_call(struct finding *finding)
{
    struct call_place place;
    char text[CALL_PLACE_BYTES] = "";
    /* Work that was kept is done in another call. */
    if (!driver_is_inside() || late_is_performing() || !call_place_find(&place))
        return;
    told = place;
    use_name(finding, &place);
    if (!driver.settings->calls_path
        && call_place_describe(&place, *finding->kernel ? finding->kernel : NULL,
                               text)) /* else its reader knows the call's place */
        add_remark(finding, call_place_is_launch(&place) ? "Launched in" : "Called in", text);
}

static void complete(struct finding *finding)
{
    char text[CALL_PLACE_BYTES] = "";
    if (finding->freed_in[0] && !driver.settings->calls_path) {
        origin_describe(finding->freed_in, text, sizeof text);
        if (strstr(text, ", line "))
            add_remark(finding, "It was freed in", text);
    }
    if (finding->filled_in) {
        const struct call_place *filled = finding->filled_in;
        char word[CALL_NAME_BYTES + 32];
        snprintf(word, sizeof word, "%s was called in", filled->name);
        if (call_place_describe(filled, NULL, text))
            add_remark(finding, word, text);
    }
    if (finding->launch || finding->line || finding->has_thread)
        return;
    switch (finding->code) {
    case FINDING_out_of_bounds:
    case FINDING_null_pointer:
    case FINDING_use_after_free:
    case FINDING_no_access:
    case FINDING_uninitialized:
    case FINDING_launch: place_call(finding); break;
    default: break;
    }
}

void call_place_begin(void)
{
    finding_watch(complete);
}
