import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';

const KIND = 'ed25519';
const SIGNATURE_BYTES = 64;

/** A new private key in PEM (PKCS #8). */
export const newPrivateKey = (): string =>
  generateKeyPairSync(KIND).privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();

/** Null if the PEM has no private key of this kind. */
export function privateKeyIn(pem: string): KeyObject | null {
  try {
    const key = createPrivateKey(pem);
    return key.asymmetricKeyType === KIND ? key : null;
  } catch {
    return null;
  }
}

/** The 32 bytes of the public key. */
export const publicBytesOf = (privateKey: KeyObject): Uint8Array =>
  Buffer.from(createPublicKey(privateKey).export({ format: 'jwk' }).x ?? '', 'base64url');

export const signBytes = (privateKey: KeyObject, bytes: Uint8Array): Uint8Array =>
  sign(null, bytes, privateKey);

/** `publicBytes` are the 32 of the key. */
export function isSignedBy(publicBytes: Uint8Array, bytes: Uint8Array, signature: Uint8Array): boolean {
  if (signature.length !== SIGNATURE_BYTES) return false;
  const x = Buffer.from(publicBytes).toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  return verify(null, bytes, key, signature);
}
