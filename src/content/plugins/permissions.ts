import { didYouMean } from '../../text/near.ts';
import { memberOf, type Part } from './json-part.ts';
import { MANIFEST_LIMITS } from './limits.ts';
import { quoted, type Report } from './report.ts';
import { lineParts } from './texts.ts';
import { PLAIN_PERMISSIONS, type PluginPermission } from './types.ts';

const NOUNS = new Map(
  Object.entries<string>({
    entity: 'entities',
    entities: 'entities',
    asset: 'assets',
    assets: 'assets',
    setting: 'settings',
    settings: 'settings',
    event: 'events',
    events: 'events',
    ai: 'ai',
  }),
);
const JOINT = /[:._\s-]+/;
const HTTP = /^http:(.*)$/s;

const LABEL = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
const NAME = new RegExp(`^(?:\\*\\.${LABEL}\\.)?${LABEL}(?:\\.${LABEL})*$`);
const IPV6 = /^\[[0-9a-f:.]+\]$/;
const PORT = /^(.+?)(?::([1-9]\d{0,4}))?$/;
const LONGEST_NAME = 253;
const LAST_PORT = 65_535;

/** `entities:read` for `read_entities`, `entity.read` and their like; null if there is no such permission. */
export function normalPermission(text: string): PluginPermission | null {
  const word = text.trim().toLowerCase();
  const host = HTTP.exec(word)?.[1];
  if (host !== undefined) return isHost(host) ? `http:${host}` : null;
  return PLAIN_PERMISSIONS.find((known) => known === word || spellingsOf(word).includes(known)) ?? null;
}

/** Noun and verb in either order. */
function spellingsOf(word: string): string[] {
  const [first = '', second = '', ...others] = word.split(JOINT);
  if (others.length > 0) return [];
  return [`${nounOf(first)}:${second}`, `${nounOf(second)}:${first}`];
}

const nounOf = (word: string): string => NOUNS.get(word) ?? word;

/** In lower case, perhaps with `*.` before and a port behind. Addresses in numbers are taken as they are written. */
function isHost(text: string): boolean {
  const [, host = '', port = '1'] = PORT.exec(text) ?? [];
  if (Number(port) > LAST_PORT || host.length > LONGEST_NAME) return false;
  if (IPV6.test(host)) return URL.canParse(`http://${host}/`);
  return NAME.test(host) && !(host.startsWith('*.') && isNumeric(host));
}

/** An address cannot have a wildcard. */
const isNumeric = (host: string): boolean => /\.\d+$/.test(host);

/** An admin is asked for what changes the world, costs money, or lets data out. Installing grants the others. */
export const needsConsent = (permission: PluginPermission): boolean =>
  permission.endsWith(':write') || permission.startsWith('http:') || permission === 'ai:generate';

/** Sorted, each once; unknown ones are left out with a warning. */
export function readPermissions(report: Report, root: Part): PluginPermission[] {
  const given = memberOf(root, 'permissions') ?? memberOf(memberOf(root, 'capabilities'), 'permissions');
  const known = lineParts(report, given, MANIFEST_LIMITS.permissions).flatMap(({ part, line }) => {
    const permission = normalPermission(line);
    if (permission === null) report.warn(part, adviceOn(line));
    return permission === null ? [] : [permission];
  });
  return [...new Set(known)].sort();
}

function adviceOn(line: string): string {
  if (/^http:/i.test(line)) {
    const form = 'give the name of one host, such as http:api.example.com or http:*.example.com:8443';
    return `the permission ${quoted(line)} names no host, and is left out: ${form}`;
  }
  const known = [...PLAIN_PERMISSIONS, 'http:<host>'].join(', ');
  return `there is no permission ${quoted(line)}${didYouMean(line, PLAIN_PERMISSIONS)}, and it is left out; known are ${known}`;
}
