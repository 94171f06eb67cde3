/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the tests of the store: a scratch folder, a fictional GPU, a fictional problem, and evaluations. */
#ifndef TESTS_UNIT_DB_FIXTURE_H
#define TESTS_UNIT_DB_FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "db/connection.h"
#include "db/store.h"
#include "tests/unit/h100.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

struct fixture {
    char folder[64];
    char path[128];
    struct device_description device;
    struct store_problem problem;
    struct store_run run;
    struct error error;
};

static inline int fixture_setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);
    if (!f)
        return -1;
    strcpy(f->folder, "/tmp/tune-db-XXXXXX");
    if (!mkdtemp(f->folder))
        return -1;
    snprintf(f->path, sizeof f->path, "%s/tune.db", f->folder);
    f->device = h100; /* renamed and with round figures, to simplify the tests' arithmetic */
    strcpy(f->device.name, "Imaginary 100");
    strcpy(f->device.uuid, "GPU-1");
    strcpy(f->device.driver, "580.1");
    strcpy(f->device.compiler, "NVRTC 13.0");
    f->device.memory_bytes = INT64_C(85017493504);
    f->device.peak_flops = 60e12;
    f->device.peak_bandwidth = 3e12;
    f->problem = (struct store_problem){
        .template_name = "gemm",
        .template_path = "/templates/gemm/gemm.template",
        .template_hash = "aaaa",
        .space_name = "joint",
        .space_hash = "bbbb",
        .space_text = "space joint of gemm",
        .size = "M=1024,N=1024,K=1024",
        .device = &f->device,
        .work.flops = 2.0 * 1024 * 1024 * 1024,
        .work.bytes = 12.0 * 1024 * 1024,
    };
    f->run = (struct store_run){
        .strategy = "exhaustive",
        .budget = "",
        .objective = "time",
        .seed = UINT64_MAX,
        .configurations = 324,
        .tune_version = "0.1.0",
        .host = "nearby",
    };
    *state = f;
    return 0;
}

static inline int fixture_teardown(void **state)
{
    struct fixture *f = *state;
    umount2(f->folder, MNT_DETACH); /* a test may have mounted a small disk there */
    char command[512];
    snprintf(command, sizeof command, "chmod -R u+rwx %s; rm -rf %s", f->folder, f->folder);
    int status = system(command);
    free(f);
    return status;
}

/* An evaluation that succeeded in `time_ns`. */
static inline struct evaluation fixture_success(double time_ns)
{
    return (struct evaluation){
        .outcome = OUTCOME_OK,
        .time_ns = time_ns,
        .time_low_ns = time_ns * 0.99,
        .time_high_ns = time_ns * 1.01,
        .error_ratio = 0.25,
        .resources =
            {.registers = 128, .local_bytes = 0, .shared_bytes = 16384, .max_threads = 512, .occupancy = 0.5},
        .spill_bytes = -1,
        .state = {1980, 2619, 41, 512000, 0},
        .compile_seconds = 0.25,
        .validate_seconds = 0.5,
        .measure_seconds = 0.125,
    };
}

static inline struct evaluation fixture_failure(enum outcome outcome, char *message)
{
    return (struct evaluation){
        .outcome = outcome,
        .message = message,
        .error_ratio = -1,
        .resources = {-1, -1, -1, -1, -1},
        .spill_bytes = -1,
        .state = {-1, -1, -1, -1, -1},
    };
}

static inline struct store *fixture_open(struct fixture *f)
{
    struct store *store;
    if (!store_open(f->path, false, &store, &f->error))
        fail_msg("%s", f->error.text);
    return store;
}

static inline int64_t fixture_begin(struct fixture *f, struct store *store)
{
    int64_t run;
    if (!store_run_begin(store, &f->problem, &f->run, &run, &f->error))
        fail_msg("%s", f->error.text);
    return run;
}

static inline int64_t fixture_put(struct fixture *f, struct store *store, int64_t run, const char *configuration,
                                  struct evaluation evaluation)
{
    int64_t id;
    if (!store_put(store, run, configuration, &evaluation, &id, &f->error))
        fail_msg("%s", f->error.text);
    return id;
}

/* The first column of the first row as text, read as another program would; "NULL" for NULL. */
static inline const char *fixture_ask(const char *path, const char *sql)
{
    static char answer[4096];
    sqlite3 *sqlite;
    sqlite3_stmt *statement;
    assert_int_equal(sqlite3_open_v2(path, &sqlite, SQLITE_OPEN_READWRITE, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(sqlite, sql, -1, &statement, NULL) != SQLITE_OK)
        fail_msg("%s", sqlite3_errmsg(sqlite));
    int result = sqlite3_step(statement);
    const unsigned char *text = result == SQLITE_ROW ? sqlite3_column_text(statement, 0) : NULL;
    snprintf(answer, sizeof answer, "%s", text ? (const char *)text : "NULL");
    sqlite3_finalize(statement);
    sqlite3_close(sqlite);
    return answer;
}

static inline void fixture_big_endian(unsigned char bytes[4], uint32_t number)
{
    for (size_t i = 4; i-- > 0; number >>= 8)
        bytes[i] = (unsigned char)number;
}

static inline void fixture_write(const char *path, const void *bytes, size_t length)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static inline size_t fixture_read(const char *path, char *bytes, size_t size)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    size_t length = fread(bytes, 1, size, file);
    assert_int_equal(fclose(file), 0);
    return length;
}

/* The error contains this text and has a hint. */
#define assert_error(f, part)                                                                                        \
    do {                                                                                                             \
        if (!strstr((f)->error.text, part))                                                                          \
            fail_msg("\"%s\" does not mention \"%s\"", (f)->error.text, part);                                       \
        if (!(f)->error.hint[0])                                                                                     \
            fail_msg("\"%s\" has no hint", (f)->error.text);                                                         \
    } while (0)

#define unit(function) cmocka_unit_test_setup_teardown(function, fixture_setup, fixture_teardown)

#endif
