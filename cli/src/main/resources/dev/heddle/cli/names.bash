
# Completes ids and names that exist now, which picocli cannot know. The command itself lists them.
function _heddle_names() {
  local i word noun= verb= place=() list=()
  for ((i = 1; i < COMP_CWORD; i++)); do
    word=${COMP_WORDS[i]}
    case $word in
      --home | --config) place+=("$word" "${COMP_WORDS[i + 1]-}") && ((i++)) ;;
      -*) ;;
      *) if [[ -z $noun ]]; then noun=$word; elif [[ -z $verb ]]; then verb=$word; fi ;;
    esac
  done
  case "$noun $verb" in
    # LISTINGS
    "submit ")
      "${COMP_WORDS[0]}" "${place[@]}" stats -o jsonl 2>/dev/null | sed -n 's/.*"types":\[\([^]]*\)].*/\1/p' | tr -d '"' | tr , '\n'
      return
      ;;
    *) return ;;
  esac
  "${COMP_WORDS[0]}" "${place[@]}" "${list[@]}" 2>/dev/null
}

function _complete_heddle_and_names() {
  local current=${COMP_WORDS[COMP_CWORD]}
  _complete_heddle
  if [[ ${#COMPREPLY[@]} -eq 0 && $current != -* ]]; then
    COMPREPLY=($(compgen -W "$(_heddle_names)" -- "$current"))
  fi
}

complete -F _complete_heddle_and_names -o default heddle
