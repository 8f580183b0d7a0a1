export const RECYCLE_ROOT = '_RecycleBin';

/** Where deleted files lie that are neither entities nor assets. */
export const FILES_BIN = `${RECYCLE_ROOT}/_files`;

/** Where copies that file-sync tools made go once their conflict is resolved. */
export const COPIES_BIN = `${RECYCLE_ROOT}/conflict_copies`;

/** Where files go that a move of content to another storage replaced. */
export const ASIDE_ROOT = `${RECYCLE_ROOT}/_storage`;

/** Folders of the bin whose files no row knows: they go when it is emptied. */
export const LOOSE_BINS = [FILES_BIN, COPIES_BIN, ASIDE_ROOT];
