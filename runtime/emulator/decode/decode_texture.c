/* Decoding instructions on textures and surfaces: what they do goes into a struct texel_site, and one operation does it. */
#include "runtime/emulator/machine/texture.h"

#include <string.h>

#include "runtime/emulator/decode/decode.h"
#include "runtime/emulator/machine/access.h"

static const struct ptx_operand *element_of(const struct ptx_operand *operand, unsigned element)
{
    return operand->kind == OPERAND_VECTOR ? &operand->elements[element] : operand;
}

static unsigned count_of(const struct ptx_operand *operand)
{
    return operand->kind == OPERAND_VECTOR ? operand->count : 1;
}

static struct texel_site *make_texel(struct decoder *decoder, enum texel_instruction what)
{
    static struct texel_site scratch;
    struct texel_site *texel = arena_allocate(decoder->arena, sizeof *texel);
    if (!texel) {
        decode_fail_memory(decoder);
        texel = &scratch;
    }
    memset(texel, 0, sizeof *texel);
    texel->instruction = what;
    texel->level = UINT32_MAX;
    memset(texel->coordinate, 0xFF, sizeof texel->coordinate);
    memset(texel->gradient, 0xFF, sizeof texel->gradient);
    return texel;
}

static void decode_shape(const struct ptx_opcode *opcode, struct texel_site *texel)
{
    bool planes = ptx_has(opcode, MOD_plane) || ptx_has(opcode, MOD_plane_layers);
    texel->cube = ptx_has(opcode, MOD_cube) || ptx_has(opcode, MOD_cube_layers);
    texel->layered = ptx_has(opcode, MOD_line_layers) || ptx_has(opcode, MOD_plane_layers)
                     || ptx_has(opcode, MOD_cube_layers);
    texel->dimensions = texel->cube || ptx_has(opcode, MOD_volume) ? 3 : planes ? 2 : 1;
}

/* A layer and up to three coordinates. Vectors of three have a fourth element that is not used. */
static void decode_coordinates(struct decoder *decoder, const struct ptx_operand *operand, struct texel_site *texel,
                               enum ptx_type type)
{
    unsigned needed = texel->layered + texel->dimensions, given = count_of(operand);
    if (given != (needed == 3 ? 4 : needed)) {
        decode_fail(decoder, "there are %u coordinates; the instruction needs %u", given, needed == 3 ? 4 : needed);
        return;
    }
    for (unsigned i = 0; i < needed; i++)
        texel->coordinate[i] = decode_source(decoder, element_of(operand, i), texel->layered && i == 0 ? PTX_U32 : type);
}

static void decode_offsets(struct decoder *decoder, const struct ptx_operand *operand, struct texel_site *texel)
{
    unsigned needed = texel->dimensions, given = count_of(operand);
    if (texel->cube || given != (needed == 3 ? 4 : needed))
        decode_fail(decoder,
                    texel->cube ? "a cube takes no offset" : "the offset does not have the dimensions of the texture");
    for (unsigned i = 0; i < needed && !decoder->failed; i++) {
        const struct ptx_operand *element = element_of(operand, i);
        if (element->kind != OPERAND_INTEGER)
            decode_fail(decoder, "an offset must be a constant");
        texel->offset[i] = (int32_t)element->bits;
    }
}

/* The handle: a register, or the value of a variable that a program binds (.texref). */
static uint32_t decode_handle(struct decoder *decoder, const struct ptx_operand *operand)
{
    if (operand->variable) {
        decode_fail(decoder, "variables that name textures or surfaces are not supported: pass a texture object");
        return 0;
    }
    if (operand->index < 0 || operand->offset) {
        decode_fail(decoder, "the handle must be a register");
        return 0;
    }
    struct ptx_operand handle = {.kind = OPERAND_REGISTER, .index = operand->index, .second = -1};
    return decode_source(decoder, &handle, PTX_U64);
}

static void emit(struct decoder *decoder, enum handler handler, struct memory_site *site, const struct texel_site *texel,
                 uint32_t handle)
{
    uint32_t index = 0;
    struct memory_site *kept = decode_site(decoder, &index);
    site->index = index;
    site->space = SITE_GLOBAL;
    site->scope = 1;
    site->texel = texel;
    *kept = *site;
    struct operation *operation = decode_emit(decoder, handler);
    operation->a = handle;
    operation->d = operation->b = operation->c = UINT32_MAX;
    operation->immediate = index; /* becomes the site's address in patch() */
}

static void decode_results(struct decoder *decoder, const struct ptx_operand *data, struct memory_site *site,
                           enum ptx_type type)
{
    for (unsigned i = 0; i < 8; i++)
        site->data[i] = UINT32_MAX;
    for (unsigned i = 0; i < count_of(data) && !decoder->failed; i++) {
        const struct ptx_operand *element = element_of(data, i);
        if (element->kind == OPERAND_SINK)
            continue;
        enum ptx_type declared = decode_register_type(decoder, element);
        declared = declared == PTX_NONE ? type : declared;
        if (declared == PTX_PRED || ptx_type_bytes(declared) < ptx_type_bytes(type))
            decode_fail(decoder, "a register of .%s is too narrow for .%s", ptx_type_name(declared), ptx_type_name(type));
        site->wide[i] = decode_is_wide(declared);
        site->data[i] = decode_destination(decoder, element, declared);
    }
}

/* tex.level, tex.grad and the offset: what follows the coordinates. */
static void decode_extras(struct decoder *decoder, const struct ptx_instruction *instruction, struct texel_site *texel,
                          enum ptx_type type)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    unsigned next = 3;
    if (ptx_has(opcode, MOD_level) && instruction->operand_count > next) {
        texel->lod = LOD_LEVEL;
        texel->level = decode_source(decoder, element_of(&instruction->operands[next++], 0), type);
    } else if (ptx_has(opcode, MOD_grad) && instruction->operand_count > next + 1) {
        texel->lod = LOD_GRADIENTS;
        for (unsigned direction = 0; direction < 2; direction++, next++) {
            const struct ptx_operand *operand = &instruction->operands[next];
            for (unsigned i = 0; i < texel->dimensions && i < count_of(operand); i++)
                texel->gradient[direction * texel->dimensions + i] = decode_source(decoder, element_of(operand, i), PTX_F32);
            if (count_of(operand) < texel->dimensions)
                decode_fail(decoder, "a gradient has a component for each dimension");
        }
    } else if (ptx_has(opcode, MOD_level) || ptx_has(opcode, MOD_grad)) {
        decode_fail(decoder, "the level or the gradients are missing");
    }
    if (instruction->operand_count > next)
        decode_offsets(decoder, &instruction->operands[next++], texel);
    if (instruction->operand_count > next)
        decode_fail(decoder, "depth comparison is not supported");
}

DECODER(texture)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    bool gathers = opcode->form->id == FORM_TLD4;
    struct texel_site *texel = make_texel(decoder, gathers ? TEXEL_GATHER : TEXEL_SAMPLE);
    enum ptx_type type = opcode->types[0], coordinates = opcode->types[1];
    struct memory_site site = {.access = SITE_LOAD, .bytes = 4, .vector = 1, .type = PTX_B32, .read_only_path = true};
    decode_shape(opcode, texel);
    texel->whole = coordinates == PTX_S32;
    texel->integers = type != PTX_F32;
    texel->vector = 4;
    texel->component = ptx_has(opcode, MOD_green_component) ? 1
                       : ptx_has(opcode, MOD_fragment_b)    ? 2
                       : ptx_has(opcode, MOD_fragment_a)    ? 3
                                                            : 0;
    if (texel->cube && texel->whole)
        decode_fail(decoder, "the coordinates of a cube are .f32");
    if (count_of(&instruction->operands[0]) != 4)
        decode_fail(decoder, "the result has %u elements; the instruction gives 4", count_of(&instruction->operands[0]));
    if (decoder->failed)
        return;
    uint32_t handle = decode_handle(decoder, &instruction->operands[1]);
    decode_coordinates(decoder, &instruction->operands[2], texel, coordinates);
    decode_extras(decoder, instruction, texel, coordinates);
    if (!decoder->failed)
        decode_results(decoder, &instruction->operands[0], &site, type);
    emit(decoder, HANDLER_texture, &site, texel, handle);
}

DECODER(texel_query)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    struct texel_site *texel = make_texel(decoder, TEXEL_QUERY);
    struct memory_site site = {.access = SITE_LOAD, .bytes = 4, .vector = 1, .type = PTX_B32};
    texel->query = ptx_has(opcode, MOD_width) ? QUERY_WIDTH : ptx_has(opcode, MOD_height) ? QUERY_HEIGHT : QUERY_DEPTH;
    texel->vector = 1;
    uint32_t handle = decode_handle(decoder, &instruction->operands[1]);
    if (opcode->form->id == FORM_TXQ_LEVEL) {
        texel->lod = LOD_LEVEL;
        texel->level = decode_source(decoder, &instruction->operands[2], PTX_U32);
    }
    decode_results(decoder, &instruction->operands[0], &site, PTX_B32);
    emit(decoder, HANDLER_texel_query, &site, texel, handle);
}

static enum texel_mode mode_of(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_clamp) ? TEXEL_CLAMPS : ptx_has(opcode, MOD_zero) ? TEXEL_ZEROES : TEXEL_TRAPS;
}

static enum atomic_operation atomic_of(const struct ptx_opcode *opcode)
{
    return ptx_has(opcode, MOD_min)   ? ATOMIC_MIN
           : ptx_has(opcode, MOD_max) ? ATOMIC_MAX
           : ptx_has(opcode, MOD_and) ? ATOMIC_AND
           : ptx_has(opcode, MOD_or)  ? ATOMIC_OR
                                      : ATOMIC_ADD;
}

DECODER(surface)
{
    const struct ptx_opcode *opcode = &instruction->opcode;
    const struct ptx_operand *operands = instruction->operands;
    bool loads = opcode->form->id == FORM_SULD, reduces = opcode->form->id == FORM_SURED;
    const struct ptx_operand *data = loads ? &operands[0] : &operands[2];
    struct texel_site *texel = make_texel(decoder, loads ? TEXEL_LOAD : reduces ? TEXEL_REDUCE : TEXEL_STORE);
    enum ptx_type type = opcode->types[0];
    decode_shape(opcode, texel);
    texel->whole = true;
    texel->mode = mode_of(opcode);
    texel->formatted = ptx_has(opcode, MOD_formatted);
    texel->bytes = ptx_type_bytes(type);
    texel->vector = opcode->vector;
    struct memory_site site = {.access = loads     ? SITE_LOAD
                                         : reduces ? SITE_REDUCTION
                                                   : SITE_STORE,
                               .bytes = (uint8_t)texel->bytes,
                               .vector = (uint8_t)opcode->vector,
                               .type = type,
                               .strong = reduces,
                               .atomic = (uint8_t)atomic_of(opcode)};
    if (count_of(data) != opcode->vector)
        decode_fail(decoder, "the vector has %u elements; the instruction needs %u", count_of(data), opcode->vector);
    if (decoder->failed)
        return;
    uint32_t handle = decode_handle(decoder, &operands[loads]);
    decode_coordinates(decoder, &operands[loads + 1], texel, PTX_S32);
    if (decoder->failed)
        return;
    if (loads) {
        decode_results(decoder, data, &site, type);
    } else {
        for (unsigned i = 0; i < 8; i++)
            site.data[i] = UINT32_MAX;
        for (unsigned i = 0; i < opcode->vector; i++) {
            site.wide[i] = decode_is_wide(type);
            enum ptx_type declared = decode_register_type(decoder, element_of(data, i));
            site.data[i] = decode_source(decoder, element_of(data, i), declared == PTX_NONE ? type : declared);
        }
    }
    emit(decoder, loads ? HANDLER_surface_load : HANDLER_surface_store, &site, texel, handle);
}
