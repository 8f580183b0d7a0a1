import type { EditorOptions, EntityName, EntityRef } from './options.ts';

const ENTITIES: EntityName[] = [
  { type: 'character', typeLabel: 'Character', id: 'mira_vale', name: 'Mira Vale', color: '#b0552a' },
  { type: 'character', typeLabel: 'Character', id: 'miro', name: 'Miro', color: '#b0552a' },
  { type: 'location', typeLabel: 'Location', id: 'old_town', name: 'Old Town', color: '#2266a4' },
];

const PIXEL =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

const hits = (text: string) =>
  ENTITIES.filter(({ name }) => name.toLowerCase().includes(text.trim().toLowerCase()));

export const names: EditorOptions['names'] = {
  search: hits,
  find: ({ type, id }: EntityRef) =>
    ENTITIES.find((entity) => entity.id === id && (type === undefined || entity.type === type)),
  findIn: (text) =>
    [...text.matchAll(/Mira Vale|Mira|Old Town/g)].map(({ 0: word, index: from }) => ({
      from,
      to: from + word.length,
      entity: hits(word)[0] as EntityName,
    })),
};

export const messages: EditorOptions['messages'] = {
  description: 'Press Escape, then Tab, to leave the text.',
  missingEntity: (id) => `There is no ${id}`,
  makeEntity: (name) => `Make “${name}”`,
  uploading: (file) => `Uploading ${file} …`,
  missingPicture: (path) => `No picture at ${path}`,
  openPicture: 'Open',
  done: 'Done',
  unlinkedNames: (count) => `${count} names stand unlinked.`,
  linkOne: (name) => `Link to ${name}`,
  linkAll: 'Link all',
  skip: 'Skip',
  close: 'Close',
  find: 'Find',
  found: (place, count) => `${place} of ${count}`,
  next: 'Next',
  previous: 'Previous',
  replaceWith: 'Replace with',
  replace: 'Replace',
  replaceAll: 'Replace all',
  findPhrases: {
    'current match': 'Found',
    'on line': 'on line',
    'replaced match on line $': 'Replaced on line $',
    'replaced $ matches': 'Replaced $',
  },
};

export const pictures: EditorOptions['pictures'] = {
  resolve: (path) =>
    path.startsWith('images/') ? { src: PIXEL, width: 400, height: 200, alt: 'A map' } : null,
};
