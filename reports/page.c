/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/page.h"

#include "tuner/error/output_file.h"
#include "tuner/error/visible.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* Bytes at the beginning of jansson's ASCII that mean in a page what they mean in JSON: nearly all. */
static size_t plain_length(const char *json)
{
    size_t length = 0;
    for (char c = *json; c && c != '\\' && c != '<' && c != '>' && c != '&' && c != 0x7f; c = json[length])
        length++;
    return length;
}

/* One of the others: `*length` of its bytes are a character or an escape, and what stands for it in the page is
 * written to `to`, at most 6 bytes. Characters that would act on the text around them become U+FFFD. */
static size_t json_step(const char *json, char *to, size_t *length)
{
    unsigned code = (unsigned char)*json;
    if (*json != '\\') {
        *length = 1;
        return (size_t)sprintf(to, "\\u%04x", code == 0x7f ? 0xfffdU : code);
    }
    *length = json[1] == 'u' ? 6 : 2;
    code = 0;
    bool acts = json[1] == 'u' ? sscanf(json + 2, "%4x", &code) == 1 && visible_is_hidden(code)
                               : json[1] == 'b' || json[1] == 'f';
    memcpy(to, acts ? "\\ufffd" : json, acts ? 6 : *length);
    return acts ? 6 : *length;
}

char *page_json(const json_t *document)
{
    char *json = json_dumps(document, JSON_COMPACT | JSON_ENSURE_ASCII), step[8];
    if (!json)
        return NULL;
    size_t size = 1, length;
    for (const char *c = json; *(c += plain_length(c)); c += length)
        size += json_step(c, step, &length);
    char *safe = malloc(size + strlen(json)), *to = safe;
    for (const char *c = json; safe && *c;) {
        size_t plain = plain_length(c);
        to = mempcpy(to, c, plain);
        c += plain;
        length = 0;
        if (*c)
            to = mempcpy(to, step, json_step(c, step, &length));
        c += length;
    }
    if (safe)
        *to = '\0';
    free(json);
    return safe;
}

char *page_escape(const char *text)
{
    char *shown = visible_text(text, VISIBLE_ONE_LINE);
    char *escaped = shown ? malloc(6 * strlen(shown) + 1) : NULL, *to = escaped;
    for (const char *c = shown; escaped && *c; c++) {
        if (strchr("&<>\"'", *c))
            to += sprintf(to, "&#%d;", *c);
        else
            *to++ = *c;
    }
    if (escaped)
        *to = '\0';
    free(shown);
    return escaped;
}

static const char *filling_text(const struct page_filling *fillings, const char *name, size_t length)
{
    for (size_t i = 0; i < PAGE_FILLINGS; i++) {
        if (fillings[i].name && strlen(fillings[i].name) == length && memcmp(fillings[i].name, name, length) == 0)
            return fillings[i].text;
    }
    return "";
}

static void write_filled(FILE *stream, const char *page, const struct page_filling *fillings)
{
    const char *mark;
    while ((mark = strstr(page, "{{"))) {
        fwrite(page, 1, (size_t)(mark - page), stream);
        const char *end = strstr(mark, "}}");
        fputs(filling_text(fillings, mark + 2, (size_t)(end - mark - 2)), stream);
        page = end + 2;
    }
    fputs(page, stream);
}

bool page_write(const struct folder *folder, const char *name, const char *page, const struct page_filling *fillings,
                struct error *error)
{
    struct output_file file;
    if (!output_file_open_in(&file, folder->descriptor, folder->path, name, error))
        return false;
    write_filled(file.stream, page, fillings);
    return output_file_close(&file, true, error);
}
