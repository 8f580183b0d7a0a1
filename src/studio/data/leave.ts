import { signOut } from './session.ts';
import { createStore, useStore } from './store.ts';
import { whenOpen } from './workspace.ts';

/** The time for which a sign-out waits for drafts on their way before it asks. */
const PATIENCE_MS = 2000;

const isAsking = createStore(false);

/** True if the user has to confirm the sign-out. */
export const useLeaveQuestion = (): boolean => useStore(isAsking);

export const stay = (): void => isAsking.set(false);

/** Signs out once everything is saved. Asks where something is not, and where the service does not answer. */
export async function leave(): Promise<void> {
  const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
  const { drafts } = await whenOpen();
  await Promise.race([drafts.flush(), patience]);
  const isSaved = drafts.unsaved.getSnapshot().length === 0;
  if (isSaved) await signOut().catch(() => isAsking.set(true));
  else isAsking.set(true);
}
