import type { Config } from '../kit/config/index.ts';

/** Where browsers reach a service: as set, or else as it listens. */
export function publicUrlOf({ publicUrl, bindAddress }: Pick<Config, 'publicUrl' | 'bindAddress'>): string {
  if (publicUrl !== null) return publicUrl;
  const { host, port } = bindAddress;
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host;
  return `http://${shown.includes(':') ? `[${shown}]` : shown}:${port}`;
}
