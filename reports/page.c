/* SPDX-License-Identifier: Apache-2.0 */
#include "reports/page.h"

#include "tuner/error/output_file.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Whether `path` is a folder now; if not, errno says why. */
static bool make_one_folder(const char *path)
{
    struct stat status;
    if (mkdir(path, 0777) == 0)
        return true;
    if (errno != EEXIST || stat(path, &status) != 0)
        return false;
    errno = ENOTDIR;
    return S_ISDIR(status.st_mode);
}

bool page_make_folder(const char *folder, struct error *error)
{
    if (!folder[0]) {
        error_set(error, ERROR_INPUT, "the path of the report folder is empty");
        return error_hint(error, "name a folder with -o");
    }
    char *path = strdup(folder);
    if (!path)
        return error_out_of_memory(error);
    bool made = true;
    for (char *c = path + 1; made; c++) {
        if (*c && *c != '/')
            continue;
        char kept = *c;
        *c = '\0';
        made = make_one_folder(path);
        if (!made) {
            error_set(error, ERROR_SYSTEM, "cannot create the report folder %s: %s", path, strerror(errno));
            error_hint(error, "choose another folder with -o");
        }
        *c = kept;
        if (!kept)
            break;
    }
    free(path);
    return made;
}

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

bool page_write(const char *folder, const char *name, const char *page, const struct page_filling *fillings,
                struct error *error)
{
    struct output_file file;
    char *path = NULL;
    if (asprintf(&path, "%s/%s", folder, name) < 0)
        return error_out_of_memory(error);
    bool done = output_file_open(&file, path, error);
    free(path);
    if (!done)
        return false;
    write_filled(file.stream, page, fillings);
    return output_file_close(&file, true, error);
}
