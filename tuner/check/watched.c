/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/check/watched.h"

#include <string.h>

static bool is_reported(const struct watched *watched, const struct raw_diagnostic *diagnostic)
{
    for (size_t i = 0; i < watched->reported_count; i++) {
        const struct raw_diagnostic *reported = &watched->reported[i];
        if (reported->kind == diagnostic->kind && reported->code == diagnostic->code &&
            reported->line == diagnostic->line &&
            (diagnostic->kind != DIAGNOSTIC_RACE || reported->other == diagnostic->other))
            return true;
    }
    return false;
}

void watched_report(struct watched *watched, const struct raw_diagnostic *diagnostic)
{
    if (watched->reported_count == DIAGNOSTICS_MOST || is_reported(watched, diagnostic))
        return;
    watched->reported[watched->reported_count++] = *diagnostic;
    raw_diagnostic_write(watched->file, diagnostic);
}

void watched_team(struct watched *watched, const struct watched_block *blocks)
{
    watched->team = blocks;
}

void watched_turn(struct watched *watched, size_t i)
{
    watched->thread = watched->team[i].thread;
    watched->shared = (uintptr_t)watched->team[i].shared;
}

void watched_launched(struct watched *watched)
{
    watched->thread = NULL;
    watched->team = NULL;
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
    struct raw_diagnostic diagnostic = {.kind = DIAGNOSTIC_DIVERGENT_BARRIER, .line = at->line};
    diagnostic.code = watched_code(watched, at->code);
    if (other)
        snprintf(diagnostic.text, sizeof diagnostic.text,
                 "threads of a block wait at different barriers, in line %d and line %d", at->line, other);
    else
        snprintf(diagnostic.text, sizeof diagnostic.text,
                 "%u threads of the block exited before the others reached this barrier", ended);
    watched_report(watched, &diagnostic);
}

void watched_fault(struct watched *watched, const struct watched_place *at, const char *text)
{
    static const char *const start = "divergent barrier: ";
    bool divergent = strncmp(text, start, strlen(start)) == 0;
    struct raw_diagnostic diagnostic = {.kind = divergent ? DIAGNOSTIC_DIVERGENT_BARRIER : DIAGNOSTIC_FAULT,
                                        .line = at->line};
    diagnostic.code = watched_code(watched, at->code);
    snprintf(diagnostic.text, sizeof diagnostic.text, "%s", divergent ? text + strlen(start) : text);
    watched_report(watched, &diagnostic);
}
