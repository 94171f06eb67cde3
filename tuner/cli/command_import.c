/* SPDX-License-Identifier: Apache-2.0 */
/* tune import FILE: a T1 file becomes a template and a space; recorded and known results go into the database. */
#include "tuner/cli/command.h"
#include "tuner/cli/exchange.h"

#include "db/store.h"
#include "tuner/formats/t1_import.h"

#include <stdlib.h>
#include <string.h>

bool command_import(const struct options *options, int *status, struct error *error)
{
    struct file_text text = {0};
    if (!options->subject) {
        error_set(error, ERROR_INPUT, "which file?");
        return error_hint(error,
                          "known results, a T1 file, a T4 file, a Kernel Tuner cache or results of KTT, compressed "
                          "(.gz) or not; or a script for Kernel Tuner");
    }
    size_t length = strlen(options->subject);
    if (length > 3 && strcmp(options->subject + length - 3, ".py") == 0)
        return import_script(options, error);
    bool done = file_text_read(options->subject, &text, error);
    if (done && store_known_is(text.bytes, text.length))
        done = import_known(options, &text, status, error);
    else if (done)
        done = (t1_is(text.bytes, text.length) ? import_t1 : import_results)(options, &text, error);
    free(text.bytes);
    return done;
}
