#include "runtime/emulator/driver/device_runtime.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/device_calls.h"
#include "runtime/language/ptx/module.h"

#define SYSTEM_CALL "__cuda_syscall_"

bool device_runtime_is_nvidias(const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++)
        if (strncmp(module->functions[i]->name, SYSTEM_CALL, strlen(SYSTEM_CALL)) == 0)
            return true;
    return false;
}

/* By either of its names: machine/device_calls.def. */
static const char *const prefixes[] = {"__cudaCDP2", "cuda"};
enum { PREFIX_COUNT = sizeof prefixes / sizeof *prefixes };

static bool is_defined_here(const char *name)
{
    unsigned count;
    const struct device_call *calls = device_calls_list(&count);
    if (strcmp(name, "cudaCGGetIntrinsicHandle") == 0 || strcmp(name, "cudaCGSynchronize") == 0)
        return true;
    for (unsigned i = 0; i < PREFIX_COUNT; i++) {
        size_t length = strlen(prefixes[i]);
        for (unsigned row = 0; strncmp(name, prefixes[i], length) == 0 && row < count; row++)
            if (calls[row].out_bytes > 0 && strcmp(name + length, calls[row].name) == 0)
                return true;
    }
    return false;
}

bool device_runtime_is_called(const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++)
        if (!module->functions[i]->has_body && is_defined_here(module->functions[i]->name))
            return true;
    return false;
}

/* The handle of a grid (scope 1) is the address of the launch's barrier, which a cooperative launch has and others have not;
 * its counter is behind the first word, as in the toolkit's headers, so that both may be used in one launch. The block that
 * is first in the grid completes a sum of 2^31, which turns the highest bit; the others wait until it has turned. A barrier of
 * a grid that was not launched cooperatively may wait for blocks that have not started: a trap, as in the toolkit's headers. (On
 * an H200 such a call returns; four small blocks came to no harm.) */
static const char grid_barrier[] =
    ".weak .func (.param .b64 handle) cudaCGGetIntrinsicHandle(.param .b32 scope)\n"
    "{\n"
    "    .reg .pred %p<2>;\n"
    "    .reg .b32 %r<4>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    mov.u64 %rd1, 0;\n"
    "    ld.param.u32 %r1, [scope];\n"
    "    setp.ne.s32 %p1, %r1, 1;\n"
    "    @%p1 bra $other;\n"
    "    mov.u32 %r2, %envreg2;\n"
    "    mov.u32 %r3, %envreg1;\n"
    "    mov.b64 %rd1, {%r2, %r3};\n"
    "$other:\n"
    "    st.param.b64 [handle], %rd1;\n"
    "    ret;\n"
    "}\n"
    ".weak .func (.param .b32 status) cudaCGSynchronize(.param .b64 handle, .param .b32 flags)\n"
    "{\n"
    "    .reg .pred %p<5>;\n"
    "    .reg .b32 %r<20>;\n"
    "    .reg .b64 %rd<2>;\n"
    "    ld.param.u64 %rd1, [handle];\n"
    "    setp.ne.s64 %p1, %rd1, 0;\n"
    "    @%p1 bra $arrive;\n"
    "    trap;\n"
    "$arrive:\n"
    "    barrier.sync 0;\n"
    "    mov.u32 %r1, %tid.x;\n"
    "    mov.u32 %r2, %tid.y;\n"
    "    mov.u32 %r3, %tid.z;\n"
    "    or.b32 %r4, %r1, %r2;\n"
    "    or.b32 %r5, %r4, %r3;\n"
    "    setp.ne.s32 %p2, %r5, 0;\n"
    "    @%p2 bra $leave;\n"
    "    mov.u32 %r6, %ctaid.x;\n"
    "    mov.u32 %r7, %ctaid.y;\n"
    "    mov.u32 %r8, %ctaid.z;\n"
    "    or.b32 %r9, %r6, %r7;\n"
    "    or.b32 %r10, %r9, %r8;\n"
    "    setp.eq.s32 %p3, %r10, 0;\n"
    "    mov.u32 %r11, %nctaid.x;\n"
    "    mov.u32 %r12, %nctaid.y;\n"
    "    mov.u32 %r13, %nctaid.z;\n"
    "    mul.lo.s32 %r14, %r11, %r12;\n"
    "    mul.lo.s32 %r14, %r14, %r13;\n"
    "    sub.s32 %r15, -2147483647, %r14;\n"
    "    selp.b32 %r16, %r15, 1, %p3;\n"
    "    membar.gl;\n"
    "    atom.global.add.u32 %r17, [%rd1+4], %r16;\n"
    "$turn:\n"
    "    ld.volatile.global.u32 %r18, [%rd1+4];\n"
    "    xor.b32 %r19, %r18, %r17;\n"
    "    setp.ge.s32 %p4, %r19, 0;\n"
    "    @%p4 bra $turn;\n"
    "    membar.gl;\n"
    "$leave:\n"
    "    barrier.sync 0;\n"
    "    st.param.b32 [status], 0;\n"
    "    ret;\n"
    "}\n";

/* ---- functions that write something ---- */

static void write_parameters(FILE *text, const struct device_call *call, const char *name)
{
    for (unsigned i = 0; call->parameters[i]; i++)
        fprintf(text, "%s.param .b%d %s%u", i ? ", " : "", call->parameters[i] == 'w' ? 32 : 64, name, i);
}

static void write_declaration(FILE *text, const struct device_call *call)
{
    fprintf(text, ".extern .func (.param .align 8 .b8 answer[16]) " DEVICE_ANSWER_PREFIX "%s(", call->name);
    write_parameters(text, call, "p");
    fprintf(text, "%s);\n", call->out_bytes > 8 ? ", .param .b32 word" : "");
}

/* Asks the machine, and stores its answer: of more than 8 bytes, word by word. */
static void write_definition(FILE *text, const struct device_call *call, const char *prefix)
{
    bool by_word = call->out_bytes > 8;
    fprintf(text, ".weak .func (.param .b32 status) %s%s(", prefix, call->name);
    write_parameters(text, call, "p");
    fputs(")\n{\n"
          "    .reg .pred %more;\n"
          "    .reg .b32 %status, %half, %word;\n"
          "    .reg .b64 %value, %place;\n",
          text);
    for (unsigned i = 0; call->parameters[i]; i++) {
        int bits = call->parameters[i] == 'w' ? 32 : 64;
        fprintf(text, "    .reg .b%d %%a%u;\n    ld.param.b%d %%a%u, [p%u];\n", bits, i, bits, i, i);
    }
    fputs("    mov.b32 %word, 0;\n"
          "    mov.b64 %place, %a0;\n"
          "$next:\n"
          "    {\n"
          "    .param .align 8 .b8 answer[16];\n",
          text);
    fprintf(text, "    call (answer), " DEVICE_ANSWER_PREFIX "%s, (", call->name);
    for (unsigned i = 0; call->parameters[i]; i++)
        fprintf(text, "%s%%a%u", i ? ", " : "", i);
    fprintf(text,
            "%s);\n"
            "    ld.param.b32 %%status, [answer];\n"
            "    ld.param.b64 %%value, [answer+8];\n"
            "    }\n"
            "    st.param.b32 [status], %%status;\n"
            "    setp.ne.s32 %%more, %%status, 0;\n"
            "    @%%more bra $done;\n",
            by_word ? ", %word" : "");
    if (call->out_bytes == 8)
        fputs("    st.b64 [%place], %value;\n", text);
    else
        fputs("    cvt.u32.u64 %half, %value;\n"
              "    st.b32 [%place], %half;\n",
              text);
    if (by_word)
        fprintf(text,
                "    add.s64 %%place, %%place, 4;\n"
                "    add.s32 %%word, %%word, 1;\n"
                "    setp.lt.u32 %%more, %%word, %u;\n"
                "    @%%more bra $next;\n",
                call->out_bytes / 4);
    fputs("$done:\n"
          "    ret;\n"
          "}\n",
          text);
}

char *device_runtime_create_text(void)
{
    char *result = NULL;
    size_t length;
    unsigned count;
    const struct device_call *calls = device_calls_list(&count);
    FILE *text = open_memstream(&result, &length);
    if (!text)
        return NULL;
    fprintf(text, ".version 7.0\n.target sm_70\n.address_size 64\n%s", grid_barrier);
    for (unsigned row = 0; row < count; row++) {
        if (calls[row].out_bytes == 0)
            continue;
        write_declaration(text, &calls[row]);
        for (unsigned i = 0; i < PREFIX_COUNT; i++)
            write_definition(text, &calls[row], prefixes[i]);
    }
    if (fclose(text) != 0) {
        free(result);
        return NULL;
    }
    return result;
}
