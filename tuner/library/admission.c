/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/library/admission.h"

#include "tuner/json/json_text.h"

#include <jansson.h>

bool admission_open(const struct spaces *spaces, const struct device_description *device,
                    const struct size_setting *sizes, struct admission *admission, struct error *error)
{
    admission->spaces = spaces;
    return fitting_create(spaces->template, device, sizes, &admission->fitting, error);
}

void admission_clear(struct admission *admission)
{
    fitting_free(admission->fitting);
    *admission = (struct admission){0};
}

bool admission_fits(const char *configuration, bool *fits, void *context, struct error *error)
{
    struct admission *admission = context;
    struct error damage = {0};
    json_t *object;
    *fits = false;
    if (!json_try(configuration, JSON_REJECT_DUPLICATES, &object, &damage))
        return damage.code != ERROR_OUT_OF_MEMORY || error_out_of_memory(error);
    bool done = true;
    for (size_t i = 0; i < admission->spaces->count && done && !*fits; i++) {
        if (!spaces_is_covered(admission->spaces, i))
            done = fitting_has(admission->fitting, admission->spaces->list[i], object, fits, error);
    }
    json_decref(object);
    return done;
}
