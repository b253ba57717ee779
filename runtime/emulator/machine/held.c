#include "runtime/emulator/machine/held.h"

#include <stdlib.h>
#include <string.h>

#include "runtime/emulator/machine/access.h"
#include "runtime/emulator/machine/roles.h"

enum { WORD_BYTES = 8, MAX_HELD = 1 << 16, BUCKETS = 1 << 14, MAX_REQUEST = 64 };

/* 8 bytes of device memory, some of which are held. Numbers of words and pieces begin at 1; 0 is none. */
struct held_word {
    uint64_t number;            /* address / 8 */
    uint8_t *host;              /* of its first byte; only bytes in `mask` are known to exist */
    uint8_t before[WORD_BYTES]; /* what other threads see */
    uint8_t mask;               /* bytes that are held; 0: free */
    uint32_t pieces, next;      /* next in the bucket, or free */
};

/* What one thread stored in a word. */
struct held_piece {
    const struct warp *warp; /* NULL: already visible, only its place in the thread's list is left */
    unsigned lane;
    uint8_t value[WORD_BYTES], mask;
    uint32_t word, next_of_word, next_of_lane;
};

struct held {
    uint32_t buckets[BUCKETS];
    struct held_word words[MAX_HELD + 1];
    struct held_piece pieces[MAX_HELD + 1];
    uint32_t word_count, piece_count, free_word, free_piece;
    uint32_t live_words;
};

/* ---- words ---- */

static uint32_t *bucket_of(struct held *held, uint64_t number)
{
    return &held->buckets[(number * UINT64_C(0x9E3779B97F4A7C15)) >> 50];
}
_Static_assert(BUCKETS == 1 << (64 - 50), "the hash has as many bits as there are buckets");

static uint32_t find_word(struct held *held, uint64_t number)
{
    uint32_t word = *bucket_of(held, number);
    while (word && held->words[word].number != number)
        word = held->words[word].next;
    return word;
}

static uint32_t add_word(struct held *held, uint64_t number, uint8_t *host)
{
    uint32_t word = held->free_word, *bucket = bucket_of(held, number);
    if (word)
        held->free_word = held->words[word].next;
    else if (held->word_count < MAX_HELD)
        word = ++held->word_count;
    else
        return 0;
    held->words[word] = (struct held_word){.number = number, .host = host, .next = *bucket};
    *bucket = word;
    held->live_words++;
    return word;
}

static void remove_word(struct held *held, uint32_t word)
{
    uint32_t *link = bucket_of(held, held->words[word].number);
    while (*link != word)
        link = &held->words[*link].next;
    *link = held->words[word].next;
    held->words[word].mask = 0;
    held->words[word].next = held->free_word;
    held->free_word = word;
    held->live_words--;
}

static void copy_bytes(uint8_t *to, const uint8_t *from, uint8_t mask)
{
    for (unsigned byte = 0; byte < WORD_BYTES; byte++)
        if (mask >> byte & 1)
            to[byte] = from[byte];
}

/* What memory holds there is now visible to all. */
static void show_word(struct held *held, uint32_t word)
{
    for (uint32_t piece = held->words[word].pieces; piece; piece = held->pieces[piece].next_of_word)
        held->pieces[piece].warp = NULL;
    remove_word(held, word);
}

/* ---- pieces ---- */

static uint32_t find_piece(const struct held *held, uint32_t word, const struct warp *warp, unsigned lane)
{
    uint32_t piece = held->words[word].pieces;
    while (piece && (held->pieces[piece].warp != warp || held->pieces[piece].lane != lane))
        piece = held->pieces[piece].next_of_word;
    return piece;
}

static uint32_t add_piece(struct held *held, uint32_t word, struct warp *warp, unsigned lane)
{
    uint32_t piece = held->free_piece;
    if (piece)
        held->free_piece = held->pieces[piece].next_of_lane;
    else if (held->piece_count < MAX_HELD)
        piece = ++held->piece_count;
    else
        return 0;
    held->pieces[piece] = (struct held_piece){.warp = warp,
                                              .lane = lane,
                                              .word = word,
                                              .next_of_word = held->words[word].pieces,
                                              .next_of_lane = warp->held_first[lane]};
    held->words[word].pieces = warp->held_first[lane] = piece;
    warp->held_lanes |= 1u << lane;
    return piece;
}

/* A thread's stores to a word become visible: after all that were before. */
static void show_piece(struct held *held, uint32_t piece)
{
    uint32_t number = held->pieces[piece].word, *link = &held->words[number].pieces;
    struct held_word *word = &held->words[number];
    uint8_t others = 0, mask = held->pieces[piece].mask;
    while (*link != piece)
        link = &held->pieces[*link].next_of_word;
    *link = held->pieces[piece].next_of_word;
    for (uint32_t other = word->pieces; other; other = held->pieces[other].next_of_word)
        others |= held->pieces[other].mask;
    copy_bytes(word->before, held->pieces[piece].value, mask);
    copy_bytes(word->host, word->before, mask & (uint8_t)~others);
    word->mask &= others;
    if (!word->mask)
        remove_word(held, number);
}

static void show_lanes(struct warp *warp, uint32_t lanes)
{
    struct held *held = warp->launch->held;
    for (uint32_t rest = warp->held_lanes & lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        for (uint32_t piece = warp->held_first[lane], next; piece; piece = next) {
            next = held->pieces[piece].next_of_lane;
            if (held->pieces[piece].warp)
                show_piece(held, piece);
            held->pieces[piece].next_of_lane = held->free_piece;
            held->free_piece = piece;
        }
        warp->held_first[lane] = 0;
    }
    warp->held_lanes &= ~lanes;
}

/* ---- requests ---- */

/* Where in device memory the lanes of a request access. */
struct request {
    uint64_t address[WARP_LANES];
    uint8_t *place[WARP_LANES]; /* NULL: not in device memory, or wrong */
    unsigned bytes;
};

static void find_request(const struct warp *warp, const struct operation *operation, struct request *request)
{
    const struct memory_site *site = operation->site;
    request->bytes = site->request_bytes;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint64_t address = warp_value(warp, operation->a, !site->address_in_r, lane) + (uint64_t)site->offset;
        bool elsewhere = site->space == SITE_GENERIC
                         && ((address & WINDOW_MASK) == SHARED_WINDOW || (address & WINDOW_MASK) == LOCAL_WINDOW);
        request->address[lane] = address;
        request->place[lane] = elsewhere ? NULL : memory_translate(warp->launch->request->memory, address, request->bytes);
    }
}

/* Visits the words that [address, address + bytes) touches. */
#define FOR_WORDS(address, bytes, number, mask)                                                                \
    for (uint64_t number = (address) / WORD_BYTES; number <= ((address) + (bytes) - 1) / WORD_BYTES; number++) \
        for (uint8_t mask = mask_in_word(number, address, bytes); mask; mask = 0)

static uint8_t mask_in_word(uint64_t number, uint64_t address, unsigned bytes)
{
    uint8_t mask = 0;
    for (unsigned byte = 0; byte < WORD_BYTES; byte++)
        mask |= (uint8_t)((number * WORD_BYTES + byte - address < bytes) << byte);
    return mask;
}

/* Of the word `number`, given where the request's first byte lies. */
static uint8_t *host_of_word(uint8_t *place, uint64_t address, uint64_t number)
{
    return place + (int64_t)(number * WORD_BYTES - address);
}

/* Remembers what the store will replace. */
static void before_store(struct warp *warp, const struct request *request)
{
    struct held *held = warp->launch->held;
    for (uint32_t rest = warp->mask; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!request->place[lane])
            continue;
        FOR_WORDS(request->address[lane], request->bytes, number, mask)
        {
            uint32_t word = find_word(held, number);
            uint8_t *host = host_of_word(request->place[lane], request->address[lane], number);
            if (!word && !(word = add_word(held, number, host)))
                continue;
            uint32_t piece = find_piece(held, word, warp, lane);
            if (!piece && !(piece = add_piece(held, word, warp, lane))) {
                show_word(held, word);
                continue;
            }
            uint8_t fresh = (uint8_t)(mask & ~held->words[word].mask);
            copy_bytes(held->words[word].before, host, fresh);
            held->words[word].mask |= mask;
            held->pieces[piece].mask |= mask;
        }
    }
}

static void after_store(struct warp *warp, const struct request *request, uint32_t lanes)
{
    struct held *held = warp->launch->held;
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!request->place[lane])
            continue;
        FOR_WORDS(request->address[lane], request->bytes, number, mask)
        {
            uint32_t word = find_word(held, number), piece = word ? find_piece(held, word, warp, lane) : 0;
            if (piece)
                copy_bytes(held->pieces[piece].value, held->words[word].host, mask);
        }
    }
}

/* What the thread sees, where that differs from what memory holds. */
static bool sees_other(struct held *held, const struct warp *warp, unsigned lane, const struct request *request,
                       uint8_t seen[MAX_REQUEST])
{
    const uint8_t *place = request->place[lane];
    memcpy(seen, place, request->bytes);
    FOR_WORDS(request->address[lane], request->bytes, number, mask)
    {
        uint32_t word = find_word(held, number), piece = word ? find_piece(held, word, warp, lane) : 0;
        uint8_t old = word ? mask & held->words[word].mask : 0, own = piece ? mask & held->pieces[piece].mask : 0;
        for (unsigned byte = 0; byte < WORD_BYTES; byte++)
            if (old >> byte & 1)
                seen[number * WORD_BYTES + byte - request->address[lane]] = own >> byte & 1 ? held->pieces[piece].value[byte]
                                                                                            : held->words[word].before[byte];
    }
    return memcmp(seen, place, request->bytes) != 0;
}

/* Lanes from which other threads' stores are hidden load again, from memory as it was. */
static void after_load(struct warp *warp, const struct operation *operation, const struct request *request, uint32_t lanes)
{
    for (uint32_t rest = lanes; rest; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        uint8_t seen[MAX_REQUEST], now[MAX_REQUEST];
        if (!request->place[lane] || !sees_other(warp->launch->held, warp, lane, request, seen))
            continue;
        memcpy(now, request->place[lane], request->bytes);
        memcpy(request->place[lane], seen, request->bytes);
        access_lane(warp, operation, lane, request->place[lane]);
        memcpy(request->place[lane], now, request->bytes);
    }
}

/* All stores that are held where the lanes access become visible. */
static void show_places(struct warp *warp, const struct request *request)
{
    struct held *held = warp->launch->held;
    for (uint32_t rest = warp->mask; rest && held->live_words; rest &= rest - 1) {
        unsigned lane = (unsigned)__builtin_ctz(rest);
        if (!request->place[lane])
            continue;
        FOR_WORDS(request->address[lane], request->bytes, number, mask)
        {
            uint32_t word = find_word(held, number);
            if (word && held->words[word].mask & mask)
                show_word(held, word);
        }
    }
}

/* Does one thread say something to others here, by a store or an exchange that they may be waiting for? */
static bool is_signal(const struct memory_site *site, uint32_t lanes)
{
    bool stores = site->access == SITE_STORE || (site->access == SITE_ATOMIC && site->atomic == ATOMIC_EXCH);
    return stores && (lanes & (lanes - 1)) == 0;
}

static const struct operation *run_request(struct warp *warp, const struct operation *operation, bool *gives_way)
{
    const struct memory_site *site = operation->site;
    struct request request;
    uint32_t lanes = warp->mask;
    bool strong = site->strong || site->is_volatile || site->release || site->acquire, load = site->access == SITE_LOAD;
    if (site->release)
        show_lanes(warp, lanes);
    if (load && !warp->launch->held->live_words)
        return warp_step(warp, operation);
    find_request(warp, operation, &request);
    if (load) {
        const struct operation *next = warp_step(warp, operation);
        after_load(warp, operation, &request, lanes);
        return next;
    }
    if (site->access != SITE_STORE || strong) {
        show_places(warp, &request);
        *gives_way |= (warp->held_lanes & lanes) != 0 || is_signal(site, lanes);
        return warp_step(warp, operation);
    }
    before_store(warp, &request);
    const struct operation *next = warp_step(warp, operation);
    after_store(warp, &request, lanes);
    return next;
}

const struct operation *held_step(struct warp *warp, const struct operation *operation, bool *gives_way)
{
    struct launch *launch = warp->launch;
    if (!launch->held && !(launch->held = calloc(1, sizeof *launch->held)))
        return warp_step(warp, operation);
    bool shared = operation_is(operation, ROLE_REQUEST)
                  && (operation->site->space == SITE_GLOBAL || operation->site->space == SITE_GENERIC);
    if (shared)
        return run_request(warp, operation, gives_way);
    if (operation->handler == HANDLER_call_external) { /* which may free memory */
        for (uint32_t word = 1; word <= launch->held->word_count; word++)
            if (launch->held->words[word].mask)
                show_word(launch->held, word);
    } else if (!operation_is(operation, ROLE_REQUEST)
               && (!operation_is(operation, ROLE_PRIVATE) || warp->polls >= POLL_LIMIT)) {
        show_lanes(warp, warp->mask); /* a thread that waits for others must not hold back what they wait for */
    }
    return warp_step(warp, operation);
}

bool held_is_pending(const struct launch *launch)
{
    return launch->held && launch->held->live_words;
}

void held_end(struct launch *launch)
{
    free(launch->held); /* memory holds what was stored last */
    launch->held = NULL;
}
