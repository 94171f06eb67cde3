/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/lock_wait.h"

static const double look_seconds = 1.0, tell_seconds = 5.0;

void lock_wait_begin(struct lock_wait *wait, double now)
{
    wait->since = now;
    wait->looked = 0;
    wait->told = false;
    if (!wait->gave_up)
        wait->held_since = now;
}

bool lock_wait_wants_look(const struct lock_wait *wait, double now)
{
    return wait->looked == 0 || now - wait->looked >= look_seconds;
}

static void describe(const struct lock_holder *holder, char *text, size_t size)
{
    if (holder->pid)
        snprintf(text, size, "process %d (%s, user %s)", (int)holder->pid, holder->command, holder->user);
    else
        snprintf(text, size, "a process that cannot be seen from here");
}

enum lock_step lock_wait_step(struct lock_wait *wait, const struct lock_holder *holder, const char *device,
                              double patience, double now, char *text, size_t size)
{
    char who[160];
    text[0] = '\0';
    wait->looked = now;
    if (holder->pid != wait->holder.pid) {
        wait->held_since = now;
        wait->gave_up = false;
    }
    wait->holder = *holder;
    if (wait->gave_up)
        return LOCK_GO_ON;
    describe(holder, who, sizeof who);
    if (now - wait->held_since >= patience) {
        wait->gave_up = true;
        snprintf(text, size, "%s has held the lock of %s for %.0f s; measuring without it, and timings may suffer",
                 who, device, now - wait->held_since);
        return LOCK_GO_ON;
    }
    if (wait->told || now - wait->since < tell_seconds)
        return LOCK_WAIT;
    wait->told = true;
    snprintf(text, size, "waiting for %s, which is measuring on %s or holds its lock", who, device);
    return LOCK_TELL;
}

double lock_toll_seconds(const struct lock_toll *toll, double now)
{
    return toll->paid + (toll->stands ? now - toll->since : 0);
}

void lock_toll_note(struct lock_toll *toll, bool stands, double now)
{
    toll->paid = lock_toll_seconds(toll, now);
    toll->since = now;
    toll->stands = stands;
}
