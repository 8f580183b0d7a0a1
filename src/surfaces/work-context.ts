import type { Credits } from '../access/credits.ts';
import type { Base } from '../frame/context.ts';
import type { Part } from '../kit/lifecycle.ts';
import { createLocalEmbedder } from '../platform/embedder/adapters/local-embedder.ts';
import type { Embedder } from '../platform/embedder/embedder.ts';
import type { LlmLimits } from '../platform/llm/limits.ts';
import { createMetadataMedia } from '../platform/media/adapters/metadata-media.ts';
import { createContentStorage, type LocalFolders } from './content-storage.ts';
import { openLlms } from './llms.ts';
import { openBus, openJobs } from './platform.ts';
import { openReceivers, type WebhookSetup } from './receivers.ts';

/** Tests keep a ledger, wait less for models, and compare texts in a way of their own. */
export interface ModelsSetup {
  credits?: Credits;
  limits?: Partial<LlmLimits>;
  patienceMs?: number;
  embedder?: Embedder;
}

interface WorkSetup {
  folders: LocalFolders;
  credits: Credits;
  webhooks?: WebhookSetup | undefined;
  models?: ModelsSetup | undefined;
  verifyReplies?: boolean | undefined;
}

/** Opens the parts that a core and a worker share: content, events, jobs and the transport to receivers. */
export async function openWorkContext(
  base: Base,
  { folders, credits, webhooks = {}, models = {}, verifyReplies = false }: WorkSetup,
) {
  const { config, log } = base;
  const contentStorage = createContentStorage({ ...base, folders });
  return {
    ...base,
    bus: await openBus(config, log.child('events'), { verify: verifyReplies }),
    jobs: await openJobs(config, base),
    receivers: openReceivers(config, webhooks),
    credits: models.credits ?? credits,
    llms: openLlms(config, models.limits),
    modelPatienceMs: models.patienceMs,
    embedder: models.embedder ?? createLocalEmbedder(),
    lookForWebhooksMs: webhooks.everyMs,
    contentStorage,
    folders: contentStorage.folders,
    media: createMetadataMedia(),
  };
}

type WorkContext = Awaited<ReturnType<typeof openWorkContext>>;

/** Closes those parts after everything that uses them has stopped. */
export const workParts = ({ bus, receivers, llms, jobs, embedder, contentStorage }: WorkContext): Part[] => [
  { name: 'events', stop: () => bus.idle().then(bus.close) },
  { name: 'receivers', stop: async () => receivers.close() },
  { name: 'models', stop: async () => llms.close() },
  { name: 'jobs', stop: jobs.close },
  { name: 'embedder', stop: embedder.close },
  { name: 'content', stop: contentStorage.close },
];
