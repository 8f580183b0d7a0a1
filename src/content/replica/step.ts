/**
 * `note`: both sides say the same, which is to be remembered. `merge`: both changed; it is pushed like any other change,
 * since the cloud alone merges. What was edited on one side and deleted on the other is pushed or pulled: the edit stays.
 */
export type Step = 'note' | 'push' | 'push_deletion' | 'pull' | 'pull_deletion' | 'merge';

/** The step for one key by its three checksums; null: none. */
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
