import type { ArchiveErrorCode } from '../../../src/platform/archives/archives.ts';

export interface HostileArchives {
  what: string;
  /** Of the refusal. */
  code: ArchiveErrorCode;
  archives: readonly Buffer[];
}
