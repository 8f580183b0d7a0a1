import { useState } from 'react';
import { api } from '../../data/api.ts';
import { signIn } from '../../data/session.ts';
import type { StudioConfig } from '../../data/studio-config.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { LinkButton, TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountFrame } from './account-frame.tsx';
import { accountTexts } from './account-texts.ts';
import { NewPasswordField, OwnNameField } from './new-account-fields.tsx';

const toSignIn = addressOf({ screen: 'account', page: 'sign-in' });

/** Asks for a letter with a link to choose a new password. */
export function ForgotPassword({ hasMail }: { hasMail: boolean }) {
  const texts = useTexts(accountTexts);
  const [email, setEmail] = useState('');
  const [isSent, setSent] = useState(false);

  async function send() {
    await api.forgotPassword({ body: { email } });
    setSent(true);
  }

  return (
    <AccountFrame
      title={texts.forgotTitle}
      {...(hasMail && { why: texts.forgotWhy })}
      footer={<TextLink href={toSignIn}>{texts.back}</TextLink>}
    >
      {!hasMail && <Notice>{texts.noMail}</Notice>}
      {isSent && <Notice tone="success">{texts.forgotDone}</Notice>}
      {hasMail && !isSent && (
        <AccountForm action={texts.forgotDo} onSubmit={send}>
          <TextField
            label={texts.email}
            type="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            isRequired
            autoFocus
          />
        </AccountForm>
      )}
    </AccountFrame>
  );
}

/** The target of the link in a letter: a form for a new password. */
export function ResetPassword({ token }: { token: string | undefined }) {
  const texts = useTexts(accountTexts);
  const [password, setPassword] = useState('');
  const [isDone, setDone] = useState(false);

  async function reset() {
    await api.resetForgottenPassword({ body: { token: token ?? '', new_password: password } });
    setDone(true);
  }

  return (
    <AccountFrame title={texts.resetTitle} footer={<TextLink href={toSignIn}>{texts.back}</TextLink>}>
      {token === undefined && <Notice tone="error">{texts.linkIncomplete}</Notice>}
      {isDone && (
        <>
          <Notice tone="success">{texts.resetDone}</Notice>
          <LinkButton href={toSignIn} tone="primary">
            {texts.signIn}
          </LinkButton>
        </>
      )}
      {token !== undefined && !isDone && (
        <AccountForm action={texts.resetDo} onSubmit={reset}>
          <NewPasswordField label={texts.newPassword} value={password} onChange={setPassword} autoFocus />
        </AccountForm>
      )}
    </AccountFrame>
  );
}

interface AcceptInviteProps {
  token: string | undefined;
  deployment: StudioConfig['deployment'];
}

/** The target of the link in an invitation: a form for the name and password of a new account. */
export function AcceptInvite({ token, deployment }: AcceptInviteProps) {
  const texts = useTexts(accountTexts);
  const [name, setName] = useState('');
  const [password, setPassword] = useState('');

  async function accept() {
    const body = { token: token ?? '', password, ...(name !== '' && { display_name: name }) };
    const { email } =
      deployment === 'cloud'
        ? await api.registerWithInvite({ body })
        : (await api.acceptInvite({ body })).user;
    await signIn(email, password);
  }

  return (
    <AccountFrame title={texts.inviteTitle} why={texts.inviteWhy}>
      {token === undefined ? (
        <Notice tone="error">{texts.linkIncomplete}</Notice>
      ) : (
        <AccountForm action={texts.inviteDo} onSubmit={accept}>
          <OwnNameField value={name} onChange={setName} />
          <NewPasswordField label={texts.password} value={password} onChange={setPassword} />
        </AccountForm>
      )}
    </AccountFrame>
  );
}
