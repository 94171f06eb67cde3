#include "tuner/cli/device_choice.h"

#include "tuner/device/device.h"
#include "tuner/engine/sweep.h"

#include <stdlib.h>
#include <string.h>

static bool describe(const char *kind, int ordinal, struct device_choice *choice, struct error *error)
{
    choice->ordinal = ordinal;
    return sweep_describe(kind, ordinal, &choice->description, error);
}

static bool choose_default(bool quiet, struct device_choice *choice, struct error *error)
{
    int count = 0;
    struct error why = {0};
    if (sweep_count("cuda", &count, &why) && count > 0)
        return describe("cuda", 0, choice, error);
    if (!quiet)
        fprintf(stderr, "tune: no CUDA GPU: %s; using the CPU device\n", why.text[0] ? why.text : "none found");
    return describe("cpu", 0, choice, error);
}

static bool unknown_device(const char *text, struct error *error)
{
    error_set(error, ERROR_INPUT, "--device: '%s' is no device", text);
    return error_hint(error, "cuda, cuda:N, cpu or the path of a recorded description; see 'tune list devices'");
}

bool device_choose(const char *text, bool quiet, struct device_choice *choice, struct error *error)
{
    *choice = (struct device_choice){0};
    if (!text)
        return choose_default(quiet, choice, error);

    size_t length = strlen(text);
    if (length > 5 && strcmp(text + length - 5, ".json") == 0) {
        choice->recorded = true;
        return device_description_read(text, &choice->description, error);
    }

    char kind[16];
    size_t kind_length = strcspn(text, ":");
    if (kind_length == 0 || kind_length >= sizeof kind)
        return unknown_device(text, error);
    memcpy(kind, text, kind_length);
    kind[kind_length] = '\0';
    if (!device_driver_find(kind))
        return unknown_device(text, error);

    long ordinal = 0;
    if (text[kind_length]) {
        char *end;
        ordinal = strtol(text + kind_length + 1, &end, 10);
        if (end == text + kind_length + 1 || *end || ordinal < 0 || ordinal > 1000)
            return unknown_device(text, error);
    }
    int count = 0;
    struct error why = {0};
    if (!sweep_count(kind, &count, &why))
        return error_set(error, ERROR_WORK, "%s", why.text);
    if (ordinal >= count) {
        error_set(error, ERROR_INPUT, "--device: there is no %s:%ld: this machine has %d %s device%s", kind, ordinal,
                  count, kind, count == 1 ? "" : "s");
        return error_hint(error, "%s", why.text[0] ? why.text : "see 'tune list devices'");
    }
    return describe(kind, (int)ordinal, choice, error);
}
