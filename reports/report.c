#include "reports/report.h"

#include <ctype.h>
#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

extern const char report_page[], report_index[], report_style[], report_words[], report_page_script[],
    report_index_script[], report_charts[];

/* A place {{name}} in a page and what goes there. */
struct filling {
    const char *name;
    const char *text;
};

enum { FILLINGS = 6 };

static bool out_of_memory(struct error *error)
{
    return error_set(error, ERROR_SYSTEM, "out of memory");
}

/* Make the folder and those above it. */
static bool make_folder(const char *folder, struct error *error)
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

/*
 * JSON that may stand inside a <script> element: no '<' can end the element or begin a comment in it. The characters
 * occur in JSON only within strings, where \u003c means the same.
 */
static char *json_for_script(const json_t *document)
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

/* Text as it may stand between tags. */
static char *html_escape(const char *text)
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

static const char *filling_text(const struct filling *fillings, const char *name, size_t length)
{
    for (size_t i = 0; i < FILLINGS; i++) {
        if (fillings[i].name && strlen(fillings[i].name) == length && memcmp(fillings[i].name, name, length) == 0)
            return fillings[i].text;
    }
    return "";
}

static void write_filled(FILE *stream, const char *page, const struct filling *fillings)
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

/* Write the page to a file beside its place first, so that a reader never sees half a page. */
static bool write_page(const char *folder, const char *name, const char *page, const struct filling *fillings,
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

/* "device-3-nvidia-h100-80gb-hbm3.html" */
static void page_name(json_int_t id, const char *device, char *name, size_t size)
{
    char slug[64];
    size_t length = 0;
    for (; *device && length + 1 < sizeof slug; device++) {
        if (isalnum((unsigned char)*device))
            slug[length++] = (char)tolower((unsigned char)*device);
        else if (length && slug[length - 1] != '-')
            slug[length++] = '-';
    }
    while (length && slug[length - 1] == '-')
        length--;
    slug[length] = '\0';
    snprintf(name, size, "device-%lld-%s.html", (long long)id, slug);
}

static bool write_device(struct store *store, const json_t *device, const char *folder, const char *name,
                         struct error *error)
{
    json_t *document = NULL;
    bool written = false;
    char *title = html_escape(json_string_value(json_object_get(device, "name")));
    if (!store_device_json(store, json_integer_value(json_object_get(device, "id")), &document, error)) {
        free(title);
        return false;
    }
    char *data = json_for_script(document);
    if (title && data) {
        const struct filling fillings[FILLINGS] = {
            {"title", title}, {"style", report_style}, {"charts", report_charts},
            {"data", data},   {"words", report_words}, {"script", report_page_script},
        };
        written = write_page(folder, name, report_page, fillings, error);
    } else {
        out_of_memory(error);
    }
    free(data);
    free(title);
    json_decref(document);
    return written;
}

static bool write_index(json_t *devices, const char *folder, struct error *error)
{
    char now[32];
    time_t seconds = time(NULL);
    struct tm utc;
    strftime(now, sizeof now, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&seconds, &utc));
    json_t *document =
        json_pack("{s:O, s:s, s:s}", "devices", devices, "tune_version", TUNE_VERSION, "generated_at", now);
    char *data = document ? json_for_script(document) : NULL;
    bool written = false;
    if (data) {
        const struct filling fillings[FILLINGS] = {
            {"title", "tune"},       {"style", report_style},         {"data", data},
            {"words", report_words}, {"script", report_index_script},
        };
        written = write_page(folder, "index.html", report_index, fillings, error);
    } else {
        out_of_memory(error);
    }
    free(data);
    json_decref(document);
    return written;
}

bool report_write(struct store *store, const char *folder, char **index_path, struct error *error)
{
    json_t *devices = NULL;
    bool written = false;
    if (!make_folder(folder, error) || !store_devices_json(store, &devices, error))
        return false;
    size_t i;
    json_t *device;
    json_array_foreach(devices, i, device)
    {
        char name[128];
        page_name(json_integer_value(json_object_get(device, "id")),
                  json_string_value(json_object_get(device, "name")), name, sizeof name);
        if (json_object_set_new(device, "page", json_string(name)) != 0) {
            out_of_memory(error);
            goto done;
        }
        if (!write_device(store, device, folder, name, error))
            goto done;
    }
    if (!write_index(devices, folder, error))
        goto done;
    if (asprintf(index_path, "%s/index.html", folder) < 0) {
        *index_path = NULL;
        out_of_memory(error);
        goto done;
    }
    written = true;
done:
    json_decref(devices);
    return written;
}
