/* SPDX-License-Identifier: Apache-2.0 */
/*
 * course_on_cpu - mri_fhd and dcs as the plain loops of a course, on all cores of the host.
 *
 *     course_on_cpu mri|dcs double|single [threads]
 *
 * prints pairs of voxel and sample, or of grid point and atom, per second. The loops are those of the templates'
 * `gather`: each thread has an equal part of the voxels or points and sums over all samples or atoms. They are
 * compiled with -O3 -march=native -ffast-math, so the compiler may use vectors and, with gcc, glibc's vector
 * functions.
 */
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { SAMPLES = 1024, POINTS_OF_THREAD = 2048, MOST_THREADS = 256 };

static const double shortest_seconds = 1.0;

/* One sum over all samples or atoms for each of a thread's points. The same text serves both precisions. */
#define DEFINE_LOOPS(real, sine, cosine, root)                                                                       \
    static real in_##real[5][SAMPLES];                                                                               \
                                                                                                                     \
    static void fill_##real(void)                                                                                    \
    {                                                                                                                \
        for (int i = 0; i < 5; i++)                                                                                  \
            for (int m = 0; m < SAMPLES; m++)                                                                        \
                in_##real[i][m] = (real)rand() / (real)RAND_MAX - (real)0.5;                                         \
    }                                                                                                                \
                                                                                                                     \
    static double mri_##real(int first)                                                                              \
    {                                                                                                                \
        real total = 0;                                                                                              \
        for (int n = first; n < first + POINTS_OF_THREAD; n++) {                                                     \
            int i = n % 64, j = n / 64 % 64, k = n / 4096 % 64;                                                      \
            real x = (real)i / 128, y = (real)j / 128, z = (real)k / 128;                                            \
            real re = 0, im = 0;                                                                                     \
            for (int m = 0; m < SAMPLES; m++) {                                                                      \
                real angle =                                                                                         \
                    (real)6.283185307179586 * (in_##real[0][m] * x + in_##real[1][m] * y + in_##real[2][m] * z);     \
                real c = cosine(angle), s = sine(angle);                                                             \
                re += in_##real[3][m] * c - in_##real[4][m] * s;                                                     \
                im += in_##real[4][m] * c + in_##real[3][m] * s;                                                     \
            }                                                                                                        \
            total += re + im;                                                                                        \
        }                                                                                                            \
        return (double)total;                                                                                        \
    }                                                                                                                \
                                                                                                                     \
    static double dcs_##real(int first)                                                                              \
    {                                                                                                                \
        real total = 0;                                                                                              \
        for (int n = first; n < first + POINTS_OF_THREAD; n++) {                                                     \
            int i = n % 64, j = n / 64 % 64, k = n / 4096 + 1;                                                       \
            real x = (real)i, y = (real)j, z = (real)k;                                                              \
            real energy = 0;                                                                                         \
            for (int m = 0; m < SAMPLES; m++) {                                                                      \
                real dx = x - in_##real[0][m], dy = y - in_##real[1][m], dz = z - in_##real[2][m];                   \
                energy += in_##real[3][m] / root(dx * dx + dy * dy + dz * dz);                                       \
            }                                                                                                        \
            total += energy;                                                                                         \
        }                                                                                                            \
        return (double)total;                                                                                        \
    }

DEFINE_LOOPS(double, sin, cos, sqrt)
DEFINE_LOOPS(float, sinf, cosf, sqrtf)

static const struct loop {
    const char *problem, *precision;
    double (*run)(int first);
} loops[] = {
    {"mri", "double", mri_double},
    {"mri", "single", mri_float},
    {"dcs", "double", dcs_double},
    {"dcs", "single", dcs_float},
};

struct part {
    pthread_t thread;
    const struct loop *loop;
    int first;
    double result; /* kept, so that the loop is not optimised away */
};

static void *run_part(void *context)
{
    struct part *part = context;
    part->result += part->loop->run(part->first);
    return NULL;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static void run_all(struct part *parts, int threads)
{
    for (int i = 0; i < threads; i++)
        if (pthread_create(&parts[i].thread, NULL, run_part, &parts[i])) {
            fputs("course_on_cpu: cannot start a thread\n", stderr);
            exit(1);
        }
    for (int i = 0; i < threads; i++)
        pthread_join(parts[i].thread, NULL);
}

static const struct loop *find_loop(const char *problem, const char *precision)
{
    for (size_t i = 0; i < sizeof loops / sizeof *loops; i++)
        if (strcmp(loops[i].problem, problem) == 0 && strcmp(loops[i].precision, precision) == 0)
            return &loops[i];
    return NULL;
}

int main(int argc, char **argv)
{
    static struct part parts[MOST_THREADS];
    const struct loop *loop = argc > 2 ? find_loop(argv[1], argv[2]) : NULL;
    long threads = argc > 3 ? strtol(argv[3], NULL, 10) : sysconf(_SC_NPROCESSORS_ONLN);
    if (!loop || threads < 1 || threads > MOST_THREADS) {
        fputs("usage: course_on_cpu mri|dcs double|single [threads, at most 256]\n", stderr);
        return 2;
    }
    fill_double();
    fill_float();
    for (int i = 0; i < threads; i++)
        parts[i] = (struct part){.loop = loop, .first = i * POINTS_OF_THREAD};
    run_all(parts, (int)threads); /* not timed: wakes the cores up */
    double begin = now(), seconds = 0, pairs = 0, sum = 0;
    while (seconds < shortest_seconds) {
        run_all(parts, (int)threads);
        pairs += (double)threads * POINTS_OF_THREAD * SAMPLES;
        seconds = now() - begin;
    }
    for (int i = 0; i < threads; i++)
        sum += parts[i].result;
    printf(
        "{\"problem\": \"%s\", \"precision\": \"%s\", \"threads\": %ld, \"pairs_per_second\": %.4g, \"sum\": %g}\n",
        loop->problem, loop->precision, threads, pairs / seconds, sum);
    return 0;
}
