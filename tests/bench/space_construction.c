/* SPDX-License-Identifier: Apache-2.0 */
/*
 * space_construction - time to construct a published search space: space_construction FILE [CONSTRAINT]
 *
 * FILE has a line `param NAME = [values]` for each parameter and `restrict EXPRESSION` for each constraint. Prints a
 * line of JSON: milliseconds from the parsed space to the problem (the fastest of many), the number of valid
 * configurations, the bytes of their diagram, and the bytes of a packed list of them, with a byte or two for each
 * parameter of more than one value. space_construction.py compares it with other tools.
 */
#include "tuner/space/problem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

struct texts {
    char *template, *space;
};

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static void convert_line(char *line, FILE *template, FILE *space)
{
    if (strncmp(line, "param ", 6) == 0) {
        fprintf(template, "parameter %.*s\n", (int)strcspn(line + 6, " "), line + 6);
        fputs(line, space);
    } else if (strncmp(line, "restrict ", 9) == 0) {
        fprintf(space, "where %s", line + 9);
    }
}

static bool convert(const char *path, const char *further, struct texts *texts)
{
    size_t lengths[2], capacity = 0;
    char *line = NULL;
    FILE *file = fopen(path, "r");
    FILE *template = open_memstream(&texts->template, &lengths[0]);
    FILE *space = open_memstream(&texts->space, &lengths[1]);
    if (!file || !template || !space) {
        perror(path);
        return false;
    }
    fprintf(template, "template published\nsize n = 1\n");
    fprintf(space, "space published of published\n");
    while (getline(&line, &capacity, file) > 0)
        convert_line(line, template, space);
    if (further)
        fprintf(space, "where %s\n", further);
    fprintf(template, "source \"k.cu\"\nbuffer y : int[n] out\nlaunch { k<<<1, 1>>>(y) }\n"
                      "reference \"r.cu\" { r<<<1, 1>>>(ref(y)) }\ncheck y exact\n");
    free(line);
    fclose(file);
    return fclose(template) == 0 && fclose(space) == 0;
}

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return one < other ? -1 : one > other;
}

static size_t packed_bytes(const struct search_space *space)
{
    size_t bytes = 0;
    for (size_t d = 0; d < search_space_dimensions(space); d++) {
        size_t positions = search_space_positions(space, d);
        bytes += positions > 256 ? 2 : positions > 1 ? 1 : 0;
    }
    return bytes * search_space_count(space);
}

static long peak_kilobytes(void)
{
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

/* Construct the problem again and again for a second. */
static bool measure(const struct template *template, const struct space *space, struct error *error)
{
    enum { MOST = 1000 };
    static double times[MOST];
    struct device_description device = {.kind = "cpu", .name = "none"};
    double begin = now();
    size_t count = 0, configurations = 0, bytes = 0, packed = 0;
    long before = peak_kilobytes();
    while (count < MOST && (count < 3 || now() - begin < 1000)) {
        struct problem *problem;
        double start = now();
        if (!problem_create(template, space, &device, NULL, 0, &problem, error))
            return false;
        times[count++] = now() - start;
        configurations = problem_configuration_count(problem);
        bytes = search_space_bytes(problem_search_space(problem));
        packed = packed_bytes(problem_search_space(problem));
        problem_free(problem);
    }
    qsort(times, count, sizeof *times, compare);
    printf("{\"ms\": %.4f, \"valid\": %zu, \"bytes\": %zu, \"packed_bytes\": %zu, \"peak_kilobytes\": %ld}\n",
           times[0], configurations, bytes, packed, peak_kilobytes() - before);
    return true;
}

int main(int argc, char **argv)
{
    struct texts texts;
    struct template *template = NULL;
    struct space *space = NULL;
    struct error error = {.code = ERROR_NONE};
    if (argc < 2 || argc > 3) {
        fprintf(stderr, "usage: space_construction FILE [CONSTRAINT]\n");
        return 2;
    }
    if (!convert(argv[1], argc > 2 ? argv[2] : NULL, &texts))
        return 1;
    bool done =
        template_parse("published.template", "folder", texts.template, strlen(texts.template), &template, &error) &&
        space_parse("published.space", texts.space, strlen(texts.space), template, &space, &error) &&
        measure(template, space, &error);
    if (!done)
        error_print(&error, stderr);
    space_free(space);
    template_free(template);
    free(texts.template);
    free(texts.space);
    return done ? 0 : 1;
}
