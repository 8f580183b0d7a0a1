import { randomBytes, randomUUID } from 'node:crypto';
import { BlobServiceClient, StorageSharedKeyCredential } from '@azure/storage-blob';
import type { AzurePlace } from '../../../src/platform/blobs/blobs.ts';

export interface TestAzure {
  /** A new container, with what a store needs to reach it. */
  newPlace(): Promise<AzurePlace & { account: string; account_key: string; endpoint: string }>;
  close(): Promise<void>;
}

const ACCOUNT = 'canonrytests';

/** Azure's emulator on a free port, in memory. */
export async function startAzurite(): Promise<TestAzure> {
  const key = randomBytes(32).toString('base64');
  process.env.AZURITE_ACCOUNTS = `${ACCOUNT}:${key}`;
  const { default: configurations } = await import('azurite/dist/src/blob/BlobConfiguration.js');
  const { default: servers } = await import('azurite/dist/src/blob/BlobServer.js');
  const unset = undefined;
  const paths = [unset, unset, unset, unset];
  const logs = [false, unset, false, unset];
  // The SDK is newer than the emulator.
  const [isLoose, skipsVersionCheck, inMemory] = [false, true, true];
  const certificateAndUrls = [unset, unset, unset, unset, unset];
  const configuration = new configurations.default(
    '127.0.0.1',
    0,
    ...paths,
    ...logs,
    isLoose,
    skipsVersionCheck,
    ...certificateAndUrls,
    inMemory,
  );
  const server = new servers.default(configuration);
  await server.start();
  const endpoint = `${server.getHttpServerAddress()}/${ACCOUNT}`;
  const service = new BlobServiceClient(endpoint, new StorageSharedKeyCredential(ACCOUNT, key));
  return {
    async newPlace() {
      const container = `worlds-${randomUUID()}`;
      await service.createContainer(container);
      return { provider: 'azure', container, account: ACCOUNT, account_key: key, endpoint };
    },
    close: () => server.close(),
  };
}
