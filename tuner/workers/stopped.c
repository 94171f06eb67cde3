/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/stopped.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static bool child_was_stopped(pid_t child)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, WSTOPPED | WCONTINUED | WNOHANG | WNOWAIT) == 0 && info.si_pid == child;
}

/* proc(5): PID (COMMAND) STATE PARENT GROUP ...; the command may contain anything. */
static bool is_stopped_member(const char *name, pid_t group)
{
    char path[300], line[512], state = 0;
    int parent, its_group = 0;
    snprintf(path, sizeof path, "/proc/%s/stat", name);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    size_t length = fread(line, 1, sizeof line - 1, file);
    fclose(file);
    line[length] = '\0';
    const char *end = strrchr(line, ')');
    return end && sscanf(end + 1, " %c %d %d", &state, &parent, &its_group) == 3 && its_group == group &&
           (state == 'T' || state == 't');
}

bool group_was_stopped(pid_t leader)
{
    if (child_was_stopped(leader))
        return true;
    bool stopped = false;
    DIR *processes = opendir("/proc");
    for (const struct dirent *entry; processes && !stopped && (entry = readdir(processes));)
        stopped = entry->d_name[0] >= '1' && entry->d_name[0] <= '9' && is_stopped_member(entry->d_name, leader);
    if (processes)
        closedir(processes);
    return stopped;
}
