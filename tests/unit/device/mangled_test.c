/* SPDX-License-Identifier: Apache-2.0 */
/* Names of functions as GCC mangles them, with the types that c++filt finds in them; and names that are none. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tuner/device/cuda/mangled.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 20 };

/* "int *, float": texts; a size and a kind are checked elsewhere. "?": a text that is not known. */
static void assert_parameters(const char *symbol, const char *expected)
{
    struct kernel_parameter parameters[MOST];
    char text[1024] = "";
    size_t count = *expected != '\0';
    for (const char *c = expected; *c; c++)
        count += *c == ',';
    memset(parameters, 0xa5, sizeof parameters);
    if (!mangled_parameters(symbol, parameters, count))
        fail_msg("%s is not understood", symbol);
    for (size_t i = 0; i < count; i++) {
        size_t used = strlen(text);
        const char *type = parameters[i].text[0] ? parameters[i].text : "?";
        snprintf(text + used, sizeof text - used, "%s%s", i ? ", " : "", type);
    }
    assert_string_equal(text, expected);
    struct kernel_parameter more[MOST + 1];
    assert_false(mangled_parameters(symbol, more, count + 1));
    assert_true(count == 0 || !mangled_parameters(symbol, more, count - 1));
}

static void types_are_those_of_the_declaration(void **state)
{
    (void)state;
    assert_parameters("_Z4nonev", "");
    assert_parameters("_Z5saxpyPKfS0_Pffi", "const float *, const float *, float *, float, int");
    assert_parameters("_Z7scalarsbcahstijlmxyfdml",
                      "bool, char, signed char, unsigned char, short, unsigned short, int, unsigned int, long, "
                      "unsigned long, long long, unsigned long long, float, double, unsigned long, long");
    assert_parameters("_Z9qualifiedPKfPViPVKjPKPfiS5_PPi",
                      "const float *, volatile int *, const volatile unsigned int *, float *const *, int, float *, "
                      "int **");
    assert_parameters("_Z1kPKfPfPrfi", "const float *, float *, float *, int"); /* restrict is left out */
    assert_parameters("_Z7classes6float4PKS_4modePS_PS2_S1_",
                      "float4, const float4 *, mode, float4 *, mode *, const float4 *");
    assert_parameters("_ZL5localPfPvPKv", "float *, void *, const void *");
    assert_parameters("_Z10referencesRKfRi", "const float &, int &");
    assert_parameters("_Z9functionsPFvifEPA4_fi", "?, float[] *, int");
    assert_parameters("_ZN2ns6nestedEPKNS_4pairENS_3vecIfEEPS4_S0_", "const pair *, vec<...>, vec<...> *, pair");
}

static void templates_stand_for_their_arguments(void **state)
{
    (void)state;
    assert_parameters("_Z3oneIfEvPT_S0_S1_", "float *, float, float *");
    assert_parameters("_Z3twoIxhEvPKT_T0_PS0_PKS3_PS3_",
                      "const long long *, unsigned char, long long *, const unsigned char *, unsigned char *");
    assert_parameters("_Z6valuesIL4mode1ELb1ELin3EEvPfi", "float *, int");
    assert_parameters("_ZN2ns4tmplIdLi64EEEvPT_PKS1_S1_NS_3vecIS1_EE", "double *, const double *, double, vec<...>");
}

static void kinds_and_sizes(void **state)
{
    (void)state;
    struct kernel_parameter p[7];
    assert_true(mangled_parameters("_Z1kPKjPPdxbd6float4Pv", p, 7));
    assert_int_equal(p[0].type.kind, PARAMETER_POINTER);
    assert_int_equal(p[0].type.bytes, 8);
    assert_int_equal(p[0].target.kind, PARAMETER_INTEGER);
    assert_int_equal(p[0].target.bytes, 4);
    assert_true(p[0].target.is_unsigned);
    assert_int_equal(p[1].target.kind, PARAMETER_POINTER);
    assert_int_equal(p[2].type.kind, PARAMETER_INTEGER);
    assert_int_equal(p[2].type.bytes, 8);
    assert_false(p[2].type.is_unsigned);
    assert_int_equal(p[3].type.bytes, 1);
    assert_int_equal(p[4].type.kind, PARAMETER_REAL);
    assert_int_equal(p[4].type.bytes, 8);
    assert_int_equal(p[5].type.kind, PARAMETER_OTHER);
    assert_int_equal(p[5].type.bytes, 0);
    assert_int_equal(p[6].target.kind, PARAMETER_UNKNOWN);
}

/* Not mangled, or with what is not read: nothing is known, and nothing wrong is said. */
static void what_is_not_understood_is_refused(void **state)
{
    (void)state;
    static const char *const symbols[] = {
        "plain",
        "",
        "_Z",
        "_Z5sax",
        "_Z99999999999999999999kPf",
        "_Z1kS_",
        "_Z1kS99_",
        "_Z1kPS",
        "_Z1kT_",
        "_Z1kIfEvPT1_",
        "_Z4packIJifEEvDpT_",
        "_Z1kIXadL_Z1fvEEEvPf",
        "_Z1kDTcl1fEE",
        "_Z1kM1Xi",
        "_Z1kP",
        "_Z1kPK",
        "_Z1kN2nsP",
        "_ZN",
        "_ZNE",
        "_Z1kPA4f",
        "_Z1kPFvi",
        "_Z1kIfvPf",
        "_ZZ1kPfE1xPf",
    };
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        struct kernel_parameter parameters[MOST];
        for (size_t count = 0; count < MOST; count++)
            assert_false(mangled_parameters(symbols[i], parameters, count));
    }
    char deep[4096] = "_Z1k";
    memset(deep + 4, 'P', 4000);
    deep[4004] = 'f';
    struct kernel_parameter parameter;
    assert_false(mangled_parameters(deep, &parameter, 1));
}

/* In memory of just its size, so that the address sanitizer sees each step beyond. */
static void damaged_names_are_read_safely(void **state)
{
    (void)state;
    static const char *const symbols[] = {"_ZN2ns4tmplIdLi64EEEvPT_PKS1_S1_NS_3vecIS1_EE",
                                          "_Z9qualifiedPKfPViPVKjPKPfiS5_PPi", "_Z9functionsPFvifEPA4_fi"};
    static const char letters[] = "_ZNSTIELPKFA019az";
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        for (size_t at = 0; at < strlen(symbols[i]); at++) {
            for (size_t j = 0; j < sizeof letters; j++) { /* the last one ends it */
                struct kernel_parameter parameters[MOST];
                char *copy = strdup(symbols[i]);
                assert_non_null(copy);
                copy[at] = letters[j];
                char *exact = strdup(copy);
                assert_non_null(exact);
                for (size_t count = 0; count < MOST; count++)
                    (void)mangled_parameters(exact, parameters, count);
                free(exact);
                free(copy);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types_are_those_of_the_declaration),
        cmocka_unit_test(templates_stand_for_their_arguments),
        cmocka_unit_test(kinds_and_sizes),
        cmocka_unit_test(what_is_not_understood_is_refused),
        cmocka_unit_test(damaged_names_are_read_safely),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
