/* SPDX-License-Identifier: Apache-2.0 */
/*
 * tune_mpi.h - what libtune_mpi.so offers to the program: bytes to and from the other ranks, through sockets.
 *
 * Implementations of MPI differ in their binary interface, so the program knows none of them. This small library is
 * built with a cluster's own mpicc and opened at run time:
 *
 *     mpicc -O2 -shared -fPIC -o libtune_mpi.so tune_mpi.c
 *
 * One thread of it makes all calls of MPI. It moves bytes between a socket for each other rank and MPI, and looks
 * for messages once in a millisecond while there are none. Rank 0 has a socket to each other rank; each other rank
 * has one to rank 0. Closing a socket ends the stream at the other side.
 */
#ifndef TUNE_CLUSTER_MPI_TUNE_MPI_H
#define TUNE_CLUSTER_MPI_TUNE_MPI_H

#include <stddef.h>

enum { TUNE_MPI_ABI = 1 };

/* MPI_Init. `*sockets` are rank 0's, size - 1 of them, or the single one of another rank; allocated. 0: done; else
 * `why` says why not. */
typedef int tune_mpi_join_function(int abi, int *rank, int *size, int **sockets, char *why, size_t why_size);

/* Wait until all sockets have been closed on both sides, then MPI_Finalize. */
typedef void tune_mpi_leave_function(void);

__attribute__((visibility("default"))) tune_mpi_join_function tune_mpi_join;
__attribute__((visibility("default"))) tune_mpi_leave_function tune_mpi_leave;

#endif
