/* The filter of system calls: a BPF program made from sandbox_calls.def.
 *
 * Written by hand rather than through libseccomp: the program is a list of comparisons, the kit runs on one architecture
 * only, and the program is made in the child after the fork, because one rule needs its process number; that must not take
 * long. */
#include "grader/sandbox/sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

enum {
    C = 1 << SANDBOX_COMPILE,
    E = 1 << SANDBOX_EMULATED,
    G = 1 << SANDBOX_GPU,
    B = 1 << SANDBOX_BUILD,
    P = 1 << SANDBOX_PROGRAM,
    D = 1 << SANDBOX_DEVICE
};

struct rule {
    uint32_t number;
    unsigned layers;
    uint32_t argument, mask, value;
    uint32_t argument2, mask2, value2; /* a second condition; mask2 0: there is none */
};

#define ALL                                                (C | E | G | B | P | D)
#define ANY                                                0, 0, 0
#define OWN                                                UINT32_MAX
#define CALL(...)                                          CALL_ROW(__VA_ARGS__)
#define CALL_ROW(name, layers, argument, mask, value, why) {SYS_##name, layers, argument, mask, value, 0, 0, 0},
#define CALL_BOTH(name, layers, argument, mask, value, argument2, mask2, value2, why) \
    {SYS_##name, layers, argument, mask, value, argument2, mask2, value2},
static const struct rule rules[] = {
#include "grader/sandbox/sandbox_calls.def"
};
#undef CALL
#undef CALL_ROW
#undef CALL_BOTH

/* For reading only: what Landlock, or the namespace, leaves of the file system. */
static const struct rule open_rules[] = {
    {SYS_openat, C, 2, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {SYS_open, C, 1, O_ACCMODE | O_CREAT | O_TRUNC, O_RDONLY},
    {SYS_newfstatat, C, 0, 0, 0},
    {SYS_stat, C, 0, 0, 0},
    {SYS_lstat, C, 0, 0, 0},
    {SYS_access, C, 0, 0, 0},
    {SYS_readlink, C | B | P | D, 0, 0, 0},
    /* These two alone say which files: without them these layers open none. */
    {SYS_openat, B | P | D, 0, 0, 0},
    {SYS_open, B | P | D, 0, 0, 0},
    {SYS_newfstatat, B | P | D, 0, 0, 0},
    {SYS_stat, B | P | D, 0, 0, 0},
    {SYS_lstat, B | P | D, 0, 0, 0},
    {SYS_statx, B | P | D, 0, 0, 0},
    {SYS_access, B | P | D, 0, 0, 0},
    {SYS_faccessat, B | P | D, 0, 0, 0},
    {SYS_faccessat2, B | P | D, 0, 0, 0},
    {SYS_readlinkat, B | P | D, 0, 0, 0},
    {SYS_execve, B | P | D, 0, 0, 0},
    {SYS_getdents64, B | D, 0, 0, 0},
    {SYS_unlink, B | D, 0, 0, 0}, /* NVIDIA's driver gives up where it may not even try; these two refuse both */
    {SYS_symlink, D, 0, 0, 0},
    {SYS_unlinkat, B, 0, 0, 0},
    {SYS_rename, B, 0, 0, 0},
    {SYS_chmod, B, 0, 0, 0},
    {SYS_fchmod, B, 0, 0, 0},
};

enum { RULES = sizeof rules / sizeof *rules + sizeof open_rules / sizeof *open_rules, MAX_STEPS = 9 + 9 * RULES };
#define X32_BIT 0x40000000u

struct program {
    struct sock_filter steps[MAX_STEPS];
    unsigned short count;
};

static void add(struct program *program, uint16_t code, uint32_t operand, uint8_t if_true, uint8_t if_false)
{
    program->steps[program->count++] = (struct sock_filter){code, if_true, if_false, operand};
}

static void load(struct program *program, size_t offset)
{
    add(program, BPF_LD | BPF_W | BPF_ABS, (uint32_t)offset, 0, 0);
}

static void answer(struct program *program, uint32_t action)
{
    add(program, BPF_RET | BPF_K, action, 0, 0);
}

/* The conditions look at the lower half of an argument: the kernel takes all of them as 32-bit numbers. */
static void add_rule(struct program *program, const struct rule *rule)
{
    if (rule->mask == 0) {
        add(program, BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, 1);
        answer(program, SECCOMP_RET_ALLOW);
        return;
    }
    bool has_second = rule->mask2 != 0;
    add(program, BPF_JMP | BPF_JEQ | BPF_K, rule->number, 0, has_second ? 8 : 5);
    load(program, offsetof(struct seccomp_data, args) + rule->argument * sizeof(uint64_t));
    add(program, BPF_ALU | BPF_AND | BPF_K, rule->mask, 0, 0);
    add(program, BPF_JMP | BPF_JEQ | BPF_K, rule->value == OWN ? (uint32_t)getpid() : rule->value, 0, has_second ? 4 : 1);
    if (has_second) {
        load(program, offsetof(struct seccomp_data, args) + rule->argument2 * sizeof(uint64_t));
        add(program, BPF_ALU | BPF_AND | BPF_K, rule->mask2, 0, 0);
        add(program, BPF_JMP | BPF_JEQ | BPF_K, rule->value2, 0, 1);
    }
    answer(program, SECCOMP_RET_ALLOW);
    answer(program, SECCOMP_RET_ERRNO | EPERM);
}

bool sandbox_has_seccomp(void)
{
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
}

bool sandbox_filter_calls(enum sandbox_layer layer, bool may_open)
{
    struct program program = {.count = 0};
    load(&program, offsetof(struct seccomp_data, arch));
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0);
    answer(&program, SECCOMP_RET_KILL_PROCESS);
    load(&program, offsetof(struct seccomp_data, nr));
    add(&program, BPF_JMP | BPF_JGE | BPF_K, X32_BIT, 0, 1);
    answer(&program, SECCOMP_RET_KILL_PROCESS);
    /* Its arguments lie in memory, where a filter cannot look. The C library then takes clone. */
    add(&program, BPF_JMP | BPF_JEQ | BPF_K, SYS_clone3, 0, 1);
    answer(&program, SECCOMP_RET_ERRNO | ENOSYS);
    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++)
        if (rules[i].layers >> layer & 1)
            add_rule(&program, &rules[i]);
    for (size_t i = 0; may_open && i < sizeof open_rules / sizeof *open_rules; i++)
        if (open_rules[i].layers >> layer & 1)
            add_rule(&program, &open_rules[i]);
    answer(&program, SECCOMP_RET_ERRNO | EPERM);
    struct sock_fprog whole = {program.count, program.steps};
    /* SPEC_ALLOW: no code of the submission's own is executed here, so the processor's guard against speculation, which
     * older kernels would switch on, would only make it slow. */
    return syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC | SECCOMP_FILTER_FLAG_SPEC_ALLOW, &whole)
           == 0;
}
