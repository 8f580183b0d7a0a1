export {
  MOST_WAITING,
  NUMBERS_PER_ROW,
  type RecycledFolder,
  type Reread,
  ROW,
  type RowsPage,
  type ScanRequest,
  type ScanSummary,
  type SkippedPath,
} from './protocol.ts';
export { type ContentSource, readContent } from './read-content.ts';
export { createScanHost } from './scan-host.ts';
export {
  createScannerClient,
  type ScanHandlers,
  type ScannerClient,
  ScannerLost,
  type ScannerThread,
} from './scanner-client.ts';
export { rootsOf } from './scope.ts';
export { emptySummary } from './walk.ts';
