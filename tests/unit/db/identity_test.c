/* SPDX-License-Identifier: Apache-2.0 */
/* Evaluations have the same identity if they agree in all but UUID, space and a few megabytes of memory. */
#include "seen_rows.h"

static void identity_ignores_uuid_space_and_a_few_megabytes(void **state)
{
    struct fixture *f = *state;
    struct store *store = fixture_open(f);
    fixture_put(f, store, fixture_begin(f, store), "{\"T\":1}", fixture_success(10));
    struct seen seen;
    strcpy(f->device.uuid, "GPU-2");
    f->problem.space_name = "full";
    f->problem.space_hash = "cccc";
    f->device.memory_bytes -= 50 << 20;
    see_finished(f, store, &seen);
    assert_int_equal(seen.count, 1);

    const struct device_description device = f->device;
    const struct store_problem problem = f->problem;
    for (int change = 0; change < 10; change++) {
        f->device = device;
        f->problem = problem;
        switch (change) {
        case 0:
            strcpy(f->device.kind, "cpu");
            break;
        case 1:
            strcpy(f->device.name, "Imaginary 200");
            break;
        case 2:
            strcpy(f->device.architecture, "sm_100");
            break;
        case 3:
            f->device.sm_count--;
            break;
        case 4:
            f->device.memory_bytes /= 2;
            break;
        case 5:
            strcpy(f->device.driver, "581.0");
            break;
        case 6:
            strcpy(f->device.compiler, "NVRTC 13.1");
            break;
        case 7:
            f->problem.template_hash = "aaab";
            break;
        case 8:
            f->problem.size = "M=1024,N=1024,K=1025";
            break;
        case 9:
            strcpy(f->problem.compiler, "NVRTC 13.0, g++ 12.2.0");
            break;
        }
        see_finished(f, store, &seen);
        if (seen.count != 0)
            fail_msg("change %d does not change the identity", change);
    }
    store_close(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        unit(identity_ignores_uuid_space_and_a_few_megabytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
