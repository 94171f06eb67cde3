/* SPDX-License-Identifier: Apache-2.0 */
/*
 * data_file.h - a file with data of the user's own: .npy, or raw elements without a header (any other suffix).
 *
 * Files are read with pread, a piece at a time: one that is cut off meanwhile gives an error, where a mapping would
 * kill the process. They may have many GiB. Whoever describes the file (data_file_open) and whoever uses it later,
 * maybe in another process, compare its stamp: a hash of device, inode, size and times of the last change. The time
 * of the last change of the inode cannot be set, so that every write shows, except one within the same tick of the
 * file system's clock: data_file_same looks at the content again as long as that is possible. A file with another
 * stamp may hold the same, after `touch` or a copy over it: its content decides.
 */
#ifndef TUNE_DATA_DATA_FILE_H
#define TUNE_DATA_DATA_FILE_H

#include "tuner/data/npy.h"

#include <stddef.h>

struct data_file {
    char *path; /* absolute, without links */
    bool is_npy;
    struct npy npy;  /* of a .npy file */
    uint64_t offset; /* of the first element */
    uint64_t bytes;  /* of all elements */
    uint64_t stamp;
    uint64_t header; /* XXH3 of what lies before the elements */
    bool settled;    /* the stamp shows every later change */
    bool has_hash;
    uint64_t hash; /* XXH3 of the elements; see data_file_hash */
};

/*
 * Describe a file. ERROR_INPUT: it does not exist, is not a regular one, or has a damaged header; ERROR_SYSTEM: it
 * cannot be read. The texts begin with `name`, by which the user knows it.
 */
bool data_file_open(const char *path, const char *name, struct data_file **result, struct error *error);
void data_file_free(struct data_file *file);

/* The hash of its elements; the file is read once. */
bool data_file_hash(struct data_file *file, uint64_t *hash, struct error *error);

/* Does it still hold what it held when it was opened? Reads it again only if its stamp has changed, or might not show
 * a change yet; a new stamp of the same content is its stamp from now on. False: it has changed, or cannot be read;
 * without its hash, every new stamp counts as a change. */
bool data_file_same(struct data_file *file, struct error *error);

/* Is the data's last part of the path such that it is taken for a .npy file? */
bool data_file_is_npy(const char *path);

/*
 * Read `bytes` bytes from `offset` on and pass them on in pieces, each of which has a whole number of `item`s. An
 * error if the file has another stamp and other elements, or is written to meanwhile.
 */
typedef bool data_taker(const void *piece, size_t bytes, void *context, struct error *error);
struct data_part {
    const char *path;
    uint64_t stamp, offset, bytes;
    size_t item;        /* bytes; 1 to 65536 */
    uint64_t all, hash; /* bytes of all elements, and what data_file_hash says of them; 0: only the stamp counts */
};
bool data_read(const struct data_part *part, data_taker *take, void *context, struct error *error);

#endif
