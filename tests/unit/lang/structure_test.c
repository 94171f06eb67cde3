/* SPDX-License-Identifier: Apache-2.0 */
/* Structs against the host's own: C++ lays them out the same on a device. */
#include "tests/unit/lang/templates.h"

#include "tuner/lang/layout.h"

#include <stdlib.h>

#define HEAD "template t\nsize n = 16\nsource \"k.cu\"\n"
#define TAIL "\nlaunch { k<<<1, 1>>>() }\n"

struct inner {
    char tag;
    double value;
};

struct whole {
    short kind;
    struct inner inner[2];
    float spin[3];
    char last;
};

static void fields_are_where_c_puts_them(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "struct inner {\n tag : char\n value : double\n}\n"
                                                  "struct whole {\n\n kind : short\n inner : inner[2]\n"
                                                  " spin : float[3]\n last : char\n}\n"
                                                  "buffer x : whole[n] temp" TAIL);
    const struct layout *layout = t->buffers[0].type->layout;
    static const struct {
        const char *path;
        enum element element;
        size_t offset;
    } leaves[] = {
        {".kind", ELEMENT_SHORT, offsetof(struct whole, kind)},
        {".inner[0].tag", ELEMENT_CHAR, offsetof(struct whole, inner[0].tag)},
        {".inner[0].value", ELEMENT_DOUBLE, offsetof(struct whole, inner[0].value)},
        {".inner[1].tag", ELEMENT_CHAR, offsetof(struct whole, inner[1].tag)},
        {".inner[1].value", ELEMENT_DOUBLE, offsetof(struct whole, inner[1].value)},
        {".spin[0]", ELEMENT_FLOAT, offsetof(struct whole, spin[0])},
        {".spin[1]", ELEMENT_FLOAT, offsetof(struct whole, spin[1])},
        {".spin[2]", ELEMENT_FLOAT, offsetof(struct whole, spin[2])},
        {".last", ELEMENT_CHAR, offsetof(struct whole, last)},
    };
    assert_string_equal(layout->name, "whole");
    assert_int_equal(layout->bytes, sizeof(struct whole));
    assert_int_equal(layout->alignment, _Alignof(struct whole));
    assert_int_equal(layout->leaf_count, sizeof leaves / sizeof *leaves);
    for (size_t i = 0; i < layout->leaf_count; i++) {
        assert_string_equal(layout->leaves[i].path, leaves[i].path);
        assert_int_equal(layout->leaves[i].element, leaves[i].element);
        assert_int_equal(layout->leaves[i].offset, leaves[i].offset);
    }
    assert_true(layout_is_sound(layout));
    template_free(t);
}

static void alignment_can_be_asked_for(void **state)
{
    (void)state;
    struct template *t = parse_template_text(HEAD "struct a align 16 { x : float }\nstruct b align 2 { x : double }\n"
                                                  "buffer p : a[n] temp\nbuffer q : b[n] temp" TAIL);
    assert_int_equal(t->buffers[0].type->layout->bytes, 16);
    assert_int_equal(t->buffers[0].type->layout->alignment, 16);
    assert_int_equal(t->buffers[1].type->layout->alignment, 8); /* as alignas: never less than the fields' */
    template_free(t);
}

static void wrong_structs_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text, *message;
    } wrong[] = {
        {"struct { x : int }", "expected the name of a struct, found '{'"},
        {"struct float4 { x : int }", "float4 is a type and cannot be declared"},
        {"struct float { x : int }", "float is a type and cannot be declared"},
        {"struct n { x : int }", "n is already a size"},
        {"struct s { x : int }\nstruct s { x : int }", "s is already a struct"},
        {"struct s { x : int }\nsize s = 1", "s is already a struct"},
        {"struct s { }", "a struct has one field or more"},
        {"struct s { x : int\n x : float }", "field x is declared twice"},
        {"struct s { x : s }", "unknown type s"},
        {"struct s { x : float5 }", "unknown type float5"},
        {"struct s { x : int[0] }", "expected the length of an array, a number from 1 to 4096"},
        {"struct s { x : int[n] }", "expected the length of an array, a number from 1 to 4096"},
        {"struct s { x : int[4096]\n y : int }", "a struct has at most 4096 numbers and 65536 bytes"},
        {"struct s { x : thing* }", "unknown type thing"},
        {"struct s align 3 { x : int }", "an alignment is a power of two from 1 to 128"},
        {"struct s align 256 { x : int }", "an alignment is a power of two from 1 to 128"},
        {"struct s { x : int", "expected ':', found '{'"}, /* as if launch were a field */
        {"struct s { p : s*\n q : void* }\nbuffer x : s[n] temp",
         "struct s has a pointer, so it can only be an argument, not a buffer"},
        {"struct s { x : int }\nlet a = s", "s is a struct, not a value"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        snprintf(text, sizeof text, HEAD "%s" TAIL, wrong[i].text);
        expect_refused(text, wrong[i].message);
    }
}

static void nesting_has_an_end(void **state)
{
    (void)state;
    char text[2048] = HEAD "struct s0 { x : int }\n";
    for (int i = 1; i <= 17; i++) {
        size_t length = strlen(text);
        snprintf(text + length, sizeof text - length, "struct s%d { x : s%d }\n", i, i - 1);
    }
    strcat(text, TAIL);
    expect_refused(text, "structs are nested more than 16 levels deep");
}

#define STRUCT                                                                                                       \
    HEAD "struct p {\n a : float3\n b : int[3]\n c : half\n}\nbuffer x : p[n] out\nbuffer y : float[n] out\n" TAIL

/* check x.FIELD: which leaves it compares. */
static void expect_field(const char *field, size_t first, size_t count)
{
    char text[512];
    snprintf(text, sizeof text,
             STRUCT "reference \"r.cu\" { r<<<1, 1>>>(ref(x), ref(y)) }\ncheck x%s exact\ncheck y exact", field);
    struct template *t = parse_template_text(text);
    assert_int_equal(t->checks[0].first_leaf, first);
    assert_int_equal(t->checks[0].leaf_count, count);
    template_free(t);
}

static void checks_name_fields(void **state)
{
    (void)state;
    expect_field("", 0, 7);
    expect_field(".a", 0, 3);
    expect_field(".a.y", 1, 1);
    expect_field(".b", 3, 3);
    expect_field(".b[2]", 5, 1);
    expect_field("[0 : 4].c", 6, 1);
    static const struct {
        const char *checks, *message;
    } wrong[] = {
        {"check x.d exact", "p has no field d"},
        {"check x. exact", "p has no field exact"},
        {"check x.b[3] exact", "expected an index from 0 to 2"},
        {"check x.b.x exact", "int has no field x"},
        {"check y.x exact", "float has no field x"},
        {"check x.a exact\ncheck x.a.x exact", "x is checked twice"},
        {"check x.a exact\ncheck x exact", "x is checked twice"},
        {"check x.b exact allow nonfinite", "x is of type p, which has neither NaN nor infinities"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[512];
        snprintf(text, sizeof text, STRUCT "reference \"r.cu\" { r<<<1, 1>>>(ref(x), ref(y)) }\n%s\n",
                 wrong[i].checks);
        expect_refused(text, wrong[i].message);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_where_c_puts_them), cmocka_unit_test(alignment_can_be_asked_for),
        cmocka_unit_test(wrong_structs_are_refused),    cmocka_unit_test(nesting_has_an_end),
        cmocka_unit_test(checks_name_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
