# Completion of stiction for bash.

_stiction_names() # what: the first words of stiction list
{
    "${COMP_WORDS[0]}" list "$1" 2>/dev/null | awk '/^[^ ]/ { print $1 }'
}

# A list with commas: only what follows the last one is completed.
_stiction_models()
{
    local before=${cur%"${cur##*,}"}
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_stiction_names models)" -- "${cur##*,}")
    compopt -o nospace 2>/dev/null
}

_stiction_options()
{
    case $1 in
        run) echo --output --report --full --set --step --stop --variant --no-plot --confine --quiet --help ;;
        check) echo --set --step --stop --variant --confine --quiet --help ;;
        list) echo --root --help ;;
        explain) echo --help ;;
        reproduce) echo --out --report --root --confine --quiet --help ;;
        urdf) echo --output --set --variant --confine --quiet --help ;;
        compare) echo --models --output --element --set --step --stop --variant --confine --quiet --help ;;
        report) echo --output --full --quiet --help ;;
        reference) echo --output --set --step --stop --variant --confine --quiet --help ;;
        converge)
            echo --steps --tolerances --methods --models --element --scale --reference --check --output --plot --work --title \
                --set --stop --variant --confine --quiet --help ;;
        plot) echo --output --x --y --range --title --quiet --help ;;
        view) echo --speed --forever --port --listen --set --step --stop --variant --confine --quiet --help ;;
    esac
}

_stiction_words()
{
    case $1 in
        list) echo models laws methods solvers bodies elements scenes ;;
        explain) _stiction_names models; _stiction_names laws; _stiction_names methods; _stiction_names solvers; _stiction_names bodies; _stiction_names elements ;;
        reproduce) _stiction_names scenes | sed -n -e 's|^.*papers/\([^/]*\)/\(.*\)/scene\.yaml$|\1\n\1/\2|p' -e 's|^\(.*/\)*scenes/\([^/]*\)/scene\.yaml$|scenes\nscenes/\2|p' ;;
    esac
}

_stiction()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "run check list explain reproduce compare report view plot urdf help --help --version" -- "$cur")
        return
    fi
    case $prev in
        -o | --output | --report) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --out | --root) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        -m | --models) _stiction_models; return ;;
        --steps | --methods | --set | --step | --stop | --variant | --element | --x | --y | --range | --title | --speed | --port | --listen) return ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_stiction_options "$command")" -- "$cur")
        return
    fi
    case $command in
        run | check | compare | view | urdf)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$cur"; compgen -f -X '!*.yml' -- "$cur"; compgen -d -S / -- "$cur")
            compopt -o nospace 2>/dev/null ;;
        report | plot)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.csv' -- "$cur"; compgen -f -X '!*.h5' -- "$cur"; compgen -d -S / -- "$cur")
            compopt -o nospace 2>/dev/null ;;
        help) mapfile -t COMPREPLY < <(compgen -W "run check list explain reproduce compare report view plot urdf" -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$(_stiction_words "$command")" -- "$cur") ;;
    esac
}

complete -F _stiction stiction
