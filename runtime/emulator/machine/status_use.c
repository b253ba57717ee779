#include "runtime/emulator/machine/status_use.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* x86-64 as compilers write it between two calls (Intel SDM, volume 2, appendix A). The result is in register 0, eax. */
enum { RESULT = 0, STEP_LIMIT = 200, BYTE_LIMIT = 15 };

enum step { GOES_ON, READS, OVERWRITES, RETURNS, UNKNOWN };

struct instruction {
    const uint8_t *at;  /* the next byte */
    bool wide, is_half; /* REX.W; prefix 66 */
    unsigned more_reg, more_rm, more_index;
    unsigned mod, reg, rm; /* of ModRM */
    bool address_reads;    /* a register that makes up the address is the result's */
};

/* ModRM, SIB and displacement. */
static void read_operands(struct instruction *instruction)
{
    unsigned byte = *instruction->at++;
    instruction->mod = byte >> 6;
    instruction->reg = (byte >> 3 & 7) | instruction->more_reg;
    instruction->rm = (byte & 7) | instruction->more_rm;
    if (instruction->mod == 3)
        return;
    unsigned base = byte & 7;
    if (base == 4) {
        unsigned sib = *instruction->at++, index = (sib >> 3 & 7) | instruction->more_index;
        base = sib & 7;
        instruction->address_reads |= index == RESULT;
    }
    bool has_base = !(base == 5 && instruction->mod == 0);
    instruction->address_reads |= has_base && (base | instruction->more_rm) == RESULT;
    if (instruction->mod == 1)
        instruction->at += 1;
    else if (instruction->mod == 2 || !has_base)
        instruction->at += 4;
}

/* An instruction with operands: which of them it reads and writes. Each bit: READ_REG and so on. */
enum { READ_REG = 1, WRITE_REG = 2, READ_RM = 4, WRITE_RM = 8 };

static enum step apply(struct instruction *instruction, unsigned uses, unsigned immediate_bytes)
{
    read_operands(instruction);
    instruction->at += immediate_bytes;
    bool is_register = instruction->mod == 3;
    if (instruction->address_reads || ((uses & READ_REG) && instruction->reg == RESULT)
        || ((uses & READ_RM) && is_register && instruction->rm == RESULT))
        return READS;
    if (((uses & WRITE_REG) && instruction->reg == RESULT)
        || ((uses & WRITE_RM) && is_register && instruction->rm == RESULT))
        return OVERWRITES;
    return GOES_ON;
}

static const uint8_t *jump(const uint8_t *next, const uint8_t *offset, unsigned bytes)
{
    int32_t distance = (int8_t)*offset;
    if (bytes == 4)
        memcpy(&distance, offset, sizeof distance);
    return next + distance;
}

/* Opcodes that follow 0f. */
static enum step step_0f(struct instruction *instruction)
{
    unsigned opcode = *instruction->at++;
    if (opcode == 0x05 || opcode == 0x0b)
        return UNKNOWN;
    if (opcode >= 0x80 && opcode <= 0x8f) {
        instruction->at += 4;
        return GOES_ON;
    }
    if (opcode >= 0x40 && opcode <= 0x4f)
        return apply(instruction, READ_REG | READ_RM, 0);
    if (opcode >= 0x90 && opcode <= 0x9f)
        return apply(instruction, WRITE_RM, 0);
    switch (opcode) {
    case 0x1e: /* endbr64 */
    case 0x1f: /* nop */
    case 0x18: /* prefetch */
    case 0x7f:
    case 0xd6:
    case 0x6f: return apply(instruction, 0, 0);
    case 0x7e: return apply(instruction, instruction->is_half ? WRITE_RM : 0, 0);
    case 0x2a:
    case 0x6e: return apply(instruction, READ_RM, 0);
    case 0x2c:
    case 0x2d:
    case 0x50: return apply(instruction, WRITE_REG, 0);
    case 0x70:
    case 0xc6: return apply(instruction, 0, 1);
    case 0xaf: return apply(instruction, READ_REG | READ_RM, 0);
    case 0xb6:
    case 0xb7:
    case 0xbe:
    case 0xbf: return apply(instruction, READ_RM | WRITE_REG, 0);
    default:
        if ((opcode >= 0x10 && opcode <= 0x17) || opcode == 0x28 || opcode == 0x29 || opcode == 0x2e || opcode == 0x2f
            || (opcode >= 0x51 && opcode <= 0x6d) || opcode == 0xe6 || opcode == 0xef)
            return apply(instruction, 0, 0);
        return UNKNOWN;
    }
}

/* Opcodes of one byte. */
static enum step step_plain(struct instruction *instruction, unsigned opcode)
{
    unsigned immediate_bytes = instruction->is_half ? 2 : 4, number = (opcode & 7) | instruction->more_rm;
    const uint8_t *modrm = instruction->at;
    if (opcode < 0x40 && (opcode & 7) < 4) {
        bool is_zeroed = (opcode >> 3 == 5 || opcode >> 3 == 6) && *modrm >> 6 == 3
                         && ((*modrm >> 3 & 7) | instruction->more_reg) == ((*modrm & 7) | instruction->more_rm);
        return apply(instruction, is_zeroed ? WRITE_REG : READ_REG | READ_RM, 0);
    }
    if (opcode < 0x40 && ((opcode & 7) == 4 || (opcode & 7) == 5))
        return READS;
    if (opcode >= 0x50 && opcode <= 0x57)
        return number == RESULT ? READS : GOES_ON;
    if (opcode >= 0x58 && opcode <= 0x5f)
        return number == RESULT ? OVERWRITES : GOES_ON;
    if (opcode >= 0xb0 && opcode <= 0xbf) {
        instruction->at += opcode < 0xb8 ? 1 : instruction->wide ? 8 : immediate_bytes;
        return number == RESULT ? OVERWRITES : GOES_ON;
    }
    if (opcode >= 0x70 && opcode <= 0x7f) {
        instruction->at += 1;
        return GOES_ON;
    }
    switch (opcode) {
    case 0x63:
    case 0x8a:
    case 0x8b: return apply(instruction, READ_RM | WRITE_REG, 0);
    case 0x68: instruction->at += 4; return GOES_ON;
    case 0x6a: instruction->at += 1; return GOES_ON;
    case 0x69: return apply(instruction, READ_RM | WRITE_REG, immediate_bytes);
    case 0x6b: return apply(instruction, READ_RM | WRITE_REG, 1);
    case 0x80:
    case 0x83:
    case 0xc0:
    case 0xc1: return apply(instruction, READ_RM, 1);
    case 0x81: return apply(instruction, READ_RM, immediate_bytes);
    case 0x84:
    case 0x85:
    case 0x86:
    case 0x87: return apply(instruction, READ_REG | READ_RM, 0);
    case 0x88:
    case 0x89: return apply(instruction, READ_REG | WRITE_RM, 0);
    case 0x8d: return apply(instruction, WRITE_REG, 0);
    case 0x90: return GOES_ON;
    case 0x98:
    case 0x99:
    case 0xa8:
    case 0xa9: return READS;
    case 0xc6: return apply(instruction, WRITE_RM, 1);
    case 0xc7: return apply(instruction, WRITE_RM, immediate_bytes);
    case 0xc9: return GOES_ON; /* leave */
    case 0xc3: return RETURNS;
    case 0xd0:
    case 0xd1:
    case 0xd2:
    case 0xd3: return apply(instruction, READ_RM, 0);
    case 0xe8: return OVERWRITES; /* the next call brings its own result */
    case 0xe9: instruction->at = jump(instruction->at + 4, instruction->at, 4); return GOES_ON;
    case 0xeb: instruction->at = jump(instruction->at + 1, instruction->at, 1); return GOES_ON;
    case 0xf6: return apply(instruction, READ_RM, (*modrm >> 3 & 7) < 2 ? 1 : 0);
    case 0xf7: return apply(instruction, READ_RM, (*modrm >> 3 & 7) < 2 ? immediate_bytes : 0);
    case 0xff: {
        enum step step = apply(instruction, READ_RM, 0);
        unsigned kind = *modrm >> 3 & 7;
        return step == READS ? READS : kind == 2 ? OVERWRITES : kind == 4 ? UNKNOWN : step;
    }
    default: return UNKNOWN;
    }
}

/* One instruction; moves *at behind it, or to where it jumps. */
static enum step step(const uint8_t **at)
{
    struct instruction instruction = {.at = *at};
    while (*instruction.at == 0x66 || *instruction.at == 0xf2 || *instruction.at == 0xf3 || *instruction.at == 0x2e
           || *instruction.at == 0x64 || *instruction.at == 0x3e) {
        if (instruction.at - *at == BYTE_LIMIT)
            return UNKNOWN;
        instruction.is_half |= *instruction.at++ == 0x66;
    }
    if (*instruction.at >> 4 == 4) {
        unsigned rex = *instruction.at++;
        instruction.wide = rex & 8;
        instruction.more_reg = rex & 4 ? 8 : 0;
        instruction.more_index = rex & 2 ? 8 : 0;
        instruction.more_rm = rex & 1 ? 8 : 0;
    }
    unsigned opcode = *instruction.at++;
    enum step step = opcode == 0x0f ? step_0f(&instruction) : step_plain(&instruction, opcode);
    *at = instruction.at;
    return step;
}

enum status_use status_use_find(const void *const *frames, int count)
{
#ifdef __x86_64__
    int frame = 0;
    const uint8_t *at = count > 0 ? frames[0] : NULL;
    for (int steps = 0; at && steps < STEP_LIMIT; steps++) {
        switch (step(&at)) {
        case GOES_ON: break;
        case OVERWRITES: return STATUS_IGNORED;
        case RETURNS: at = ++frame < count ? frames[frame] : NULL; break;
        case READS: return STATUS_READ;
        case UNKNOWN: return STATUS_UNKNOWN;
        }
    }
#else
    (void)frames;
    (void)count;
#endif
    return STATUS_UNKNOWN;
}
