#include "runtime/emulator/machine/texture.h"

#include <stdio.h>
#include <string.h>

#include "runtime/emulator/findings/finding.h"
#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/hooks.h"
#include "runtime/emulator/machine/place.h"
#include "runtime/emulator/machine/work.h"

enum { CHANNELS = 4, TAPS = 16 }; /* taps: eight texels of two levels */

/* One texel that a lane's result is made of. */
struct tap {
    uint64_t address; /* 0: the border, or outside where that reads 0 */
    unsigned weight;  /* of the linear filter, in 1/TEXEL_ONE */
    uint32_t raw[CHANNELS];
};

/* What one lane reads: the texels of one level of detail, then those of the next. */
struct sample {
    struct tap tap[TAPS];
    bool no_border;              /* outside, there is 0 */
    unsigned count, first_count; /* all; of the first level */
    unsigned blend;              /* weight of the second level, in 1/TEXEL_ONE */
};

/* ---- registers ---- */

static uint32_t get_r(const struct warp *warp, uint32_t offset, unsigned lane)
{
    return ((const uint32_t *)((const char *)warp->r + offset))[lane];
}

static float get_float(const struct warp *warp, uint32_t offset, unsigned lane)
{
    uint32_t bits = get_r(warp, offset, lane);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void set_result(struct warp *warp, const struct operation *operation, unsigned element, unsigned lane, uint64_t value)
{
    const struct memory_site *site = operation->site;
    uint32_t offset = site->data[element];
    if (offset == UINT32_MAX)
        return;
    if (site->wide[element])
        ((uint64_t *)((char *)warp->q + offset))[lane] = value;
    else
        ((uint32_t *)((char *)warp->r + offset))[lane] = (uint32_t)value;
}

/* ---- findings ---- */

static void report(struct warp *warp, const struct operation *operation, unsigned lane, enum finding_code code,
                   uint64_t what, const char *text)
{
    uint64_t key = finding_key(operation->site, code, what);
    work_add(WORK_REPORT);
    if (!finding_repeat(warp->launch->findings, key)) {
        struct finding finding;
        launch_finding(warp, operation, lane, code, &finding);
        finding_text(&finding, "%s", text);
        finding_collect_as(warp->launch->findings, key, &finding);
    }
    if (code != FINDING_texture_handle) /* of which a GPU says nothing: what is read is 0 */
        launch_raise(warp->launch, code == FINDING_misaligned ? LAUNCH_MISALIGNED : LAUNCH_ILLEGAL_ADDRESS);
}

static bool is_of_surface(const struct texel_site *texel)
{
    return texel->instruction == TEXEL_LOAD || texel->instruction == TEXEL_STORE || texel->instruction == TEXEL_REDUCE;
}

/* Does the instruction suit what the handle stands for? Queries suit both. */
static bool suits(const struct texel_site *texel, const struct texture *texture)
{
    const struct image *image = &texture->image;
    if (texel->instruction == TEXEL_QUERY)
        return true;
    return texture->is_surface == is_of_surface(texel) && texel->cube == (image->cube && !texture->is_surface)
           && texel->layered == (image->layered || (texture->is_surface && image->cube))
           && (image->cube || texel->dimensions == image->dimensions);
}

static const char *name_of_shape(char text[64], unsigned dimensions, bool cube, bool layered)
{
    if (cube)
        snprintf(text, 64, "a cube%s", layered ? " with layers" : "");
    else
        snprintf(text, 64, "%u-dimensional%s", dimensions, layered ? " with layers" : "");
    return text;
}

/* tex1Dfetch of an array: an H200 gives 0. */
static bool fetches_array(const struct texel_site *texel, const struct texture *texture)
{
    return texel->whole && texel->dimensions == 1 && !texture->image.linear && texel->instruction == TEXEL_SAMPLE;
}

/* The texture of a lane's handle; NULL when there is none that suits, which is reported. */
static const struct texture *find_texture(struct warp *warp, const struct operation *operation, unsigned lane)
{
    const struct texel_site *texel = operation->site->texel;
    uint64_t handle = ((const uint64_t *)((const char *)warp->q + operation->a))[lane];
    const struct texture *texture = warp->launch->request->find_texture(handle);
    char text[300], one[64], other[64];
    if (texture && suits(texel, texture) && !fetches_array(texel, texture))
        return texture;
    const char *wanted = is_of_surface(texel) ? "surface" : "texture";
    if (!texture)
        snprintf(text, sizeof text,
                 "a %s is used whose handle is 0x%llx: no texture or surface object has this handle; it was destroyed, or "
                 "never made",
                 wanted, (unsigned long long)handle);
    else if (texture->is_surface != is_of_surface(texel))
        snprintf(text, sizeof text, "a %s is used, but the handle is that of a %s object", wanted,
                 texture->is_surface ? "surface" : "texture");
    else if (suits(texel, texture))
        snprintf(text, sizeof text,
                 "tex1Dfetch reads linear memory, but the texture object is that of an array: the result is 0; tex1D reads "
                 "arrays");
    else
        snprintf(text, sizeof text, "the kernel uses a %s as if it were %s; it is %s", wanted,
                 name_of_shape(one, texel->dimensions, texel->cube, texel->layered),
                 name_of_shape(other, texture->image.dimensions, texture->image.cube, texture->image.layered));
    report(warp, operation, lane, FINDING_texture_handle, handle, text);
    return NULL;
}

/* ---- which texels ---- */

static int64_t clamp_layer(uint32_t layer, uint32_t count)
{
    return layer >= count ? count - 1 : layer;
}

static uint64_t texel_address(const struct image *image, const struct image_level *level, const int64_t place[3])
{
    if (place[0] < 0 || place[1] < 0 || place[2] < 0)
        return 0;
    return level->address + (uint64_t)place[2] * level->slice_bytes + (uint64_t)place[1] * level->row_bytes
           + (uint64_t)place[0] * image->channels * image->channel_bytes;
}

static void add_tap(struct sample *sample, const struct image *image, const struct image_level *level,
                    const int64_t place[3], unsigned weight)
{
    sample->tap[sample->count++] = (struct tap){.address = texel_address(image, level, place), .weight = weight};
}

static struct texel_axis axis_of(const struct texture *texture, const struct image_level *level, unsigned k)
{
    const uint32_t sizes[] = {level->width, level->height, level->depth};
    return (struct texel_axis){
        .size = sizes[k], .outside = texture->outside[k], .normalized = texture->normalized_coordinates};
}

/* The coordinates of a lane: x, y, z from 0 to 1 or in texels, and the slice that layer and face lead to. */
struct texel_place {
    float coordinate[3];
    int32_t whole[3];
    int64_t slice; /* -1: the third coordinate says */
};

static struct texel_place find_place(const struct warp *warp, const struct texel_site *texel, const struct texture *texture,
                                     unsigned lane)
{
    struct texel_place place = {.slice = texel->dimensions == 3 && !texel->cube ? -1 : 0};
    const uint32_t *from = texel->coordinate;
    const struct image_level *level = &texture->image.levels[0];
    uint32_t layer = texel->layered ? get_r(warp, *from++, lane) : 0;
    unsigned count = texel->cube ? 3 : texel->dimensions;
    for (unsigned k = 0; k < count; k++) {
        place.coordinate[k] = get_float(warp, from[k], lane);
        place.whole[k] = (int32_t)get_r(warp, from[k], lane);
    }
    if (texel->layered)
        place.slice = clamp_layer(layer, texel->cube ? level->depth / 6 : level->depth);
    if (texel->cube) {
        float direction[3] = {place.coordinate[0], place.coordinate[1], place.coordinate[2]};
        unsigned face = texel_face(direction, &place.coordinate[0], &place.coordinate[1]);
        place.slice = place.slice * 6 + face;
    }
    return place;
}

/* The one texel that lies at the place. */
static void add_nearest(struct sample *sample, const struct texel_site *texel, const struct texture *texture,
                        const struct image_level *level, const struct texel_place *place)
{
    const struct image *image = &texture->image;
    int64_t at[3] = {0, 0, place->slice < 0 ? 0 : place->slice};
    unsigned count = place->slice < 0 ? 3 : image->dimensions;
    for (unsigned k = 0; k < count; k++) {
        struct texel_axis axis = axis_of(texture, level, k);
        if (image->linear)
            axis.outside = TEXEL_BORDER;
        at[k] = texel->whole ? texel_at(place->whole[k], axis.size, texel->offset[k])
                             : texel_nearest(place->coordinate[k], &axis, texel->offset[k]);
    }
    add_tap(sample, image, level, at, 0);
}

/* The two, four or eight texels around the place, with their weights. An H200 treats one dimension as the lower edge of two:
 * if the border lies beyond it, half of the result is border. */
static unsigned find_pairs(const struct texel_site *texel, const struct texture *texture, const struct image_level *level,
                           const struct texel_place *place, struct texel_pair pair[3])
{
    unsigned count = place->slice < 0 ? 3 : texture->image.dimensions;
    for (unsigned k = 0; k < count; k++) {
        struct texel_axis axis = axis_of(texture, level, k);
        pair[k] = texel_blended(place->coordinate[k], &axis, texel->offset[k]);
    }
    if (count == 1 && !texture->image.layered && texture->outside[1] == TEXEL_BORDER)
        pair[count++] = (struct texel_pair){{-1, 0}, TEXEL_ONE / 2};
    return count;
}

static void add_blended(struct sample *sample, const struct texel_site *texel, const struct texture *texture,
                        const struct image_level *level, const struct texel_place *place)
{
    struct texel_pair pair[3];
    unsigned count = find_pairs(texel, texture, level, place, pair), second[3] = {0}, weight[8];
    for (unsigned k = 0; k < count; k++)
        second[k] = pair[k].weight;
    texel_weights(second, count, weight);
    for (unsigned corner = 0; corner < 1u << count; corner++) {
        int64_t at[3] = {0, 0, place->slice < 0 ? 0 : place->slice};
        for (unsigned k = 0; k < count; k++)
            at[k] = pair[k].index[corner >> k & 1];
        if (weight[corner] > 0)
            add_tap(sample, &texture->image, level, at, weight[corner]);
    }
}

/* The four texels that a linear filter would blend, in the order of the result's elements. */
static void add_gathered(struct sample *sample, const struct texel_site *texel, const struct texture *texture,
                         const struct texel_place *place)
{
    static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    const struct image_level *level = &texture->image.levels[0];
    struct texel_pair pair[2];
    for (unsigned k = 0; k < 2; k++) {
        struct texel_axis axis = axis_of(texture, level, k);
        pair[k] = texel_blended(place->coordinate[k], &axis, texel->offset[k]);
    }
    for (unsigned i = 0; i < 4; i++) {
        int64_t at[3] = {pair[0].index[order[i][0]], pair[1].index[order[i][1]], place->slice};
        add_tap(sample, &texture->image, level, at, 0);
    }
}

static void add_level(struct sample *sample, const struct texel_site *texel, const struct texture *texture, unsigned level,
                      const struct texel_place *place)
{
    if (texture->blends && !texel->whole)
        add_blended(sample, texel, texture, &texture->image.levels[level], place);
    else
        add_nearest(sample, texel, texture, &texture->image.levels[level], place);
}

/* The level of detail that the instruction asks for, in 1/TEXEL_ONE. */
static int32_t asked_level(const struct warp *warp, const struct texel_site *texel, const struct texture *texture,
                           unsigned lane)
{
    const struct image_level *level = &texture->image.levels[0];
    const uint32_t sizes[] = {level->width, level->height, level->depth};
    if (texel->lod == LOD_LEVEL)
        return texel->whole ? (int32_t)(texel_level((float)(int32_t)get_r(warp, texel->level, lane)))
                            : texel_level(get_float(warp, texel->level, lane) + texture->level_bias);
    float length[2] = {0, 0};
    for (unsigned direction = 0; texel->lod == LOD_GRADIENTS && direction < 2; direction++)
        for (unsigned k = 0; k < texel->dimensions; k++) {
            float step = get_float(warp, texel->gradient[direction * texel->dimensions + k], lane) * (float)sizes[k];
            length[direction] += step * step;
        }
    float longest = length[0] > length[1] ? length[0] : length[1];
    if (texel->lod == LOD_BASE)
        return 0;
    return texel_level(texel_log2(longest) / 2 + texture->level_bias);
}

static int32_t clamp_level(const struct texture *texture, int32_t level)
{
    int32_t low = texel_level(texture->level_low), high = texel_level(texture->level_high);
    int32_t last = (int32_t)(texture->image.level_count - 1) * TEXEL_ONE;
    level = level > high ? high : level;
    level = level < low ? low : level;
    return level < 0 ? 0 : level > last ? last : level;
}

static void find_texels(const struct warp *warp, const struct texel_site *texel, const struct texture *texture,
                        unsigned lane, struct sample *sample)
{
    struct texel_place place = find_place(warp, texel, texture, lane);
    sample->count = sample->blend = 0;
    sample->no_border = texel->whole || texture->image.linear;
    if (texel->instruction == TEXEL_GATHER) {
        add_gathered(sample, texel, texture, &place);
        return;
    }
    int32_t level = texture->image.level_count > 1 ? clamp_level(texture, asked_level(warp, texel, texture, lane)) : 0;
    if (!texture->blends_levels)
        level = (level + TEXEL_ONE / 2) / TEXEL_ONE * TEXEL_ONE;
    if (level / TEXEL_ONE >= (int32_t)texture->image.level_count)
        level = (int32_t)(texture->image.level_count - 1) * TEXEL_ONE;
    add_level(sample, texel, texture, (unsigned)level / TEXEL_ONE, &place);
    sample->first_count = sample->count;
    sample->blend = (unsigned)level % TEXEL_ONE;
    if (sample->blend)
        add_level(sample, texel, texture, (unsigned)level / TEXEL_ONE + 1, &place);
}

/* ---- reading them ---- */

/* The site is that of loads of `bytes` for a while. */
static void set_request(struct memory_site *site, unsigned bytes)
{
    site->bytes = (uint8_t)(bytes > 4 ? 4 : bytes);
    site->vector = (uint8_t)(bytes / site->bytes);
    site->request_bytes = (uint8_t)bytes;
}

/* Texel `number` of each lane, as one request. */
static void read_texels(struct warp *warp, const struct operation *operation, const struct image *image, uint32_t lanes,
                        struct sample *samples, unsigned number)
{
    unsigned bytes = image->channels * image->channel_bytes;
    uint64_t address[WARP_LANES] = {0};
    const uint8_t *place[WARP_LANES];
    struct access_target window = {0}; /* where an earlier lane's texel was found, and what lies around it */
    uint32_t valid = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (number >= samples[lane].count || !samples[lane].tap[number].address)
            continue;
        address[lane] = samples[lane].tap[number].address;
        uint64_t offset = address[lane] - window.window;
        bool known = window.place && window.window_bytes >= bytes && offset <= window.window_bytes - bytes
                     && address[lane] % bytes == 0;
        if (!known)
            window = access_find(warp, operation, lane, address[lane], bytes);
        place[lane] = known ? window.window_host + offset : window.place;
        valid |= place[lane] ? 1u << lane : 0;
        if (!place[lane])
            samples[lane].tap[number].address = 0;
    }
    if (!valid)
        return;
    if (warp->launch->hooks)
        warp->launch->hooks->lanes(warp, operation, address, valid);
    for (; valid; valid &= valid - 1) {
        unsigned lane = (unsigned)__builtin_ctz(valid);
        for (unsigned c = 0; c < image->channels; c++)
            memcpy(&samples[lane].tap[number].raw[c], place[lane] + c * image->channel_bytes, image->channel_bytes);
    }
}

/* ---- results ---- */

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

/* A channel of a texel, with those that the format lacks and the border. */
static uint32_t channel_of(const struct texture *texture, const struct sample *sample, const struct tap *tap,
                           unsigned channel)
{
    const struct image *image = &texture->image;
    if (channel >= image->channels)
        return 0;
    if (!tap->address && sample->no_border)
        return 0;
    if (!tap->address)
        return texel_border(texture->border[channel], image->kind, image->channel_bytes, texture->normalized_values);
    return texel_value(tap->raw[channel], image->kind, image->channel_bytes, texture->normalized_values,
                       texture->srgb && channel < 3);
}

static float blend_texels(const struct texture *texture, const struct sample *sample, const struct tap *tap, unsigned count,
                          unsigned channel)
{
    const struct image *image = &texture->image;
    bool decoded = texture->srgb && channel < 3 && image->channel_bytes == 1; /* these are blended as halves */
    float value[8];
    unsigned weight[8];
    for (unsigned i = 0; i < count; i++) {
        uint32_t bits = channel_of(texture, sample, &tap[i], channel);
        memcpy(&value[i], &bits, sizeof bits);
        weight[i] = tap[i].weight;
    }
    if (!texture->blends)
        return value[0];
    return texel_sum(value, weight, count, decoded ? TEXEL_FLOAT : image->kind, decoded ? 2 : image->channel_bytes);
}

static uint32_t value_of(const struct texture *texture, const struct sample *sample, unsigned channel)
{
    if (!texture->blends && !sample->blend)
        return channel_of(texture, sample, &sample->tap[0], channel);
    if (channel >= texture->image.channels)
        return channel_of(texture, sample, &sample->tap[0], channel);
    float value[2] = {blend_texels(texture, sample, sample->tap, sample->first_count, channel)};
    if (!sample->blend)
        return float_bits(value[0]);
    value[1] = blend_texels(texture, sample, sample->tap + sample->first_count, sample->count - sample->first_count,
                            channel);
    return float_bits(texel_sum(value, (unsigned[]){TEXEL_ONE - sample->blend, sample->blend}, 2, texture->image.kind,
                                texture->image.channel_bytes));
}

static void give_results(struct warp *warp, const struct operation *operation, const struct texture *texture,
                         const struct sample *sample, unsigned lane)
{
    const struct texel_site *texel = operation->site->texel;
    for (unsigned i = 0; i < CHANNELS; i++)
        set_result(warp, operation, i, lane,
                   texel->instruction == TEXEL_GATHER ? channel_of(texture, sample, &sample->tap[i], texel->component)
                                                      : value_of(texture, sample, i));
}

static void run_sample(struct warp *warp, const struct operation *operation, const struct texture *texture, uint32_t lanes)
{
    struct sample samples[WARP_LANES];
    struct memory_site *site = operation->site;
    unsigned most = 0;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        find_texels(warp, site->texel, texture, lane, &samples[lane]);
        most = samples[lane].count > most ? samples[lane].count : most;
    }
    set_request(site, texture->image.channels * texture->image.channel_bytes);
    for (unsigned number = 0; number < most; number++)
        read_texels(warp, operation, &texture->image, lanes, samples, number);
    for (; lanes; lanes &= lanes - 1)
        give_results(warp, operation, texture, &samples[__builtin_ctz(lanes)], (unsigned)__builtin_ctz(lanes));
}

/* ---- surfaces ---- */

static int64_t outside_surface(int64_t at, int64_t end, enum texel_mode mode)
{
    if (at >= 0 && at < end)
        return at;
    return mode == TEXEL_CLAMPS ? at < 0 ? 0 : end - 1 : -1;
}

static void report_outside(struct warp *warp, const struct operation *operation, unsigned lane, const struct image *image,
                           const int64_t at[3])
{
    const struct texel_site *texel = operation->site->texel;
    const struct image_level *level = &image->levels[0];
    char text[300];
    int length = snprintf(text, sizeof text, "%s of a surface at %s %lld",
                          texel->instruction == TEXEL_LOAD    ? "read"
                          : texel->instruction == TEXEL_STORE ? "write"
                                                              : "atomic",
                          texel->formatted ? "element" : "byte", (long long)at[0]);
    if (level->height > 1 || image->dimensions > 1)
        length += snprintf(text + length, sizeof text - (size_t)length, " of row %lld", (long long)at[1]);
    if (image->dimensions > 2 || image->layered || image->cube)
        length += snprintf(text + length, sizeof text - (size_t)length, " of %s %lld",
                           image->dimensions > 2 ? "slice" : "layer", (long long)at[2]);
    unsigned unit = texel->formatted ? 1 : image->channels * image->channel_bytes;
    length += snprintf(text + length, sizeof text - (size_t)length, ", but a row has %u %s%s", level->width * unit,
                       texel->formatted ? "elements" : "bytes", texel->formatted ? "" : " (x counts bytes)");
    if (image->dimensions > 1)
        length += snprintf(text + length, sizeof text - (size_t)length, ", and there are %u rows", level->height);
    if (image->dimensions > 2 || image->layered || image->cube)
        snprintf(text + length, sizeof text - (size_t)length, " and %u %s", level->depth,
                 image->dimensions > 2 ? "slices" : "layers");
    report(warp, operation, lane, FINDING_out_of_bounds, 0, text);
}

/* Where a lane's access lies; 0: outside, and nothing is to be done there. */
static uint64_t find_on_surface(struct warp *warp, const struct operation *operation, const struct image *image,
                                unsigned lane)
{
    const struct texel_site *texel = operation->site->texel;
    const struct image_level *level = &image->levels[0];
    const uint32_t *from = texel->coordinate;
    unsigned texel_bytes = image->channels * image->channel_bytes;
    int64_t at[3] = {0, 0, 0}, place[3];
    if (texel->layered)
        at[2] = (int32_t)get_r(warp, *from++, lane);
    for (unsigned k = 0; k < texel->dimensions; k++)
        at[k] = (int32_t)get_r(warp, from[k], lane);
    unsigned bytes = texel->formatted ? texel_bytes : texel->bytes * texel->vector;
    if (!texel->formatted && at[0] % (int64_t)bytes) {
        char text[200];
        snprintf(text, sizeof text,
                 "%u bytes of a surface are accessed at byte %lld of a row, which is not a multiple of %u", bytes,
                 (long long)at[0], bytes);
        report(warp, operation, lane, FINDING_misaligned, 0, text);
        return 0;
    }
    int64_t x = texel->formatted ? at[0] : at[0] < 0 ? -1 : at[0] / (int64_t)bytes;
    place[0] = outside_surface(x, (int64_t)level->width * texel_bytes / bytes, texel->mode);
    place[1] = outside_surface(at[1], level->height, texel->mode);
    place[2] = outside_surface(at[2], level->depth, texel->mode);
    if (texel->layered && texel->mode == TEXEL_CLAMPS) /* layers are unsigned */
        place[2] = clamp_layer((uint32_t)at[2], level->depth);
    if (place[0] >= 0 && place[1] >= 0 && place[2] >= 0)
        return level->address + (uint64_t)place[2] * level->slice_bytes + (uint64_t)place[1] * level->row_bytes
               + (uint64_t)place[0] * bytes;
    if (texel->mode == TEXEL_TRAPS)
        report_outside(warp, operation, lane, image, at);
    return 0;
}

/* Stores the values of a lane as the format has them. */
static void store_formatted(struct warp *warp, const struct operation *operation, const struct image *image, unsigned lane,
                            uint8_t *place)
{
    const struct memory_site *site = operation->site;
    for (unsigned c = 0; c < image->channels; c++) {
        uint32_t value = c < site->texel->vector && site->data[c] != UINT32_MAX ? get_r(warp, site->data[c], lane) : 0;
        uint32_t stored = texel_stored(value, image->kind, image->channel_bytes);
        memcpy(place + c * image->channel_bytes, &stored, image->channel_bytes);
    }
}

static void run_surface(struct warp *warp, const struct operation *operation, const struct texture *texture, uint32_t lanes)
{
    struct memory_site *site = operation->site;
    const struct texel_site *texel = site->texel;
    const struct image *image = &texture->image;
    uint64_t address[WARP_LANES] = {0};
    uint8_t *place[WARP_LANES];
    uint32_t valid = 0;
    bool formatted = texel->formatted && texel->instruction == TEXEL_STORE;
    if (formatted) {
        site->bytes = (uint8_t)image->channel_bytes;
        site->vector = (uint8_t)(image->channels < texel->vector ? image->channels : texel->vector);
        site->request_bytes = (uint8_t)(site->bytes * site->vector);
    }
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        address[lane] = find_on_surface(warp, operation, image, lane);
        if (address[lane])
            place[lane] = access_find(warp, operation, lane, address[lane], site->request_bytes).place;
        if (address[lane] && place[lane])
            valid |= 1u << lane;
        else
            for (unsigned i = 0; texel->instruction == TEXEL_LOAD && i < texel->vector; i++)
                set_result(warp, operation, i, lane, 0);
    }
    if (valid && warp->launch->hooks)
        warp->launch->hooks->lanes(warp, operation, address, valid);
    for (; valid; valid &= valid - 1) {
        unsigned lane = (unsigned)__builtin_ctz(valid);
        if (formatted)
            store_formatted(warp, operation, image, lane, place[lane]);
        else
            access_lane(warp, operation, lane, place[lane]);
    }
}

/* ---- queries ---- */

static uint32_t answer(const struct texture *texture, const struct texel_site *texel, int32_t asked_level)
{
    const struct image *image = &texture->image;
    uint32_t at = asked_level < 0 ? 0 : (uint32_t)asked_level;
    bool exists = texel->lod != LOD_LEVEL || (asked_level >= 0 && at < image->level_count);
    const struct image_level *level = &image->levels[at < image->level_count ? at : 0];
    switch (texel->query) {
    case QUERY_WIDTH: return exists ? level->width : 0;
    case QUERY_HEIGHT: return exists ? level->height : 0;
    default: return exists && image->depth ? level->depth : 0;
    }
}

static void run_query(struct warp *warp, const struct operation *operation, const struct texture *texture, uint32_t lanes)
{
    const struct texel_site *texel = operation->site->texel;
    for (; lanes; lanes &= lanes - 1) {
        unsigned lane = (unsigned)__builtin_ctz(lanes);
        int32_t level = texel->lod == LOD_LEVEL ? (int32_t)get_r(warp, texel->level, lane) : 0;
        set_result(warp, operation, 0, lane, answer(texture, texel, level));
    }
}

static void run_group(struct warp *warp, const struct operation *operation, const struct texture *texture, uint32_t lanes)
{
    switch (operation->site->texel->instruction) {
    case TEXEL_SAMPLE:
    case TEXEL_GATHER: run_sample(warp, operation, texture, lanes); break;
    case TEXEL_QUERY: run_query(warp, operation, texture, lanes); break;
    default: run_surface(warp, operation, texture, lanes); break;
    }
}

void texture_run(struct warp *warp, const struct operation *operation)
{
    const uint64_t *handle = (const uint64_t *)((const char *)warp->q + operation->a);
    const struct texel_site *texel = operation->site->texel;
    for (uint32_t rest = warp->mask, lanes; rest; rest &= ~lanes) { /* lanes with one handle together */
        unsigned first = (unsigned)__builtin_ctz(rest);
        lanes = 0;
        for (uint32_t others = rest; others; others &= others - 1)
            if (handle[__builtin_ctz(others)] == handle[first])
                lanes |= others & -others;
        const struct texture *texture = find_texture(warp, operation, first);
        if (texture) {
            run_group(warp, operation, texture, lanes);
            continue;
        }
        if (texel->instruction == TEXEL_STORE || texel->instruction == TEXEL_REDUCE)
            continue;
        for (uint32_t others = lanes; others; others &= others - 1)
            for (unsigned i = 0; i < texel->vector; i++)
                set_result(warp, operation, i, (unsigned)__builtin_ctz(others), 0);
    }
}
