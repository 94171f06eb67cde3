/* SPDX-License-Identifier: Apache-2.0 */
/*
 * remains.h - detects leaked child processes, open files and folders in $TMPDIR.
 */
#ifndef TUNE_TESTS_UNIT_WORKERS_REMAINS_H
#define TUNE_TESTS_UNIT_WORKERS_REMAINS_H

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct remains {
    size_t children, descriptors, folders;
};

/* The state, parent and command of a process; false if it does not exist. */
static inline bool remains_process(pid_t pid, char *state, pid_t *parent, char *command, size_t size)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    FILE *file = fopen(path, "re");
    if (!file)
        return false;
    bool read = fgets(line, sizeof line, file) != NULL;
    fclose(file);
    const char *end = read ? strrchr(line, ')') : NULL; /* the name in parentheses may contain anything */
    int number;
    if (!end || sscanf(end + 1, " %c %d", state, &number) != 2)
        return false;
    *parent = (pid_t)number;
    snprintf(path, sizeof path, "/proc/%d/cmdline", (int)pid);
    file = fopen(path, "re");
    size_t length = file ? fread(command, 1, size - 1, file) : 0;
    if (file)
        fclose(file);
    for (size_t i = 0; i + 1 < length; i++) {
        if (command[i] == '\0')
            command[i] = ' ';
    }
    command[length] = '\0';
    return true;
}

/* The children of `of` whose command line contains `word`; zombies have none and match only "". */
static inline size_t remains_children(pid_t of, const char *word, pid_t *pids, size_t most)
{
    size_t count = 0;
    DIR *folder = opendir("/proc");
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char state, command[512];
        pid_t parent, pid = (pid_t)atoi(entry->d_name);
        if (pid <= 0 || !remains_process(pid, &state, &parent, command, sizeof command) || parent != of ||
            !strstr(command, word))
            continue;
        if (count < most)
            pids[count] = pid;
        count++;
    }
    if (folder)
        closedir(folder);
    return count;
}

static inline size_t remains_entries(const char *path, const char *prefix)
{
    size_t count = 0;
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        count += entry->d_name[0] != '.' && strncmp(entry->d_name, prefix, strlen(prefix)) == 0;
    if (folder)
        closedir(folder);
    return count;
}

static inline struct remains remains_now(void)
{
    return (struct remains){
        .children = remains_children(getpid(), "", NULL, 0),
        .descriptors = remains_entries("/proc/self/fd", ""),
        .folders = remains_entries(getenv("TMPDIR"), ""),
    };
}

static inline void remains_equal(struct remains before, struct remains after)
{
    assert_int_equal(after.children, before.children);
    assert_int_equal(after.descriptors, before.descriptors);
    assert_int_equal(after.folders, before.folders);
}

/* Is the process dead? The process that adopts an orphan may take a while to reap it. */
static inline bool remains_is_gone(pid_t pid)
{
    for (int i = 0; i < 200; i++) {
        char state, command[512];
        pid_t parent;
        if (!remains_process(pid, &state, &parent, command, sizeof command) || state == 'Z')
            return true;
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
    }
    return false;
}

/* Give this program its own $TMPDIR, as other tests use the shared one. Worker processes inherit it. */
static inline int remains_own_folder(char *path, size_t size)
{
    const char *folder = getenv("TMPDIR");
    snprintf(path, size, "%s/tune-test-XXXXXX", folder && folder[0] == '/' ? folder : "/tmp");
    return mkdtemp(path) && setenv("TMPDIR", path, 1) == 0 && setenv("TUNE_CACHE_BYTES", "0", 1) == 0 ? 0 : -1;
}

#endif
