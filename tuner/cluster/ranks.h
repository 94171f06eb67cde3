/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ranks.h - is this process one of several of a job, and how does it reach the others?
 *
 * mpirun and srun start the same command many times; their variables of the environment say how many ranks there are.
 * MPI itself is in libtune_mpi.so (mpi/tune_mpi.h), which lies beside the program or in ../lib/tune, or is named by
 * $TUNE_MPI_LIBRARY. $TUNE_MPI=no: this process is on its own, whoever started it.
 *
 * For tests, $TUNE_HANDS=N starts N hands on this machine, without MPI, each as if on a node of its own; or on one,
 * if $TUNE_NODE names it.
 */
#ifndef TUNE_CLUSTER_RANKS_H
#define TUNE_CLUSTER_RANKS_H

#include "tuner/error/error.h"

#include <stddef.h>
#include <sys/types.h>

struct ranks {
    int rank, size;
    int *sockets; /* rank 0: to all others, to be taken over; else one to rank 0. NULL: the process is on its own */
    void *mpi;    /* the library */
    pid_t *hands; /* started here */
    size_t hand_count;
};

/* Join the job, if there is one. ERROR_INPUT: there is, and the library is not. */
bool ranks_join(struct ranks *ranks, struct error *error);

/* Leave it, after all sockets have been closed: waits for the others. */
void ranks_leave(struct ranks *ranks);

/* How many ranks the launcher says it has started, and which this one is; 1 and 0 without a launcher. */
int ranks_launched(int *rank);

#endif
