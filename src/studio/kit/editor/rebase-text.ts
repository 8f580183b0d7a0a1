import { diff } from '@codemirror/merge';
import { ChangeSet, Text } from '@codemirror/state';

/** Beyond it, very different texts are compared coarsely instead of slowly. */
const SCAN_LIMIT = 2_000;
const TIMEOUT_MS = 200;

/** In every text a carriage return is a character like any other. */
export const textOf = (text: string): Text => Text.of(text.split('\n'));

/** Between texts whose lines end with `\n`. */
export function changesBetween(from: string, to: string): ChangeSet {
  const changes = diff(from, to, { scanLimit: SCAN_LIMIT, timeout: TIMEOUT_MS });
  return ChangeSet.of(
    changes.map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: textOf(to.slice(fromB, toB)),
    })),
    from.length,
  );
}

/**
 * The edits made to a text since it was sent, together with what the server made of it. What either of them inserted
 * stays.
 */
export function rebaseText(texts: { sent: string; server: string; current: string }): string {
  const { sent, server, current } = texts;
  if (server === sent) return current;
  if (current === sent) return server;
  const remote = changesBetween(sent, server).map(changesBetween(sent, current));
  return remote.apply(textOf(current)).toString();
}
