/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/page.h"

#include "tuner/error/output_file.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

char *page_json(const json_t *document)
{
    char *json = json_dumps(document, JSON_COMPACT | JSON_ENSURE_ASCII);
    if (!json)
        return NULL;
    size_t escaped = 0;
    for (const char *c = json; *c; c++)
        escaped += *c == '<' || *c == '>' || *c == '&';
    char *safe = malloc(strlen(json) + 5 * escaped + 1);
    if (safe) {
        char *to = safe;
        for (const char *c = json; *c; c++) {
            if (*c == '<' || *c == '>' || *c == '&')
                to += sprintf(to, "\\u%04x", (unsigned)*c);
            else
                *to++ = *c;
        }
        *to = '\0';
    }
    free(json);
    return safe;
}

char *page_escape(const char *text)
{
    char *escaped = malloc(6 * strlen(text) + 1);
    if (!escaped)
        return NULL;
    char *to = escaped;
    for (; *text; text++) {
        if (strchr("&<>\"'", *text))
            to += sprintf(to, "&#%d;", *text);
        else
            *to++ = *text;
    }
    *to = '\0';
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
