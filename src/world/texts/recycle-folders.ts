export const RECYCLE_ROOT = '_RecycleBin';

/** The bin for deleted files that are neither entities nor assets. */
export const FILES_BIN = `${RECYCLE_ROOT}/_files`;

/** The bin for copies by file-sync tools whose conflict is resolved. */
export const COPIES_BIN = `${RECYCLE_ROOT}/conflict_copies`;

/** The bin for files that a move of content to another storage replaced. */
export const ASIDE_ROOT = `${RECYCLE_ROOT}/_storage`;

/** Folders of the bin whose files have no rows: they are removed when it is emptied. */
export const LOOSE_BINS = [FILES_BIN, COPIES_BIN, ASIDE_ROOT];
