import type { Book } from '../replica/words.ts';
import { askedUntil } from './asked-until.ts';
import { wordsIn } from './edits.ts';
import type { LiveNode } from './live-node.ts';
import type { Trio } from './trio.ts';

const CONFLICTS = '/api/conflicts?status=all&limit=200';

/** Words that are neither present, nor replaced by somebody who saw them, nor in a conflict or recycle bin; null: none. */
export async function lostWords({ hub, nodes }: Trio, project: string, book: Book): Promise<string | null> {
  const conflictsOf = (node: LiveNode) => node.call<object>(project, 'GET', CONFLICTS);
  const records = await Promise.all(
    nodes.map((node) =>
      askedUntil(
        () => conflictsOf(node),
        () => true,
      ),
    ),
  );
  const present = [
    ...hub.disk(project).tree().values(),
    ...nodes.flatMap((node) => node.disk(project).recycled()),
    ...records.map((record) => JSON.stringify(record)),
  ];
  const accounted = book.accountedFor(present.flatMap(wordsIn));
  const lost = book.words().filter((word) => !accounted.has(word));
  return lost.length === 0 ? null : `lost: ${lost.join(', ')}`;
}
