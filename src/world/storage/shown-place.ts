import type { BlobPlace } from '../../platform/blobs/blobs.ts';
import type { Move } from './moves.ts';

const MASK = '***';
/** Characters of the shortest key of which four may be shown. */
const LEAST_KEY = 12;

/** Enough to recognise a place, and no credentials. */
export function shownPlace(place: BlobPlace) {
  switch (place.provider) {
    case 'local':
      return pick(place, 'provider', 'path');
    case 's3':
      return {
        ...pick(place, 'provider', 'bucket', 'region', 'endpoint', 'path_style'),
        access_key: maskedKey(place.access_key),
        secret_key: MASK,
      };
    case 'azure':
      return {
        ...pick(place, 'provider', 'container', 'account', 'endpoint'),
        ...(place.account_key !== undefined && { account_key: MASK }),
        ...(place.connection_string !== undefined && { connection_string: MASK }),
        ...(place.sas_token !== undefined && { sas_token: MASK }),
      };
  }
}

const maskedKey = (key: string): string => (key.length < LEAST_KEY ? MASK : `${MASK}${key.slice(-4)}`);

const pick = <Item extends object, Name extends keyof Item>(item: Item, ...names: Name[]) =>
  Object.fromEntries(
    names.filter((name) => item[name] !== undefined).map((name) => [name, item[name]]),
  ) as Pick<Item, Name>;

export function locationOf(place: BlobPlace): string {
  if (place.provider === 'local') return place.path;
  return place.provider === 's3' ? place.bucket : place.container;
}

/** The installation's own folder has no name. */
export const shownLocation = (place: BlobPlace | null) => ({
  provider: place?.provider ?? ('local' as const),
  location: place && locationOf(place),
  endpoint: place === null || place.provider === 'local' ? null : (place.endpoint ?? null),
});

export const shownMove = ({ from, to, ...move }: Move) => ({
  ...move,
  from: shownLocation(from),
  to: shownLocation(to),
});
