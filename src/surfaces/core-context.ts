import { join } from 'node:path';
import type { Credits } from '../access/credits.ts';
import type { DriveAccounts } from '../access/drive-accounts.ts';
import type { PlanName } from '../access/plans.ts';
import type { DriveSync } from '../exchange/drive/index.ts';
import type { Base } from '../frame/context.ts';
import { DEFAULT_PROJECT } from '../kit/contract.ts';
import type { MountOptions } from '../kit/http/mount-options.ts';
import type { Authenticate } from '../kit/principal.ts';
import { derivedSecret } from '../kit/secret-box.ts';
import type { SignedAddresses } from '../kit/signed-addresses.ts';
import { createGoogleDrive } from '../platform/drive/adapters/google-drive.ts';
import { createWasmGuests } from '../platform/guests/adapters/wasm-guests.ts';
import type { Images } from '../platform/images/images.ts';
import { createWasmSounds } from '../platform/media/adapters/wasm-sounds.ts';
import { cloudOpener } from '../remote/cloud-client.ts';
import { createPluginOrigins } from '../world/plugins/index.ts';
import type { ProjectLimits } from '../world/projects/index.ts';
import type { Project } from '../world/records/index.ts';
import { createScannerClient, type ScannerThread } from '../world/scan/index.ts';
import type { LocalStorage } from '../world/storage/index.ts';
import { blobOpener, privateEndpointsOf } from './blobs.ts';
import type { LocalFolders } from './content-storage.ts';
import { openDownloads } from './downloads.ts';
import { uploadFolder } from './folders.ts';
import { guestOutgoing } from './guest-outgoing.ts';
import { packageVersion } from './package-root.ts';
import { openThumbnailFiles, openWatcher, startScanWorker } from './platform.ts';
import type { WebhookSetup } from './receivers.ts';
import { readShippedSkills } from './shipped-skills.ts';
import { readShippedTemplates } from './shipped-templates.ts';
import { type ModelsSetup, openWorkContext } from './work-context.ts';

/** Milliseconds between two comparisons of content whose storage does not report changes. */
const POLL_MS = 30_000;

/** The differences between a self-hosted core and one of the cloud in whose content it holds and who may ask. */
export interface Tenancy {
  authenticate: Authenticate;
  folders: LocalFolders;
  /** Null where they cannot be chosen. */
  localStorage: LocalStorage | null;
  images: Images;
  credits: Credits;
  driveAccounts: DriveAccounts;
  /** Where no request names it, as in a sync. */
  planOf(tenantId: string): PlanName;
  /** -1 for unlimited. */
  storageLimitOf(plan: PlanName): number;
  /** Null for an unknown user. */
  nameOf(userId: string): Promise<string | null>;
  cookies?: MountOptions['cookies'];
  /** Set where not everybody may read assets. */
  signedAddresses?: SignedAddresses;
  /** For derived files and partial uploads; shared by all cores that serve the same tenants. */
  workFolder: string;
  /** `default` if not given. */
  defaultProject?: () => string;
}

export interface CoreSetup {
  /** False for one-off commands, which read a folder once. */
  watch?: boolean;
  /** False for one-off commands, which start the sync that they need themselves. */
  sweepOnStart?: boolean;
  /** Tests keep fewer projects open, and close them sooner. */
  openProjects?: ProjectLimits;
  webhooks?: WebhookSetup;
  models?: ModelsSetup;
  /** Tests have consents of their own, and look at what the sync is told. */
  drive?: { accounts?: DriveAccounts; sync?: DriveSync };
  verifyReplies?: boolean;
  /** Where the build put the web app. */
  studioFolder?: string;
  /** Starts the scanner that reads content folders; a thread by default, in-process in some tests. */
  startScanner?: () => ScannerThread;
}

export async function openCoreContext(base: Base, tenancy: Tenancy, setup: CoreSetup) {
  const { config } = base;
  const {
    watch = true,
    sweepOnStart = true,
    openProjects,
    webhooks,
    models,
    drive,
    verifyReplies,
    startScanner = startScanWorker,
  } = setup;
  const { folders, credits } = tenancy;
  const work = await openWorkContext(base, { folders, credits, webhooks, models, verifyReplies });
  const { places } = work.contentStorage;
  const scanner = createScannerClient(startScanner);
  return {
    ...tenancy,
    ...work,
    signedAddresses: tenancy.signedAddresses ?? null,
    openBlobs: blobOpener(config),
    openProjects,
    downloads: openDownloads(config),
    uploadFolder: uploadFolder(config.dataDir),
    version: packageVersion(),
    pluginOrigins: createPluginOrigins(config.pluginOrigin, () =>
      derivedSecret(config.encryptionKey, 'plugin origins'),
    ),
    appOrigins: [
      ...(config.publicUrl === null ? [] : [new URL(config.publicUrl).origin]),
      ...config.corsOrigins,
    ],
    guests: createWasmGuests({ cacheFolder: join(tenancy.workFolder, 'guests'), clock: base.clock }),
    openGuestOutgoing: guestOutgoing(config),
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
    // Requests come before background work.
    assetJobsAtOnce: 1,
    accessCookie: tenancy.cookies?.accessToken,
    defaultProject: tenancy.defaultProject ?? (() => DEFAULT_PROJECT),
    openDrive: createGoogleDrive({
      apiBase: config.driveApiBase,
      clock: base.clock,
      log: base.log.child('drive'),
    }),
    ...(drive?.accounts && { driveAccounts: drive.accounts }),
    ...(drive?.sync && { driveSync: drive.sync }),
    openCloud: cloudOpener(privateEndpointsOf(config)),
    readShippedSkills,
    readShippedTemplates,
  };
}

export type ContentContext = Awaited<ReturnType<typeof openCoreContext>>;
