import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';

const CIPHER = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1';

/** `context` names the secret and its owner: the text can be opened nowhere else. */
export interface SecretBox {
  seal(text: string, context: string): string;
  /** Throws for text that was altered, or sealed with another key or context. */
  open(sealed: string, context: string): string;
}

/** AES-256-GCM with a new nonce for each secret. The key is checked on first use: commands may run without one. */
export function createSecretBox(key: Uint8Array): SecretBox {
  return {
    seal(text, context) {
      const nonce = randomBytes(NONCE_BYTES);
      const cipher = createCipheriv(CIPHER, checked(key), nonce).setAAD(Buffer.from(context));
      const sealed = Buffer.concat([nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
      return `${VERSION}.${sealed.toString('base64url')}`;
    },
    open(sealed, context) {
      const [version, encoded = ''] = sealed.split('.');
      const bytes = Buffer.from(encoded, 'base64url');
      if (version !== VERSION || bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable();
      const decipher = createDecipheriv(CIPHER, checked(key), bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(Buffer.from(context))
        .setAuthTag(bytes.subarray(-TAG_BYTES));
      const opened = decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES));
      try {
        return Buffer.concat([opened, decipher.final()]).toString('utf8');
      } catch (error) {
        throw unreadable(error);
      }
    },
  };
}

/** For one use, such as signing links; reveals neither the key nor other derived secrets. */
export const derivedSecret = (key: Uint8Array, use: string): string =>
  Buffer.from(hkdfSync('sha256', checked(key), '', `canonry ${use}`, 32)).toString('base64url');

function checked(key: Uint8Array): Uint8Array {
  if (key.length === 32) return key;
  throw new Error('keeping secrets needs an ENCRYPTION_KEY of 32 bytes');
}

const unreadable = (cause?: unknown) =>
  new Error('A stored secret cannot be read: was it kept under another ENCRYPTION_KEY?', { cause });
