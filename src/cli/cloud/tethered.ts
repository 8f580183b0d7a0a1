const SCRIPT = `exec 3<&0
"$@" 3<&- </dev/null &
server=$!
(read -r _ <&3; kill -INT "$server") &
watcher=$!
exec 3<&-
wait "$server"
code=$?
kill "$watcher" 2>/dev/null
exit "$code"`;

/** Wraps a command so that it stops when its standard input ends, even because the process that started it was killed. */
export const tethered = (command: readonly string[]): string[] => ['sh', '-c', SCRIPT, 'sh', ...command];
