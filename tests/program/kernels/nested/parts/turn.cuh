/* SPDX-License-Identifier: Apache-2.0 */
#pragma once

/* The place in a block that the thread's place becomes when the block is turned round. */
static __device__ int turn(int place)
{
    return (int)blockDim.x - 1 - place;
}
