/* SPDX-License-Identifier: Apache-2.0 */
/* Many threads with one handle, and with handles of their own: each gets the answer of its problem, whatever the
 * others ask, refresh or free. For the thread sanitizer. */
#include "house.h"

#include <pthread.h>
#include <stdatomic.h>

enum { THREADS = 64, ROUNDS = 40, SIZES = 16 };

struct worker {
    struct house *house;
    struct tune *tune; /* NULL: each round opens one */
    unsigned number;
    atomic_int *wrong;
    struct tune_answer *kept; /* freed by another thread, later */
};

/* By arithmetic: what was stored at 64 and 1024 answers below and above their geometric mean, 256, where it is valid;
 * at 64 itself A is 4, at 1024 it is 8. */
static const char *expected(int64_t n)
{
    return n < 256 ? HOUSE_CONFIGURATION(4) : HOUSE_CONFIGURATION(8);
}

static bool ask(struct worker *worker, struct tune *tune, int64_t n, struct tune_answer **kept)
{
    struct tune_answer *answer;
    const struct tune_size size = {"n", n};
    const struct tune_problem problem = {
        .bytes = sizeof problem, .kernel = "t", .device = worker->house->device, .sizes = &size, .size_count = 1};
    struct tune_parameter parameter = {.bytes = sizeof parameter};
    struct tune_answer_info info = {.bytes = sizeof info};
    if (tune_best(tune, &problem, &answer, NULL) != TUNE_OK)
        return false;
    tune_answer_describe(answer, &info);
    bool right = strcmp(info.configuration, expected(n)) == 0 &&
                 tune_answer_find(answer, "A", &parameter, NULL) == TUNE_OK &&
                 parameter.integer == (n < 256 ? 4 : 8) && info.validated;
    if (*kept)
        tune_answer_free(*kept);
    *kept = answer;
    return right;
}

static void *work(void *context)
{
    struct worker *worker = context;
    struct tune_error error;
    for (unsigned i = 0; i < ROUNDS; i++) {
        /* Powers of two, but none as near to 64 as to 1024. */
        int64_t n = (int64_t)32 << ((i * 7 + worker->number) % SIZES);
        struct tune *tune = worker->tune;
        if (n == 256)
            continue;
        if (!tune && tune_open(NULL, &tune, &error) != TUNE_OK) {
            atomic_fetch_add(worker->wrong, 1);
            break;
        }
        if (!ask(worker, tune, n, &worker->kept))
            atomic_fetch_add(worker->wrong, 1);
        if (worker->tune && worker->number == 0 && i % 8 == 7)
            tune_refresh(tune);
        if (worker->number == 1 && tune_trouble(tune, &error) != TUNE_OK)
            atomic_fetch_add(worker->wrong, 1);
        if (!worker->tune)
            tune_close(tune);
    }
    return NULL;
}

static void run(struct house *h, struct tune *tune, size_t count)
{
    static struct worker workers[THREADS];
    pthread_t threads[THREADS];
    atomic_int wrong = 0;
    for (size_t i = 0; i < count; i++) {
        workers[i] = (struct worker){.house = h, .tune = tune, .number = (unsigned)i, .wrong = &wrong};
        assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
    }
    for (size_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    if (tune)
        tune_close(tune); /* answers outlive it */
    for (size_t i = 0; i < count; i++)
        tune_answer_free(workers[i].kept);
    assert_int_equal(wrong, 0);
}

static void store(struct house *h)
{
    house_store(h, "n=64", HOUSE_CONFIGURATION(4), 1e6);
    house_store(h, "n=1024", HOUSE_CONFIGURATION(8), 2e6);
}

static void with_one_handle(void **state)
{
    struct house *h = *state;
    struct tune *tune;
    store(h);
    house_success(h, tune_open(NULL, &tune, &h->why));
    run(h, tune, THREADS);
}

static void with_handles_of_their_own(void **state)
{
    struct house *h = *state;
    store(h);
    run(h, NULL, THREADS / 16);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(with_one_handle, house_begin, house_end),
        cmocka_unit_test_setup_teardown(with_handles_of_their_own, house_begin, house_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
