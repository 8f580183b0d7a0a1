import { diff } from '@codemirror/merge';
import { ChangeSet, Text } from '@codemirror/state';
import type { RebaseBody } from '../domain/drafts/take-in.ts';

/** The editor's rebase, which the draft gets from outside. */
export const rebaseText: RebaseBody = ({ sent, server, current }) =>
  changes(sent, server)
    .map(changes(sent, current))
    .apply(Text.of(current.split('\n')))
    .toString();

const changes = (from: string, to: string): ChangeSet =>
  ChangeSet.of(
    diff(from, to).map(({ fromA, toA, fromB, toB }) => ({
      from: fromA,
      to: toA,
      insert: Text.of(to.slice(fromB, toB).split('\n')),
    })),
    from.length,
  );
