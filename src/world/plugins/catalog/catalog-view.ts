import { isOlderVersion, needsConsent, normalPermission } from '../../../content/plugins/index.ts';
import type { PluginView } from '../plugin-view.ts';
import type { CatalogItemReply } from './catalog.contract.ts';
import type { CatalogEntry } from './catalog-entry.ts';

export interface CatalogFilter {
  kind?: string | undefined;
  source?: string | undefined;
  /** Each of its words must be in what people read. */
  q?: string | undefined;
}

export interface CatalogPlace {
  /** Undefined if it is not installed. */
  view: PluginView | undefined;
  /** Null for any. */
  allowed: readonly string[] | null;
  /** Of this Canonry. */
  version: string;
}

export function isWanted(entry: CatalogEntry, { kind, source, q = '' }: CatalogFilter): boolean {
  if (kind !== undefined && kind !== entry.kind) return false;
  if (source !== undefined && source !== entry.source) return false;
  const { id, name, author, description } = entry;
  const text = [id, name, author, description].join('\n').toLowerCase();
  return q
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
}

export function itemOf(entry: CatalogEntry, { view, allowed, version }: CatalogPlace): CatalogItemReply {
  const { url: _, homepage = null, icon = null, min_canonry = null, permissions, ...shown } = entry;
  const installed = view && { version: view.folder.manifest?.version ?? '', state: view.state };
  return {
    ...shown,
    homepage,
    icon,
    min_canonry,
    permissions: permissions.flatMap((text) => {
      const permission = normalPermission(text);
      return permission === null ? [] : [{ permission, needs_consent: needsConsent(permission) }];
    }),
    is_compatible: min_canonry === null || !isOlderVersion(version, min_canonry),
    is_allowed: allowed === null || allowed.includes(entry.id),
    installed: installed ?? null,
    has_update: installed !== undefined && isOlderVersion(installed.version, entry.version),
  };
}
