import { useEffect } from 'react';
import { leave } from '../data/leave.ts';
import { sendWaiting } from '../data/workspace.ts';
import { accountTexts } from '../features/account/account-texts.ts';
import { PasswordForm } from '../features/account/sign-in.tsx';
import { useTexts } from '../kit/i18n/texts.ts';
import { Button } from '../kit/ui/button.tsx';
import { Dialog } from '../kit/ui/dialog.tsx';
import { appTexts } from './app-texts.ts';

/** The session ended while a page was open: the user signs in over it, and goes on where they were. */
export function Lapsed({ email }: { email: string }) {
  const account = useTexts(accountTexts);
  const texts = useTexts(appTexts);
  useEffect(() => sendWaiting, []);
  return (
    <Dialog
      title={account.signInAgain}
      isOpen
      isAlert
      onClose={stayOpen}
      closeLabel={texts.close}
      actions={
        <Button tone="quiet" onPress={() => void leave()}>
          {texts.signOut}
        </Button>
      }
    >
      <p>{account.signInAgainWhy}</p>
      <PasswordForm email={email} />
    </Dialog>
  );
}

/** The Escape key must not sign out somebody whose drafts wait. */
const stayOpen = () => undefined;
