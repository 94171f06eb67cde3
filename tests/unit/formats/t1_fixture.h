/* SPDX-License-Identifier: Apache-2.0 */
/* Parts of T1 files from JSON, in which ' stands for ", and the file that is read so far. */
#ifndef TUNE_TESTS_T1_FIXTURE_H
#define TUNE_TESTS_T1_FIXTURE_H

#include "tests/unit/fixture.h"

#include "tuner/formats/t1_members.h"
#include "tuner/formats/t1_space.h"

#include <stdlib.h>

static inline json_t *json_of(const char *text)
{
    char *copy = strdup(text);
    json_error_t problem;
    for (char *c = copy; *c; c++)
        *c = *c == '\'' ? '"' : *c;
    json_t *json = json_loads(copy, JSON_DECODE_ANY, &problem);
    if (!json)
        fail_msg("%s: %s", problem.text, copy);
    free(copy);
    return json;
}

struct t1_fixture {
    struct t1 t1;
    struct error error;
    json_t *space;
};

/* A file with the parameters block = 32, 64 and tile = 1, 2, 4. */
static inline void t1_fixture_create(struct t1_fixture *f)
{
    *f = (struct t1_fixture){.t1 = {.path = "T1.json", .language = "CUDA"}};
    f->space = json_of("{'TuningParameters': [{'Name': 'block', 'Values': [32, 64]}, "
                       "{'Name': 'tile', 'Values': '1, 2, 4'}]}");
    assert_success(text_stream_open(&f->t1.notes, &f->error), &f->error);
    assert_success(t1_read_space(&f->t1, f->space, &f->error), &f->error);
}

static inline void t1_fixture_free(struct t1_fixture *f)
{
    t1_clear(&f->t1);
    json_decref(f->space);
}

/* The notes so far, which are then closed. */
static inline void expect_notes(struct t1_fixture *f, const char *wanted)
{
    char *notes = text_stream_close(&f->t1.notes, &f->error);
    assert_string_equal(notes, wanted);
    free(notes);
}

/* A failed call: its message, and a hint that mentions `hint` unless that is "". */
#define assert_refused(f, call, message, wanted_hint)                                                                \
    do {                                                                                                             \
        assert_false(call);                                                                                          \
        assert_int_equal((f)->error.code, ERROR_INPUT);                                                              \
        assert_string_equal((f)->error.text, message);                                                               \
        assert_mentions((f)->error.hint, wanted_hint);                                                               \
    } while (0)

#endif
