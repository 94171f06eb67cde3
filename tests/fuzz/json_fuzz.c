/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON. What is accepted reads back equal from the text that it is written as. */
#include "tests/fuzz/fuzz.h"
#include "tuner/json/json_text.h"

static void read_back(const json_t *json, char *text)
{
    struct error error = {0};
    json_t *again = NULL;
    fuzz_require(text && json_parse(text, strlen(text), JSON_DECODE_ANY, NULL, "fuzz", &again, &error));
    fuzz_require(json_equal(json, again));
    json_decref(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    json_t *json, *tried;
    char *text = fuzz_text(data, size);
    if (json_parse(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, "fuzz.json", "fuzz", &json, &error)) {
        read_back(json, json_text(json, JSON_COMPACT | JSON_ENCODE_ANY));
        read_back(json, json_print(json, JSON_INDENT(2) | JSON_ENCODE_ANY));
        json_decref(json);
    } else {
        fuzz_refused(&error);
    }
    fuzz_require(json_try(text, JSON_DECODE_ANY, &tried, &error));
    json_decref(tried);
    json_t *string = json_string_of_bytes(text);
    fuzz_require(string);
    json_decref(string);
    free(text);
    return 0;
}
