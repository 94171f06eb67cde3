/* SPDX-License-Identifier: Apache-2.0 */
/*
 * direction.cuh - whether the next level is searched top down or bottom up, by a rule with two thresholds: down to up when
 * the lists of the vertices just reached hold more than one in ALPHA of the entries of all that are not reached; back when
 * vertices are fewer than one in BETA, and fewer than a level before. (S. Beamer, K. Asanovic and D. Patterson,
 * "Direction-optimizing breadth-first search", SC 2012, whose own figures are 14 and 24.)
 */
#ifndef BFS_DIRECTION_CUH
#define BFS_DIRECTION_CUH

enum : unsigned { DONE = 0, DOWN = 1, UP = 2 };

/* `reached`, `entries`: vertices of the level just found, and entries of their lists; `before`: vertices of the level
 * before it. `left`: entries of the lists of vertices that are not reached. */
static __device__ __forceinline__ unsigned next_direction(unsigned direction, unsigned reached, unsigned before, unsigned entries,
                                                     unsigned left, int vertices)
{
    if (reached == 0)
        return DONE;
    if (direction == DOWN)
        return (unsigned long long)entries * ALPHA > left ? UP : DOWN;
    return (unsigned long long)reached * BETA < (unsigned)vertices && reached < before ? DOWN : UP;
}

#endif
