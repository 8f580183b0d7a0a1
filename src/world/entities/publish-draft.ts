export interface Draft<Put, Stored> {
  /** Writes or moves the file. */
  put(): Promise<Put>;
  /** Stores the rows; what it throws leaves none. */
  store(put: Put): Promise<Stored>;
  /** Takes the file back where nobody has written to it since. */
  putBack(put: Put): Promise<unknown>;
}

/** Puts a file in place and then its rows. Where the rows are refused, the folder is left as it was. */
export async function publishDraft<Put, Stored>({
  put,
  store,
  putBack,
}: Draft<Put, Stored>): Promise<Stored> {
  const file = await put();
  try {
    return await store(file);
  } catch (error) {
    // What could not be taken back is a file that is newer than its row: the next sync reads it.
    await putBack(file).catch(() => {});
    throw error;
  }
}
