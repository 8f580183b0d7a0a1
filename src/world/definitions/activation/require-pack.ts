import { findStarterPack, STARTER_PACKS, type StarterPack } from '../../../content/packs.ts';
import { notFound } from '../../../kit/errors.ts';

export function requirePack(packId: string): StarterPack {
  const pack = findStarterPack(packId);
  if (pack) return pack;
  const known = STARTER_PACKS.map((one) => one.pack_id).join(', ');
  throw notFound(`There is no starter pack '${packId}'. Packs: ${known}`, { code: 'unknown_pack' });
}
