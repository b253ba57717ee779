#include "runtime/emulator/settings/settings.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Enough for one thread to do a whole case of 2^24 elements at two dozen instructions each; a spin burns it in seconds. */
#define DEFAULT_FUEL 400000000u

/* Of device memory: addresses have 47 bits. */
#define MOST_MIB (UINT64_C(1) << 27)

#define MOST_DEVICES 8u

struct choice {
    const char *word;
    int value;
};

static const struct choice checks_choices[] = {
    {"none", CHECKS_NONE}, {"memory", CHECKS_MEMORY}, {"poison", CHECKS_POISON}, {"all", CHECKS_ALL}, {NULL, 0},
};
static const struct choice isa_choices[] = {{"baseline", 0}, {"avx2", 1}, {"avx512", 2}, {NULL, 0}};

static const struct choice fault_choices[] = {{"fail", 0}, {"continue", 1}, {NULL, 0}};

static struct settings settings;
static pthread_once_t settings_once = PTHREAD_ONCE_INIT;

static void report_unknown(const char *variable, const char *value, const struct choice *choices, const char *used)
{
    fprintf(stderr, "lockstep: %s=%s is not known; choose", variable, value);
    for (const struct choice *choice = choices; choice->word; choice++)
        fprintf(stderr, "%s %s", choice == choices ? "" : ",", choice->word);
    fprintf(stderr, ". Using %s.\n", used);
}

/* The value of the variable's word; the fallback when it is unset or unknown (reported). */
static int read_choice(const char *variable, const struct choice *choices, int fallback, const char *fallback_word)
{
    const char *value = getenv(variable);
    if (!value || value[0] == '\0')
        return fallback;
    for (const struct choice *choice = choices; choice->word; choice++) {
        if (strcmp(choice->word, value) == 0)
            return choice->value;
    }
    report_unknown(variable, value, choices, fallback_word);
    return fallback;
}

static const struct schedule *read_schedule(void)
{
    const char *value = getenv("LOCKSTEP_SCHEDULE");
    const struct schedule *schedule = value && value[0] != '\0' ? schedule_find(value) : schedules;
    if (schedule)
        return schedule;
    fprintf(stderr, "lockstep: LOCKSTEP_SCHEDULE=%s is not known; choose", value);
    for (schedule = schedules; schedule->name; schedule++)
        fprintf(stderr, "%s %s", schedule == schedules ? "" : ",", schedule->name);
    fprintf(stderr, ". Using %s.\n", schedules->name);
    return schedules;
}

/* A positive number up to `most`; the fallback when the variable is unset, or something else (reported with `what`). */
static uint64_t read_number(const char *variable, const char *what, uint64_t most, uint64_t fallback, const char *used)
{
    const char *value = getenv(variable);
    if (!value || value[0] == '\0')
        return fallback;
    char *end;
    errno = 0;
    unsigned long long number = strtoull(value, &end, 10);
    /* strtoull accepts a sign, and wraps a negative number round to a huge one */
    if (errno != 0 || *end != '\0' || value[0] == '-' || number == 0 || number > most) {
        fprintf(stderr, "lockstep: %s=%s is not a positive number of %s. Using %s.\n", variable, value, what, used);
        return fallback;
    }
    return number;
}

static uint64_t read_fuel(void)
{
    char used[24];
    snprintf(used, sizeof used, "%u", DEFAULT_FUEL);
    return read_number("LOCKSTEP_FUEL", "warp instructions", UINT64_MAX, DEFAULT_FUEL, used);
}

static const char *read_path(const char *variable)
{
    const char *value = getenv(variable);
    return value && value[0] != '\0' ? strdup(value) : NULL;
}

/* "2", "2,1" or "2,1,0": missing numbers are 0. */
static void read_block(uint32_t block[3])
{
    const char *value = getenv("LOCKSTEP_TRACE_BLOCK");
    char end;
    if (!value || value[0] == '\0')
        return;
    unsigned x = 0, y = 0, z = 0;
    bool good = value[strspn(value, "0123456789,")] == '\0' && strlen(value) < 32 && value[strlen(value) - 1] != ','
                && (sscanf(value, "%9u,%9u,%9u%c", &x, &y, &z, &end) == 3 || sscanf(value, "%9u,%9u%c", &x, &y, &end) == 2
                    || sscanf(value, "%9u%c", &x, &end) == 1);
    if (!good) {
        fprintf(stderr, "lockstep: LOCKSTEP_TRACE_BLOCK=%s is not a block: X, X,Y or X,Y,Z. Using 0,0,0.\n", value);
        x = y = z = 0;
    }
    block[0] = x;
    block[1] = y;
    block[2] = z;
}

static void read_all(void)
{
    settings.checks = (enum settings_checks)read_choice("LOCKSTEP_CHECKS", checks_choices, CHECKS_MEMORY, "memory");
    settings.schedule = read_schedule();
    settings.fuel = read_fuel();
    settings.memory_bytes = read_number("LOCKSTEP_MEMORY", "MiB of device memory", MOST_MIB, 0, "the device's own") << 20;
    settings.devices = (unsigned)read_number("LOCKSTEP_DEVICES", "devices up to 8", MOST_DEVICES, 1, "1");
#define OUTPUT(name, variable, consequence) settings.name##_path = read_path(variable);
#include "runtime/tables/outputs.def"
    settings.continue_after_fault = read_choice("LOCKSTEP_AFTER_FAULT", fault_choices, 0, "fail");
    read_block(settings.trace_block);
    int isa = read_choice("LOCKSTEP_ISA", isa_choices, -1, "the best this processor has");
    settings.isa = isa < 0 ? NULL : isa_choices[isa].word;
}

const struct settings *settings_get(void)
{
    pthread_once(&settings_once, read_all);
    return &settings;
}

bool settings_set_schedule(const char *name)
{
    const struct schedule *schedule = schedule_find(name);
    /* Programs that are already decoded have the executor that the settings of that time required. */
    if (!schedule || schedule_is_stepped(schedule) > settings_observe(settings_get()))
        return false;
    settings.schedule = schedule;
    return true;
}

void settings_set_repair(const char *request)
{
    settings_get();
    snprintf(settings.repair, sizeof settings.repair, "%s", request);
}

static FILE *open_file(const char *variable, const char *path, const char *consequence)
{
    FILE *file = path ? fopen(path, "ae") : NULL;
    if (path && !file)
        fprintf(stderr, "lockstep: cannot open %s=%s: %m%s\n", variable, path, consequence);
    return file;
}

#define OUTPUT(name, variable, consequence)                                   \
    FILE *settings_open_##name(void)                                          \
    {                                                                         \
        return open_file(variable, settings_get()->name##_path, consequence); \
    }
#include "runtime/tables/outputs.def"
