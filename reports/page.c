#include "reports/page.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "out of memory");
}

bool page_make_folder(const char *folder, struct error *error)
{
    char *path = strdup(folder);
    if (!path)
        return out_of_memory(error);
    for (char *c = path + 1;; c++) {
        if (*c && *c != '/')
            continue;
        char kept = *c;
        *c = '\0';
        if (mkdir(path, 0777) != 0 && errno != EEXIST) {
            error_set(error, ERROR_SYSTEM, "the report's folder %s cannot be made: %s", path, strerror(errno));
            error_hint(error, "choose another one with -o");
            free(path);
            return false;
        }
        *c = kept;
        if (!kept)
            break;
    }
    free(path);
    return true;
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
    char *path = NULL, *partial = NULL;
    bool written = false;
    if (asprintf(&path, "%s/%s", folder, name) < 0) {
        path = NULL;
        out_of_memory(error);
        goto done;
    }
    if (asprintf(&partial, "%s.%ld.partial", path, (long)getpid()) < 0) {
        partial = NULL;
        out_of_memory(error);
        goto done;
    }
    FILE *stream = fopen(partial, "w");
    if (!stream) {
        error_set(error, ERROR_SYSTEM, "%s cannot be written: %s", path, strerror(errno));
        goto done;
    }
    write_filled(stream, page, fillings);
    bool complete = !ferror(stream);
    if (fclose(stream) != 0 || !complete || rename(partial, path) != 0) {
        error_set(error, ERROR_SYSTEM, "%s cannot be written: %s", path, strerror(errno));
        unlink(partial);
        goto done;
    }
    written = true;
done:
    free(partial);
    free(path);
    return written;
}
