/* SPDX-License-Identifier: Apache-2.0 */
/* A template and a space exported as T1, and parts of the document. */
#ifndef TUNE_TESTS_T1_EXPORT_FIXTURE_H
#define TUNE_TESTS_T1_EXPORT_FIXTURE_H

#include "tests/unit/formats/t1_fixture.h"

#include "tuner/formats/t1_write.h"

/* The document, whose notes must be these. */
static inline json_t *exported(const char *template, const char *space, const char *wanted_notes)
{
    struct fixture f;
    json_t *document;
    char *notes;
    fixture_create(&f, template, space);
    assert_success(t1_export(f.problem, &document, &notes, &f.error), &f.error);
    assert_string_equal(notes, wanted_notes);
    free(notes);
    fixture_free(&f);
    return document;
}

/* A member of "ConfigurationSpace" or "KernelSpecification" as JSON with ' for ". */
static inline void expect_member(const json_t *document, const char *part, const char *member, const char *wanted)
{
    json_t *expected = json_of(wanted);
    const json_t *got = json_object_get(json_object_get(document, part), member);
    if (!json_equal(got, expected))
        fail_msg("%s is %s, not %s", member, json_dumps(got, JSON_ENCODE_ANY), wanted);
    json_decref(expected);
}

#endif
