import type { Agent } from 'node:http';
import {
  AnonymousCredential,
  BlobServiceClient,
  type ContainerClient,
  newPipeline,
  type StoragePipelineOptions,
  StorageSharedKeyCredential,
} from '@azure/storage-blob';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import { type AzurePlace, type BlobLimits, BlobsError } from '../blobs.ts';

/** Options that the pipeline accepts beyond its published type. */
type PipelineOptions = StoragePipelineOptions & { agent: Agent; redirectOptions: { maxRetries: number } };

/** Opens the container with the credentials that the place has. Throws `bad_credentials` if they cannot be read. */
export function openContainer(place: AzurePlace, outgoing: Outgoing, limits: BlobLimits): ContainerClient {
  const { url, credential } = accessOf(place);
  const options: PipelineOptions = {
    agent: url.startsWith('http:') ? outgoing.httpAgent : outgoing.httpsAgent,
    redirectOptions: { maxRetries: 0 },
    retryOptions: { maxTries: limits.attempts, retryDelayInMs: 100, maxRetryDelayInMs: 2_000 },
  };
  const service = new BlobServiceClient(url, newPipeline(credential, options));
  return service.getContainerClient(place.container);
}

interface Access {
  url: string;
  credential: StorageSharedKeyCredential | AnonymousCredential;
}

function accessOf(place: AzurePlace): Access {
  if (place.connection_string !== undefined) return accessByText(place.connection_string);
  const { account = '', account_key: key, sas_token: sas } = place;
  const url = place.endpoint ?? `https://${account}.blob.core.windows.net`;
  if (key !== undefined) return { url, credential: new StorageSharedKeyCredential(account, key) };
  return { url: withToken(url, sas ?? ''), credential: new AnonymousCredential() };
}

/** `Name=value` separated by semicolons, as the Azure portal shows it. */
function accessByText(text: string): Access {
  const fields = new Map(
    text
      .split(';')
      .map((field): [string, string] => [field.split('=')[0] ?? '', field.split('=').slice(1).join('=')]),
  );
  const field = (name: string) => fields.get(name)?.trim() || undefined;
  const [account, key, sas] = [field('AccountName'), field('AccountKey'), field('SharedAccessSignature')];
  const host = `${account}.blob.${field('EndpointSuffix') ?? 'core.windows.net'}`;
  const url =
    field('BlobEndpoint') ?? (account && `${field('DefaultEndpointsProtocol') ?? 'https'}://${host}`);
  if (url === undefined || !URL.canParse(url)) throw unreadable('it names no account');
  if (account !== undefined && key !== undefined)
    return { url, credential: new StorageSharedKeyCredential(account, key) };
  if (sas === undefined) throw unreadable('it has neither AccountKey nor SharedAccessSignature');
  return { url: withToken(url, sas), credential: new AnonymousCredential() };
}

const withToken = (url: string, token: string): string =>
  `${url.replace(/\/$/, '')}?${token.replace(/^\?/, '')}`;

const unreadable = (why: string) =>
  new BlobsError('bad_credentials', `The connection string cannot be used: ${why}`);
