import type { BlobStat, BlobStore } from './blobs.ts';

/** The objects below `prefix`, named by the rest of their keys. Closing it leaves the store open. */
export function prefixed(store: BlobStore, prefix: string): BlobStore {
  const { presign } = store;
  const without = (stat: BlobStat): BlobStat => ({ ...stat, key: stat.key.slice(prefix.length) });
  return {
    provider: store.provider,
    preflight: () => store.preflight(),
    put: (key, body, options) => store.put(prefix + key, body, options),
    get: (key, options) => store.get(prefix + key, options),
    async stat(key) {
      const stat = await store.stat(prefix + key);
      return stat && without(stat);
    },
    async list(options) {
      const { blobs, next } = await store.list({ ...options, prefix: prefix + options.prefix });
      return { blobs: blobs.map(without), next };
    },
    delete: (key) => store.delete(prefix + key),
    copy: (from, to) => store.copy(prefix + from, prefix + to),
    presign: presign && {
      put: (key, options) => presign.put(prefix + key, options),
      get: (key, options) => presign.get(prefix + key, options),
    },
    capacity: () => store.capacity(),
    close: async () => {},
  };
}
