/* SPDX-License-Identifier: Apache-2.0 */
/* A process is identified by more than its id. */
#include "fixture.h"

#include "db/process.h"

#include <sys/wait.h>

static void expect_life(enum process_life life, bool same_host, long pid, unsigned long long start, const char *rest)
{
    char token[512];
    snprintf(token, sizeof token, "%ld:%llu:%s", pid, start, rest);
    enum process_life found = process_life(token, same_host);
    if (found != life)
        fail_msg("%s: %d, not %d", token, (int)found, (int)life);
}

/* A second reading of stat(5): the 20th word behind the name. */
static unsigned long long start_of(pid_t pid)
{
    char path[64], line[1024] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    assert_non_null(fgets(line, sizeof line, file));
    fclose(file);
    char *rest = strrchr(line, ')'), *word = NULL;
    strtok_r(rest, " ", &word);
    for (int i = 0; i < 19; i++)
        strtok_r(NULL, " ", &word);
    return strtoull(strtok_r(NULL, " ", &word), NULL, 10);
}

static void a_process_is_identified_by_more_than_its_id(void **state)
{
    (void)state;
    char token[PROCESS_TEXT], rest[PROCESS_TEXT], other_boot[2 * PROCESS_TEXT], other_space[2 * PROCESS_TEXT];
    long pid;
    unsigned long long start;
    process_token(token);
    assert_int_equal(sscanf(token, "%ld:%llu:%127s", &pid, &start, rest), 3);
    assert_int_equal(pid, getpid());
    snprintf(other_boot, sizeof other_boot, "%.100sx", rest);
    snprintf(other_space, sizeof other_space, "9%s", rest);
    expect_life(PROCESS_ALIVE, true, pid, start, rest);
    expect_life(PROCESS_GONE, true, pid, start + 1, rest); /* the id was reused */
    expect_life(PROCESS_GONE, true, pid, start, other_boot);
    expect_life(PROCESS_UNKNOWN, false, pid, start, other_boot); /* another machine */
    expect_life(PROCESS_UNKNOWN, true, pid, start + 1, other_space);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    siginfo_t info; /* it is dead, but not waited for */
    assert_int_equal(waitid(P_PID, (id_t)child, &info, WEXITED | WNOWAIT), 0);
    expect_life(PROCESS_GONE, true, (long)child, start_of(child), rest);
    assert_int_equal(waitpid(child, NULL, 0), child);
    expect_life(PROCESS_GONE, true, (long)child, start, rest);
    static const char *const garbage[] = {"", "x", "1:2:3", "-1:2:3:4", "1::2"};
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
        assert_int_equal(process_life(garbage[i], true), PROCESS_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_process_is_identified_by_more_than_its_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
