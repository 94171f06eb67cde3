/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as a device's description. What is accepted reads back equal from the JSON that it is written as. */
#include "tests/fuzz/fuzz.h"
#include "tuner/description/description.h"
#include "tuner/json/json_text.h"

static void read_back(const struct device_description *description)
{
    struct error error = {0};
    struct device_description again = {0};
    json_t *json = device_description_json(description);
    fuzz_require(json && device_description_from_json(json, &again, &error));
    fuzz_require(device_description_alike(description, &again));
    json_t *written = device_description_json(&again);
    fuzz_require(written && json_equal(json, written));
    json_decref(written);
    json_decref(json);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    struct device_description description;
    json_t *json;
    char *text = fuzz_text(data, size);
    if (json_parse(text, size, 0, NULL, "fuzz", &json, &error)) {
        if (device_description_from_json(json, &description, &error))
            read_back(&description);
        else
            fuzz_refused(&error);
        json_decref(json);
    }
    free(text);
    return 0;
}
