import type { Base } from '../frame/context.ts';
import type { Part } from '../kit/lifecycle.ts';
import { createMetadataMedia } from '../platform/media/adapters/metadata-media.ts';
import { createContentStorage, type LocalFolders } from './content-storage.ts';
import { openBus, openJobs } from './platform.ts';
import { openReceivers, type WebhookSetup } from './receivers.ts';

interface WorkSetup {
  folders: LocalFolders;
  webhooks?: WebhookSetup | undefined;
  verifyReplies?: boolean | undefined;
}

/** Opens the parts that a core and a worker share: content, events, jobs and the transport to receivers. */
export async function openWorkContext(
  base: Base,
  { folders, webhooks = {}, verifyReplies = false }: WorkSetup,
) {
  const { config, log } = base;
  const contentStorage = createContentStorage({ ...base, folders });
  return {
    ...base,
    bus: await openBus(config, log.child('events'), { verify: verifyReplies }),
    jobs: await openJobs(config, base),
    receivers: openReceivers(config, webhooks),
    lookForWebhooksMs: webhooks.everyMs,
    contentStorage,
    folders: contentStorage.folders,
    media: createMetadataMedia(),
  };
}

type WorkContext = Awaited<ReturnType<typeof openWorkContext>>;

/** Closes those parts after everything that uses them has stopped. */
export const workParts = ({ bus, receivers, jobs, contentStorage }: WorkContext): Part[] => [
  { name: 'events', stop: () => bus.idle().then(bus.close) },
  { name: 'receivers', stop: async () => receivers.close() },
  { name: 'jobs', stop: jobs.close },
  { name: 'content', stop: contentStorage.close },
];
