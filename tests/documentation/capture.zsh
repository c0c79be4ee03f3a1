# capture.zsh COMPLETION LINE: prints what zsh offers to complete the line with, a word each.
# A zsh within a pseudo terminal is given the line and Tab; its compadd says what it is told to add.
zmodload zsh/zpty || exit 1
completion=${1:A}
zpty z zsh -f -i
zpty -w z "PROMPT=; RPROMPT=; unsetopt beep; stty -echo 2>/dev/null
autoload -Uz compinit && compinit -u -D
source ${(q)completion}
zstyle ':completion:*' matcher-list ''
compadd() {
  local -a kept
  if [[ \${@[(I)-O]} -gt 0 || \${@[(I)-A]} -gt 0 || \${@[(I)-D]} -gt 0 ]]; then
    builtin compadd \"\$@\"; return
  fi
  builtin compadd -O kept \"\$@\"
  local word; for word in \$kept; do print -r -- \"<offer>\$word\"; done
  return 1
}
complete-and-tell() { zle complete-word; print -r -- '<end>' }
zle -N complete-and-tell
zle -C complete-word complete-word _main_complete
bindkey '^I' complete-and-tell
print -r -- '<ready>'"
zpty -r -m z got '*<ready>*' || exit 1
zpty -n -w z "$2"$'\t'
zpty -r -m z got '*<end>*' || exit 1
print -r -- "$got" | tr -d '\r' | sed -n 's/.*<offer>//p'
zpty -d z
