import { useState } from 'react';
import { api } from '../../data/api.ts';
import { isSignedOut, loadSession } from '../../data/session.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { goTo } from '../../kit/router/router.ts';
import { TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import { AccountForm } from './account-form.tsx';
import { AccountFrame } from './account-frame.tsx';
import { accountTexts } from './account-texts.ts';
import { NewPasswordField, OwnNameField } from './new-account-fields.tsx';

/** A new account; the first one of an installation owns it. */
export function Register({ isFirst }: { isFirst: boolean }) {
  const texts = useTexts(accountTexts);
  const [name, setName] = useState('');
  const [email, setEmail] = useState('');
  const [password, setPassword] = useState('');
  const [isMailed, setMailed] = useState(false);

  async function register() {
    await api.webRegister({ body: { email, password, ...(name !== '' && { display_name: name }) } });
    if (isFirst) goTo(addressOf({ screen: 'welcome' }), { replace: true });
    await loadSession();
    // Such an account is made only once the link in the mail is opened.
    setMailed(isSignedOut());
  }

  const footer = !isFirst && (
    <TextLink href={addressOf({ screen: 'account', page: 'sign-in' })}>{texts.back}</TextLink>
  );
  return (
    <AccountFrame
      title={isFirst ? texts.owner : texts.register}
      {...(isFirst && { why: texts.ownerWhy })}
      footer={footer}
    >
      {isMailed ? (
        <Notice tone="success">{texts.registerMailed(email)}</Notice>
      ) : (
        <AccountForm action={texts.createAccount} onSubmit={register}>
          <OwnNameField value={name} onChange={setName} />
          <TextField
            label={texts.email}
            type="email"
            name="email"
            autoComplete="username"
            value={email}
            onChange={setEmail}
            isRequired
          />
          <NewPasswordField label={texts.password} value={password} onChange={setPassword} />
        </AccountForm>
      )}
    </AccountFrame>
  );
}
