#include "runtime/emulator/driver/device_runtime.h"

#include <string.h>

#include "runtime/language/ptx/module.h"

#define SYSTEM_CALL "__cuda_syscall_"

bool device_runtime_is_nvidias(const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++)
        if (strncmp(module->functions[i]->name, SYSTEM_CALL, strlen(SYSTEM_CALL)) == 0)
            return true;
    return false;
}

bool device_runtime_is_called(const struct ptx_module *module)
{
    for (size_t i = 0; i < module->function_count; i++) {
        const struct ptx_function *function = module->functions[i];
        if (!function->has_body
            && (strcmp(function->name, "cudaCGGetIntrinsicHandle") == 0 || strcmp(function->name, "cudaCGSynchronize") == 0))
            return true;
    }
    return false;
}

/* The handle of a grid (scope 1) is the address of the launch's barrier, which a cooperative launch has and others have not;
 * its counter is behind the first word, as in the toolkit's headers, so that both may be used in one launch. The block that
 * is first in the grid completes a sum of 2^31, which turns the highest bit; the others wait until it has turned. A barrier of
 * a grid that was not launched cooperatively may wait for blocks that have not started: a trap, as in the toolkit's headers. (On
 * an H200 such a call returns; four small blocks came to no harm.) */
const char device_runtime_text[] =
    ".version 7.0\n"
    ".target sm_70\n"
    ".address_size 64\n"
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
