/* SPDX-License-Identifier: Apache-2.0 */
/* A process is identified by more than its id. */
#include "fixture.h"

#include "db/process.h"

#include <sys/wait.h>

static void expect_gone(bool gone, bool same_host, long pid, unsigned long long start, const char *rest)
{
    char token[512];
    snprintf(token, sizeof token, "%ld:%llu:%s", pid, start, rest);
    if (process_is_gone(token, same_host) != gone)
        fail_msg("%s is %s", token, gone ? "not gone" : "gone");
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
    expect_gone(false, true, pid, start, rest);
    expect_gone(true, true, pid, start + 1, rest); /* the id was reused */
    expect_gone(true, true, pid, start, other_boot);
    expect_gone(false, false, pid, start, other_boot); /* another machine */
    expect_gone(false, true, pid, start + 1, other_space);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(0);
    assert_int_equal(waitpid(child, NULL, 0), child);
    expect_gone(true, true, (long)child, start, rest);
    static const char *const garbage[] = {"", "x", "1:2:3", "-1:2:3:4", "1::2"};
    for (size_t i = 0; i < sizeof garbage / sizeof *garbage; i++)
        assert_false(process_is_gone(garbage[i], true));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(a_process_is_identified_by_more_than_its_id),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
