import { DEFAULT_PROJECT } from '../../kit/contract.ts';
import type { SignedAddresses } from '../../kit/signed-addresses.ts';
import type { Scope } from '../records/index.ts';

/** Returns a URL for a browser, signed if open routes require a token. */
export type Addresses = (scope: Scope, path: string, query?: Readonly<Record<string, string>>) => string;

/** `signed` is null if anyone may read. */
export const createAddresses =
  (signed: SignedAddresses | null): Addresses =>
  ({ tenantId, projectId }, path, query = {}) => {
    const parameters = new URLSearchParams(query);
    if (projectId !== DEFAULT_PROJECT) parameters.set('project_id', projectId);
    if (signed) parameters.set('signed', signed.sign({ tenantId, projectId, path }));
    const search = parameters.toString();
    return `${path.split('/').map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
  };
