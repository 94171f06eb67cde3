/* SPDX-License-Identifier: Apache-2.0 */
/*
 * reference.cu - count by plain additions: thread s of `sections` counts the samples s, s + sections, ... in bins of
 * its own, those with s as second index, and then a thread a bin adds up the sections.
 */
__global__ void count_sections(const unsigned char *samples, unsigned *counts, long long n, int sections)
{
    int section = blockIdx.x * blockDim.x + threadIdx.x;
    if (section >= sections)
        return;
    unsigned *own = counts + section;
    for (long long bin = 0; bin < 1 << BITS; bin++)
        own[bin * sections] = 0;
    for (long long i = section; i < n; i += sections) {
        long long bin = BITS == 8 ? samples[i] : ((const unsigned short *)samples)[i];
        own[bin * sections]++;
    }
}

__global__ void histogram_reference(const unsigned *counts, double *expected, int sections)
{
    long long bin = blockIdx.x * blockDim.x + threadIdx.x;
    if (bin >= 1 << BITS)
        return;
    double sum = 0.0;
    for (int section = 0; section < sections; section++)
        sum += counts[bin * sections + section];
    expected[bin] = sum;
}
