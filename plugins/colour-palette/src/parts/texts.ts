import { defineTexts } from '../../../kit/texts.ts';
import type { Grade } from './contrast.ts';

export const texts = defineTexts(
  {
    palette: 'Colours',
    empty: 'No colours yet. Add one below, or paste many at once.',
    colour: (name: string): string => `Colour ${name}`,
    choose: (name: string): string => `Choose ${name}`,
    nameOf: (name: string): string => `Name of ${name}`,
    hexOf: (name: string): string => `Code of ${name}`,
    name: 'Name',
    up: (name: string): string => `Move ${name} up`,
    down: (name: string): string => `Move ${name} down`,
    remove: (name: string): string => `Remove ${name}`,
    add: 'Add',
    addLabel: 'New colours, as #0b3d5c or Deep sea #0b3d5c; also many',
    addHint: '#0b3d5c, or paste many',
    noColour: (text: string): string => `“${text}” is no colour: write it as #0b3d5c.`,
    full: (most: number): string => `There is room for ${most} colours.`,
    moved: (name: string, place: number, count: number): string => `${name} is ${place} of ${count}.`,
    removed: (name: string): string => `${name} was removed.`,
    added: (count: number): string => (count === 1 ? 'A colour was added.' : `${count} colours were added.`),
    contrast: 'Contrast',
    text: 'Text',
    background: 'Background',
    sample: 'Sample',
    ratio: (ratio: string, grade: Grade): string => `${ratio} : 1. ${GRADES.en[grade]}`,
  },
  {
    palette: 'Farben',
    empty: 'Noch keine Farben. Unten kommt eine dazu, oder beim Einfügen viele auf einmal.',
    colour: (name) => `Farbe ${name}`,
    choose: (name) => `${name} auswählen`,
    nameOf: (name) => `Name von ${name}`,
    hexOf: (name) => `Code von ${name}`,
    name: 'Name',
    up: (name) => `${name} nach oben`,
    down: (name) => `${name} nach unten`,
    remove: (name) => `${name} entfernen`,
    add: 'Dazu',
    addLabel: 'Neue Farben, als #0b3d5c oder Tiefsee #0b3d5c; auch viele',
    addHint: '#0b3d5c, oder viele einfügen',
    noColour: (text) => `„${text}“ ist keine Farbe: Schreiben Sie sie als #0b3d5c.`,
    full: (most) => `Es ist Platz für ${most} Farben.`,
    moved: (name, place, count) => `${name} ist ${place} von ${count}.`,
    removed: (name) => `${name} wurde entfernt.`,
    added: (count) => (count === 1 ? 'Eine Farbe kam dazu.' : `${count} Farben kamen dazu.`),
    contrast: 'Kontrast',
    text: 'Schrift',
    background: 'Hintergrund',
    sample: 'Probe',
    ratio: (ratio, grade) => `${ratio} : 1. ${GRADES.de[grade]}`,
  },
);

const GRADES: Readonly<Record<'en' | 'de', Readonly<Record<Grade, string>>>> = {
  en: {
    AAA: 'Good for any text (AAA).',
    AA: 'Enough for text (AA).',
    large: 'Enough for large text alone (AA).',
    none: 'Too little for text.',
  },
  de: {
    AAA: 'Gut für jeden Text (AAA).',
    AA: 'Genug für Text (AA).',
    large: 'Genug nur für großen Text (AA).',
    none: 'Zu wenig für Text.',
  },
};

export type Words = (typeof texts)['en'];
