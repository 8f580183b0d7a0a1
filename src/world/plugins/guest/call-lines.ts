import type { Line } from './plugin-log.service.ts';

/** Of the service about one call: enough for admins, and too few to push everything else out of the log. */
const MOST = { did: 400, refused: 50 } as const;
const LONGEST = 300;

const LEFT_OUT = {
  did: (count: number) => `${count} more of its actions were left out of the log`,
  refused: (count: number) => `It was refused ${count} more times`,
} as const;

type Kind = keyof typeof MOST;

export type CallLines = ReturnType<typeof createCallLines>;

/** Collects the lines of one call. What ends only after the call goes to `late`. */
export function createCallLines(late: (line: Line) => void) {
  const lines: Line[] = [];
  const counts = { did: 0, refused: 0 };
  let isClosed = false;

  function note(kind: Kind, message: string): void {
    const line: Line = { level: kind === 'did' ? 'info' : 'warn', kind, message: message.slice(0, LONGEST) };
    counts[kind] += 1;
    if (isClosed) late(line);
    else if (counts[kind] <= MOST[kind]) lines.push(line);
  }

  return {
    /** The guest's own: its thread limits them. */
    add: (line: Line): void => void lines.push(line),
    did: (message: string): void => note('did', message),
    refused: (message: string): void => note('refused', message),
    /** The call has ended. */
    close(): readonly Line[] {
      isClosed = true;
      for (const kind of ['did', 'refused'] as const)
        if (counts[kind] > MOST[kind])
          lines.push({ level: 'warn', kind, message: LEFT_OUT[kind](counts[kind] - MOST[kind]) });
      return lines;
    },
  };
}
