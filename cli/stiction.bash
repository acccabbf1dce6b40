# Completion of stiction for bash.

_stiction_names() # [what]: the first words of stiction list
{
    "${COMP_WORDS[0]}" list "$@" 2>/dev/null | awk '/^[^ ]/ { print $1 }'
}

# A list with commas: only what follows the last one is completed.
_stiction_models()
{
    local before=${cur%"${cur##*,}"}
    mapfile -t COMPREPLY < <(compgen -P "$before" -W "$(_stiction_names models)" -- "${cur##*,}")
    compopt -o nospace 2>/dev/null
}

# Options and commands are those that the program's own help shows.
_stiction_options()
{
    "${COMP_WORDS[0]}" "$1" --help 2>/dev/null | grep -oE '^  ..(, |  )--[a-z-]+' | grep -oE -- '--[a-z-]+'
}

_stiction_commands()
{
    "${COMP_WORDS[0]}" --help 2>/dev/null | awk '/^Usage/ { usage = 1 } usage && /^  [a-z]+ +[a-z]/ && $1 != "stiction" { print $1 }
        /^Exit codes/ { exit }'
}

_stiction_words()
{
    local list
    case $1 in
        list) _stiction_names ;;
        explain) for list in $(_stiction_names); do [ "$list" = scenes ] || _stiction_names "$list"; done ;;
        reproduce) _stiction_names scenes | sed -n -e 's|^.*papers/\([^/]*\)/\(.*\)/scene\.yaml$|\1\n\1/\2|p' -e 's|^\(.*/\)*scenes/\([^/]*\)/scene\.yaml$|scenes\nscenes/\2|p' ;;
    esac
}

_stiction()
{
    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]}
    COMPREPLY=()
    if ((COMP_CWORD == 1)); then
        mapfile -t COMPREPLY < <(compgen -W "$(_stiction_commands) help --help --version" -- "$cur")
        return
    fi
    case $prev in
        -o | --output | --report | --data | --write-back) mapfile -t COMPREPLY < <(compgen -f -- "$cur"); return ;;
        --out | --root) mapfile -t COMPREPLY < <(compgen -d -- "$cur"); return ;;
        -m | --models) _stiction_models; return ;;
        --steps | --methods | --set | --step | --stop | --variant | --element | --x | --y | --range | --title | --speed | --port | --listen | --map | --drive | --free | --start | --window | --starts | --folds | --fmi | --inputs | --outputs | --tunable) return ;;
    esac
    if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_stiction_options "$command")" -- "$cur")
        return
    fi
    case $command in
        import)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.urdf' -- "$cur"; compgen -f -X '!*.xml' -- "$cur"; compgen -f -X '!*.sdf' -- "$cur"; compgen -d -S / -- "$cur")
            compopt -o nospace 2>/dev/null ;;
        run | check | compare | view | urdf | sweep | fit | export)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.yaml' -- "$cur"; compgen -f -X '!*.yml' -- "$cur"; compgen -d -S / -- "$cur")
            compopt -o nospace 2>/dev/null ;;
        report | plot)
            mapfile -t COMPREPLY < <(compgen -f -X '!*.csv' -- "$cur"; compgen -f -X '!*.h5' -- "$cur"; compgen -d -S / -- "$cur")
            compopt -o nospace 2>/dev/null ;;
        help) mapfile -t COMPREPLY < <(compgen -W "$(_stiction_commands)" -- "$cur") ;;
        *) mapfile -t COMPREPLY < <(compgen -W "$(_stiction_words "$command")" -- "$cur") ;;
    esac
}

complete -F _stiction stiction
