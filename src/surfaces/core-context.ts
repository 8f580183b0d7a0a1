import type { PlanName } from '../access/plans.ts';
import type { Base } from '../frame/context.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import type { MountOptions } from '../kit/http/mount-options.ts';
import type { Authenticate } from '../kit/principal.ts';
import type { SignedAddresses } from '../kit/signed-addresses.ts';
import type { Images } from '../platform/images/images.ts';
import { createWasmSounds } from '../platform/media/adapters/wasm-sounds.ts';
import { cloudOpener } from '../remote/cloud-client.ts';
import type { ProjectLimits } from '../world/projects/index.ts';
import type { Project } from '../world/records/index.ts';
import { createScannerClient, type ScannerThread } from '../world/scan/index.ts';
import type { LocalStorage } from '../world/storage/index.ts';
import { blobOpener, privateEndpointsOf } from './blobs.ts';
import type { LocalFolders } from './content-storage.ts';
import { openThumbnailFiles, openWatcher, startScanWorker } from './platform.ts';
import type { WebhookSetup } from './receivers.ts';
import { openWorkContext } from './work-context.ts';

/** How often content is compared where its storage reports no changes. */
const POLL_MS = 30_000;

/** Whose content a core holds and how it knows who asks: what differs between a self-hosted core and one of the cloud. */
export interface Tenancy {
  authenticate: Authenticate;
  folders: LocalFolders;
  /** Folders as storage of files; null where storage is elsewhere or nowhere. */
  localStorage: LocalStorage | null;
  /** Works on all pictures of the process, so that there is one queue of them. */
  images: Images;
  /** The plan of a tenant where no request says it, as in a sync. */
  planOf(tenantId: string): PlanName;
  /** Bytes of files that a plan allows, -1 for any number. */
  storageLimitOf(plan: PlanName): number;
  /** What people are shown as beside their changes; null for somebody who is not known here. */
  nameOf(userId: string): Promise<string | null>;
  /** Where browsers that signed in elsewhere bring their cookies. */
  cookies?: MountOptions['cookies'];
  /** Opens assets to pages without a token, where not everybody may read them. */
  signedAddresses?: SignedAddresses;
  /** For what is made of content and what comes in parts: of all cores that serve the same tenants. */
  workFolder: string;
  /** The project of requests that name none; `default` unless given. */
  defaultProject?: () => string;
}

export interface CoreSetup {
  /** Whether folders are watched; a one-off command reads them once. */
  watch?: boolean;
  /** Whether opening a project compares its whole folder; a one-off command asks for the sync that it means. */
  sweepOnStart?: boolean;
  /** Tests keep fewer projects open, for shorter. */
  openProjects?: ProjectLimits;
  webhooks?: WebhookSetup;
  /** Tests check each reply against its contract, and each event against its schema. */
  verifyReplies?: boolean;
  /** What walks and reads content folders: a thread, unless a test has it in its own. */
  startScanner?: () => ScannerThread;
}

/** Opens what the modules of a core are made of. */
export async function openCoreContext(base: Base, tenancy: Tenancy, setup: CoreSetup) {
  const { config } = base;
  const {
    watch = true,
    sweepOnStart = true,
    openProjects,
    webhooks,
    verifyReplies,
    startScanner = startScanWorker,
  } = setup;
  const { folders } = tenancy;
  const work = await openWorkContext(base, { folders, webhooks, verifyReplies });
  const { places } = work.contentStorage;
  const scanner = createScannerClient(startScanner);
  return {
    ...tenancy,
    ...work,
    signedAddresses: tenancy.signedAddresses ?? null,
    openBlobs: blobOpener(config),
    openProjects,
    scanner,
    readTexts: scanner.readTexts,
    createWatcher: (project: Project) =>
      watch
        ? openWatcher(project, {
            pollMs: Math.min(POLL_MS, config.sweepIntervalMs),
            onMoved: (listener) => places.onMoved(project.tenantId, listener),
          })
        : null,
    sweepIntervalMs: watch ? config.sweepIntervalMs : null,
    sweepOnStart,
    sounds: createWasmSounds(),
    thumbnailFiles: await openThumbnailFiles(tenancy.workFolder),
    // One at a time: requests come first.
    assetJobsAtOnce: 1,
    accessCookie: tenancy.cookies?.accessToken,
    defaultProject: tenancy.defaultProject ?? (() => DEFAULT_PROJECT),
    openCloud: cloudOpener(privateEndpointsOf(config)),
  };
}

/** What the modules of a core may take of their surface. */
export type ContentContext = Awaited<ReturnType<typeof openCoreContext>>;
