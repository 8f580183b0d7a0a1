import { defineTexts } from '../../../kit/i18n/texts.ts';

const permissionTexts = defineTexts(
  {
    known: {
      'entities:read': 'read entries of this world',
      'entities:write': 'change entries of this world',
      'assets:read': 'look at pictures and other files',
      'assets:write': 'add, replace and remove pictures and other files',
      'ai:generate': 'ask AI models, which may cost credits',
      'settings:read': 'read settings of this world',
      'events:emit': 'tell open pages and other plugins of things that happen in it',
      kv: 'keep small data of its own',
    },
    http: (host: string) => `send requests to ${host}, with whatever it has read`,
  },
  {
    known: {
      'entities:read': 'Einträge dieser Welt lesen',
      'entities:write': 'Einträge dieser Welt ändern',
      'assets:read': 'Bilder und andere Dateien ansehen',
      'assets:write': 'Bilder und andere Dateien hinzufügen, ersetzen und entfernen',
      'ai:generate': 'KI-Modelle fragen, was Guthaben kosten kann',
      'settings:read': 'Einstellungen dieser Welt lesen',
      'events:emit': 'offenen Seiten und anderen Plugins sagen, was in ihm geschieht',
      kv: 'kleine eigene Daten aufbewahren',
    },
    http: (host) => `Anfragen an ${host} schicken, mit allem, was es gelesen hat`,
  },
);

/** A permission in plain words; as it stands where a newer service has one that this page does not know. */
export function permissionWords(permission: string, texts: (typeof permissionTexts)['en']): string {
  if (permission.startsWith('http:')) return texts.http(permission.slice('http:'.length));
  const known: Readonly<Record<string, string>> = texts.known;
  return Object.hasOwn(known, permission) ? (known[permission] ?? permission) : permission;
}

export { permissionTexts };
