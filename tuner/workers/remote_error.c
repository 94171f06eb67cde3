/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/workers/remote_error.h"

#include "tuner/json/json_text.h"
#include "tuner/workers/message.h"

#include <stdlib.h>
#include <string.h>

json_t *error_to_json(const struct error *error)
{
    return json_pack("{s:i, s:o, s:o, s:o, s:i, s:i, s:o, s:i, s:i}", "code", (int)error->code, "text",
                     json_string_of_bytes(error->text), "hint", json_string_of_bytes(error->hint), "file",
                     json_string_of_bytes(error->file), "line", (int)error->line, "column", (int)error->column,
                     "excerpt", json_string_of_bytes(error->excerpt), "caret", (int)error->caret, "caret_length",
                     (int)error->caret_length);
}

bool error_from_json(const json_t *json, struct error *error)
{
    int code = 0, line = 0, column = 0, caret = 0, caret_length = 0;
    const char *text = NULL, *hint = NULL, *file = NULL, *excerpt = NULL;
    json_error_t reason;
    if (json_unpack_ex((json_t *)json, &reason, 0, "{s:i, s:s, s:s, s:s, s:i, s:i, s:s, s:i, s:i !}", "code", &code,
                       "text", &text, "hint", &hint, "file", &file, "line", &line, "column", &column, "excerpt",
                       &excerpt, "caret", &caret, "caret_length", &caret_length) != 0)
        return message_malformed(error, "neither an answer nor an error: %s", reason.text);
    if (code <= ERROR_NONE || code > ERROR_DEVICE || !text[0])
        return message_malformed(error, "an unknown error");
    if (!error)
        return false;
    memset(error, 0, sizeof *error);
    error->code = (enum error_code)code;
    snprintf(error->text, sizeof error->text, "%s", text);
    snprintf(error->hint, sizeof error->hint, "%s", hint);
    snprintf(error->file, sizeof error->file, "%s", file);
    snprintf(error->excerpt, sizeof error->excerpt, "%s", excerpt);
    error->line = line > 0 ? (unsigned)line : 0;
    error->column = column > 0 ? (unsigned)column : 0;
    error->caret = caret > 0 && (size_t)caret < sizeof error->excerpt ? (unsigned)caret : 0;
    error->caret_length =
        caret_length > 0 && (size_t)caret_length < sizeof error->excerpt ? (unsigned)caret_length : 0;
    return false;
}
