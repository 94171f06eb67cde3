/* SPDX-License-Identifier: Apache-2.0 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/unit/expect.h"
#include "tuner/cluster/ranks.h"

#include <stdlib.h>

static const char *const variables[] = {
    "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "PMI_SIZE", "PMI_RANK",         "SLURM_STEP_NUM_TASKS",
    "SLURM_PROCID",         "SLURM_NTASKS",         "TUNE_MPI", "TUNE_MPI_LIBRARY", "TUNE_HANDS",
};

static void forget(void)
{
    for (size_t i = 0; i < sizeof variables / sizeof *variables; i++)
        unsetenv(variables[i]);
}

static void test_launchers_say_how_many_ranks_there_are(void **state)
{
    (void)state;
    static const struct {
        const char *size, *rank;
    } cases[] = {{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
                 {"PMI_SIZE", "PMI_RANK"},
                 {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"}};
    int rank;
    forget();
    setenv("SLURM_NTASKS", "4", 1); /* of a batch script, which runs once */
    assert_int_equal(ranks_launched(&rank), 1);
    assert_int_equal(rank, 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        forget();
        setenv(cases[i].size, "12", 1);
        setenv(cases[i].rank, "7", 1);
        assert_int_equal(ranks_launched(&rank), 12);
        assert_int_equal(rank, 7);
    }
    setenv(cases[2].size, "many", 1);
    assert_int_equal(ranks_launched(&rank), 1);
}

static void test_a_process_on_its_own_needs_no_mpi(void **state)
{
    (void)state;
    struct ranks ranks;
    struct error error = {0};
    forget();
    assert_success(ranks_join(&ranks, &error), &error);
    assert_int_equal(ranks.size, 1);
    assert_null(ranks.sockets);
    setenv("PMI_SIZE", "3", 1);
    setenv("TUNE_MPI", "no", 1);
    assert_success(ranks_join(&ranks, &error), &error);
    assert_int_equal(ranks.size, 1);
    ranks_leave(&ranks);
}

static void test_several_ranks_without_the_library_are_told_how_to_get_it(void **state)
{
    (void)state;
    struct ranks ranks;
    struct error error = {0};
    forget();
    setenv("PMI_SIZE", "3", 1);
    assert_false(ranks_join(&ranks, &error)); /* the test lies in another folder than the library */
    assert_int_equal(error.code, ERROR_INPUT);
    assert_mentions(error.text, "3 ranks were started");
    assert_mentions(error.hint, "mpicc");
    setenv("TUNE_MPI_LIBRARY", "/nowhere/libtune_mpi.so", 1);
    assert_false(ranks_join(&ranks, &error));
    assert_mentions(error.text, "/nowhere/libtune_mpi.so");
    setenv("TUNE_MPI_LIBRARY", "libc.so.6", 1);
    assert_false(ranks_join(&ranks, &error));
    assert_mentions(error.text, "libc.so.6: it is not a library of tune");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launchers_say_how_many_ranks_there_are),
        cmocka_unit_test(test_a_process_on_its_own_needs_no_mpi),
        cmocka_unit_test(test_several_ranks_without_the_library_are_told_how_to_get_it),
    };
    return cmocka_run_group_tests_name("ranks", tests, NULL, NULL);
}
