# SPDX-License-Identifier: Apache-2.0
# awk -v limit=12 -v root=FOLDER -f unite.awk SOURCE...: groups C sources that can be compiled as one, as a name at file
# scope means the same in all sources of a group and in the headers of this project that they include. A line for each
# source: its group, its name, and its macros, which end with it.
BEGIN {
    for (i = 1; i < ARGC; i++) {
        split("", origins)
        macros = ""
        read_source(ARGV[i])
        for (group = 1; !fits(group); group++)
            continue
        size[group]++
        for (name in origins)
            meaning[group, name] = origins[name]
        print group, ARGV[i] macros
    }
}

function fits(group,    name) {
    if (size[group] >= limit)
        return 0
    for (name in origins)
        if ((group, name) in meaning && meaning[group, name] != origins[name])
            return 0
    return 1
}

function read_source(file,    line, is_header, in_enum, word) {
    is_header = file ~ /\.h$/
    while ((getline line < file) > 0) {
        sub(/\/[\/*].*/, "", line)
        split(line, word, " ")
        if (line ~ /^#include "/) {
            gsub(/"/, "", word[2])
            include(path_of(word[2], file))
        } else if (line ~ /^#define /) {
            sub(/\(.*/, "", word[2])
            origins[word[2]] = file
            if (!is_header)
                macros = macros " " word[2]
        } else if (line ~ /^(static|typedef) / || is_header && line ~ /^(extern |[a-z].*\()/)
            declare(line, file)
        else if (line ~ /^} [A-Za-z0-9_]+/)
            declare(word[2], file)
        if (line ~ /^[a-z][a-z ]*[A-Za-z0-9_]* *\{/ && match(line, /(struct|union|enum) ([A-Za-z0-9_]+ )?\{/)) {
            in_enum = line ~ /enum/
            declare(substr(line, 1, RSTART + RLENGTH - 3), file)
        }
        if (in_enum)
            declare_constants(line, file)
        if (line ~ /}/)
            in_enum = 0
    }
    close(file)
}

function path_of(header, source,    beside) {
    beside = source
    sub(/[^\/]*$/, header, beside)
    if ((getline _ < beside) >= 0) {
        close(beside)
        return beside
    }
    return root "/" header
}

# The names of a header are read once.
function include(header,    outer, name, list, count, i) {
    if (!(header in known)) {
        known[header] = " "
        for (name in origins)
            outer[name] = origins[name]
        split("", origins)
        read_source(header)
        for (name in origins)
            known[header] = known[header] " " name "@" origins[name]
        split("", origins)
        for (name in outer)
            origins[name] = outer[name]
    }
    count = split(known[header], list, /[ @]+/)
    for (i = 2; i < count; i += 2)
        origins[list[i]] = list[i + 1]
}

# The last word before parameters, dimensions or a value is what a declaration declares.
function declare(text, file) {
    gsub(/__attribute__\(\([^ ]*( [^ ]*)*\)\)/, "", text)
    if (match(text, /^[^(]*\(\*[a-z ]*[A-Za-z0-9_]+/)) # a pointer to functions
        text = substr(text, 1, RSTART + RLENGTH - 1)
    else if (match(text, /[(=;[]/))
        text = substr(text, 1, RSTART - 1)
    sub(/[^A-Za-z0-9_]+$/, "", text)
    sub(/.*[^A-Za-z0-9_]/, "", text)
    if (text !~ /^(struct|union|enum)$/)
        origins[text] = file
}

function declare_constants(text, file,    list, count, i) {
    sub(/^.*\{/, "", text)
    sub(/}.*$/, "", text)
    count = split(text, list, ",")
    for (i = 1; i <= count; i++)
        if (match(list[i], /[A-Za-z_][A-Za-z0-9_]*/))
            origins[substr(list[i], RSTART, RLENGTH)] = file
}
