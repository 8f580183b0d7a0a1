import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { isoTime } from '../../kit/clock.ts';
import { newId } from '../../kit/ids.ts';
import type { SecretBox } from '../../kit/secret-box.ts';
import type { SigningKeyRow } from './signing-keys.tables.ts';

/** A public key as others fetch it (RFC 8037). */
export interface PublicJwk extends Record<string, unknown> {
  kid: string;
  kty: 'OKP';
  crv: 'Ed25519';
  x: string;
  alg: 'EdDSA';
  use: 'sig';
}

export interface SigningKey {
  kid: string;
  key: KeyObject;
  createdAtMs: number;
}

export interface KeyRing {
  /** The signing key; null before the first was generated. */
  current: SigningKey | null;
  publicKeys: ReadonlyMap<string, KeyObject>;
  jwks: readonly PublicJwk[];
}

const contextOf = (keyId: string): string => `signing key ${keyId}`;

export function newKeyRow(box: SecretBox, nowMs: number): SigningKeyRow {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519');
  const keyId = newId();
  const jwk = { ...publicKey.export({ format: 'jwk' }), kid: keyId, alg: 'EdDSA', use: 'sig' };
  return {
    key_id: keyId,
    public_jwk: JSON.stringify(jwk),
    private_sealed: box.seal(JSON.stringify(privateKey.export({ format: 'jwk' })), contextOf(keyId)),
    created_at: isoTime(nowMs),
    retired_at: null,
  };
}

/** The keys of the rows, newest row first. Throws if the private key cannot be opened. */
export function keyRingOf(rows: readonly SigningKeyRow[], box: SecretBox): KeyRing {
  const jwks = rows.map((row): PublicJwk => JSON.parse(row.public_jwk));
  const active = rows.find((row) => row.retired_at === null);
  return {
    current: active ? signingKeyOf(active, box) : null,
    publicKeys: new Map(jwks.map((jwk) => [jwk.kid, createPublicKey({ key: jwk, format: 'jwk' })])),
    jwks,
  };
}

function signingKeyOf(row: SigningKeyRow, box: SecretBox): SigningKey {
  const jwk = JSON.parse(box.open(row.private_sealed, contextOf(row.key_id)));
  return {
    kid: row.key_id,
    key: createPrivateKey({ key: jwk, format: 'jwk' }),
    createdAtMs: Date.parse(row.created_at),
  };
}
