/** An index as it was found, not checked in any way. */
export interface FoundIndex {
  bytes: Uint8Array;
  /** The text of the file beside it. */
  signature: string;
  /** Stands for these bytes; null if the source has no way to tell whether they changed. */
  mark: string | null;
}

export type ArchiveReader<Result> = (bytes: AsyncIterable<Uint8Array>) => Promise<Result>;

/** The place of a catalog. */
export interface CatalogSource {
  /** For so long, an index counts as current without a look. */
  freshMs: number;
  /** Null if it is still the one that the mark stands for. Rejects with a CatalogFault. */
  read(mark: string | null): Promise<FoundIndex | null>;
  /** `url` as an entry has it. 502 if there is nothing to read, or not to the end. */
  openArchive<Result>(url: string, read: ArchiveReader<Result>): Promise<Result>;
}

/** Bytes of the file with the signature. */
export const LARGEST_SIGNATURE = 1024;
/** The signature of `catalog.json` is in `catalog.json.sig`. */
export const SIGNATURE_ENDING = '.sig';
