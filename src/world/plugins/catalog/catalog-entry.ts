import { type Static, Type } from 'typebox';
import { closed, oneOf } from '../../../kit/schemas.ts';
import { LARGEST_PLUGIN_ARCHIVE } from '../plugins.contract.ts';
import { CATALOG_KINDS, CATALOG_SOURCES } from './catalog.contract.ts';

const Line = Type.String({ maxLength: 200 });

/** A plugin in an index. */
export const CatalogEntry = closed({
  id: Line,
  kind: oneOf(CATALOG_KINDS),
  source: oneOf(CATALOG_SOURCES),
  name: Line,
  version: Line,
  description: Type.String({ maxLength: 2_000 }),
  author: Line,
  license: Line,
  homepage: Type.Optional(Type.String({ maxLength: 1_000 })),
  icon: Type.Optional(Line),
  trust_tier: Line,
  /** In their normal form, each once. */
  permissions: Type.Array(Type.String({ maxLength: 300 }), { maxItems: 100 }),
  /** Bytes of the archive. */
  size: Type.Integer({ minimum: 1, maximum: LARGEST_PLUGIN_ARCHIVE }),
  /** Of the archive, in hexadecimal digits. */
  sha256: Line,
  /** A path from the folder of the index, or an address. */
  url: Type.String({ maxLength: 1_000 }),
  min_canonry: Type.Optional(Line),
});
export type CatalogEntry = Static<typeof CatalogEntry>;
