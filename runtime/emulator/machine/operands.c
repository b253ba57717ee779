#include "runtime/emulator/machine/operands.h"

#include "runtime/emulator/machine/async.h"
#include "runtime/emulator/machine/library.h"

#define PART_OF_u16 PART_R
#define PART_OF_s16 PART_R
#define PART_OF_u32 PART_R
#define PART_OF_s32 PART_R
#define PART_OF_f32 PART_R
#define PART_OF_u64 PART_Q
#define PART_OF_s64 PART_Q
#define PART_OF_f64 PART_Q

/* Operations written by hand: a new one needs a row here. */
#define OPERANDS_fma_f32          {PART_R, PART_R, PART_R, PART_R}
#define OPERANDS_expand_r         {0}
#define OPERANDS_expand_q         {0}
#define OPERANDS_select_b32       {PART_R, PART_R, PART_R, PART_P}
#define OPERANDS_select_b64       {PART_Q, PART_Q, PART_Q, PART_P}
#define OPERANDS_select_sign_b32  {PART_R, PART_R, PART_R, PART_R}
#define OPERANDS_select_sign_b64  {PART_Q, PART_Q, PART_Q, PART_R}
#define OPERANDS_convert          {0}
#define OPERANDS_carry            {0}
#define OPERANDS_insert_b32       {PART_R, PART_R, PART_R, PART_R}
#define OPERANDS_insert_b64       {PART_Q, PART_Q, PART_Q, PART_R}
#define OPERANDS_pred_mov         {PART_P, PART_P}
#define OPERANDS_pred_not         {PART_P, PART_P}
#define OPERANDS_pred_and         {PART_P, PART_P, PART_P}
#define OPERANDS_pred_or          {PART_P, PART_P, PART_P}
#define OPERANDS_pred_xor         {PART_P, PART_P, PART_P}
#define OPERANDS_pred_to_b32      {PART_R, PART_P}
#define OPERANDS_special_b32      {PART_R}
#define OPERANDS_special_b64      {PART_Q}
#define OPERANDS_local_address    {PART_Q}
#define OPERANDS_cvta_window      {0}
#define OPERANDS_isspacep         {PART_P, PART_Q}
#define OPERANDS_parameter_b32    {PART_R}
#define OPERANDS_parameter_b64    {PART_Q}
#define OPERANDS_slot_load        {0}
#define OPERANDS_slot_store       {0}
#define OPERANDS_load             {0}
#define OPERANDS_load_r4          {0}
#define OPERANDS_load_q8          {0}
#define OPERANDS_store            {0}
#define OPERANDS_store_r4         {0}
#define OPERANDS_store_q8         {0}
#define OPERANDS_async_source     {0}
#define OPERANDS_async_copy       {0}
#define OPERANDS_mbarrier         {0}
#define OPERANDS_atomic           {0}
#define OPERANDS_async_group      {0}
#define OPERANDS_fence            {0}
#define OPERANDS_sleep            {0}
#define OPERANDS_block            {0}
#define OPERANDS_block_join       {0}
#define OPERANDS_guard            {PART_NONE, PART_P}
#define OPERANDS_unguard          {0}
#define OPERANDS_jump             {0}
#define OPERANDS_branch           {PART_NONE, PART_P}
#define OPERANDS_exit             {0}
#define OPERANDS_trap             {0}
#define OPERANDS_ret              {0}
#define OPERANDS_call             {0}
#define OPERANDS_call_register    {0}
#define OPERANDS_call_external    {0}
#define OPERANDS_call_done        {0}
#define OPERANDS_barrier          {0}
#define OPERANDS_warp_barrier     {0}
#define OPERANDS_shuffle          {0}
#define OPERANDS_vote             {0}
#define OPERANDS_match            {0}
#define OPERANDS_redux            {PART_R}
#define OPERANDS_activemask       {PART_R}
#define OPERANDS_matrix_gather    {0}
#define OPERANDS_matrix_lanes     {0}
#define OPERANDS_matrix_address   {PART_Q, PART_NONE, PART_R}
#define OPERANDS_matrix_spread    {0}
#define OPERANDS_matrix_collect   {0}
#define OPERANDS_matrix_transpose {0}
#define OPERANDS_matrix_multiply  {0}

const struct operands operands_of[HANDLER_COUNT] = {
#define UNARY(name, D, A, expression)         [HANDLER_##name] = {PART_OF_##D, PART_OF_##A},
#define BINARY(name, D, A, B, expression)     [HANDLER_##name] = {PART_OF_##D, PART_OF_##A, PART_OF_##B},
#define TERNARY(name, D, A, B, C, expression) [HANDLER_##name] = {PART_OF_##D, PART_OF_##A, PART_OF_##B, PART_OF_##C},
#define COMPARE(name, A, expression)          [HANDLER_##name] = {PART_P, PART_OF_##A, PART_OF_##A},
#define SPECIAL_OPERATION(name)               [HANDLER_##name] = OPERANDS_##name,
#include "runtime/emulator/machine/operations.def"
#undef UNARY
#undef BINARY
#undef TERNARY
#undef COMPARE
#undef SPECIAL_OPERATION
};

enum operand_part operands_destination(const struct operation *operation, unsigned element, uint32_t *offset)
{
    const struct memory_site *site = operation->site;
    *offset = operation->d;
    if (operands_of[operation->handler].d)
        return (enum operand_part)operands_of[operation->handler].d;
    switch (operation->handler) {
    case HANDLER_convert: return operation->c ? PART_Q : PART_R;
    case HANDLER_carry: return operation->extra & CARRY_WIDE ? PART_Q : PART_R;
    case HANDLER_cvta_window: return PART_Q;
    case HANDLER_slot_load: return operation->extra & 32 ? PART_Q : PART_R;
    case HANDLER_load:
    case HANDLER_load_r4:
    case HANDLER_load_q8:
        if (element >= site->vector || site->data[element] == UINT32_MAX)
            return PART_NONE;
        *offset = site->data[element];
        return site->wide[element] ? PART_Q : PART_R;
    case HANDLER_atomic:
        if (site->access != SITE_ATOMIC || operation->d == UINT32_MAX)
            return PART_NONE;
        return site->wide[0] ? PART_Q : PART_R;
    case HANDLER_mbarrier:
        if (operation->d == UINT32_MAX)
            return PART_NONE;
        return (operation->extra & MBARRIER_OPERATION) >= MBARRIER_TEST ? PART_P : PART_Q;
    case HANDLER_shuffle:
    case HANDLER_match: return operation->d == UINT32_MAX ? PART_NONE : PART_R;
    case HANDLER_vote: return operation->extra == VOTE_BALLOT ? PART_R : PART_P;
    case HANDLER_barrier:
        return operation->extra & BARRIER_POPC ? PART_R : operation->extra & (BARRIER_AND | BARRIER_OR) ? PART_P : PART_NONE;
    default: return PART_NONE;
    }
}
