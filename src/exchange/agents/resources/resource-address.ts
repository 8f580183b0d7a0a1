import type { ResourceTemplate } from '@modelcontextprotocol/sdk/types.js';

export type ResourceKind = 'entity' | 'template' | 'rules';

export interface ResourceAddress {
  kind: ResourceKind;
  /** Type and id of an entity; the name of a template or rule file. */
  parts: readonly string[];
}

const PARTS: Readonly<Record<ResourceKind, number>> = { entity: 2, template: 1, rules: 1 };

export const MARKDOWN = 'text/markdown';

export const RESOURCE_TEMPLATES: readonly ResourceTemplate[] = [
  {
    name: 'entity',
    title: 'Entity',
    description: 'The file of an entity: YAML frontmatter and markdown',
    uriTemplate: 'canonry://entity/{type}/{id}',
    mimeType: MARKDOWN,
  },
  {
    name: 'template',
    title: 'Template',
    description: 'The file that defines a type of entities',
    uriTemplate: 'canonry://template/{type}',
    mimeType: MARKDOWN,
  },
  {
    name: 'rules',
    title: 'Rules',
    description: 'The file with the rules of a type, or of all types',
    uriTemplate: 'canonry://rules/{type}',
    mimeType: MARKDOWN,
  },
];

export const addressText = ({ kind, parts }: ResourceAddress): string =>
  `canonry://${kind}/${parts.map(encodeURIComponent).join('/')}`;

/** Characters of an address. */
const LONGEST = 1_000;

const isKind = (text: string | undefined): text is ResourceKind => text !== undefined && text in PARTS;

/** Null if it is no address of ours. */
export function readAddress(uri: string): ResourceAddress | null {
  if (uri.length > LONGEST) return null;
  const [, kind, rest = ''] = /^canonry:\/\/([a-z]+)\/([^?#]+)$/.exec(uri) ?? [];
  if (!isKind(kind)) return null;
  try {
    const parts = rest.split('/').map(decodeURIComponent);
    return parts.length === PARTS[kind] && parts.every((part) => part !== '') ? { kind, parts } : null;
  } catch {
    return null;
  }
}
