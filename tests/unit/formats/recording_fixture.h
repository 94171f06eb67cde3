/* SPDX-License-Identifier: Apache-2.0 */
/* Recordings from texts, texts that are refused, and an entry of a T4 file. */
#ifndef TUNE_TESTS_RECORDING_FIXTURE_H
#define TUNE_TESTS_RECORDING_FIXTURE_H

#include "tests/unit/db/fixture.h"

#include "tuner/formats/recording_file.h"

#include <math.h>

#define assert_near(a, b, tolerance) assert_true(fabs((a) - (b)) <= (tolerance))

static inline struct recording *parse(const char *path, const char *text)
{
    struct recording *recording;
    struct error error;
    if (!recording_parse(path, text, strlen(text), &recording, &error))
        fail_msg("%s", error.text);
    return recording;
}

static inline void refuse(const char *text, const char *part)
{
    struct recording *recording;
    struct error error = {0};
    assert_false(recording_parse("/data/odd.json", text, strlen(text), &recording, &error));
    assert_null(recording);
    if (!strstr(error.text, part))
        fail_msg("\"%s\" does not say \"%s\"", error.text, part);
}

#define ENTRY(configuration, invalidity, value, times)                                                               \
    "{\"configuration\":{" configuration "},\"invalidity\":\"" invalidity                                            \
    "\",\"measurements\":[{\"name\":\"GFLOP/s\",\"value\":1},{\"name\":\"time\",\"value\":" value                    \
    "}],\"times\":{" times "}}"

#endif
