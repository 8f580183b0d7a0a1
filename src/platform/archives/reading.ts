type Reader = (bytes: AsyncIterable<Buffer>) => Promise<void>;

/**
 * Settles once the reader has ended too, so that nothing is written afterwards: a pipeline that fails does not wait for
 * it. The reader is a part of the pipeline: one that begins later would miss an error, which then ends the process.
 */
export async function readFrom(feed: (reader: Reader) => Promise<void>, read: Reader): Promise<void> {
  let reading = Promise.resolve();
  try {
    await feed((bytes) => {
      reading = read(bytes);
      return reading;
    });
  } finally {
    await Promise.allSettled([reading]);
  }
}
