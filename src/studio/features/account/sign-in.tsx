import { useState } from 'react';
import { signIn } from '../../data/session.ts';
import type { StudioConfig } from '../../data/studio-config.ts';
import { addressOf } from '../../domain/places.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { buttonClass } from '../../kit/ui/button.tsx';
import { TextLink } from '../../kit/ui/link.tsx';
import { Notice } from '../../kit/ui/notice.tsx';
import { TextField } from '../../kit/ui/text-field.tsx';
import styles from './account.module.css';
import { AccountForm } from './account-form.tsx';
import { AccountFrame } from './account-frame.tsx';
import { accountTexts } from './account-texts.ts';

const PROVIDER_NAMES: Readonly<Record<string, string>> = { google: 'Google', github: 'GitHub' };

interface SignInProps {
  config: StudioConfig;
  /** The code with which a provider's sign-in came back. */
  failure?: string | null;
}

export function SignIn({ config, failure = null }: SignInProps) {
  const texts = useTexts(accountTexts);
  const footer = (
    <>
      <TextLink href={addressOf({ screen: 'account', page: 'forgot-password' })}>{texts.forgot}</TextLink>
      {config.registration === 'open' && (
        <TextLink href={addressOf({ screen: 'account', page: 'register' })}>{texts.register}</TextLink>
      )}
    </>
  );
  return (
    <AccountFrame title={texts.signInTo} footer={footer}>
      {failure !== null && <Notice tone="error">{failureText(texts.failures, failure)}</Notice>}
      <PasswordForm />
      {config.providers.length > 0 && (
        <div className={styles.providers}>
          {config.providers.map((provider) => (
            // Not a link of the app: the provider's page takes this one's place.
            <a key={provider} href={`/api/auth/oauth/${provider}`} className={buttonClass('plain', 'l')}>
              {texts.signInWith(PROVIDER_NAMES[provider] ?? provider)}
            </a>
          ))}
        </div>
      )}
    </AccountFrame>
  );
}

/** The code is from the address, where anybody may write anything. */
const failureText = (texts: Readonly<Record<string, string>>, code: string): string | undefined =>
  Object.hasOwn(texts, code) ? texts[code] : texts.server_error;

/** Address and password; also in the dialog over a page whose session has ended, where the address is known. */
export function PasswordForm({ email: known = '' }: { email?: string }) {
  const texts = useTexts(accountTexts);
  const [email, setEmail] = useState(known);
  const [password, setPassword] = useState('');
  return (
    <AccountForm action={texts.signIn} onSubmit={() => signIn(email, password)}>
      <TextField
        label={texts.email}
        type="email"
        name="email"
        autoComplete="username"
        value={email}
        onChange={setEmail}
        isRequired
        autoFocus={known === ''}
      />
      <TextField
        label={texts.password}
        type="password"
        name="password"
        autoComplete="current-password"
        value={password}
        onChange={setPassword}
        isRequired
        autoFocus={known !== ''}
      />
    </AccountForm>
  );
}
