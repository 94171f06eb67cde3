/* SPDX-License-Identifier: Apache-2.0 */
/* Each allocation while rank 0 meets its hands fails in turn: it says so, and no socket stays open. */
#include "tests/unit/cluster/cluster_fixture.h"

#include "tests/unit/failing_allocator.h"

#include <fcntl.h>

static void test_no_socket_stays_open(void **state)
{
    (void)state;
    bool failed = true;
    for (size_t n = 1; failed; n++) {
        struct cluster_fixture fixture;
        int sockets[FIXTURE_HANDS];
        fixture_ends(&fixture, sockets);
        for (size_t i = 0; i < FIXTURE_HANDS; i++)
            says(&fixture, i, hand_hello("host", "node", "1-0"));
        failing_allocator_begin(n);
        bool created = hands_create(sockets, FIXTURE_HANDS, NULL, &fixture.hands, &fixture.error);
        failed = failing_allocator_end();
        assert_int_equal(created, !failed);
        assert_int_equal(fixture.error.code, failed ? ERROR_OUT_OF_MEMORY : ERROR_NONE);
        for (size_t i = 0; i < FIXTURE_HANDS; i++)
            assert_int_equal(fcntl(sockets[i], F_GETFD) < 0, failed);
        fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_no_socket_stays_open)};
    return cmocka_run_group_tests_name("allocation", tests, NULL, NULL);
}
