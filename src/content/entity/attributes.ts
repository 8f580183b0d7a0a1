import { isPlaceholder, versionText } from '../template/index.ts';

type Data = Readonly<Record<string, unknown>>;

function usableText(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value);
  return typeof value === 'string' && value.trim() !== '' && !isPlaceholder(value) ? value.trim() : undefined;
}

export function readName(data: Data): { key: 'name' | 'title'; name: string } | undefined {
  for (const key of ['name', 'title'] as const) {
    const name = usableText(data[key]);
    if (name !== undefined) return { key, name };
  }
  return undefined;
}

/** `primary_asset`, else `primary_image`. */
export function primaryAssetKey(data: Data): 'primary_asset' | 'primary_image' {
  return data.primary_asset === undefined && data.primary_image !== undefined
    ? 'primary_image'
    : 'primary_asset';
}

export function readPrimaryAsset(data: Data): string | null {
  return usableText(data.primary_asset) ?? usableText(data.primary_image) ?? null;
}

export function readTemplateVersion(data: Data): string | null {
  return usableText(versionText(data.template_version)) ?? null;
}
