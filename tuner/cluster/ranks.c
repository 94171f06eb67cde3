/* SPDX-License-Identifier: Apache-2.0 */
#include "tuner/cluster/ranks.h"

#include "tuner/cluster/local_hands.h"
#include "tuner/cluster/mpi/tune_mpi.h"

#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char library_name[] = "libtune_mpi.so";

/* Of Open MPI, of MPICH and its relatives, and of srun. SLURM_NTASKS will not do: a batch script has it too. */
static const struct {
    const char *size, *rank;
} launchers[] = {
    {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"},
    {"PMI_SIZE", "PMI_RANK"},
    {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID"},
};

static int number_of(const char *variable)
{
    const char *text = getenv(variable);
    long number = text ? strtol(text, NULL, 10) : 0;
    return number > 0 && number < INT_MAX ? (int)number : 0;
}

int ranks_launched(int *rank)
{
    *rank = 0;
    for (size_t i = 0; i < sizeof launchers / sizeof *launchers; i++) {
        int size = number_of(launchers[i].size);
        if (size < 1)
            continue;
        *rank = number_of(launchers[i].rank);
        return size;
    }
    return 1;
}

/* ---- the library */

/* Beside the program, as in a build folder, or where it is installed. */
static bool library_path(char *path, size_t size, const char *between)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length < 0)
        return false;
    program[length] = '\0';
    char *slash = strrchr(program, '/');
    if (slash)
        *slash = '\0';
    int written = snprintf(path, size, "%s%s/%s", program, between, library_name);
    return written > 0 && (size_t)written < size && access(path, F_OK) == 0;
}

static bool find_library(char *path, size_t size)
{
    const char *named = getenv("TUNE_MPI_LIBRARY");
    if (named && *named) {
        snprintf(path, size, "%s", named);
        return true;
    }
    return library_path(path, size, "") || library_path(path, size, "/../lib/tune");
}

static bool lack_library(int size, struct error *error)
{
    error_set(error, ERROR_INPUT, "%d ranks were started, and this tune cannot speak MPI: there is no %s", size,
              library_name);
    return error_hint(error,
                      "'mpicc -O2 -shared -fPIC -o %s tune_mpi.c' builds it (see man 7 tune) for "
                      "$TUNE_MPI_LIBRARY; or start one rank, or set TUNE_MPI=no",
                      library_name);
}

/* ISO C has no conversion from an object's address to a function's. */
static void look_up(void *library, const char *name, void *function)
{
    void *address = dlsym(library, name);
    memcpy(function, &address, sizeof address);
}

static void leave(void *library)
{
    tune_mpi_leave_function *function;
    look_up(library, "tune_mpi_leave", &function);
    function();
}

/* Another MPI than the launcher's does not find the others: each rank would be a job of its own. */
static bool is_whole(struct ranks *ranks, int launched, const char *path, struct error *error)
{
    if (ranks->size == launched)
        return true;
    error_set(error, ERROR_INPUT, "%d ranks were started, and MPI knows of %d", launched, ranks->size);
    error_hint(error, "%s is of another MPI than what started them (or srun needs --mpi=pmix): see man 7 tune", path);
    for (int i = 0; i < (ranks->rank == 0 ? ranks->size - 1 : 1); i++)
        close(ranks->sockets[i]);
    ranks_leave(ranks);
    return false;
}

static bool join_with(void *library, struct ranks *ranks, const char *path, struct error *error)
{
    char why[256] = "it is not a library of tune";
    int launched = ranks->size;
    tune_mpi_join_function *join;
    look_up(library, "tune_mpi_join", &join);
    if (join && dlsym(library, "tune_mpi_leave") &&
        join(TUNE_MPI_ABI, &ranks->rank, &ranks->size, &ranks->sockets, why, sizeof why) == 0) {
        ranks->mpi = library;
        return is_whole(ranks, launched, path, error);
    }
    return error_set(error, ERROR_INPUT, "%s: %s", path, why);
}

static bool join_mpi(struct ranks *ranks, struct error *error)
{
    char path[PATH_MAX];
    if (!find_library(path, sizeof path))
        return lack_library(ranks->size, error);
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL); /* MPI's own plug-ins look for its symbols */
    if (library)
        return join_with(library, ranks, path, error);
    error_set(error, ERROR_INPUT, "%d ranks were started, and MPI cannot be opened: %s", ranks->size, dlerror());
    return error_hint(error, "was %s built with the mpicc of this MPI, and is its module loaded?", path);
}

bool ranks_join(struct ranks *ranks, struct error *error)
{
    const char *off = getenv("TUNE_MPI");
    int hands = number_of("TUNE_HANDS");
    *ranks = (struct ranks){.size = 1};
    if (off && strcmp(off, "no") == 0)
        return true;
    if (hands > 0)
        return local_hands_start(ranks, (size_t)hands, error);
    ranks->size = ranks_launched(&ranks->rank);
    return ranks->size <= 1 || join_mpi(ranks, error);
}

void ranks_leave(struct ranks *ranks)
{
    if (ranks->mpi)
        leave(ranks->mpi);
    local_hands_end(ranks);
    free(ranks->sockets);
    *ranks = (struct ranks){.size = 1};
}
