/* SPDX-License-Identifier: Apache-2.0 */
/*
 * builder.h - a template under construction: shared by the parsers of its declarations, buffers, blocks and launches.
 */
#ifndef TUNE_LANG_BUILDER_H
#define TUNE_LANG_BUILDER_H

#include "tuner/lang/parser.h"
#include "tuner/lang/template.h"

/* What later statements say about a buffer. */
struct buffer_state {
    bool checked;    /* by one check or more, */
    bool compared;   /* of which one compares it with expected values */
    bool given;      /* a file has its expected values */
    bool referenced; /* ref(buffer) is passed to the reference */
    bool weighed;    /* so is mag(buffer) */
    bool in_matrix;  /* it is part of one */
};

struct builder {
    struct parser parser;
    struct template *template;
    struct token title;     /* the template's name, for errors that concern the whole template */
    struct list sizes;      /* struct size_declaration */
    struct list parameters; /* struct parameter_declaration */
    struct list sources;    /* struct source_choice */
    struct list options;    /* struct compiler_option */
    struct list lets;       /* struct let_declaration */
    struct list counts;     /* struct count_declaration */
    struct list types;      /* const struct type *: structs */
    struct list buffers;    /* struct buffer_declaration */
    struct list states;     /* struct buffer_state, one per buffer */
    struct list matrices;   /* struct matrix_declaration */
    struct list givens;     /* struct given_declaration */
    struct list checks;     /* struct check */
    struct list expected;   /* struct expected_file */
    struct list metrics;    /* struct metric_declaration */
    struct place default_objective;
    bool in_reference; /* ref() and mag() are allowed */
};

#endif
