import { randomBytes } from 'node:crypto';
import { scopeMissing, unauthorized } from './api-error.ts';
import type { ApiRequest } from './requests.ts';

const SCOPE = 'https://www.googleapis.com/auth/';
const FILE_SCOPE = `${SCOPE}drive.file`;
const WRITE = [FILE_SCOPE, `${SCOPE}drive`];
const READ = [
  ...WRITE,
  `${SCOPE}drive.readonly`,
  `${SCOPE}drive.metadata.readonly`,
  `${SCOPE}drive.metadata`,
];

/** The bearer tokens of the one app that is connected. */
export interface Access {
  /** The newest one, valid or not. */
  token: string;
  scopes: Set<string>;
  isRevoked: boolean;
  issueToken(): string;
  expireToken(): void;
  revoke(): void;
  /** Throws 401 or 403. */
  check(request: Pick<ApiRequest, 'method' | 'path' | 'headers'>): void;
}

/** With `admits` somebody else issues the tokens. */
export function createAccess(admits?: (token: string) => boolean): Access {
  const valid = new Set<string>();
  const isValid = admits ?? ((token: string) => valid.has(token));
  const access: Access = {
    token: '',
    scopes: new Set([FILE_SCOPE]),
    isRevoked: false,
    issueToken() {
      access.token = `ya29.${randomBytes(40).toString('base64url')}`;
      access.isRevoked = false;
      valid.add(access.token);
      return access.token;
    },
    expireToken: () => valid.clear(),
    revoke() {
      valid.clear();
      access.isRevoked = true;
    },
    check({ method, path, headers }) {
      const token = /^Bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1];
      if (token === undefined || !isValid(token)) throw unauthorized();
      const isRead = method === 'GET' || path.endsWith('/watch') || path.endsWith('/channels/stop');
      if (!(isRead ? READ : WRITE).some((scope) => access.scopes.has(scope))) throw scopeMissing();
    },
  };
  access.issueToken();
  return access;
}
