import type { Drafts } from '../data/drafts/drafts.ts';
import { detailOf } from '../data/errors.ts';
import { stay } from '../data/leave.ts';
import { signOut } from '../data/session.ts';
import { useStore } from '../data/store.ts';
import { useWorkspace } from '../data/workspace.ts';
import { useTexts } from '../kit/i18n/texts.ts';
import { Button } from '../kit/ui/button.tsx';
import { ConfirmDialog } from '../kit/ui/confirm-dialog.tsx';
import { appTexts } from './app-texts.ts';
import { downloadChanges } from './download-changes.ts';
import { leaveTexts } from './leave-texts.ts';

/** Asks before a sign-out that leaves something unsaved behind. */
export function LeaveQuestion() {
  const app = useTexts(appTexts);
  const texts = useTexts(leaveTexts);
  const workspace = useWorkspace();
  return (
    <ConfirmDialog
      title={texts.leaveTitle}
      action={app.signOut}
      cancelLabel={texts.cancel}
      onConfirm={signOut}
      onClose={stay}
      faultOf={(error) => detailOf(error) ?? texts.leaveFailed}
    >
      {workspace && <Unsaved drafts={workspace.drafts} />}
    </ConfirmDialog>
  );
}

function Unsaved({ drafts }: { drafts: Drafts }) {
  const app = useTexts(appTexts);
  const texts = useTexts(leaveTexts);
  const { length } = useStore({ get: drafts.unsaved.getSnapshot, subscribe: drafts.unsaved.subscribe });
  if (length === 0) return null;
  return (
    <>
      <p>{texts.leaveUnsaved(length)}</p>
      <Button onPress={() => downloadChanges(drafts)}>{app.download}</Button>
    </>
  );
}
