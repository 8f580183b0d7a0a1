/** Starter packs: sets of types that are activated in one operation (spec 1 §2.4, §3). */

/** Types that are always active and never count as activated. */
export const CORE_TYPES: readonly string[] = ['assembly', 'dialogue', 'quest', 'timeline'];

export interface StarterPack {
  pack_id: string;
  name: string;
  description: string;
  types: readonly string[];
}

export const STARTER_PACKS: readonly StarterPack[] = [
  {
    pack_id: 'core-essentials',
    name: 'Core essentials',
    description: 'Who, where and with what: enough to begin any world.',
    types: ['character', 'location', 'item', 'biome'],
  },
  {
    pack_id: 'full-starter',
    name: 'Full starter',
    description: 'People, places, powers and trades of a whole setting.',
    types: ['character', 'location', 'district', 'faction', 'brand', 'job', 'item'],
  },
  {
    pack_id: 'screen-starter',
    name: 'Screen starter',
    description: 'For series and film: cast, places, events and one visual language.',
    types: ['character', 'location', 'event', 'style_bible', 'universe'],
  },
  {
    pack_id: 'games-starter',
    name: 'Games starter',
    description: 'For games: cast, places, factions, loot and the campaign that ties them together.',
    types: ['character', 'location', 'faction', 'item', 'campaign'],
  },
  {
    pack_id: 'starter-characters',
    name: 'Characters',
    description: 'The cast.',
    types: ['character'],
  },
  {
    pack_id: 'starter-locations',
    name: 'Locations',
    description: 'Places and the districts they are made of.',
    types: ['location', 'district'],
  },
  {
    pack_id: 'starter-factions',
    name: 'Factions',
    description: 'Groups with aims of their own.',
    types: ['faction'],
  },
  {
    pack_id: 'starter-brands',
    name: 'Brands',
    description: 'Companies and products of the world.',
    types: ['brand'],
  },
  { pack_id: 'starter-jobs', name: 'Jobs', description: 'Trades and professions.', types: ['job'] },
  {
    pack_id: 'starter-items',
    name: 'Items',
    description: 'Objects that people own, seek or fear.',
    types: ['item'],
  },
];

export function findStarterPack(packId: string): StarterPack | undefined {
  return STARTER_PACKS.find((pack) => pack.pack_id === packId);
}
