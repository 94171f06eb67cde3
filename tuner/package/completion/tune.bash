# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Completion for bash. The program itself says what may follow (tuner/cli/complete.h); here its answer is put into bash's
# terms. Installed as share/bash-completion/completions/tune; without bash-completion, source it.

# bash splits words at '=' and ':', too. Join them again, up to the cursor, into `words`.
_tune_words() {
    local rest=${COMP_LINE:0:COMP_POINT} blank i
    words=()
    for ((i = 0; i <= COMP_CWORD; i++)); do
        blank=${rest%%[![:space:]]*}
        rest=${rest#"$blank"}
        [[ $blank || $i == 0 ]] && words+=('')
        if ((i == COMP_CWORD)); then
            words[-1]+=$rest
        else
            words[-1]+=${COMP_WORDS[i]}
            rest=${rest#"${COMP_WORDS[i]}"}
        fi
    done
}

_tune() {
    local words word kept='' breaks=${COMP_WORDBREAKS//[^=:]/} candidate meaning file
    _tune_words
    word=${words[-1]}
    [[ $breaks ]] && kept=${word%"${word##*["$breaks"]}"} # readline replaces what is behind it
    COMPREPLY=()
    while IFS=$'\t' read -r candidate meaning; do
        if [[ $candidate == :files ]]; then
            compopt -o filenames 2>/dev/null
            while IFS= read -r file; do
                file=$meaning$file
                COMPREPLY+=("${file#"$kept"}")
            done < <(compgen -f -- "${word#"$meaning"}")
        else
            candidate=${candidate#"$kept"}
            COMPREPLY+=("${candidate// /\\ }")
        fi
    done < <("${words[0]/#\~/$HOME}" --complete "${words[@]:1}" 2>/dev/null)
    if ((${#COMPREPLY[@]} == 1)) && [[ ${COMPREPLY[0]} == *[=:] ]]; then
        compopt -o nospace 2>/dev/null
    fi
}

complete -F _tune tune
