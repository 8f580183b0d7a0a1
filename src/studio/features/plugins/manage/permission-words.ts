import { defineTexts } from '../../../kit/i18n/texts.ts';

const permissionTexts = defineTexts(
  {
    known: {
      'entities:read': 'read entries of this world',
      'entities:write': 'change entries of this world',
      'assets:read': 'look at pictures and other files',
      'assets:write': 'add, replace and remove pictures and other files',
      'ai:generate': 'ask AI models, which may cost credits',
      'settings:read': 'read what was set for it',
      'events:emit': 'tell open pages and other plugins of things that happen in it',
      kv: 'keep small data of its own',
    },
    http: (host: string) => `send requests to ${host}, with whatever it has read`,
    means: {
      'entities:read':
        'Its pages and its code see names, fields and texts. Its pages see only what their user may see.',
      'entities:write':
        'Its pages change entries for their user, who can undo it; its code when its routes are asked, and after an entry was made or deleted. The history of an entry names the plugin.',
      'assets:read': 'No plugin can do this yet.',
      'assets:write': 'No plugin can do this yet.',
      'ai:generate': 'No plugin can do this yet.',
      'settings:read': 'Its code sees its own settings for everybody, with their secrets in clear.',
      'events:emit': 'Its code tells every open page of this world of an event, with data of its choice.',
      kv: 'Every plugin has this.',
    },
    httpMeans:
      'This is the only way in which anything can leave this service by way of the plugin. Addresses within the network of the service are refused.',
  },
  {
    known: {
      'entities:read': 'Einträge dieser Welt lesen',
      'entities:write': 'Einträge dieser Welt ändern',
      'assets:read': 'Bilder und andere Dateien ansehen',
      'assets:write': 'Bilder und andere Dateien hinzufügen, ersetzen und entfernen',
      'ai:generate': 'KI-Modelle fragen, was Guthaben kosten kann',
      'settings:read': 'lesen, was dafür eingestellt ist',
      'events:emit': 'offenen Seiten und anderen Plugins sagen, was in ihm geschieht',
      kv: 'kleine eigene Daten aufbewahren',
    },
    http: (host) => `Anfragen an ${host} schicken, mit allem, was es gelesen hat`,
    means: {
      'entities:read':
        'Seine Seiten und sein Code sehen Namen, Felder und Texte. Seine Seiten sehen nur, was wer sie benutzt auch sehen darf.',
      'entities:write':
        'Seine Seiten ändern Einträge für die, die sie benutzen, und die es zurücknehmen können; sein Code, wenn jemand seine Routen fragt und nachdem ein Eintrag angelegt oder gelöscht wurde. Der Verlauf eines Eintrags nennt das Plugin.',
      'assets:read': 'Noch kann kein Plugin das.',
      'assets:write': 'Noch kann kein Plugin das.',
      'ai:generate': 'Noch kann kein Plugin das.',
      'settings:read': 'Sein Code sieht seine eigenen Einstellungen für alle, mit Geheimnissen im Klartext.',
      'events:emit': 'Sein Code meldet jeder offenen Seite dieser Welt ein Ereignis, mit Daten seiner Wahl.',
      kv: 'Das kann jedes Plugin.',
    },
    httpMeans:
      'Nur auf diesem Weg kann über das Plugin etwas diesen Dienst verlassen. Adressen im Netz des Dienstes werden abgelehnt.',
  },
);

type PermissionTexts = (typeof permissionTexts)['en'];

const HTTP = 'http:';

/** A permission in plain words; as it stands where a newer service has one that this page does not know. */
export const permissionWords = (permission: string, texts: PermissionTexts): string =>
  permission.startsWith(HTTP)
    ? texts.http(permission.slice(HTTP.length))
    : (wordsIn(texts.known, permission) ?? permission);

/** The consequences of it; null for one that this page does not know. */
export const permissionMeaning = (permission: string, texts: PermissionTexts): string | null =>
  permission.startsWith(HTTP) ? texts.httpMeans : wordsIn(texts.means, permission);

const wordsIn = (known: Readonly<Record<string, string>>, permission: string): string | null =>
  Object.hasOwn(known, permission) ? (known[permission] ?? null) : null;

export { permissionTexts };
