/* SPDX-License-Identifier: Apache-2.0 */
#include "db/process.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

struct identity {
    long pid;
    unsigned long long start; /* clock ticks after the boot; 0: not known */
    char space[32], boot[48];
};

static bool read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool done = fgets(line, (int)size, file) != NULL;
    fclose(file);
    if (done)
        line[strcspn(line, "\n")] = '\0';
    return done;
}

/* What stat says of a process. The name, field 2, is in parentheses and may contain anything: count from the last
 * one. 0: not known. */
static unsigned long long start_time(long pid, char *state)
{
    enum { FIELDS_BETWEEN = 20 }; /* spaces from the name to field 22 */
    char path[64], line[1024];
    *state = '\0';
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    if (!read_line(path, line, sizeof line))
        return 0;
    const char *at = strrchr(line, ')');
    if (at && at[1])
        *state = at[2];
    for (int i = 0; at && i < FIELDS_BETWEEN; i++)
        at = strchr(at + 1, ' ');
    unsigned long long start = 0;
    return at && sscanf(at, "%llu", &start) == 1 ? start : 0;
}

static bool identify(struct identity *self)
{
    char state;
    self->pid = (long)getpid();
    self->start = start_time(self->pid, &state);
    ssize_t length = readlink("/proc/self/ns/pid", self->space, sizeof self->space - 1);
    if (length <= 0 || self->start == 0 ||
        !read_line("/proc/sys/kernel/random/boot_id", self->boot, sizeof self->boot))
        return false;
    /* "pid:[4026531836]": the number alone */
    self->space[length] = '\0';
    size_t digits = strspn(self->space, "pid:[");
    memmove(self->space, self->space + digits, strlen(self->space + digits) + 1);
    self->space[strcspn(self->space, "]")] = '\0';
    return true;
}

void process_token(char token[PROCESS_TEXT])
{
    struct identity self = {0};
    token[0] = '\0';
    if (identify(&self))
        snprintf(token, PROCESS_TEXT, "%ld:%llu:%s:%s", self.pid, self.start, self.space, self.boot);
}

enum process_life process_life(const char *token, bool same_host)
{
    struct identity self = {0}, other = {0};
    if (sscanf(token, "%ld:%llu:%31[^:]:%47s", &other.pid, &other.start, other.space, other.boot) != 4 ||
        other.pid <= 0 || !identify(&self))
        return PROCESS_UNKNOWN;
    if (strcmp(other.boot, self.boot) != 0)
        return same_host ? PROCESS_GONE : PROCESS_UNKNOWN;
    if (strcmp(other.space, self.space) != 0)
        return PROCESS_UNKNOWN;
    if (kill((pid_t)other.pid, 0) != 0 && errno == ESRCH)
        return PROCESS_GONE;
    char state;
    unsigned long long start = start_time(other.pid, &state);
    if (start == 0)
        return PROCESS_UNKNOWN;               /* another user's /proc may be hidden */
    bool dead = state == 'Z' || state == 'X'; /* nobody has waited for it yet */
    return start == other.start && !dead ? PROCESS_ALIVE : PROCESS_GONE;
}
