/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a file of another program's searches, compressed or not, on a recording of five configurations. */
#include "tests/fuzz/scratch.h"
#include "tuner/formats/recording_file.h"
#include "tuner/simulate/traces.h"

#include <math.h>

static struct simulated_space *space;

static void prepare(void)
{
    static const int times[] = {30, 10, 50, 20, 40};
    static struct recording *recording;
    struct error error;
    char text[2048] = "{\"results\":[";
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        char *end = text + strlen(text);
        snprintf(end, sizeof text - (size_t)(end - text),
                 "%s{\"configuration\":{\"N\":%zu},\"times\":{\"compilation\":1000,\"runtimes\":[%d]},"
                 "\"invalidity\":\"correct\",\"measurements\":[{\"name\":\"time\",\"value\":%d,\"unit\":\"ms\"}]}",
                 i ? "," : "", i, times[i], times[i]);
    }
    strcat(text, "]}");
    fuzz_require(recording_parse("made.json", text, strlen(text), &recording, &error));
    fuzz_require(simulated_space_create(recording, NULL, 1, &space, &error));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char path[PATH_MAX];
    struct traced_strategies traced = {0};
    struct error error = {0};
    if (!space)
        prepare();
    scratch_path(path, "traces.json");
    scratch_write(path, data, size);
    const struct simulated_space *spaces = space;
    bool scored = traces_score(path, &spaces, 1, 1, &traced, &error);
    if (!scored)
        fuzz_refused(&error);
    for (size_t i = 0; i < traced.count && scored; i++)
        fuzz_require(traced.items[i].name && isfinite(traced.items[i].scores[0].p));
    traced_strategies_clear(&traced);
    return 0;
}
