/**
 * Opens the workspace of an account, and returns how to leave it. The code that keeps and merges drafts is loaded after
 * the first screen.
 */
export function enterWorkspace(account: string, onFailure: (error: unknown) => void): () => void {
  const life = new AbortController();
  open(account, life.signal).catch(onFailure);
  return () => life.abort();
}

async function open(account: string, left: AbortSignal): Promise<void> {
  const [{ openWorkspace }, { rebaseText }] = await Promise.all([
    import('../data/open-workspace.ts'),
    import('../kit/editor/rebase-text.ts'),
  ]);
  await openWorkspace(account, rebaseText, left);
}
