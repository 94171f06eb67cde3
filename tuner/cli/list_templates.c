/* SPDX-License-Identifier: Apache-2.0 */
/* tune list templates, tune list spaces: what ships with tune. */
#include "tuner/cli/listing.h"

#include "tuner/cli/json_output.h"
#include "tuner/cli/subject.h"
#include "tuner/error/text_stream.h"
#include "tuner/evaluation/objective.h"
#include "tuner/json/json_text.h"
#include "tuner/library/home.h"

#include <stdlib.h>
#include <string.h>

/* Append the rows of one template to `*rows`. */
typedef bool template_function(const char *home, const struct template *template, json_t **rows, struct error *error);

/* A text that cannot be read is reported and left out; a lack of memory is no fault of the text. */
static bool pass_over(const struct error *unreadable, struct error *error)
{
    if (unreadable->code == ERROR_OUT_OF_MEMORY)
        return error_out_of_memory(error);
    error_print(unreadable, stderr);
    return true;
}

static bool add_template_named(const char *home, const char *name, template_function *add, json_t **rows,
                               struct error *error)
{
    struct subject subject = {0};
    struct error unreadable = {0};
    bool added = subject_template(&subject, name, &unreadable) ? add(home, subject.template, rows, error)
                                                               : pass_over(&unreadable, error);
    subject_clear(&subject);
    return added;
}

static json_t *each_template(template_function *add, struct error *error)
{
    struct names names = {0};
    json_t *rows = json_array();
    char *home = home_find(NULL, error);
    char *folder = home ? path_join(home, "templates") : NULL;
    bool done = home && ((folder && rows) || error_out_of_memory(error)) && names_list(folder, NULL, &names, error);
    for (size_t i = 0; done && i < names.count; i++)
        done = add_template_named(home, names.list[i], add, &rows, error);
    if (done && !rows)
        done = error_out_of_memory(error);
    if (!done) {
        json_decref(rows);
        rows = NULL;
    }
    names_free(&names);
    free(folder);
    free(home);
    return rows;
}

static bool space_names(const char *home, const struct template *template, struct names *names, struct error *error)
{
    char *folder;
    if (asprintf(&folder, "%s/spaces/%s", home, template->name) < 0)
        return error_out_of_memory(error);
    bool listed = names_list(folder, ".space", names, error);
    free(folder);
    return listed;
}

/* ---- templates ---- */

/* Those that it defines besides the ones that every template has, with the default one marked, which may be one of
 * these: "points a second (default), points a joule". */
static bool add_objectives(const struct template *template, json_t **row)
{
    struct text_stream stream;
    if (!text_stream_open(&stream, NULL))
        return false;
    const char *before = "", *chosen = template->default_objective;
    if (chosen && objective_find(chosen)) {
        fprintf(stream.out, "%s (default)", chosen);
        before = ", ";
    }
    for (size_t i = 0; i < template->metric_count; i++) {
        const struct metric_declaration *metric = &template->metrics[i];
        if (metric->sense == METRIC_SHOWN)
            continue;
        fprintf(stream.out, "%s%s%s", before, metric->name,
                chosen && strcmp(chosen, metric->name) == 0 ? " (default)" : "");
        before = ", ";
    }
    char *text = text_stream_close(&stream, NULL);
    if (text && text[0])
        json_put(row, "objectives", json_string_of_bytes(text));
    free(text);
    return text != NULL;
}

static bool add_template(const char *home, const struct template *template, json_t **rows, struct error *error)
{
    struct names names;
    if (!space_names(home, template, &names, error))
        return false;
    char *spaces = names_text(&names);
    names_free(&names);
    if (!spaces)
        return error_out_of_memory(error);
    json_t *row = json_pack("{s:s, s:s, s:o, s:s}", "template", template->name, "title", template->title, "spaces",
                            json_string_of_bytes(spaces), "hash", template->hash);
    free(spaces);
    bool added = add_objectives(template, &row);
    json_append(rows, row);
    return added || error_out_of_memory(error);
}

json_t *list_templates(const struct options *options, struct error *error)
{
    (void)options;
    return each_template(add_template, error);
}

/* ---- spaces ---- */

static bool add_space(const char *home, const struct template *template, const char *name, json_t **rows,
                      struct error *error)
{
    char *path;
    struct space *space = NULL;
    struct error unreadable = {0};
    if (asprintf(&path, "%s/spaces/%s/%s.space", home, template->name, name) < 0)
        return error_out_of_memory(error);
    bool is_default = template->default_space && strcmp(template->default_space, name) == 0, done = true;
    if (space_read(path, template, &space, &unreadable))
        json_append(rows, json_pack("{s:s, s:s, s:s, s:s}", "template", template->name, "space", space->name,
                                    "default", is_default ? "yes" : "", "title", space->title));
    else
        done = pass_over(&unreadable, error);
    space_free(space);
    free(path);
    return done;
}

static bool add_spaces(const char *home, const struct template *template, json_t **rows, struct error *error)
{
    struct names names = {0};
    bool added = space_names(home, template, &names, error);
    for (size_t i = 0; added && i < names.count; i++)
        added = add_space(home, template, names.list[i], rows, error);
    names_free(&names);
    return added;
}

json_t *list_spaces(const struct options *options, struct error *error)
{
    (void)options;
    return each_template(add_spaces, error);
}
