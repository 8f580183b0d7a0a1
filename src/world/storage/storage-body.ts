import { isAbsolute } from 'node:path';
import type { BodyOf } from '../../kit/contract.ts';
import { badRequest, type FieldError, invalid } from '../../kit/errors.ts';
import type { AzurePlace, BlobPlace, BlobProvider, S3Place } from '../../platform/blobs/blobs.ts';
import type { putStorageSettings } from './storage.contract.ts';

export type StorageBody = BodyOf<typeof putStorageSettings>;
type Field = Exclude<keyof StorageBody, 'provider'>;

const FIELDS: Record<BlobProvider, readonly Field[]> = {
  local: ['path'],
  s3: ['bucket', 'region', 'endpoint', 'access_key', 'secret_key', 'path_style'],
  azure: ['container', 'account', 'account_key', 'connection_string', 'sas_token', 'endpoint'],
};

const REQUIRED: Record<BlobProvider, readonly Field[]> = {
  local: ['path'],
  s3: ['bucket', 'access_key', 'secret_key'],
  azure: ['container'],
};

const DRIVE = /drive|dropbox|box$|sharepoint|nextcloud|webdav|icloud/i;
const AZURE_CREDENTIALS = ['account_key', 'connection_string', 'sas_token'] as const;

/** Only printable characters, so that a value cannot end a header. */
const PRINTABLE = { pattern: /^[\x21-\x7e]+$/, message: 'must be printable characters without blanks' };
const FORMS: Partial<Record<Field, { pattern: RegExp; message: string }>> = {
  bucket: {
    pattern: /^[A-Za-z0-9][A-Za-z0-9._-]{1,61}[A-Za-z0-9]$/,
    message: 'must be the name of a bucket',
  },
  region: { pattern: /^[A-Za-z0-9-]{1,64}$/, message: 'must be the name of a region' },
  container: { pattern: /^[a-z0-9](?:-?[a-z0-9]){2,62}$/, message: 'must be the name of a container' },
  account: { pattern: /^[a-z0-9]{3,24}$/, message: 'must be the name of a storage account' },
  access_key: PRINTABLE,
  secret_key: PRINTABLE,
  account_key: { pattern: /^[A-Za-z0-9+/]+={0,2}$/, message: 'must be base64' },
  sas_token: PRINTABLE,
  connection_string: { pattern: /^[\x20-\x7e]+$/, message: 'must be one line of printable characters' },
};

/**
 * The places that a body can mean, likeliest first: S3 without `path_style` is two. 400 for a provider configured elsewhere, 422
 * with every invalid field.
 */
export function placesOf(body: StorageBody): BlobPlace[] {
  const { provider } = body;
  if (!isProvider(provider)) throw unknownProvider(provider);
  const errors = faultsOf(provider, body);
  const [first] = errors;
  if (first)
    throw invalid(`body field '${first.field}' ${first.message}`, { code: 'invalid_request', errors });
  if (provider === 'local') return [{ provider, path: body.path ?? '' }];
  if (provider === 'azure') return [{ ...body, provider, container: body.container ?? '' } as AzurePlace];
  return stylesOf(body).map((path_style) => ({ ...body, path_style }) as S3Place);
}

/** Amazon uses the host's name; most others use the path, or both. */
function stylesOf({ path_style, endpoint }: StorageBody): boolean[] {
  if (path_style !== undefined) return [path_style];
  return endpoint === undefined ? [false, true] : [true, false];
}

const isProvider = (name: string): name is BlobProvider => Object.hasOwn(FIELDS, name);

function unknownProvider(provider: string): Error {
  const elsewhere = DRIVE.test(provider);
  if (!elsewhere)
    return invalid("body field 'provider' must be one of local, s3, azure", { code: 'invalid_request' });
  return badRequest(
    'A drive or file-sharing service is not set here: each person connects theirs (GET /api/auth/storage-oauth/{provider}) and chooses a folder (POST /api/drive-storage/select-folder). Here are local, s3 and azure',
    { code: 'provider_elsewhere' },
  );
}

function faultsOf(provider: BlobProvider, body: StorageBody): FieldError[] {
  const given = Object.keys(body).filter((name): name is Field => name !== 'provider');
  const strange = given.filter((name) => !FIELDS[provider].includes(name));
  const missing = REQUIRED[provider].filter((name) => body[name] === undefined);
  return [
    ...strange.map((field) => ({ field, message: `does not belong to ${provider}` })),
    ...missing.map((field) => ({ field, message: 'is required' })),
    ...given.flatMap((field) => formFault(field, String(body[field]))),
    ...(provider === 'azure' ? azureFaults(body) : []),
  ];
}

function formFault(field: Field, value: string): FieldError[] {
  const { pattern, message = '' } = FORMS[field] ?? {};
  if (pattern && !pattern.test(value)) return [{ field, message }];
  if (field === 'endpoint' && !isEndpoint(value))
    return [
      {
        field,
        message: 'must be an address such as https://objects.example.com, without credentials or query',
      },
    ];
  if (field === 'path' && (!isAbsolute(value) || value.includes('\0')))
    return [{ field, message: 'must be an absolute path' }];
  return [];
}

function azureFaults(body: StorageBody): FieldError[] {
  const given = AZURE_CREDENTIALS.filter((name) => body[name] !== undefined);
  const [first, second] = given;
  if (first === undefined)
    return [
      { field: 'account_key', message: `is required, or one of ${AZURE_CREDENTIALS.slice(1).join(', ')}` },
    ];
  if (second !== undefined)
    return [{ field: second, message: `cannot be combined with ${first}: send only one of them` }];
  const needsAccount = first !== 'connection_string' && body.account === undefined;
  return needsAccount ? [{ field: 'account', message: 'is required' }] : [];
}

function isEndpoint(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password, search, hash } = new URL(text);
  return /^https?:$/.test(protocol) && username + password + search + hash === '';
}
