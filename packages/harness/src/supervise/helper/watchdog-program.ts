/**
 * The POSIX `sh` program beside levels `group` and `group+sweep`: keeps the deadline, and ends the group when the runner dies.
 *
 * Standard input is a pipe from the runner: the first line is the process group, its end is the runner's death. Standard output: `D` when
 * the deadline has passed; it ends when nobody waits for the deadline any more. Arguments: the cookie to sweep for (empty: no sweep), deadline in seconds (0: none), grace in seconds.
 * Fractions of a second work with the `sleep` of GNU, BusyBox, macOS and the BSDs; elsewhere it rejects them and whole seconds are used.
 * It leads its own group, so that its `sleep` goes with it when the runner kills that group.
 */
export const watchdogProgram = String.raw`
cookie=$1 deadline=$2 grace=$3
trap '' INT HUP TERM QUIT PIPE

sweep() {
  [ -n "$cookie" ] || return
  rounds=0
  while [ $rounds -lt 100 ]; do
    found=$(grep -l "LOADER_SMOKE_RUN=$cookie" /proc/[0-9]*/environ 2>/dev/null)
    [ -n "$found" ] || return
    for file in $found; do pid=\${file#/proc/}; kill -KILL "\${pid%/environ}" 2>/dev/null; done
    rounds=$((rounds + 1))
  done
}

# A sleep that was killed is not tried again: who waits for us then knows at once.
nap() {
  sleep "$1" 2>/dev/null && return
  status=$?
  [ $status -lt 128 ] || return $status
  sleep "$(( \${1%%.*} + 1 ))"
}

end() {
  if [ "$1" -gt 0 ]; then
    kill -TERM "-$group" 2>/dev/null
    kill -CONT "-$group" 2>/dev/null
  fi
  tenths=0
  while [ "$tenths" -lt "$1" ] && kill -0 "-$group" 2>/dev/null; do nap 0.1; tenths=$((tenths + 1)); done
  kill -KILL "-$group" 2>/dev/null
  sweep
}

# The program has exited and only waits to be reaped by a runner that is busy.
exited() {
  if [ -r "/proc/$group/stat" ]; then
    read -r line <"/proc/$group/stat" 2>/dev/null
    state=\${line##*) }
  else
    state=$(ps -o stat= -p "$group" 2>/dev/null)
  fi
  case $state in Z*|X*|'') return 0 ;; *) return 1 ;; esac
}

if ! read -r group; then sweep; exit; fi
if [ "$deadline" != 0 ]; then
  ( nap "$deadline" || exit; exited && exit; echo D; end "$grace" ) </dev/null &
fi
exec >/dev/null
read -r word
[ "$grace" -lt 5 ] || grace=5
end "$grace"
kill -KILL 0
`.replaceAll('\\$', '$')
