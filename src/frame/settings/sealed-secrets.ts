import { conflict } from '../../kit/errors.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { SettingsKey } from './settings.store.ts';

export type Sealed = Readonly<Record<string, string>>;

/** Seals a secret for one row and one name: a sealed text moved to another row or name cannot be opened. */
export function createSealedSecrets(box: SecretBox) {
  const contextOf = ({ tenant_id, scope, id, name }: SettingsKey, secret: string) =>
    JSON.stringify(['settings', tenant_id, scope, id, name, secret]);
  return {
    seal: (key: SettingsKey, secret: string, text: string): string => box.seal(text, contextOf(key, secret)),
    /** 409 if it was sealed under another key, or for another row or name. */
    open(key: SettingsKey, secret: string, sealed: string): string {
      try {
        return box.open(sealed, contextOf(key, secret));
      } catch {
        throw conflict(
          `The '${secret}' of the settings '${key.name}' cannot be read: ENCRYPTION_KEY has changed since it was set. Set it again`,
          { code: 'secret_unreadable' },
        );
      }
    },
  };
}
