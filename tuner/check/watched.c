/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/watched.h"

#include <string.h>

static bool is_told(const struct watched *watched, const struct raw_flaw *flaw)
{
    for (size_t i = 0; i < watched->told_count; i++) {
        const struct raw_flaw *told = &watched->told[i];
        if (told->kind == flaw->kind && told->code == flaw->code && told->line == flaw->line &&
            (flaw->kind != FLAW_RACE || told->other == flaw->other))
            return true;
    }
    return false;
}

void watched_tell(struct watched *watched, const struct raw_flaw *flaw)
{
    if (watched->told_count == FLAWS_MOST || is_told(watched, flaw))
        return;
    watched->told[watched->told_count++] = *flaw;
    raw_flaw_write(watched->file, flaw);
}

uint32_t watched_thread(const struct watched *watched)
{
    const struct tune_index *t = &watched->thread->thread, *size = &watched->thread->block_size;
    return t->x + size->x * (t->y + size->y * t->z);
}

void watched_thread_text(const struct watched *watched, uint32_t thread, char *text, size_t size)
{
    const struct tune_index *block = &watched->thread->block_size;
    snprintf(text, size, "thread (%u, %u, %u)", thread % block->x, thread / block->x % block->y,
             thread / block->x / block->y);
}

uint64_t watched_code(const struct watched *watched, const void *code)
{
    uintptr_t address = (uintptr_t)code;
    return address > watched->base ? address - watched->base : 0;
}

void watched_diverged(struct watched *watched, const struct watched_place *at, int other, uint32_t ended)
{
    struct raw_flaw flaw = {.kind = FLAW_DIVERGENT_BARRIER, .line = at->line};
    flaw.code = watched_code(watched, at->code);
    if (other)
        snprintf(flaw.text, sizeof flaw.text, "threads of a block meet at barriers in line %d and line %d", at->line,
                 other);
    else
        snprintf(flaw.text, sizeof flaw.text,
                 "%u threads of the block had ended before the others reached this barrier", ended);
    watched_tell(watched, &flaw);
}

void watched_fault(struct watched *watched, const struct watched_place *at, const char *text)
{
    static const char *const start = "divergent barrier: ";
    bool divergent = strncmp(text, start, strlen(start)) == 0;
    struct raw_flaw flaw = {.kind = divergent ? FLAW_DIVERGENT_BARRIER : FLAW_FAULT, .line = at->line};
    flaw.code = watched_code(watched, at->code);
    snprintf(flaw.text, sizeof flaw.text, "%s", divergent ? text + strlen(start) : text);
    watched_tell(watched, &flaw);
}
