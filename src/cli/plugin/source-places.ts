import { SourceMap } from 'node:module';

/** Puts places of the sources in place of those that QuickJS names: lines of the bundled program. */
export type PlacesIn = (text: string) => string;

export const samePlaces: PlacesIn = (text) => text;

const PLACE = /componentize-qjs:user\.js:(\d+):(\d+)/g;

export function createPlaces(sourceMap: string): PlacesIn {
  const map = new SourceMap(JSON.parse(sourceMap));
  return (text) =>
    text.replaceAll(PLACE, (place, line: string, column: string) => {
      const found = map.findEntry(Number(line) - 1, Number(column) - 1);
      return 'originalSource' in found && found.originalSource
        ? `${found.originalSource}:${found.originalLine + 1}:${found.originalColumn + 1}`
        : place;
    });
}
