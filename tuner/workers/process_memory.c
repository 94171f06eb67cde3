/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/process_memory.h"

#include <dirent.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROCESSES_MOST = 4096 };

/* Those found so far, of which the first `done` have been counted. */
struct processes {
    pid_t found[PROCESSES_MOST];
    size_t count, done;
};

static uint64_t own_bytes(pid_t process)
{
    static const char *const counted[] = {"RssAnon:", "RssShmem:"};
    char path[64], line[256];
    uint64_t kibibytes = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)process);
    FILE *file = fopen(path, "re");
    while (file && fgets(line, sizeof line, file)) {
        for (size_t i = 0; i < sizeof counted / sizeof *counted; i++) {
            if (strncmp(line, counted[i], strlen(counted[i])) == 0)
                kibibytes += strtoull(line + strlen(counted[i]), NULL, 10);
        }
    }
    if (file)
        fclose(file);
    return kibibytes << 10;
}

/* A child belongs to the thread that started it. */
static void add_children_of(const char *tasks, const char *thread, struct processes *processes)
{
    char path[128];
    int child;
    snprintf(path, sizeof path, "%s/%.20s/children", tasks, thread);
    FILE *file = fopen(path, "re");
    while (file && processes->count < PROCESSES_MOST && fscanf(file, "%d", &child) == 1)
        processes->found[processes->count++] = (pid_t)child;
    if (file)
        fclose(file);
}

static void add_children(pid_t process, struct processes *processes)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/task", (int)process);
    DIR *tasks = opendir(path);
    for (const struct dirent *entry; tasks && (entry = readdir(tasks));) {
        if (entry->d_name[0] != '.')
            add_children_of(path, entry->d_name, processes);
    }
    if (tasks)
        closedir(tasks);
}

uint64_t process_memory(pid_t root)
{
    struct processes processes = {.found = {root}, .count = 1};
    uint64_t bytes = 0;
    while (processes.done < processes.count) {
        pid_t next = processes.found[processes.done++];
        bytes += own_bytes(next);
        add_children(next, &processes);
    }
    return bytes;
}
