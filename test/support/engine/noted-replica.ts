import type { Change, RemoteItem, Replica } from '../../../src/exchange/sync/index.ts';
import type { Journal } from '../replicas/journal.ts';

const DIGITS = 6;

const shownItem = (item: RemoteItem): object => {
  const { key, kind } = item;
  return kind === 'gone' ? { key, kind } : { key, path: item.path, sha256: item.sha256.slice(0, DIGITS) };
};

export const shownChange = ({ base, local, keepsFolder }: Change): object => ({
  key: base.key,
  base: base.sha256 && { sha256: base.sha256.slice(0, DIGITS), path: base.path, version: base.version },
  local: local && { sha256: local.sha256.slice(0, DIGITS), path: local.path },
  keepsFolder,
});

/** Notes what arrives at a replica and what it answers. */
export const noted = (replica: Replica, { name, journal }: { name: string; journal: Journal }): Replica => ({
  ...replica,
  get requests() {
    return replica.requests;
  },
  async changes(from) {
    const { items, ...page } = await replica.changes(from);
    journal.note(name, 'pulls', { from, ...page, items: items.map(shownItem) });
    return { items, ...page };
  },
  async put(changes, options) {
    const reply = await replica.put(changes, options);
    journal.note(name, 'puts', { changes: changes.map(shownChange), ...reply });
    return reply;
  },
});
