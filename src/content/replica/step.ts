/**
 * `note`: both sides are equal, which only has to be remembered. `merge`: both changed; pushed like any change, since only
 * the cloud merges. An edit beats a deletion, so it is pushed or pulled.
 */
export type Step = 'note' | 'push' | 'push_deletion' | 'pull' | 'pull_deletion' | 'merge';

/** By a key's three checksums; null: nothing to do. */
export function stepOf(
  local: string | undefined,
  remote: string | undefined,
  synced: string | undefined,
): Step | null {
  if (local === remote) return local === synced ? null : 'note';
  if (local === synced) return remote === undefined ? 'pull_deletion' : 'pull';
  if (remote === synced) return local === undefined ? 'push_deletion' : 'push';
  if (local === undefined) return 'pull';
  return remote === undefined ? 'push' : 'merge';
}
