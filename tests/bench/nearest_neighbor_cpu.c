/* SPDX-License-Identifier: Apache-2.0 */
/*
 * nearest_neighbor_cpu - the nearest other point by all pairs, on the processor: what a GPU is compared with.
 *
 *     nearest_neighbor_cpu N [threads [samples]]
 *
 * prints the median times of two versions, for N random points in the unit cube: `plain` is the loop that one would
 * write first, on one thread, comparing each pair and keeping the index; `parallel` runs on all processors, keeps
 * only the least distance of a chunk of points, which compilers turn into vector instructions, and looks up the index
 * in the chunk that had it. Both must find the same neighbours.
 */
#include "tuner/measure/sampling.h"

#include <float.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define VECTORIZED __attribute__((optimize("O3"), target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define VECTORIZED
#endif

enum { CHUNK = 512, MOST_THREADS = 1024, MOST_SAMPLES = 100 };

struct points {
    float *x, *y, *z;
    int count;
    int *nearest;
};

struct share {
    const struct points *points;
    int first, last;
};

static float squared_distance(const struct points *points, int i, int j)
{
    float dx = points->x[i] - points->x[j], dy = points->y[i] - points->y[j], dz = points->z[i] - points->z[j];
    return dx * dx + dy * dy + dz * dz;
}

static void find_plain(const struct points *points)
{
    for (int i = 0; i < points->count; i++) {
        float best = FLT_MAX;
        points->nearest[i] = -1;
        for (int j = 0; j < points->count; j++) {
            float d = squared_distance(points, i, j);
            if (d < best && i != j) {
                best = d;
                points->nearest[i] = j;
            }
        }
    }
}

/* Distances from x, y, z, as integers with the same bits, which have the same order. */
VECTORIZED static void measure_chunk(const struct points *points, int first, float x, float y, float z,
                                     int32_t *restrict distances)
{
    const float *restrict px = points->x + first, *restrict py = points->y + first, *restrict pz = points->z + first;
    for (int j = 0; j < CHUNK; j++) {
        float dx = x - px[j], dy = y - py[j], dz = z - pz[j], d = dx * dx + dy * dy + dz * dz;
        memcpy(&distances[j], &d, sizeof d);
    }
}

VECTORIZED static int32_t least_of(const int32_t *distances)
{
    int32_t least = INT32_MAX;
    for (int j = 0; j < CHUNK; j++)
        least = distances[j] < least ? distances[j] : least;
    return least;
}

static int find_one(const struct points *points, int i)
{
    int32_t distances[CHUNK], best = INT32_MAX;
    int nearest = -1;
    for (int first = 0; first < points->count; first += CHUNK) {
        measure_chunk(points, first, points->x[i], points->y[i], points->z[i], distances);
        if (i >= first && i < first + CHUNK)
            distances[i - first] = INT32_MAX;
        int32_t least = least_of(distances);
        if (least < best) {
            best = least;
            for (nearest = first; distances[nearest - first] != least;)
                nearest++;
        }
    }
    return nearest;
}

static void *find_share(void *argument)
{
    const struct share *share = argument;
    for (int i = share->first; i < share->last; i++)
        share->points->nearest[i] = find_one(share->points, i);
    return NULL;
}

static void find_parallel(const struct points *points, int thread_count)
{
    pthread_t threads[MOST_THREADS];
    struct share shares[MOST_THREADS];
    for (int t = 0; t < thread_count; t++) {
        shares[t] = (struct share){points, (int)((int64_t)points->count * t / thread_count),
                                   (int)((int64_t)points->count * (t + 1) / thread_count)};
        if (pthread_create(&threads[t], NULL, find_share, &shares[t])) {
            fprintf(stderr, "nearest_neighbor_cpu: cannot start a thread\n");
            exit(1);
        }
    }
    for (int t = 0; t < thread_count; t++)
        pthread_join(threads[t], NULL);
}

/* The last chunk is filled up with points that are far from all others. */
static float *random_coordinates(int count)
{
    size_t padded = ((size_t)count + CHUNK - 1) / CHUNK * CHUNK;
    static uint64_t state = 88172645463325252u;
    float *values = malloc(padded * sizeof *values);
    if (!values)
        exit(1);
    for (size_t i = 0; i < padded; i++) {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        values[i] = i < (size_t)count ? (float)(state >> 40) * 0x1p-24f : 1e10f;
    }
    return values;
}

static double now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

/* Median in milliseconds; threads: 0 for the plain loop. */
static double time_of(const struct points *points, int threads, int samples)
{
    double times[MOST_SAMPLES];
    for (int i = 0; i < samples; i++) {
        double start = now();
        if (threads)
            find_parallel(points, threads);
        else
            find_plain(points);
        times[i] = now() - start;
    }
    return median_of(times, (size_t)samples).value;
}

static void print(const char *version, int threads, const struct points *points, double milliseconds)
{
    double pairs = (double)points->count * points->count;
    printf("{\"version\": \"%s\", \"threads\": %d, \"n\": %d, \"time_ms\": %.3f, \"pairs_per_second\": %.4g}\n",
           version, threads, points->count, milliseconds, pairs / milliseconds * 1e3);
}

int main(int count, char **arguments)
{
    int threads = count > 2 ? atoi(arguments[2]) : (int)sysconf(_SC_NPROCESSORS_ONLN);
    int samples = count > 3 ? atoi(arguments[3]) : 3;
    struct points points = {.count = count > 1 ? atoi(arguments[1]) : 0};
    if (points.count < 1 || threads < 1 || threads > MOST_THREADS || samples < 1 || samples > MOST_SAMPLES) {
        fprintf(stderr, "usage: nearest_neighbor_cpu N [threads [samples]]\n");
        return 2;
    }
    size_t bytes = (size_t)points.count * sizeof(int);
    points.x = random_coordinates(points.count);
    points.y = random_coordinates(points.count);
    points.z = random_coordinates(points.count);
    int *first = malloc(bytes);
    points.nearest = malloc(bytes);
    if (!first || !points.nearest)
        return 1;
    print("plain", 1, &points, time_of(&points, 0, samples));
    memcpy(first, points.nearest, bytes);
    print("parallel", threads, &points, time_of(&points, threads, samples));
    if (memcmp(first, points.nearest, bytes) != 0) {
        fprintf(stderr, "nearest_neighbor_cpu: the versions do not agree\n");
        return 1;
    }
    free(first);
    free(points.nearest);
    free(points.x);
    free(points.y);
    free(points.z);
    return 0;
}
