/* SPDX-License-Identifier: Apache-2.0 */
/*
 * inputs.h - the data files of a template: those that it names and those that --input names instead.
 *
 * Opening them reads headers only. What they hold is hashed once, when it is first asked for: results of other data
 * are results of another problem. The elements themselves are read by the measuring workers, from the job's
 * description of the part that is theirs (tuner/job/job.h).
 *
 * A file of initial values has the type of the buffer's elements, little-endian and in C order, and as many elements
 * as are needed or more: a prefix of the file is used, at the awkward size too. A file of expected values may have
 * any type of numbers, and has exactly as many as the buffer at the tuned size. The components of a vector are a last
 * dimension of the file's shape; of two, also NumPy's complex numbers. A struct comes raw, or as a record of its
 * size.
 *
 * A Matrix Market file (matrix.h) has the buffers of a matrix, or all elements of one buffer, zeros included. It is
 * read as a whole when it is opened: only then is it known how many entries it has, and that nothing is wrong with
 * it.
 */
#ifndef TUNE_DATA_INPUTS_H
#define TUNE_DATA_INPUTS_H

#include "tuner/data/data_file.h"
#include "tuner/data/matrix.h"
#include "tuner/data/numbers.h"
#include "tuner/lang/template.h"
#include "tuner/lang/type.h"

/* --input NAME=FILE; the name of a buffer or a matrix */
struct input_setting {
    const char *buffer, *file;
};

struct input {
    size_t buffer;                           /* unless it has those of a matrix: */
    const struct matrix_declaration *matrix; /* NULL: it does not */
    uint64_t rows, columns, entries;         /* of that matrix, */
    uint64_t longest;                        /* and the most entries of a row */
    bool is_dense;                           /* a Matrix Market file with all elements of a buffer */
    bool expected;                           /* values of ref(buffer), not initial ones */
    bool overrides;                          /* named by --input */
    char *name;                              /* as the user wrote it, for messages */
    struct place place;                      /* of the name in the template; none if it overrides */
    struct data_file *file;
    bool records;         /* the elements lie in the file as they do in the buffer; else it has plain numbers: */
    enum element element; /* of this type, */
    size_t per_item;      /* so many in one of the file's own elements: 2 in a complex one */
    uint64_t count;       /* elements of the buffer */
};

/* NULL stands for none, wherever one is passed. */
struct inputs {
    const struct template *template;
    struct input *list;
    size_t count;
    char *held, *named; /* see inputs_identify; NULL until then */
};

/*
 * Open the files of a template; those of its own lie relative to its folder. ERROR_INPUT, at the place of the name: a
 * file cannot be read, has another type, order or byte order; --input names no buffer that is initialised; a buffer
 * has random values although files have the expected ones. The template must outlive the result.
 */
bool inputs_open(const struct template *template, const struct input_setting *settings, size_t count,
                 struct inputs **result, struct error *error);
void inputs_free(struct inputs *inputs);

/* Could --input name the buffer: does it have initial values, which neither setup nor a matrix gives it? */
bool inputs_take(const struct template *template, size_t buffer);

size_t inputs_count(const struct inputs *inputs);

/* The file with the initial or the expected values of a buffer, or NULL. */
const struct input *inputs_of(const struct inputs *inputs, size_t buffer, bool expected);

/* Which array of a Matrix Market file a buffer has; MATRIX_NONE: it is another file. */
enum matrix_array input_array(const struct input *input, size_t buffer);

/* How many elements the file has for a buffer. */
uint64_t input_count(const struct input *input, size_t buffer);

/* Is there a file with what given() asks for? */
bool inputs_give(const struct inputs *inputs, const struct given_declaration *given);

/* Do the files make sense at the tuned size only: expected values, or a sparse matrix? */
bool inputs_are_whole(const struct inputs *inputs);

/* Add the place of the file's name to an error, or that --input named it. Always returns false. */
bool input_blame(const struct input *input, struct error *error);

/* Are all named by --input, for buffers that have values of the template's without? Then the awkward size takes those
 * where a file has too few elements for it (tuner/job/data.h). */
bool inputs_are_spare(const struct inputs *inputs);

/*
 * The value of a size by the files' shapes: the size must be all of a dimension of a buffer with a file, or derived
 * and of a matrix with one. `*value` is 0 if there is none. ERROR_INPUT: two files disagree.
 */
bool inputs_size(const struct inputs *inputs, size_t size, int64_t *value, struct error *error);

/*
 * Does the file have what `extent` elements need? At the tuned size (`dimensions` as in the buffer's declaration) its
 * shape must fit as well, if it has as many dimensions; otherwise NULL. `size_text` is for messages.
 */
bool inputs_suffice(const struct inputs *inputs, const struct input *input, size_t buffer, uint64_t extent,
                    const int64_t *dimensions, const char *size_text, struct error *error);

/* Does a matrix from a file have the shape that its declaration says, with these values of names? */
bool inputs_have_shapes(const struct inputs *inputs, const struct value *slots, const char *size_text,
                        struct error *error);

/*
 * What the files hold, "x=0123456789abcdef,ref(y)=0123456789abcdef" in the order of the buffers, and which they are,
 * for people: "x = x.npy (0123456789abcdef), ref(y) = answer.npy (...)". Both are "" without files, and belong to the
 * inputs. The files are read on the first call.
 */
bool inputs_identify(struct inputs *inputs, const char **held, const char **named, struct error *error);

/* Do all files still hold the same? False, with an error, if not. Cheap as long as nobody touches them. */
bool inputs_same(const struct inputs *inputs, struct error *error);

#endif
