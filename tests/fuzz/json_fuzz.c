/* SPDX-License-Identifier: Apache-2.0 */
/* Any bytes as JSON. What is accepted reads back equal from the text that it is written as; what stands within it is
 * where it is said to be. */
#include "tests/fuzz/fuzz.h"
#include "tuner/json/json_find.h"
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

/* A name that the text writes with escapes is not found. */
static void find(const char *text, size_t size, struct json_step step, const json_t *value)
{
    struct error error = {0};
    json_t *found = NULL;
    size_t offset, span;
    bool is = json_find(text, size, &step, 1, &offset, &span);
    fuzz_require(offset <= size && span <= size - offset && (is || step.name));
    if (!is)
        return;
    fuzz_require(json_parse(text + offset, span, JSON_DECODE_ANY, NULL, "fuzz", &found, &error));
    fuzz_require(json_equal(found, value));
    json_decref(found);
}

static void find_all(const char *text, size_t size, json_t *json)
{
    const char *name;
    json_t *value;
    size_t index;
    json_array_foreach(json, index, value) find(text, size, (struct json_step){.index = index}, value);
    json_object_foreach(json, name, value)
    {
        if (!strchr(name, '\\'))
            find(text, size, (struct json_step){.name = name}, value);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct error error = {0};
    json_t *json, *tried;
    char *text = fuzz_text(data, size);
    if (json_parse(text, size, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, "fuzz.json", "fuzz", &json, &error)) {
        read_back(json, json_text(json, JSON_COMPACT | JSON_ENCODE_ANY));
        read_back(json, json_print(json, JSON_INDENT(2) | JSON_ENCODE_ANY));
        find_all(text, size, json);
        json_decref(json);
    } else {
        fuzz_refused(&error);
        const struct json_step steps[] = {{.name = "a"}, {.index = 1}};
        size_t offset, span;
        json_find(text, size, steps, 2, &offset, &span);
        fuzz_require(offset <= size && span <= size - offset);
    }
    fuzz_require(json_try(text, JSON_DECODE_ANY, &tried, &error));
    json_decref(tried);
    json_t *string = json_string_of_bytes(text);
    fuzz_require(string);
    json_decref(string);
    free(text);
    return 0;
}
