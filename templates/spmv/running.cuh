/* SPDX-License-Identifier: Apache-2.0 */
/*
 * running.cuh - from lengths to where things start: entry i of `lengths` becomes the sum of those before it, and the
 * one behind the last the sum of all; three kernels, by pieces of 256 entries, each the work of a thread. Sums that are
 * too large for an int become the largest one.
 */
#ifndef SPMV_RUNNING_CUH
#define SPMV_RUNNING_CUH

enum { PIECE = 256 };

static __device__ __forceinline__ int add_lengths(int a, int b)
{
    return (int)min((long long)a + b, 0x7fffffffll);
}

/* The sum of each piece. */
__global__ void add_pieces(const int *lengths, int *sums, int count)
{
    long long piece = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = piece * PIECE;
    if (first >= count)
        return;
    int sum = 0;
    for (long long i = first; i < min(first + PIECE, (long long)count); i++)
        sum = add_lengths(sum, lengths[i]);
    sums[piece] = sum;
}

/* From sums of pieces to those of all pieces before. */
__global__ void add_sums(int *sums, int count)
{
    int sum = 0;
    for (int piece = 0; piece < (count - 1) / PIECE + 1; piece++) {
        int own = sums[piece];
        sums[piece] = sum;
        sum = add_lengths(sum, own);
    }
}

__global__ void run_up(int *lengths, const int *sums, int count)
{
    long long piece = (long long)blockIdx.x * blockDim.x + threadIdx.x, first = piece * PIECE;
    if (first >= count)
        return;
    int sum = sums[piece];
    for (long long i = first; i < min(first + PIECE, (long long)count); i++) {
        int own = lengths[i];
        lengths[i] = sum;
        sum = add_lengths(sum, own);
    }
    if (first + PIECE >= count)
        lengths[count] = sum;
}

#endif
