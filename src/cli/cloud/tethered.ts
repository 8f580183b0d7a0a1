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

/** Makes of a command one that stops when its standard input ends, which is also when whoever started it was killed. */
export const tethered = (command: readonly string[]): string[] => ['sh', '-c', SCRIPT, 'sh', ...command];
